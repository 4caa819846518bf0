"""Themes of the practice, and drills: the cards and wagers of a round, and events during it. Drills are data
from files; the texts of the themes are in the catalogue.

A drill is one `round` of a scenario file (tests/scenarios/FORMAT.md), with its cards, wagers and decisions,
and the chips, faults and cards of the steps around it, up to the first step that is the dealer's. Steps
before the round are carried out before it, steps after it when the round has reached `until`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib import resources
from itertools import takewhile
from pathlib import Path

from controller.common.files.mistakes import Mistakes
from controller.common.texts.catalogue import FIRST_LANGUAGE, catalogue
from controller.game.model.names import Circle
from controller.mock.bench.options import MockOptions
from controller.mock.scenario.file import load
from controller.mock.scenario.runner import options_of, scenario_mistakes
from controller.mock.scenario.steps import Action, RoundStep, Scenario

DRILLS = Path(str(resources.files("controller.practice") / "drills"))
HAPPENS = ("chips", "shoe", "fault", "clock")
"""Steps that the practice carries out itself, because they are not acts of the dealer."""


@dataclass(frozen=True, slots=True)
class Drill:
    """One round that the trainee deals. `before`: steps that the practice carries out before it; `meanwhile`:
    steps that it carries out once the round has reached its phase `until`."""

    name: str
    section: tuple[str, ...]
    round: RoundStep = field(repr=False)
    before: tuple[Action, ...] = field(default=(), repr=False)
    meanwhile: tuple[Action, ...] = field(default=(), repr=False)

    @property
    def circles(self) -> frozenset[Circle]:
        """Return the circles in which the file itself moves chips after the start of the round. Faults there
        are not errors of the dealer."""
        moved = [action.chips for action in self.meanwhile if action.chips]
        return frozenset(Circle(step.seat, wager) for step in moved for wager in step.circles)

    @property
    def troubled(self) -> bool:
        """Return whether the drill has a failing device or a misplaced card; faults of cards are then not
        errors of the trainee."""
        return any(action.fault or action.shoe for action in (*self.before, *self.meanwhile))


@dataclass(frozen=True, slots=True)
class Course:
    """Drills of one practice, all at one table. `theme`: name of a theme, or of a scenario file without its
    ending. `file`: name of the scenario file, "" for a theme.
    """

    theme: str
    file: str
    options: MockOptions
    drills: tuple[Drill, ...]


def themes() -> tuple[str, ...]:
    """Return the names of the themes, in the order of the catalogue, which has their texts."""
    return tuple(catalogue(FIRST_LANGUAGE).texts["practice"]["themes"])


def of_theme(name: str, rules: str, speed: float | None, seed: int) -> Course:
    """Return the drills of a theme. Raises Mistakes if there is no such theme, or it has no drill under
    these rules."""
    known = themes()
    if name not in known:
        raise Mistakes([f"crisscross practice: --theme {name}: allowed: {', '.join(known)}"])
    scenarios = load(DRILLS / f"{name}.yaml")
    return _course(name, "", _under(scenarios, rules, f"--theme {name}"), speed, seed)


def of_file(path: Path, rules: str | None, speed: float | None, seed: int) -> Course:
    """Return the rounds of a scenario file as drills, under the first rule pack that it names if `rules` is
    None."""
    scenarios = load(path)
    chosen = _under(scenarios, rules or scenarios[0].rules, str(path))
    return _course(path.stem, path.name, chosen, speed, seed)


def packs_of(name: str) -> tuple[str, ...]:
    """Return the rule packs under which a theme has drills."""
    return tuple(dict.fromkeys(scenario.rules for scenario in load(DRILLS / f"{name}.yaml")))


def _under(scenarios: Sequence[Scenario], rules: str, source: str) -> list[Scenario]:
    if found := [scenario for scenario in scenarios if scenario.rules == rules]:
        return found
    named = ", ".join(sorted({scenario.rules for scenario in scenarios}))
    raise Mistakes([f"crisscross practice: {source}: --rules {rules}: allowed: {named}"])


def _course(name: str, file: str, scenarios: Sequence[Scenario], speed: float | None, seed: int) -> Course:
    drills = tuple(drill for scenario in scenarios for drill in drills_of(scenario))
    first = scenarios[0]
    wanted = options_of(first, speed, wires=True)
    wrong = [
        line
        for scenario in scenarios
        for line in scenario_mistakes(scenario, options_of(scenario, speed, wires=True))
    ]
    wrong += [
        f"{other.file}:{other.line}: a practice is dealt at one table; line {first.line} wants another"
        for other in scenarios
        if options_of(other, speed, wires=True) != wanted
    ]
    if not drills:
        wrong.append(f"{first.file}:{first.line}: no round; a practice deals what `round` steps say")
    if wrong:
        raise Mistakes(wrong)
    options = MockOptions(wanted.rules, wanted.method, wanted.config, seed, speed, ways=wanted.ways)
    return Course(name, file, options, drills)


def drills_of(scenario: Scenario) -> Iterator[Drill]:
    """Yield a drill for each round of the scenario, with the steps that the practice carries out before and
    during it."""
    actions = [step.action for step in scenario.steps]
    before: list[Action] | None = []
    for number, action in enumerate(actions, 1):
        if action.round is not None:
            meanwhile = tuple(takewhile(_happens, actions[number:]))
            name = scenario.name.removesuffix(f" ({scenario.rules})")
            yield Drill(name, scenario.section, action.round, tuple(before or ()), meanwhile)
            before = None  # the steps that follow belong to this round, not to the next one
        elif not _happens(action):
            before = []
        elif before is not None:
            before.append(action)


def _happens(action: Action) -> bool:
    return not action.model_fields_set.isdisjoint(HAPPENS)
