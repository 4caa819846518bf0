"""Controller's end of the shoe link (drivers/shoe/LINK.md). Sans-I/O: time is an argument.

Theory of operation. There are three phases: CLOSED (no port), OPENING (a HELLO was sent or waits to be
sent, and no WELCOME has answered it) and OPEN. Four rules ensure that each card is reported once:

1. The runtime has one shoe frame at a time (`_waiting`). Only `accept()` acknowledges it. Meanwhile its
   repetitions are neither delivered nor acknowledged.
2. A HELLO is never sent while the runtime has a frame: its `last` would be out of date on
   arrival, and the shoe would send that frame a second time under a new number.
3. Between a HELLO and its WELCOME no frame is accepted, for the same reason. A WELCOME
   counts only after the newest HELLO was acknowledged, since it may answer an older one.
4. A WELCOME that no HELLO asked for (the shoe acted on a delayed copy of an old HELLO) is a break.

A used number with other bytes is a frame of another sender: the runtime gets a report, and a new session is
opened. The versions differ only in which frames are authentic (`protection.py`). The session must never
acknowledge a frame that was not accepted, and never repeat a command by itself.
"""

from __future__ import annotations

import re
from collections import Counter
from enum import Enum
from random import Random
from typing import Final

from drivers.ports import ShoeReport
from drivers.shoe.codec import MAX_FRAME_BYTES, Frame, FrameDecoder
from drivers.shoe.commands import Commands
from drivers.shoe.forms import CONTROLLER_KINDS, FALL_BACK, SHOE_KINDS, check_command, well_formed_from_shoe
from drivers.shoe.guard import TAMPERED, UNPROVEN, Guard
from drivers.shoe.protection import Clear, NotAuthentic, Protection, is_refused_hello
from drivers.shoe.sending import ALIVE_AFTER_S, CALL_INTERVAL_S, DOWN_AFTER_S, FrameSender, next_number
from drivers.shoe.trace import Trace

_MARK: Final = re.compile(r"(.*):([0-9A-F]{2})")
LINK_LOST: Final = ShoeReport("LINK_LOST")
DRIVER_REPORTS: Final = ("LINK_LOST", TAMPERED, UNPROVEN)


class _Phase(Enum):
    CLOSED = "closed"
    OPENING = "opening"
    OPEN = "open"


