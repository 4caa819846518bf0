"""`expect` of a scenario file: what is wanted, and whether a view and a record hold it.

Reading and comparing stand side by side, so that both mean the same. It waits for nothing; the
runner does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, cast

from controller.display.words import render
from controller.game.model.irregularities import CATALOGUE
from controller.game.model.names import BETS, CROSS, Phase, Wager
from controller.game.showing.lamps import LampState
from controller.game.showing.view import View as PublicView
from controller.mock.scenario import values as words
from controller.mock.scenario.nodes import Here
from controller.mock.scenario.steps import ExpectStep

View = Mapping[str, Any]
LAMPS = tuple(state.value for state in LampState)
SAID = {LampState.DEAL.value: LampState.ACCEPTED.value}
"""A lamp state of this table's own -> the contract's word for what the dealer sees."""
CODES = tuple(CATALOGUE)
RESULTS = ("win", "push", "lose", "forfeit", "returned")
MONEY = ("amount", "payout", "uncut", "paid", "taken")
"""Keys of a record that hold cents; a scenario file writes dollars."""


# ------------------------------------------------------------------------------- reading


def _lamps(here: Here) -> dict[int, dict[str, str]]:
    return {
        words.seat(seat): {
            key.word("a circle", tuple(Wager)): value.word("a lamp", LAMPS)
            for key, value in circles.pairs("the lamps of a seat")
        }
        for seat, circles in here.pairs("lamps")
    }


def _due(here: Here) -> dict[str, Any] | None:
    if here.is_null():
        return None
    keys = here.mapping("due", ("seat", "wager", "result", "amount"))
    readers: dict[str, Callable[[Here], Any]] = {
        "seat": words.seat,
        "wager": lambda value: str(words.wager(value)),
        "result": lambda value: value.word("result", ("win", "push", "lose")),
        "amount": lambda value: value.cents("amount"),
    }
    return {key: readers[key](value) for key, value in keys.items()}


def _shown(here: Here) -> list[str]:
    if here.is_null():
        return []
    if not here.is_list():
        return [token.face for token in words.cards(here, "shown", 52) if token.face]
    return [words.face(item) for item in here.items("shown")]


def _codes(here: Here) -> tuple[str, ...]:
    if here.is_list():
        return tuple(item.word("alert", CODES) for item in here.items("alert"))
    return (here.word("alert", CODES),)


def _no_alert(here: Here) -> bool:
    here.true("no_alert")
    return True


def _record_words(here: Here) -> None:
    """The names that a misspelling would make wait for ever: wagers and their results."""
    for seats in _under(here, "seats"):
        for _, seat in seats.pairs("seats") if seats.is_mapping() else ():
            for wagers in _under(seat, "wagers"):
                _wager_words(wagers)


def _wager_words(here: Here) -> None:
    for entry in here.mapping("wagers", tuple(Wager)).values() if here.is_mapping() else ():
        for result in _under(entry, "result"):
            if not result.is_null():
                result.word("result", RESULTS)


def _under(here: Here, key: str) -> list[Here]:
    """What stands under a key of a mapping; nothing where there is no such key, or no mapping."""
    return [value for name, value in here.pairs(key) if name.raw() == key] if here.is_mapping() else []


def _record(here: Here) -> Any:
    if not here.is_mapping():
        here.fail("record is a mapping: any part of the round record")
    _record_words(here)
    return here.plain()


READERS: Mapping[str, Callable[[Here], Any]] = {
    "phase": lambda here: str(here.word("phase", tuple(Phase))),
    "prompt": lambda here: here.text("prompt"),
    "lamps": _lamps,
    "alert": _codes,
    "no_alert": _no_alert,
    "due": _due,
    "shown": _shown,
    "record": _record,
}


def expect(here: Here, within: Here | None = None) -> ExpectStep:
    keys = here.mapping("expect", (*READERS, "within"))
    limit = within or keys.pop("within", None)
    if not keys:
        here.fail(f"expect: something of {', '.join(READERS)}")
    seconds = float(limit.decimal("within, in seconds")) if limit else 5.0
    if not 0 <= seconds <= 3600:
        (limit or here).fail("within: from 0 to 3600 seconds")
    return ExpectStep({key: READERS[key](value) for key, value in keys.items() if key != "within"}, seconds)


# ------------------------------------------------------------------------------ comparing


def differences(wanted: Mapping[str, Any], view: View, record: View | None) -> list[str]:
    """What is not so, each as ``key: expected …, seen …``; empty when all of it is so."""
    return [line for key, value in wanted.items() for line in CHECKS[key](value, view, record)]


def _check_phase(wanted: str, view: View, _record: View | None) -> Iterator[str]:
    if view["phase"] != wanted:
        yield f"phase: expected {wanted}, seen {view['phase']}"


def prompt_words(view: View) -> str:
    """What the dealer reads. Without wires the words do not come with the view."""
    said = view.get("words") or render(cast("PublicView", view), "en")
    return str(said.get("prompt") or "")


def _check_prompt(wanted: str, view: View, _record: View | None) -> Iterator[str]:
    kind = str((view.get("prompt") or {}).get("kind") or "")
    seen = prompt_words(view)
    if wanted.casefold() not in seen.casefold() and wanted != kind:
        yield f"prompt: expected {wanted!r} in it, seen {seen!r}"


def circles(view: View) -> dict[tuple[int, str], Mapping[str, Any]]:
    return {
        (seat["seat"], name): circle for seat in view["seats"] for name, circle in seat["circles"].items()
    }


def _check_lamps(wanted: Mapping[int, Mapping[str, str]], view: View, _record: View | None) -> Iterator[str]:
    found = circles(view)
    for seat, lamps in wanted.items():
        for name, lamp in lamps.items():
            circle = found.get((seat, name))
            seen = _lamp_words(view, seat, name, circle) if circle else ("no such circle",)
            if lamp not in seen:
                yield f"lamp of seat {seat} {name}: expected {lamp}, seen {seen[0]}"


def _lamp_words(view: View, seat: int, name: str, circle: Mapping[str, Any]) -> tuple[str, ...]:
    """What a lamp shows, in the code's word and the contract's; dark where one may bet is `open` too."""
    lamp = str(circle["lamp"])
    if lamp == "off" and not circle["amount"] and _may_bet(view, seat, name):
        return lamp, "open"
    return lamp, SAID.get(lamp, lamp)


def _may_bet(view: View, seat: int, name: str) -> bool:
    if view["phase"] == "betting":
        return name not in BETS
    box = view["seats"][seat - 1]
    return bool(name == view["phase"] and box["in_round"] and not box["folded_at"] and not box["forfeited"])


def alert_codes(view: View, *, above_notice: bool = False) -> list[str]:
    codes = [alert["code"] for alert in view["alerts"] if not above_notice or alert["grade"] != "notice"]
    return codes + ([view["hold"]["code"]] if view["hold"] else [])


def _check_alert(wanted: Sequence[str], view: View, _record: View | None) -> Iterator[str]:
    seen = alert_codes(view)
    for code in wanted:
        if code not in seen:
            yield f"alert: expected {code}, seen {', '.join(seen) or 'none'}"


def _check_no_alert(_wanted: bool, view: View, _record: View | None) -> Iterator[str]:
    if seen := alert_codes(view, above_notice=True):
        yield f"no_alert: expected none, seen {', '.join(seen)}"


def _check_due(wanted: Mapping[str, Any] | None, view: View, _record: View | None) -> Iterator[str]:
    seen = view["due"]
    if (wanted is None) != (seen is None) or any(
        seen.get(key) != value for key, value in (wanted or {}).items()
    ):
        yield f"due: expected {wanted}, seen {seen}"


def shown_faces(view: View) -> list[str]:
    """Every face that the view shows, wherever it stands."""
    lying = [*view["cross"].values(), *(view["bonus_cards"] or ())]
    lying += [card for seat in view["seats"] for card in seat["cards"]]
    return sorted(card["face"] for card in lying if card["face"])


def _check_shown(wanted: Sequence[str], view: View, _record: View | None) -> Iterator[str]:
    seen = shown_faces(view)
    if sorted(wanted) != seen:
        yield f"shown: expected {' '.join(sorted(wanted)) or 'none'}, seen {' '.join(seen) or 'none'}"


def _check_record(wanted: Any, _view: View, record: View | None) -> Iterator[str]:
    if record is None:
        yield "record: expected one, no round has ended yet"
        return
    yield from _compare("record", wanted, record)


def _compare(path: str, wanted: Any, seen: Any) -> Iterator[str]:
    """Every part of `wanted` is in `seen`; mappings by their keys, lists one by one."""
    key = path.rpartition(".")[2]
    if isinstance(wanted, Mapping):
        yield from _compare_mapping(path, wanted, seen)
    elif isinstance(wanted, list) and isinstance(seen, list) and len(wanted) == len(seen):
        for number, (one, other) in enumerate(zip(wanted, seen, strict=True), 1):
            yield from _compare(f"{path}.{number}", one, other)
    elif not _same(key, wanted, seen):
        yield f"{path}: expected {wanted!r}, seen {seen!r}"


def _compare_mapping(path: str, wanted: Mapping[Any, Any], seen: Any) -> Iterator[str]:
    if isinstance(seen, list) and path.endswith("seats"):
        seen = {str(seat["seat"]): seat for seat in seen}
    if not isinstance(seen, Mapping):
        yield f"{path}: expected {dict(wanted)!r}, seen {seen!r}"
        return
    for key, value in wanted.items():
        if str(key) not in seen:
            names = ", ".join(str(name) for name in seen) or "nothing"
            yield f"{path}.{key}: expected {value!r}, seen nothing of that name; there is {names}"
        else:
            yield from _compare(f"{path}.{key}", value, seen[str(key)])


def _same(key: str, wanted: Any, seen: Any) -> bool:
    """Equal as a person means it: `cross` and `cards` may be one line; money is in dollars. The cents of the
    record are taken for what they are too, since a part of a record may have been copied here."""
    if isinstance(wanted, str) and isinstance(seen, Mapping) and set(seen) == set(CROSS):
        return wanted.split() == [seen[place] for place in CROSS]
    if isinstance(wanted, str) and isinstance(seen, list):
        return wanted.split() == seen
    if key in MONEY and isinstance(wanted, int | float) and not isinstance(wanted, bool) and seen is not None:
        return bool(Decimal(str(wanted)) * 100 == seen or wanted == seen)
    return bool(wanted == seen and isinstance(wanted, bool) == isinstance(seen, bool))


CHECKS: Mapping[str, Callable[[Any, View, View | None], Iterator[str]]] = {
    "phase": _check_phase,
    "prompt": _check_prompt,
    "lamps": _check_lamps,
    "alert": _check_alert,
    "no_alert": _check_no_alert,
    "due": _check_due,
    "shown": _check_shown,
    "record": _check_record,
}
