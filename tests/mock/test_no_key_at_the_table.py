"""A table whose chips prove themselves has no chip key on its disk or in its memory, and runs no proof
between a card and its acknowledgement."""

from __future__ import annotations

import asyncio
import os
import re
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from random import Random

import pytest

from controller.game.model.names import Circle, Wager
from controller.mock.bench.bench import Hands
from controller.mock.bench.options import MockOptions
from controller.mock.bench.wired import WiresBench
from controller.mock.bench.wires import ShoeFrames
from controller.mock.people.opening import open_table
from controller.mock.run import Mock, Run
from drivers.chips.kinds import PROVING
from drivers.chips.secure_module import Response, SecureModule
from drivers.chips.sim.software_module import chip_key

pytestmark = pytest.mark.serial

SEED = 5
CIRCLE = Circle(3, Wager.ANTE_ACROSS)
_REGION = re.compile(r"^([0-9a-f]+)-([0-9a-f]+) r")


def memory(pid: int) -> Iterator[bytes]:
    """Yield the content of each region of a process's memory that the process may have written itself."""
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
    """Return whether this user may read the memory of the process, as root may."""
    return os.access(f"/proc/{pid}/mem", os.R_OK)


class Places:
    """Content of a table's files and, if this user may read it, of the daemon's memory, all at one moment."""

    def __init__(self, folder: Path, pid: int) -> None:
        self._contents: list[tuple[str, bytes]] = []
        for each in sorted(folder.rglob("*")):
            with suppress(FileNotFoundError):
                if each.is_file():
                    self._contents.append((str(each), each.read_bytes()))
        self._contents += [("memory", part) for part in (memory(pid) if readable(pid) else ())]

    def containing(self, needle: bytes) -> set[str]:
        """Return the names of the places whose content includes these bytes or their hexadecimal digits."""
        forms = (needle, needle.hex().encode(), needle.hex().upper().encode())
        return {place for place, content in self._contents if any(form in content for form in forms)}


class TimedFrames(ShoeFrames):
    """Record of all frames on the shoe's connection, each with its time."""

    def __init__(self) -> None:
        super().__init__()
        self.all: list[tuple[float, str]] = []

    def to_device(self, data: bytes) -> None:
        self._note(super().to_device, data)

    def from_device(self, data: bytes) -> None:
        self._note(super().from_device, data)

    def _note(self, take: Callable[[bytes], None], data: bytes) -> None:
        self.frames.clear()
        take(data)
        self.all += [(time.monotonic(), frame) for frame in self.frames]


class TimedModule:
    """Wrapper of a secure module that stores the time of each call."""

    def __init__(self, module: SecureModule) -> None:
        self.times: list[float] = []
        self._module = module

    def respond(self, uid: str, challenge: bytes) -> Response:
        self.times.append(time.monotonic())
        return self._module.respond(uid, challenge)

    def begin(self, uid: str) -> Response:
        self.times.append(time.monotonic())
        return self._module.begin(uid)

    def verify(self, ticket: int, answer: bytes) -> bool:
        self.times.append(time.monotonic())
        return self._module.verify(ticket, answer)


@pytest.mark.parametrize("readers", PROVING)
async def test_neither_disk_nor_memory_of_a_table_contains_a_chip_key(readers: str) -> None:
    """After the search for keys three rounds are played, to check that no proof runs between a card and its
    acknowledgement."""
    options = MockOptions(config={"proofs": {"random_seconds": 1}}, seed=SEED, readers=readers)
    bench = WiresBench(options)
    bench._shoe_frames = frames = TimedFrames()
    assert bench._module is not None
    bench._module._module = module = TimedModule(bench._module._module)
    mock = Mock(Run(options, rounds=3, headless=True, as_json=True), bench=bench)
    assert await mock.play(forged_chip_found(bench)) == 0
    cards = [at for at, frame in frames.all if frame.startswith("<") and ",CARD," in frame]
    acks = [at for at, frame in frames.all if frame.startswith(">") and "ACK" in frame]
    assert len(cards) > 20 and module.times
    for card in cards:
        ack = min(at for at in acks if at >= card)
        assert not [at for at in module.times if card <= at <= ack]
    dealt = deals(frames.all)
    assert len(dealt) > 20
    assert not [at for at in module.times for one, two in dealt if one <= at <= two]


@asynccontextmanager
async def forged_chip_found(bench: WiresBench) -> AsyncIterator[None]:
    """Lay a forged chip on the open table, check for keys as soon as the table has found it, and take the
    chip away so that play can begin."""
    await open_table(Hands(bench))
    bench.felt.set_amount(CIRCLE, 1000)
    bench.felt.add_strange(CIRCLE, "forged")
    async with asyncio.timeout(60):
        while not any(alert["code"] == "chip_unproven" for alert in bench.view()["alerts"]):
            await bench.wait_for_view(bench.view()["version"], 1.0)
        check_keys(bench)
        bench.felt.clear(CIRCLE)
        while bench.view()["alerts"]:
            await bench.wait_for_view(bench.view()["version"], 1.0)
    yield


def check_keys(bench: WiresBench) -> None:
    """Check that the table stores the UIDs of all chips on it and no key. This shows that the search would
    find a key."""
    pid = bench.daemon.pid
    assert pid is not None
    places = Places(bench.places.folder, pid)
    house_key = Random(f"keys of chips {SEED}").randbytes(16)
    assert places.containing(house_key) == set()
    for uid in [uid for uids in bench.felt.circles.values() for uid in uids]:
        assert places.containing(chip_key(house_key, uid)) == set()
        found = places.containing(bytes.fromhex(uid))
        assert "memory" in found or not readable(pid)
        assert any(place.endswith("chips.csv") for place in found)


def deals(frames: list[tuple[float, str]]) -> list[tuple[float, float]]:
    """Return the two times of each pair of successive cards in a deal. A stub ends a deal."""
    found, last = [], None
    for at, frame in frames:
        if ",STUB" in frame:
            last = None
        elif frame.startswith("<") and ",CARD," in frame:
            found += [] if last is None else [(last, at)]
            last = at
    return found
