"""`make test-image`: the disk of `make image` booted by QEMU, played on, and its power cut again and again.

Status 0 all held, 1 something did not, 77 nothing was tried, with the reason. Needs root and an image; a boot
takes a minute or more of an emulated processor. It shows Debian's kernel, systemd, the read-only root, the
partitions, udev's names, the units with their cgroups, and what a power cut leaves. It shows no Pi: no
firmware, no GPIO, no lamps, no screen, no PN532 on real wires, and no disk that lies about what it wrote.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

from controller.mock.bench.bench import TableStopped
from controller.mock.bench.follow import Follower
from tests.image.machine import Disk, Machine, reason
from tests.image.table import ImageTable
from tests.repository.house import ROOT

UNTRIED = 77
DISPLAY, CONTROL = 18_090, 18_091
SHORTEST_S, LONGEST_S = 2.0, 40.0
"""Of play before a cut."""
MISSED = (AssertionError, TableStopped, TimeoutError, OSError, RuntimeError, subprocess.CalledProcessError)


def image_maker() -> ModuleType:
    """`.ci/image.py`, which is no package."""
    spec = importlib.util.spec_from_file_location("image_maker", ROOT / ".ci/image.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Trial:
    """One disk, one table, and the records that were told before the power went."""

    def __init__(self, table: ImageTable, disk: Disk, folder: Path, seed: int) -> None:
        self.table, self.disk, self._folder = table, disk, folder
        self._dice = Random(f"cuts {seed}")
        self.told: list[Mapping[str, Any]] = []

    async def booted(self) -> str:
        began = time.monotonic()
        await self.table.attach()
        view = self.table.view()
        return f"round {view['round']}, {view['phase']}, {time.monotonic() - began:.0f} s after power on"

    async def rounds(self, count: int) -> str:
        began = time.monotonic()
        done = await self.table.rounds(count)
        self.told += done
        void = sum(record["outcome"] == "void" for record in done)
        hold(not void, f"{void} of {len(done)} rounds were void")
        return f"{count} rounds settled in {time.monotonic() - began:.0f} s"

    async def cut(self) -> str:
        """In the middle of play, at a moment of the seed's choice; then this machine reads the journal."""
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
        self.told += self.table.records()
        return f"after {seconds:.0f} s in round {stood['round']}, {stood['phase']}: {self.whole()}"

    def whole(self) -> str:
        """`verify` holds, and every round that was told before the cut is in the journal as it was told."""
        part = self.disk.read("journal", self._folder / "journal.part")
        place = self._folder / "journal"
        place.mkdir(exist_ok=True)
        subprocess.run(["mount", "-o", "loop", part, place], check=True)  # ext4 replays its own log
        try:
            command = [sys.executable, "-m", "controller", "verify", str(place / "journal.db")]
            run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
            hold(run.returncode == 0, f"verify: {run.stdout}{run.stderr}")
            kept = {record["round"] for record in Follower(place / "journal.db").records()}
        finally:
            subprocess.run(["umount", place], check=True)
            part.unlink()
        lost = {record["round"] for record in self.told} - kept
        hold(not lost, f"rounds that were told and are not in the journal: {sorted(lost)}")
        words = run.stdout.splitlines()[0].partition(": ")[2]
        return f"{words}; all of {len(self.told)} told rounds kept"


def hold(condition: bool, words: str) -> None:
    if not condition:
        raise AssertionError(words)


async def run(trial: Trial, cuts: int) -> int:
    """How many steps did not hold. It ends at the first: what follows would be of a broken table."""
    names = ["boot", "two rounds"]
    for number in range(1, cuts + 1):
        names += [f"cut {number}", f"boot after cut {number}"]
    names.append("a round after all of it")
    trial.table.begin()
    try:
        for name in names:
            try:
                words = await step(trial, name)
            except MISSED as error:
                console = trial.table.machine.last_words()
                print(f"FAILED  {name}: {type(error).__name__}: {error}; console: {console}", flush=True)
                return 1
            print(f"ok      {name}: {words}", flush=True)
    finally:
        await trial.table.finish()
    return 0


async def step(trial: Trial, name: str) -> str:
    if name.startswith("boot"):
        return await trial.booted()
    if name.startswith("cut"):
        return await trial.cut()
    return await trial.rounds(2 if name == "two rounds" else 1)


def prepared(image: Path, folder: Path, seed: int) -> Trial:
    """A copy of the disk with this table's files in its config partition."""
    maker = image_maker()
    disk = Disk(image, folder / "disk.img")
    table = ImageTable(seed, DISPLAY, CONTROL)
    root = disk.read("root", folder / "root.squashfs")
    maker.config(table.etc(folder / "etc"), root, folder / "config.ext4")
    root.unlink()
    disk.write("config", folder / "config.ext4")
    table.machine = Machine(disk, folder, table.devices(), table.ports)
    return Trial(table, disk, folder, seed)


def main() -> int:
    parser = argparse.ArgumentParser(prog="make test-image", description=__doc__.splitlines()[0])
    parser.add_argument("--image", type=Path, help="default: the newest of dist/")
    parser.add_argument("--cuts", type=int, default=3, metavar="N", help="of the power; default: 3")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--folder", type=Path, help="where the copy of the disk lies; default: build/")
    chosen = parser.parse_args()
    images = sorted((ROOT / "dist").glob("*.img"), key=lambda path: path.stat().st_mtime)
    image = chosen.image or (images[-1] if images else None)
    why = reason() or ("" if image else "there is no image in dist/: make image")
    if why or image is None:
        print(f"make test-image: nothing was tried: {why}", file=sys.stderr)
        return UNTRIED
    base = chosen.folder or ROOT / "build"
    base.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="image-", dir=base) as folder:
        failed = asyncio.run(run(prepared(image, Path(folder), chosen.seed), chosen.cuts))
    print(
        f"{image.name}: {'all held' if not failed else 'something did not hold'}, {chosen.cuts} cuts wanted"
    )
    return failed


if __name__ == "__main__":
    sys.exit(main())
