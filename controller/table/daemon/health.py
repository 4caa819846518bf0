"""Health of each device, as the technician sees it on their page: the drivers' counters, read once a
second, and their evaluation.

Only existing counters of the drivers are read, so no device is queried and no card waits. A figure for the
last minute is the difference from the counters a minute ago.
"""

from __future__ import annotations

import asyncio
import platform
from collections import deque
from collections.abc import Callable, Mapping
from statistics import median

from controller.common.files.program import digest, version
from controller.common.process.machine import celsius_tenths
from controller.pages.display import devices_view
from controller.pages.display.devices_view import STATES, DevicesView, LineState
from controller.settings.config import TableConfig
from controller.table.engine.ports import Devices
from drivers.ports import CircleId, KeysPort, ReaderHealth

SAMPLES = 60
"""Number of stored samples, one each second."""
SLOW_FACTOR = 2.0
"""Multiple of the table's median reading time above which a reader is slow."""
SLOW_S = 0.025
"""Reading time in seconds per chip up to which a reader never counts as slow, because no person notices
it.
"""
GONE_S = 3.0
"""Seconds without a reading after which a lost reader counts as gone; most lost readers answer earlier."""
UNSTEADY_FAILURES, UNSTEADY_ONE_IN = 3, 20
"""Numbers that make a reader unsteady: at least UNSTEADY_FAILURES failed readings in the last minute, and at
least one failure in UNSTEADY_ONE_IN readings.
"""
NOISY_BYTES = 20
"""Number of stray bytes and late answers in the last minute from which a reader is noisy."""
Readers = Mapping[CircleId, ReaderHealth]


class Health:
    """Health of one table's devices. Call `sample` once a second and `view` on request."""

    def __init__(
        self, config: TableConfig, devices: Devices, keys: KeysPort, clock: Callable[[], float],
        damage: Callable[[], str] = str,
    ) -> None:  # fmt: skip
        """Prepare the health of these devices. `clock`: returns monotonic seconds. `damage`: returns the
        known damage of the journal's old rows in one line, or ""."""
        self._damage = damage
        self._config, self._devices, self._keys, self._clock = config, devices, keys, clock
        self._began = clock()
        self._samples: deque[Readers] = deque(maxlen=SAMPLES)
        self._program: tuple[str, str] | None = None

    def sample(self) -> None:
        self._samples.append(self._devices.chips.statistics())

    async def view(self) -> DevicesView:
        if self._program is None:  # runs once, in a thread, since it reads every file of the program
            self._program = await asyncio.to_thread(lambda: (version(), digest()))
        return self._view(*self._program)

    def _view(self, number: str, program: str) -> DevicesView:
        now = self._clock()
        return {
            "table": self._config.keys.table,
            "machine": self._machine(now, number, program),
            "shoe": self._shoe(now),
            "lamps": self._lamps(),
            "keys": [
                {"key": name, "port": key.port, "presses": key.presses, "pressed_ms": _ago(now, key.pressed),
                 "stuck": key.stuck}
                for name, key in self._keys.statistics().items()
            ],
            "readers": self._readers(now),
        }  # fmt: skip

    def _machine(self, now: float, number: str, program: str) -> devices_view.Machine:
        pack = self._config.pack
        return {
            "version": number, "digest": program,
            "rules": pack.key, "rules_title": pack.title, "rules_digest": pack.digest,
            "python": platform.python_version(), "system": platform.platform(terse=True),
            "up_ms": round((now - self._began) * 1000), "celsius_tenths": celsius_tenths(),
            "journal": self._damage(),
        }  # fmt: skip

    def _shoe(self, now: float) -> devices_view.DeviceLine:
        link = self._devices.shoe.statistics()
        return {
            "fitted": self._config.keys.shoe is not None, "port": link.port, "well": link.up,
            "why": link.remark, "unit": " ".join(link.unit), "heard_ms": _ago(now, link.last_received),
            "counts": dict(link.counts),
        }  # fmt: skip

    def _lamps(self) -> devices_view.DeviceLine:
        chain = self._devices.lamps.statistics()
        counts = {"written": chain.written, "failed": chain.failed} if chain else {}
        return {
            "fitted": chain is not None, "port": chain.port if chain else "",
            "well": chain is not None and not chain.why, "why": chain.why if chain else "",
            "unit": "", "heard_ms": None, "counts": counts,
        }  # fmt: skip

    def _readers(self, now: float) -> list[devices_view.Reader]:
        readers = self._devices.chips.statistics()
        before = self._samples[0] if self._samples else readers
        usual = median([r.took_s for r in readers.values() if r.took_s is not None] or [0.0])
        shown = [_reader(circle, r, before.get(circle, r), usual, now) for circle, r in readers.items()]
        return sorted(shown, key=lambda r: (STATES.index(r["state"]), r["seat"], r["wager"]))


def _reader(
    circle: CircleId, reader: ReaderHealth, before: ReaderHealth, usual: float, now: float
) -> devices_view.Reader:
    read, failed = _last_minute(reader, before)
    return {
        "seat": circle[0], "wager": circle[1], "port": reader.port, "firmware": reader.firmware,
        "state": state(reader, before, usual, now), "why": reader.why,
        "answered_ms": _ago(now, reader.answered),
        "silent_ms": _silent_ms(reader, now),
        "readings": reader.readings, "unanswered": reader.unanswered, "unstable": reader.unstable,
        "opened": reader.opened, "refused": reader.refused, "noise": reader.noise, "stale": reader.stale,
        "took_us": None if reader.took_s is None else round(reader.took_s * 1_000_000),
        "lately": (read + failed, failed),
    }  # fmt: skip


def state(reader: ReaderHealth, before: ReaderHealth, usual: float, now: float) -> LineState:
    """Return the state of a reader's line, judged by its counters of the last minute. `before`: its counters
    a minute ago. `usual`: the median reading time of the table's readers, in seconds. `now`: monotonic
    seconds."""
    if reader.state == "new":
        return "waiting"
    gone = reader.answered is None or now - reader.answered >= GONE_S
    if reader.state == "sick" and gone:
        return "garbled" if reader.garbled else "silent"
    read, failed = _last_minute(reader, before)
    if failed and not read:
        return "garbled" if reader.unstable > before.unstable else "silent"
    if failed >= UNSTEADY_FAILURES and failed * UNSTEADY_ONE_IN >= read + failed:
        return "unsteady"
    if reader.noise + reader.stale - before.noise - before.stale >= NOISY_BYTES:
        return "noisy"
    # an adapter that delays answers does so always; a busy machine or a dead neighbour does not
    took = min(reader.took_s or 0.0, before.took_s or 0.0)
    return "slow" if took > SLOW_FACTOR * usual and took > SLOW_S else "fine"


def _last_minute(reader: ReaderHealth, before: ReaderHealth) -> tuple[int, int]:
    """Return how many readings have been completed since `before`, and how many have failed."""
    failed = reader.unanswered + reader.unstable - before.unanswered - before.unstable
    return reader.readings - before.readings, failed


def _silent_ms(reader: ReaderHealth, now: float) -> int | None:
    """Return the ms since the last complete reading, or None if the newest reading was complete."""
    if reader.failed is None or (reader.answered or 0.0) > reader.failed:
        return None
    return _ago(now, reader.answered)


def _ago(now: float, then: float | None) -> int | None:
    return None if then is None else max(0, round((now - then) * 1000))
