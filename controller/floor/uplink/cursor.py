"""Acknowledged events of each pit, stored beside the journal for a restart. A restart continues after the
last acknowledged one.

Each number is stored with its stream and the root of the events up to it, so it cannot be applied to another
history. If the file is lost or outdated, some events are sent twice, and the pits acknowledge them again.
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
"""Function from N to the root of the stream's first N events, or None if it is not stored."""


def load_cursor(path: Path, stream: str, root: Roots | None = None) -> dict[str, int]:
    """Return the number of events that each pit has acknowledged, as stored for `stream`. A pit whose stored
    root differs from `root` is left out.

    A file of commit f98257e has no roots and is accepted by its stream alone: the pit checks the root in the
    next event.
    """
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        if stored["stream"] != stream:
            return {}
        found = {str(pit): int(upto) for pit, upto in stored["have"].items() if int(upto) >= 0}
        roots = stored.get("roots")
        if root is None or roots is None:
            return found
        return {pit: upto for pit, upto in found.items() if (at := root(upto)) and roots[pit] == _text(at)}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def stream_of(path: Path) -> str:
    """Return the stream that was published last, or "" if the file names none."""
    try:
        return str(json.loads(path.read_text(encoding="utf-8"))["stream"])
    except (OSError, ValueError, KeyError, TypeError):
        return ""


def keep(path: Path, stream: str, have: Mapping[str, int], root: Roots | None = None) -> None:
    """Write the file of acknowledged events, with their roots. It is on the disk on return. Raises OSError if
    it cannot be written.
    """
    stored: dict[str, Any] = {"stream": stream, "have": dict(have)}
    if root is not None:
        stored["roots"] = {pit: _text(at) for pit, upto in have.items() if (at := root(upto))}
    replace_text(path, json.dumps(stored) + "\n", 0o600)


def _text(root: bytes) -> str:
    return b64encode(root).decode()


class Cursor(Protocol):
    """Storage of the number of events that each pit has acknowledged."""

    def load(self, stream: str) -> dict[str, int]:
        """Return the number of events of `stream` that each pit has acknowledged."""

    def keep(self, stream: str, had: Mapping[str, int]) -> None:
        """Store the number of events that each pit has acknowledged. Raises OSError if that fails."""


@dataclass(frozen=True, slots=True)
class FileCursor:
    """A cursor in a file. `root`: function of the outbox that binds each stored number to its history."""

    path: Path
    root: Roots | None = None

    def __str__(self) -> str:
        return str(self.path)

    def load(self, stream: str) -> dict[str, int]:
        return load_cursor(self.path, stream, self.root)

    def keep(self, stream: str, had: Mapping[str, int]) -> None:
        keep(self.path, stream, had, self.root)
