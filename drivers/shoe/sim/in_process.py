"""Simulated shoe in place of the driver, without a wire: for many fast rounds (`mock --no-wires`).

It delivers the same reports as a shoe on a wire, to be accepted in the same order, and runs commands one at a
time. All pending reports are delivered at once, so that the journal can write them in one commit. Reports are
delivered from the event loop, never from within `accept()` or `command()`. At `Pace.max()` it sets no
timer.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable

from drivers.ports import LinkStatistics, ShoeReport
from drivers.shoe.forms import FALL_BACK, LONG_COMMANDS, check_command
from drivers.shoe.sim.model import ShoeModel

UNIT = ("CCT-SIM", "0001", "1.0")
"""Model, serial number, firmware."""


class DirectShoe:
    """ShoePort over a `ShoeModel`. `clock`: the model's time (any monotonic clock); `call_soon`: runs a
    callable later on the same thread, by default the loop's."""

    def __init__(
        self,
        model: ShoeModel,
        loop: asyncio.AbstractEventLoop,
        clock: Callable[[], float],
        call_soon: Callable[[Callable[[], None]], object] | None = None,
    ) -> None:
        self._model = model
        self._loop = loop
        self._call_soon = call_soon or loop.call_soon
        self._clock = clock
        self._sink: Callable[[ShoeReport], None] | None = None
        self._unsent: deque[ShoeReport] = deque()
        self._waiting: deque[ShoeReport] = deque()
        """Reports that were delivered to the runtime and not accepted yet."""
        self._commands: deque[tuple[str, tuple[str, ...]]] = deque()
        self._busy: str | None = None
        self._plugged = self._up = False
        self._number = 0
        self._boots = 0
        self._unit = UNIT
        self._delivery_due = False
        """Whether `_deliver` is scheduled."""
        self._timer: asyncio.TimerHandle | None = None
        self._counts: Counter[str] = Counter()
        self._last_received: float | None = None

    # ------------------------------------------------------------------ ShoePort

    def start(self, sink: Callable[[ShoeReport], None], last: str | None) -> None:
        """Start after the mark `last`: reports that are on the disk already are not sent again."""
        self._sink = sink
        self._delivery_due = False
        if any(report.mark == last for report in self._waiting):
            while self._remove_accepted().mark != last:
                continue
        self._unsent.extendleft(reversed(self._waiting))  # they were delivered to an earlier runtime
        self._waiting.clear()
        self._model.attach(self._emit)
        self.plug()

    def accept(self, report: ShoeReport) -> None:
        if report.kind in ("LINK_LOST", "TAMPERED", "UNPROVEN"):
            return
        if not self._waiting or self._waiting[0] != report:
            raise ValueError(f"shoe: no {report.kind} waits to be accepted")
        self._remove_accepted()
        self._run_commands()

    def _remove_accepted(self) -> ShoeReport:
        """Remove the first waiting report, which is on the disk."""
        report = self._waiting.popleft()
        if report.kind in ("DONE", "REFUSED") and report.fields[0] == self._busy:
            self._busy = None
        return report

    def command(self, kind: str, *fields: str) -> None:
        check_command(kind, fields)
        if (kind, fields) == FALL_BACK:
            self.plug()
        elif not self._up:
            self._counts["commands_void"] += 1
        else:
            self._commands.append((kind, fields))
            self._run_commands()

    def statistics(self) -> LinkStatistics:
        return LinkStatistics(
            dict(self._counts), self._up, "direct", "simulated, without a line", "no wire",
            self._last_received, self._unit,
        )  # fmt: skip

    def stop(self) -> None:
        self._sink = None
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None

    # ------------------------------------------------------------------ for the mock table

    def unplug(self) -> None:
        """Disconnect the line; the shoe keeps its pending reports."""
        if not self._plugged:
            return
        self._plugged = self._up = False
        self._counts["links_lost"] += 1
        self._counts["commands_void"] += len(self._commands)
        self._commands.clear()
        if self._sink is not None:
            self._sink(ShoeReport("LINK_LOST"))

    def plug(self) -> None:
        """Reconnect the line: report WELCOME, the pending reports, and the STATE that closes the
        resumption."""
        if self._plugged:
            return
        self._plugged = True
        self._unsent = deque(
            report for report in self._unsent if report.kind != "WELCOME" and not report.resumed
        )
        self._unsent.appendleft(self._report("WELCOME", ("1", *self._unit, f"direct{self._boots}")))
        self._unsent.append(self._report("STATE", self._model.state(), resumed=True))
        self._wake()

    def report_forged(self) -> None:
        """Simulate a frame of another sender, which the driver would report and discard."""
        if self._plugged and self._sink is not None:
            self._sink(ShoeReport("TAMPERED", ("other_bytes",)))

    def become_version_1(self) -> None:
        """Replace the device by one that supports version 1 only. The driver would open no session with
        it.
        """
        self.unplug()
        if self._sink is not None:
            self._sink(ShoeReport("UNPROVEN", ("old_version",)))

    def become_other_device(self) -> None:
        """Plug in another device with the same cards in it."""
        self.unplug()
        model, serial, firmware = self._unit
        self._unit = (model, f"{serial}X", firmware)
        self._boots += 1
        self.plug()

    def replace(self, model: ShoeModel) -> None:
        """Replace this shoe by another; pending reports of the old one are lost."""
        self.unplug()
        self._model.attach(lambda _kind, _fields: None)
        self._model, self._busy = model, None
        self._unsent.clear()
        self._boots += 1
        model.attach(self._emit)
        self.plug()

    def _report(self, kind: str, fields: tuple[str, ...], resumed: bool = False) -> ShoeReport:
        self._number = (self._number + 1) & 0xFF
        return ShoeReport(kind, fields, f"direct:{self._number:02X}", resumed)

    def _emit(self, kind: str, fields: tuple[str, ...]) -> None:
        self._unsent.append(self._report(kind, fields))
        self._wake()

    def _wake(self) -> None:
        if not self._delivery_due and self._unsent and self._plugged and self._sink:
            self._delivery_due = True
            self._call_soon(self._deliver)

    def _deliver(self) -> None:
        self._delivery_due = False
        for _ in range(len(self._unsent)):  # reports queued meanwhile wait for the loop's next turn
            if not self._plugged or self._sink is None:
                return
            report = self._unsent.popleft()
            self._waiting.append(report)
            self._up = self._up or report.resumed
            self._counts["frames_in"] += 1
            self._last_received = self._clock()
            self._sink(report)

    def _run_commands(self) -> None:
        """Execute the commands that may run, then deliver the model's reports."""
        for entry in tuple(self._commands):
            kind, fields = entry
            if self._busy is None or kind not in LONG_COMMANDS:
                self._commands.remove(entry)
                self._busy = kind if kind in LONG_COMMANDS else self._busy
                self._model.command(kind, fields, self._clock())
        self._schedule()
        self._wake()

    def _schedule(self) -> None:
        due = self._model.next_deadline()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if due is not None and self._sink is not None:
            self._timer = self._loop.call_later(max(0.0, due - self._clock()), self._tick)

    def _tick(self) -> None:
        self._timer = None
        self._model.tick(self._clock())
        self._schedule()
        self._wake()
