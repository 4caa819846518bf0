"""A table in this process that loses power at each write of its journal: before, during and after the
commit.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from controller.game.model.record import record_subject
from tests.ended import read_rounds
from tests.trials.kills.rounds import Kind, Record, Table, apart
from tests.trials.machine.live import Bench
from tests.trials.machine.strikes import CUTS, Point, PowerCut, Strikes

ROUNDS = 1
NEVER, WAITED_S = 10**12, 12.0
"""Number of a view that is never reached, and the seconds to wait for it: by then readers and shoe are in
order after a power cut, and the shoe's commands have been repeated."""
CORRECTION = {"do": "correct", "badge": "B1", "cents": 500, "reason": "paid short"}


def played(kind: Kind, cut: tuple[Point, int] | None) -> tuple[Sequence[Record], int]:
    """Play the kind of round in this process. `cut`: point and number of the write at which the power is cut,
    None for no cut. Returns the records on the disk at the end, and the number of writes."""
    return asyncio.run(_played(kind, cut))


async def _played(kind: Kind, cut: tuple[Point, int] | None) -> tuple[Sequence[Record], int]:
    strikes = Strikes()
    if cut is not None:
        strikes.arm(*cut)
    bench = Bench(kind.options(wires=False), strikes)
    table, journal = Table(kind, bench), bench.config.journal
    try:
        await _surely(table, journal, bench.start())
        await _surely(table, journal, table.until(ROUNDS))
        await _surely(table, journal, _corrected(table, journal))
        await _corrected(table, journal)
        return read_rounds(journal), strikes.commits
    finally:
        await bench.stop()


async def _surely(table: Table, journal: Path, work: object) -> None:
    """Run one step of play. If the power is cut during it, start again from the disk and play the round to
    its end."""
    try:
        await work  # type: ignore[misc]
    except PowerCut:
        await table.bench.cut_power()
        await table.bench.wait_for_view(NEVER, WAITED_S)
        table.came_back()
        table.records = list(read_rounds(journal))
        await table.until(ROUNDS)


async def _corrected(table: Table, journal: Path) -> None:
    """Correct the first wager of the round after its end, once."""
    record = read_rounds(journal)[-1]
    if record["corrections"]:
        return
    seat = record["seats"][0]
    where = {
        "round": record["round"], "seat": seat["seat"], "wager": next(iter(seat["wagers"])),
        "about": record_subject(record),
    }  # fmt: skip
    await table.bench.touch({**CORRECTION, **where})


def differences(kind: Kind, some: Iterable[int] | None = None) -> Iterator[str]:
    """Yield each cut after which the records differ. `some`: try only cuts at these writes, by default at
    all."""
    whole, writes = played(kind, None)
    for at in range(writes) if some is None else some:
        for point in CUTS:
            cut, _ = played(kind, (point, at))
            yield from (
                f"{kind.name}, {point} write {at} of {writes}: {words}" for words in apart(whole, cut)
            )
