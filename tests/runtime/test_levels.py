"""Brightness by the schedule of the table file, in its zone, and by hand until the schedule's next change."""

from __future__ import annotations

from datetime import datetime

import pytest

from controller.files.zones import at
from controller.runtime.levels import Levels, Setting, scheduled
from controller.settings.schema import ChangeSection, RoomSection

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
def test_each_change_holds_until_the_next_over_midnight(
    time: str, since: str, screen: int, lamps: int
) -> None:
    assert scheduled(NIGHT, time) == (since, Setting(screen, lamps, sound=True))


def test_what_is_set_by_hand_holds_until_the_next_change_and_the_sound_beyond_it() -> None:
    applied: list[int] = []
    levels = Levels(NIGHT, clock("21:00"), lambda setting: applied.append(setting.lamps))
    assert levels.by_hand(None, 60, False)
    assert not levels.by_hand(None, 60, None), "the same again"
    assert not levels.look(clock("21:59"))
    assert levels.now == Setting(100, 60, sound=False)
    assert levels.look(clock("22:00"))
    assert levels.now == Setting(80, 40, sound=False)
    assert applied == [90, 60, 40]


def test_without_a_schedule_nothing_changes_by_itself() -> None:
    levels = Levels(RoomSection(), clock("03:00"), lambda _setting: None)
    assert levels.by_hand(80, None, None)
    assert not any(levels.look(clock(f"{hour:02}:00")) for hour in range(24))
    assert levels.now.screen == 80


def test_the_clock_is_the_wall_s_in_the_zone_of_the_table() -> None:
    utc = "2026-11-24T03:00:00.000Z"
    assert scheduled(NIGHT, at(utc, "America/New_York").strftime("%H:%M"))[0] == "22:00"
    assert scheduled(NIGHT, at(utc, "America/Los_Angeles").strftime("%H:%M"))[0] == "07:30"
