"""The ruling slip: article, facts, decision and reasons on one page, for signature at the table.

Rules specification D.2, "Rulings": a written ruling that cites the article, with an appeal before
its deadline. A signature means "seen", not "agreed".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from tournament.documents import words
from tournament.documents.faces import BOLD, TEXT, wrap
from tournament.documents.formats import labelled, moment
from tournament.documents.imprint import Imprint
from tournament.documents.layout import Layout
from tournament.documents.looks import BODY_SIZE, INK, MUTED


@dataclass(frozen=True, slots=True)
class Annulled:
    """Withdrawal of a ruling: ``word`` ("annulled", "overturned on appeal"), time, author and reason."""

    word: str
    at: datetime
    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class RulingRecord:
    """A ruling as the slip and the report print it; every text is already in their language,
    the name of its ``round`` too.

    ``article`` is its id (``001-R9``) and ``article_title`` its title; ``citation`` quotes or
    paraphrases it. ``effects`` are sentences ("E-O marque 34"). ``appeal_until`` is aware, in the
    event's time zone, ``None`` when no appeal is open. ``status`` is its standing in words
    (provisional, final, amended, annulled). ``appeal`` describes the outcome of an appeal.
    ``annulled`` is set for an annulled ruling: the slip shows it across, and nothing is due.
    """

    number: str
    round: str
    table: str
    article: str
    article_title: str
    decision: str
    facts: str
    reason: str
    issued_at: datetime
    deal: int | None = None
    game: int | None = None
    citation: str = ""
    effects: tuple[str, ...] = ()
    sides: tuple[tuple[str, str], ...] = ()
    readers: tuple[str, ...] = ()
    """Who signs for having seen it: the sides, or of an offence of conduct its offender alone."""
    offender: str = ""
    referee: str = ""
    second: str = ""
    """Who confirmed what takes two persons."""
    status: str = ""
    appeal_until: datetime | None = None
    appeal: str = ""
    annulled: Annulled | None = None


@dataclass(frozen=True, slots=True)
class RulingSlip:
    """A ruling to print for signature; its ``readers`` sign, and the referee."""

    imprint: Imprint
    ruling: RulingRecord


def ruling_slip_pdf(slip: RulingSlip) -> bytes:
    """Render the slip, on one page unless the texts are very long; equal slips give equal bytes."""
    ruling, language = slip.ruling, slip.imprint.language
    title = words.RULING.render(language).format(number=ruling.number)
    layout = Layout(
        slip.imprint,
        title,
        subject=where(slip.imprint.language, ruling),
        across=ruling.annulled.word if ruling.annulled else "",
    )
    layout.bookmark(title)
    draw_ruling(layout, ruling)
    _signatures(layout, ruling)
    return layout.finish()


@dataclass(frozen=True, slots=True)
class Minutes:
    """Minutes of an appeals committee for signature.

    ``ruling`` as it is after the decision; ``items``: labelled texts of hearing, vote and decision;
    ``members``: names of those who sign, the chair first.
    """

    imprint: Imprint
    ruling: RulingRecord
    items: tuple[tuple[str, str], ...]
    members: tuple[str, ...]


def minutes_pdf(minutes: Minutes) -> bytes:
    """Render the minutes with a line for each member's signature; equal minutes give equal bytes."""
    language = minutes.imprint.language
    title = words.MINUTES.render(language).format(number=minutes.ruling.number)
    layout = Layout(minutes.imprint, title, subject=where(language, minutes.ruling))
    layout.bookmark(title)
    for label, text in minutes.items:
        if text:
            _labelled(layout, label, text, size=BODY_SIZE + 1, strong=False)
    layout.line(layout.left, layout.y, layout.right, layout.y, weight=0.4)
    layout.y -= 10
    layout.heading(words.RULING.render(language).format(number=minutes.ruling.number))
    draw_ruling(layout, minutes.ruling)
    labels = [words.CHAIR_SIGNS] + [words.MEMBER_SIGNS] * (len(minutes.members) - 1)
    _to_sign(layout, [layout.label(*each) for each in zip(labels, minutes.members, strict=True)])
    return layout.finish()


