"""Archives before a journal: each is verified by itself, and each must begin where the previous one ends.

Together the archives must build the tree of the leaves that are no longer in the journal. An archive's mark
and name prove nothing: the user names the files.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from controller.common.tlog.merkle import Frontier
from controller.record.journal.beginning import FIRST_BEGINNING, Beginning, beginning_of
from controller.record.journal.files import reading
from controller.record.journal.labels import NEVER_ARCHIVED
from controller.record.journal.leaves import hash_of
from controller.record.journal.schema import Damaged, JournalError, in_file


@dataclass(frozen=True, slots=True)
class ArchiveProof:
    """Result of verified archives: proof of the leaves that are before the first one in the journal.

    `seq`: last row of the archives. `tree`: tree of the leaves up to the journal's beginning, or None if the
    archives do not reach it. `kept`: hashes of leaves whose rows also stay in a journal, by number of the
    leaf. `figures`: hashes of the leaves of figures, by label.
    """

    seq: int = 0
    tree: Frontier | None = field(default_factory=Frontier)
    kept: Mapping[int, bytes] = field(default_factory=dict)
    figures: Mapping[str, bytes] = field(default_factory=dict)


Check = Callable[[Path, ArchiveProof], object]
"""Function that verifies one archive; raises JournalError."""


def proof_by_archives(files: Sequence[Path], beginning: Beginning | None, check: Check) -> ArchiveProof:
    """Verify the archives in order and return their proof of the leaves before `beginning`, which is None if
    no file follows them. Raises JournalError if an archive is damaged or missing."""
    found = sorted(((_beginning(file), file) for file in files), key=lambda each: each[0].seq)
    ends = [*(each for each, _ in found[1:]), beginning or FIRST_BEGINNING]
    before = ArchiveProof()
    for (own, file), end in zip(found, ends, strict=False):
        if (lacking := missing_archives(own, before)) is not None:
            raise JournalError(f"archive {file}: {lacking}")
        check(file, before)
        with reading(file) as db:
            before = _extended(db, before, end)
    return before


def missing_archives(beginning: Beginning, before: ArchiveProof) -> str | None:
    """Return a message that names the missing rows if the archives do not lead to a file that begins at
    `beginning`, else None."""
    if before.tree is not None and before.tree == beginning.tree:
        return None
    if before.tree is not None and before.tree.size == beginning.tree.size and before.seq >= beginning.seq:
        other = "the archives given are of another history"
        rows = f"rows 1 to {beginning.seq}"
        return f"begins after row {beginning.seq}; {rows} must be shown with --archive: {other}"
    first = before.seq + 1 if before.seq < beginning.seq else 1
    return f"begins after row {beginning.seq}; rows {first} to {beginning.seq} must be shown with --archive"


def difference_from_archives(
    db: sqlite3.Connection, beginning: Beginning, before: ArchiveProof
) -> str | None:
    """Compare the leaves that stay in the journal with those of the archives. Returns a message about the
    first row that differs, or about figures that only the archives have; None if all agree."""
    query = "SELECT n, what, seq, hash FROM leaves WHERE n < ? ORDER BY n"
    for n, what, seq, hashed in db.execute(query, (beginning.tree.size,)):
        if before.kept.get(n) != hashed:
            return f"row {seq} of the {what} is not the one in the archive"
    labels = {what for (what,) in db.execute("SELECT DISTINCT what FROM leaves WHERE what LIKE 'figures %'")}
    for row in db.execute("SELECT key, seq, sums FROM figures ORDER BY key"):
        label = f"figures {row[0]}"
        if label not in labels and before.figures.get(label) != hash_of("figures", row):
            return f"the figures of {row[0]} are not those in the archive"
        labels.add(label)
    if lacking := sorted(before.figures.keys() - labels):
        return f"the {lacking[0]} are missing"
    return None


def _beginning(file: Path) -> Beginning:
    with reading(file) as db, in_file(file):
        return beginning_of(db)


def _extended(db: sqlite3.Connection, before: ArchiveProof, end: Beginning) -> ArchiveProof:
    """Return the proof `before`, extended by the leaves of the archive `db` up to `end`, the beginning of the
    next file."""
    own = beginning_of(db)
    rows = db.execute("SELECT n, what, hash FROM leaves WHERE n >= ? ORDER BY n", (own.tree.size,)).fetchall()
    upto = end.tree.size
    reached = own.tree.size <= upto <= own.tree.size + len(rows)
    tree = own.tree.extend(hashed for n, _, hashed in rows if n < upto) if reached else None
    last = db.execute("SELECT max(seq) FROM events").fetchone()[0]
    if last is None:
        raise Damaged("it has no row")
    return ArchiveProof(
        int(last), tree,
        {**before.kept, **{n: hashed for n, what, hashed in rows if what in NEVER_ARCHIVED and n < upto}},
        {**before.figures, **{what: hashed for n, what, hashed in rows if what[:8] == "figures " and n <
        upto}} )  # fmt: skip
