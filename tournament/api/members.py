"""Members, registrations and lists of players as REST: all ways into an event."""

from __future__ import annotations

import uuid
from typing import Any, ClassVar, Final

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access
from tournament.api.columns import ColumnsShape
from tournament.api.common import PEOPLE
from tournament.api.verbs import ANSWERS, BODIES, SHAPES, Answer, Content
from tournament.lists.reading import Layout
from tournament.models import Member, Registration
from tournament.services import imports, members, registrations
from tournament.services.player_lists import COLUMNS, FORMER, Line
from tournament.views.frame import event_by_slug

REGISTER: Final = Access("needs", "organisation.manage")


class MemberShape(ColumnsShape[Member]):
    """A member in the organisation's register."""

    usual = True

    class Meta:
        model = Member
        fields = ("id", *members.FIELDS)


class TickShape(MemberShape):
    """A member as an event's director sees them: only what distinguishes them from other members."""

    class Meta(MemberShape.Meta):
        fields = ("id", "name", "club", "category")
        read_only_fields = fields


class AddedShape(serializers.Serializer[object]):
    """Number of members added."""

    added = serializers.IntegerField()


class TickAsk(serializers.Serializer[object]):
    """The members who play, and whether they are already present."""

    members = serializers.ListField(child=serializers.UUIDField(), max_length=2000)
    present = serializers.BooleanField(default=False)


class RegistrationShape(ColumnsShape[Registration]):
    """A registration from the public page that is waiting for an answer."""

    class Meta:
        model = Registration
        fields = ("id", "state", *registrations.FIELDS)
        read_only_fields = fields


class AnsweredShape(serializers.Serializer[object]):
    """Outcome of a registration."""

    id = serializers.UUIDField()
    state = serializers.CharField()


class CountShape(serializers.Serializer[object]):
    """Number of players marked present."""

    checked_in = serializers.IntegerField()


class RowShape(serializers.Serializer[object]):
    """A row of a list of players, and what would happen to it."""

    line = serializers.IntegerField()
    number = serializers.IntegerField(allow_null=True)
    name = serializers.CharField()
    partner = serializers.CharField()
    club = serializers.CharField()
    problems = serializers.ListField(child=serializers.CharField())
    duplicate_of = serializers.CharField()
    left_out = serializers.CharField(help_text="Why the row is no player; empty for one that is.")


class PreviewShape(serializers.Serializer[object]):
    """A list of players, stored until it is imported: its columns, its rows, its problems."""

    id = serializers.UUIDField()
    columns = serializers.DictField(child=serializers.IntegerField())
    first_row = serializers.IntegerField(allow_null=True)
    problems = serializers.ListField(child=serializers.CharField())
    sheet = serializers.CharField(help_text="Of a workbook: the sheet that was read.")
    sheets = serializers.ListField(
        child=serializers.CharField(), help_text="Every sheet of a workbook that has several."
    )
    paid_asked = serializers.ListField(
        child=serializers.CharField(),
        help_text="What the column of payments says that is not understood: `paid` of the import answers it.",
    )
    rows = RowShape(many=True)


class SheetAsk(serializers.Serializer[object]):
    """A spreadsheet or CSV file with a row for each person; of a workbook the sheet that is wanted."""

    file = Content()
    sheet = serializers.CharField(max_length=100, allow_blank=True, default="")