def where(language: str, ruling: RulingRecord) -> str:
    """Round, table, game and deal in words."""
    parts = [
        ruling.round,
        f"{words.TABLE.render(language)} {ruling.table}",
    ]
    if ruling.game is not None:
        parts.append(words.GAME.render(language).format(game=ruling.game))
    if ruling.deal is not None:
        parts.append(f"{words.DEAL_WORD.render(language)} {ruling.deal}")
    return " · ".join(parts)


def draw_ruling(layout: Layout, ruling: RulingRecord, *, size: float = BODY_SIZE + 1) -> None:
    """Draw the parts of a ruling as labelled paragraphs below the cursor."""
    language = layout.language
    parties = " · ".join(labelled(label, names, language) for label, names in ruling.sides)
    article = f"{ruling.article} · {ruling.article_title}"
    if ruling.appeal:
        appeal = ruling.appeal
    elif ruling.appeal_until is not None:
        appeal = layout.say(words.APPEAL_UNTIL).format(moment=moment(ruling.appeal_until, language))
    else:
        appeal = layout.say(words.NO_APPEAL)
    issued = moment(ruling.issued_at, language)
    taken_back = ruling.annulled
    if taken_back is not None:
        _taken_back(layout, taken_back, size=size)
    if ruling.referee:
        issued += f" · {layout.label(words.REFEREE, ruling.referee)}"
    if ruling.second:
        issued += f" · {layout.label(words.CONFIRMED_BY, ruling.second)}"
    for label, text, strong in (
        (words.SIDES, parties, False),
        (words.OFFENDER, ruling.offender, False),
        (words.FACTS, ruling.facts, False),
        (words.ARTICLE, article, True),
        (None, ruling.citation, False),
        (words.DECISION, "" if taken_back else ruling.decision, True),
        (words.REASON, "" if taken_back else ruling.reason, False),
        (words.EFFECT, "" if taken_back else "\n".join(ruling.effects), False),
        (words.STATUS, ruling.status, False),
        (words.ISSUED, issued, False),
        (words.APPEAL, appeal, False),
    ):
        if text:
            _labelled(layout, layout.say(label) if label else "", text, size=size, strong=strong)


def _taken_back(layout: Layout, annulled: Annulled, *, size: float) -> None:
    """Print first that the ruling was annulled: time, author, reason, and that nothing is due."""
    word = f"{annulled.word[:1].upper()}{annulled.word[1:]}"
    parts = [word, moment(annulled.at, layout.language), annulled.by]
    layout.ensure(size * 8)
    for text, face in (
        (" · ".join(part for part in parts if part), BOLD),
        (layout.label(words.REASON, annulled.reason), TEXT),
        (layout.say(words.NOTHING_DUE), BOLD),
    ):
        layout.paragraph(text, face=face, size=size + 1, after=2)
    layout.line(layout.left, layout.y, layout.right, layout.y, weight=1.2, ink=INK)
    layout.y -= 10


def _labelled(layout: Layout, label: str, text: str, *, size: float, strong: bool) -> None:
    indent = 92.0
    face = BOLD if strong else TEXT
    lines = len(wrap(text, layout.room - indent, face, size))
    layout.ensure(min(lines, 3) * size * 1.42)
    if label:
        layout.fitted(
            layout.left,
            layout.y - size,
            label,
            indent - 8,
            face=BOLD,
            size=size - 2,
            least=6,
            ink=layout.imprint.accent,
        )
    layout.paragraph(text, face=face, size=size, indent=indent, after=6)


def _signatures(layout: Layout, ruling: RulingRecord) -> None:
    signing = [layout.say(words.SEEN_BY).format(side=label) for label in ruling.readers] + [
        layout.label(words.REFEREE, ruling.referee) if ruling.referee else layout.say(words.REFEREE)
    ]
    _to_sign(layout, signing)


def _to_sign(layout: Layout, signing: Sequence[str]) -> None:
    """Draw a line with its label for each signature, two in a row."""
    layout.y -= 14
    per_row = 2
    wide = (layout.room - 20) / per_row
    for at, label in enumerate(signing):
        if at % per_row == 0:
            layout.ensure(66)
            layout.y -= 60
        x = layout.left + (at % per_row) * (wide + 20)
        layout.line(x, layout.y + 14, x + wide, layout.y + 14, weight=0.7, ink=INK)
        layout.fitted(x, layout.y + 4, label, wide, size=8, least=5.5, ink=MUTED)
