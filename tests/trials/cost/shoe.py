"""A shoe without a serial line: the controller's own session of the link, with recorded frames."""

from __future__ import annotations

from random import Random

from controller.table.engine.engine import Engine
from controller.table.engine.ports import Devices
from drivers.ports import LinkStatistics, ShoeReport
from drivers.shoe.codec import FrameDecoder, encode_frame
from drivers.shoe.sending import next_number
from drivers.shoe.session import ControllerSession

FACES = ("QH", "9D", "AS", "4C")


class Acknowledged(Exception):
    """Raised to end a step of the engine as soon as its frame is acknowledged."""


class FramedShoe:
    """Shoe for an engine in play. Its frames pass through the controller's own session, whose reports go to
    the engine's inbox."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._ends = False
        self._number = 0
        self._session = session = ControllerSession("CC-01", None, Random(1))
        devices = engine.devices
        engine.devices = Devices(self, devices.chips, devices.lamps, devices.signals)
        session.opened(0.0)
        [hello] = FrameDecoder().feed(session.take_bytes())
        session.receive(encode_frame(hello.seq, "ACK"), 0.0)
        self._receive("WELCOME", "1", "COST", "0001", "1.0", "AB12")
        self._receive("STATE", "READY", "52", "0", "RED", "SINGLE")

    def _receive(self, kind: str, *fields: str) -> None:
        """Pass a frame to the session that comes before play and is not reported to the engine."""
        self._session.receive(self._frame(kind, *fields), 0.0)
        for report in self._session.take_reports():
            self._session.accept(report, 0.0)
        self._session.take_bytes()

    def _frame(self, kind: str, *fields: str) -> bytes:
        self._number = next_number(self._number)
        return encode_frame(self._number, kind, fields)

    def card(self, number: int, *, ends: bool) -> None:
        """Pass a card through the engine. `ends`: stop at its acknowledgement. Raises RuntimeError if it is
        not acknowledged."""
        self._ends, face = ends, FACES[self._number % len(FACES)]
        self._session.receive(self._frame("CARD", str(number), face), 0.0)
        for report in self._session.take_reports():
            self._engine.inbox.put(report)
        try:
            self._engine.step()
        except Acknowledged:
            return
        if not self._session.take_bytes():
            raise RuntimeError("the card was not acknowledged")

    # ------------------------------------------------------------------ ShoePort

    def start(self, sink: object, last: str | None) -> None: ...

    def accept(self, report: ShoeReport) -> None:
        self._session.accept(report, 0.0)
        if self._ends and self._session.take_bytes():
            raise Acknowledged

    def command(self, kind: str, *fields: str) -> None: ...

    def statistics(self) -> LinkStatistics:
        return LinkStatistics()

    def stop(self) -> None: ...
