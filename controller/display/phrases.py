"""Words for the small things: money, chips, places, hands, lists.

Each takes plain public data and a catalogue. Money is whole cents in, "$1,250" out; the parser of a
hand's name knows the names that the core uses and nothing about cards.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from controller.display.catalogue import Catalogue

CHIPS = (100_000, 50_000, 10_000, 2_500, 500, 100)
"""The denominations that a dealer makes an amount from (command-line.md, mock)."""

_PLACE = re.compile(r"seat_([1-6])_([12])")
_HAND = re.compile(
    r"(?P<form>pair of|four|three)? ?(?P<rank>[2-9]|10|jack|queen|king|ace)s?(?P<high>[- ]high)?"
)


def money(cents: int) -> str:
    """Dollars, with cents where there are any: "$1,250", "$7.50"."""
    dollars, rest = divmod(abs(cents), 100)
    sign = "−" if cents < 0 else ""
    return f"{sign}${dollars:,}" + (f".{rest:02d}" if rest else "")


def joined(words: Sequence[str], last: str) -> str:
    """One after the other: "a, b or c"."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def chips(texts: Catalogue, cents: Iterable[int]) -> str:
    """The largest first: "three $100, two $25"."""
    counted = sorted(Counter(cents).items(), reverse=True)
    return ", ".join(f"{_number(texts, n)} {money(value)}" for value, n in counted)


def _number(texts: Catalogue, n: int) -> str:
    return texts.plain(f"numbers.{n}") if n <= 12 else f"{n} ×"


def made_of(cents: int, lying: Iterable[int] | None = None) -> list[int] | None:
    """The fewest chips that make the amount, of those that lie there where they are given; None where none
    do."""
    found: list[int] = []
    there = None if lying is None else Counter(lying)
    for chip in sorted(CHIPS if there is None else there, reverse=True):
        count = cents // chip if there is None else min(cents // chip, there[chip])
        found += [chip] * count
        cents -= count * chip
    return found if not cents else None


def place(texts: Catalogue, name: str) -> str:
    """What the dealer calls it: "middle card", "Seat 3 · card 1"."""
    if match := _PLACE.fullmatch(name):
        return texts.text("places.of_seat", {"seat": match[1], "card": match[2]}) or name
    return texts.plain(f"places.{name}")


def hand(texts: Catalogue, name: str) -> str:
    """A hand's name in this language; the core names hands in English."""
    if (whole := texts.node(f"hands.{name.replace(' ', '_')}")) is not None:
        return str(whole)
    match = _HAND.fullmatch(name)
    if match is None:
        return name
    form = "high" if match["high"] else (match["form"] or "").replace(" ", "_")
    number = "one" if form == "high" else "many"
    rank = texts.plain(f"ranks.{number}.{match['rank']}")
    return texts.text(f"hand_forms.{form}", {"rank": rank}) or name
