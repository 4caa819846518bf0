"""How far each pit is, kept beside the journal over a restart.

Pits say it again by themselves: a file that is lost or old costs a few events that are sent twice; it must
never be taken for more than that.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from controller.files.replacing import replace_text


def beside(journal: Path) -> Path:
    return journal.with_name(f"{journal.name}.uplink.have")


def kept(path: Path, stream: str) -> dict[str, int]:
    """Pit -> how many events it has of that stream; of none where the file says nothing of use."""
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        if told["stream"] != stream:
            return {}
        return {str(pit): int(upto) for pit, upto in told["have"].items() if int(upto) >= 0}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def keep(path: Path, stream: str, have: Mapping[str, int]) -> None:
    """On the disk when it returns. OSError."""
    replace_text(path, json.dumps({"stream": stream, "have": dict(have)}) + "\n", 0o600)


class Cursor(Protocol):
    """Where a speaker keeps how far each pit is."""

    def kept(self, stream: str) -> dict[str, int]:
        """Return pit -> events that it has of that stream."""

    def keep(self, stream: str, had: Mapping[str, int]) -> None:
        """Raises OSError where it was not kept."""


@dataclass(frozen=True, slots=True)
class FileCursor:
    """The cursor in a file."""

    path: Path

    def __str__(self) -> str:
        return str(self.path)

    def kept(self, stream: str) -> dict[str, int]:
        return kept(self.path, stream)

    def keep(self, stream: str, had: Mapping[str, int]) -> None:
        keep(self.path, stream, had)
