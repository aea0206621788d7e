"""The sentences of a rationale, each citing the article, policy or resolution it rests on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from scoring.engine.speech import side_name
from scoring.engine.texts import Texts

from .article import Article, DealRule, Measure, Origin
from .game import Game, PenaltyMode
from .proposal import Bonus, DealEffect, Marks, NextDealer, Outcome, Reason
from .words import MEASURES, ORIGINS


def of_article(article: Article) -> Reason:
    """What the article says; its citation, and how firm its ground is when not a source."""
    text = article.text
    if article.origin is not Origin.SOURCE:
        origin = ORIGINS[article.origin]
        text = Texts(
            en=f"{text.en} ({origin.en})",
            fr=f"{text.fr} ({origin.fr})",
            nl=f"{text.nl} ({origin.nl})",
        )
    return Reason(f"{article.id}; {article.citation}", text)


def of_governing(picked: Article, governing: Article) -> Reason:
    """Why another article of the same family governs."""
    return Reason(
        f"{governing.id}; C.2",
        Texts(
            en=f"On these facts {governing.id} governs, not {picked.id}.",
            fr=f"D’après ces faits, c’est {governing.id} qui s’applique, et non {picked.id}.",
            nl=f"Volgens deze feiten geldt {governing.id}, niet {picked.id}.",
        ),
    )


def of_choice(article: Article, field: str, value: str) -> Reason:
    """Which of the article's cases the referee stated."""
    fact = article.fact(field)
    label = next(text for key, text in fact.choices if key == value) if fact else Texts("", "", "")
    return Reason(
        article.id,
        Texts(
            en=f"Stated: {label.en}.", fr=f"Constaté : {label.fr}.", nl=f"Vastgesteld: {label.nl}."
        ),
    )


def sentence(texts: Texts) -> Texts:
    """``texts`` as sentences: capital first letter, full stop."""

    def whole(text: str) -> str:
        return f"{text[:1].upper()}{text[1:]}."

    return Texts(en=whole(texts.en), fr=whole(texts.fr), nl=whole(texts.nl))


def of_claim(after_round: bool) -> Reason:
    """A claim that came too late."""
    if after_round:
        text = Texts(
            en="The round has ended: the claim comes too late.",
            fr="La ronde est finie : la réclamation est tardive.",
            nl="De ronde is afgelopen: de klacht komt te laat.",
        )
    else:
        text = Texts(
            en="Both sides have signed the deal: the claim comes too late.",
            fr="Les deux camps ont signé la donne : la réclamation est tardive.",
            nl="Beide kampen hebben de gift ondertekend: de klacht komt te laat.",
        )
    return Reason("C.6", text)


def of_offence(article: Article, count: int, measure: Measure) -> Reason:
    """Which offence it is and what the ladder says."""
    word = MEASURES[measure]
    return Reason(
        article.id,
        Texts(
            en=f"Offence no. {count} under this article: {word.en}.",
            fr=f"Faute n° {count} selon cet article : {word.fr}.",
            nl=f"Overtreding nr. {count} volgens dit artikel: {word.nl}.",
        ),
    )


def of_minutes(article: Article, minutes: int, measure: Measure) -> Reason:
    """What the ladder says for so many minutes."""
    word = MEASURES[measure]
    return Reason(
        article.id,
        Texts(
            en=f"{minutes} minutes: {word.en}.",
            fr=f"{minutes} minutes : {word.fr}.",
            nl=f"{minutes} minuten: {word.nl}.",
        ),
    )


def of_measure(article: Article, measure: Measure) -> Reason:
    """A measure that the referee chose, or that goes with an option."""
    word = MEASURES[measure]
    return Reason(
        article.id,
        Texts(en=f"Measure: {word.en}.", fr=f"Mesure : {word.fr}.", nl=f"Maatregel: {word.nl}."),
    )


def of_penalty(article: Article, charge: Marks, side: str, game: Game) -> Reason:
    """How much, and who writes it down."""
    others = ", ".join(game.opponents(side))
    if game.is_auction and article.id.startswith("BE-"):
        return Reason(
            f"{article.id}; B.3",
            Texts(
                en=f"{side} pays as if he had failed: {charge}.",
                fr=f"{side} paie comme s’il avait chuté : {charge}.",
                nl=f"{side} betaalt alsof hij verloor: {charge}.",
            ),
        )
    multiplied = game.penalty_multiplied and game.factor != 1
    factor = f" (× {game.factor})" if multiplied else ""
    if game.penalty_mode is PenaltyMode.DEBIT_OFFENDER:
        text = Texts(
            en=f"{side} loses {charge} marks{factor}.",
            fr=f"{side} perd {charge} points{factor}.",
            nl=f"{side} verliest {charge} punten{factor}.",
        )
    else:
        text = Texts(
            en=f"{others} marks {charge}{factor}.",
            fr=f"{others} marque {charge}{factor}.",
            nl=f"{others} schrijft {charge}{factor}.",
        )
    return Reason(f"{article.id}; Q-GEN-2, Q-GEN-3", text)


