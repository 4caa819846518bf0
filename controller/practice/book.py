"""A trainee's book of past results: every drill that they have dealt is stored, one JSON object per line,
one file per trainee.

Money is in whole cents, times in whole milliseconds. A line is added when a drill is over and never changed.
A line that cannot be read is an error with file and line, never skipped.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from controller.common.files.forms import first_mistake
from controller.common.files.mistakes import Mistakes
from controller.practice.marks import DrillMarks

MAX_NAME_CHARS = 40
Whole = Annotated[int, Field(ge=0)]


class _Line(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Item(_Line):
    """An alert of the table. With a `kind` it is an error of the trainee."""

    kind: str | None
    code: str
    seat: int | None
    wager: str | None
    cents: int | None
    stood_ms: Whole
    citation: str
    resolved: bool


class BookEntry(_Line):
    """One drill. `session`: start of the practice, the same for all its drills."""

    type: Literal["drill"] = "drill"
    at: str
    session: str
    trainee: str
    theme: str
    rules: str
    drill: str
    section: list[str]
    outcome: str
    noticed: list[Item]
    phases_ms: dict[str, Whole]
    touches: Whole
    chips: Whole
    exam: bool = False
    """Whether the drill belongs to an exam. Lines written by older versions lack this field."""

    @property
    def errors(self) -> list[Item]:
        return [item for item in self.noticed if item.kind is not None]

    @property
    def total_ms(self) -> int:
        return sum(self.phases_ms.values())


_ENTRY = TypeAdapter(BookEntry)


def default_path(trainee: str, environment: Mapping[str, str]) -> Path:
    """Return the path of a trainee's book in the user's data home (XDG Base Directory Specification)."""
    home = environment.get("XDG_DATA_HOME", "")
    base = Path(home) if home.startswith("/") else Path(environment.get("HOME", ".")) / ".local" / "share"
    return base / "crisscross" / "practice" / f"{trainee}.jsonl"


def named(trainee: str) -> str:
    """Return the trainee's name with single spaces. Raises ValueError, which names the allowed characters,
    if it cannot be a file name."""
    name = " ".join(trainee.split())
    good = all(letter.isalnum() or letter in " -_" for letter in name)
    if not good or not 0 < len(name) <= MAX_NAME_CHARS or name[0] == "-":
        raise ValueError(f"allowed: 1 to {MAX_NAME_CHARS} letters, digits, spaces, - _")
    return name


class Book:
    """One trainee's file. Raises Mistakes if it cannot be read or a line is not valid."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.entries: list[BookEntry] = list(_read(path))

    def add(self, entry: BookEntry) -> None:
        """Append a drill; it is on the disk when this returns. Raises Mistakes if it cannot be written."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a", encoding="utf-8") as file:
                file.write(entry.model_dump_json() + "\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise Mistakes([f"{self.path}: cannot be written: {error.strerror}"]) from error
        self.entries.append(entry)


def book_entry(
    dealt: DrillMarks, at: str, session: str, trainee: str, theme: str, rules: str, *, exam: bool = False
) -> BookEntry:
    facts: dict[str, Any] = {
        "at": at, "session": session, "trainee": trainee, "theme": theme, "rules": rules, "exam": exam,
    }  # fmt: skip
    return _ENTRY.validate_json(json.dumps(facts | dealt.as_json()))


def _read(path: Path) -> Sequence[BookEntry]:
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return ()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "no UTF-8"
        raise Mistakes([f"{path}: cannot be read: {reason}"]) from error
    return [_taken(path, number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]


def _taken(path: Path, number: int, line: str) -> BookEntry:
    try:
        return _ENTRY.validate_json(line)
    except ValidationError as error:
        words = f"{path}:{number}: {first_mistake(error, 'line')}; a practice writes one drill a line"
        raise Mistakes([words]) from error
