"""Brightness of screens and lamps, and whether the screens sound: by the table file's schedule, and by hand.

What is set by hand holds until the next change of the schedule, and until the daemon ends. Nothing here is
of the game: it is not journalled. Pure but for `apply`: the time comes with each call.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

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


class Levels:
    """The setting of one table. `now` changes by `look` and `by_hand` alone."""

    def __init__(self, room: RoomSection, local: datetime, apply: Callable[[Setting], None]) -> None:
        """`local`: the time in the table's zone; `apply` is called with the first setting and each other."""
        self._room, self._apply = room, apply
        self._since, self.now = scheduled(room, _clock(local))
        apply(self.now)

    def look(self, local: datetime) -> bool:
        """Take over the schedule's next change when its time has come; return whether anything changed."""
        since, setting = scheduled(self._room, _clock(local))
        if since == self._since:
            return False
        self._since = since
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
