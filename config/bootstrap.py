"""Build or refresh the environment in .venv with nothing but Python's standard library.

Run by make with whatever Python it finds: every failure is one line that says what to do.
"""

import hashlib
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VENV = os.path.join(ROOT, ".venv")
OLDEST = (3, 11)
OUT_OF_REACH = re.compile(
    r"NewConnectionError|ConnectTimeout|ConnectionError|ProxyError|ReadTimeout|Read timed out"
    r"|connection broken"
)
"""What pip writes where the package index does not answer."""
BROKEN = re.compile(r" requires .+, which is not installed| has requirement .+, but you have ")
"""What ``pip check`` writes of a package whose requirement is absent or has another version."""


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
    pip = [python, "-m", "pip", "--disable-pip-version-check", "--no-input"]
    # The file is complete: resolving again would let old pips ask for releases that it does not pin.
    install = [*pip, "install", "--quiet", "--no-deps", "--require-hashes", "-r", path]
    result = subprocess.run(install, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    output = result.stdout.decode(errors="replace")
    if result.returncode:
        fail(requirements, cause_of(output), output)
    result = subprocess.run([*pip, "check"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    output = result.stdout.decode(errors="replace")
    with open(path) as file:
        pinned = {plain(name) for name in re.findall(r"^([\w.-]+)==", file.read(), re.MULTILINE)}
    # Packages of the other file may be behind for a moment: it is installed next.
    problems = [line for line in output.splitlines() if BROKEN.search(line)]
    broken = [line for line in problems if plain(line.split(" ")[0]) in pinned]
    if broken:
        fail(requirements, f"{requirements} is not complete: {broken[0]}", output)
    if result.returncode and not problems:
        fail(requirements, "pip could not check what it installed", output)
    with open(stamp, "w") as file:
        file.write(wanted)


def plain(name: str) -> str:
    """Return a package's name in its normal form (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def cause_of(output: str) -> str:
    """Return what to do about pip's failure: its own error, unless the index was out of reach."""
    if OUT_OF_REACH.search(output):
        return "the package index is out of reach; check the connection and run make again"
    if "do not match the hashes" in output.lower():
        return "a package does not match its hash; check the package index, then run make again"
    if "no space left" in output.lower():
        return "the disk is full; free some space and run make again"
    errors = re.findall(r"^\s*(?:ERROR|error): *(.+)$", output, re.MULTILINE)
    return errors[-1] if errors else "pip ended with an error"


def fail(requirements: str, cause: str, output: str) -> None:
    """Keep pip's output and stop with its cause."""
    log = os.path.join(VENV, "install.log")
    with open(log, "w") as file:
        file.write(output)
    stop(
        f"Installing {requirements} failed: {cause.rstrip('.')} "
        f"(details in {os.path.relpath(log, ROOT)})."
    )


if __name__ == "__main__":
    build(sys.argv[1])
