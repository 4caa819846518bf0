"""Line of version 2 that a test reads and writes as an attacker would. Both ends are real."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from drivers.ports import ShoeReport
from drivers.shoe.codec import Frame, crc16
from tests.drivers.shoe.wire import Wire, frames


class Tapped(Wire):
    """A line that an attacker reads and writes. `stop`: returns whether a frame is withheld."""

    def __init__(self, **options: Any) -> None:
        self.captured: list[tuple[str, Frame]] = []
        self.stop: Callable[[str, Frame], bool] = lambda _way, _frame: False
        super().__init__(self._listen, version="2", **options)

    def _listen(self, way: str, data: bytes) -> list[tuple[float, bytes]]:
        (seen,) = frames(data)
        self.captured.append((way, seen))
        return [] if self.stop(way, seen) else [(0.0, data)]

    def last(self, kind: str, way: str = "<") -> bytes:
        """Return the bytes of the newest frame of that kind."""
        return next(f.raw for w, f in reversed(self.captured) if (w, f.kind) == (way, kind)) + b"\r\n"

    def inject(self, data: bytes, way: str = "<") -> None:
        """Inject bytes to the controller, or to the shoe."""
        end = self.controller if way == "<" else self.shoe
        end.receive(data, self.now)
        self._flush()

    def tamper_reports(self) -> list[ShoeReport]:
        return [report for report in self.disk.reports if report.kind in ("TAMPERED", "UNPROVEN")]

    def opened(self) -> Tapped:
        self.start()
        self.run(0.01)
        assert self.controller.up
        return self

    def play(self, cards: int = 1) -> None:
        for _ in range(cards):
            self.card()
            self.run(0.01)

    def expect_whole(self) -> None:
        """Check that every card arrived once and in order, despite the attacks on the line."""
        self.stop = lambda _way, _frame: False
        self.run(10.0)
        assert self.controller.up
        assert [int(number) for number, _ in self.disk.cards()] == list(range(1, self.out + 1))
        assert self.shoe.backlog == 0


def with_crc(body: bytes) -> bytes:
    return b"$%b*%04X\r\n" % (body, crc16(body))


def busy() -> Tapped:
    """Return a session in which every kind of frame was sent in each direction."""
    wire = Tapped().opened()
    wire.play(2)
    wire.controller.command("HOLD", (), wire.now)
    wire._flush()
    wire.run(0.01)
    wire.shoe.emit("TAKEN", (), wire.now)
    wire._flush()
    wire.run(1.5)
    wire.play(2)
    wire.controller.command("SIGN", ("ON",), wire.now)
    wire._flush()
    wire.run(0.01)
    assert wire.tamper_reports() == []
    return wire
