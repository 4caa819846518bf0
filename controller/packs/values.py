"""One value of a rule pack at a time: from what YAML gave to what the game needs, or what is allowed.

A parser takes an `At` (a value and where it stands) and returns the value or raises `Wrong` with what is
allowed there. Money is read from the characters of the file, never through a float. Nothing here knows
which values a pack has.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NoReturn, TypeAlias, TypeVar

from controller.files.yaml_lines import Lines, Path_
from controller.game.model.names import BONUS_PLACES, CROSS, Wager
from controller.game.model.rules import Odds, SettlementPass
from controller.game.rulebook.hands import HAND_LINES

_T = TypeVar("_T")
_Word = TypeVar("_Word", bound=str)

HOUSE = "house procedure"
"""The citation of what no text says."""


class Wrong(Exception):
    """What is allowed at a place of the file."""

    def __init__(self, at: At, words: str) -> None:
        super().__init__(words)
        self.at = at
        self.words = words


@dataclass(frozen=True, slots=True)
class At:
    """A value, and the file and key that it stands at."""

    lines: Lines
    path: Path_
    value: Any

    @property
    def text(self) -> str:
        """A scalar as a person reads it."""
        return str(self.value)

    def child(self, key: str | int) -> At:
        return At(self.lines, (*self.path, key), self.value[key])

    def fail(self, words: str) -> NoReturn:
        raise Wrong(self, f"allowed: {words}")

    def mapping(self, allowed: Collection[str], words: str = "") -> Mapping[str, Any]:
        """The value as a mapping whose keys are all among `allowed`."""
        if not isinstance(self.value, Mapping):
            self.fail(words or f"a mapping with {', '.join(allowed)}")
        for key in self.value:
            if key not in allowed:
                at = At(self.lines, (*self.path, key), self.value[key])
                raise Wrong(at, f"unknown key; allowed: {', '.join(allowed)}")
        return self.value

    def items(self, words: str) -> Iterator[At]:
        if not isinstance(self.value, list):
            self.fail(words)
        return (At(self.lines, (*self.path, n), item) for n, item in enumerate(self.value))


Parse: TypeAlias = Callable[[At], Any]

_MONEY = re.compile(r"\$?(\d{1,9})(?:\.(\d{1,2}))?")


def money(at: At) -> int:
    """Dollars as a person writes them, in whole cents."""
    match = _MONEY.fullmatch(at.text) if not isinstance(at.value, bool) else None
    if match is None:
        at.fail("an amount in dollars, whole cents, not below 0")
    return int(match[1]) * 100 + int((match[2] or "").ljust(2, "0"))


def dollars(cents: int) -> str:
    """An amount as a person writes it: ``$50,000`` or ``$12.50``."""
    return f"${cents // 100:,}" + (f".{cents % 100:02d}" if cents % 100 else "")


def whole(low: int, high: int) -> Callable[[At], int]:
    def parse(at: At) -> int:
        if type(at.value) is not int or not low <= at.value <= high:
            at.fail(f"a whole number from {low} to {high}")
        return at.value

    return parse


def optional(inner: Callable[[At], _T]) -> Callable[[At], _T | None]:
    """`null` is allowed too: the text sets nothing."""

    def parse(at: At) -> _T | None:
        if at.value is None:
            return None
        try:
            return inner(at)
        except Wrong as wrong:
            raise Wrong(wrong.at, f"{wrong.words}, or null") from None

    return parse


def flag(at: At) -> bool:
    if not isinstance(at.value, bool):
        at.fail("true or false")
    return at.value


def text(at: At) -> str:
    if not isinstance(at.value, str) or not at.value.strip():
        at.fail("words")
    return at.value


def word(choices: Collection[_Word]) -> Callable[[At], _Word]:
    def parse(at: At) -> _Word:
        for choice in choices:
            if at.value == str(choice):
                return choice
        return at.fail(", ".join(choices))

    return parse


def words(choices: Collection[_Word]) -> Callable[[At], tuple[_Word, ...]]:
    """A list of some of `choices`, each once."""

    def parse(at: At) -> tuple[_Word, ...]:
        each = word(choices)
        found = tuple(each(item) for item in at.items(f"a list of {', '.join(choices)}"))
        if len(set(found)) != len(found):
            at.fail(f"a list of {', '.join(choices)}, each once")
        return found

    return parse


def pair(low: int, high: int) -> Callable[[At], tuple[int, int]]:
    def parse(at: At) -> tuple[int, int]:
        allowed = f"a list of two whole numbers from {low} to {high}, the smaller first"
        found = [whole(low, high)(item) for item in at.items(allowed)]
        if len(found) != 2 or found[0] > found[1]:
            at.fail(allowed)
        return found[0], found[1]

    return parse


def odds(at: At) -> Odds:
    if at.value == "push":
        return "push"
    if type(at.value) is not int or not 1 <= at.value <= 100_000:
        at.fail("what it pays to 1, a whole number from 1, or push")
    return int(at.value)


def pay_table(least: str) -> Callable[[At], dict[str, Odds]]:
    """Odds for every hand from a royal flush down to `least` at least, none higher than those above it."""

    def parse(at: At) -> dict[str, Odds]:
        at.mapping(HAND_LINES)
        table = {line: odds(at.child(line)) for line in HAND_LINES if line in at.value}
        last = max(HAND_LINES.index(line) for line in (*table, least))
        missing = [line for line in HAND_LINES[: last + 1] if line not in table]
        if missing:
            raise Wrong(at, f"a hand without odds: {', '.join(missing)}; allowed: odds for each, or push")
        worth = [(line, 0 if what == "push" else what) for line, what in table.items()]
        for (_, above), (line, below) in pairwise(worth):
            if below > above:
                at.child(line).fail(f"no more than the next higher hand pays, {above} to 1")
        return table

    return parse


DEAL_STEPS = (
    "stack cross", "stack seats", "cards cross", "cards seats",
    *(f"card {place}" for place in (*CROSS, *BONUS_PLACES)),
)  # fmt: skip


def deal_steps(at: At) -> tuple[str, ...]:
    """The deal of one way of dealing: two cards to each seat, one to each box of the cross."""
    allowed = f"a list of {', '.join(DEAL_STEPS)}"
    steps = tuple(word(DEAL_STEPS)(item) for item in at.items(allowed))
    to_seats = steps.count("cards seats") + 2 * steps.count("stack seats")
    cross = steps.count("cards cross") + steps.count("stack cross")
    boxes = [steps.count(f"card {place}") + cross for place in CROSS]
    bonus = [steps.count(f"card {place}") for place in BONUS_PLACES]
    if to_seats != 2 or set(boxes) != {1} or set(bonus) not in ({0}, {1}):
        at.fail("two cards to each seat, one to each of the five boxes, one to each bonus place or none")
    return steps


def passes(at: At) -> tuple[SettlementPass, ...]:
    """The walks over the seats at settlement."""
    return tuple(_walk(item) for item in at.items("a list of walks, each with groups"))


def _walk(at: At) -> SettlementPass:
    given = at.mapping(("before", "turn", "groups"))
    if "groups" not in given:
        at.fail("groups, and where wanted before and turn")
    turn = word(("seat", "nothing"))(at.child("turn")) if "turn" in given else "nothing"
    before = word(("bonus_cards", "nothing"))(at.child("before")) if "before" in given else "nothing"
    groups = tuple(_group(item) for item in at.child("groups").items("a list of groups with do and wagers"))
    return SettlementPass(groups, turn, before)  # type: ignore[arg-type]


def _group(at: At) -> tuple[tuple[str, ...], tuple[Wager, ...]]:
    given = at.mapping(("do", "wagers"))
    if set(given) != {"do", "wagers"}:
        at.fail("do and wagers")
    return words(("take", "push", "pay"))(at.child("do")), words(tuple(Wager))(at.child("wagers"))
