"""Plain dialect: one card per line, `QH` or `10H`, without check sum, number or ACK (drivers/shoe/LINK.md).

It presents the reader as a SINGLE shoe through the same reports, and generates the reports that the line does
not carry. When the port opens, it reports WELCOME and a closing STATE. The controller's SHUFFLE (the dealer
has confirmed that a shuffled deck is in the reader) is answered with READY and DONE, and the count of cards
begins again. Until then the state is EMPTY. A malformed line must never be reported as a card.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from drivers.ports import ShoeReport
from drivers.shoe.forms import check_command
from drivers.shoe.trace import Trace

SAME_CARD_WITHIN_S: Final = 0.150
_MAX_LINE_BYTES: Final = 16
_LINE: Final = re.compile(rb"(10|[AKQJT2-9])([SHDC])")
_MARK: Final = re.compile(r"plain/(\d+)")


class PlainSession:
    """Session of a plain reader. `last`: the mark of the last report on stable storage; it contains the count
    of cards."""

    protocol = "plain"
    remark = (
        "plain dialect: the line has no check and no acknowledgement, "
        "a card lost or garbled on it is not noticed"
    )

    def __init__(self, last: str | None) -> None:
        match = _MARK.fullmatch(last or "")
        self._out: int | None = int(match[1]) if match else None
        """Cards since the start of the deck; None if that start is unknown."""
        self._line = bytearray()
        self._overlong = False
        self._previous: tuple[str, float] | None = None
        self._open = False
        self._reports: list[ShoeReport] = []
        self._counts: Counter[str] = Counter()
        self.last_received: float | None = None
        self.unit: tuple[str, ...] = ()
        self.trace = Trace()

    @property
    def up(self) -> bool:
        return self._open

    def opened(self, now: float) -> None:
        self._open = True
        self._line.clear()
        self._overlong = False
        self._previous = None
        self._report("WELCOME", "1", "plain reader", "-", "-", "-")
        state = "EMPTY" if self._out is None else "READY" if self._out == 0 else "DEALING"
        self._report("STATE", state, "-", str(self._out or 0), "-", "SINGLE", resumed=True)

    def closed(self, now: float) -> None:
        if self._open:
            self._open = False
            self._counts["links_lost"] += 1
            self._reports.append(ShoeReport("LINK_LOST"))

    def receive(self, data: bytes, now: float) -> None:
        for byte in data:
            if byte in b"\r\n":
                self._on_line(now)
            elif len(self._line) < _MAX_LINE_BYTES:
                self._line.append(byte)
            else:
                self._overlong = True

    def accept(self, report: ShoeReport, now: float) -> None:
        """Do nothing: this dialect acknowledges nothing."""

    def command(self, kind: str, fields: tuple[str, ...], now: float) -> None:
        check_command(kind, fields)
        if not self._open:
            self._counts["commands_void"] += 1
        elif kind == "SHUFFLE":
            self._out = 0
            self._previous = None
            self._report("READY", "-", "-")
            self._report("DONE", "SHUFFLE")
        else:
            self._report("REFUSED", kind, "a plain reader takes no commands")

    def tick(self, now: float) -> None:
        """Do nothing: this dialect has no deadlines."""

    def next_deadline(self) -> float | None:
        return None

    def take_bytes(self) -> bytes:
        return b""

    def take_reports(self) -> list[ShoeReport]:
        taken, self._reports = self._reports, []
        return taken

    def counts(self) -> Counter[str]:
        return self._counts.copy()

    def _on_line(self, now: float) -> None:
        line, overlong = bytes(self._line), self._overlong
        self._line.clear()
        self._overlong = False
        if not line:
            return
        match = _LINE.fullmatch(line)
        if overlong or match is None:
            self._counts["too_long" if overlong else "malformed"] += 1
            return
        self._counts["frames_in"] += 1
        self.last_received = now
        self._card(("T" if match[1] == b"10" else match[1].decode()) + match[2].decode(), now)

    def _card(self, face: str, now: float) -> None:
        previous, self._previous = self._previous, (face, now)
        if previous is not None and previous[0] == face and now - previous[1] < SAME_CARD_WITHIN_S:
            self._counts["repetitions"] += 1
            return
        self._out = (self._out or 0) + 1
        self.trace.add_text(f"card {self._out} **", now)
        self._report("CARD", str(self._out), face)

    def _report(self, kind: str, *fields: str, resumed: bool = False) -> None:
        mark = None if self._out is None else f"plain/{self._out}"
        self._reports.append(ShoeReport(kind, fields, mark, resumed))
