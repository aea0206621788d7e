"""The table's verbs as REST: read a sheet, append a deal, correct, sign, dispute, bell, call.

The services behind are those of the pages, so that a deal has the same fate however it arrives.
Every error is problem+json with a code. ``please_check`` (409) carries ``doubts`` (code, field,
question and values of each) and ``sure``, to be sent back by who is sure.
"""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.shortcuts import get_object_or_404
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.authentication import SessionAuthentication
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access
from accounts.api import BearerToken
from accounts.limits import CALLS_BY_TABLE
from ledger.errors import NotAllowed, Refused
from tournament.api.common import read_body
from tournament.api.sheet_access import OwnTableOrStaff, TableToken, TableUser, actor_of
from tournament.api.sheet_shapes import (
    BellInput,
    CallInput,
    CallShape,
    CorrectionInput,
    DealInput,
    DealShape,
    PenInput,
    PenShape,
    ProblemShape,
    ReasonInput,
    SheetLine,
    SheetShape,
    SignInput,
    SlipInput,
    UndoBellInput,
    VersionInput,
    call_json,
    deal_json,
    line_json,
    sheet_json,
)
from tournament.models.tables import Protocol, Series, Sheet
from tournament.queries import paper_form
from tournament.queries.double_entry import side_of_device
from tournament.services import sheets, signatures, tables

REFUSALS = {
    400: ProblemShape,
    401: ProblemShape,
    403: ProblemShape,
    404: ProblemShape,
    409: ProblemShape,
    429: ProblemShape,
}


class TableView(APIView):
    """What the table's views share: a link or a session, and the sheet of the address."""

    authentication_classes = [TableToken, BearerToken, SessionAuthentication]
    permission_classes = [OwnTableOrStaff]
    by_link: ClassVar[tuple[str, ...]] = ("GET", "HEAD", "OPTIONS", "POST", "PUT")

    def sheet(self, sheet_id: uuid.UUID) -> Sheet:
        """The sheet, or 404."""
        return get_object_or_404(
            Sheet.objects.select_related("table__round__stage__event"), pk=sheet_id
        )

    def link_holder(self, request: Request) -> TableUser:
        """Who holds the table's link; 401 without credentials, 403 for a session without it."""
        user: object = request.user
        if isinstance(user, TableUser):
            return user
        message = _("Send %(header)s.") % {"header": "Authorization: Table <token>"}
        if request.user.is_authenticated:
            raise NotAllowed("table_token", message)
        raise NotAuthenticated(message, code="table_token")

    def begin_writing(self, request: Request, sheet: Sheet) -> None:
        """The first device that records keeps score without asking, as on the page."""
        user: object = request.user
        if isinstance(user, TableUser):
            if user.device is None:
                raise Refused(
                    "device_missing", _("Send %(header)s.") % {"header": "X-Device: <UUID>"}
                )
            if sheet.table.writer is None and sheet.protocol != Protocol.DOUBLE:
                tables.take_writing(table_id=sheet.table_id, device=user.device)
                sheet.table.refresh_from_db()

    def shown(self, request: Request, sheet_id: uuid.UUID, status: int = 200) -> Response:
        """The sheet as it is now, as its caller may see it (blind double entry shows their own)."""
        sheet = self.sheet(sheet_id)
        series = Series.OFFICIAL.value
        user: object = request.user
        if isinstance(user, TableUser) and sheet.protocol == Protocol.DOUBLE and user.device:
            series = side_of_device(sheet.table, user.device) or series
        at_table = isinstance(user, TableUser)
        return Response(
            sheet_json(sheet, get_language() or "en", series, at_table=at_table), status=status
        )


class SheetList(TableView):
    """The sheets of the table whose link is used."""

    access: ClassVar[dict[str, Access]] = {"GET": Access("link", "table")}

    @extend_schema(responses={200: SheetLine(many=True), **REFUSALS}, operation_id="sheets_list")
    def get(self, request: Request) -> Response:
        """The table's sheets in the order in which they are played."""
        listed = self.link_holder(request).table.sheets.order_by("order")
        return Response([line_json(sheet) for sheet in listed])


class SheetDetail(TableView):
    """One sheet."""

    access: ClassVar[dict[str, Access]] = {"GET": Access("needs", "room.watch")}

    @extend_schema(responses={200: SheetShape, **REFUSALS}, operation_id="sheets_read")
    def get(self, request: Request, sheet_id: uuid.UUID) -> Response:
        """The sheet with its current deals and standing signatures."""
        return self.shown(request, sheet_id)


class DealList(TableView):
    """Append a deal."""

    access: ClassVar[dict[str, Access]] = {"POST": Access("needs", "sheets.enter")}

    @extend_schema(
        request=DealInput, responses={201: SheetShape, **REFUSALS}, operation_id="deals_append"
    )
    def post(self, request: Request, sheet_id: uuid.UUID) -> Response:
        """Record the next deal; with a ``key`` a repetition records nothing and answers the same."""
        sheet = self.sheet(sheet_id)
        data = read_body(DealInput, request)
        self.begin_writing(request, sheet)
        sheets.hand_in(
            sheet=sheet,
            read=lambda _sheet, _number: data["entry"],
            request=data["entry"],
            actor=actor_of(request),
            key=data.get("key", ""),
            number=data.get("number"),
            version=data.get("version"),
            sure=data["sure"],
            played=data.get("played", ""),
        )
        return self.shown(request, sheet_id, 201)


