"""A scenario file as data: read whole, checked whole, before anything is played.

Follows contracts/scenario.md; what it does not allow is a Mistake with file, line and what is
allowed there. It opens the file and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml

from controller.game.model.names import BETS, Circle, Key, Method, Phase, Wager
from controller.mock.scenario import values as words
from controller.mock.scenario.expect import expect
from controller.mock.scenario.nodes import Here, Mistake, documents
from controller.mock.scenario.steps import (
    Action,
    ChipsStep,
    ClockStep,
    CutPowerStep,
    DealerStep,
    Decision,
    DeckStep,
    FaultStep,
    Fold,
    PressStep,
    RoundStep,
    Scenario,
    SeatPlan,
    ShoeStep,
    Step,
    TouchStep,
    WaitStep,
)  # fmt: skip
from controller.mock.scenario.touches import enter, floor, report

FILE_KEYS = ("name", "rules", "config", "section", "steps")
ROUND_KEYS = ("cross", "bonus", "seats", "until", "method", "stub")
SHOE_FAULTS = (
    "jam", "double", "empty", "door", "shuffle", "silent", "unplug", "noise", "duplicate", "late", "slip",
    "clear",
)  # fmt: skip
READER_FAULTS = ("silent", "unplug", "noise", "clear")
SET_BY_THE_BENCH = ("rules", "journal", "pins", "mock")
"""Keys of a table file that say where the mock table's own devices and files are."""
BESIDE = {"expect": ("within",), "round": ("until", "method", "stub")}
"""Keys that may also stand beside the main key."""


class Mistakes(Exception):
    """Everything that is wrong with the files, a line each."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__("\n".join(lines))
        self.lines = lines


def load(path: Path) -> list[Scenario]:
    """The scenarios of one file. Mistakes holds every line that cannot be taken."""
    try:
        found = documents(path)
    except Mistake as mistake:
        raise Mistakes([str(mistake)]) from mistake
    if not found:
        raise Mistakes([f"{path}:1: no scenario; a file holds mappings with {', '.join(FILE_KEYS)}"])
    wrong: list[str] = []
    scenarios = [scenario for here in found for scenario in _played(here, wrong)]
    if wrong:
        raise Mistakes(list(dict.fromkeys(wrong)))
    return scenarios


def _played(here: Here, wrong: list[str]) -> Iterator[Scenario]:
    """The scenario of a document under each rule pack that it names."""
    try:
        packs = _packs(here)
        read = [_document(here.under(pack, packs), pack, wrong) for pack in packs]
    except Mistake as mistake:
        wrong.append(str(mistake))
        return
    for scenario in filter(None, read):
        yield replace(scenario, name=f"{scenario.name} ({scenario.rules})") if len(packs) > 1 else scenario


def _packs(here: Here) -> tuple[str, ...]:
    """One rule pack, a list of them, or a mapping from each to the sections that it shows."""
    rules = here.mapping("a scenario", FILE_KEYS).get("rules")
    if rules is None:
        return ("pennsylvania",)
    if rules.is_mapping():
        named = [key for key, _ in rules.pairs("rules")]
    else:
        named = rules.items("rules") if rules.is_list() else [rules]
    packs = tuple(dict.fromkeys(item.text("rules: a rule pack") for item in named))
    return packs or rules.fail("rules: a rule pack, a list of them, or each with its section")


def _document(here: Here, pack: str, wrong: list[str]) -> Scenario | None:
    try:
        keys = here.mapping("a scenario", FILE_KEYS)
        if "steps" not in keys:
            here.fail(f"a scenario has steps; allowed: {', '.join(FILE_KEYS)}")
        items = keys["steps"].items("steps")
        name = keys["name"].text("name") if "name" in keys else f"{Path(here.file).stem}:{here.line}"
        config, lines = _config(keys)
        sections = _sections(keys, pack)
    except Mistake as mistake:
        wrong.append(str(mistake))
        return None
    steps: list[Step] = []
    for item in items:
        try:
            steps.append(_step(item))
        except Mistake as mistake:
            wrong.append(str(mistake))
    return Scenario(here.file, here.line, name, pack, config, tuple(steps), lines, sections)


def _config(keys: Mapping[str, Here]) -> tuple[dict[str, Any], dict[str, int]]:
    """The table's keys, and where each stands."""
    lines = {"": keys["rules"].line} if "rules" in keys else {}
    config: dict[str, Any] = {}
    for key, value in keys["config"].pairs("config") if "config" in keys else ():
        if key.raw() in SET_BY_THE_BENCH:
            key.fail(
                f"config: {key.raw()} is the mock table's own; say rules beside config, the rest is given"
            )
        config[key.raw()] = value.plain()
        lines[key.raw()] = key.line
    return config, lines


