"""One end's numbered frames: one on the wire at a time, the same bytes again, five sendings. Sans-I/O.

Shared by the controller's and the shoe's session (drivers/shoe/LINK.md, Delivery). Knows no meaning of a
frame; it must never send a second numbered frame while one waits, and keeps no queue.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from drivers.shoe.codec import Frame
from drivers.shoe.protection import Protection

RESEND_AFTER: Final = 0.100
SENDINGS: Final = 5
ALIVE_AFTER: Final = 1.0
DOWN_AFTER: Final = 3.0
CALL_EVERY: Final = 1.0
"""HELLO and KNOCK while the link is down."""


def following(number: int) -> int:
    """The number after `number`: 00 comes after FF."""
    return (number + 1) & 0xFF


@dataclass(slots=True)
class Flight:
    """A numbered frame that waits for its ACK."""

    kind: str
    fields: tuple[str, ...] = field(repr=False)
    seq: int
    wire: bytes = field(repr=False)
    began: float
    sent: float
    wants_proof: bool = False
    """Its ACK counts only where it is proven (version 2)."""
    sendings: int = 1
    answered: bool = False
    """DONE or REFUSED came before the ACK (the ACK was lost)."""


@dataclass(slots=True)
class Sender:
    """The counter and the frame in flight of one end. `number` is the last one used."""

    number: int
    flight: Flight | None = None

    def send(self, protection: Protection, kind: str, fields: tuple[str, ...], now: float) -> Flight:
        """Take the next number; the caller puts `wire` on the line."""
        self.number = following(self.number)
        wire = protection.wrap(self.number, kind, fields)
        wants = protection.wants_proof(kind, fields)
        self.flight = Flight(kind, fields, self.number, wire, now, now, wants)
        return self.flight

    def acknowledge(self, ack: Frame) -> Flight | None:
        """The flight that this ACK ends, or None for an ACK of something else."""
        flight = self.flight
        if flight is None or flight.seq != ack.seq or (flight.wants_proof and not ack.proven):
            return None
        self.flight = None
        return flight

    def deadline(self) -> float | None:
        return None if self.flight is None else self.flight.sent + RESEND_AFTER

    def again(self, now: float) -> bytes | None:
        """The same bytes once more where they are due; None where nothing is due or all were sent."""
        flight = self.flight
        if flight is None or now < flight.sent + RESEND_AFTER or flight.sendings >= SENDINGS:
            return None
        flight.sendings += 1
        flight.sent = now
        return flight.wire

    def exhausted(self, now: float) -> bool:
        """Five sendings and no ACK: the link is down."""
        flight = self.flight
        return flight is not None and flight.sendings >= SENDINGS and now >= flight.sent + RESEND_AFTER