class DealDetail(TableView):
    """One deal: its history, and its correction."""

    access: ClassVar[dict[str, Access]] = {
        "GET": Access("needs", "room.watch"),
        "PUT": Access("needs", "sheets.correct"),
    }

    @extend_schema(responses={200: DealShape(many=True), **REFUSALS}, operation_id="deals_history")
    def get(self, request: Request, sheet_id: uuid.UUID, number: int) -> Response:
        """Every version of the deal, newest first."""
        sheet = self.sheet(sheet_id)
        series = Series.OFFICIAL.value
        user: object = request.user
        if isinstance(user, TableUser) and sheet.protocol == Protocol.DOUBLE and user.device:
            series = side_of_device(sheet.table, user.device) or series
        versions = sheet.deals.filter(series=series, number=number).order_by("-version")
        return Response([deal_json(deal, get_language() or "en") for deal in versions])

    @extend_schema(
        request=CorrectionInput,
        responses={200: SheetShape, **REFUSALS},
        operation_id="deals_correct",
    )
    def put(self, request: Request, sheet_id: uuid.UUID, number: int) -> Response:
        """Correct the deal with a reason; staff also on a signed sheet."""
        sheet = self.sheet(sheet_id)
        data = read_body(CorrectionInput, request)
        self.begin_writing(request, sheet)
        sheets.correct_once(
            sheet=sheet,
            number=number,
            entry=data["entry"],
            reason=data["reason"],
            actor=actor_of(request),
            key=data.get("key", ""),
            version=data.get("version"),
            official=not isinstance(request.user, TableUser),
        )
        return self.shown(request, sheet_id)


class SignatureList(TableView):
    """Sign, or dispute the sheet."""

    access: ClassVar[dict[str, Access]] = {"POST": Access("needs", "sheets.correct")}

    @extend_schema(
        request=SignInput, responses={200: SheetShape, **REFUSALS}, operation_id="sheets_sign"
    )
    def post(self, request: Request, sheet_id: uuid.UUID) -> Response:
        """One side signs the version it saw; the last signature makes the result official."""
        sheet = self.sheet(sheet_id)
        data = read_body(SignInput, request)
        self.begin_writing(request, sheet)
        player = data.get("player", "")
        signatures.sign(
            sheet_id=sheet.pk,
            side=data["side"],
            version=data["version"],
            actor=actor_of(request),
            signed_by=f"player:{player}" if player else "",
        )
        return self.shown(request, sheet_id)


class Dispute(TableView):
    """A side does not agree."""

    access: ClassVar[dict[str, Access]] = {"POST": Access("needs", "sheets.correct")}

    @extend_schema(
        request=VersionInput, responses={200: SheetShape, **REFUSALS}, operation_id="sheets_dispute"
    )
    def post(self, request: Request, sheet_id: uuid.UUID) -> Response:
        """The signatures no longer count and the director sees the sheet in dispute."""
        sheet = self.sheet(sheet_id)
        data = read_body(VersionInput, request)
        self.begin_writing(request, sheet)
        signatures.withdraw_signatures(
            sheet_id=sheet.pk,
            version=data["version"],
            actor=actor_of(request),
            reason=data["reason"],
        )
        return self.shown(request, sheet_id)


class Confirmation(TableView):
    """Staff makes the result official."""

    access: ClassVar[dict[str, Access]] = {"POST": Access("needs", "sheets.correct")}
    by_link: ClassVar[tuple[str, ...]] = ()

    @extend_schema(
        request=VersionInput, responses={200: SheetShape, **REFUSALS}, operation_id="sheets_confirm"
    )
    def post(self, request: Request, sheet_id: uuid.UUID) -> Response:
        """The result as it stands becomes official, without the table's signatures."""
        data = read_body(VersionInput, request)
        signatures.confirm(
            sheet_id=self.sheet(sheet_id).pk,
            version=data["version"],
            actor=actor_of(request),
            reason=data["reason"],
        )
        return self.shown(request, sheet_id)


class Bell(TableView):
    """The bell ends the match."""

    access: ClassVar[dict[str, Access]] = {"POST": Access("needs", "sheets.enter")}

    @extend_schema(
        request=BellInput, responses={200: SheetShape, **REFUSALS}, operation_id="sheets_bell"
    )
    def post(self, request: Request, sheet_id: uuid.UUID) -> Response:
        """The match ends with the deals recorded so far."""
        sheet = self.sheet(sheet_id)
        data = read_body(BellInput, request)
        self.begin_writing(request, sheet)
        sheets.end_by_bell(
            sheet_id=sheet.pk,
            actor=actor_of(request),
            in_play=data["in_play"],
            version=data.get("version"),
        )
        return self.shown(request, sheet_id)


