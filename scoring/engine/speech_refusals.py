"""Refusals as sentences for people, in English, French and Dutch.

``explain(error, language)`` words an :class:`~scoring.engine.errors.EngineError` by its code and
parameters; English is the error's own message. The defects of an impossible entry are
:class:`Defect` values, so that each of them can be said in every language.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from .errors import EngineError, Impossible
from .texts import Texts


@dataclass(frozen=True, slots=True)
class Defect:
    """One reason why an entry is impossible."""

    code: str
    values: Mapping[str, object] = field(default_factory=dict)

    def to(self, language: str) -> str:
        """The reason as a sentence."""
        return DEFECTS[self.code].to(language).format_map(dict(self.values))


def defect(code: str, **values: object) -> Defect:
    """A defect of :data:`DEFECTS` with the values that its sentence names."""
    return Defect(code, values)


def impossible(code: str, defects: Sequence[Defect], where: str) -> Impossible:
    """The error that lists every defect at once."""
    return Impossible(
        code,
        [each.to("en") for each in defects],
        where,
        {"defects": [{"code": each.code, **each.values} for each in defects]},
    )


DEFECTS: Final[Mapping[str, Texts]] = {
    "trick_count": Texts(
        "{side} cannot have won {tricks} of {of} tricks",
        "{side} n'a pas pu gagner {tricks} plis sur {of}",
        "{side} kan geen {tricks} van {of} slagen hebben",
    ),
    "tricks_sum": Texts(
        "the tricks add up to {shown} = {total}, not {wanted}",
        "les plis font {shown} = {total} et non {wanted}",
        "de slagen geven samen {shown} = {total}, niet {wanted}",
    ),
    "tricks_of_others": Texts(
        "the other players have {total} tricks, more than {most}",
        "les autres joueurs ont {total} plis, plus de {most}",
        "de andere spelers hebben {total} slagen, meer dan {most}",
    ),
    "points_range": Texts(
        "{side} cannot have {points} points: a deal yields 0 to {most}",
        "{side} ne peut avoir {points} points : un coup en donne de 0 à {most}",
        "{side} kan geen {points} punten hebben: een gift geeft er 0 tot {most}",
    ),
    "points_sum": Texts(
        "the points add up to {shown} = {total}, not {wanted}",
        "les points font {shown} = {total} et non {wanted}",
        "de punten geven samen {shown} = {total}, niet {wanted}",
    ),
    "points_sum_between": Texts(
        "the points add up to {shown} = {total}, and must be between {low} and {high}",
        "les points font {shown} = {total} et doivent être entre {low} et {high}",
        "de punten geven samen {shown} = {total} en moeten tussen {low} en {high} liggen",
    ),
    "points_of_players": Texts(
        "the points of the players add up to {total}, over {most}",
        "les points des joueurs font {total}, plus de {most}",
        "de punten van de spelers geven samen {total}, meer dan {most}",
    ),
    "points_of_others": Texts(
        "the other players have {total} points, more than {most}",
        "les autres joueurs ont {total} points, plus de {most}",
        "de andere spelers hebben {total} punten, meer dan {most}",
    ),
    "points_for_tricks": Texts(
        "{side} cannot have {points} points with {tricks} tricks: between {low} and {high}",
        "{side} ne peut avoir {points} points avec {tricks} plis : entre {low} et {high}",
        "{side} kan geen {points} punten hebben met {tricks} slagen: tussen {low} en {high}",
    ),
    "points_never": Texts(
        "{side} cannot have {points} points with any number of tricks",
        "{side} ne peut avoir {points} points, quel que soit le nombre de plis",
        "{side} kan met geen enkel aantal slagen {points} punten hebben",
    ),
    "list_points": Texts(
        "{side} has {given} points but the list of tricks gives {counted}",
        "{side} a {given} points mais la liste des plis donne {counted}",
        "{side} heeft {given} punten maar de slagenlijst geeft {counted}",
    ),
    "list_tricks": Texts(
        "{side} has {given} tricks but the list of tricks gives {counted}",
        "{side} a {given} plis mais la liste des plis donne {counted}",
        "{side} heeft {given} slagen maar de slagenlijst geeft {counted}",
    ),
    "list_missing": Texts(
        "{count} tricks are listed, not {of}: trick {trick} is missing",
        "{count} plis sont notés et non {of} : le pli {trick} manque",
        "{count} slagen genoteerd, niet {of}: slag {trick} ontbreekt",
    ),
    "list_extra": Texts(
        "{count} tricks are listed, not {of}: trick {trick} is one too many",
        "{count} plis sont notés et non {of} : le pli {trick} est de trop",
        "{count} slagen genoteerd, niet {of}: slag {trick} is er een te veel",
    ),
    "trick_value": Texts(
        "trick {trick} cannot be worth {points}: one trick is worth {low} to {high}",
        "le pli {trick} ne peut valoir {points} : un pli vaut de {low} à {high}",
        "slag {trick} kan geen {points} waard zijn: een slag geeft {low} tot {high}",
    ),
    "list_sum": Texts(
        "tricks 1 to {of} add up to {total}, not {wanted}: the count is wrong from trick {trick} "
        "with {points} on",
        "les plis 1 à {of} font {total} et non {wanted} : le compte est faux dès le pli {trick} "
        "à {points}",
        "slagen 1 tot {of} geven samen {total}, niet {wanted}: de telling is fout vanaf slag "
        "{trick} met {points}",
    ),
    "trick_cards": Texts(
        "trick {trick} cannot be worth {points}: the cards of that value are in the tricks before",
        "le pli {trick} ne peut valoir {points} : les cartes de cette valeur sont déjà tombées",
        "slag {trick} kan geen {points} waard zijn: de kaarten van die waarde zijn al gevallen",
    ),
}

_REFUSALS: Final[Mapping[str, Texts]] = {
    "unknown_card": Texts(
        "",
        "{card} n'est pas une carte : rang (10 A K Q J 9 8 7) puis couleur (S H D C)",
        "{card} is geen kaart: rang (10 A K Q J 9 8 7), dan kleur (S H D C)",
    ),
    "unknown_trump": Texts(
        "",
        "{trump} n'est pas un atout : S, H, D, C ou NT",
        "{trump} is geen troef: S, H, D, C of NT",
    ),
    "unknown_rulebook": Texts(
        "",
        "{rulebook} n'est pas un règlement ; connus : {allowed}",
        "{rulebook} is geen reglement; gekend: {allowed}",
    ),
    "unknown_option": Texts(
        "",
        "{option} n'est pas un réglage ; permis : {allowed}",
        "{option} is geen instelling; toegelaten: {allowed}",
    ),
    "option_not_of_rulebook": Texts(
        "",
        "{option} n'est pas un réglage de {rulebook} ; permis : {allowed}",
        "{option} is geen instelling van {rulebook}; toegelaten: {allowed}",
    ),
    "unknown_side": Texts(
        "",
        "{side} n'est pas un camp de ce coup : {allowed}",
        "{side} is geen kamp van deze gift: {allowed}",
    ),
    "seat": Texts(
        "",
        "{seat} n'est pas une place de ce jeu : {allowed}",
        "{seat} is geen plaats in dit spel: {allowed}",
    ),
    "unknown_contract": Texts(
        "",
        "ce contrat n'existe pas dans ce règlement",
        "dit contract bestaat niet in dit reglement",
    ),
    "unknown_doubling": Texts(
        "",
        "{rulebook} ne permet ici que {most} contre(s), non {doubling}",
        "{rulebook} laat hier hoogstens {most} keer kloppen toe, niet {doubling}",
    ),
    "no_trump": Texts(
        "", "{rulebook} ne se joue jamais sans atout", "{rulebook} speelt men nooit zonder troef"
    ),
    "blind": Texts(
        "", "l'atout aveugle ne se joue pas ici", "blinde troef wordt hier niet gespeeld"
    ),
    "unknown_article": Texts(
        "", "{article} n'est pas un article connu", "{article} is geen gekend artikel"
    ),
    "unknown_key": Texts(
        "",
        "« {field} » n'est pas connu ; permis : {allowed}",
        "“{field}” is niet gekend; toegelaten: {allowed}",
    ),
    "option_value": Texts(
        "", "cette valeur n'est pas permise pour « {field} »", "deze waarde mag niet voor “{field}”"
    ),
    "missing_key": Texts("", "il manque « {field} »", "“{field}” ontbreekt"),
    "malformed_value": Texts(
        "", "« {field} » ne peut être lu", "“{field}” kan niet gelezen worden"
    ),
    "match_over": Texts(
        "",
        "la partie est finie : cette donne est de trop",
        "de partij is uit: deze gift is te veel",
    ),
    "no_auction": Texts("", "{rulebook} se joue sans enchères", "{rulebook} kent geen opbod"),
    "options": Texts(
        "", "les réglages doivent être un objet", "de instellingen moeten een object zijn"
    ),
    "unknown_call": Texts(
        "", "cette annonce n'existe pas : {allowed}", "dit bod bestaat niet: {allowed}"
    ),
    "target": Texts(
        "",
        "une partie en donnes n'a pas de total à atteindre",
        "een partij per giften heeft geen doelscore",
    ),
    "stakes": Texts(
        "",
        "l'organisateur doit fixer les {needed} mises",
        "de inrichter moet de {needed} inzetten bepalen",
    ),
    "declarer": Texts("", "il faut un preneur : {allowed}", "er moet een vrager zijn: {allowed}"),
}


def explain(
    error: EngineError, language: str = "en", call: Callable[[str], str] | None = None
) -> str:
    """A refusal as a sentence in ``language``; the error's own words where none are translated.

    ``call`` names a side as the reader knows it; without it a side is its code (``NS``, ``1``).
    """
    english = language[:2].lower() == "en"
    defects = error.params.get("defects")
    if isinstance(error, Impossible) and isinstance(defects, list) and (call or not english):
        between = " ; " if language[:2].lower() == "fr" else "; "
        return between.join(
            Defect(
                str(each["code"]),
                {**each, "side": call(str(each["side"]))} if call and "side" in each else each,
            ).to(language)
            for each in defects
        )
    if english:
        return error.message
    texts = _REFUSALS.get(error.code)
    if texts is None:
        return error.message
    values: dict[str, object] = {"field": error.field}
    for name, value in error.params.items():
        values[name] = ", ".join(map(str, value)) if isinstance(value, list) else value
    try:
        return texts.to(language).format_map(values)
    except KeyError:
        return error.message