def _sections(keys: Mapping[str, Here], pack: str) -> tuple[str, ...]:
    here = keys.get("section")
    if "rules" in keys and keys["rules"].is_mapping():
        if here is not None:
            here.fail("section: it stands with each rule pack")
        here = next(value for key, value in keys["rules"].pairs("rules") if key.raw() == pack)
    if here is None:
        return ()
    if here.is_list():
        return tuple(item.text("a section") for item in here.items("section"))
    return (here.text("section"),)


def _step(here: Here) -> Step:
    found = list(here.pairs("a step"))
    main = [(key, value) for key, value in found if key.raw() in STEPS]
    if len(main) != 1:
        odd = next((key.raw() for key, _ in found if key.raw() not in STEPS), None)
        what = f"unknown step {odd}" if odd and not main else "a step is one mapping with one main key"
        here.fail(f"{what}; allowed: {', '.join(STEPS)}")
    key, value = main[0]
    name = key.raw()
    beside: dict[str, Here] = {}
    for other, extra in found:
        if other is key:
            continue
        if other.raw() not in BESIDE.get(name, ()):
            other.fail(f"{name}: unknown key {other.raw()}; a step has one main key")
        beside[other.raw()] = extra
    action = _round(value, beside) if name == "round" else STEPS[name](value)
    if name == "expect" and "within" in beside:
        action = expect(value, beside["within"])
    return Step(here.line, name, action, _line(name, value))


def _line(name: str, value: Here) -> str:
    """The step on one line, cut where it is long."""
    text = yaml.safe_dump({name: value.plain()}, default_flow_style=True, width=10_000, sort_keys=False)
    flat = " ".join(text.strip().removesuffix("...").strip()[1:-1].split())
    return flat if len(flat) <= 100 else flat[:97] + "..."


# ---------------------------------------------------------------------------- the steps


def _round(here: Here, beside: Mapping[str, Here] | None = None) -> RoundStep:
    keys = {} if here.is_null() else here.mapping("round", ROUND_KEYS)
    keys = {**keys, **(beside or {})}
    cards = {**words.cross(keys["cross"])} if "cross" in keys else {}
    if "bonus" in keys:
        cards.update(words.bonus_cards(keys["bonus"]))
    until = _until(keys["until"]) if "until" in keys else None
    if "seats" not in keys and until is not Phase.BETTING:
        here.fail("round: seats is needed: a seat that lays antes, {3: {ante: 10}} say")

    return RoundStep(
        cards,
        _seats(keys["seats"]) if "seats" in keys else {},
        until,
        Method(keys["method"].word("method", tuple(Method))) if "method" in keys else None,
        keys["stub"].number("stub", 0, 52) if "stub" in keys else None,
    )


def _until(here: Here) -> Phase | None:
    """`settled` is no phase: the record is written."""
    word = here.word("until", ("settled", *Phase))
    return None if word == "settled" else Phase(word)


def _seats(here: Here) -> dict[int, SeatPlan]:
    return {words.seat(key): _seat(value) for key, value in here.pairs("seats")}


def _seat(here: Here) -> SeatPlan:
    keys = here.mapping("a seat", ("cards", "ante", *Wager))
    laid = {wager: words.amount(keys[wager], wager) for wager in words.LAID_BEFORE if wager in keys}
    if "ante" in keys:
        ante = words.amount(keys["ante"], "ante")
        laid = {Wager.ANTE_ACROSS: ante, Wager.ANTE_DOWN: ante, **laid}
    decisions: dict[Wager, Decision] = {}
    for wager in BETS:
        if wager in keys:
            if folded := next((bet for bet, made in decisions.items() if isinstance(made, Fold)), None):
                keys[wager].fail(f"{wager}: the seat has folded on {folded}; leave it out")
            decisions[wager] = words.decision(keys[wager], wager)
    cards = words.cards(keys["cards"], "cards", 2) if "cards" in keys else ()
    return SeatPlan(cards, laid, decisions)


