"""Members, registrations and lists of players as REST: who comes into an event, and from where."""

from __future__ import annotations

import uuid
from typing import Any, ClassVar, Final

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access
from ledger.actors import Actor
from ledger.errors import Refused
from tournament.api.common import PEOPLE, Verb, actor_of, read_body, read_file
from tournament.api.draw_shapes import JobShape, job_json
from tournament.api.people_shapes import AddressField, EntrantShape, entrant_json, start_number
from tournament.models import Member, Registration
from tournament.services import entrants, imports, members, registrations
from tournament.services.players_file import COLUMNS, Layout, Line, Preview, read_players
from tournament.views.frame import event_by_slug

REGISTER: Final = Access("needs", "organisation.manage")


class MemberShape(serializers.Serializer[Any]):
    """A member in the organisation's register."""

    id = serializers.UUIDField(read_only=True)
    name = serializers.CharField(max_length=100)
    club = serializers.CharField(max_length=80, allow_blank=True, default="")
    category = serializers.CharField(max_length=30, allow_blank=True, default="")
    email = AddressField(allow_blank=True, default="")
    phone = serializers.CharField(max_length=30, allow_blank=True, default="")


class TickShape(serializers.Serializer[Any]):
    """A member as an event's director sees them: to be told apart, and no more."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    club = serializers.CharField()
    category = serializers.CharField()


class FileAsk(serializers.Serializer[Any]):
    """A spreadsheet or CSV file with a row for each person."""

    file = serializers.FileField()


class AddedShape(serializers.Serializer[Any]):
    """How many were added."""

    added = serializers.IntegerField()


class TickAsk(serializers.Serializer[Any]):
    """The members who play, and whether they are already present."""

    members = serializers.ListField(child=serializers.UUIDField(), max_length=2000)
    present = serializers.BooleanField(default=False)


class RegistrationShape(serializers.Serializer[Any]):
    """Somebody who registered on the public page and is waiting for an answer."""

    id = serializers.UUIDField()
    state = serializers.CharField()
    name = serializers.CharField()
    partner = serializers.CharField(allow_blank=True)
    club = serializers.CharField(allow_blank=True)
    email = serializers.CharField(allow_blank=True)
    phone = serializers.CharField(allow_blank=True)


class PresentAsk(serializers.Serializer[Any]):
    """Whether they are present."""

    present = serializers.BooleanField(default=False)


class AnsweredShape(serializers.Serializer[Any]):
    """What became of a registration."""

    id = serializers.UUIDField()
    state = serializers.CharField()


class AllButAsk(serializers.Serializer[Any]):
    """The start numbers of absent players."""

    but = serializers.ListField(child=start_number(), default=list, max_length=2000)


class CountShape(serializers.Serializer[Any]):
    """How many were marked present."""

    checked_in = serializers.IntegerField()


class RowShape(serializers.Serializer[Any]):
    """A row of a list of players, and what would happen to it."""

    line = serializers.IntegerField()
    number = serializers.IntegerField(allow_null=True)
    name = serializers.CharField()
    partner = serializers.CharField()
    club = serializers.CharField()
    problems = serializers.ListField(child=serializers.CharField())
    duplicate_of = serializers.CharField()
    left_out = serializers.CharField(help_text="Why the row is no player; empty for one that is.")


class PreviewShape(serializers.Serializer[Any]):
    """A list that is kept until it is imported: its columns, its rows, its problems."""

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


class SheetAsk(FileAsk):
    """A list of players; of a workbook the sheet that is wanted, if not the one that fits."""

    sheet = serializers.CharField(max_length=100, allow_blank=True, default="")


class ImportAsk(serializers.Serializer[Any]):
    """Which kept list; where its columns are, if they are not where the preview found them."""

    file = serializers.UUIDField()
    skip_duplicates = serializers.BooleanField(default=False)
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

    def validate_columns(self, value: dict[str, int]) -> dict[str, int]:
        """Only columns that there are."""
        if unknown := set(value) - set(COLUMNS):
            raise serializers.ValidationError(f"{min(unknown)}: {', '.join(COLUMNS)}")
        return value


def member_json(member: Member) -> dict[str, object]:
    """A member in the shape of :class:`MemberShape`."""
    return {"id": str(member.pk), **{name: getattr(member, name) for name in members.FIELDS}}


class Members(APIView):
    """The organisation's register."""

    access: ClassVar[dict[str, Access]] = {"GET": REGISTER, "POST": REGISTER}

    @extend_schema(responses=MemberShape(many=True), operation_id="members_list")
    def get(self, request: Request) -> Response:
        """Every member, by name."""
        return Response([member_json(member) for member in Member.objects.all()])

    @extend_schema(request=MemberShape, responses={201: MemberShape}, operation_id="members_add")
    def post(self, request: Request) -> Response:
        """Add a member."""
        added = members.save_member(actor=actor_of(request), values=read_body(MemberShape, request))
        return Response(member_json(added), status=status.HTTP_201_CREATED)


