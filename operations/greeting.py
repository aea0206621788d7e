"""The lines that a started service prints: where to look and how to sign in."""

from __future__ import annotations

from accounts.views.sign_in import setup_is_open, setup_path


def greeting(url: str, *, demo: bool) -> str:
    """Return the text to print once the service answers at ``url``."""
    if not demo:
        lines = ["", f"Manille is ready: {url}/"]
        if setup_is_open():
            lines += ["Make the first account here; the address holds the code that it asks for:"]
            lines += [f"  {url}{setup_path()}"]
        return "\n".join([*lines, "Stop it with Ctrl-C.", ""])
    from tournament.demo.story import DEMO_PASSWORD, DEMO_SLUG, DEMO_USERS

    lines = [
        "",
        f"Manille is ready: {url}/",
        f"  event of the demo   {url}/e/{DEMO_SLUG}/",
        f"  director's desk     {url}/desk/{DEMO_SLUG}/",
        f"  referee's desk      {url}/referee/{DEMO_SLUG}/",
        "",
        f"Sign in at {url}/login/ with the password {DEMO_PASSWORD} as",
        *(f"  {name:<12} {role}" for name, role in DEMO_USERS),
        "",
        "Stop it with Ctrl-C.",
        "",
    ]
    return "\n".join(lines)
