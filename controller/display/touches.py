"""A touch on the screen, from JSON to an event: strict, one line for what is wrong.

Every touch of the page is one JSON object; `parse` checks each key and gives the event that the core
knows. It decides nothing about the game (the table verifies that) and repeats no value that was sent:
a refused body may hold a face.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from controller.game.model import events
from controller.game.model.cards import parse_card
from controller.game.model.irregularities import FLOOR_CHOICES, OF_PLAYER, REPORTS
from controller.game.model.names import Key, Method, Place, Wager

MAXIMUM_CENTS = 100_000_000
HOLDERS = ("player", "house")
"""Who has chips that left a circle unseen."""
DECISIONS = (
    "approve", "refuse", "outcome", "forfeit", "recut", "shuffle", "player", "method", "sign", "close",
)  # fmt: skip
BACKS = re.compile(r"[a-z]{1,16}")
BADGE = re.compile(r"[A-Za-z0-9-]{1,16}")
_SEAT_CARD = re.compile(r"seat_[1-6]_[12]")

Check = Callable[[Any], Any]


class TouchError(ValueError):
    """`key: what is allowed`."""


def parse(body: bytes) -> events.PeopleEvent:
    """The event that a body asks for; TouchError says in one line what is allowed."""
    touch = _decode(body)
    do = touch.pop("do", None)
    if not isinstance(do, str) or do not in _TOUCHES:
        raise TouchError(f"do: one of {' '.join(_TOUCHES)}")
    checks, required, make = _TOUCHES[do]
    for key in touch:
        if key not in checks:
            raise TouchError(f"{_shown(key)}: not a key of {do}; allowed are {' '.join(checks) or 'none'}")
    for key in required:
        if key not in touch:
            raise TouchError(f"{key}: must be given for {do}")
    return make(**{key: _checked(key, checks[key], value) for key, value in touch.items()})


def _decode(body: bytes) -> dict[str, Any]:
    try:
        touch = json.loads(body, object_pairs_hook=_once, parse_constant=_no_constant)
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise TouchError("body: one JSON object in UTF-8") from error
    if not isinstance(touch, dict):
        raise TouchError("body: one JSON object")
    return touch


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) != len(pairs):
        raise TouchError("body: each key once")
    return dict(pairs)


def _no_constant(_name: str) -> None:
    raise TouchError("body: numbers are whole")


def _shown(key: str) -> str:
    return key if re.fullmatch(r"[a-z_]{1,24}", key) else "unknown key"


def _checked(key: str, check: Check, value: Any) -> Any:
    try:
        return check(value)
    except ValueError as error:
        raise TouchError(f"{key}: {error}") from None


# ------------------------------------------------------------------ what a value may be


def _one_of(names: tuple[str, ...]) -> Check:
    def check(value: Any) -> str:
        if not isinstance(value, str) or value not in names:
            raise ValueError(f"one of {' '.join(names)}")
        return names[names.index(value)]

    return check


def _whole(least: int, most: int) -> Check:
    def check(value: Any) -> int:
        if type(value) is not int or not least <= value <= most:
            raise ValueError(f"a whole number from {least} to {most}")
        return value

    return check


def _form(pattern: re.Pattern[str], allowed: str) -> Check:
    def check(value: Any) -> str:
        if not isinstance(value, str) or not pattern.fullmatch(value):
            raise ValueError(allowed)
        return value

    return check


def _optional(check: Check) -> Check:
    return lambda value: None if value is None else check(value)


def _place(*further: str) -> Check:
    named = (*(str(p) for p in Place), *further)

    def check(value: Any) -> str:
        if isinstance(value, str) and (value in named or _SEAT_CARD.fullmatch(value)):
            return value
        raise ValueError(f"one of {' '.join(named)} or seat_1_1 to seat_6_2")

    return check


def _face(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("a card as two letters, for example TH")  # noqa: TRY004  # the checks raise one kind
    return parse_card(value)


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError("true or false")  # noqa: TRY004
    return value


def _seats(value: Any) -> tuple[int, ...]:
    if not isinstance(value, list) or len(value) > 6 or len({str(v) for v in value}) != len(value):
        raise ValueError("a list of seats, each once")
    return tuple(_SEAT(v) for v in value)


def _reason(value: Any) -> str:
    if not isinstance(value, str) or len(value) > 200 or not (value.isprintable()):
        raise ValueError("up to 200 printable characters")
    return value


_SEAT = _whole(1, 6)
_BADGE = _form(BADGE, "1 to 16 letters, digits or hyphens")
_BACK = _form(BACKS, "a colour in small letters")

# ------------------------------------------------------------------ the touches themselves


def _press(key: str) -> events.KeyPressed:
    return events.KeyPressed(Key(key))


def _amount(seat: int, wager: str, cents: int) -> events.AmountEntered:
    return events.AmountEntered(seat, Wager(wager), cents)


def _decide(
    decision: str, method: str | None = None, wager: str | None = None, **rest: Any
) -> events.FloorDecided:
    circle = Wager(wager) if wager else None
    return events.FloorDecided(
        decision=decision, method=Method(method) if method else None, wager=circle, **rest
    )


def _correct(wager: str, **rest: Any) -> events.RoundCorrected:
    return events.RoundCorrected(wager=Wager(wager), **rest)


def _deck(back: str | None = None, preshuffled: bool = False, same: bool = False) -> events.DeckBrought:
    if back is None and not same:
        raise TouchError("back: must be given unless same is true")
    return events.DeckBrought(back, preshuffled, same)


_Touch = tuple[Mapping[str, Check], tuple[str, ...], Callable[..., events.PeopleEvent]]
_TOUCHES: Mapping[str, _Touch] = {
    "press": ({"key": _one_of(tuple(Key))}, ("key",), _press),
    "amount": (
        {"seat": _SEAT, "wager": _one_of(tuple(Wager)), "cents": _whole(0, MAXIMUM_CENTS)},
        ("seat", "wager", "cents"),
        _amount,
    ),
    "enter": ({"place": _place("set_aside"), "face": _face}, ("place", "face"), events.FaceEntered),
    "report": (
        {
            "what": _one_of(tuple(REPORTS)),
            "seat": _optional(_SEAT),
            "place": _optional(_place("cross")),
            "number": _optional(_whole(0, 60)),
            "face": _optional(_face),
        },
        ("what",),
        events.Reported,
    ),
    "swap": ({"first": _place(), "second": _place()}, ("first", "second"), events.CardsSwapped),
    "sign_on": ({"number": _BADGE}, ("number",), events.DealerSignedOn),
    "relieve": ({}, (), events.DealerRelieved),
    "floor": (
        {
            "badge": _BADGE,
            "decision": _one_of(DECISIONS),
            "outcome": _optional(_one_of(FLOOR_CHOICES)),
            "seat": _optional(_SEAT),
            "seats": _seats,
            "method": _optional(_one_of(tuple(Method))),
            "reason": _reason,
            "wager": _optional(_one_of(tuple(Wager))),
            "code": _one_of(OF_PLAYER),
            "holder": _one_of(HOLDERS),
        },
        ("badge", "decision"),
        _decide,
    ),
    "correct": (
        {
            "badge": _BADGE,
            "round": _whole(1, 10**9),
            "seat": _SEAT,
            "wager": _one_of(tuple(Wager)),
            "cents": _whole(-MAXIMUM_CENTS, MAXIMUM_CENTS),
            "reason": _reason,
        },
        ("badge", "round", "seat", "wager", "cents", "reason"),
        _correct,
    ),
    "deck": ({"back": _optional(_BACK), "preshuffled": _flag, "same": _flag}, (), _deck),
}
