"""Every verb is offered on a page and in the API, or the list gives the reason."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Final

import config.urls  # noqa: F401 reads every service
from ledger.verbs import VERBS, Verb

ROOT: Final = Path(__file__).parents[1]
SERVICES: Final = (
    *sorted(ROOT.glob("tournament/services/*.py")),
    *sorted(ROOT.glob("adjudication/services/*.py")),
    ROOT / "accounts/roles.py",
    ROOT / "accounts/staff.py",
    ROOT / "accounts/api_tokens.py",
    ROOT / "accounts/second_step.py",
    ROOT / "operations/proofs.py",
)
PART: Final = "a part of other verbs"
CLOCK: Final = "done when its time has come, or by the operator's command"
ACCESS: Final = "gives or takes access: no token makes one that outlives it"
NEITHER: Final = {
    "accounts.staff.restore_administrator": "the operator's command, when nobody can sign in",
    "adjudication.services.incidents.follow_record": PART,
    "adjudication.services.incidents.take_call": PART,
    "adjudication.services.rulings.finalise_one": CLOCK,
    "tournament.services.adjustments.adjust": PART,
    "tournament.services.adjustments.annul": PART,
    "tournament.services.adjustments.delete_results": PART,
    "tournament.services.draws.store_candidate": PART,
    "tournament.services.entrants.erase_person": PART,
    "tournament.services.imports.import_players": PART,
    "tournament.services.name_marks.mark_names": "done once after an upgrade",
    "tournament.services.privacy.forget_event": CLOCK,
    "tournament.services.privacy.forget_person": PART,
    "tournament.services.ruled.rule_deal": PART,
    "tournament.services.sheets.enter_deal": "hand_in does it, once for each key",
    "tournament.services.tables.claim_call": PART,
    "tournament.services.tables.close_call": PART,
    "tournament.services.tables.release_call": PART,
}
"""Verbs that are not called on their own."""
PAGE_ONLY: Final = {
    "tournament.services.bans_and_wishes.wish_for_all": "several at once, for the page: a program sets each number's",
    "accounts.api_tokens.issue": ACCESS,
    "accounts.api_tokens.revoke": ACCESS,
    "accounts.api_tokens.revoke_all": ACCESS,
    "accounts.staff.change_password": ACCESS,
    "accounts.staff.create_account": ACCESS,
    "accounts.staff.create_first_account": ACCESS,
    "accounts.staff.give_password": ACCESS,
    "accounts.roles.grant_role": ACCESS,
    "accounts.roles.revoke_role": ACCESS,
    "accounts.staff.set_active": ACCESS,
    "accounts.staff.set_may_open": ACCESS,
    "accounts.second_step.begin": ACCESS,
    "accounts.second_step.check": ACCESS,
    "accounts.second_step.confirm": ACCESS,
    "accounts.second_step.renew_codes": ACCESS,
    "accounts.second_step.turn_off": ACCESS,
    "adjudication.services.incidents.open_incident": "the API opens through open_at",
    "adjudication.services.rulings.amend": "the API amends through confirmations.rule",
    "tournament.services.sheets.enter_slip": "several games at once, for the page: a program copies each game's",
    "tournament.services.deleted.undo_deletion": "a mistake that a person sees, undone by that person",
    "tournament.services.consents.want_mail": "a player's own address, on their own page",
    "tournament.services.registrations.register": "strangers, slowed down on the public page",
    "tournament.services.entrants.open_link": "a program asks for badges or a new link, which is recorded likewise",
    "tournament.services.tables.open_link": "a program asks for the table's slip, which is recorded likewise",
}


API_ONLY: Final = {
    "tournament.services.sheets.enter_from_paper": "the page copies the games of a slip together",
}


def is_called(decorator: ast.expr, *names: str) -> bool:
    return (
        isinstance(decorator, ast.Call)
        and isinstance(decorator.func, ast.Name)
        and decorator.func.id in names
    )


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


def verbs() -> set[str]:
    """Return every public function of a service that is a change of its own."""
    return {
        f"{module_of(path)}.{node.name}"
        for path in SERVICES
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef)
        and not node.name.startswith("_")
        and any(
            is_called(each, "change", "verb") and "changes=False" not in ast.unparse(each)
            for each in node.decorator_list
        )
    }


def named_in(path: Path) -> set[str]:
    """Return everything imported that a module uses, by its full name."""
    tree, known, found = ast.parse(path.read_text(encoding="utf-8")), {}, set()
    package = list(path.relative_to(ROOT).parts)
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            above = package[: -node.level] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            known |= {one.asname or one.name: f"{base}.{one.name}" for one in node.names}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            found.add(f"{known.get(node.value.id)}.{node.attr}")
        elif isinstance(node, ast.Name) and node.id in known:
            found.add(known[node.id])
    return found


def named_by(*patterns: str) -> set[str]:
    return set().union(*(named_in(path) for each in patterns for path in ROOT.glob(each)))


def named_by_buttons() -> set[str]:
    """Return the verbs whose button posts to a shared address, for all or for a round or a player."""
    templates = "\n".join(path.read_text() for path in ROOT.glob("templates/**/*.html"))
    words = {
        *(f"rounds_{word}" for word in re.findall(r"'desk-round' \S+ \S+ '([a-z]+)'", templates)),
        *re.findall(r"'desk-do' \S+ '([a-z_-]+)'", templates),
        *(
            f"entrants_{word.replace('_', '-')}"
            for word in re.findall(r'(?:name="verb"\s+value|\bverb)="([a-z_]+)"', templates)
        ),
    }
    return {full_name(VERBS[word]) for word in words & set(VERBS)}


def full_name(verb: Verb) -> str:
    return f"{verb.act.__module__}.{verb.act.__name__}"


def test_every_verb_has_its_page_and_its_api_or_says_why_not() -> None:
    pages = named_by("*/views/*.py", "tournament/tables/views/*.py", "operations/audit_log.py")
    api = named_by("*/api/*.py", "tournament/tables/api/*.py", "operations/audit_api.py")
    pages |= named_by_buttons()
    api |= {full_name(each) for each in VERBS.values()}
    there = verbs()
    assert len(there) > 120
    assert there - pages == (set(NEITHER) | set(API_ONLY)) & there
    assert there - api == (set(NEITHER) | set(PAGE_ONLY)) & there
    # The lists contain no verb that is gone or has its page or API by now.
    assert set(NEITHER) | set(PAGE_ONLY) | set(API_ONLY) <= there
