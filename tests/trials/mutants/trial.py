"""Trial of one mutant: it is written into a copy of the checkout, where the game's tests then run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.trials.mutants.mutations import Mutation, mutated

ROOT = Path(__file__).resolve().parents[3]
NEEDED = ("controller", "drivers", "config", "hardware", "tests", "pyproject.toml")
TESTS = ("tests/game", "-m", "not slow")
OPTIONS = ("-x", "-q", "-p", "no:cacheprovider", "--timeout", "60")
LONGEST_S = 600.0


@dataclass(frozen=True, slots=True)
class Mutant:
    """Module of the game with one small error."""

    module: str
    mutation: Mutation

    def __str__(self) -> str:
        one = self.mutation
        return f"{self.module}:{one.line}: {_short(one.before)} became {_short(one.after)}"


def _short(text: str) -> str:
    line = text.splitlines()[0]
    return f"`{line[:57]}...`" if len(line) > 60 else f"`{line}`"


class Workshop:
    """Copy of the checkout in a folder, in which the tests run on one mutant at a time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._tried = 0
        leave = shutil.ignore_patterns("__pycache__", "node_modules", "scenarios")
        for name in NEEDED:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, folder / name, ignore=leave)
            else:
                shutil.copy2(ROOT / name, folder / name)

    def passes(self) -> bool:
        """Return whether all tests pass; a run that does not end counts as a failure."""
        environment = {**os.environ, "PYTHONPATH": str(self.folder)}
        command = [sys.executable, "-m", "pytest", *OPTIONS, *TESTS]
        try:
            done = subprocess.run(
                command, cwd=self.folder, env=environment, capture_output=True, timeout=LONGEST_S, check=False
            )
        except subprocess.TimeoutExpired:
            return False
        return done.returncode == 0

    def survives(self, mutant: Mutant) -> bool:
        """Write the mutant into the copy, run the tests, and restore the module. Returns whether the tests
        missed the error."""
        file = self.folder / mutant.module
        source = file.read_text(encoding="utf-8")
        before = file.stat()
        file.write_text(mutated(source, mutant.mutation), encoding="utf-8")
        self._tried += 1
        # Python compares compiled files by whole seconds: a mutant must not reuse the compiled file of the
        # one before
        os.utime(file, (before.st_atime, before.st_mtime + self._tried))
        try:
            return self.passes()
        finally:
            file.write_text(source, encoding="utf-8")
            os.utime(file, (before.st_atime, before.st_mtime))
