"""Which version the controller's end speaks, and what is told of frames that are not believed. Sans-I/O.

It must never go back to version 1 by itself: a floorperson has it do so, and any word of version 2 ends it.
"""

from __future__ import annotations

from typing import Final

from drivers.ports import ShoeReport
from drivers.shoe.codec import Frame
from drivers.shoe.protection import OLD_VERSION, Clear, Protection, is_refused_hello

TAMPERED: Final = "TAMPERED"
"""Another sender on the line; the field names the evidence."""
UNPROVEN: Final = "UNPROVEN"
"""The device speaks version 1, where version 2 is required."""
TELL_EVERY: Final = 10.0
"""Seconds: whoever talks into the line fills no journal."""


class Guard:
    """`asked`: the version of the table file; `spoken`: the one in use."""

    def __init__(self, asked: Protection) -> None:
        self.asked = self.spoken = asked
        self._tell_at: dict[str, float] = {}

    def speak(self, protection: Protection) -> bool:
        """Whether that is another version than before."""
        other = protection.version != self.spoken.version
        if other:
            self.spoken = protection
        return other

    def fall_back(self) -> bool:
        return self.speak(Clear())

    def may_return(self, frame: Frame) -> bool:
        """While version 1 is spoken for want of a better, a frame says that there is one. It may be
        anybody's: it only has more proven."""
        knock = frame.kind == "KNOCK" and len(frame.fields) > 1
        return self.spoken is not self.asked and (knock or is_refused_hello(frame.kind, frame.fields))

    def verdict(self, frame: Frame, reason: str, *, opening: bool, hello_taken: bool) -> str | None:
        """Return the report about a frame that was not authentic. While a session is being opened, frames of
        an older one may still be on their way."""
        if opening and reason == OLD_VERSION:
            return UNPROVEN
        if reason == "repetitions" or (opening and not (frame.kind == "WELCOME" and hello_taken)):
            return None
        return TAMPERED

    def told(self, kind: str, what: str, now: float) -> list[ShoeReport]:
        """Every one was counted; the runtime is told now and then."""
        if now < self._tell_at.get(kind, now):
            return []
        self._tell_at[kind] = now + TELL_EVERY
        return [ShoeReport(kind, (what,))]
