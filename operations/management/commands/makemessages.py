"""Gather the texts of code, templates and TOML data into the catalogues."""

from __future__ import annotations

import tomllib
from functools import cached_property
from pathlib import Path

from django.core.management.commands import makemessages

from scoring.texts import messages_in


class BuildFile(makemessages.BuildFile):
    """A file whose texts are gathered; a TOML file is handed to xgettext as Python."""

    @cached_property
    def is_data(self) -> bool:
        """Whether the file is TOML."""
        return str(self.translatable.file).endswith(".toml")

    def preprocess(self) -> None:
        """Write what xgettext reads in place of a template or a TOML file."""
        if not self.is_data:
            super().preprocess()
            return
        calls = [
            f"pgettext_lazy({message.context!r}, {message.msgid!r})"
            if message.context
            else f"gettext_lazy({message.msgid!r})"
            for message in messages_in(tomllib.loads(Path(self.path).read_text("utf-8")))
        ]
        Path(self.work_path).write_text("\n".join(calls), encoding="utf-8")


class Command(makemessages.Command):
    """``makemessages`` as Django has it, for TOML files too."""

    build_file_class = BuildFile

    def handle(self, *args: object, **options: object) -> None:
        """Gather the texts; without ``--extension`` those of every kind of file that has some."""
        options["extensions"] = options["extensions"] or ["html", "txt", "py", "toml"]
        super().handle(*args, **options)
