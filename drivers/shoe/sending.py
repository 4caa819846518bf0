"""Heartbeats of the shoe link and the silence after which it is down. Sends one end's numbered frames, one
at a time, and sends a lost frame again: the same bytes, up to five times. Sans-I/O.

Shared by the controller's and the shoe's session (drivers/shoe/LINK.md, Delivery). It does not interpret
frames and has no queue. It must never send a second numbered frame while one waits for its ACK.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from drivers.shoe.codec import Frame
from drivers.shoe.protection import Protection

RESEND_AFTER_S: Final = 0.100
"""Seconds after which a frame without an ACK is sent again."""
MAX_SENDINGS: Final = 5
ALIVE_AFTER_S: Final = 1.0
DOWN_AFTER_S: Final = 3.0
CALL_INTERVAL_S: Final = 1.0
"""Interval of HELLO and KNOCK in seconds while the link is down."""


def next_number(number: int) -> int:
    """Return the number after `number`: 00 follows FF."""
    return (number + 1) & 0xFF


@dataclass(slots=True)
class Flight:
    """Numbered frame that was sent and waits for its ACK. `wire`: its bytes; `began`, `sent`: times of the
    first and of the last transmission."""

    kind: str
    fields: tuple[str, ...] = field(repr=False)
    seq: int
    wire: bytes = field(repr=False)
    began: float
    sent: float
    needs_authentic_ack: bool = False
    """Whether only an authentic ACK counts (version 2)."""
    sendings: int = 1
    answered: bool = False
    """Whether DONE or REFUSED arrived before the ACK, because the ACK was lost."""


@dataclass(slots=True)
class FrameSender:
    """Frame counter and frame in flight of one end. `number`: number of the last frame sent."""

    number: int
    flight: Flight | None = None

    def send(self, protection: Protection, kind: str, fields: tuple[str, ...], now: float) -> Flight:
        """Use the next number and return the frame in flight; the caller writes its `wire`."""
        self.number = next_number(self.number)
        wire = protection.wrap(self.number, kind, fields)
        wants = protection.needs_authentic_ack(kind, fields)
        self.flight = Flight(kind, fields, self.number, wire, now, now, wants)
        return self.flight

    def acknowledge(self, ack: Frame) -> Flight | None:
        """Return the frame that this ACK acknowledges, or None if it acknowledges none in flight."""
        flight = self.flight
        if flight is None or flight.seq != ack.seq or (flight.needs_authentic_ack and not ack.authentic):
            return None
        self.flight = None
        return flight

    def deadline(self) -> float | None:
        return None if self.flight is None else self.flight.sent + RESEND_AFTER_S

    def resend(self, now: float) -> bytes | None:
        """Return the same bytes again if they are due; None before that time and after the fifth
        transmission.
        """
        flight = self.flight
        if flight is None or now < flight.sent + RESEND_AFTER_S or flight.sendings >= MAX_SENDINGS:
            return None
        flight.sendings += 1
        flight.sent = now
        return flight.wire

    def is_exhausted(self, now: float) -> bool:
        """Return whether five transmissions got no ACK: the link is down."""
        flight = self.flight
        return flight is not None and flight.sendings >= MAX_SENDINGS and now >= flight.sent + RESEND_AFTER_S
