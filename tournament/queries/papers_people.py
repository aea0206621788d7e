"""Papers of persons: badges, seat cards, sheets to fill by hand, diplomas, prizes, receipts."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Final

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ledger.canonical import canonical_json
from ledger.errors import Conflict, Refused
from ledger.models import AuditEntry
from scoring.engine.rulebook import Game, resolve
from tournament import documents as paper
from tournament.documents import words
from tournament.documents.score_sheets import DEALS_A_PAGE
from tournament.models import Entrant, EntrantState, Event, Round, StandingsState
from tournament.models.tables import Sheet
from tournament.pairing.model import SEATS, Kind
from tournament.queries import rounds
from tournament.queries.fields import kind_of
from tournament.queries.lines import line_names, lines_of
from tournament.queries.matches import require_uncontested
from tournament.queries.names import Name, directory, seat_name, shown
from tournament.queries.overall import overall_of
from tournament.queries.papers import (
    Built,
    Parameters,
    imprint,
    pairs_of,
    round_of,
    stage_of,
    thumbprint,
)
from tournament.queries.sheet_rules import sheet_options
from tournament.queries.standings import fresh, standing_of
from tournament.ranking.figures import format_cents
from tournament.ranking.lines import split
from tournament.ranking.model import Standing
from tournament.ranking.prizes import Prize, PrizeList, Remainder, share_prizes
from tournament.tables.links import entrant_token

MOST_PRIZES: Final = 1000


def badges(event: Event, parameters: Parameters, language: str, size: str) -> Built:
    """Build badges for all entrants, both of a pair, with the number and the code of the personal link."""
    base = parameters.get("base", settings.PUBLIC_URL)
    pairs = pairs_of(event, shorten=False)
    people = []
    for entrant in event.entrants.select_related("event", "person", "partner", "club").exclude(
        state__in=[EntrantState.WITHDRAWN, EntrantState.MERGED]
    ):
        who = shown(entrant, shorten=False)
        link = f"{base}/p/{entrant_token(entrant)}/" if base else ""
        people += [
            paper.Badge(name, str(who.number), who.club, link=link)
            for name in pairs.get(who.pk, (who.name,))
        ]
    if not people:
        raise Conflict("nobody_entered", gettext_lazy("Nobody is registered yet."))
    # The links are secrets of their holders: the fingerprint covers public data only.
    fingerprint = thumbprint([[b.number, b.name, b.club] for b in people])
    frame = imprint(event, language=language, size=size, fingerprint=fingerprint, state=None)
    return paper.badges_pdf(paper.BadgeSheet(frame, tuple(people))), fingerprint, ""


def seat_cards(event: Event, parameters: Parameters, language: str, size: str) -> Built:
    """Build a card for each player at a table of a round."""
    round_ = round_of(event, parameters)
    tables, pairs = rounds.tables_of(round_), pairs_of(event)
    cards = tuple(
        paper.SeatCard(
            str(table.number),
            seat_name(seat.position, language),
            name,
            str(seat.entrant.number),
            seat.entrant.club,
        )
        for table in tables
        for seat in table.seats
        for name in pairs.get(seat.entrant.pk, (seat.entrant.name,))
    )
    fingerprint = thumbprint(
        [
            [str(table.number), seat.position, str(seat.entrant.number)]
            for table in tables
            for seat in table.seats
        ]
    )
    frame = imprint(event, language=language, size=size, fingerprint=fingerprint, state=None)
    return paper.seat_cards_pdf(paper.SeatCardSheet(frame, cards)), fingerprint, ""


def table_cards(event: Event, parameters: Parameters, language: str, size: str) -> Built:
    """Build a card with the number of every table of a round."""
    round_ = round_of(event, parameters)
    numbers = [table.number for table in rounds.tables_of(round_)]
    fingerprint = thumbprint(numbers)
    frame = imprint(event, language=language, size=size, fingerprint=fingerprint, state=None)
    cards = tuple(paper.TableCard(str(number)) for number in numbers)
    return paper.table_cards_pdf(paper.TableCardSheet(frame, cards)), fingerprint, ""


def score_sheets(event: Event, parameters: Parameters, language: str, size: str) -> Built:
    """Build sheets to fill in by hand: a blank one of the stage, or one for every table of a round.

    Each has the rules of its own table (a filling table of three plays another game, an auction has
    as many players as sit there) and as many deals as its game.
    """
    if parameters.get("round"):
        heads = _sheet_heads(event, round_of(event, parameters))
        game, deals = resolve(event.rulebook, event.options), DEALS_A_PAGE
    else:
        stage = stage_of(event, parameters)
        players = int(stage.drawing.get("table_size") or 0)
        usual = resolve(event.rulebook, event.options).players
        game = resolve(event.rulebook, sheet_options(event, stage, players or usual))
        letters = SEATS[Kind.ROTATION] if kind_of(stage) is Kind.ROTATION else ()
        heads, deals = [paper.SheetHead(seats=" ".join(letters))], _deals(game)
    fingerprint = thumbprint(
        [
            [event.rulebook, event.edition, event.options],
            [game.key, dict(game.options), deals],
            [[h.table, h.game, h.dealer, *h.names] for h in heads],
            *([heads[0].seats] if heads[0].seats and not heads[0].table else []),
        ]
    )
    frame = imprint(event, language=language, size=size, fingerprint=fingerprint, state=None)
    form = paper.ScoreSheetForm(frame, game, deals, tuple(heads))
    return paper.score_sheets_pdf(form), fingerprint, ""


def _sheet_heads(event: Event, round_: Round) -> list[paper.SheetHead]:
    """Return the known head of each game's sheet in a round: players, rules, number of deals."""
    names = {person.pk: person.name for person in directory(event).values()}
    known: dict[str, Game] = {}
    heads = []
    sheets = Sheet.objects.filter(table__round=round_).select_related("table")
    for at in sheets.prefetch_related("table__seats").order_by("table__number", "order"):
        key = canonical_json([at.rulebook, at.options])
        if key not in known:
            known[key] = resolve(at.rulebook, at.options)
        game = known[key]
        who = {seat: names[pk] for seat, pk in at.seats.items() if pk in names}
        # With changing partners, the seats have fixed letters and directions change from game to
        # game.
        letters = at.positions if {*at.positions.values()} == {*SEATS[Kind.ROTATION]} else {}
        who = {seat: Name(f"{letters.get(seat, '')} {name}".strip()) for seat, name in who.items()}
        sides = ("NS", "EW") if game.in_pairs else game.seats
        heads.append(
            paper.SheetHead(
                str(round_.number),
                str(at.table.number),
                str(at.order),
                # A pair sits at both seats of its side and is named once.
                tuple(
                    " – ".join(dict.fromkeys(who.get(seat, "") for seat in side)) for side in sides
                ),
                game,
                _deals(game),
                letters.get(at.first_dealer, at.first_dealer),
                " ".join(letters.values()),
            )
        )
    return heads


