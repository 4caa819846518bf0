"""Wrapping of frames at one end of the shoe link: the only place where versions 1 and 2 differ.

Numbers, acknowledgements and resumption are the session's task and do not depend on it. `Clear` is version
1, which accepts every frame with a valid check sum. Version 2 is in `sealed.py`.
"""

from __future__ import annotations

from typing import Protocol

from drivers.shoe.codec import Frame, encode_frame


class NotAuthentic(Exception):
    """Raised for a frame that is not authentic. The session drops the frame and does not answer it. `reason`:
    the name of its counter.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


OLD_VERSION = "old_version"
"""Reason: the other end answers in version 1 where version 2 is in use."""


class Protection(Protocol):
    """Protection of one end's frames. `unwrap` returns the fields of version 1, whatever the frame had on
    the wire. `Frame.authentic` is False if nothing authenticates the frame: a request for a session, or the
    answer to one."""

    version: str

    @property
    def session(self) -> str:
        """Name of the open session, unique for all time; empty in version 1."""

    def hello(self, name: str, boot: str | None, mark: tuple[str, int] | None) -> tuple[str, ...]:
        """Return the fields of a HELLO. `mark`: boot and session name as one text, and the number of the last
        frame on stable storage; None if there is none."""

    def wrap(self, seq: int, kind: str, fields: tuple[str, ...]) -> bytes:
        """Return the bytes of a numbered frame, protected as this version requires. Call it once for each
        frame: a repetition must consist of the same bytes."""

    def acknowledge(self, frame: Frame) -> bytes:
        """Return the ACK of that frame."""

    def alive(self, number: int) -> bytes:
        """Return the bytes of an ALIVE, this end's heartbeat. Returns b"" in version 2 without a session,
        because nothing could authenticate it."""

    def unwrap(self, frame: Frame) -> Frame:
        """Return the frame with the fields of version 1. Raises NotAuthentic if it is not authentic."""

    def needs_authentic_ack(self, kind: str, fields: tuple[str, ...]) -> bool:
        """Return whether this end's frame counts as delivered only after an authentic ACK."""


class Clear:
    """Version 1 of the link, in which frames are neither encrypted nor authenticated."""

    version = "1"
    session = ""

    def hello(self, name: str, boot: str | None, mark: tuple[str, int] | None) -> tuple[str, ...]:
        last = "" if mark is None or mark[0] != boot else f"{mark[1]:02X}"
        return (self.version, name, last)

    def wrap(self, seq: int, kind: str, fields: tuple[str, ...]) -> bytes:
        return encode_frame(seq, kind, fields)

    def acknowledge(self, frame: Frame) -> bytes:
        return encode_frame(frame.seq, "ACK")

    def alive(self, number: int) -> bytes:
        return encode_frame(number, "ALIVE")

    def unwrap(self, frame: Frame) -> Frame:
        return frame

    def needs_authentic_ack(self, kind: str, fields: tuple[str, ...]) -> bool:
        return False


def is_refused_hello(kind: str, fields: tuple[str, ...]) -> bool:
    """Return whether the frame is REFUSED,HELLO, which is sent in clear in both versions because no session
    is open."""
    return kind == "REFUSED" and fields[:1] == ("HELLO",)
