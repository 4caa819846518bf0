"""Fuzz target for damaged files of a journal.

Each change has four bytes: two for the position (in 65,536ths of the file), one for the operation (cut the
file, write zeros, write this byte), and that byte.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from controller.cli import main
from controller.game.model.names import Phase
from controller.game.table import Table
from controller.mock.bench.in_process import DirectBench
from controller.mock.bench.options import MockOptions
from tests.trials.fuzz.target import FACE, Target, guarantee, no_face, one_line
from tests.trials.kills.rounds import KINDS
from tests.trials.kills.rounds import Table as Played
from tests.trials.two_worlds.world import hidden

STEP = 4
ZEROS = 64
LOOKS = 300


@cache
def whole() -> tuple[bytes, frozenset[str]]:
    """Return a journal as a power cut in the second round leaves it, and the faces that lie face down at that
    moment."""
    return asyncio.run(_whole())


async def _whole() -> tuple[bytes, frozenset[str]]:
    bench = DirectBench(MockOptions(seed=3, wires=False))
    played = Played(KINDS[0], bench)
    await bench.start()
    try:
        await played.until(1)
        for _ in range(LOOKS):
            await played.looks(1)
            if bench.view()["phase"] == Phase.ACROSS:
                break
        table = bench.engine.game
        assert isinstance(table, Table)
        down = frozenset(str(face) for face in hidden(table.state).values() if face)
        assert down, "no card lies face down"
        bench.engine.journal.close()
        return bench.config.journal.read_bytes(), down
    finally:
        await bench.stop()


def changed(data: bytes) -> bytes:
    file = bytearray(whole()[0])
    for at in range(0, len(data) - STEP + 1, STEP):
        place = int.from_bytes(data[at : at + 2], "big") * len(file) // 65_536
        act, byte = data[at + 2] % 8, data[at + 3]
        if act == 0:
            del file[place:]
        elif act == 1:
            file[place : place + ZEROS] = bytes(len(file[place : place + ZEROS]))
        elif file:
            file[place : place + 1] = bytes((byte,))
    return bytes(file)


def trial(data: bytes) -> None:
    with TemporaryDirectory(prefix="fuzz-") as folder:
        path = Path(folder) / "journal.db"
        path.write_bytes(changed(data))
        for command in (["verify", str(path)], ["rounds", "list", "--journal", str(path)]):
            check(command)


def check(command: list[str]) -> None:
    """Check that the command prints output or one line with the reason, and never a face that lies
    face down."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main(command)
    if status:
        one_line(err.getvalue().strip())
    guarantee("Traceback" not in err.getvalue(), "a traceback")
    no_face(err.getvalue(), whole()[1])
    guarantee(status or not FACE.search(err.getvalue()), "a face beside what went well")


def seeds() -> Iterator[bytes]:
    yield b""
    dice = random.Random(7)
    for count in (1, 1, 1, 2, 3, 5):
        yield dice.randbytes(STEP * count)


TARGET = Target("journals", trial, seeds, longest=64, examples=30)