def _deals(game: Game) -> int:
    """Return the number of deals of a game; a page of them where marks end it."""
    target = game.options.get("target")
    return (
        int(target["deals"]) if isinstance(target, Mapping) and "deals" in target else DEALS_A_PAGE
    )


def _final_ranking(event: Event, parameters: Parameters, refusal: Conflict) -> tuple[Standing, str]:
    """Return the final ranking of the whole event or of a stage, and its fingerprint.

    Raises ``refusal``, or one that names the stages still open, while it is not final.
    """
    if parameters.get("stage"):
        current = fresh(stage_of(event, parameters))
        if current.state != StandingsState.FINAL:
            raise refusal
        return standing_of(current), current.hash
    ranking = overall_of(event)
    if ranking.standing is None:
        raise Conflict("no_standings", gettext_lazy("There are no standings yet."))
    if not ranking.open:
        return ranking.standing, ranking.hash
    if len(ranking.stages) == 1:
        raise refusal
    raise Conflict(
        "not_final",
        gettext_lazy(
            "The ranking of the whole event is not final. First make these standings final: "
            "%(stages)s (or remove a stage that is not played)."
        ),
        params={"stages": ", ".join(stage.title for stage in ranking.open)},
    )


def diplomas(event: Event, parameters: Parameters, language: str, size: str) -> Built:
    """Build diplomas of the first ``top`` (3) of the event, or of a ``stage``, once final.

    With full names, however short the event's pages keep them: the person named receives it.
    """
    standing, fingerprint = _final_ranking(
        event,
        parameters,
        Conflict(
            "not_final",
            gettext_lazy("Diplomas are printed from final standings: finalise them first."),
        ),
    )
    entrants = event.entrants.select_related("person", "partner", "club")
    people = {entrant.number: shown(entrant, shorten=False) for entrant in entrants}
    top = parameters.get("top") or 3
    title = stage_of(event, parameters).title if parameters.get("stage") else ""
    lines = tuple(
        paper.Diploma(
            people[row.entrant.number].name,
            row.rank,
            row.tied,
            people[row.entrant.number].club,
            " · ".join(part for part in (title, line) if part),
            len(of_line.ranked),
        )
        for line, of_line in _by_line(event, parameters, standing)
        for row in of_line.ranked
        if row.rank is not None and row.rank <= top
    )
    if not lines:
        raise Conflict("no_standings", gettext_lazy("There are no standings yet."))
    frame = imprint(
        event, language=language, size=size, fingerprint=fingerprint, state=paper.State.FINAL
    )
    sheet = paper.DiplomaSheet(
        frame,
        lines,
        classified=len(standing.ranked),
        signers=tuple(("", label.render(language)) for label in (words.DIRECTOR, words.REFEREE)),
    )
    return paper.diplomas_pdf(sheet), fingerprint, str(StandingsState.FINAL)


