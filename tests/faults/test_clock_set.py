"""If the UTC clock is set in play or between two starts, no round changes and rows keep their order."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from controller.mock.bench.in_process import DirectBench
from tests.ended import read_rounds
from tests.trials.kills.rounds import KINDS, Record, Table, apart

pytestmark = pytest.mark.slow

HOUR_MS = 3_600_000
TO_1970_MS = -1_795_206_000_000
"""Shift in ms that sets a mock table's clock from its first day to 1970."""
LOOKS = 25
"""Number of views after which the first round has just been dealt."""


async def _played(shift_ms: int, *, restart: bool) -> tuple[Sequence[Record], list[int]]:
    """Play two rounds and return their records and the times of the journal's rows. In the first round the
    clock is set by `shift_ms` and, if `restart` is True, the power is cut."""
    bench = DirectBench(KINDS[0].options(wires=False))
    table = Table(KINDS[0], bench)
    await bench.start()
    try:
        await table.looks(LOOKS)
        if shift_ms:
            await bench.clock(0, shift_ms)
        if restart:
            await bench.cut_power()
            table.came_back()
        await table.until(2)
        times = [row.stamp.ms for row in bench.engine.journal.rows()]
        return read_rounds(bench.config.journal), times
    finally:
        await bench.stop()


@pytest.mark.parametrize("restart", [False, True], ids=["in play", "between two starts"])
@pytest.mark.parametrize("shift_ms", [TO_1970_MS, -HOUR_MS, HOUR_MS], ids=["to 1970", "back", "forth"])
async def test_setting_the_clock_changes_no_round_and_no_order(shift_ms: int, restart: bool) -> None:
    whole, _ = await _played(0, restart=restart)
    records, times = await _played(shift_ms, restart=restart)
    assert not apart(whole, records)
    assert times == sorted(times)
