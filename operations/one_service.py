"""Lock that lets one service run on a folder, and ends the parts of a service that was killed.

The supervisor holds the lock and its parts inherit it, so that the lock outlives a killed supervisor
for as long as one of its parts runs. The file names the supervisor and its parts.
"""

from __future__ import annotations

import fcntl
import json
import os
import signal
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from ledger.errors import WrongSetting

NAME: Final = "service.lock"
PATIENCE: Final = 10.0
"""Seconds for which the killed parts of an earlier service may take to end."""
_INTERVAL: Final = 0.1


class OneService:
    """Lock of a folder for one service; held until the process and its parts have ended."""

    def __init__(self, folder: Path) -> None:
        """Take the lock, ending first what a killed supervisor left.

        Raises:
            WrongSetting: Another service runs on this folder.
        """
        folder.mkdir(parents=True, exist_ok=True)
        self.file = os.open(folder / NAME, os.O_RDWR | os.O_CREAT, 0o600)
        if not self._taken():
            owner, parts = self._read()
            if _runs(owner):
                os.close(self.file)
                raise WrongSetting(
                    f"The service already runs in {folder} (process {owner}): stop it first, or set "
                    "MANILLE_VAR to another folder."
                )
            self._end(parts, folder)
        self.note([])

    def note(self, parts: Sequence[int]) -> None:
        """Write down the process groups of the running parts."""
        text = json.dumps({"supervisor": os.getpid(), "parts": list(parts)}).encode()
        os.pwrite(self.file, text.ljust(os.fstat(self.file).st_size), 0)

    def _taken(self) -> bool:
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _read(self) -> tuple[int, list[int]]:
        try:
            noted = json.loads(os.pread(self.file, 10_000, 0))
            return int(noted["supervisor"]), [int(part) for part in noted["parts"]]
        except (ValueError, LookupError, TypeError):
            return 0, []

    def _end(self, parts: Sequence[int], folder: Path) -> None:
        """Kill the parts of a service whose supervisor is gone, and wait for the lock."""
        for part in parts:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(part, signal.SIGKILL)
        end = time.monotonic() + PATIENCE
        while not self._taken():
            if time.monotonic() > end:
                os.close(self.file)
                raise WrongSetting(
                    f"Processes of an earlier service still run in {folder}: end them first."
                )
            time.sleep(_INTERVAL)


def _runs(process: int) -> bool:
    """Whether a process runs, of whichever account."""
    if process <= 0:
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
