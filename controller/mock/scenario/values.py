"""The small words of a scenario file: cards, wagers, places, times.

Each reader takes one YAML node and gives data or a Mistake that says what is allowed. No step is
known here; see `file.py`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal

from controller.game.model.cards import parse_card
from controller.game.model.names import BETS, BONUS_PLACES, CROSS, SEATS, Place, Wager
from controller.mock.scenario.nodes import Here
from controller.mock.scenario.steps import Amount, CardToken, Decision, Fold, Multiple

STRANGE = ("unknown", "withdrawn", "copy")
"""Chips that are no wager: not the house's, out of use, with the UID of another that lies on the table."""
LAID_BEFORE = (Wager.ANTE_ACROSS, Wager.ANTE_DOWN, Wager.FIVE_CARD_BONUS, Wager.SIX_CARD_BONUS)
CARD_PLACES = (
    *(str(place) for place in Place),
    *(f"seat_{s}_{n}" for s in SEATS for n in (1, 2)),
)
ENTRY_PLACES = (*CARD_PLACES, "set_aside")

_DURATION = re.compile(r"(?P<sign>[+-]?)(?:(?P<d>\d+)d)?(?:(?P<h>\d+)h)?(?:(?P<m>\d+)m)?(?:(?P<s>\d+)s)?")
_TIMES = re.compile(r"(\d+(?:\.\d+)?)x")


def seat(here: Here) -> int:
    return here.number("a seat", SEATS[0], SEATS[-1])


def face(here: Here) -> str:
    """A face in two letters."""
    try:
        return parse_card(here.raw())
    except ValueError as error:
        here.fail(f"no card: {error}")


def card(here: Here, word: str, *, up_allowed: bool) -> CardToken:
    """``TD``, ``^TD`` where a card may be found face up, ``??`` not read."""
    if word == "??":
        return CardToken(None, read=False)
    up = word.startswith("^")
    if up and not up_allowed:
        here.fail(f"{word}: a card found face up is put there with shoe:")
    try:
        return CardToken(parse_card(word.removeprefix("^")), up=up)
    except ValueError as error:
        here.fail(f"no card: {error}; ?? is a card not read" + (", ^TD found face up" if up_allowed else ""))


def cards(here: Here, what: str, most: int, *, up_allowed: bool = False) -> tuple[CardToken, ...]:
    """``TD 9S`` as text or as a list."""
    words = [item.raw() for item in here.items(what)] if here.is_list() else here.text(what).split()
    if not 0 < len(words) <= most:
        here.fail(f"{what}: from 1 to {most} cards, each like TD")
    return tuple(card(here, word, up_allowed=up_allowed) for word in words)


def places(here: Here, what: str, order: tuple[Place, ...]) -> Mapping[Place, CardToken]:
    """All the places in their order as text, or some of them as a mapping."""
    if here.is_mapping():
        named = here.mapping(what, order)
        return {Place(name): card(value, value.text(what), up_allowed=False) for name, value in named.items()}
    found = cards(here, what, len(order))
    if len(found) != len(order):
        here.fail(f"{what}: {len(order)} cards in the order {' '.join(order)}, or a mapping of places")
    return dict(zip(order, found, strict=True))


def cross(here: Here) -> Mapping[Place, CardToken]:
    return places(here, "cross", CROSS)


def bonus_cards(here: Here) -> Mapping[Place, CardToken]:
    return places(here, "bonus", BONUS_PLACES)


def place(here: Here) -> Place:
    return Place(here.word("a place", tuple(Place)))


def amount(here: Here, what: str) -> Amount:
    """Dollars, or the chips by name: ``[25, 5]``, ``[25, unknown]``."""
    if here.is_list():
        items = list(here.items(what))
        strange = tuple(item.raw() for item in items if item.raw() in STRANGE)
        chips = tuple(item.cents(f"{what}: a chip") for item in items if item.raw() not in STRANGE)
        return Amount(sum(chips), chips, strange)
    return Amount(here.cents(what))


def decision(here: Here, what: str) -> Decision:
    """``1x``, dollars, the chips by name, or ``fold``."""
    if here.raw().lower() == "fold":
        return Fold()
    if times := _TIMES.fullmatch(here.raw()):
        return Multiple(Decimal(times[1]))
    if not here.is_list() and not re.fullmatch(r"\$?\d+(\.\d+)?", here.raw()):
        here.fail(f"{what}: allowed: 1x, 2x, 3x, an amount in dollars, fold")
    return amount(here, what)


def wager(here: Here) -> Wager:
    return Wager(here.word("a wager", tuple(Wager)))


def is_bet(name: Wager) -> bool:
    return name in BETS


def milliseconds(here: Here, what: str) -> int:
    """``3h55m``, ``-1h``, ``90s``."""
    found = _DURATION.fullmatch(here.raw())
    if not found or not any(found[unit] for unit in "dhms"):
        here.fail(f"{what} is a time such as 3h55m, 90s or -1h")
    seconds = sum(
        int(found[unit] or 0) * size for unit, size in zip("dhms", (86400, 3600, 60, 1), strict=True)
    )
    return seconds * (-1000 if found["sign"] == "-" else 1000)
