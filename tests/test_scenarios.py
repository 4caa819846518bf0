"""The scenario library: every file under tests/scenarios passes, and names the section that it shows."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from controller.mock.scenario_file import load
from controller.mock.scenario_run import Reporter, check, options_of, play_one
from controller.mock.steps import Scenario

FOLDER = Path(__file__).parent / "scenarios"
LIBRARY = [scenario for path in sorted(FOLDER.rglob("*.yaml")) for scenario in load(path)]


def ids(scenario: Scenario) -> str:
    return f"{Path(scenario.file).stem}: {scenario.name}"


@pytest.mark.parametrize("scenario", LIBRARY, ids=ids)
def test_scenario(scenario: Scenario) -> None:
    options = options_of(scenario, speed=None, wires=False)
    assert check(scenario, options) == []
    result = asyncio.run(play_one(scenario, options, lambda _words: None, Reporter(as_json=False)))
    assert result.passed, result.message


@pytest.mark.parametrize("scenario", LIBRARY, ids=ids)
def test_every_scenario_names_its_section(scenario: Scenario) -> None:
    assert scenario.section
