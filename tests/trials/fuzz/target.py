"""Definition of a target, and guarantees that several targets check."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias

from controller.common.files.mistakes import Mistakes
from controller.game.model.cards import DECK

ROOT = Path(__file__).parents[3]
FOUND = Path(__file__).with_name("found")
"""Folder of inputs that once violated a guarantee, by target. They are seeds of the target."""
LONGEST_LINE = 4000
"""Maximum characters of one line of an error: some keys allow a hundred words."""
FACE = re.compile(r"\b(?:10|[2-9TJQKA])[SHDC]\b")
Trial: TypeAlias = Callable[[bytes], None]


class GuaranteeBroken(AssertionError):
    """Raised if a guarantee is violated."""


@dataclass(frozen=True)
class Target:
    """One parser to be fuzzed. `trial`: checks its guarantees for an input; `seeds()`: inputs that are
    mutated; `words`: useful insertions; `longest`: maximum length of an input in bytes."""

    name: str
    trial: Trial
    own_seeds: Callable[[], Iterable[bytes]]
    words: Sequence[bytes] = ()
    longest: int = 4096
    examples: int = 100
    """Number of generated inputs in the test."""

    def seeds(self) -> list[bytes]:
        return [*self.own_seeds(), *(file.read_bytes() for file in self.found())]

    def found(self) -> list[Path]:
        return sorted((FOUND / self.name).glob("*"))


def guarantee(kept: object, words: str) -> None:
    if not kept:
        raise GuaranteeBroken(words)


def one_line(text: str) -> None:
    """Check that a message is one line of readable length and not empty."""
    guarantee(text.strip(), "a mistake without words")
    guarantee(len(text.splitlines()) == 1, f"a mistake of several lines: {text!r}")
    guarantee(len(text) <= LONGEST_LINE, f"a mistake of {len(text)} characters: {text[:200]!r}")


def no_face(text: str, given: Iterable[str] = DECK) -> None:
    """Check that no face is in the text as a separate word."""
    shown = set(FACE.findall(text)) & set(given)
    guarantee(not shown, f"{len(shown)} faces are shown")


def faces(data: bytes) -> set[str]:
    """Return the texts in the bytes that look like the face of a card (10H, QS)."""
    return set(FACE.findall(data.decode("latin-1")))


@contextmanager
def file_of(data: bytes, name: str) -> Iterator[Path]:
    with TemporaryDirectory(prefix="fuzz-") as folder:
        path = Path(folder) / name
        path.write_bytes(data)
        yield path


def check_accepted_or_refused(read: Callable[[Path], object], path: Path) -> bool:
    """Return whether the file was accepted; if not, check that every mistake is reported as `file:line:
    words`."""
    try:
        read(path)
    except Mistakes as mistakes:
        guarantee(mistakes.lines, "mistakes, and none is named")
        for line in mistakes.lines:
            one_line(line)
            guarantee(re.match(r".+?:[1-9]\d*: .", line), f"no file and line: {line!r}")
        return False
    return True