class ImportAsk(serializers.Serializer[object]):
    """The stored list, and the positions of its columns where the preview did not find them."""

    file = serializers.UUIDField()
    skip_duplicates = serializers.BooleanField(default=False)
    despite = serializers.CharField(
        max_length=300,
        allow_blank=True,
        default="",
        help_text="The reason to enter players although suspensions are in force on their names.",
    )
    columns = serializers.DictField(
        child=serializers.IntegerField(min_value=0, max_value=99),
        default=dict,
        help_text=f"Column → index from 0: {', '.join(COLUMNS)}.",
    )
    first_row = serializers.IntegerField(
        min_value=1, max_value=99999, default=1, help_text="Of the first player, with `columns`."
    )
    sheet = serializers.CharField(
        max_length=100,
        allow_blank=True,
        default="",
        help_text="Of a workbook, instead of the one that fits.",
    )
    paid = serializers.DictField(
        child=serializers.BooleanField(),
        default=dict,
        help_text="Word of the column of payments → whether it means that the fee was paid.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Convert to the arguments of :func:`~tournament.services.imports.request_import`."""
        columns, first = attrs.pop("columns"), attrs.pop("first_row")
        paid = {word.casefold(): means for word, means in attrs["paid"].items()}
        layout = Layout(columns, first) if columns else None
        return {**attrs, "file": str(attrs["file"]), "layout": layout, "paid": paid}

    def validate_columns(self, value: dict[str, int]) -> dict[str, int]:
        """Only columns that there are."""
        if unknown := set(value) - {*COLUMNS, *FORMER}:
            raise serializers.ValidationError(f"{min(unknown)}: {', '.join(COLUMNS)}")
        return value


class Members(APIView):
    """The organisation's register."""

    access: ClassVar[dict[str, Access]] = {"GET": REGISTER}

    @extend_schema(responses=MemberShape(many=True), operation_id="members_list")
    def get(self, request: Request) -> Response:
        """Every member, by name."""
        return Response(MemberShape(Member.objects.all(), many=True).data)


class EventMembers(APIView):
    """The members who are not registered for an event."""

    access: ClassVar[dict[str, Access]] = {"GET": PEOPLE}

    @extend_schema(responses=TickShape(many=True), operation_id="event_members")
    def get(self, request: Request, slug: str) -> Response:
        """Return names, clubs and categories; addresses need the right to manage the register."""
        return Response(TickShape(members.members_not_in(event_by_slug(slug)), many=True).data)


class Registrations(APIView):
    """Registrations made on the public page."""

    access: ClassVar[dict[str, Access]] = {"GET": PEOPLE}

    @extend_schema(responses=RegistrationShape(many=True), operation_id="registrations_list")
    def get(self, request: Request, slug: str) -> Response:
        """Registrations waiting for an answer, oldest first, the waiting list last."""
        waiting = registrations.pending(event_by_slug(slug))
        return Response(RegistrationShape(waiting, many=True).data)


def _preview_json(upload: imports.Upload) -> dict[str, object]:
    preview, layout = upload.preview, upload.preview.layout
    return {
        "id": str(upload.file.pk),
        "columns": layout.columns if layout else {},
        "first_row": layout.first_row if layout else None,
        "problems": preview.problems,
        "sheet": preview.sheet,
        "sheets": preview.sheets,
        "paid_asked": preview.asks,
        "rows": [_row_json(line) for line in preview.rows],
    }


def _row_json(line: Line) -> dict[str, object]:
    names = ("line", "number", "name", "partner", "club", "duplicate_of", "left_out")
    return {**{name: getattr(line, name) for name in names}, "problems": line.errors}


def member_of(member_id: uuid.UUID) -> Member:
    """The member that an address names."""
    return get_object_or_404(Member, pk=member_id)


def registration_of(slug: str, registration_id: uuid.UUID) -> Registration:
    """The registration that an address names."""
    return get_object_or_404(Registration, pk=registration_id, event=event_by_slug(slug))


SHAPES[Member] = MemberShape
BODIES.update(
    {
        **dict.fromkeys(("members_add", "members_correct"), MemberShape),
        **dict.fromkeys(("members_add-file", "event_players-file"), SheetAsk),
        "event_enter-members": TickAsk,
        "event_players-file-import": ImportAsk,
    }
)
ANSWERS.update(
    {
        "members_add-file": Answer(AddedShape, lambda done: {"added": len(done.added)}),
        "event_players-file": Answer(PreviewShape, _preview_json),
        "event_check-in": Answer(CountShape, lambda count: {"checked_in": count}),
        "event_members-remember": Answer(AddedShape, lambda added: {"added": added}),
        "registrations_refuse": Answer(
            AnsweredShape, lambda refused: {"id": refused.pk, "state": refused.state}
        ),
    }
)