class OneMember(APIView):
    """One member."""

    access: ClassVar[dict[str, Access]] = {"PATCH": REGISTER, "DELETE": REGISTER}

    @extend_schema(request=MemberShape, responses=MemberShape, operation_id="members_correct")
    def patch(self, request: Request, member_id: uuid.UUID) -> Response:
        """Correct the fields given; past events do not change."""
        member = get_object_or_404(Member, pk=member_id)
        values = {name: getattr(member, name) for name in members.FIELDS}
        values |= read_body(MemberShape, request, partial=True)
        saved = members.save_member(actor=actor_of(request), member_id=member.pk, values=values)
        return Response(member_json(saved))

    @extend_schema(responses={204: None}, operation_id="members_remove")
    def delete(self, request: Request, member_id: uuid.UUID) -> Response:
        """Delete a member from the register, with everything it holds about them."""
        member = get_object_or_404(Member, pk=member_id)
        members.remove_member(actor=actor_of(request), member_id=member.pk)
        return Response(status=status.HTTP_204_NO_CONTENT)


class MembersFile(APIView):
    """A list of members."""

    access: ClassVar[dict[str, Access]] = {"POST": REGISTER}
    parser_classes = (MultiPartParser,)

    @extend_schema(
        request={"multipart/form-data": SheetAsk},
        responses=AddedShape,
        operation_id="members_add-file",
    )
    def post(self, request: Request) -> Response:
        """Add everybody of the list who is not a member yet, all or none.

        A workbook in which several sheets look like lists is refused until one is chosen.
        """
        content, sheet = read_file(SheetAsk, request), read_body(SheetAsk, request)["sheet"]
        read = read_players(event=None, content=content, sheet=sheet)
        if read.lists and not sheet:
            raise Refused(
                "wrong_value",
                _("Several sheets look like lists of players: choose one."),
                field="sheet",
            )
        added, _there = members.add_members(actor=actor_of(request), preview=read)
        return Response({"added": len(added)})


class EventMembers(APIView):
    """The members who are not registered for an event."""

    access: ClassVar[dict[str, Access]] = {"GET": PEOPLE, "POST": PEOPLE}

    @extend_schema(responses=TickShape(many=True), operation_id="event_members")
    def get(self, request: Request, slug: str) -> Response:
        """Their names, clubs and categories; addresses only for those who keep the register."""
        return Response(
            [
                {"id": str(m.pk), "name": m.name, "club": m.club, "category": m.category}
                for m in members.members_not_in(event_by_slug(slug))
            ]
        )

    @extend_schema(
        request=TickAsk, responses=EntrantShape(many=True), operation_id="event_enter-members"
    )
    def post(self, request: Request, slug: str) -> Response:
        """Register members, each once."""
        entered = members.enter_members(
            event_id=event_by_slug(slug).pk, actor=actor_of(request), **read_body(TickAsk, request)
        )
        return Response([entrant_json(entrant) for entrant in entered])


