"""Columns of a player: the entry, its people and its club under one list of names.

Forms, the API, files of players, exports, corrections and mergers run over :data:`GIVEN`: a new
column of :class:`Person` or :class:`Entrant` joins it, unless :data:`columns.LEFT_OUT` excludes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final, TypedDict

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import override

from tournament.lists.words import heading

from .columns import Column, To, columns, left_out
from .entrants import Entrant, Person
from .events import Club

Value = str | int | bool | None


class PlayerGiven(TypedDict, total=False):
    """Types of the values by the keys of :data:`GIVEN`, so that a misspelt key is an error of types."""

    number: int | None
    name: str
    club: str
    state: str
    partner: str
    partner_email: str
    partner_phone: str
    email: str
    phone: str
    family: str
    category: str
    paid: bool
    fixed_seat: bool
    keeps_score: bool


@dataclass(frozen=True, slots=True)
class Given:
    """One thing that is given of a player."""

    key: str
    """Its name in forms, files and the API."""
    column: Column
    part: str = ""
    """The attribute of the entry whose row has the column; empty: the entry itself."""

    @property
    def label(self) -> str:
        """Name of the column in the reader's language."""
        if self.key in _LABELS:
            return str(_LABELS[self.key])
        if self.part == "partner":
            return str(_("Partner: %(what)s") % {"what": self.column.verbose_name})
        return str(self.column.verbose_name)

    @property
    def usual(self) -> Value:
        """Its value where nothing is given."""
        usual: Value = self.column.get_default()
        return usual

    def row_of(self, entrant: Entrant) -> models.Model | None:
        """Return the row that has the column; ``None`` where there is no such person or club."""
        row: models.Model | None = getattr(entrant, self.part) if self.part else entrant
        return row

    def of(self, entrant: Entrant) -> Value:
        """Return an entrant's value."""
        row = self.row_of(entrant)
        return self.usual if row is None else getattr(row, self.column.attname)

    def goes(self, to: To) -> bool:
        """Whether it goes there."""
        return self.column.name not in left_out(self.column.model, to)


_LABELS: Final[Mapping[str, object]] = {
    "club": _("Club"),
    "partner": _("Partner"),
    "partner_email": _("Partner e-mail"),
    "partner_phone": _("Partner phone"),
}
"""Labels that are not those of the column."""


def _given() -> tuple[Given, ...]:
    club = Club._meta.get_field("name")
    people = list(columns(Person, To.FILE))
    entry = {each.name: each for each in columns(Entrant, To.FILE)}
    first = [Given("number", entry.pop("number")), Given("name", people.pop(0), "person")]
    pair = [Given("partner", Person._meta.get_field("name"), "partner")]
    del entry["club"], entry["partner"]
    return (
        *first,
        Given("club", club, "club"),
        Given("state", entry.pop("state")),
        *pair,
        *(Given(f"partner_{each.name}", each, "partner") for each in people),
        *(Given(each.name, each, "person") for each in people),
        *(Given(each.name, each) for each in entry.values()),
    )


GIVEN: Final = _given()
"""Everything that is given of a player."""
BY_KEY: Final = {each.key: each for each in GIVEN}
PUBLIC: Final = frozenset({"number", "name", "club", "state"})
"""Public columns of a player."""
STAFF: Final = PUBLIC | {"partner"}
"""Columns that all staff of the event may see; the others need the right to manage players."""


def new_entrant(values: Mapping[str, Value]) -> Entrant:
    """Build an unsaved entry with its people from the values; its club is found by name."""
    partner = Person() if values.get("partner") else None
    entrant = Entrant(person=Person(), partner=partner)
    for each in GIVEN:
        row = None if each.part == "club" else each.row_of(entrant)
        if each.key in values and row is not None:
            setattr(row, each.column.attname, values[each.key])
    return entrant


HEADINGS: Final[Mapping[str, str]] = {
    "name": "names, naam, namen, nom, noms, full name, player, players, speler, spelers, joueur, joueurs, "
    "joueuse, joueuses, deelnemer, deelnemers, participant, participante, participants, inscrits, member, "
    "members, membre, membres, lid, leden, nom prenom, nom et prenom, noms et prenoms, prenom nom, "
    "prenom et nom, naam voornaam, naam en voornaam, voornaam naam, voornaam en naam, "
    "familienaam voornaam, familienaam en voornaam, achternaam en voornaam, name and first name, "
    "first and last name, last and first name, wie, qui, who",
    "first": "first name, firstname, given name, forename, voornaam, prenom, prenoms, roepnaam",
    "last": "last name, lastname, surname, family name, familienaam, achternaam, nom de famille, nom famille",
    "club": "clubs, societe, vereniging, equipe, ploeg, club name, clubnaam, naam club, nom club, team",
    "number": "no, nr, n, num, nummer, numero, startnr, volgnr, volgnummer",
    "email": "e mail, mail, courriel, adresse e mail, e mailadres, email address, adresse mail, adresse electronique",
    "phone": "telephone, tel, telefoon, gsm, mobile, portable, gsm nummer, gsmnummer, numero telephone, "
    "telefoonnummer, contact no, contact number, mobile number, phone number, numero gsm, mobiel",
    "category": "categorie, serie, klasse, classe",
    "paid": "payee, a paye, a payee, a regle, heeft betaald, has paid, regle, betaling, paiement, payment, payment status, statut paiement, betaalstatus, inschrijvingsgeld, fee paid, entry fee, fee, reglement, droit d inscription, droits d inscription, frais d inscription, paid on, "
    "betaald op, betaaldatum, paye le, payee le, date de paiement, date paiement, payment date",
    "keeps_score": "scorekeeper, schrijver, marque, marqueur",
    "partner_email": "partner e mail, e mail partner, courriel du partenaire, e mail maat",
    "partner_phone": "partner phone number, telephone partenaire, tel du partenaire, telefoon partner, "
    "telefoon maat, telefoonnummer maat, gsm maat, gsm partner",
    "state": "status, statut, toestand, presence, present, aanwezig, aanwezigheid, komt, participation, participe, "
    "deelname, vient, order status, statut commande, bestelstatus, rsvp, reponse, antwoord, response, "
    "attending, inschrijving",
    "off": "afgemeld, afmelding, afgemeld op, afgezegd, uitgeschreven, geannuleerd, opgave, afwezig, desiste, desistee, "
    "desistement, desiste le, desistements, forfait, forfaits, forfeit, absent, absente, absence, absents, annule, annulee, annulation, "
    "annule le, desinscrit, desinscription, excuse, cancelled, canceled, cancellation, cancelled on, withdrawn, withdrawal, called off, "
    "withdrawn on, dropped out",
}
"""Accepted headings of a file's column besides its key and its label in any language, without
accents and signs; ``first`` and ``last`` are halves of a name, ``off`` marks
people who called off.
"""


@cache
def headings() -> Mapping[str, frozenset[str]]:
    """Return all accepted headings of a file's column."""
    read: dict[str, set[str]] = {
        key: {*words.split(", ")} for key, words in HEADINGS.items() if key not in BY_KEY
    }
    for each in GIVEN:
        read[each.key] = {each.key, *HEADINGS.get(each.key, "").split(", ")} - {""}
        for language, _name in settings.LANGUAGES:
            with override(language):
                read[each.key].add(each.label)
    return {key: frozenset(map(heading, words)) for key, words in read.items()}
