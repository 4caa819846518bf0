"""Runs the engine on an asyncio loop: on input, at deadlines, and at every tick. A loop that stalls is
reported.

Other threads only wake the loop. All work is done on the loop's thread, one batch at a time, so that the
display and the shoe's serial line are served in between. The loop must never block, nor handle a batch on
another thread.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from controller.game.model.events import TroubleReported
from controller.game.model.irregularities import Code
from controller.table.engine.engine import Engine

log = logging.getLogger("crisscross")


TICK_S = 0.05
"""Seconds between two updates of the lamps: a fifth of the shortest on or off time of a blinking lamp."""
HOUSEKEEPING_S = 1.0
STALLED_S = 1.0
"""Seconds between two turns of the loop above which the process or the machine counts as suspended."""
READ_AFTER_STALL_S = 0.1
"""Seconds in which the lines are read after such a gap, before any deadline is judged by the clock."""


class EngineLoop:
    """Loop of one engine until `stop`. Created and used on the asyncio loop's thread."""

    def __init__(self, engine: Engine, storage_low_bytes: int, alive: Callable[[], None]) -> None:
        """`alive` is called at each housekeeping: it notifies the watchdog and checks the devices.
        `storage_low_bytes`: free bytes below which low storage is reported."""
        self._engine = engine
        self._loop = asyncio.get_running_loop()
        self._storage_low_bytes = storage_low_bytes
        self._alive = alive
        self._woken = False
        self._timer: asyncio.TimerHandle | None = None
        self._tickers: list[asyncio.TimerHandle] = []
        # includes troubles reported by an earlier run, so that they are cleared once they are over
        self._reported: set[str] = {alert["code"] for alert in engine.view()["alerts"]}
        self._running = False
        self._last_turn = self._loop.time()
        self._reads_until = 0.0
        self.turns = 0
        """Number of turns that the loop has made since the start."""

    def start(self) -> None:
        self._running = True
        self._last_turn = self._loop.time()
        self._engine.inbox.wake = self.wake
        self._tick()
        self._housekeeping()
        self.wake()

    def stop(self) -> None:
        self._running = False
        self._engine.inbox.wake = ignore_wake
        for timer in (self._timer, *self._tickers):
            if timer is not None:
                timer.cancel()

    def wake(self) -> None:
        """Wake the loop from any thread. Several calls before the next turn count as one."""
        if not self._woken:
            self._woken = True
            self._loop.call_soon_threadsafe(self._turn)

    def _turn(self) -> None:
        self._woken = False
        if not self._running:
            return
        self._check_for_stall()
        if self._loop.time() < self._reads_until:
            self._loop.call_at(self._reads_until, self.wake)
            return
        self.turns += 1
        if self._engine.step() and self._engine.inbox:
            self.wake()
        self._set_timer()

    def _set_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        due = self._engine.next_wake()
        if due is not None:
            # a timer of the loop may fire one clock tick early, so a little is added
            wait = max(0.0, due - self._engine.clock.seconds()) + 0.001
            self._timer = self._loop.call_later(wait, self.wake)

    def _check_for_stall(self) -> None:
        now = self._loop.time()
        stood, self._last_turn = now - self._last_turn, now
        if stood >= STALLED_S:
            log.warning("the table did not run for %.1f s; it reads its devices before it goes on", stood)
            self._reads_until = now + READ_AFTER_STALL_S

    def _tick(self) -> None:
        self._check_for_stall()
        self._engine.devices.lamps.tick(self._engine.clock.seconds())
        self._tickers[:1] = [self._loop.call_later(TICK_S, self._tick)]

    def _housekeeping(self) -> None:
        self._engine.check_journal()
        if self._engine.fault is not None:
            self.wake()
        self.report_trouble(Code.CLOCK_FAULT, self._engine.clock.fault())
        self.report_trouble(Code.STORAGE_LOW, self._storage_words())
        lamps = self._engine.devices.lamps.statistics()
        self.report_trouble(Code.LAMPS_FAULT, lamps.why if lamps and lamps.lasting else None)
        self._alive()
        self._tickers[1:] = [self._loop.call_later(HOUSEKEEPING_S, self._housekeeping)]

    def _storage_words(self) -> str | None:
        try:
            free = self._engine.journal.free_bytes()
        except OSError as error:
            return f"the journal's disk does not answer: {error.strerror}"
        low = self._storage_low_bytes
        if free >= low * (1.1 if Code.STORAGE_LOW in self._reported else 1):
            return None
        return f"the journal's disk has less than {low // 2**20} MiB left; make room"

    def has_reported(self, code: Code) -> bool:
        """Return whether this trouble has been reported and not cleared, also by an earlier run."""
        return code in self._reported

    def report_trouble(self, code: Code, words: str | None) -> None:
        """Report a trouble once when it begins, and once when it is over. `words`: the trouble as text, or
        None while there is none.
        """
        reported = code in self._reported
        if words and not reported:
            log.warning("%s: %s", code, words)
            self._reported.add(code)
            self._engine.inbox.put(TroubleReported(code, words))
        elif reported and not words:
            log.warning("%s is over", code)
            self._reported.discard(code)
            self._engine.inbox.put(TroubleReported(code, "", cleared=True))


def ignore_wake() -> None:
    """Do nothing: the loop has stopped."""
