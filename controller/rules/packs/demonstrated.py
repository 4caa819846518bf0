"""Sources and phases of the irregularities that a rule text names, and the scenarios that demonstrate each.

A source is a report of the dealer, an event of a device or a decision of a floorperson. `SOURCE_PHASES` is
checked against the game under every pack and way of dealing by tests/game/test_demonstrated.py.
Demonstrations are read from the steps of a scenario document, never from its name or sections.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from controller.game.model.irregularities import Code
from controller.game.model.names import BETWEEN, DECIDING, IN_PLAY, Phase

UNDER, ELSE = "under ", "else"
"""Beginning of the keys under which a scenario gives a value for one rule pack, and the key for all other
packs (tests/scenarios/FORMAT.md)."""


class Source(StrEnum):
    """Way in which the table learns of an irregularity."""

    REPORT = "report"
    DEVICE = "device"
    FLOOR = "floor"


@dataclass(frozen=True, slots=True)
class Occurrence:
    """Irregularity that a scenario demonstrates, with its source and the phase in which it happens."""

    code: Code
    source: Source
    phase: Phase


ALL_PHASES = (*BETWEEN, Phase.BETTING, *IN_PLAY, Phase.VOID)
"""All phases except `held`: a report in `held` counts for the phase that is held."""
SOURCE_PHASES: Mapping[Code, Mapping[Source, tuple[Phase, ...]]] = {
    Code.CARD_FACE_UP: {Source.REPORT: (Phase.DEALING,), Source.DEVICE: IN_PLAY},
    Code.DRAWN_IN_ERROR: {Source.REPORT: IN_PLAY, Source.DEVICE: IN_PLAY},
    Code.WRONG_COUNT: {Source.REPORT: IN_PLAY},
    Code.COMMUNITY_EXPOSED: {Source.REPORT: (Phase.DEALING, *DECIDING)},
    Code.HOLE_EXPOSED: {Source.REPORT: IN_PLAY},
    Code.BONUS_EXPOSED: {Source.REPORT: IN_PLAY},
    Code.FACE_SEEN: {Source.REPORT: IN_PLAY},
    Code.SHUFFLER_FAULT: {Source.REPORT: (*BETWEEN, Phase.BETTING, *IN_PLAY), Source.DEVICE: ALL_PHASES},
    Code.SHOE_FAULT: {Source.DEVICE: ALL_PHASES},
    Code.DEVICE_OUT_OF_ORDER: {Source.FLOOR: (*BETWEEN, Phase.BETTING)},
}
"""Phases in which each source of an irregularity takes effect."""
SHOE_FAULTS = {
    "jam": Code.SHOE_FAULT, "double": Code.SHOE_FAULT, "empty": Code.SHOE_FAULT, "door": Code.SHOE_FAULT,
    "shuffle": Code.SHUFFLER_FAULT,
}  # fmt: skip
"""Irregularity that each fault of the simulated shoe causes."""
SAME_PHASE_STEPS = ("expect", "shoe")
"""Steps that never change the phase. In `betting`, `chips` and `fault` do not change it either."""


# ------------------------------------------------------------------------------- scenarios


def demonstrated_occurrences(document: Mapping[str, Any], pack: str) -> tuple[Occurrence, ...]:
    """Return the occurrences of irregularities in a scenario document, under a pack, that a later `expect`
    checks, each once.

    A step in a phase that the document does not fix is not counted; the count is never too high.
    """
    steps = [step for step in _under(document.get("steps", ()), pack) if isinstance(step, Mapping)]
    checked = max((at for at, step in enumerate(steps) if "expect" in step), default=0)
    found = dict.fromkeys((*_each(steps[:checked]), *_recorded(steps)))
    return tuple(case for case in found if case.phase in _phases(case.code, case.source))


def _recorded(steps: Iterable[Mapping[str, Any]]) -> Iterator[Occurrence]:
    """Yield the irregularities in an expected record that a device detected: no step of the document reports
    them."""
    steps = list(steps)
    reported = {name for step in steps for name in step.get("report") or ()}
    for step in steps:
        record = (step.get("expect") or {}).get("record") or {}
        for entry in record.get("irregularities") or ():
            if {"code", "phase"} <= set(entry) and entry["code"] not in reported:
                yield Occurrence(Code(entry["code"]), Source.DEVICE, Phase(entry["phase"]))


def _each(steps: Iterable[Mapping[str, Any]]) -> Iterator[Occurrence]:
    phase: Phase | None = Phase.BETTING
    for step in steps:
        if phase is not None:
            yield from _reported(step, phase)
        yield from _in_the_deal(step)
        phase = _after(step, phase)


def _reported(step: Mapping[str, Any], phase: Phase) -> Iterator[Occurrence]:
    """Yield the irregularities that a step of the scenario causes at once: its reports, faults and acts of
    the floor."""
    for name in step.get("report") or ():
        if name in tuple(Code):
            yield Occurrence(Code(name), Source.REPORT, phase)
    fault = step.get("fault") or {}
    if fault.get("device") == "shoe" and "after" not in fault and fault.get("kind") in SHOE_FAULTS:
        yield Occurrence(SHOE_FAULTS[fault["kind"]], Source.DEVICE, phase)
    if "method" in (step.get("floor") or ()):
        yield Occurrence(Code.DEVICE_OUT_OF_ORDER, Source.FLOOR, phase)


def _in_the_deal(step: Mapping[str, Any]) -> Iterator[Occurrence]:
    """Yield the occurrences that a fault set by this step causes at a card of the next deal."""
    fault = step.get("fault") or {}
    if fault.get("device") == "shoe" and "after" in fault and fault.get("kind") in SHOE_FAULTS:
        yield Occurrence(SHOE_FAULTS[fault["kind"]], Source.DEVICE, Phase.DEALING)
    if "^" in str(step.get("shoe", "")):
        yield Occurrence(Code.CARD_FACE_UP, Source.DEVICE, Phase.DEALING)


def _after(step: Mapping[str, Any], phase: Phase | None) -> Phase | None:
    """Return the phase after a step, or None if the document does not fix it."""
    if "round" in step:
        until = (step["round"] or {}).get("until", "settled")
        return None if until == "settled" else Phase(until)
    if "phase" in (step.get("expect") or ()):
        return Phase(step["expect"]["phase"])
    still = any(name in step for name in SAME_PHASE_STEPS)
    betting = phase is Phase.BETTING and ("chips" in step or "fault" in step)
    return phase if still or betting or step.get("dealer") is False else None


def _under(value: Any, pack: str) -> Any:  # noqa: ANN401 - a value of YAML
    """Return a value of a scenario document for one pack: the entry ``under PACK``, or ``else``; None if
    there is neither.
    """
    if isinstance(value, list):
        return [_under(each, pack) for each in value]
    if not isinstance(value, Mapping):
        return value
    if value and all(str(key).startswith(UNDER) or key == ELSE for key in value):
        return _under(value.get(UNDER + pack, value.get(ELSE)), pack)
    return {key: _under(each, pack) for key, each in value.items()}


# ------------------------------------------------------------------------------- rows


def _phases(code: Code, source: Source) -> tuple[Phase, ...]:
    return SOURCE_PHASES.get(code, {}).get(source, ())


def undemonstrated_sources(codes: Iterable[Code], shown: Iterable[Occurrence]) -> Iterator[str]:
    """Yield each source of these irregularities that no scenario demonstrates in any phase."""
    known = {(case.code, case.source) for case in shown}
    for code in codes:
        for source in SOURCE_PHASES[code]:
            if (code, source) not in known:
                yield f"{code}: no scenario demonstrates its source {source}"


def demonstration_lines(codes: Iterable[Code], shown: Iterable[Occurrence]) -> Iterator[str]:
    """Yield a line for each source: its phases, and the number of scenarios that demonstrate it there."""
    counted = Counter(shown)
    for code in codes:
        for source, phases in SOURCE_PHASES[code].items():
            numbers = {phase: counted[Occurrence(code, source, phase)] for phase in phases}
            by = ", ".join(f"{phase} {number}" for phase, number in numbers.items() if number)
            rest = ", ".join(phase for phase, number in numbers.items() if not number)
            more = [f"by a game test alone: {rest}"] if rest else []
            yield f"`{code}` by {source}: " + "; ".join([*([by] if by else []), *more])
