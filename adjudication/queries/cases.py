"""Input of a decision: the incident's deal, seats and switches in the form of the penal code.

In games other than two pairs the rules number the players differently in every deal (rules
specification A.8); facts and proposals use the names of the rules, and :class:`Case` translates
them to the seats of the sheet when effects are applied and names are shown.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from adjudication.models import Incident, Ruling, RulingState
from adjudication.penal import Article, Claimed, Code, Facts, Game, Measure, Previous, game_for
from adjudication.penal.decision import ILL_SERVED_PAYS
from adjudication.penal.game import PAIRS
from adjudication.penal.misdeal import governing
from scoring.engine.errors import EngineError
from scoring.engine.rulebook import find, resolve
from scoring.engine.rulebook_edition import Sides
from scoring.engine.score_contract import factors, multiplied, read_contract
from scoring.engine.shapes import EntryJson
from tournament.models import Event
from tournament.models.tables import DealVersion, OfficialResult, Series, Sheet
from tournament.tables.places import Places
from tournament.tables.rules import options_of
from tournament.tables.score_sheet import SAME_DEALER, ScoreSheet, redealt


@dataclass(frozen=True, slots=True)
class Case:
    """An incident read for a decision: ``deal`` is ``None`` where the table has not written it."""

    incident: Incident
    event: Event
    sheet: Sheet | None
    deal: DealVersion | None
    dealer: str
    places: Places

    @property
    def claimed(self) -> Claimed:
        """Whether the referee was called in time, by the times of call and signatures."""
        return claimed_when(self.incident)

    @property
    def entry(self) -> EntryJson:
        """Entry of the deal; with only its dealer if the table entered nothing."""
        if self.deal is not None:
            return self.deal.entry
        return {"dealer": self.dealer} if self.dealer else {}

    @property
    def deal_key(self) -> str | None:
        """The deal as rulings name it; ``None`` too where the points alone of its game are known."""
        if self.sheet is None or self.sheet.totals or self.incident.deal is None:
            return None
        return f"{self.sheet.pk}:{self.incident.deal}"

    def entrant(self, player: object) -> int | None:
        """Return the entrant with the rules' name ``player`` in this deal."""
        if not isinstance(player, str):
            return None
        seat = self.incident.seats.get(self._seat(player))
        return int(seat) if seat is not None else None

    def entrants_of(self, side: str | None) -> list[int]:
        """Return the entrants of a side (named by its players), each once."""
        members = [self.entrant(player) for player in side or ""]
        return list(dict.fromkeys(each for each in members if each is not None))

    def _seat(self, player: str) -> str:
        return (
            self.places.seat(player) if self.places.game.in_pairs or self.places.dealer else player
        )

    def second_sat(self, player: str) -> bool | None:
        """Whether the second-named of the pair has the rules' name ``player``; ``None`` where nobody said so."""
        seats, seat = self.incident.seats, self._seat(player)
        pair = [each for each, entrant in seats.items() if entrant == seats.get(seat)]
        known = [each for each in pair if each in self.incident.second_at]
        return seat in known if known and len(pair) == 2 else None

    def players(self) -> dict[str, int]:
        """Return the entrants by the rules' names, in seat order."""
        numbers = {}
        for player in self.places.game.seats:
            entrant = self.entrant(player)
            if entrant is not None:
                numbers[player] = entrant
        return numbers

    def game(
        self,
        *,
        offender: int | None = None,
        claimed: Claimed | None = None,
        redealt: tuple[str, ...] = (),
    ) -> Game:
        """Return the penal code's view of the game."""
        rulebook, options = _rules(self.event, self.sheet)
        entry = self.entry
        contract = entry.get("contract")
        dealer = entry.get("dealer")
        known = dealer in self.places.game.seats
        return game_for(
            rulebook,
            options,
            dealer=self.places.player(str(dealer)) if known else None,
            turn_up=entry.get("turn_up"),
            factor=_factor(rulebook, options, entry),
            doubled=bool(contract.get("doubling")) if contract else None,
            blind=bool(contract.get("blind")) if contract else None,
            stake=_stake(self.sheet, entry),
            deal=self.deal_key,
            declarer=self._declarer(entry),
            **self._as_played(),
            offender=str(offender) if offender is not None else None,
            claimed=claimed or self.claimed,
            redealt=redealt,
            match=match_of(self.incident),
            teams={side: team_of(side, self.incident.seats) for side in PAIRS.values()}
            if self.places.game.in_pairs
            else {},
            persons=self._persons(),
        )

    def _declarer(self, entry: EntryJson) -> str | None:
        """Return the rules' name of the lone player; ``None`` in games of pairs."""
        declarer = (entry.get("contract") or {}).get("declarer")
        if self.places.game.book.sides is not Sides.DECLARER_ALONE or not declarer:
            return None
        return str(self.places.side_to_engine(declarer))

    def _persons(self) -> dict[str, str]:
        """Return entrants by the rules' names, if every player is an entrant of their own; else empty."""
        players = self.players()
        if len(set(players.values())) < len(players):
            return {}
        return {player: str(entrant) for player, entrant in players.items()}

    def _as_played(self) -> dict[str, object]:
        """Return the score of the deal before any ruling, by the rules' names of the sides.

        Empty if the table has not entered the deal, or if the engine rejects it.
        """
        if self.sheet is None or self.deal is None:
            return {}
        try:
            scored = ScoreSheet(self.sheet).score(self.deal.entry)
        except EngineError:
            return {}
        marks: dict[str, int] = {}
        for line in scored.lines:
            if line.side and line.component == "deal":
                side = self.places.side_to_engine(line.side)
                marks[side] = marks.get(side, 0) + line.marks
        return {"played": marks, "game_won": self.places.side_to_engine(scored.game_won)}

    def dealt_again(self) -> tuple[str, ...]:
        """Return the deals immediately before this one that rulings ordered to be dealt again."""
        sheet, number, misdeals = self.sheet, self.incident.deal, []
        if sheet is None or number is None:
            return ()
        for deal in reversed([d for d in ScoreSheet(sheet).current() if d.number < number]):
            if redealt(deal) != SAME_DEALER:
                break
            misdeals.append(f"{sheet.pk}:{deal.number}")
        return tuple(misdeals)