class ControllerSession:
    """Session with one shoe. `last`: the last mark on stable storage (`ShoeReport.mark`), or None.

    Commands are void, and dropped, from the moment a HELLO is due until the STATE that closes the
    resumption has been delivered (`resumed=True`): on that STATE the runtime decides again.
    """

    remark = ""

    def __init__(
        self, name: str, last: str | None, rng: Random, protection: Protection | None = None
    ) -> None:
        match = _MARK.fullmatch(last or "")
        self._boot: str | None = match[1] if match else None
        """Boot identifier of the connected shoe, if known."""
        self._mark: tuple[str, int] | None = (match[1], int(match[2], 16)) if match else None
        self._last: tuple[int, bytes] | None = None
        """Number and bytes of the last numbered frame accepted since the controller started."""
        self._name = name
        self._guard = Guard(protection or Clear())
        Clear().wrap(0, "HELLO", ("1", name, "00"))  # raises ValueError if no frame can carry the name
        # drivers/shoe/LINK.md: a controller that has lost its counter begins at a random number
        self._sender = FrameSender(rng.randrange(256))
        self._decoder = (
            FrameDecoder() if self._guard.required.version == "1" else FrameDecoder(MAX_FRAME_BYTES)
        )
        self._counts: Counter[str] = Counter()
        self.trace = Trace()
        self._bytes = bytearray()
        self._reports: list[ShoeReport] = []
        self._phase = _Phase.CLOSED
        self._resuming = False
        self._reported_up = False
        self._waiting: tuple[Frame, ShoeReport, str | None] | None = None
        """Frame and report that the runtime has not accepted yet, with the boot identifier of the shoe."""
        self._refusal: tuple[str, ...] | None = None
        self._hello_at: float | None = None
        """Time of the next HELLO; None: as soon as the runtime has accepted its present report."""
        self._hello_acknowledged = False
        self._commands = Commands()
        self._silent_since = 0.0
        self._sent = 0.0
        self.last_received: float | None = None
        self.unit: tuple[str, ...] = ()

    @property
    def protocol(self) -> str:
        return f"v{self._guard.current.version}"

    @property
    def up(self) -> bool:
        return self._phase is _Phase.OPEN and not self._resuming

    def opened(self, now: float) -> None:
        self._decoder.reset()
        self._silent_since = self._sent = now
        self._begin_session(now)

    def closed(self, now: float) -> None:
        self._void_commands()
        self._phase = _Phase.CLOSED
        self._report_loss(now)

    def receive(self, data: bytes, now: float) -> None:
        if self._reported_up and now >= self._silent_since + DOWN_AFTER_S:
            # this process was suspended, the shoe was not: the buffered bytes are too old, as after a silence
            self._link_down(now)
        for frame in self._decoder.feed(data):
            if self._phase is not _Phase.CLOSED:
                self._unwrap(frame, now)

    def accept(self, report: ShoeReport, now: float) -> None:
        """Acknowledge the frame of `report`, which is on stable storage now, then continue."""
        if report.kind in DRIVER_REPORTS:
            return
        if self._waiting is None or self._waiting[1] != report:
            raise ValueError(f"shoe link: no {report.kind} waits to be accepted")
        (frame, _, boot), self._waiting = self._waiting, None
        self._apply(frame, report, boot)
        self._acknowledge(frame, now)
        if self._phase is _Phase.OPENING and self._hello_at is None:
            self._hello(now)
        self._pump(now)

    def command(self, kind: str, fields: tuple[str, ...], now: float) -> None:
        check_command(kind, fields)
        if (kind, fields) == FALL_BACK:
            if self._guard.fall_back():
                self._begin_session(now)
        elif self.up:
            self._commands.add(kind, fields)
            self._pump(now)
        else:
            self._counts["commands_void"] += 1

    def tick(self, now: float) -> None:
        if self._phase is _Phase.CLOSED:
            return
        if self._reported_up and now >= self._silent_since + DOWN_AFTER_S:
            self._link_down(now)
        elif self._sender.is_exhausted(now):
            self._on_no_ack(now)
        elif (wire := self._sender.resend(now)) is not None:
            self._counts["resent"] += 1
            self._put(wire, now)
        if self._phase is _Phase.OPENING and self._hello_at is not None and now >= self._hello_at:
            self._hello(now)
        if now >= self._sent + ALIVE_AFTER_S:
            self._put(self._guard.current.alive(self._sender.number), now)

    def next_deadline(self) -> float | None:
        if self._phase is _Phase.CLOSED:
            return None
        dues = [self._sent + ALIVE_AFTER_S]
        if (resend := self._sender.deadline()) is not None:
            dues.append(resend)
        if self._reported_up:
            dues.append(self._silent_since + DOWN_AFTER_S)
        if self._phase is _Phase.OPENING and self._hello_at is not None:
            dues.append(self._hello_at)
        return min(dues)

    def take_bytes(self) -> bytes:
        taken = bytes(self._bytes)
        self._bytes.clear()
        return taken

    def take_reports(self) -> list[ShoeReport]:
        taken, self._reports = self._reports, []
        return taken

    def counts(self) -> Counter[str]:
        return self._counts + self._decoder.dropped

    def _unwrap(self, frame: Frame, now: float) -> None:
        if self._guard.offers_required_version(frame):
            self._guard.use(self._guard.required)
            self._begin_session(now)
            return
        try:
            opened = self._guard.current.unwrap(frame)
        except NotAuthentic as error:
            self._on_not_authentic(frame, error.reason, now)
        else:
            self._on_frame(opened, now)

    def _on_not_authentic(self, frame: Frame, reason: str, now: float) -> None:
        self._counts[reason] += 1
        opening = self._phase is _Phase.OPENING
        kind = self._guard.verdict(frame, reason, opening=opening, hello_taken=self._hello_acknowledged)
        if kind is not None:
            self._reports += self._guard.rate_limited(kind, reason, now)

    def _on_frame(self, frame: Frame, now: float) -> None:
        if frame.kind in CONTROLLER_KINDS and frame.kind not in SHOE_KINDS:
            self._counts["own_kind"] += 1  # a kind that no shoe sends: an echo, or a second controller
            return
        if not well_formed_from_shoe(frame, self._guard.current.version):
            self._counts["malformed"] += 1
            return
        if frame.authentic:
            self._silent_since = self.last_received = now
        self._counts["frames_in"] += 1
        self.trace.add_received(frame, now)
        if frame.kind == "ACK":
            self._on_ack(frame, now)
        elif frame.kind == "KNOCK":
            self._on_knock(frame, now)
        elif frame.kind != "ALIVE":
            self._on_numbered(frame, now)

    def _on_ack(self, ack: Frame, now: float) -> None:
        flight = self._sender.acknowledge(ack)
        if flight is None:
            self._counts["stale_acks"] += 1
        elif flight.kind == "HELLO":
            self._hello_acknowledged = True
        else:
            self._commands.on_ack(flight)
        self._pump(now)

    def _on_knock(self, frame: Frame, now: float) -> None:
        """Acknowledge a KNOCK whatever its number, and without storing it: it is not part of the record."""
        self._counts["knocks"] += 1
        self._acknowledge(frame, now)
        if frame.authentic and frame.fields[0] != self._boot:
            # the shoe was restarted: its numbering begins again and its command is lost
            self._boot = frame.fields[0]
            self._last = None
            self._commands.forget_busy()
        calling = self._phase is _Phase.OPENING and not self._hello_acknowledged
        if not calling or (self._hello_at is not None and self._sender.flight is None):
            self._begin_session(now)

    def _on_numbered(self, frame: Frame, now: float) -> None:
        if self._waiting is not None and frame.raw == self._waiting[0].raw:
            self._counts["repetitions"] += 1
        elif self._is_repetition(frame):
            self._counts["repetitions"] += 1
            self._acknowledge(frame, now)
        elif self._phase is _Phase.OPENING:
            self._on_hello_answer(frame, now)
        elif self._is_next(frame):
            self._deliver(frame, now)
        elif self._is_foreign(frame):
            self._counts["other_bytes"] += 1
            self._reports += self._guard.rate_limited(TAMPERED, "other_bytes", now)
            self._begin_session(now)
        else:
            self._counts["breaks"] += 1
            self._begin_session(now)

    def _is_repetition(self, frame: Frame) -> bool:
        if self._last is None or frame.raw != self._last[1]:
            return False
        # while opening: a shoe that gives each WELCOME the same number repeats its bytes
        return frame.kind != "WELCOME" or self._phase is _Phase.OPEN

    def _is_foreign(self, frame: Frame) -> bool:
        """Return whether the frame's number is already used: by the last accepted frame, or by the one that
        the runtime has not accepted yet.
        """
        used = [self._last[0]] if self._last is not None else []
        if self._waiting is not None:
            used.append(self._waiting[0].seq)
        return frame.kind != "WELCOME" and frame.seq in used

    def _is_next(self, frame: Frame) -> bool:
        return (
            frame.kind != "WELCOME"
            and self._waiting is None
            and self._last is not None
            and frame.seq == next_number(self._last[0])
        )

    def _on_hello_answer(self, frame: Frame, now: float) -> None:
        if not self._hello_acknowledged or self._waiting is not None:
            self._counts["out_of_session"] += 1
        elif frame.kind == "WELCOME":
            self._phase = _Phase.OPEN
            self._resuming = self._reported_up = True
            self.unit = frame.fields[1:4]
            self._refusal = None
            self._deliver(frame, now)
        elif is_refused_hello(frame.kind, frame.fields):
            self._on_hello_refused(frame, now)
        else:
            self._counts["out_of_session"] += 1

    def _on_hello_refused(self, frame: Frame, now: float) -> None:
        """Report a refused HELLO once. No session is open; a HELLO is sent every second."""
        if self._refusal == frame.fields:
            self._acknowledge(frame, now)
        else:
            self._refusal = frame.fields
            self._deliver(frame, now)

    def _deliver(self, frame: Frame, now: float) -> None:
        if frame.kind not in SHOE_KINDS:
            # a maker's own frame is ignored, but must not block the queue behind it
            self._counts["unknown_kind"] += 1
            self._last = (frame.seq, frame.raw)
            self._acknowledge(frame, now)
            return
        boot = frame.fields[4] if frame.kind == "WELCOME" else self._boot
        mark = (
            None
            if is_refused_hello(frame.kind, frame.fields)
            else f"{boot}{self._guard.current.session}:{frame.seq:02X}"
        )
        closes = frame.kind == "STATE" and self._resuming
        report = ShoeReport(frame.kind, frame.fields, mark, resumed=closes)
        self._waiting = (frame, report, boot)
        if closes:
            self._resuming = False
        self._reports.append(report)

    def _apply(self, frame: Frame, report: ShoeReport, boot: str | None) -> None:
        """Apply the acceptance of a frame, apart from the ACK."""
        if report.mark is None:
            return
        self._mark = (report.mark[:-3], frame.seq)
        if frame.kind == "WELCOME" and self._phase is _Phase.OPEN:
            if boot != self._boot:
                self._commands.forget_busy()
            self._boot = boot
        if boot == self._boot:
            self._last = (frame.seq, frame.raw)
        if frame.kind in ("DONE", "REFUSED"):
            self._commands.on_answer(frame.fields[0], self._sender.flight)

    def _begin_session(self, now: float) -> None:
        """Begin a new session: send a HELLO now, or as soon as the runtime has accepted its present
        report."""
        self._void_commands()
        self._phase = _Phase.OPENING
        self._resuming = False
        self._hello_acknowledged = False
        self._hello_at = None
        if self._waiting is None:
            self._hello(now)

    def _hello(self, now: float) -> None:
        self._counts["hellos"] += 1
        self._hello_acknowledged = False
        fields = self._guard.current.hello(self._name, self._boot, self._mark)
        self._put(self._sender.send(self._guard.current, "HELLO", fields, now).wire, now)
        self._hello_at = now + CALL_INTERVAL_S

    def _on_no_ack(self, now: float) -> None:
        """Handle five transmissions without an ACK. After a HELLO the next HELLO follows."""
        flight, self._sender.flight = self._sender.flight, None
        if flight is not None and flight.kind == "HELLO":
            self._report_loss(now)
        else:
            self._link_down(now)

    def _link_down(self, now: float) -> None:
        self._report_loss(now)
        self._begin_session(now)

    def _report_loss(self, now: float) -> None:
        """Report the loss of the link once."""
        if self._reported_up:
            self._reported_up = False
            self._counts["links_lost"] += 1
            self._reports.append(LINK_LOST)

    def _void_commands(self) -> None:
        flight, self._sender.flight = self._sender.flight, None
        self._counts["commands_void"] += self._commands.void(flight)

    def _pump(self, now: float) -> None:
        """Send the next command: any command if none is busy, else only HOLD, RELEASE or SIGN."""
        if self._phase is not _Phase.OPEN or self._sender.flight is not None:
            return
        waiting = self._commands.next()
        if waiting is not None:
            self._put(self._sender.send(self._guard.current, *waiting, now).wire, now)

    def _acknowledge(self, frame: Frame, now: float) -> None:
        if self._phase is not _Phase.CLOSED:
            self._put(self._guard.current.acknowledge(frame), now)

    def _put(self, wire: bytes, now: float) -> None:
        self._sent = now
        if not wire:
            return
        self._counts["frames_out"] += 1
        self.trace.add_sent(wire, now)
        self._bytes += wire
