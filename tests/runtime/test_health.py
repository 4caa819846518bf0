"""The health of each device follows from the counters of the last minute, a missing device is named, and an
invalid value of a sensor is ignored."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from controller.common.process.machine import celsius_tenths
from controller.pages.display.devices_view import DevicesView, LineState
from controller.settings.config import load_config
from controller.table.daemon.devices import NoKeys, NoLamps, NoShoe
from controller.table.daemon.health import SAMPLES, Health, state
from controller.table.engine.ports import Devices
from drivers.chips.sim.in_process import DirectChips
from drivers.ports import LampsHealth, ReaderHealth

NOW = ReaderHealth("p", "PN532 1.6", readings=1000, opened=1, answered=99.9, took_s=0.015)


@pytest.mark.parametrize(
    ("then", "now", "expected"),
    [
        ({}, {"state": "new"}, "waiting"),
        ({"readings": 700}, {}, "fine"),
        ({"readings": 700}, {"unanswered": 2}, "fine"),
        ({"readings": 700}, {"unanswered": 16}, "unsteady"),
        ({"readings": 700}, {"unstable": 16}, "unsteady"),
        ({"readings": 700}, {"state": "sick", "unanswered": 1, "answered": 97.0}, "silent"),
        ({"readings": 700}, {"state": "sick", "unanswered": 1, "answered": 97.1}, "fine"),
        ({"readings": 700}, {"state": "sick", "garbled": True, "answered": 97.0}, "garbled"),
        ({}, {"state": "sick", "opened": 0, "refused": 1, "answered": None}, "silent"),
        ({}, {"unstable": 40}, "garbled"),
        ({}, {"unanswered": 40}, "silent"),
        ({"readings": 700}, {"noise": 19}, "fine"),
        ({"readings": 700}, {"noise": 12, "stale": 8}, "noisy"),
        ({"readings": 700, "took_s": 0.031}, {"took_s": 0.031}, "slow"),
        ({"readings": 700, "took_s": 0.029}, {"took_s": 0.031}, "fine"),
        ({"readings": 700, "took_s": 0.031}, {"took_s": 0.029}, "fine"),
        ({"readings": 700, "took_s": None}, {"took_s": 0.031}, "fine"),
        ({"readings": 700, "unanswered": 500, "noise": 9000}, {"unanswered": 500, "noise": 9000}, "fine"),
    ],
)
def test_each_reader_has_its_state_from_the_last_minute(
    then: dict[str, Any], now: dict[str, Any], expected: LineState
) -> None:
    """Errors counted more than a minute ago are no longer reported."""
    assert state(replace(NOW, **now), replace(NOW, **then), 0.015, 100.0) == expected


@pytest.fixture
def table(tmp_path: Path) -> tuple[Health, DirectChips, list[float]]:
    file = tmp_path / "table.yaml"
    file.write_text("table: T\nrules: pennsylvania\nmethod: hand\njournal: j.db\n", encoding="utf-8")
    now = [100.0]
    chips = DirectChips([(1, "across"), (2, "down")], lambda: now[0], lambda call: call())
    devices = Devices(NoShoe(), chips, NoLamps(), {})
    return Health(load_config(file), devices, NoKeys(), lambda: now[0]), chips, now


def shown(health: Health) -> DevicesView:
    return asyncio.run(health.view())


def test_the_worst_device_is_listed_first(table: tuple[Health, DirectChips, list[float]]) -> None:
    health, chips, now = table
    chips.start(lambda _readings: None)
    health.sample()
    now[0] = 107.5
    chips.fault((2, "down"), "silent")
    first, second = shown(health)["readers"]
    assert (first["seat"], first["state"], first["why"]) == (2, "silent", "simulated: silent")
    assert (first["answered_ms"], first["silent_ms"]) == (7500, 7500)
    assert (second["state"], second["silent_ms"], second["lately"]) == ("fine", None, (0, 0))
    chips.clear((2, "down"))
    for _ in range(SAMPLES):
        health.sample()
    assert {reader["state"] for reader in shown(health)["readers"]} == {"fine"}


def test_a_missing_device_is_named(table: tuple[Health, DirectChips, list[float]]) -> None:
    view = shown(table[0])
    assert [view["shoe"]["fitted"], view["lamps"]["fitted"], view["keys"]] == [False, False, []]
    assert view["machine"]["rules"] == "pennsylvania"
    assert view["machine"]["digest"].startswith("sha256:")


class Harmed(NoLamps):
    """Lamp chain whose read-back has wrong bits."""

    def statistics(self) -> LampsHealth:  # type: ignore[override]
        return LampsHealth(
            "SPI 0.0", 7, 2, "what came back is nothing but low", "what came back is nothing but low"
        )


def test_a_lamp_chain_with_wrong_read_back_is_faulty(tmp_path: Path) -> None:
    file = tmp_path / "table.yaml"
    file.write_text("table: T\nrules: pennsylvania\nmethod: hand\njournal: j.db\n", encoding="utf-8")
    chips = DirectChips([], lambda: 0.0, lambda call: call())
    health = Health(load_config(file), Devices(NoShoe(), chips, Harmed(), {}), NoKeys(), lambda: 0.0)
    lamps = shown(health)["lamps"]
    assert (lamps["fitted"], lamps["well"], lamps["counts"]) == (True, False, {"written": 7, "failed": 2})
    assert lamps["why"] == "what came back is nothing but low"


def zone(folder: Path, number: int, kind: str, temp: str) -> None:
    at = folder / f"thermal_zone{number}"
    at.mkdir()
    (at / "type").write_text(f"{kind}\n", encoding="ascii")
    (at / "temp").write_text(temp, encoding="ascii")


def test_the_processor_s_temperature_is_found_among_the_sensors(tmp_path: Path) -> None:
    assert celsius_tenths(tmp_path) is None
    zone(tmp_path, 0, "battery", "21000")
    assert celsius_tenths(tmp_path) is None
    zone(tmp_path, 1, "cpu-thermal", "52341\n")
    assert celsius_tenths(tmp_path) == 523


def test_a_sensor_with_an_invalid_value_is_ignored(tmp_path: Path) -> None:
    zone(tmp_path, 0, "cpu-thermal", "hot")
    assert celsius_tenths(tmp_path) is None