def _rules(event: Event, sheet: Sheet | None) -> tuple[str, dict[str, object]]:
    if sheet is not None:
        return sheet.rulebook, options_of(sheet)
    return event.rulebook, options_of(event)


def _factor(rulebook: str, options: dict[str, object], entry: EntryJson) -> int:
    """Return the contract's multiplier; 1 without a readable contract."""
    game = resolve(rulebook, options)
    try:
        contract = read_contract(game, entry.get("contract"), needed=False)
    except EngineError:
        return 1
    product, _cap = multiplied(game, 1, factors(game, contract))
    return int(product)


def _stake(sheet: Sheet | None, entry: EntryJson) -> int | None:
    """Return the cost of a failed contract: per opponent in auction 1, in total in other auctions (B.3)."""
    contract = entry.get("contract") or {}
    declarer = contract.get("declarer")
    if sheet is None or declarer is None:
        return None
    book = find(sheet.rulebook)
    if book.sides is not Sides.DECLARER_ALONE:
        return None
    failed: EntryJson = {"contract": contract, "points": {declarer: 0}}
    if "dealer" in entry:
        failed["dealer"] = entry["dealer"]
    if "turn_up" in entry:
        failed["turn_up"] = entry["turn_up"]
    try:
        marks = ScoreSheet(sheet).score(failed).marks
    except EngineError:
        return None
    if book.stakes:
        return max((value for value in marks.values()), default=0)
    return -marks.get(declarer, 0)


def case_of(incident: Incident) -> Case:
    """Read an incident for a decision."""
    event, sheet = incident.event, incident.sheet
    rulebook, options = _rules(event, sheet)
    deal, dealer = None, ""
    if sheet is not None and incident.deal is not None:
        deal = sheet.deals.filter(
            series=Series.OFFICIAL, number=incident.deal, current=True
        ).first()
        if deal is not None:
            dealer = str(deal.entry.get("dealer", ""))
        else:
            before = [d for d in ScoreSheet(sheet).current() if d.number < incident.deal]
            dealer = ScoreSheet(sheet).next_dealer(before)
    return Case(
        incident=incident,
        event=event,
        sheet=sheet,
        deal=deal,
        dealer=dealer,
        places=Places(resolve(rulebook, options), dealer),
    )


