"""One disk and one table: booted, played on, its power cut, and its disk examined on this machine."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

from controller.mock.bench.bench import TableStopped
from controller.mock.bench.follow import Follower
from controller.record.journal.journal import Journal
from controller.record.journal.replay import restore_table, rules_in_force
from tests.repository.house import ROOT
from tests.trials.image.cuts import Replay
from tests.trials.image.machine import Disk
from tests.trials.image.replayed import Cuts, Promised, mounted
from tests.trials.image.table import ImageTable

SHORTEST_S, LONGEST_S = 2.0, 40.0
"""Shortest and longest play before a cut, in seconds."""
LOST_FLUSHES = 20
UNDER_WAY = 64
"""Maximum number of sectors that QEMU may have written and not yet logged when it was killed."""
MISSED = (AssertionError, TableStopped, TimeoutError, OSError, RuntimeError, subprocess.CalledProcessError)


class Trial:
    """One disk with one table. `disk` is the one in use; `before` is a copy from before the first boot, on
    which power cuts are replayed."""

    def __init__(self, table: ImageTable, disk: Disk, folder: Path, seed: int) -> None:
        self.table, self.disk, self.folder, self.seed = table, disk, folder, seed
        self.before = Disk(disk.path, folder / "before.img")
        self.reported: list[Mapping[str, Any]] = []
        self._dice = Random(f"cuts {seed}")
        self._log = folder / "first.log"
        """Log of the writes of the first boot, up to its cut."""
        self._promised = Promised((), ())

    async def booted(self) -> str:
        began = time.monotonic()
        await self.table.attach()
        view = self.table.view()
        return f"round {view['round']}, {view['phase']}, {time.monotonic() - began:.0f} s after power on"

    async def rounds(self, count: int) -> str:
        began = time.monotonic()
        done = await self.table.rounds(count)
        self.reported += done
        void = sum(record["outcome"] == "void" for record in done)
        hold(not void, f"{void} of {len(done)} rounds were void")
        return f"{count} rounds settled in {time.monotonic() - began:.0f} s"

    async def cut(self) -> str:
        """Cut the power during play, at a moment chosen by the seed; then read the journal on this
        machine."""
        seconds = self._dice.uniform(SHORTEST_S, LONGEST_S)
        playing = asyncio.create_task(self.table.play_on())
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await asyncio.shield(playing)
        stood = self.table.view()
        await self.table.cut()
        playing.cancel()
        with suppress(asyncio.CancelledError, *MISSED):
            await playing
        self.reported += self.table.records()
        if not self._log.exists():
            self.table.machine.log.rename(self._log)
            self._promised = self.table.promised()
        return f"after {seconds:.0f} s in round {stood['round']}, {stood['phase']}: {self.whole()}"

    async def off(self) -> str:
        """Cut the power while the table is idle, then check the journal."""
        await self.table.cut()
        return self.whole()

    def whole(self) -> str:
        """Check that `crisscross verify` succeeds, and that the journal has every round reported before the
        power was cut."""
        part = self.disk.read("journal", self.folder / "journal.part")
        with mounted(part, self.folder / "journal") as place:
            command = [sys.executable, "-m", "controller", "verify", str(place / "journal.db")]
            run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
            hold(run.returncode == 0, f"verify: {run.stdout}{run.stderr}")
            kept = {record["round"] for record in Follower(place / "journal.db").records()}
        part.unlink()
        lost = {record["round"] for record in self.reported} - kept
        hold(not lost, f"rounds that were reported and are not in the journal: {sorted(lost)}")
        words = run.stdout.splitlines()[0].partition(": ")[2]
        return f"{words}; all of {len(self.reported)} reported rounds kept"

    def replayed(self, count: int) -> str:
        """Check `count` power cuts that are taken from the log of the first boot."""
        began = time.monotonic()
        cuts = Cuts(self.before, self._log, self._promised, self.folder, self.seed)
        apart = cuts.apart(self.disk)
        hold(apart <= UNDER_WAY, f"the log and the disk that it is of differ in {apart} sectors")
        cuts.run(count)
        return f"{cuts.sum}, {time.monotonic() - began:.0f} s; log and disk differ in {apart} sectors"

    def lied(self, count: int) -> str:
        """Check `count` cuts of a disk that loses data which it has confirmed. The loss must be detected;
        otherwise the other cuts prove nothing."""
        cuts = Cuts(self.before, self._log, self._promised, self.folder, self.seed, lies=LOST_FLUSHES)
        cuts.run(count)
        hold(
            cuts.sum.missed > 0, f"{count} cuts of a disk that lost {LOST_FLUSHES} flushes, and none was seen"
        )
        return f"of {count} cuts {cuts.sum.missed} were seen to have lost something"

    async def a_cut_booted(self, number: int) -> str:
        """Boot the whole disk as a cut of the log may leave it: the board must be in the state given by its
        journal. The simulated shoe is ahead of the disk, so no further round is played."""
        disk = Disk(self.before.path, self.folder / "cut.img")
        replay = Replay(self._log, disk.path)
        dice = Random(f"booted {self.seed} {number}")
        length = len(replay.entries)
        moment = dice.randint(length // 2, length)  # in the second half of the log the table existed already
        waiting = replay.to(moment)
        words = replay.cut(disk.path, waiting, dice)
        expected = self._round(disk)
        self.table.machine = self.table.machine.with_disk(disk)
        booted = await self.booted()
        stands = self.table.view()["round"]
        await self.table.cut()
        hold(stands == expected, f"it stands in round {stands}, and the journal in round {expected}")
        return f"at {moment} of {length} ({words}): {booted}"

    def _round(self, disk: Disk) -> int:
        """Return the current round in the journal of a disk."""
        part = disk.read("journal", self.folder / "journal.part")
        with mounted(part, self.folder / "journal") as place:
            journal = Journal(place / "journal.db")
            try:
                rules = rules_in_force(journal)
                state = restore_table(journal, rules.pack, rules.settings).state
                return state.round.number if state.round else state.next_round
            finally:
                journal.close()


def hold(condition: bool, words: str) -> None:
    if not condition:
        raise AssertionError(words)
