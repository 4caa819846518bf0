"""`make test-image`: the disk of `make image` booted by QEMU, played on, with repeated power cuts.

A boot takes minutes, so only a few cuts are made on the running board. Most are derived from the log of
writes of its first boot (cuts.py), as harsh as a disk allows, and examined on this machine.

Exit status 0: all checks passed; 1: one failed; 77: nothing was tried, with the reason. Needs root and an
image; a boot takes a minute or more of an emulated processor. It tests Debian's kernel, systemd, the
read-only root, the partitions, udev's names, the units with their cgroups, the kiosk's picture, and the state
after a power cut. It does not test a Pi: no firmware, GPIO, lamps, GPU or PN532 on real wires, and no disk
that confirms writes that it has not made.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from types import ModuleType

from tests.repository.house import ROOT
from tests.trials.image.machine import Disk, Machine, reason
from tests.trials.image.screen import Screen, settings
from tests.trials.image.table import ImageTable
from tests.trials.image.trial import MISSED, Trial
from tests.trials.image.updates import Updates, stick

UNTRIED = 77
PORTS = {"display": 18_090, "control": 18_091, "shell": 18_092}
"""Ports of the board and of this machine."""
CONTROLS = 20
COMPOSITOR = "usr/bin/cage"
Step = tuple[str, Callable[[], Awaitable[str]]]


def image_maker() -> ModuleType:
    """Import `.ci/image.py`, which is not part of a package, and return the module."""
    spec = importlib.util.spec_from_file_location("image_maker", ROOT / ".ci/image.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def steps(trial: Trial, chosen: argparse.Namespace) -> list[Step]:
    """Return the steps in the order of one table's life. Checks of the disk from outside are made while the
    board is off."""
    done: list[Step] = [("boot", trial.booted), ("two rounds", partial(trial.rounds, 2))]
    if chosen.update is not None:
        updates = Updates(trial)
        done += [("an update of another key", updates.of_another_key), ("an update", updates.good)]
        done += [
            ("a round on it", partial(trial.rounds, 1)),
            ("an update that does not start", updates.broken),
        ]
    for number in range(1, chosen.cuts + 1):
        done.append((f"cut {number}", trial.cut))
        if number == 1 and chosen.replayed:
            replayed = partial(asyncio.to_thread, trial.replayed, chosen.replayed)
            done.append((f"{chosen.replayed} cuts out of the log", replayed))
            done.append(("cuts of a disk that lies", partial(asyncio.to_thread, trial.lied, CONTROLS)))
        done.append((f"boot after cut {number}", trial.booted))
    done += [("a round after all of it", partial(trial.rounds, 1)), ("power off", trial.off)]
    if chosen.display:
        screen = Screen(trial)
        done += [("the screen", screen.page), ("the screen without its table", screen.without_its_table)]
    for number in range(1, chosen.booted + 1):
        done.append((f"cut {number} out of the log, booted", partial(trial.a_cut_booted, number)))
    return done


async def run(trial: Trial, wanted: list[Step]) -> int:
    """Run the steps and return the number of failed ones. It stops at the first, because later steps need a
    working table."""
    trial.table.begin()
    try:
        for name, act in wanted:
            try:
                words = await act()
            except MISSED as error:
                console = trial.table.machine.last_output()
                print(f"FAILED  {name}: {type(error).__name__}: {error}; console: {console}", flush=True)
                return 1
            print(f"ok      {name}: {words}", flush=True)
    finally:
        await trial.table.finish()
    return 0


def prepared(image: Path, folder: Path, chosen: argparse.Namespace) -> Trial:
    """Return a copy of the disk with this table's files in its config partition."""
    seed: int = chosen.seed
    maker = image_maker()
    disk = Disk(image, folder / "disk.img")
    table = ImageTable(seed, PORTS)
    root = disk.read("root_a", folder / "root.squashfs")
    etc = table.etc(folder / "etc")
    settings(etc, PORTS["display"])
    maker.config(etc, root, folder / "config.ext4")
    chosen.display = has_display(root)
    root.unlink()
    disk.write("config", folder / "config.ext4")
    table.machine = Machine(disk, folder, table.devices(), table.ports)
    if chosen.update is not None:
        table.machine.stick = stick(maker, chosen.update, chosen.key, folder)
    return Trial(table, disk, folder, seed)


def has_display(root: Path) -> bool:
    """Return whether the image was made with a display."""
    listed = subprocess.run(
        ["unsquashfs", "-l", root, COMPOSITOR], capture_output=True, text=True, check=True
    )
    return COMPOSITOR in listed.stdout


def main() -> int:
    parser = argparse.ArgumentParser(prog="make test-image", description=__doc__.splitlines()[0])
    parser.add_argument("--image", type=Path, help="default: the newest of dist/")
    parser.add_argument(
        "--cuts", type=int, default=1, metavar="N", help="of the running board, each with a boot; default: 1"
    )
    logged = "cuts out of the log of what the first boot wrote, up to its first cut; default: 100"
    parser.add_argument("--replayed", type=int, default=100, metavar="N", help=logged)
    parser.add_argument("--booted", type=int, default=1, metavar="N", help="of these booted too; default: 1")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--no-updates", action="store_true", help="without the part that `rauc` has in it")
    parser.add_argument(
        "--key", type=Path, default=ROOT / "update-key", help="of `make image`; default: update-key/"
    )
    parser.add_argument("--folder", type=Path, help="where the copy of the disk lies; default: build/")
    chosen = parser.parse_args()
    images = sorted((ROOT / "dist").glob("*.img"), key=lambda path: path.stat().st_mtime)
    if not chosen.cuts and (chosen.replayed or chosen.booted):
        parser.error("--cuts 0: the log ends with the first cut, so --replayed and --booted want one")
    image = chosen.image or (images[-1] if images else None)
    chosen.update = None if chosen.no_updates or image is None else image.with_suffix(".raucb")
    why = reason() or ("" if image else "there is no image in dist/: make image")
    if why or image is None:
        print(f"make test-image: nothing was tried: {why}", file=sys.stderr)
        return UNTRIED
    base = chosen.folder or ROOT / "build"
    base.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="image-", dir=base) as folder:
        trial = prepared(image, Path(folder), chosen)
        failed = asyncio.run(run(trial, steps(trial, chosen)))
    print(f"{image.name}: {'all held' if not failed else 'something did not hold'}")
    return failed


if __name__ == "__main__":
    sys.exit(main())