def _dealer(here: Here) -> DealerStep:
    return DealerStep(here.flag("dealer"))


def _chips(here: Here) -> ChipsStep:
    keys = here.mapping("chips", ("seat", "all", *Wager))
    if "seat" not in keys:
        here.fail("chips: seat is needed")
    if "all" in keys and keys["all"].cents("all") != 0:
        keys["all"].fail("all: allowed: 0, which clears the seat")
    circles = {wager: words.amount(keys[wager], wager) for wager in Wager if wager in keys}
    if not circles and "all" not in keys:
        here.fail(f"chips: name a circle; allowed: all, {', '.join(Wager)}")
    return ChipsStep(words.seat(keys["seat"]), circles, "all" in keys)


def _shoe(here: Here) -> ShoeStep:
    return ShoeStep(words.cards(here, "shoe", 52, up_allowed=True))


def _press(here: Here) -> PressStep:
    return PressStep(Key(here.word("press", tuple(Key))))


def _fault(here: Here) -> FaultStep:
    keys = here.mapping("fault", ("device", "kind", "after"))
    if "device" not in keys or "kind" not in keys:
        here.fail("fault: device (shoe, or [seat, circle]) and kind are needed")
    after = keys["after"].number("after", 1, 52) if "after" in keys else None
    if not keys["device"].is_list():
        keys["device"].word("device", ("shoe",))
        return FaultStep(None, keys["kind"].word("kind of a shoe", SHOE_FAULTS), after)
    parts = keys["device"].items("device")
    if len(parts) != 2:
        keys["device"].fail("device: shoe, or [seat, circle]")
    if after is not None:
        keys["after"].fail("after: of a shoe only, it counts cards")
    circle = Circle(words.seat(parts[0]), words.wager(parts[1]))
    return FaultStep(circle, keys["kind"].word("kind of a reader", READER_FAULTS))


def _deck(here: Here) -> DeckStep:
    keys = here.mapping("deck", ("back", "preshuffled", "same", "count"))
    if not keys:
        here.fail("deck: allowed: back, preshuffled, same, count")
    return DeckStep(
        keys["back"].word("back", ("red", "blue")) if "back" in keys else None,
        "preshuffled" in keys and keys["preshuffled"].flag("preshuffled"),
        "same" in keys and keys["same"].flag("same"),
        keys["count"].number("count", 0, 99) if "count" in keys else None,
    )


def _clock(here: Here) -> ClockStep:
    if here.is_mapping():
        keys = here.mapping("clock", ("utc",))
        if "utc" not in keys:
            here.fail("clock: a time such as 3h55m, or {utc: -1h}")
        return ClockStep(utc_ms=words.milliseconds(keys["utc"], "utc"))
    forward = words.milliseconds(here, "clock")
    if forward < 0:
        here.fail("clock: the table's clocks go forward only; {utc: -1h} sets the UTC clock alone")
    return ClockStep(both_ms=forward)


def _cut_power(here: Here) -> CutPowerStep:
    here.true("cut_power")
    return CutPowerStep()


def _wait(here: Here) -> WaitStep:
    seconds = float(here.decimal("wait, in seconds"))
    if not 0 <= seconds <= 3600:
        here.fail("wait: from 0 to 3600 seconds")
    return WaitStep(seconds)


def _touch(read: Callable[[Here], dict[str, Any]]) -> Callable[[Here], TouchStep]:
    return lambda here: TouchStep(read(here))


STEPS: Mapping[str, Callable[[Here], Action]] = {
    "round": _round,
    "dealer": _dealer,
    "chips": _chips,
    "shoe": _shoe,
    "press": _press,
    "report": _touch(report),
    "enter": _touch(enter),
    "floor": _touch(floor),
    "fault": _fault,
    "deck": _deck,
    "clock": _clock,
    "cut_power": _cut_power,
    "wait": _wait,
    "expect": expect,
}
