"""Build or refresh the environment in .venv with nothing but Python's standard library.

Run by make with whatever Python it finds: every failure is one line that says what to do.
"""

import hashlib
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VENV = os.path.join(ROOT, ".venv")
OLDEST = (3, 11)


def stop(message: str) -> None:
    """End with one line on standard error."""
    sys.stderr.write(message + "\n")
    sys.exit(1)


def build(requirements: str) -> None:
    """Make .venv where it is missing and install the pinned requirements unless they are there."""
    if sys.version_info < OLDEST:
        stop(
            "Python {}.{} is too old: install Python 3.11 or newer, or name one with "
            "make PYTHON=/path/to/python3.".format(*sys.version_info[:2])
        )
    path = os.path.join(ROOT, requirements)
    with open(path, "rb") as file:
        wanted = hashlib.sha256(file.read() + str(sys.version_info[:2]).encode()).hexdigest()
    stamp = os.path.join(VENV, "installed-" + requirements)
    if os.path.exists(stamp) and open(stamp).read() == wanted:
        return
    python = os.path.join(VENV, "bin", "python")
    if not os.path.exists(python):
        try:
            import ensurepip  # noqa: F401 - its absence is what Debian's split packages look like
            import venv
        except ImportError:
            stop(
                "This Python lacks venv: install it (Debian, Ubuntu: apt install python3-venv), "
                "then run make again."
            )
        print("Making the environment in .venv ...")
        venv.EnvBuilder(with_pip=True, symlinks=True).create(VENV)
    print(f"Installing {requirements} (once) ...")
    command = [
        python,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--no-input",
        "--require-hashes",
        "-r",
        path,
    ]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if result.returncode:
        log = os.path.join(VENV, "install.log")
        with open(log, "wb") as file:
            file.write(result.stdout)
        stop(
            f"Installing {requirements} failed: check the connection to the package index and run make "
            f"again (details in {os.path.relpath(log, ROOT)})."
        )
    with open(stamp, "w") as file:
        file.write(wanted)


if __name__ == "__main__":
    build(sys.argv[1])
