"""Brightness of screens and lamps, and the screens' sound: set by the table file's schedule, such as dimmed
at night, and by hand.

A brightness set by hand applies until the schedule's next change, a sound level until that in the table file
changes; both survive a restart (`levels_file.py`). They do not belong to the game and must never be
journalled. Pure except for `apply`: the time is an argument of each call.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from controller.settings.schema import RoomSection


@dataclass(frozen=True, slots=True)
class Setting:
    """Brightness and sound. `screen`, `lamps`: percent. `sound`: whether tones sound at a hold and a call."""

    screen: int
    lamps: int
    sound: bool


def scheduled(room: RoomSection, clock: str) -> tuple[str, Setting]:
    """Return the change of the schedule that is in force at `clock`: its time of day, and its setting.
    Without a schedule, return "" and the setting of the section itself. `clock`: local time, "HH:MM"."""
    changes = sorted(room.schedule, key=lambda each: each.at)
    if not changes:
        return "", Setting(room.screen, room.lamps, room.sound)
    # before the first change of the day, the last one of the previous day is in force
    now = next((each for each in reversed(changes) if each.at <= clock), changes[-1])
    return now.at, Setting(now.screen or room.screen, now.lamps or room.lamps, room.sound)


@dataclass(frozen=True, slots=True)
class ManualSetting:
    """A setting chosen by hand in place of `configured`, the table file's own.

    `since`: local date and time of the schedule's change that was in force then, "2026-11-23T22:00"; ""
    without a schedule.
    """

    chosen: Setting
    configured: Setting
    since: str


class Levels:
    """Setting of one table in force, `now`. Only `apply_schedule` and `set_by_hand` change it."""

    def __init__(
        self,
        room: RoomSection,
        local: datetime,
        apply: Callable[[Setting], None],
        kept: ManualSetting | None = None,
    ) -> None:
        """Apply the first setting.

        `local`: time in the table's zone. `apply`: called with the first setting and with each new one.
        `kept`: setting by hand from before a restart, or None.
        """
        self._room, self._apply = room, apply
        self._since, self._configured = scheduled(room, _clock(local))
        self._change_time = _change_time(self._since, local)
        self.now = self._after_restart(kept) if kept else self._configured
        apply(self.now)

    def _after_restart(self, kept: ManualSetting) -> Setting:
        """Return the configured setting, with the values chosen by hand that are still in force after a
        restart.
        """
        own, was = self._configured, kept.configured
        holds = (self._change_time, own.screen, own.lamps) == (kept.since, was.screen, was.lamps)
        brightness = kept.chosen if holds else own
        sound = kept.chosen.sound if own.sound == was.sound else own.sound
        return replace(brightness, sound=sound)

    def to_keep(self) -> ManualSetting:
        """Return the setting in force in the form stored for a restart."""
        return ManualSetting(self.now, self._configured, self._change_time)

    def apply_schedule(self, local: datetime) -> bool:
        """Apply the schedule's next change if it is due. Returns whether the setting has changed."""
        since, setting = scheduled(self._room, _clock(local))
        if since == self._since:
            return False
        self._since, self._configured, self._change_time = since, setting, _change_time(since, local)
        return self._set(replace(setting, sound=self.now.sound))

    def set_by_hand(self, screen: int | None, lamps: int | None, sound: bool | None) -> bool:
        """Set each value that is not None; return whether anything changed. The form of the touch limits the
        values.
        """
        was = self.now
        return self._set(
            Setting(
                was.screen if screen is None else screen,
                was.lamps if lamps is None else lamps,
                was.sound if sound is None else sound,
            )
        )

    def _set(self, setting: Setting) -> bool:
        changed = setting != self.now
        if changed:
            self.now = setting
            self._apply(setting)
        return changed


def _clock(local: datetime) -> str:
    return local.strftime("%H:%M")


def _change_time(at: str, local: datetime) -> str:
    """Return the local date and time of the schedule's change in force, which takes place daily at `at`; ""
    without a schedule.
    """
    if not at:
        return ""
    day = local.date() if at <= _clock(local) else local.date() - timedelta(days=1)
    return f"{day}T{at}"
