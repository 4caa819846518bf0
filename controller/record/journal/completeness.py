"""Completeness of a journal: a lost or truncated end is detected from its rows, checkpoints and leaves, and
from the counts written beside it.

`.lock` has the number of rows, `ratchet.key` the number of checkpoints, `.cosigned` the sizes that witnesses
signed. They can show that rows are missing, but a copy without these files may end anywhere. All commands and
the daemon's start use `missing` for this check. This module must never write.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from controller.common.files.file_lock import lock_path
from controller.record.journal.beginning import beginning_of
from controller.record.journal.files import LOSS_AT, default_keys, has_seal, reading
from controller.record.journal.history import SHORTENED, HistoryAct, append_act, facts_of, read_acts, tree_of
from controller.record.journal.schema import Damaged, in_file, read_of
from controller.record.seal.cosigned import BadCosigned, cosignatures_path, read_lines
from controller.record.seal.keys import checkpoints_sealed

MAX_LOSS_BYTES = 256
ROWS = "{gone} rows that were there are gone: journal shortened: it ends at row {has} and had {had} rows"
CHECKPOINTS = (
    "{gone} checkpoints that were there are gone: journal shortened: it has {has} checkpoints, and its keys "
    "have sealed {had}"
)
LEAVES = (
    "{gone} leaves that were there are gone: journal shortened: it has {has}, and a witness's line beside it "
    "is for {had}"
)


@dataclass(frozen=True, slots=True)
class FileCounts:
    """Numbers that the files beside a journal record about it, 0 if unknown: it must not have fewer rows,
    checkpoints and leaves. `rows` is None without a `.lock`. `accepted`: the loss that a technician
    confirmed, as `crisscross journal shortened` wrote it; "" if none."""

    rows: int | None = None
    checkpoints: int = 0
    leaves: int = 0
    accepted: str = ""


@dataclass(frozen=True, slots=True)
class Missing:
    """Numbers of rows, checkpoints and leaves in an incomplete journal. Each pair: number found, number
    expected."""

    rows: tuple[int, int]
    checkpoints: tuple[int, int]
    leaves: tuple[int, int]
    accepted: tuple[str, str] | None = None
    """(UTC, account) of the confirmation of exactly this loss; None if there is none."""

    def words(self) -> str:
        """Return a message of one line: how many rows, checkpoints or leaves are missing."""
        for (has, had), text in ((self.rows, ROWS), (self.checkpoints, CHECKPOINTS), (self.leaves, LEAVES)):
            if had > has:
                return text.format(gone=had - has, has=has, had=had)
        return ""

    def advice(self, path: Path) -> str:
        """Return the line of `words` with its remedy."""
        return (
            f"journal {path}: {self.words()}: put back the file and its -wal; if they are lost for good, "
            f"`crisscross journal shortened {path}` says so"
        )

    def line(self, utc: str, who: str) -> str:
        """Return the line for `.lock` that confirms this loss."""
        return f"{self._key()} {utc} {who}".rstrip() + "\n"

    def _key(self) -> str:
        return f"{self.rows[0]} of {self.rows[1]}"

    def accepted_by(self, line: str) -> tuple[str, str] | None:
        """Return (UTC, account) if a line of `.lock` confirms exactly this loss, else None."""
        key, _, rest = line.partition("\n")[0].partition(self._key())
        if key or (rest and not rest.startswith(" ")) or not line.startswith(self._key()):
            return None
        utc, _, who = rest.strip().partition(" ")
        return utc, who


def read_counts(path: Path, keys: Path | None = None) -> FileCounts:
    """Return the counts beside a journal. Call it before reading the journal: a running daemon raises these
    counts after the rows, never before them. `keys`: the folder of the journal's keys."""
    rows, accepted = _lock_of(path)
    leaves = 0
    with suppress(BadCosigned):
        leaves = max((line.size for line in read_lines(cosignatures_path(path))), default=0)
    return FileCounts(rows, checkpoints_sealed(keys or default_keys(path)), leaves, accepted)