def of_floor(effect: DealEffect, game: Game) -> list[Reason]:
    """Who loses nothing by the ruling, because the deal as played gave more than the penalty."""
    replaced = effect.outcome is Outcome.REPLACED and effect.infractions
    if not (replaced and game.penalty_floor) or effect.offender is None:
        return []
    found = []
    for other in game.opponents(effect.offender):
        if other == game.game_won:
            text = Texts(
                en=f"But {other} won the game by the deal as played and keeps it.",
                fr=f"Mais {other} a gagné la manche par la donne jouée et la garde.",
                nl=f"Maar {other} won de boom met de gespeelde gift en behoudt die.",
            )
        elif effect.marks.get(other, 0) > effect.penalty.get(other, 0):
            kept = effect.marks[other]
            text = Texts(
                en=f"But the deal as played gives {other} more: it keeps its {kept} points.",
                fr=f"Mais la donne jouée rapporte davantage à {other} : ce camp garde ses {kept} points.",
                nl=f"Maar de gespeelde gift levert {other} meer op: dat kamp behoudt zijn {kept} punten.",
            )
        else:
            continue
        found.append(Reason(f"{effect.infractions[0].article}; C.8", text))
    return found


def of_null_call(article: Article) -> Reason:
    """That the deal is marked without what a null call brought it."""
    return Reason(
        f"{article.id}; C.5",
        Texts(
            en="The factor of the null call is taken out of the score; the rest stands.",
            fr="Le facteur de l’annonce nulle est retiré de la marque ; le reste demeure.",
            nl="De factor van de nietige aankondiging vervalt; de rest blijft staan.",
        ),
    )


def of_unknown_stake(article: Article) -> Reason:
    """An auction penalty whose stake the score sheet will give."""
    return Reason(
        f"{article.id}; B.3",
        Texts(
            en="The offender pays as if he had failed; the score sheet gives the stake.",
            fr="Le fautif paie comme s’il avait chuté ; la feuille de marque donne l’enjeu.",
            nl="De overtreder betaalt alsof hij verloor; het scoreblad geeft de inzet.",
        ),
    )


_OUTCOMES: Final = {
    Outcome.STANDS: Texts(
        en="The deal stands and its result counts.",
        fr="La donne est bonne et son résultat compte.",
        nl="De gift geldt en het resultaat telt.",
    ),
    Outcome.PENDING: Texts(
        en="The opponents have to choose.",
        fr="Les adversaires doivent choisir.",
        nl="De tegenpartij moet kiezen.",
    ),
    Outcome.CANCELLED: Texts(
        en="The deal is cancelled and not dealt again.",
        fr="La donne est annulée, sans nouvelle distribution.",
        nl="De gift vervalt en wordt niet overgedaan.",
    ),
    Outcome.REPLACED: Texts(
        en="The penalty replaces the result of the deal.",
        fr="La pénalité remplace le résultat de la donne.",
        nl="De straf vervangt het resultaat van de gift.",
    ),
    Outcome.VOID_PASSED: Texts(
        en="The deal is void; the next player deals.",
        fr="La donne est nulle ; le joueur suivant donne.",
        nl="De gift is ongeldig; de volgende speler deelt.",
    ),
    Outcome.REDEALT: Texts(
        en="The deal is void; the same dealer deals again.",
        fr="La donne est nulle ; le même donneur redonne.",
        nl="De gift is ongeldig; dezelfde deler deelt opnieuw.",
    ),
}


