"""Brightness of screens and lamps, and whether the screens sound: by the table file's schedule, and by hand.

A brightness set by hand holds until the schedule's next change, a sound until the table file's own changes;
both outlast a restart (`levels_file.py`). Must never be journalled: nothing here is of the game. Pure but for
`apply`: the time comes with each call.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from controller.settings.schema import RoomSection


@dataclass(frozen=True, slots=True)
class Setting:
    """`screen`, `lamps`: percent. `sound`: tones for a hold and a call."""

    screen: int
    lamps: int
    sound: bool


def scheduled(room: RoomSection, clock: str) -> tuple[str, Setting]:
    """Return the change of the schedule that is in force at `clock` (local time, "HH:MM"), by its own time,
    and the setting; "" and the setting of the section if there is no schedule."""
    changes = sorted(room.schedule, key=lambda each: each.at)
    if not changes:
        return "", Setting(room.screen, room.lamps, room.sound)
    # before the first change of the day the last one of the day before is in force
    now = next((each for each in reversed(changes) if each.at <= clock), changes[-1])
    return now.at, Setting(now.screen or room.screen, now.lamps or room.lamps, room.sound)


@dataclass(frozen=True, slots=True)
class ByHand:
    """A setting chosen by hand over `configured`, the table file's own. `since`: local date and time of the
    schedule's change in force then, "2026-11-23T22:00"; "" without a schedule."""

    chosen: Setting
    configured: Setting
    since: str


class Levels:
    """The setting of one table. `now` changes by `look` and `by_hand` alone."""

    def __init__(
        self,
        room: RoomSection,
        local: datetime,
        apply: Callable[[Setting], None],
        kept: ByHand | None = None,
    ) -> None:
        """`local`: the time in the table's zone; `apply` is called with the first setting and each other;
        `kept`: the setting chosen before the restart."""
        self._room, self._apply = room, apply
        self._since, self._configured = scheduled(room, _clock(local))
        self._begun = _begun(self._since, local)
        self.now = self._after_restart(kept) if kept else self._configured
        apply(self.now)

    def _after_restart(self, kept: ByHand) -> Setting:
        """Return the configured setting with what was chosen by hand and is still in force."""
        own, was = self._configured, kept.configured
        holds = (self._begun, own.screen, own.lamps) == (kept.since, was.screen, was.lamps)
        brightness = kept.chosen if holds else own
        sound = kept.chosen.sound if own.sound == was.sound else own.sound
        return replace(brightness, sound=sound)

    def kept(self) -> ByHand:
        """Return what a restart needs to know of the setting in force."""
        return ByHand(self.now, self._configured, self._begun)

    def look(self, local: datetime) -> bool:
        """Take over the schedule's next change when its time has come; return whether anything changed."""
        since, setting = scheduled(self._room, _clock(local))
        if since == self._since:
            return False
        self._since, self._configured, self._begun = since, setting, _begun(since, local)
        return self._set(replace(setting, sound=self.now.sound))

    def by_hand(self, screen: int | None, lamps: int | None, sound: bool | None) -> bool:
        """Set what is given, None leaves it; return whether anything changed. Values are bounded by the form
        of the touch."""
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


def _begun(at: str, local: datetime) -> str:
    """Return the local date and time of the change of time `at` that is in force, "" if there is none."""
    if not at:
        return ""
    day = local.date() if at <= _clock(local) else local.date() - timedelta(days=1)
    return f"{day}T{at}"
