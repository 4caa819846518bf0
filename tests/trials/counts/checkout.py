"""Files of a checkout that a person edits, without generated and temporary ones."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

PROGRAM = ("controller", "drivers")


@dataclass(frozen=True)
class Checkout:
    """Checkout of the project. Its list of files is read once for all counts."""

    root: Path

    @cached_property
    def files(self) -> tuple[Path, ...]:
        """Return all files that git keeps or would keep."""
        listing = ["git", "-C", str(self.root), "ls-files", "--cached", "--others", "--exclude-standard"]
        names = subprocess.run(listing, capture_output=True, text=True, check=True).stdout.splitlines()
        return tuple(self.root / name for name in sorted(set(names)) if (self.root / name).is_file())

    def below(self, *folders: str, suffix: str) -> Iterator[Path]:
        """Yield the files of one kind in these folders."""
        for path in self.files:
            if path.suffix == suffix and path.relative_to(self.root).parts[0] in folders:
                yield path

    def trees(self, *folders: str) -> Iterator[tuple[Path, ast.Module]]:
        """Yield the parsed tree of every Python file."""
        for path in self.below(*folders, suffix=".py"):
            yield path, ast.parse(path.read_text(encoding="utf-8"))

    def name(self, path: Path) -> str:
        return str(path.relative_to(self.root))
