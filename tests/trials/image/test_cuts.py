"""After a simulated power cut, flushed writes are on the disk, and later ones are there, missing or torn at
random.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path
from random import Random

import pytest

from tests.trials.image.cuts import DISCARD, ENTRY, FLUSH, MAGIC, SECTOR, SUPER, Replay, entries

Write = tuple[int, bytes]
"""A write to the simulated disk: the number of its first sector, and one letter for each sector."""


def written(folder: Path, *acts: Write | str) -> Path:
    """Return a log as QEMU writes it."""
    blocks = [SUPER.pack(MAGIC, 1, len(acts), SECTOR).ljust(SECTOR, b"\0")]
    for act in acts:
        if isinstance(act, str):
            flags = FLUSH if act == "flush" else DISCARD
            blocks.append(ENTRY.pack(0, 0 if act == "flush" else 8, flags, 0).ljust(SECTOR, b"\0"))
        else:
            blocks.append(ENTRY.pack(act[0], len(act[1]), 0, 0).ljust(SECTOR, b"\0"))
            blocks += [bytes([letter]) * SECTOR for letter in act[1]]
    log = folder / "writes.log"
    log.write_bytes(b"".join(blocks))
    return log


def disk(folder: Path, sectors: int) -> Path:
    made = folder / "disk"
    made.write_bytes(b"." * SECTOR * sectors)
    return made


def letters(path: Path) -> bytes:
    return path.read_bytes()[::SECTOR]


def test_flushed_writes_are_on_the_disk_and_later_ones_are_pending(tmp_path: Path) -> None:
    log = written(tmp_path, (1, b"ab"), "flush", (1, b"c"), "discard", (3, b"d"))
    replay = Replay(log, disk(tmp_path, 5))
    assert [entry.sector for entry in replay.to(1)] == [1]
    assert letters(tmp_path / "disk") == b"....."
    assert [entry.sector for entry in replay.to(4)] == [1, 3]
    assert letters(tmp_path / "disk") == b".ab.."
    with pytest.raises(ValueError, match="forward"):
        replay.to(1)


def test_a_lying_disk_lacks_the_writes_that_it_confirmed(tmp_path: Path) -> None:
    log = written(tmp_path, (0, b"a"), "flush", (1, b"b"), "flush", (2, b"c"), "flush")
    replay = Replay(log, disk(tmp_path, 3))
    assert [entry.sector for entry in replay.to(6, lies=2) if not entry.flush] == [1, 2]
    assert letters(tmp_path / "disk") == b"a.."


def test_an_unflushed_write_is_complete_missing_or_torn(tmp_path: Path) -> None:
    replay = Replay(written(tmp_path, (0, b"abcdef")), disk(tmp_path, 6), block=2)
    waiting = replay.to(1)
    seen = set()
    for seed in range(200):
        cut = disk(tmp_path, 6)
        replay.cut(cut, waiting, Random(seed))
        seen.add(letters(cut))
    halves = ((b"ab", b".."), (b"cd", b".."), (b"ef", b".."))
    assert seen == {b"".join(blocks) for blocks in product(*halves)}


def test_only_sectors_of_the_partition_are_written_to_it(tmp_path: Path) -> None:
    log = written(tmp_path, (0, b"ab"), (3, b"cd"), (9, b"e"), "flush")
    replay = Replay(log, disk(tmp_path, 3), first=1, sectors=3)
    assert not replay.to(len(replay.entries))
    assert letters(tmp_path / "disk") == b"b.c"


def test_an_incomplete_last_write_is_left_out(tmp_path: Path) -> None:
    log = written(tmp_path, (0, b"ab"), (2, b"cd"))
    log.write_bytes(log.read_bytes()[:-1])
    assert [entry.sector for entry in entries(log)] == [0]


def test_a_file_that_is_not_a_log_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no log of writes"):
        list(entries(disk(tmp_path, 1)))