def _by_line(
    event: Event, parameters: Parameters, standing: Standing
) -> list[tuple[str, Standing]]:
    """Return the final ranking, or that of each line of a Mitchell with the line's name."""
    stages = list(event.stages.all())
    stage = stage_of(event, parameters) if parameters.get("stage") or len(stages) == 1 else None
    lines = lines_of(stage) if stage is not None else {}
    if not lines:
        return [("", standing)]
    return list(zip(line_names(), split(standing, lines), strict=False))


def read_prizes(text: str) -> list[Prize]:
    """Prizes from lines such as ``1: 250``, ``2: 125,50`` or ``3: a ham``; ranges as ``4-10: 20``.

    Raises :class:`Refused` with the number of the line that is none, or the place that has two.
    """
    prizes: list[Prize] = []
    taken: set[int] = set()
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        places, colon, what = line.partition(":")
        first, dash, last = places.strip().partition("-")
        what = what.strip().removeprefix("€").strip()
        if not (colon and what and _whole(first) and (not dash or _whole(last))):
            raise _no_prize(number)
        cents = _cents(what)
        if cents == 0 or int(last or first) < int(first):
            raise _no_prize(number)
        for place in range(int(first), int(last or first) + 1):
            if place in taken:
                raise Refused(
                    "prize_twice",
                    gettext_lazy("Place %(place)d has two prizes."),
                    field="prizes",
                    params={"place": place},
                )
            taken.add(place)
            prizes.append(Prize(place, cents or 0, "" if cents is not None else what[:80]))
            if len(prizes) > MOST_PRIZES:
                raise Refused(
                    "too_many_prizes", gettext_lazy("There are too many prizes."), field="prizes"
                )
    return prizes


def require_prizes(parameters: Parameters) -> None:
    """Refuse what makes no prize list: no prize at all, or a line that is none."""
    if not (parameters.get("prizes") or parameters.get("everyone")):
        raise Refused("prizes_missing", gettext_lazy("Enter the prizes first."), field="prizes")
    read_prizes(str(parameters.get("prizes", "")))


def _no_prize(line: int) -> Refused:
    return Refused(
        "prize_line",
        gettext_lazy("Line %(line)d of the prizes is not like “1: 250” or “3: a ham”."),
        field="prizes",
        params={"line": line},
    )


def _whole(text: str) -> bool:
    text = text.strip()
    return text.isascii() and text.isdigit() and 0 < int(text[:6]) < 100_000 and len(text) < 6


def _cents(text: str) -> int | None:
    """Convert an amount in euro to cents, with or without its sign; None where the text is not an amount."""
    text = text.replace("€", "").strip()
    whole, _point, rest = text.replace(",", ".").partition(".")
    if not (whole.isascii() and whole.isdigit() and len(whole) < 8):
        return None
    if rest and not (rest.isascii() and rest.isdigit() and len(rest) <= 2):
        return None
    return int(whole) * 100 + int(rest.ljust(2, "0") or 0)


def shared_prizes(
    event: Event, parameters: Parameters, standing: Standing
) -> list[tuple[str, PrizeList]]:
    """Share the prizes of a prize list out over a standing, for each line of a Mitchell apart with its name."""
    given = read_prizes(str(parameters.get("prizes", "")))
    everyone = str(parameters.get("everyone", ""))[:80]
    to_house = parameters.get("remainder") == Remainder.HOUSE
    remainder = Remainder.HOUSE if to_house else Remainder.START_NUMBER
    return [
        (line, share_prizes(of_line, given, remainder=remainder, everyone=everyone))
        for line, of_line in _by_line(event, parameters, standing)
    ]


