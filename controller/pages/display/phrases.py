"""Phrases for single values: money, chips, places, hands and lists as text.

Each function takes plain public data and a catalogue. Money is an argument in whole cents and a result such
as "$1,250".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from controller.common.files.money import dollars
from controller.common.texts.catalogue import Catalogue
from controller.game.model.chips import fewest_chips
from controller.game.model.rules import HOUSE_PROCEDURE
from controller.game.showing.view import Hand

_PLACE = re.compile(r"seat_([1-6])_([12])")


def joined(words: Sequence[str], last: str) -> str:
    """Return the items as a list in one phrase: "a, b or c". `last`: the conjunction."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def chips(texts: Catalogue, cents: Iterable[int]) -> str:
    """Return chips as text, the largest value first: "three $100, two $25"."""
    counted = sorted(Counter(cents).items(), reverse=True)
    return ", ".join(f"{_number(texts, n)} {dollars(value)}" for value, n in counted)


def stack(texts: Catalogue, groups: Iterable[Iterable[int]]) -> str:
    """Return a stack as text, in order of arrival: "one $25; then two $5"."""
    return f"; {texts.plain('joins.then')} ".join(chips(texts, group) for group in groups)


def _number(texts: Catalogue, n: int) -> str:
    return texts.plain(f"numbers.{n}") if n <= 12 else f"{n} ×"


def made_of(cents: int, house: Sequence[int], lying: Iterable[int] | None = None) -> list[int] | None:
    """Return the values of the fewest chips that make the amount, or None if none make it.

    The values come from `house`, or from the chips in `lying` if given.
    """
    there = None if lying is None else Counter(lying)
    found, over = fewest_chips(cents, house if there is None else there, there)
    return list(found) if not over else None


def exchange(cents: int, house: Sequence[int], lying: Iterable[int]) -> tuple[list[int], list[int]] | None:
    """Find an exchange of chips by which a circle loses `cents` if its own chips cannot make that amount:
    return (chips to take, chips to add).

    The smallest chip above the amount is taken; without one, the largest chips are. Returns None if chips of
    the house's values cannot make the change. `house`: values of its chips; `lying`: chips in the circle.
    """
    there = sorted(lying)
    out = next(([chip] for chip in there if chip > cents), [])
    while not out or sum(out) < cents:
        if not there:
            return None
        out.append(there.pop())
    back = made_of(sum(out) - cents, house)
    return (out, back) if back else None


def place(texts: Catalogue, name: str) -> str:
    """Return the name of a place for the dealer: "middle card", "Seat 3 · card 1"."""
    if match := _PLACE.fullmatch(name):
        return texts.text("places.of_seat", {"seat": match[1], "card": match[2]}) or name
    return texts.plain(f"places.{name}")


def citation(texts: Catalogue, cited: str | None) -> str | None:
    """Return a cited section as written; house procedure is named in the reader's language."""
    return texts.plain("house_procedure") if cited == HOUSE_PROCEDURE else cited


def face(texts: Catalogue, card: str) -> str:
    """Return a card as people write it: 10♠."""
    rank, suit = card[0], card[1]
    return f"{'10' if rank == 'T' else rank}{texts.plain(f'suits.{suit}')}"


def hand(texts: Catalogue, named: Hand) -> str:
    """Return the name of a hand. A pair and a high card are named with their rank, other hands by their
    category."""
    forms = {"pair": ("pair_of", "many"), "high_card": ("high", "one")}
    if named["category"] not in forms:
        return texts.plain(f"hands.{named['category']}")
    form, number = forms[named["category"]]
    rank = texts.plain(f"ranks.{number}.{named['ranks'][0]}")
    return texts.text(f"hand_forms.{form}", {"rank": rank}) or ""
