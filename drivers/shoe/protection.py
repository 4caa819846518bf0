"""Wrapping of the frames at an end of the shoe link: the one place where versions 1 and 2 differ.

Numbers, acknowledgements and resumption are the session's and know nothing of it. `Clear` is version 1: what
passes the check sum is believed. Version 2 is in `sealing.py`.
"""

from __future__ import annotations

from typing import Protocol

from drivers.shoe.codec import Frame, encode


class Unproven(Exception):
    """A frame that cannot be believed: nothing of it is taken, and it is not answered. `reason`: as it is
    counted."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


OLD_VERSION = "old_version"
"""The other end answers in version 1 where version 2 is spoken."""


class Protection(Protocol):
    """One end's. A frame that `unwrap` gives back has the fields of version 1, whatever it had on the wire;
    `Frame.proven` is False where nothing proves it: a call for a session, or the answer to one."""

    version: str

    @property
    def session(self) -> str:
        """Return the name of the session that is open, unique for all time; empty in version 1."""

    def hello(self, name: str, boot: str | None, mark: tuple[str, int] | None) -> tuple[str, ...]:
        """The fields of a HELLO. `mark`: boot, with the session's name behind it, and number of the last
        frame on stable storage."""

    def wrap(self, seq: int, kind: str, fields: tuple[str, ...]) -> bytes:
        """A numbered frame. It is made once; its repetitions are the same bytes."""

    def acknowledge(self, frame: Frame) -> bytes:
        """The ACK of that frame."""

    def alive(self, number: int) -> bytes:
        """ALIVE; nothing where there is no session in which it would prove anything."""

    def unwrap(self, frame: Frame) -> Frame:
        """Raises Unproven."""

    def wants_proof(self, kind: str, fields: tuple[str, ...]) -> bool:
        """Whether the ACK of such a frame of ours has to be proven."""


class Clear:
    """Version 1."""

    version = "1"
    session = ""

    def hello(self, name: str, boot: str | None, mark: tuple[str, int] | None) -> tuple[str, ...]:
        last = "" if mark is None or mark[0] != boot else f"{mark[1]:02X}"
        return (self.version, name, last)

    def wrap(self, seq: int, kind: str, fields: tuple[str, ...]) -> bytes:
        return encode(seq, kind, fields)

    def acknowledge(self, frame: Frame) -> bytes:
        return encode(frame.seq, "ACK")

    def alive(self, number: int) -> bytes:
        return encode(number, "ALIVE")

    def unwrap(self, frame: Frame) -> Frame:
        return frame

    def wants_proof(self, kind: str, fields: tuple[str, ...]) -> bool:
        return False


def is_refused_hello(kind: str, fields: tuple[str, ...]) -> bool:
    """No session is open: it goes in clear in both versions."""
    return kind == "REFUSED" and fields[:1] == ("HELLO",)
