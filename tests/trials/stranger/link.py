"""Shoe's end of the shoe link, version 1, written only from drivers/shoe/LINK.md.

It must never import from drivers/: it is useful only as an independent implementation.
"""

from __future__ import annotations

import random
from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

RESEND_S, SENDINGS, ALIVE_S, KNOCK_S, DEAD_S, LONGEST = 0.1, 5, 1.0, 1.0, 3.0, 96
Clock = Callable[[], float]


def crc16(data: bytes) -> int:
    """Return CRC-16/CCITT-FALSE, bit by bit as the page defines it."""
    value = 0xFFFF
    for byte in data:
        value ^= byte << 8
        for _ in range(8):
            value = (value << 1 ^ 0x1021 if value & 0x8000 else value << 1) & 0xFFFF
    return value


def frame(number: int, fields: Sequence[str]) -> bytes:
    body = f"{number:02X},{','.join(fields)}".encode("ascii")
    return b"$" + body + b"*%04X\r\n" % crc16(body)


def parse(line: bytes) -> tuple[int, list[str]] | None:
    """Return the fields of one frame without its line end, or None if the line has no frame."""
    body, star, check = line[1:].rpartition(b"*")
    if not star or len(check) != 4 or check != b"%04X" % crc16(body):
        return None
    if any(byte < 0x20 or byte > 0x7E for byte in body) or b"*" in body:
        return None
    number, *fields = body.decode("ascii").split(",")
    if len(number) != 2 or any(digit not in "0123456789ABCDEF" for digit in number) or not fields:
        return None
    return int(number, 16), fields


@dataclass(eq=False)
class Message:
    """Message that waits to be acknowledged, with every number under which it was sent."""

    fields: tuple[str, ...]
    opening: bool = False
    """Whether it is a WELCOME or a closing STATE, which belong to one session only."""
    numbers: set[int] = field(default_factory=set)


class ShoeLink:
    """The shoe's end of the link. `write` sends one frame; `command` is called with each new command. Call
    `tick` often."""

    def __init__(self, write: Callable[[bytes], None], clock: Clock, dice: random.Random) -> None:
        self.write, self.clock, self.dice = write, clock, dice
        self.welcome: Callable[[], tuple[str, ...]] = tuple
        self.state: Callable[[], tuple[str, ...]] = tuple
        self.command: Callable[[list[str]], None] = lambda _fields: None
        self.counted: Counter[str] = Counter()
        self.power_up("0")

    def power_up(self, boot: str) -> None:
        """Forget everything, as a device does after a power cut."""
        self.boot = boot
        self.open = False
        self.number = self.dice.randrange(256)
        self.queue: deque[Message] = deque()
        self.flying: Message | None = None
        self.sent, self.sent_at, self.spoke_at = 0, 0.0, -1.0
        self.accepted: int | None = None
        self.accepted_bytes = b""
        self.received_at = self.knock_at = self.clock()
        self.buffer: bytearray | None = None

    # ------------------------------------------------------------------ sending

    def enqueue(self, *fields: str) -> None:
        self.queue.append(Message(fields))
        self._next()

    def _send(self, data: bytes) -> None:
        self.spoke_at = self.clock()
        self.write(data)

    def _next(self) -> None:
        if self.open and self.flying is None and self.queue:
            self._fly(self.queue[0])

    def _fly(self, message: Message) -> None:
        self.number = (self.number + 1) % 256
        if message.fields[0] != "KNOCK":
            for older in self.queue:
                older.numbers.discard(self.number)
            message.numbers.add(self.number)
        self.flying, self.sent = message, 0
        self._again()

    def _again(self) -> None:
        assert self.flying is not None
        self.sent += 1
        self.sent_at = self.clock()
        self.counted["sendings"] += 1
        self.counted["again"] += self.sent > 1
        self._send(frame(self.number, self.flying.fields))

    def tick(self) -> None:
        now = self.clock()
        if self.flying is not None and now - self.sent_at >= RESEND_S:
            if self.sent < SENDINGS:
                self._again()
            elif self.open:
                self._down("no answer")
            else:
                self.flying = None
        if self.open and now - self.received_at >= DEAD_S:
            self._down("silence")
        if not self.open and now >= self.knock_at and self.flying is None:
            self.knock_at = now + KNOCK_S
            self.counted["knocks"] += 1
            self._fly(Message(("KNOCK", self.boot)))
        if self.open and now - self.spoke_at >= ALIVE_S:
            self._send(frame(self.number, ["ALIVE"]))

    def _down(self, why: str) -> None:
        """End the session. The frame in flight and those behind it are kept for the next one."""
        self.counted[f"down: {why}"] += 1
        self.open, self.flying = False, None
        self.knock_at = self.clock()

    # ------------------------------------------------------------------ receiving

    def receive(self, data: bytes) -> None:
        for byte in data:
            if byte == 0x24:
                if self.buffer is not None:
                    self.counted["bad"] += 1
                self.buffer = bytearray()
            if self.buffer is None:
                continue
            self.buffer.append(byte)
            if byte == 0x0A:
                self._line(bytes(self.buffer))
                self.buffer = None
            elif len(self.buffer) >= LONGEST:
                self.counted["bad"] += 1
                self.buffer = None

    def _line(self, line: bytes) -> None:
        whole = line.removesuffix(b"\n").removesuffix(b"\r")
        found = parse(whole)
        if found is None:
            self.counted["bad"] += 1
            return
        number, fields = found
        self.received_at = self.clock()
        if fields[0] == "ACK":
            self._acknowledged(number)
        elif fields[0] == "HELLO":
            self._hello(number, fields, whole)
        elif fields[0] != "ALIVE":
            self._numbered(number, fields, whole)

    def _acknowledged(self, number: int) -> None:
        if self.flying is not None and number == self.number:
            if self.queue and self.queue[0] is self.flying:
                self.queue.popleft()
            self.flying = None
        elif not self.open and self.queue and number in self.queue[0].numbers:
            self.queue.popleft()
        self._next()

    def _numbered(self, number: int, fields: list[str], whole: bytes) -> None:
        if number == self.accepted:
            self.counted["repetitions"] += 1
            self._send(frame(number, ["ACK"]))
        elif not self.open:
            self.counted["outside a session"] += 1
        elif self.accepted is not None and number == (self.accepted + 1) % 256:
            self.accepted, self.accepted_bytes = number, whole
            self._send(frame(number, ["ACK"]))
            self.command(fields)
        else:
            self._down("break")

    def _hello(self, number: int, fields: list[str], whole: bytes) -> None:
        self._send(frame(number, ["ACK"]))
        if whole == self.accepted_bytes:
            self.counted["repetitions"] += 1
            return
        self.accepted, self.accepted_bytes = number, whole
        if len(fields) != 4 or fields[1] != "1":
            self._down("version")
            self._fly(Message(("REFUSED", "HELLO", "this shoe speaks version 1")))
            return
        self.counted["sessions"] += 1
        last = int(fields[3], 16) if fields[3] else None
        kept = [m for m in self.queue if not m.opening and last not in m.numbers]
        self.counted["told once more"] += sum(bool(m.numbers) for m in kept)
        first, closing = Message(self.welcome(), opening=True), Message(self.state(), opening=True)
        self.queue = deque([first, *kept, closing])
        self.open, self.flying = True, None
        self._next()
