"""Acknowledged events of each pit, kept beside the journal over a restart.

Each number is bound to its stream and to the root of the events up to it: of another history it says nothing.
Pits acknowledge again by themselves: a file that is lost or old costs a few events that are sent twice.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from controller.common.files.atomic_write import replace_text


def cursor_path(journal: Path) -> Path:
    return journal.with_name(f"{journal.name}.uplink.have")


Roots: TypeAlias = Callable[[int], bytes | None]
"""Root of the first so many events of the stream, None if it is not known."""


def load_cursor(path: Path, stream: str, root: Roots | None = None) -> dict[str, int]:
    """Return how many events of that stream each pit has acknowledged, as far as `root` proves it.

    A file of commit f98257e has no roots and is taken by its stream alone: the pit checks the root that the
    next event carries."""
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        if told["stream"] != stream:
            return {}
        found = {str(pit): int(upto) for pit, upto in told["have"].items() if int(upto) >= 0}
        roots = told.get("roots")
        if root is None or roots is None:
            return found
        return {pit: upto for pit, upto in found.items() if (at := root(upto)) and roots[pit] == _text(at)}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def stream_of(path: Path) -> str:
    """Return the stream that was published last, "" if the file names none."""
    try:
        return str(json.loads(path.read_text(encoding="utf-8"))["stream"])
    except (OSError, ValueError, KeyError, TypeError):
        return ""


def keep(path: Path, stream: str, have: Mapping[str, int], root: Roots | None = None) -> None:
    """Write the file, bound to the roots; it is on the disk on return. Raise OSError if it cannot be."""
    told: dict[str, Any] = {"stream": stream, "have": dict(have)}
    if root is not None:
        told["roots"] = {pit: _text(at) for pit, upto in have.items() if (at := root(upto))}
    replace_text(path, json.dumps(told) + "\n", 0o600)


def _text(root: bytes) -> str:
    return b64encode(root).decode()


class Cursor(Protocol):
    """Cursor in which a speaker keeps how far each pit is."""

    def kept(self, stream: str) -> dict[str, int]:
        """Return pit -> events that it has of that stream."""

    def keep(self, stream: str, had: Mapping[str, int]) -> None:
        """Raises OSError where it was not kept."""


@dataclass(frozen=True, slots=True)
class FileCursor:
    """The cursor in a file. `root`: of the outbox beside it, which binds each number."""

    path: Path
    root: Roots | None = None

    def __str__(self) -> str:
        return str(self.path)

    def kept(self, stream: str) -> dict[str, int]:
        return load_cursor(self.path, stream, self.root)

    def keep(self, stream: str, had: Mapping[str, int]) -> None:
        keep(self.path, stream, had, self.root)
