"""`report`, `enter` and `floor` of a scenario file, as the bodies that the dealer's screen and the
floor page send. Nothing is sent here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from controller.game.model.irregularities import FLOOR_CHOICES, OF_PLAYER, REPORTS, Asked
from controller.game.model.names import BONUS_PLACES, CROSS, Method
from controller.mock.scenario import values as words
from controller.mock.scenario.nodes import Here

DEFAULT_BADGE = "B1"
HOLDERS = ("player", "house")


def _seat(here: Here) -> dict[str, Any]:
    return {"seat": words.seat(here)}


def _place(here: Here) -> dict[str, Any]:
    return {"place": here.word("a place of the cross", tuple(CROSS))}


def _number(low: int, high: int) -> Callable[[Here], dict[str, Any]]:
    return lambda here: {"number": here.number("a number", low, high)}


def _true(here: Here) -> dict[str, Any]:
    here.true("a report")
    return {}


def _wrong_count(here: Here) -> dict[str, Any]:
    keys = here.mapping("wrong_count", ("seat", "cards", "cross"))
    if set(keys) == {"cross"}:
        return {"number": keys["cross"].number("cross", 0, 52)}
    if set(keys) != {"seat", "cards"}:
        here.fail("wrong_count: {seat: 2, cards: 3} or {cross: 4}")
    return {"seat": words.seat(keys["seat"]), "number": keys["cards"].number("cards", 0, 52)}


def _differs(here: Here) -> dict[str, Any]:
    place, value = _one(here, "card_differs")
    return {"place": place, "face": words.face(value)}


def _anywhere(here: Here) -> dict[str, Any]:
    return {"place": here.word("a place", words.CARD_PLACES)}


FORMS: Mapping[tuple[Asked, ...], Callable[[Here], dict[str, Any]]] = {
    (): _true,
    (Asked.SEAT,): _seat,
    (Asked.HAND, Asked.COUNT): _wrong_count,
    (Asked.CROSS_PLACE,): _place,
    (Asked.PLACE,): _anywhere,
    (Asked.PLACE, Asked.FACE): _differs,
    (Asked.BONUS,): _number(1, len(BONUS_PLACES)),
    (Asked.STUB,): _number(0, 52),
}
"""How a scenario gives what a report asks for."""


def _one(here: Here, what: str) -> tuple[str, Here]:
    """The single pair of a mapping from a place to a face."""
    pairs = list(here.pairs(what))
    if len(pairs) != 1:
        here.fail(f"{what}: one place and its face, such as {{middle: TH}}")
    key, value = pairs[0]
    return key.word("a place", words.ENTRY_PLACES), value


def report(here: Here) -> dict[str, Any]:
    keys = here.mapping("report", tuple(REPORTS))
    if len(keys) != 1:
        here.fail(f"report: one of {', '.join(REPORTS)}")
    what, value = next(iter(keys.items()))
    asks = next(report.asks for name, report in REPORTS.items() if name == what)
    return {"do": "report", "what": what, **FORMS[asks](value)}


def enter(here: Here) -> dict[str, Any]:
    place, value = _one(here, "enter")
    return {"do": "enter", "place": place, "face": words.face(value)}


# ------------------------------------------------------------------------------ the floor


def _approve(here: Here) -> dict[str, Any]:
    return {"decision": "approve" if here.flag("approve") else "refuse"}


def _outcome(here: Here) -> dict[str, Any]:
    return {"decision": "outcome", "outcome": here.word("outcome", FLOOR_CHOICES)}


def _player(here: Here) -> dict[str, Any]:
    keys = here.mapping("player", ("seats",))
    if "seats" not in keys:
        here.fail("player: {seats: [2, 3]}")
    seats = [words.seat(item) for item in keys["seats"].items("seats")]
    if not seats:
        keys["seats"].fail("seats: at least one seat")
    return {"decision": "player", "seats": seats}


def _word(decision: str) -> Callable[[Here], dict[str, Any]]:
    def read(here: Here) -> dict[str, Any]:
        here.true(decision)
        return {"decision": decision}

    return read


def _method(here: Here) -> dict[str, Any]:
    return {"decision": "method", "method": here.word("method", tuple(Method))}


DECISIONS: Mapping[str, Callable[[Here], dict[str, Any]]] = {
    "approve": _approve,
    "outcome": _outcome,
    "forfeit": lambda here: {"decision": "forfeit", **_seat(here)},
    "recut": _word("recut"),
    "shuffle": _word("shuffle"),
    "player": _player,
    "method": _method,
    "sign": _word("sign"),
    "close": _word("close"),
}


SIGNED_FOR: Mapping[str, Callable[[Here], dict[str, Any]]] = {
    "seat": _seat,
    "wager": lambda here: {"wager": str(words.wager(here))},
    "holder": lambda here: {"holder": here.word("holder", HOLDERS)},
}
"""Which circle is signed for (else all that waits), and who has the chips that left it unseen."""


def floor(here: Here) -> dict[str, Any]:
    keys = here.mapping("floor", (*DECISIONS, "badge", "reason", "code", *SIGNED_FOR))
    chosen = [name for name in keys if name in DECISIONS]
    if len(chosen) != 1:
        here.fail(f"floor: one decision of {', '.join(DECISIONS)}")
    body: dict[str, Any] = {"do": "floor", "badge": DEFAULT_BADGE}
    if "code" in keys:
        if chosen != ["forfeit"]:
            keys["code"].fail("code: beside forfeit alone")
        body["code"] = keys["code"].word("code", OF_PLAYER)
    for name in (name for name in SIGNED_FOR if name in keys):
        if chosen != ["sign"]:
            keys[name].fail(f"{name}: beside sign alone")
        body |= SIGNED_FOR[name](keys[name])
    if "badge" in keys:
        body["badge"] = keys["badge"].text("badge")
    if "reason" in keys:
        body["reason"] = keys["reason"].text("reason")
    return {**body, **DECISIONS[chosen[0]](keys[chosen[0]])}