class Registrations(APIView):
    """Registrations made on the public page."""

    access: ClassVar[dict[str, Access]] = {"GET": PEOPLE}

    @extend_schema(responses=RegistrationShape(many=True), operation_id="registrations_list")
    def get(self, request: Request, slug: str) -> Response:
        """Registrations waiting for an answer, oldest first, the waiting list last."""
        names = ("name", "partner", "club", "email", "phone")
        return Response(
            [
                {
                    "id": str(one.pk),
                    "state": str(one.state),
                    **{name: getattr(one, name) for name in names},
                }
                for one in registrations.pending(event_by_slug(slug))
            ]
        )


class PlayersFile(APIView):
    """A list of players, previewed before it is imported."""

    access: ClassVar[dict[str, Access]] = {"POST": PEOPLE}
    parser_classes = (MultiPartParser,)

    @extend_schema(
        request={"multipart/form-data": SheetAsk},
        responses={201: PreviewShape},
        operation_id="event_players-file",
    )
    def post(self, request: Request, slug: str) -> Response:
        """Keep the list, replacing one kept before; every row with what would happen to it."""
        event, content = event_by_slug(slug), read_file(SheetAsk, request)
        sheet = read_body(SheetAsk, request)["sheet"]
        preview = read_players(event=event, content=content, sheet=sheet)
        file = imports.keep_file(event_id=event.pk, content=content, actor=actor_of(request))
        return Response(_preview_json(file.pk, preview), status=status.HTTP_201_CREATED)


def _preview_json(file_id: uuid.UUID, preview: Preview) -> dict[str, object]:
    layout = preview.layout
    return {
        "id": str(file_id),
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


def _import(
    actor: Actor,
    slug: str,
    file: uuid.UUID,
    skip_duplicates: bool,
    columns: dict[str, int],
    first_row: int,
    sheet: str,
    paid: dict[str, bool],
) -> dict[str, object]:
    stored = imports.stored_file(event_id=event_by_slug(slug).pk, file_id=str(file))
    job = imports.request_import(
        file_id=stored.pk,
        skip_duplicates=skip_duplicates,
        layout=Layout(columns, first_row) if columns else None,
        sheet=sheet,
        paid={word.casefold(): means for word, means in paid.items()},
        actor=actor,
    )
    return job_json(job)


def _remember(actor: Actor, slug: str) -> dict[str, int]:
    return {"added": members.remember_players(event_id=event_by_slug(slug).pk, actor=actor)}


def _check_in(actor: Actor, slug: str, but: list[int]) -> dict[str, int]:
    event = event_by_slug(slug)
    return {"checked_in": entrants.check_in_all(event_id=event.pk, actor=actor, but=but)}


def _confirm(
    actor: Actor, slug: str, registration_id: uuid.UUID, present: bool
) -> dict[str, object]:
    event = event_by_slug(slug)
    waiting = get_object_or_404(Registration, pk=registration_id, event=event)
    entered = registrations.confirm(
        event_id=event.pk, registration_id=waiting.pk, actor=actor, present=present
    )
    return entrant_json(entered)


def _refuse(actor: Actor, slug: str, registration_id: uuid.UUID) -> dict[str, object]:
    event = event_by_slug(slug)
    waiting = get_object_or_404(Registration, pk=registration_id, event=event)
    refused = registrations.refuse(event_id=event.pk, registration_id=waiting.pk, actor=actor)
    return {"id": str(refused.pk), "state": str(refused.state)}


EVENT_VERBS: Final[dict[str, Verb]] = {
    "check-in": Verb(
        _check_in,
        "Mark everybody registered as present, except these.",
        CountShape,
        AllButAsk,
        PEOPLE,
    ),
    "players-file/import": Verb(
        _import,
        "Request the import of a kept list: all of it or nothing.",
        JobShape,
        ImportAsk,
        PEOPLE,
        status.HTTP_202_ACCEPTED,
    ),
    "members/remember": Verb(
        _remember, "Add the event's players to the register, each once.", AddedShape, None, PEOPLE
    ),
}
"""Path below the event → what it does."""
REGISTRATION_VERBS: Final[dict[str, Verb]] = {
    "confirm": Verb(_confirm, "Accept a registration.", EntrantShape, PresentAsk, PEOPLE),
    "refuse": Verb(_refuse, "Refuse a registration.", AnsweredShape, None, PEOPLE),
}
