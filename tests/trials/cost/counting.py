"""Counts user-space instructions with Valgrind, so that other load on the machine has no effect.

A process is counted from start to end, less the count of a process that does nothing. A part of a running
table is counted between two marks.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tests.trials.cost.processes import PARTS as PROCESSES

IN_PLAY = {
    "card_to_view": 20, "card_to_ack": 20, "reading": 40, "touch": 20, "view": 20,
    "reading_single": 20, "reading_board": 20, "reading_feig": 20, "look_feig": 20, "round": 3,
}  # fmt: skip
"""Parts of a running table that are counted between marks, and how often `play.py` repeats each there."""
NAMES = (*list(PROCESSES)[1:], *IN_PLAY)
VALGRIND = "valgrind"
MEMORY = Path("/dev/shm")  # noqa: S108  # a journal is synced with each event, and a disk is slow
MISSING = "tests.trials.cost: valgrind is missing, which counts the instructions: apt-get install valgrind"
_WHOLE = ("--tool=exp-bbv", "--instr-count-only=yes", "--bb-out-file=/dev/null", "--pc-out-file=/dev/null")
_MARKED = ("--tool=callgrind", "--instr-atstart=no")
_TOTAL = re.compile(r"Total instructions: (\d+)")
_MARK = re.compile(r"desc: Trigger: Client Request: (\w+)\n.*^totals: (\d+)", re.DOTALL | re.MULTILINE)
_KEPT = ("PATH", "HOME", "LANG")


class NotCounted(Exception):
    """Raised if a run fails. The message is the end of its output."""


def tool() -> str:
    """Return the version of the counter and of Python. Raises NotCounted if Valgrind is missing."""
    if shutil.which(VALGRIND) is None:
        raise NotCounted(MISSING)
    version = subprocess.run(
        [VALGRIND, "--version"], capture_output=True, text=True, check=True
    ).stdout.strip()
    return f"{version}, Python {sys.version.split()[0]}, {os.uname().machine}"


def counts(root: Path) -> Mapping[str, int]:
    """Return the instructions of each part in the checkout `root`."""
    with tempfile.TemporaryDirectory(prefix="cost-", dir=MEMORY if MEMORY.is_dir() else None) as name:
        folder = Path(name)
        return {**dict(_processes(folder, root)), **dict(_in_play(folder, root))}


def _processes(folder: Path, root: Path) -> Iterator[tuple[str, int]]:
    idle, *parts = PROCESSES
    nothing = _whole(idle, folder, root)
    for part in parts:
        # a first run, not counted, compiles the modules and makes the journal of the earlier start
        _run((), ("tests.trials.cost.processes", part), folder, root)
        yield part, _whole(part, folder, root) - nothing


def _whole(part: str, folder: Path, root: Path) -> int:
    output = _run(_WHOLE, ("tests.trials.cost.processes", part), folder, root)
    found = _TOTAL.search(output)
    if found is None:
        raise NotCounted(f"{part}: valgrind gave no count: {output[-300:].strip()}")
    return int(found[1])


def _in_play(folder: Path, root: Path) -> Iterator[tuple[str, int]]:
    out = folder / "callgrind"
    _run((*_MARKED, f"--callgrind-out-file={out}"), ("tests.trials.cost.play",), folder, root)
    for file in sorted(folder.glob("callgrind.*")):
        found = _MARK.search(file.read_text(encoding="utf-8"))
        if found is not None:
            yield found[1], int(found[2]) // IN_PLAY[found[1]]


def _run(counter: Sequence[str], module: Sequence[str], folder: Path, root: Path) -> str:
    """Run a module under the counter. Returns the text that it writes to standard error; raises NotCounted if
    it fails."""
    environment = {key: os.environ[key] for key in _KEPT if key in os.environ}
    environment |= {"PYTHONHASHSEED": "0", "PYTHONPATH": str(root), "TMPDIR": str(folder), "TZ": "UTC"}
    valgrind = (VALGRIND, *counter) if counter else ()
    done = subprocess.run(
        [*valgrind, sys.executable, "-m", *module, str(folder)],
        check=False, cwd=root, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    if done.returncode:
        raise NotCounted(f"{' '.join(module)}: status {done.returncode}: {done.stderr[-300:].strip()}")
    return done.stderr