def of_outcome(article: Article, effect: DealEffect, rule: DealRule) -> list[Reason]:
    """What becomes of the deal and of its turn-up bonus."""
    cites = article.id
    if effect.outcome is Outcome.REPLACED or (
        rule is DealRule.REPLACED and effect.outcome is Outcome.STANDS and effect.charge
    ):
        cites = f"{article.id}; Q-GEN-4"
    reasons = [Reason(cites, _OUTCOMES[effect.outcome])]
    marks = effect.bonus_marks
    if effect.bonus is Bonus.CANCELLED:
        reasons.append(
            Reason(
                "Q-GEN-5",
                Texts(
                    en=f"The turn-up bonus of {marks} is cancelled: there was no valid deal.",
                    fr=f"La prime de retourne de {marks} est annulée : il n’y a pas eu de donne valable.",
                    nl=f"De premie van {marks} voor de keerkaart vervalt: er was geen geldige gift.",
                ),
            )
        )
    elif effect.bonus is Bonus.KEPT and effect.outcome in (Outcome.REPLACED, Outcome.REDEALT):
        reasons.append(
            Reason(
                "Q-GEN-4" if effect.outcome is Outcome.REPLACED else "Q-GEN-5",
                Texts(
                    en=f"The turn-up bonus of {marks}, already written, stays.",
                    fr=f"La prime de retourne de {marks}, déjà inscrite, reste acquise.",
                    nl=f"De premie van {marks} voor de keerkaart, al genoteerd, blijft.",
                ),
            )
        )
    return reasons


def of_dealer(effect: DealEffect, dealer: str | None) -> Reason | None:
    """Who deals next, when the effect leaves no choice open."""
    if dealer is None or effect.next_dealer is NextDealer.NEXT:
        return None
    said = {language: side_name(dealer, language) for language in ("en", "fr", "nl")}
    return Reason(
        "C.2",
        Texts(
            en=f"{said['en']} deals again.",
            fr=f"{said['fr']} redonne.",
            nl=f"{said['nl']} deelt opnieuw.",
        ),
    )


def of_options(article: Article, by: Sequence[str]) -> Reason:
    """That the opponents choose, and among what."""

    def listed(language: str, word: str) -> str:
        return f" {word} ".join(option.label.to(language) for option in article.options)

    sides = ", ".join(by)
    return Reason(
        article.id,
        Texts(
            en=f"{sides} may choose: {listed('en', 'or')}.",
            fr=f"{sides} peut choisir : {listed('fr', 'ou')}.",
            nl=f"{sides} mag kiezen: {listed('nl', 'of')}.",
        ),
    )


BOTH_AT_FAULT: Final = Reason(
    "Q-GEN-9",
    Texts(
        en="Both sides are at fault: the penalties cancel out, the deal is void and dealt again.",
        fr="Les deux camps sont en faute : les pénalités se compensent, la donne est nulle et refaite.",
        nl="Beide kampen zijn in fout: de straffen heffen elkaar op, de gift is ongeldig en wordt overgedaan.",
    ),
)
CONDUCT_IS_ADDED: Final = Reason(
    "Q-GEN-9",
    Texts(
        en="A penalty for conduct is added: it cancels no other penalty, and none cancels it.",
        fr="Une pénalité de conduite s’ajoute : elle n’efface aucune autre pénalité et aucune ne l’efface.",
        nl="Een straf voor gedrag komt erbij: ze heft geen andere straf op en geen andere heft haar op.",
    ),
)
ONE_PENALTY: Final = Reason(
    "C.2",
    Texts(
        en="This side already bears a penalty for this deal: only one counts.",
        fr="Ce camp porte déjà une pénalité pour cette donne : une seule compte.",
        nl="Dit kamp draagt al een straf voor deze gift: er telt er maar één.",
    ),
)
DISCRETION: Final = Reason(
    "C.7",
    Texts(
        en="The measure is the referee's: the ruling must give a reason.",
        fr="La mesure est à l’appréciation de l’arbitre : la décision doit être motivée.",
        nl="De maatregel is ter beoordeling van de scheidsrechter: de beslissing moet gemotiveerd zijn.",
    ),
)
ONE_LEGAL_CARD: Final = Reason(
    "001-R5; Q-001-2",
    Texts(
        en="Only one of the two cards was legal: that one is played.",
        fr="Une seule des deux cartes était permise : c’est elle qui est jouée.",
        nl="Slechts een van de twee kaarten was toegelaten: die is gespeeld.",
    ),
)
LOWER_CARD: Final = Reason(
    "001-R5; two_cards=LOWER",
    Texts(
        en="The event lets the card underneath be the one played; the other goes back.",
        fr="L’épreuve tient pour jouée la carte de dessous ; l’autre revient en main.",
        nl="In dit tornooi geldt de onderste kaart; de andere gaat terug in de hand.",
    ),
)
RIGHT_PLAYER_PLAYED: Final = Reason(
    "GEN-TURN",
    Texts(
        en="The right player has played since: the card out of turn stands.",
        fr="Le joueur dont c’était le tour a joué depuis : la carte hors tour reste jouée.",
        nl="De juiste speler heeft intussen gespeeld: de kaart voor de beurt blijft liggen.",
    ),
)
