"""Expectations of a scenario: all that its `expect` can state, and their comparison with a view and a
record.

Parsing and comparison are in one module, so that they agree. Waiting is the runner's task.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Annotated, Any, Self

from pydantic import AfterValidator, model_validator

from controller.common.files.forms import validation_error
from controller.game.model.irregularities import Code
from controller.game.model.names import BETS, CROSS, Phase
from controller.game.model.plan import Result
from controller.game.showing.lamps import LampState
from controller.game.showing.recalled import RESULTS
from controller.mock.bench.bench import ViewData
from controller.mock.people.players import prompt_words
from controller.mock.scenario.record_keys import unknown_keys
from controller.mock.scenario.values import (
    Cents,
    Face,
    OnlyTrue,
    SeatNumber,
    Seconds,
    StrictForm,
    Text,
    WagerName,
    listed,
    one_of,
)

CONTRACT_NAMES = {LampState.DEAL.value: LampState.ACCEPTED.value}
"""Name in the scenario format of each lamp state that has another name in the program."""
CENTS_KEYS = ("amount", "payout", "uncut", "paid", "taken")
"""Keys of a record whose values are cents; a scenario file has dollars."""
CHIP_KEYS = frozenset({"stacks", "in", "out"})
"""Keys of a record whose lists are cents of chips."""


# ------------------------------------------------------------------------------- reading


class Due(StrictForm):
    """Settlement step that a scenario expects to be due now. Fields that the file does not name are not
    compared."""

    seat: SeatNumber | None = None
    wager: WagerName | None = None
    result: Result | None = None
    amount: Cents | None = None


def _record(given: dict[Any, Any]) -> dict[Any, Any]:
    """Refuse unknown keys and results in an expected record: a misspelt name would never be found. Returns
    the record.
    """
    if errors := [*unknown_keys(given), *_unknown_results(given)]:
        raise validation_error(errors)
    return given


def _unknown_results(record: Mapping[str, Any]) -> Iterator[tuple[tuple[Any, ...], str]]:
    for seat, value in _entries(record.get("seats")):
        for wager, entry in _entries(value.get("wagers")):
            result = entry.get("result")
            if result is not None and str(result) not in RESULTS:
                yield ("seats", seat, "wagers", wager, "result"), f"allowed: {', '.join(RESULTS)}"


def _entries(given: Any) -> Iterator[tuple[Any, Mapping[Any, Any]]]:
    """Yield the items of a mapping whose values are mappings."""
    for key, value in given.items() if isinstance(given, dict) else ():
        if isinstance(value, dict):
            yield key, value


class Expect(StrictForm):
    """Expectations of one step, all of which must be met within `within` seconds."""

    null = ("due", "shown")

    phase: Annotated[Phase, one_of(Phase)] | None = None
    prompt: Text | None = None
    lamps: dict[SeatNumber, dict[WagerName, Annotated[str, one_of(LampState)]]] | None = None
    alert: Annotated[list[str], listed(Annotated[str, one_of(Code)])] | None = None
    no_alert: OnlyTrue = False
    due: Due | None = None
    shown: Annotated[list[str], listed(Face)] | None = None
    record: Annotated[dict[Any, Any], AfterValidator(_record)] | None = None
    within: Seconds = 5.0

    @model_validator(mode="after")
    def _something(self) -> Self:
        if not self.model_fields_set - {"within"}:
            raise ValueError(f"something of {', '.join(CHECKS)}")
        return self

    def differences(self, view: ViewData, record: ViewData | None) -> list[str]:
        """Return the expectations that are not met, each as ``key: expected …, seen …``."""
        wanted = {key: getattr(self, key) for key in CHECKS if key in self.model_fields_set}
        return [line for key, value in wanted.items() for line in CHECKS[key](value, view, record)]


# ------------------------------------------------------------------------------ comparing


def _check_phase(wanted: str, view: ViewData, _record: ViewData | None) -> Iterator[str]:
    if view["phase"] != wanted:
        yield f"phase: expected {wanted}, seen {view['phase']}"


def _check_prompt(wanted: str, view: ViewData, _record: ViewData | None) -> Iterator[str]:
    kind = str((view.get("prompt") or {}).get("kind") or "")
    seen = prompt_words(view)
    if wanted.casefold() not in seen.casefold() and wanted != kind:
        yield f"prompt: expected {wanted!r} in it, seen {seen!r}"


def _circles(view: ViewData) -> dict[tuple[int, str], Mapping[str, Any]]:
    return {
        (seat["seat"], name): circle for seat in view["seats"] for name, circle in seat["circles"].items()
    }


def _check_lamps(
    wanted: Mapping[int, Mapping[str, str]], view: ViewData, _record: ViewData | None
) -> Iterator[str]:
    found = _circles(view)
    for seat, lamps in wanted.items():
        for name, lamp in lamps.items():
            circle = found.get((seat, name))
            seen = _lamp_words(view, seat, name, circle) if circle else ("no such circle",)
            if lamp not in seen:
                yield f"lamp of seat {seat} {name}: expected {lamp}, seen {seen[0]}"


def _lamp_words(view: ViewData, seat: int, name: str, circle: Mapping[str, Any]) -> tuple[str, ...]:
    """Return every name that a scenario may use for the state of this lamp.

    These are the program's name, the name in the scenario format and, for an unlit lamp at a circle where the
    seat may bet, `open`.
    """
    lamp = str(circle["lamp"])
    if lamp == "off" and not circle["amount"] and _may_bet(view, seat, name):
        return lamp, "open"
    return lamp, CONTRACT_NAMES.get(lamp, lamp)


def _may_bet(view: ViewData, seat: int, name: str) -> bool:
    if view["phase"] == "betting":
        return name not in BETS
    box = view["seats"][seat - 1]
    return bool(name == view["phase"] and box["in_round"] and not box["folded_at"] and not box["forfeited"])


def alert_codes(view: ViewData, *, above_notice: bool = False) -> list[str]:
    codes = [alert["code"] for alert in view["alerts"] if not above_notice or alert["grade"] != "notice"]
    return codes + ([view["hold"]["code"]] if view["hold"] else [])


def _check_alert(wanted: Sequence[str], view: ViewData, _record: ViewData | None) -> Iterator[str]:
    seen = alert_codes(view)
    for code in wanted:
        if code not in seen:
            yield f"alert: expected {code}, seen {', '.join(seen) or 'none'}"


def _check_no_alert(_wanted: bool, view: ViewData, _record: ViewData | None) -> Iterator[str]:
    if seen := alert_codes(view, above_notice=True):
        yield f"no_alert: expected none, seen {', '.join(seen)}"


def _check_due(wanted: Due | None, view: ViewData, _record: ViewData | None) -> Iterator[str]:
    seen = view["due"]
    due = wanted and wanted.model_dump(include=wanted.model_fields_set)
    if (due is None) != (seen is None) or any(seen.get(key) != value for key, value in (due or {}).items()):
        yield f"due: expected {due}, seen {seen}"


def shown_faces(view: ViewData) -> list[str]:
    """Return all faces that the view shows, sorted."""
    lying = [*view["cross"].values(), *(view["bonus_cards"] or ())]
    lying += [card for seat in view["seats"] for card in seat["cards"]]
    return sorted(card["face"] for card in lying if card["face"])


def _check_shown(wanted: Sequence[str], view: ViewData, _record: ViewData | None) -> Iterator[str]:
    seen = shown_faces(view)
    if sorted(wanted) != seen:
        yield f"shown: expected {' '.join(sorted(wanted)) or 'none'}, seen {' '.join(seen) or 'none'}"


def _check_record(wanted: Any, _view: ViewData, record: ViewData | None) -> Iterator[str]:
    if record is None:
        yield "record: expected one, no round has ended yet"
        return
    yield from _compare("record", wanted, record)


def _compare(path: str, wanted: Any, seen: Any) -> Iterator[str]:
    """Yield a line for each part of `wanted` that differs in `seen`. Mappings are compared by their own
    keys, lists item by item."""
    key = "amount" if CHIP_KEYS.intersection(path.split(".")) else path.rpartition(".")[2]
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
    """Return whether two values are equal in meaning: `cross` and `cards` may be one text, and money may be
    in dollars or, if copied from a record, in cents."""
    if isinstance(wanted, str) and isinstance(seen, Mapping) and set(seen) == set(CROSS):
        return wanted.split() == [seen[place] for place in CROSS]
    if isinstance(wanted, str) and isinstance(seen, list):
        return wanted.split() == seen
    if (
        key in CENTS_KEYS
        and isinstance(wanted, int | Decimal)
        and not isinstance(wanted, bool)
        and seen is not None
    ):
        return bool(wanted * 100 == seen or wanted == seen)
    return bool(wanted == seen and isinstance(wanted, bool) == isinstance(seen, bool))


CHECKS: Mapping[str, Callable[[Any, ViewData, ViewData | None], Iterator[str]]] = {
    "phase": _check_phase,
    "prompt": _check_prompt,
    "lamps": _check_lamps,
    "alert": _check_alert,
    "no_alert": _check_no_alert,
    "due": _check_due,
    "shown": _check_shown,
    "record": _check_record,
}