def words_case(incident: Incident) -> Case:
    """Return the case of an incident for texts only: without a query if seats are fixed or known.

    Seats are fixed between pairs; elsewhere they follow the deal's dealer (:func:`read_dealers`).
    """
    rulebook, options = _rules(incident.event, incident.sheet)
    game = resolve(rulebook, options)
    dealer = ""
    if not game.in_pairs:
        if incident.dealer_read is None:
            return case_of(incident)
        dealer = incident.dealer_read
    return Case(incident, incident.event, incident.sheet, None, dealer, Places(game, dealer))


def read_dealers(incidents: Sequence[Incident]) -> None:
    """Read the dealers of the incidents whose players are named by the dealer, in one query."""
    wanted = {
        incident.sheet_id: incident.sheet
        for incident in incidents
        if incident.sheet is not None
        and incident.deal is not None
        and not resolve(incident.sheet.rulebook, incident.sheet.options).in_pairs
    }
    deals: dict[object, list[DealVersion]] = {}
    if wanted:
        rows = DealVersion.objects.filter(sheet__in=list(wanted))
        for deal in rows.order_by("number", "version"):
            deals.setdefault(deal.sheet_id, []).append(deal)
    for incident in incidents:
        sheet = wanted.get(incident.sheet_id)
        if sheet is None or incident.deal is None:
            incident.dealer_read = ""
            continue
        scored = ScoreSheet(sheet)
        scored.versions = deals.get(sheet.pk, [])
        mine = scored.current()
        here = next((deal for deal in mine if deal.number == incident.deal), None)
        incident.dealer_read = (
            str(here.entry.get("dealer", ""))
            if here is not None
            else scored.next_dealer([d for d in mine if d.number < incident.deal])
        )


def claimed_when(incident: Incident) -> Claimed:
    """Whether the referee was called in time: before both sides signed, within the round (C.6)."""
    moment = incident.opened_at
    if incident.call is not None:
        moment = min(moment, incident.call.called_at)
    round_ = incident.round
    if round_ is not None and round_.closed_at is not None and round_.closed_at < moment:
        return Claimed.AFTER_ROUND
    if (
        incident.sheet_id is not None
        and OfficialResult.objects.filter(
            sheet=incident.sheet_id, number=1, made_at__lt=moment
        ).exists()
    ):
        return Claimed.AFTER_SIGNATURES
    return Claimed.IN_TIME


def match_of(incident: Incident) -> str | None:
    """Return the key of an incident's match: that of its table."""
    return str(incident.table_id) if incident.table_id is not None else None


def team_of(side: str | None, seats: Mapping[str, object]) -> str:
    """Return the entrants on a side of two pairs, in the order of their keys; empty for any other side."""
    if side is None or side not in PAIRS.values():
        return ""
    return " ".join(sorted({str(seats[seat]) for seat in side if seat in seats}))


def offending_player(code: Code, article: Article, facts: Facts) -> str | None:
    """Return the player at fault by the facts, under the governing article (C.2)."""
    governed = code.article(governing(article.id, facts))
    if governed.who.value in ("nobody", "bystander"):
        return None
    name = "offender"
    if governed.id in ILL_SERVED_PAYS:
        name = "ill_served"
    elif governed.fact("offender") is None:
        name = "dealer"
    player = facts.get(name)
    return player if isinstance(player, str) and player else None


def history_of(event_id: uuid.UUID, before: int | None = None) -> list[Previous]:
    """Return the event's rulings in force, oldest first; with ``before``, only lower numbers."""
    rows = (
        Ruling.objects.filter(event=event_id).exclude(state=RulingState.ANNULLED).order_by("number")
    )
    if before is not None:
        rows = rows.filter(number__lt=before)
    return [
        Previous(
            ruling=str(number),
            article=article,
            offender=str(offender) if offender is not None else None,
            deal=f"{sheet}:{deal}" if sheet and deal else None,
            side=side or None,
            measure=Measure(measure),
            match=str(table) if table is not None else None,
            team=team_of(side, seats) or None,
        )
        for number, article, offender, sheet, deal, side, measure, table, seats in rows.values_list(
            "number",
            "article",
            "offender_id",
            "incident__sheet_id",
            "incident__deal",
            "side",
            "measure",
            "incident__table_id",
            "incident__seats",
        )
    ]
