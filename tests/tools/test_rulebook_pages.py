"""The committed pages of the rulebooks match the engine."""

from pathlib import Path

import pytest

from scoring.engine.rulebook import RULEBOOKS
from tools.rulebook_pages import main, pages

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "rulebooks"


@pytest.mark.parametrize("name", pages())
def test_a_committed_page_is_a_fresh_writing(name):
    assert (FOLDER / name).read_text(encoding="utf-8") == pages()[name], (
        "write it again: python -m tools rulebook_pages docs/rulebooks"
    )


def test_there_is_a_page_for_every_rulebook_and_none_besides():
    assert {path.name for path in FOLDER.iterdir()} == {
        "README.md",
        *(f"{key}.md" for key in RULEBOOKS),
    }


@pytest.mark.parametrize("key", RULEBOOKS)
def test_a_page_names_every_switch_and_works_a_deal(key):
    text = pages()[f"{key}.md"]
    for switch in RULEBOOKS[key].switches:
        assert f"`{switch.name}`" in text
    assert "## Worked deal" in text
    assert RULEBOOKS[key].title.render("fr") in text


def test_the_command_writes_the_pages(tmp_path, capsys):
    assert main([str(tmp_path / "new")]) == 0
    assert {path.name for path in (tmp_path / "new").iterdir()} == set(pages())
    assert main([]) == 2
    assert "usage" in capsys.readouterr().err