def prize_sheet(
    event: Event, parameters: Parameters, language: str, size: str
) -> tuple[paper.PrizeList, str, str]:
    """Return the prize list of the event, or of a ``stage``, shared among tied entrants; only once final.

    Refused where a prize has no recipient.
    """
    standing, ranking = _final_ranking(
        event,
        parameters,
        Conflict(
            "not_final",
            gettext_lazy("Prizes are printed from final standings: finalise them first."),
        ),
    )
    people = {who.number: who for who in directory(event).values()}
    to_house = parameters.get("remainder") == Remainder.HOUSE
    apart = shared_prizes(event, parameters, standing)
    unclaimed = next((shared.unclaimed for _line, shared in apart if shared.unclaimed), ())
    awards = [(line, award) for line, shared in apart for award in shared.awards]
    if unclaimed:
        raise Refused(
            "no_recipient",
            gettext_lazy(
                "Nobody receives the prizes of these places: %(places)s. Places ranked: %(ranked)d. "
                "Remove these prizes, or correct the standings."
            ),
            field="prizes",
            params={
                "places": ", ".join(str(prize.position) for prize in unclaimed[:12])
                + ("…" if len(unclaimed) > 12 else ""),
                "ranked": len(standing.ranked),
            },
        )
    lines = tuple(
        paper.PrizeLine(
            award.rank,
            people[int(award.entrant)].name,
            award.entrant,
            people[int(award.entrant)].club,
            award.cents,
            " · ".join(
                part for part in (line, ", ".join(award.items) or award.consolation) if part
            ),
            len(award.positions),
        )
        for line, award in awards
    )
    notes = []
    if any(award.shared_items for _line, award in awards):
        notes.append(_("Players tied for a prize in kind draw lots or choose."))
    kept_cents = sum(shared.kept_cents for _line, shared in apart)
    if kept_cents:
        stays = _("Stays with the organiser, as it cannot be divided: %(amount)s.")
        notes.append(stays % {"amount": format_cents(kept_cents, language)})
    fingerprint = thumbprint(
        [ranking, [[a.entrant, a.cents, list(a.items)] for _line, a in awards]]
    )
    frame = imprint(
        event, language=language, size=size, fingerprint=fingerprint, state=paper.State.FINAL
    )
    return (
        paper.PrizeList(frame, lines, notes=tuple(notes), to_house=to_house),
        fingerprint,
        str(StandingsState.FINAL),
    )


def prizes(event: Event, parameters: Parameters, language: str, size: str) -> Built:
    """Build the prize list as a document."""
    require_uncontested(event.pk)
    require_prizes(parameters)
    sheet, fingerprint, state = prize_sheet(event, parameters, language, size)
    return paper.prize_list_pdf(sheet), fingerprint, state


def require_fee(parameters: Parameters) -> int:
    """Return the entry fee in cents (``fee``, in euro); refuse a missing one."""
    cents = _cents(str(parameters.get("fee", "")))
    if not cents:
        raise Refused("fee_missing", gettext_lazy("Enter the entry fee in euro."), field="fee")
    return cents


def require_payments(event: Event) -> QuerySet[Entrant]:
    """Return all entrants marked as having paid; refuse when there are none."""
    paid = event.entrants.filter(paid=True).exclude(state=EntrantState.MERGED)
    if not paid.exists():
        raise Conflict(
            "nobody_paid",
            gettext_lazy(
                "Nobody is marked as paid yet: mark payments in the list of players, then print receipts."
            ),
        )
    return paid


def _paid_on(event: Event) -> dict[str, datetime]:
    """When each entrant was last marked as paid, by the event's journal."""
    marked = AuditEntry.objects.filter(scope=event.pk, verb="entrant.paid").order_by("sequence")
    return dict(marked.values_list("object_id", "at"))


def receipts(event: Event, parameters: Parameters, language: str, size: str) -> Built:
    """Build a receipt of the entry fee for each entrant who paid, dated when that was recorded.

    Payments that came with a list of players are dated on the day of the event; nothing later than
    today.
    """
    cents = require_fee(parameters)
    marked, today = _paid_on(event), timezone.localdate()
    lines = tuple(
        paper.Receipt(
            f"{event.day:%Y}-{entrant.number:04d}",
            shown(entrant, shorten=False).name,
            ((_("Entry fee"), cents),),
            min(
                timezone.localdate(marked[str(entrant.pk)])
                if str(entrant.pk) in marked
                else event.day,
                today,
            ),
        )
        for entrant in require_payments(event).select_related("person", "partner", "club")
    )
    fingerprint = thumbprint([[line.number, cents, line.paid_on.isoformat()] for line in lines])
    frame = imprint(event, language=language, size=size, fingerprint=fingerprint, state=None)
    return paper.receipts_pdf(paper.ReceiptSheet(frame, lines)), fingerprint, ""