class UndoBell(TableView):
    """Undo the end at the bell."""

    access: ClassVar[dict[str, Access]] = {"POST": Access("needs", "sheets.enter")}

    @extend_schema(
        request=UndoBellInput,
        responses={200: SheetShape, **REFUSALS},
        operation_id="sheets_undo_bell",
    )
    def post(self, request: Request, sheet_id: uuid.UUID) -> Response:
        """The match continues: from the table within a minute, from staff until it is signed."""
        sheet = self.sheet(sheet_id)
        data = read_body(UndoBellInput, request)
        self.begin_writing(request, sheet)
        sheets.undo_bell(sheet_id=sheet.pk, actor=actor_of(request), version=data.get("version"))
        return self.shown(request, sheet_id)


class Reopen(TableView):
    """Staff reopens a signed sheet."""

    access: ClassVar[dict[str, Access]] = {"POST": Access("needs", "sheets.correct")}
    by_link: ClassVar[tuple[str, ...]] = ()

    @extend_schema(
        request=ReasonInput, responses={200: SheetShape, **REFUSALS}, operation_id="sheets_reopen"
    )
    def post(self, request: Request, sheet_id: uuid.UUID) -> Response:
        """Its result no longer counts until it is signed again; it stays readable."""
        signatures.reopen(
            sheet_id=self.sheet(sheet_id).pk,
            actor=actor_of(request),
            reason=read_body(ReasonInput, request)["reason"],
        )
        return self.shown(request, sheet_id)


class Contest(TableView):
    """Somebody at the table reports that the signed result is wrong."""

    access: ClassVar[dict[str, Access]] = {"POST": Access("needs", "sheets.correct")}

    @extend_schema(
        request=ReasonInput, responses={201: CallShape, **REFUSALS}, operation_id="sheets_contest"
    )
    def post(self, request: Request, sheet_id: uuid.UUID) -> Response:
        """It waits in the referees' queue; qualification and prizes wait for it, play continues."""
        sheet = self.sheet(sheet_id)
        data = read_body(ReasonInput, request)
        self.begin_writing(request, sheet)
        call = tables.contest_result(
            sheet_id=sheet.pk, actor=actor_of(request), words=data["reason"]
        )
        return Response(call_json(call, sheet.table), status=201)


class Slip(TableView):
    """A score sheet that the table filled in on paper."""

    access: ClassVar[dict[str, Access]] = {"POST": Access("needs", "sheets.enter")}
    by_link: ClassVar[tuple[str, ...]] = ()

    @extend_schema(
        request=SlipInput, responses={200: SheetShape, **REFUSALS}, operation_id="sheets_slip"
    )
    def post(self, request: Request, sheet_id: uuid.UUID) -> Response:
        """The missing deals or the points alone, signed on paper: the result becomes official at once."""
        data = read_body(SlipInput, request)
        sheet = self.sheet(sheet_id)
        questions = paper_form.only_doubled(sheet, data.get("totals", {}))
        if {each.code for each in questions} - set(data["sure"].split(",")):
            raise sheets.DoubtfulEntry(questions)
        game = sheets.PaperGame(
            sheet_id=sheet.pk,
            entries=data["entries"],
            version=data["version"],
            ended_by_bell=data["ended_by_bell"],
            totals=data.get("totals"),
        )
        try:
            sheets.enter_slip(games=[game], actor=actor_of(request), reason=data["reason"])
        except sheets.GameRefused as refusal:
            raise refusal.refusal from refusal
        return self.shown(request, sheet_id)


class WritingDevice(TableView):
    """Which device keeps score at the table."""

    access: ClassVar[dict[str, Access]] = {"POST": Access("link", "table")}

    @extend_schema(
        request=PenInput, responses={200: PenShape, **REFUSALS}, operation_id="tables_take_pen"
    )
    def post(self, request: Request) -> Response:
        """Keep score on this device; from another device only ``knowingly``."""
        user = self.link_holder(request)
        if user.device is None:
            raise Refused("device_missing", _("Send %(header)s.") % {"header": "X-Device: <UUID>"})
        data = read_body(PenInput, request)
        taken = tables.take_writing(
            table_id=user.table.pk,
            device=user.device,
            knowingly=data["knowingly"],
            side=data.get("side", ""),
        )
        return Response(
            {
                "allowed": taken.allowed,
                "epoch": taken.epoch,
                "taken_over": taken.taken_over,
                "side": taken.side,
            }
        )


class CallList(TableView):
    """Call the referee to the table."""

    access: ClassVar[dict[str, Access]] = {"POST": Access("link", "table")}

    @extend_schema(
        request=CallInput,
        responses={201: CallShape, **REFUSALS},
        operation_id="tables_call_referee",
    )
    def post(self, request: Request) -> Response:
        """Put the table into the referees' queue; a table that waits keeps its place."""
        user = self.link_holder(request)
        data = read_body(CallInput, request)
        CALLS_BY_TABLE.check(str(user.table.pk))
        call = tables.call_referee(
            table_id=user.table.pk,
            reason=data["reason"],
            actor=actor_of(request),
            deal=data.get("deal"),
        )
        return Response(call_json(call, user.table), status=201)
