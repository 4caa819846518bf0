"""The bench measures the intended intervals. No test compares the size of a figure."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from controller.game.model.names import SEATS
from tests.recompute import differences
from tests.trials.bench import endurance, figures, latency, pure, rival
from tests.trials.bench.__main__ import Size, two_kinds

pytestmark = pytest.mark.serial

ROUNDS = 12


def test_the_pure_game_plays_whole_rounds_of_six_seats() -> None:
    table = pure.PureTable(3)
    table.play(ROUNDS)
    assert len(table.records) == ROUNDS
    assert {len(record["seats"]) for record in table.records} == {len(SEATS)}
    assert [words for record in table.records for words in differences(record)] == []


def test_a_pokerkit_hand_has_17_cards_and_18_decisions() -> None:
    state = rival.hand()
    kinds = [type(operation).__name__ for operation in state.operations]
    assert rival.cards_dealt(state) == 5 + 2 * len(SEATS)
    assert sum("Calling" in kind or "Completion" in kind for kind in kinds) == 3 * len(SEATS)
    assert not state.status


def test_every_round_of_the_mock_table_is_counted(capfd: pytest.CaptureFixture[str]) -> None:
    counts: list[int] = []
    assert endurance.rate(3, "--no-wires", each=lambda count, _mock: counts.append(count)) > 0
    assert counts == [1, 2, 3]
    assert capfd.readouterr().out == ""


@pytest.mark.browser
async def test_a_card_is_timed_to_its_ack_its_lamp_and_its_prompt() -> None:
    cards = 7
    found = await latency.measure_cards(cards)
    assert {what: spread["cards"] for what, spread in found.items()} == {
        "card_to_ack_ms": cards, "card_to_lamp_ms": cards - 5, "card_to_prompt_ms": cards,
    }  # fmt: skip
    assert all(0 < spread["p50"] <= spread["p99"] <= spread["max"] for spread in found.values())


def test_two_kinds_of_reader_are_measured_at_the_same_depths() -> None:
    found = two_kinds(Size(scans=1, together=2), depths=(1, 20))["two_kinds_ms"]
    assert found["pn532_uart"]["20"] == "unstable above 12"
    measured = [found["pn532_uart"]["1"], found["feig_mux"]["1"], found["feig_mux"]["20"]]
    assert all(0 < each["laid"]["p50"] <= each["laid"]["max"] and each["scan"] > 0 for each in measured)
    assert found["feig_mux"]["20"]["scan"] > found["feig_mux"]["1"]["scan"]


def test_the_file_and_the_table_contain_every_figure(tmp_path: Path) -> None:
    results = {"start_s": 0.5, "scan_ms": {"0": 1.0, "3": 2.0}, "rss_mib": 50.25}
    figures.write(results, tmp_path / "bench.json")
    assert json.loads((tmp_path / "bench.json").read_text(encoding="utf-8")) == results
    lines = figures.table(results).splitlines()
    assert [line.split()[0] for line in lines] == ["start_s", "scan_ms.0", "scan_ms.3", "rss_mib"]
    assert lines[2].endswith("at most 450")
