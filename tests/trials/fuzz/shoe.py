"""Fuzz target for the frames of a shoe. An input consists of lines, one for each event.

`=CARD,7,QH` is a valid frame with the next number; `#2A,CARD,7,QH` one with that number; `A`: the shoe
acknowledges the controller's last frame; `~250`: that many ms pass; `?`: reports are accepted later, `!`:
now; `^`: the port is unplugged and plugged in again; any other line: those bytes unchanged.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import replace
from random import Random

from controller.record.journal.codec import decode_event, encode_event
from controller.table.engine.event_decoder import FormError, shoe_event
from drivers.ports import ShoeReport
from drivers.shoe import codec
from drivers.shoe.codec import FrameDecoder
from drivers.shoe.dialect import Dialect
from drivers.shoe.forms import CONTROLLER_KINDS, SHOE_KINDS
from drivers.shoe.plain import PlainSession
from drivers.shoe.session import ControllerSession
from drivers.shoe.trace import MAX_LINES
from tests.trials.fuzz.target import ROOT, Target, guarantee, no_face, one_line

LINK = ROOT / "drivers/shoe/LINK.md"
MOST_DEADLINES = 8
"""Maximum number of deadlines that may come due at one instant. A session that always set a new one would
leave no time for play."""
MOST_MS = 30_000


class Line:
    """Line to a shoe: one dialect of the link, and the frames of an input."""

    def __init__(self, dialect: Dialect) -> None:
        self.dialect, self.now, self.number = dialect, 100.0, 0x10
        self.later, self.kept = False, list[ShoeReport]()
        self.last_out: int | None = None
        dialect.opened(self.now)
        self.settle()

    def happens(self, line: bytes) -> None:
        text = line.decode("latin-1")
        if text[:1] == "=":
            self.number = (self.number + 1) & 0xFF
            self.receive(framed(self.number, text[1:]))
        elif re.match(r"#[0-9A-F]{2},", text):
            self.number = int(text[1:3], 16)
            self.receive(framed(self.number, text[4:]))
        elif text == "A" and self.last_out is not None:
            self.receive(codec.encode_frame(self.last_out, "ACK"))
        elif re.fullmatch(r"~[0-9]{1,5}", text):
            self.pass_ms(min(MOST_MS, int(text[1:])))
        elif text in ("?", "!"):
            self.later = text == "?"
        elif text == "^":
            self.dialect.closed(self.now)
            self.settle()
            self.kept.clear()
            self.dialect.opened(self.now)
        else:
            self.receive(line + b"\r\n")
        self.settle()

    def receive(self, data: bytes) -> None:
        self.dialect.receive(data, self.now)
        self.settle()

    def pass_ms(self, count: int) -> None:
        end, woken = self.now + count / 1000, 0
        while (due := self.dialect.next_deadline()) is not None and due <= end:
            guarantee(math.isfinite(due), "a deadline that never comes")
            woken = woken + 1 if due <= self.now else 0
            guarantee(woken < MOST_DEADLINES, "a deadline that is due again at once")
            self.now = max(self.now, due)
            self.dialect.tick(self.now)
            self.settle()
        self.now = end

    def settle(self) -> None:
        """Take all remaining output of the dialect. Check that its frames are valid and that the table can
        use its reports."""
        while True:
            wire, reports = self.dialect.take_bytes(), self.dialect.take_reports()
            self.sent(wire)
            for report in reports:
                check_report(report)
            self.kept += reports
            if self.later or not self.kept:
                return
            self.dialect.accept(self.kept.pop(0), self.now)

    def sent(self, wire: bytes) -> None:
        decoder = FrameDecoder()
        frames = decoder.feed(wire)
        guarantee(not decoder.dropped, f"what the controller sends is no frame: {decoder.dropped}")
        numbered = [frame.seq for frame in frames if frame.kind not in ("ACK", "ALIVE")]
        self.last_out = numbered[-1] if numbered else self.last_out

    def check(self) -> None:
        lines = self.dialect.trace.lines()
        guarantee(len(lines) <= 2 * MAX_LINES, "the trace grows")
        for line in lines:
            one_line(line.text)
            if line.text[4:].removesuffix("*....").split(",")[0] not in codec.FACELESS_KINDS:
                no_face(line.text[3:])  # without the frame's number, since 2D there is not a card


def framed(number: int, text: str) -> bytes:
    """Return the frame, cut off at the length that the link allows."""
    body = f"{number:02X},{text}".encode("latin-1")
    return b"$%b*%04X\r\n" % (body, codec.crc16(body))


def check_report(report: ShoeReport) -> None:
    if report.kind == "CARD":
        no_face(repr(replace(report, mark=None)))  # the shoe may choose the name of a power-up freely
    try:
        event = shoe_event(report)
    except FormError as error:
        one_line(str(error))
        no_face(str(error))
        return
    guarantee(
        decode_event(*encode_event(event)) == event, f"a {report.kind} that the journal does not give back"
    )
    if report.kind == "CARD":
        no_face(repr(event))


def trial(data: bytes) -> None:
    whole, single = FrameDecoder(), FrameDecoder()
    frames = [frame for byte in data for frame in single.feed(bytes((byte,)))]
    guarantee(whole.feed(data) == frames, "frames depend on the pieces in which they come")
    guarantee(len(single._buffer) < codec.MAX_V1_FRAME_BYTES, "half a frame is longer than a whole one")
    for dialect in (ControllerSession("CC-01", None, Random(5)), PlainSession(None)):
        line = Line(dialect)
        for each in data.split(b"\n"):
            line.happens(each)
        line.check()


ROUND = """A
=WELCOME,1,X1,0007,2.0,B1
=STATE,READY,52,0,RED,STACK
~250
=CARD,1,QH
?
=CARD,2,FU
=CARD,3,NR
!
=STACK,3
=TAKEN
=FAULT,JAM
=CLEARED,JAM
~4000
^
=KNOCK,B1
A
#16,WELCOME,1,X1,0007,2.0,B2
=STATE,DEALING,-,7,-,SINGLE
=STUB,33
=REFUSED,HELLO,version
=DONE,SHUFFLE
QH
10S
"""


def seeds() -> Iterator[bytes]:
    yield ROUND.encode()
    text = LINK.read_bytes()
    yield b"\r\n".join(re.findall(rb"\$[0-9A-F]{2},[^\s`|]+", text))
    for kind in sorted(SHOE_KINDS):
        yield b"A\n=WELCOME,1,X1,0007,2.0,B1\n=STATE,READY,52,0,RED,STACK\n=%b,1,QH\n" % kind.encode()


WORDS = [word.encode() for word in sorted(SHOE_KINDS | CONTROLLER_KINDS)]
TARGET = Target("shoe", trial, seeds, [*WORDS, b"\n=", b"\nA\n", b"\n~1000\n", b"\n^\n", b"$", b"*"])
