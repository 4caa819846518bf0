"""Every scenario under tests/scenarios passes, and some of them also pass over wires.

The rounds of some scenarios are read from the journal afterwards. `make check` plays one file of each folder.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from controller.mock.bench.bench import Hands, Pace
from controller.mock.bench.options import MockOptions
from controller.mock.run import make_bench
from controller.mock.scenario.file import load
from controller.mock.scenario.run import Runner
from controller.mock.scenario.runner import Reporter, options_of, play_one, scenario_mistakes
from controller.mock.scenario.steps import Scenario
from drivers.chips.kinds import DEFAULT, READER_KINDS
from tests.audit.timeline_checks import check_timelines

FOLDER = Path(__file__).parent / "scenarios"
LIBRARY = [scenario for path in sorted(FOLDER.rglob("*.yaml")) for scenario in load(path)]
OVER_THE_WIRES = (
    "settlement/pushes.yaml: A pair of tens pushes",
    "misdeals/wrong_count.yaml: A cross of four cards voids the round (massachusetts)",
    "settlement/settling.yaml: The bonuses are settled before any player's card is turned",
    "settlement/six_card.yaml: A folded hand still plays its Six Card Bonus, and is turned for it alone",
)
"""Scenarios that are also played over the wires, one for each pack. They cover a settlement, a void round,
the closed loop step by step, and the bonus cards."""
WIRED = [
    *((name, DEFAULT) for name in OVER_THE_WIRES),
    *((name, kind) for kind in READER_KINDS if kind != DEFAULT for name in OVER_THE_WIRES[2:]),
]
"""Pairs of a scenario played over the wires and a kind of reader. A pack affects readers only by the number
of its circles: each kind is played with the 36 circles of three packs and with the 42 of the fourth."""
FEIG_SCENARIOS = [
    each
    for each in LIBRARY
    if Path(each.file).name == "readers.yaml"
    and each.rules == "pennsylvania"
    and any(step.action.fault or step.action.cut_power for step in each.steps)
]
"""Scenarios of faulty readers and power cuts that are also played over the wires of FEIG readers."""
STACK_SCENARIOS = [
    each for each in LIBRARY if Path(each.file).name == "stacks.yaml" and each.rules == "pennsylvania"
]
"""Scenarios of change making and of chips carried across readers that are also played over the wires of each
kind of reader."""
FILES = Counter(Path(scenario.file) for scenario in LIBRARY)
SAMPLE_SCENARIOS = 5
SAMPLE = frozenset(
    min(
        (path for path in FILES if path.parent == folder),
        key=lambda path: (abs(FILES[path] - SAMPLE_SCENARIOS), path.name),
    )
    for folder in {path.parent for path in FILES}
)
"""Files that `make check` plays: of each folder, the file whose number of scenarios is nearest to
`SAMPLE_SCENARIOS`."""
CHECKED: set[str] = set()
"""Options of tables that were found valid. Each is checked only once."""


def marks(scenario: Scenario) -> tuple[pytest.MarkDecorator, ...]:
    """Return the marks of a scenario, which exclude it from `make check` if its file is not in the sample."""
    return () if Path(scenario.file) in SAMPLE else (pytest.mark.complete,)


def ids(scenario: Scenario) -> str:
    return f"{Path(scenario.file).relative_to(FOLDER)}: {scenario.name}"


def first_of_each_file() -> Iterator[str]:
    """Yield the first scenario of each file under one of its rule packs. Successive files use the packs in
    turn."""
    for turn, path in enumerate(FILES):
        first = {each.rules: ids(each) for each in reversed(LIBRARY) if Path(each.file) == path}
        yield first[sorted(first)[turn % len(first)]]


READ_AGAIN = frozenset(first_of_each_file())
"""Scenarios whose rounds are also read from the journal. Reading takes as long as playing, and no module of
the program compares the name of a pack (tests/packs), so one pack of each file is enough."""


class Kept(Reporter):
    """Reporter that stores the records of a scenario."""

    def __init__(self) -> None:
        super().__init__(as_json=False)
        self.records: list[Mapping[str, Any]] = []

    def record(self, record: Mapping[str, Any]) -> None:
        self.records.append(record)


def play(scenario: Scenario, journal: Path, *, wires: bool, readers: str = DEFAULT) -> None:
    """Check that a scenario passes. With wires, or if the scenario is in `READ_AGAIN`, also check that its
    rounds are read back from the journal as recorded."""
    read_again = wires or ids(scenario) in READ_AGAIN
    own = journal if read_again else None
    options = replace(options_of(scenario, speed=None, wires=wires), journal=own, readers=readers)
    assert scenario_mistakes(scenario, options, CHECKED) == []
    kept = Kept()
    result = asyncio.run(play_one(scenario, options, lambda _words: None, kept))
    assert result.passed, result.message
    if read_again:
        check_timelines(journal, kept.records)


async def play_in_turn(scenarios: Sequence[Scenario], options: MockOptions, kept: Kept) -> None:
    """Check that the scenarios pass on one table, one after another."""
    bench = make_bench(options)
    try:
        await bench.start()
        for scenario in scenarios:
            hands = Hands(bench, Pace(options.speed))
            result = await Runner(bench, scenario, hands, lambda _words: None, kept.record).run()
            assert result.passed, f"{scenario.name}: {result.message}"
    finally:
        await bench.stop()


@pytest.mark.parametrize(
    "scenario", [pytest.param(each, marks=marks(each), id=ids(each)) for each in LIBRARY]
)
def test_scenario(scenario: Scenario, tmp_path: Path) -> None:
    play(scenario, tmp_path / "journal.db", wires=False)


@pytest.mark.serial
@pytest.mark.parametrize(("name", "kind"), WIRED)
def test_scenario_over_the_wires(name: str, kind: str, tmp_path: Path) -> None:
    (scenario,) = [scenario for scenario in LIBRARY if ids(scenario) == name]
    play(scenario, tmp_path / "journal.db", wires=True, readers=kind)


@pytest.mark.serial
@pytest.mark.complete
@pytest.mark.parametrize("scenario", [pytest.param(each, id=ids(each)) for each in FEIG_SCENARIOS])
def test_scenario_with_feig_readers(scenario: Scenario, tmp_path: Path) -> None:
    play(scenario, tmp_path / "journal.db", wires=True, readers="feig_mux")


@pytest.mark.serial
@pytest.mark.complete
@pytest.mark.parametrize("kind", READER_KINDS)
def test_stacks_with_each_kind_of_reader(kind: str, tmp_path: Path) -> None:
    """One table plays all these scenarios, because a start takes longer than a scenario. A device counts the
    stub, because a dealer would have to count it every five rounds."""
    journal = tmp_path / "journal.db"
    config = {"counting_device": True}
    config |= {name: value for each in STACK_SCENARIOS for name, value in each.config.items()}
    first = options_of(replace(STACK_SCENARIOS[0], config=config), speed=None, wires=True)
    options = replace(first, journal=journal, readers=kind)
    for each in STACK_SCENARIOS:
        assert scenario_mistakes(each, options, CHECKED) == []
    kept = Kept()
    asyncio.run(play_in_turn(STACK_SCENARIOS, options, kept))
    assert len(kept.records) >= len(STACK_SCENARIOS)
    check_timelines(journal, kept.records)


def test_no_two_scenarios_of_a_file_bear_one_name() -> None:
    assert len({ids(scenario) for scenario in LIBRARY}) == len(LIBRARY)
