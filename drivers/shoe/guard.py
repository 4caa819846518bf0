"""Choice of the link's version at the controller's end, against a downgrade to the one without encryption,
and reports about frames that are not authentic. Sans-I/O.

The guard must never fall back to version 1 by itself: only a floorperson orders that, and any frame of
version 2 ends it.
"""

from __future__ import annotations

from typing import Final

from drivers.ports import ShoeReport
from drivers.shoe.codec import Frame
from drivers.shoe.protection import OLD_VERSION, Clear, Protection, is_refused_hello

TAMPERED: Final = "TAMPERED"
"""Report of another sender on the link; its field names the evidence."""
UNPROVEN: Final = "UNPROVEN"
"""Report of a device that uses version 1 where version 2 is required."""
REPORT_INTERVAL_S: Final = 10.0
"""Minimum interval between reports of one kind in seconds, so that a foreign sender cannot fill the
journal."""


class Guard:
    """Choice of the version of the link that one session uses. `required`: the version of the table file;
    `current`: the one in use."""

    def __init__(self, required: Protection) -> None:
        self.required = self.current = required
        self._next_report_at: dict[str, float] = {}

    def use(self, protection: Protection) -> bool:
        """Use the protection `protection` from now on. Returns whether its version differs from the previous
        one."""
        other = protection.version != self.current.version
        if other:
            self.current = protection
        return other

    def fall_back(self) -> bool:
        return self.use(Clear())

    def offers_required_version(self, frame: Frame) -> bool:
        """Return whether a frame shows that the shoe supports version 2 while version 1 is in use. The frame
        may be forged, but its only effect is that authentication is required again.
        """
        knock = frame.kind == "KNOCK" and len(frame.fields) > 1
        return self.current is not self.required and (knock or is_refused_hello(frame.kind, frame.fields))

    def verdict(self, frame: Frame, reason: str, *, opening: bool, hello_taken: bool) -> str | None:
        """Return the kind of report for a frame that is not authentic, or None. While a session is being
        opened, frames of an older session may still arrive and are not reported."""
        if opening and reason == OLD_VERSION:
            return UNPROVEN
        if reason == "repetitions" or (opening and not (frame.kind == "WELCOME" and hello_taken)):
            return None
        return TAMPERED

    def rate_limited(self, kind: str, evidence: str, now: float) -> list[ShoeReport]:
        """Return the report as a list of one, or [] if one of this kind was made within `REPORT_INTERVAL_S`.
        The session counts every such frame."""
        if now < self._next_report_at.get(kind, now):
            return []
        self._next_report_at[kind] = now + REPORT_INTERVAL_S
        return [ShoeReport(kind, (evidence,))]
