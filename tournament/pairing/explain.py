"""Why this table: the reasons of one table in sentences that a player can check.

Every sentence is counted from the request and the table, not remembered from the search.
"""

from __future__ import annotations

from itertools import combinations

from scoring.engine.texts import Texts

from .filling import filling_players
from .model import Drawn, Kind, Request, Table, pair

_MOVEMENTS = {
    "columns": Texts(
        en="Closed form: this stage was laid out beforehand so that nobody meets anybody twice.",
        fr="Forme close : la phase est établie d’avance de sorte que personne ne se rencontre deux fois.",
        nl="Gesloten vorm: deze fase ligt vooraf vast, zodat niemand iemand tweemaal ontmoet.",
    ),
    "search": Texts(
        en="Search: tables exchanged players until no exchange found was better.",
        fr="Recherche : des joueurs ont été échangés entre tables tant qu’un échange trouvé améliorait le tirage.",
        nl="Zoektocht: tafels ruilden spelers tot geen gevonden ruil nog beter was.",
    ),
    "look-ahead": Texts(
        en="Look-ahead: this round was drawn together with those still to come.",
        fr="Anticipation : ce tour est tiré en même temps que ceux qui restent à jouer.",
        nl="Vooruitblik: deze ronde is samen met de nog komende getrokken.",
    ),
    "every": Texts(
        en="Every possible draw was weighed; this one was drawn by lot among the best.",
        fr="Tous les tirages possibles ont été pesés ; celui-ci a été tiré au sort parmi les meilleurs.",
        nl="Elke mogelijke loting is gewogen; deze is geloot uit de beste.",
    ),
    "whist": Texts(
        en="Whist tournament: everybody partners everybody once and opposes everybody twice.",
        fr="Tournoi de whist : chacun est une fois le partenaire de chacun et deux fois son adversaire.",
        nl="Whisttornooi: iedereen is eenmaal maat en tweemaal tegenstander van iedereen.",
    ),
    "swiss-halves": Texts(
        en="Swiss: within equal scores the top half meets the bottom half, at the least total cost.",
        fr="Suisse : à égalité de points, la première moitié rencontre la seconde, au coût total minimal.",
        nl="Zwitsers: bij gelijke punten ontmoet de bovenste helft de onderste, tegen de laagste totale kost.",
    ),
    "swiss-neighbours": Texts(
        en="Swiss: neighbours of the ranking meet, at the least total cost.",
        fr="Suisse : les voisins du classement se rencontrent, au coût total minimal.",
        nl="Zwitsers: buren in het klassement ontmoeten elkaar, tegen de laagste totale kost.",
    ),
}


def explain(request: Request, drawn: Drawn, number: int) -> tuple[Texts, ...]:
    """The reasons for table ``number``; :class:`KeyError` when there is no such table."""
    table = next((t for t in drawn.tables if t.number == number), None)
    if table is None:
        raise KeyError(number)
    out = []
    if table in request.wishes.locked:
        out.append(
            Texts(
                en="The director locked this table.",
                fr="La direction a verrouillé cette table.",
                nl="De leiding heeft deze tafel vastgezet.",
            )
        )
    elif drawn.movement in _MOVEMENTS:
        out.append(_MOVEMENTS[drawn.movement])
    out.append(_meetings(request, table))
    if table.kind is Kind.PARTNERS:
        out.append(_partners(request, table))
    if filling_players(request.kind, [table]):
        out.append(_filling(request, table))
    out += _people(request, table)
    out += _duties(request, table)
    out.append(
        Texts(
            en=f"Lots: public seed “{drawn.seed}”.",
            fr=f"Tirage : graine publique « {drawn.seed} ».",
            nl=f"Loting: openbaar lotgetal “{drawn.seed}”.",
        )
    )
    return tuple(out)


def _names(pairs: list[tuple[int, int]]) -> str:
    return ", ".join(f"{a}–{b}" for a, b in pairs)


def _meetings(request: Request, table: Table) -> Texts:
    met = [m for m in table.meetings() if request.history.meetings.get(m, 0)]
    if not met:
        return Texts(
            en="Nobody at this table has met another one before.",
            fr="Personne à cette table ne s’est encore rencontré.",
            nl="Niemand aan deze tafel heeft een ander al ontmoet.",
        )
    return Texts(
        en=f"Have met before: {_names(met)}.",
        fr=f"Se sont déjà rencontrés : {_names(met)}.",
        nl=f"Ontmoetten elkaar al: {_names(met)}.",
    )


def _partners(request: Request, table: Table) -> Texts:
    again = [m for m in table.partners() if request.history.partners.get(m, 0)]
    if not again:
        return Texts(
            en="Both partnerships are new.",
            fr="Les deux équipes sont nouvelles.",
            nl="Beide koppels zijn nieuw.",
        )
    return Texts(
        en=f"Partners again: {_names(again)}.",
        fr=f"De nouveau partenaires : {_names(again)}.",
        nl=f"Opnieuw maats: {_names(again)}.",
    )


def _filling(request: Request, table: Table) -> Texts:
    had = ", ".join(f"{p}: {request.history.byes.get(p, 0)}×" for p in table.players)
    return Texts(
        en=f"Three players, because the number does not divide by four: not classified, credited as sitting out. Turns of this kind before: {had}.",
        fr=f"Trois joueurs, car le nombre n’est pas un multiple de quatre : hors classement, crédités comme au repos. Fois précédentes : {had}.",
        nl=f"Drie spelers, omdat het aantal geen viervoud is: buiten klassement, gecrediteerd zoals bij rust. Eerdere beurten: {had}.",
    )


def _people(request: Request, table: Table) -> list[Texts]:
    people = {c.id: c for c in request.contestants}
    seated = [people[p] for p in table.players if p in people]
    out = []
    clash = [pair(a.id, b.id) for a, b in combinations(seated, 2) if a.club and a.club == b.club]
    if clash:
        out.append(
            Texts(
                en=f"Same club: {_names(clash)}.",
                fr=f"Même club : {_names(clash)}.",
                nl=f"Zelfde club: {_names(clash)}.",
            )
        )
    if request.by_score or table.kind is Kind.MATCH:
        scores = ", ".join(str(c.score) for c in seated)
        out.append(
            Texts(
                en=f"Scores before the round: {scores}.",
                fr=f"Points avant le tour : {scores}.",
                nl=f"Punten voor de ronde: {scores}.",
            )
        )
    out += [
        Texts(
            en=f"Number {c.id} keeps table {c.fixed_table}.",
            fr=f"Le numéro {c.id} garde la table {c.fixed_table}.",
            nl=f"Nummer {c.id} behoudt tafel {c.fixed_table}.",
        )
        for c in seated
        if c.fixed_table
    ]
    return out


def _duties(request: Request, table: Table) -> list[Texts]:
    out = []
    if table.scorekeeper is not None:
        times = request.history.scorekeepers.get(table.scorekeeper, 0)
        who = table.scorekeeper
        out.append(
            Texts(
                en=f"Scorekeeper {who}: had the duty {times}× before.",
                fr=f"Marqueur {who} : a déjà tenu la marque {times}×.",
                nl=f"Schrijver {who}: schreef al {times}×.",
            )
        )
    if table.dealer is not None:
        times = request.history.dealers.get(table.dealer, 0)
        out.append(
            Texts(
                en=f"First dealer {table.dealer}: dealt first {times}× before.",
                fr=f"Premier donneur {table.dealer} : a déjà donné le premier {times}×.",
                nl=f"Eerste deler {table.dealer}: deelde al {times}× als eerste.",
            )
        )
    return out
