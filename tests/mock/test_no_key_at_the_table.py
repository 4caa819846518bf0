"""A table whose chips prove themselves has no key, neither on its disk nor in its memory."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from controller.game.model.names import Circle, Wager
from controller.mock.bench.bench import Hands
from controller.mock.bench.options import MockOptions
from controller.mock.bench.wired import WiresBench
from controller.mock.people.opening import open_table
from drivers.chips.kinds import PROVING
from drivers.chips.sim.software_module import chip_key

pytestmark = pytest.mark.serial

SEED = 7
CIRCLE = Circle(3, Wager.ANTE_ACROSS)
_REGION = re.compile(r"^([0-9a-f]+)-([0-9a-f]+) r")


def memory(pid: int) -> Iterator[bytes]:
    """Yield the readable regions of a process that it may have written itself."""
    maps = Path(f"/proc/{pid}/maps").read_text(encoding="ascii").splitlines()
    with Path(f"/proc/{pid}/mem").open("rb", 0) as file:
        for line in maps:
            found = _REGION.match(line)
            if found is None or " rw" not in line or "[v" in line:
                continue
            begin, end = int(found[1], 16), int(found[2], 16)
            with suppress(OSError):  # the process has released the region meanwhile
                file.seek(begin)
                yield file.read(end - begin)


def readable(pid: int) -> bool:
    """Return whether this user may read the memory of the process; root may."""
    return os.access(f"/proc/{pid}/mem", os.R_OK)


def where(needle: bytes, folder: Path, pid: int) -> list[str]:
    """Return the places that contain these bytes or their hexadecimal digits: files, or the memory of the
    process."""
    forms = (needle, needle.hex().encode(), needle.hex().upper().encode())
    files = []
    for each in sorted(folder.rglob("*")):
        with suppress(FileNotFoundError):
            if each.is_file() and any(form in each.read_bytes() for form in forms):
                files.append(str(each))
    return [
        *files,
        *{"memory" for part in (memory(pid) if readable(pid) else ()) if any(form in part for form in forms)},
    ]


@pytest.mark.parametrize("readers", PROVING)
async def test_neither_disk_nor_memory_of_a_table_contains_a_chip_key(readers: str) -> None:
    bench = WiresBench(MockOptions(config={"proofs": {"random_seconds": 1}}, seed=SEED, readers=readers))
    await bench.start()
    try:
        await open_table(Hands(bench))
        bench.felt.set_amount(CIRCLE, 1000)
        bench.felt.add_strange(CIRCLE, "forged")
        async with asyncio.timeout(60):
            while not any(alert["code"] == "chip_unproven" for alert in bench.view()["alerts"]):
                await bench.wait_for_view(bench.view()["version"], 1.0)
        pid = bench.daemon.pid
        assert pid is not None
        house_key = Random(f"keys of chips {SEED}").randbytes(16)
        lying = [uid for uids in bench.felt.circles.values() for uid in uids]
        folder = bench.places.folder
        assert where(house_key, folder, pid) == []
        for uid in lying:
            assert where(chip_key(house_key, uid), folder, pid) == []
            found = where(bytes.fromhex(uid), folder, pid)
            assert "memory" in found or not readable(pid)
            assert any(place.endswith("chips.csv") for place in found)
    finally:
        await bench.stop()
