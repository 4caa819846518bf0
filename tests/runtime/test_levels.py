"""Brightness follows the table file's schedule in its time zone, and a setting by hand lasts until the next
change of the schedule."""

from __future__ import annotations

import asyncio
import json
import logging
import os
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from controller.common.files.zones import at
from controller.settings.schema import ChangeSection, RoomSection
from controller.table.display_source.levels import Levels, ManualSetting, Setting, scheduled
from controller.table.display_source.levels_file import LevelsFile

NIGHT = RoomSection(
    sound=True, lamps=90,
    schedule=[ChangeSection(at="22:00", screen=80, lamps=40), ChangeSection(at="07:30")],
)  # fmt: skip


def clock(text: str) -> datetime:
    return datetime.fromisoformat(f"2026-11-23T{text}:30")


@pytest.mark.parametrize(
    ("time", "since", "screen", "lamps"),
    [("00:00", "22:00", 80, 40), ("07:29", "22:00", 80, 40), ("07:30", "07:30", 100, 90),
     ("21:59", "07:30", 100, 90), ("22:00", "22:00", 80, 40), ("23:59", "22:00", 80, 40)],
)  # fmt: skip
def test_each_change_lasts_until_the_next_even_over_midnight(
    time: str, since: str, screen: int, lamps: int
) -> None:
    assert scheduled(NIGHT, time) == (since, Setting(screen, lamps, sound=True))


def test_a_manual_brightness_lasts_until_the_next_change_and_a_manual_sound_longer() -> None:
    applied: list[int] = []
    levels = Levels(NIGHT, clock("21:00"), lambda setting: applied.append(setting.lamps))
    assert levels.set_by_hand(None, 60, False)
    assert not levels.set_by_hand(None, 60, None), "the same again"
    assert not levels.apply_schedule(clock("21:59"))
    assert levels.now == Setting(100, 60, sound=False)
    assert levels.apply_schedule(clock("22:00"))
    assert levels.now == Setting(80, 40, sound=False)
    assert applied == [90, 60, 40]


def test_without_a_schedule_nothing_changes_by_itself() -> None:
    levels = Levels(RoomSection(), clock("03:00"), lambda _setting: None)
    assert levels.set_by_hand(80, None, None)
    assert not any(levels.apply_schedule(clock(f"{hour:02}:00")) for hour in range(24))
    assert levels.now.screen == 80


def test_the_schedule_uses_local_time_of_the_table() -> None:
    utc = "2026-11-24T03:00:00.000Z"
    assert scheduled(NIGHT, at(utc, "America/New_York").strftime("%H:%M"))[0] == "22:00"
    assert scheduled(NIGHT, at(utc, "America/Los_Angeles").strftime("%H:%M"))[0] == "07:30"


# ---------------------------------------------------------------------- a restart


def chosen(time: str) -> ManualSetting:
    """Return the stored settings after a person has set screen 90, lamps 60 and no sound at `time`."""
    levels = Levels(NIGHT, clock(time), lambda _setting: None)
    levels.set_by_hand(90, 60, False)
    return levels.to_keep()


def after(kept: ManualSetting, local: datetime, room: RoomSection = NIGHT) -> Setting:
    return Levels(room, local, lambda _setting: None, kept).now


@pytest.mark.parametrize("time", ["21:00", "21:59", "07:30"])
def test_a_restart_before_the_next_change_keeps_manual_settings(time: str) -> None:
    assert after(chosen("20:00"), clock(time)) == Setting(90, 60, sound=False)


def test_a_manual_change_at_night_lasts_until_the_morning() -> None:
    assert after(chosen("23:00"), clock("02:00") + timedelta(days=1)) == Setting(90, 60, sound=False)


@pytest.mark.parametrize(("days", "time"), [(0, "22:00"), (1, "20:00"), (-1, "20:00")])
def test_a_scheduled_change_during_a_stop_ends_the_manual_brightness_only(days: int, time: str) -> None:
    found = after(chosen("20:00"), clock(time) + timedelta(days=days))
    assert found == replace(scheduled(NIGHT, time)[1], sound=False)


def test_other_values_in_the_table_file_apply_at_once() -> None:
    quiet = NIGHT.model_copy(update={"sound": False})
    assert after(chosen("20:00"), clock("20:05"), quiet).sound is False
    louder = ManualSetting(Setting(90, 60, sound=False), Setting(100, 100, sound=False), "")
    assert after(louder, clock("20:05"), RoomSection(lamps=70, sound=True)) == Setting(100, 70, sound=True)


async def test_the_file_has_the_last_of_several_settings(tmp_path: Path) -> None:
    levels = Levels(NIGHT, clock("20:00"), lambda _setting: None)
    file = LevelsFile(tmp_path / "journal.db")
    writes = []
    for percent in (90, 80, 70):
        levels.set_by_hand(None, percent, None)
        writes.append(file.keep(levels))
    await asyncio.gather(*writes)
    assert LevelsFile(tmp_path / "journal.db").read() == levels.to_keep()
    assert [path.name for path in tmp_path.iterdir()] == ["journal.db.room"]
    assert (tmp_path / "journal.db.room").stat().st_mode & 0o777 == 0o600


WHOLE = {
    "chosen": {"screen": 90, "lamps": 60, "sound": False},
    "configured": {"screen": 100, "lamps": 90, "sound": True},
    "since": "2026-11-23T07:30",
}


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "allowed: one JSON object in UTF-8"),
        (b"\x00" * 200, "allowed: one JSON object in UTF-8"),
        (json.dumps(WHOLE)[:40].encode(), "allowed: one JSON object in UTF-8"),
        (b" " * 5000 + json.dumps(WHOLE).encode(), "allowed: one JSON object in UTF-8"),
        (json.dumps({**WHOLE, "since": "now"}).encode(), "since: allowed: a local date and time"),
        (
            json.dumps({**WHOLE, "chosen": {"screen": 5, "lamps": 60, "sound": True}}).encode(),
            "chosen.screen",
        ),
        (
            json.dumps({**WHOLE, "chosen": {"screen": 90.0, "lamps": 60, "sound": 1}}).encode(),
            "chosen.screen",
        ),
        (json.dumps({**WHOLE, "dealer": "D7"}).encode(), "dealer: unknown key"),
    ],
)
def test_a_damaged_file_gives_one_line_and_the_configured_values(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, content: bytes, why: str
) -> None:
    (tmp_path / "journal.db.room").write_bytes(content)
    with caplog.at_level(logging.WARNING):
        assert LevelsFile(tmp_path / "journal.db").read() is None
    [line] = caplog.messages
    assert line.startswith(f"room {tmp_path / 'journal.db.room'}: {why}")
    assert "\n" not in line


def test_a_fifo_in_its_place_gives_one_line_without_a_wait(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    os.mkfifo(tmp_path / "journal.db.room")
    with caplog.at_level(logging.WARNING):
        assert LevelsFile(tmp_path / "journal.db").read() is None
    [line] = caplog.messages
    assert "no ordinary file" in line


async def test_an_unreadable_or_unwritable_file_gives_one_line(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "journal.db.room").mkdir()
    levels = Levels(NIGHT, clock("20:00"), lambda _setting: None)

    async def both() -> None:
        file = LevelsFile(tmp_path / "journal.db")
        assert file.read() is None
        await file.keep(levels)

    with caplog.at_level(logging.WARNING):
        await both()
    assert len(caplog.messages) == 2
