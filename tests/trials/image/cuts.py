"""Power cuts derived from a log of writes: each gives a state in which a disk may be after a cut at that
moment.

QEMU's `blklogwrites` logs every write and flush of the board in order (format: drivers/md/dm-log-writes.c of
Linux). A cut is a moment in that log. All writes before the last flush are on the disk. Each later write is
complete, missing or torn block by block, at random. In one respect a real disk may be worse: here a write
that ended during a flush counts as flushed.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

SECTOR = 512
MAGIC = 0x6A736677736872
SUPER, ENTRY = struct.Struct("<QQQL"), struct.Struct("<QQQQ")
FLUSH, DISCARD = 1, 4
WAYS = ("there", "gone", "torn")
BLOCK = 8
"""Number of sectors that a disk writes together: 4 KiB. With pieces of 512 bytes ext4's own superblock can be
torn, and then neither a mount nor `e2fsck -p` succeeds."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of the log: a write, or a flush. `end`: length of the log after it; `data`: position in the
    log of the sectors written."""

    end: int
    sector: int
    count: int
    flush: bool
    data: int


def entries(log: Path) -> Iterator[Entry]:
    """Yield the entries in the order in which they were sent, up to the last that QEMU wrote completely."""
    size = log.stat().st_size
    with log.open("rb") as file:
        magic, _, _, sector_size = SUPER.unpack(file.read(SUPER.size))
        if magic != MAGIC or sector_size != SECTOR:
            raise ValueError(f"{log}: no log of writes in sectors of {SECTOR} bytes")
        at = SECTOR
        while at + SECTOR <= size:
            file.seek(at)
            sector, count, flags, _ = ENTRY.unpack(file.read(ENTRY.size))
            data = at + SECTOR
            at = data + (0 if flags & DISCARD else count * SECTOR)
            if at > size or not (count or flags):
                return
            if not flags & DISCARD:
                yield Entry(at, sector, count, bool(flags & FLUSH), data)


class Replay:
    """Copy of a disk, or of a part of it, as it was before the log. It is advanced from one moment of the log
    to the next."""

    def __init__(
        self, log: Path, disk: Path, first: int = 0, sectors: int | None = None, block: int = BLOCK
    ) -> None:
        """Read the log. `disk`: file with `sectors` sectors of the board's disk from sector `first` on, to
        which the writes go. `block`: number of bytes that a cut leaves whole or changes as one."""
        self._first, self._sectors, self._block = first, sectors, block
        self._log, self._disk = log, disk
        self.entries = [entry for entry in entries(log) if entry.flush or self._ours(entry)]
        self._flushed = 0
        """Number of entries that are on the disk in every outcome."""

    def _ours(self, entry: Entry) -> bool:
        """Return whether an entry concerns this part of the disk."""
        end = None if self._sectors is None else self._first + self._sectors
        return entry.sector + entry.count > self._first and (end is None or entry.sector < end)

    def to(self, moment: int, *, lies: int = 0) -> Sequence[Entry]:
        """Advance to the moment after `moment` entries of the log. Writes that were flushed by then go to the
        disk; the later ones, which a power cut may lose, are returned. `lies`: number of last flushes that
        the disk confirmed without doing them."""
        sent = self.entries[:moment]
        flushes = [at for at, entry in enumerate(sent, start=1) if entry.flush]
        flushed = flushes[-1 - lies] if len(flushes) > lies else 0
        if flushed < self._flushed:
            raise ValueError("a disk goes forward only")
        self.put(self._disk, [(entry, range(entry.count)) for entry in sent[self._flushed : flushed]])
        self._flushed = flushed
        return sent[flushed:]

    def cut(self, disk: Path, waiting: Sequence[Entry], dice: Random) -> str:
        """Write a random part of the writes in `waiting` to a copy of the disk, as a power cut may leave it.
        Returns a description of that part."""
        ways = [dice.choice(WAYS) for _ in waiting]
        kept = []
        for entry, way in zip(waiting, ways, strict=True):
            blocks = {(entry.sector + at) // self._block for at in range(entry.count)}
            there = {
                block for block in sorted(blocks) if way == "there" or dice.random() < (way == "torn") / 2
            }
            sectors = [at for at in range(entry.count) if (entry.sector + at) // self._block in there]
            kept.append((entry, sectors))
        self.put(disk, kept)
        return f"{len(waiting)} writes not flushed: {', '.join(f'{ways.count(way)} {way}' for way in WAYS)}"

    def put(self, disk: Path, kept: Sequence[tuple[Entry, Sequence[int]]]) -> None:
        """Write the named sectors of some writes to a disk, in order."""
        with self._log.open("rb") as log, disk.open("r+b") as file:
            for entry, sectors in kept:
                for at in sectors:
                    to = entry.sector + at - self._first
                    if to >= 0 and (self._sectors is None or to < self._sectors):
                        log.seek(entry.data + at * SECTOR)
                        file.seek(to * SECTOR)
                        file.write(log.read(SECTOR))