def _lock_of(path: Path) -> tuple[int | None, str]:
    try:
        text = lock_path(path).read_bytes()[: LOSS_AT + MAX_LOSS_BYTES].decode("utf-8", "replace")
    except OSError:
        return None, ""
    rows = text[:LOSS_AT].strip()
    return (int(rows) if rows.isascii() and rows.isdigit() else None), text[LOSS_AT:]


def missing(db: sqlite3.Connection | None, counts: FileCounts) -> Missing | None:
    """Return what the journal lacks according to the counts, or None if it is complete. `db`: None if the
    file is missing. A loss that the journal's own history records is not missing any more."""
    found = _count_journal(db)
    acts = [act for act in read_acts(db) if act.act == SHORTENED] if db is not None else []
    rows, checkpoints, leaves = found
    sealed, signed = (
        _unexplained(counts.checkpoints, acts, "checkpoints"),
        _unexplained(counts.leaves, acts, "leaves"),
    )
    if (counts.rows or 0) <= rows and sealed <= checkpoints and signed <= leaves:
        return None
    lack = Missing((rows, max(rows, counts.rows or 0)), (checkpoints, sealed), (leaves, signed))
    return Missing(lack.rows, lack.checkpoints, lack.leaves, lack.accepted_by(counts.accepted))


def remarks(path: Path) -> list[str]:
    """Return a line about a missing end and a line about a beginning in archives, if there are such, for
    commands that read the rounds anyway. Raises JournalError if the journal cannot be read."""
    counts = read_counts(path)
    with reading(path) as db, in_file(path):
        lack, beginning = missing(db, counts), beginning_of(db)
    begins = f"journal {path}: begins after row {beginning.seq}; what was before lies in archives"
    return [*([lack.advice(path)] if lack else []), *([begins] if beginning.seq else [])]


def _unexplained(had: int, acts: list[HistoryAct], name: str) -> int:
    """Return the number `had` that the journal should have, or 0 if a loss recorded in its history explains
    why it has fewer. `name`: "checkpoints" or "leaves"."""
    return 0 if any(_number(act, name) >= had for act in acts) else had


def _number(act: HistoryAct, name: str) -> int:
    value = act.body.get(name)
    if not isinstance(value, int):
        raise Damaged(f"row {act.n} of the history is not as it was written")
    return value


def _count_journal(db: sqlite3.Connection | None) -> tuple[int, int, int]:
    """Return the numbers of rows, checkpoints and leaves that were ever written, those in archives included.
    All are 0 if `db` is None."""
    if db is None:
        return 0, 0, 0
    with read_of("the last row"):
        rows = int(db.execute("SELECT max(seq) FROM events WHERE seq > 0").fetchone()[0] or 0)
        if not has_seal(db):
            return rows, 0, 0
        last = db.execute("SELECT max(number) FROM checkpoints").fetchone()[0]
        leaves = db.execute("SELECT max(n) FROM leaves").fetchone()[0]
    beginning = beginning_of(db)
    checkpoints = beginning.number if last is None else int(last) + 1
    return rows, checkpoints, beginning.tree.size if leaves is None else int(leaves) + 1


def skipped_numbers(acts: list[HistoryAct]) -> set[int]:
    """Return the numbers at which the checkpoints continue after a recorded loss."""
    return {_number(act, "checkpoints") for act in acts if act.act == SHORTENED}


def record_loss(db: sqlite3.Connection, lack: Missing, utc: str, who: str) -> None:
    """Write the loss into the history, unless it is the last act there. Raises sqlite3.Error if that
    fails."""
    acts = read_acts(db)
    counts = {"rows": lack.rows[1], "checkpoints": lack.checkpoints[1], "leaves": lack.leaves[1]}
    same = acts and acts[-1].act == SHORTENED and acts[-1].seq == lack.rows[0]
    if same and all(acts[-1].body.get(name) == value for name, value in counts.items()):
        return
    append_act(db, SHORTENED, utc, who, lack.rows[0], {**counts, **facts_of(tree_of(db))})


def accept(lock: int, line: str) -> None:
    """Write the confirmation of a loss into the open `.lock`. Raises OSError if that fails."""
    os.ftruncate(lock, LOSS_AT)
    os.pwrite(lock, line.encode(), LOSS_AT)
    os.fsync(lock)
