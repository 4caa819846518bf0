"""Shoe's end of the shoe link, in either version, for simulators (drivers/shoe/LINK.md). Sans-I/O.

It queues the device's frames until the controller has acknowledged them, and passes each command to the
device once. Only simulators import it. The session must never drop or renumber a frame that may still be
accepted. It does not depend on the decks.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from drivers.shoe.codec import MAX_FRAME_BYTES, Frame, FrameDecoder, encode_frame
from drivers.shoe.forms import CONTROLLER_KINDS, well_formed_from_controller
from drivers.shoe.protection import Clear, NotAuthentic, Protection
from drivers.shoe.sending import ALIVE_AFTER_S, CALL_INTERVAL_S, DOWN_AFTER_S, FrameSender, next_number


@dataclass(slots=True)
class _Queued:
    """A frame until it is acknowledged. `seq`: number of its last transmission."""

    kind: str
    fields: tuple[str, ...] = field(repr=False)
    seq: int | None = None
    session: str = ""
    """Session in which the frame was sent under that number; empty in version 1."""
    closing: bool = False

    def is_named_by(self, *stored: str) -> bool:
        """Return whether a HELLO names this frame as stored: by its number, and in version 2 also its
        session."""
        known = () if self.seq is None else (*([self.session] if self.session else []), f"{self.seq:02X}")
        return known == stored


@dataclass(frozen=True, slots=True)
class Identity:
    """Identity that a simulated shoe reports in its WELCOME message."""

    model: str = "CCT-SIM"
    serial: str = "0001"
    firmware: str = "1.0"


class ShoeSession:
    """Session of a simulated shoe. `state()` returns the fields of a STATE at the end of the queue.

    `boot` must differ at each power-up. After `opened()` frames wait for a HELLO.
    """

    def __init__(
        self,
        boot: str,
        state: Callable[[], tuple[str, ...]],
        rng: Random,
        identity: Identity | None = None,
        protection: Protection | None = None,
    ) -> None:
        self._protection = protection or Clear()
        self._boot = boot
        self._state = state
        self._identity = identity or Identity()
        self._sender = FrameSender(rng.randrange(256))
        self._decoder = FrameDecoder() if self._protection.version == "1" else FrameDecoder(MAX_FRAME_BYTES)
        self.counts: Counter[str] = Counter()
        self._queue: deque[_Queued] = deque()
        self._commands: list[tuple[str, tuple[str, ...]]] = []
        self._bytes = bytearray()
        self._last_accepted: tuple[int, bytes] | None = None
        self._connected = False
        self._open = False
        self._knock_at: float | None = None
        self._silent_since = 0.0
        self._sent = 0.0

    @property
    def up(self) -> bool:
        return self._open

    @property
    def number(self) -> int:
        """Number of the last numbered frame sent."""
        return self._sender.number

    @property
    def backlog(self) -> int:
        """Number of frames not acknowledged by the controller."""
        return len(self._queue)

    def opened(self, now: float) -> None:
        """Note that the line is open, and send KNOCK."""
        self._decoder.reset()
        self._connected = True
        self._silent_since = self._sent = now
        self._knock(now)

    def closed(self) -> None:
        self._connected = self._open = False
        self._sender.flight = None
        self._knock_at = None

    def emit(self, kind: str, fields: tuple[str, ...], now: float) -> None:
        """Queue a frame of the device. Raises ValueError if it cannot be encoded."""
        encode_frame(0, kind, fields)
        self._queue.append(_Queued(kind, fields))
        self._pump(now)

    def receive(self, data: bytes, now: float) -> None:
        for frame in self._decoder.feed(data):
            try:
                self._on_unwrapped(self._protection.unwrap(frame), now)
            except NotAuthentic as error:
                self.counts[error.reason] += 1

    def _on_unwrapped(self, frame: Frame, now: float) -> None:
        known = frame.kind in CONTROLLER_KINDS and well_formed_from_controller(frame)
        if not self._connected or not known:
            self.counts["malformed"] += 1
        elif self._open and not frame.authentic and frame.kind != "ACK":
            self.counts["bad_proof"] += 1  # a frame in clear cannot end a session
        else:
            if frame.authentic:
                self._silent_since = now
            self._on_frame(frame, now)

    def tick(self, now: float) -> None:
        if not self._connected:
            return
        silent = self._knock_at is None and now >= self._silent_since + DOWN_AFTER_S
        if silent or self._sender.is_exhausted(now):
            self._link_down(now)
        elif (wire := self._sender.resend(now)) is not None:
            self.counts["resent"] += 1
            self._put(wire, now)
        if self._knock_at is not None and now >= self._knock_at:
            self._knock(now)
        if now >= self._sent + ALIVE_AFTER_S:
            self._put(self._protection.alive(self._sender.number), now)

    def next_deadline(self) -> float | None:
        if not self._connected:
            return None
        dues = [self._sent + ALIVE_AFTER_S]
        if (resend := self._sender.deadline()) is not None:
            dues.append(resend)
        dues.append(self._silent_since + DOWN_AFTER_S if self._knock_at is None else self._knock_at)
        return min(dues)

    def take_bytes(self) -> bytes:
        taken = bytes(self._bytes)
        self._bytes.clear()
        return taken

    def take_commands(self) -> list[tuple[str, tuple[str, ...]]]:
        taken, self._commands = self._commands, []
        return taken

    def _on_frame(self, frame: Frame, now: float) -> None:
        if frame.kind == "ACK":
            self._on_ack(frame, now)
        elif frame.kind == "ALIVE":
            return
        elif self._is_repetition(frame):
            self._put(self._protection.acknowledge(frame), now)
        elif frame.kind == "HELLO":
            self._accept(frame, now)
            self._on_hello(frame, now)
        elif (
            self._open
            and self._last_accepted is not None
            and frame.seq == next_number(self._last_accepted[0])
        ):
            self._accept(frame, now)
            self._commands.append((frame.kind, frame.fields))
        else:
            self.counts["breaks"] += 1
            self._begin_knocking(now)

    def _is_repetition(self, frame: Frame) -> bool:
        """Return whether the bytes are those of the last frame. The same number with other bytes is a
        break."""
        if self._last_accepted is None or frame.raw != self._last_accepted[1]:
            return False
        return self._open or frame.kind == "HELLO"

    def _accept(self, frame: Frame, now: float) -> None:
        self._last_accepted = (frame.seq, frame.raw)
        self._put(self._protection.acknowledge(frame), now)

    def _on_ack(self, ack: Frame, now: float) -> None:
        flight = self._sender.acknowledge(ack)
        head = self._queue[0] if self._queue else None
        believed = ack.authentic and head is not None and head.seq == ack.seq
        if head is not None and believed and (flight is None or flight.kind == head.kind):
            # the controller has stored this frame, even if a KNOCK or WELCOME was sent after it
            self._queue.popleft()
        elif flight is not None and flight.kind == "WELCOME" and head is not None:
            head.seq = None  # from now on `last` cannot mean a number from before the WELCOME
        self._pump(now)

    def _on_hello(self, frame: Frame, now: float) -> None:
        """Answer a HELLO: WELCOME, the frames not acknowledged, then the STATE that closes the resumption."""
        version = frame.fields[0]
        self._sender.flight = None
        self._knock_at = None
        if version != self._protection.version:
            self._open = False
            self._send("REFUSED", ("HELLO", f"this shoe speaks version {self._protection.version}"), now)
            return
        if self._queue and self._queue[0].is_named_by(*frame.fields[2:]):
            self._queue.popleft()  # the controller has stored it; only the ACK was lost
        self._queue = deque(queued for queued in self._queue if not queued.closing)
        self._queue.append(_Queued("STATE", self._state(), closing=True))
        self._open = True
        identity = self._identity
        fields = (version, identity.model, identity.serial, identity.firmware, self._boot)
        self._send("WELCOME", fields, now)

    def _pump(self, now: float) -> None:
        if self._open and self._connected and self._sender.flight is None and self._queue:
            head = self._queue[0]
            self._put(self._sender.send(self._protection, head.kind, head.fields, now).wire, now)
            head.seq, head.session = self._sender.number, self._protection.session

    def _link_down(self, now: float) -> None:
        self.counts["links_lost"] += self._open
        self._sender.flight = None
        self._begin_knocking(now)

    def _begin_knocking(self, now: float) -> None:
        """Send KNOCK until a HELLO arrives; the queue stays."""
        self._open = False
        if self._knock_at is None:
            self._knock(now)
        elif self._sender.flight is None:
            self._knock_at = max(self._knock_at, now)

    def _knock(self, now: float) -> None:
        self._sender.flight = None
        self._send("KNOCK", (self._boot,), now)
        self._knock_at = now + CALL_INTERVAL_S

    def _send(self, kind: str, fields: tuple[str, ...], now: float) -> None:
        """Send KNOCK, WELCOME or REFUSED,HELLO ahead of the queue. It must not reuse the number under which
        the head of the queue was sent: an ACK or a `last` with that number must refer to the head only.
        """
        if self._queue and self._queue[0].seq == next_number(self._sender.number):
            self._sender.number = next_number(self._sender.number)
        self._put(self._sender.send(self._protection, kind, fields, now).wire, now)

    def _put(self, wire: bytes, now: float) -> None:
        self._sent = now
        self._bytes += wire
