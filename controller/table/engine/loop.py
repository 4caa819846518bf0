"""The engine on an asyncio loop: it runs on input, at deadlines, and on a tick.

Other threads only wake it; the work is done on the loop's own thread, one batch at a time, so that the
display and the shoe's line are served in between. It must never block, nor handle a batch on another
thread.
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
"""Tick of the lamps: a fifth of the shortest on or off time of a blinking lamp."""
HOUSEKEEPING_S = 1.0
STALLED_S = 1.0
"""A gap between two turns of the loop from which the process or the machine counts as stopped."""
HEAR_S = 0.1
"""Time to read the lines after such a gap, before anything is judged by the clock."""


class EngineLoop:
    """Runs one engine until it is stopped. Created and used on the loop's thread."""

    def __init__(self, engine: Engine, storage_low_bytes: int, alive: Callable[[], None]) -> None:
        """`alive` is called with each housekeeping: it feeds the watchdog and checks the devices."""
        self._engine = engine
        self._loop = asyncio.get_running_loop()
        self._storage_low_bytes = storage_low_bytes
        self._alive = alive
        self._rung = False
        self._timer: asyncio.TimerHandle | None = None
        self._tickers: list[asyncio.TimerHandle] = []
        # includes those of an earlier run: those that are over by now must be cleared
        self._told: set[str] = {alert["code"] for alert in engine.view()["alerts"]}
        self._running = False
        self._came_round = self._loop.time()
        self._hears_until = 0.0
        self.turns = 0
        """Number of turns of the loop."""

    def start(self) -> None:
        self._running = True
        self._came_round = self._loop.time()
        self._engine.inbox.wake = self.ring
        self._tick()
        self._housekeeping()
        self.ring()

    def stop(self) -> None:
        self._running = False
        self._engine.inbox.wake = _ignore
        for timer in (self._timer, *self._tickers):
            if timer is not None:
                timer.cancel()

    def ring(self) -> None:
        """Wake the loop from any thread. Calls before the work begins count as one."""
        if not self._rung:
            self._rung = True
            self._loop.call_soon_threadsafe(self._turn)

    def _turn(self) -> None:
        self._rung = False
        if not self._running:
            return
        self._look_for_a_stall()
        if self._loop.time() < self._hears_until:
            self._loop.call_at(self._hears_until, self.ring)
            return
        self.turns += 1
        if self._engine.step() and self._engine.inbox:
            self.ring()
        self._set_timer()

    def _set_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        due = self._engine.next_wake()
        if due is not None:
            # a timer of the loop may fire one clock tick early, so a little is added
            wait = max(0.0, due - self._engine.clock.seconds()) + 0.001
            self._timer = self._loop.call_later(wait, self.ring)

    def _look_for_a_stall(self) -> None:
        now = self._loop.time()
        stood, self._came_round = now - self._came_round, now
        if stood >= STALLED_S:
            log.warning("the table stood still for %.1f s; its devices are heard before it goes on", stood)
            self._hears_until = now + HEAR_S

    def _tick(self) -> None:
        self._look_for_a_stall()
        self._engine.devices.lamps.tick(self._engine.clock.seconds())
        self._tickers[:1] = [self._loop.call_later(TICK_S, self._tick)]

    def _housekeeping(self) -> None:
        self.tell(Code.CLOCK_FAULT, self._engine.clock.fault())
        self.tell(Code.STORAGE_LOW, self._storage_words())
        lamps = self._engine.devices.lamps.statistics()
        self.tell(Code.LAMPS_FAULT, lamps.why if lamps and lamps.lasting else None)
        self._alive()
        self._tickers[1:] = [self._loop.call_later(HOUSEKEEPING_S, self._housekeeping)]

    def _storage_words(self) -> str | None:
        try:
            free = self._engine.journal.free_bytes()
        except OSError as error:
            return f"the journal's disk does not answer: {error.strerror}"
        low = self._storage_low_bytes
        if free >= low * (1.1 if Code.STORAGE_LOW in self._told else 1):
            return None
        return f"the journal's disk has less than {low // 2**20} MiB left; make room"

    def has_told(self, code: Code) -> bool:
        """Return whether this trouble has been reported and not cleared, in an earlier run included."""
        return code in self._told

    def tell(self, code: Code, words: str | None) -> None:
        """Report a trouble once when it begins and once when it is over. `words`: the trouble, or None."""
        told = code in self._told
        if words and not told:
            log.warning("%s: %s", code, words)
            self._told.add(code)
            self._engine.inbox.put(TroubleReported(code, words))
        elif told and not words:
            log.warning("%s is over", code)
            self._told.discard(code)
            self._engine.inbox.put(TroubleReported(code, "", cleared=True))


def _ignore() -> None:
    """Do nothing: the loop has stopped."""
