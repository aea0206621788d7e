"""The lines that a started service prints: where to look and how to sign in."""

from __future__ import annotations


def greeting(url: str, *, demo: bool) -> str:
    """What to print once the service answers at ``url``."""
    if not demo:
        return f"\nManille is ready: {url}/\nStop it with Ctrl-C.\n"
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
