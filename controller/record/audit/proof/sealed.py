"""Comparison of a journal with its seal: finds the first altered row, the extent of the proof, and the keys
that signed it.

Rows are compared with leaves, leaves with signed roots, roots with trees that other parties have seen. A
signature proves only that its key was used: a holder of the table's keys can sign anything after the last
checkpoint that another party has seen. This module must never take a key from the journal itself.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from controller.common.tlog.merkle import BadFrontier, Frontier
from controller.common.tlog.note import BadNote, Checkpoint, Note, VerifierKey
from controller.record.journal.beginning import beginning_of
from controller.record.journal.completeness import skipped_numbers
from controller.record.journal.files import has_seal
from controller.record.journal.history import read_acts
from controller.record.journal.leaf_check import first_difference_anywhere
from controller.record.journal.objects import foreign_object
from controller.record.journal.schema import Damaged, read_of
from controller.record.seal.cosigned import BadCosigned, CosignedLine, verify_lines
from controller.record.seal.ratchet import is_sealed_by, keys_from


@dataclass(frozen=True, slots=True)
class Trust:
    """Inputs of a verification that do not come from the journal."""

    key: VerifierKey | None = None
    """Public key of the table."""
    first: bytes | None = field(default=None, repr=False)
    """First key of the ratchet, from which the keys of all seals follow; None: the seals are not checked."""
    checkpoints: Sequence[Note] = ()
    """Checkpoints that were stored outside the journal and its machine."""
    witnesses: Sequence[VerifierKey] = ()
    cosigned: Sequence[CosignedLine] = ()
    """Signatures of witnesses, from the file beside the journal."""
    archives: Sequence[Path] = ()
    """Files that the user named as archives of the journal."""

    def of_archive(self, begun: int, count: int) -> Trust:
        """Return the inputs that apply to an archive: the checkpoints and cosignatures of trees with `begun`
        to `count` leaves."""
        checkpoints = [note for note in self.checkpoints if begun <= _checkpoint_of(note).size <= count]
        lines = [line for line in self.cosigned if begun <= line.size <= count]
        return replace(self, checkpoints=checkpoints, cosigned=lines, archives=())


@dataclass(frozen=True, slots=True)
class ProofExtent:
    """Extent of the proof of a journal: the last rows that signatures cover."""

    signed: int
    """Last row signed by the table."""
    sealed: bool
    """Whether all seals of the ratchet were checked."""
    witnessed: Mapping[str, int]
    """Last row signed by each witness, by the witness's name."""


@dataclass(frozen=True, slots=True)
class _CheckpointRow:
    """Checkpoint as a row of the table `checkpoints`. `size`: leaves of the tree; `round`: last round with a
    result; `note`: the signed note; `seal`: seal of the ratchet's key; `frontier`: the tree itself; `number`:
    of the ratchet's key."""

    size: int
    round: int
    note: str
    seal: str
    frontier: str
    number: int


def check_seal(db: sqlite3.Connection, trust: Trust, *, archive: bool = False) -> ProofExtent | None:
    """Verify the seal and return the extent of the proof; None if the journal has no seal and `trust`
    requires none. `archive`: the user named the file as an archive. Raises Damaged for the first difference.
    """
    if (strange := foreign_object(db, archive=archive)) is not None:
        raise Damaged(strange)
    if not has_seal(db):
        if trust.key or trust.first or trust.checkpoints or trust.cosigned:
            raise Damaged("it has no seal, and its table has")
        return None
    wrong = first_difference_anywhere(db, archive=archive)
    if wrong is not None:
        raise Damaged(wrong)
    with read_of("the checkpoints"):
        query = "SELECT size, round, note, seal, frontier, number FROM checkpoints ORDER BY size"
        checkpoints = [_CheckpointRow(*row) for row in db.execute(query)]
        count = int(db.execute("SELECT coalesce(max(n), -1) + 1 FROM leaves").fetchone()[0])
    if archive:
        trust = trust.of_archive(beginning_of(db).tree.size, count)
    trees = _trees(db, checkpoints, trust, count)
    _check_own(db, checkpoints, trees, trust)
    if trust.first is not None:
        _check_ratchet(db, checkpoints, trust.first)
    witnessed = _check_others(db, trees, trust, count)
    last = checkpoints[-1].size if checkpoints else 0
    return ProofExtent(row_of(db, last), trust.first is not None, witnessed)


def row_of(db: sqlite3.Connection, size: int) -> int:
    """Return the number of the last event row among the first `size` leaves."""
    query = "SELECT max(seq) FROM leaves WHERE what = 'events' AND n < ?"
    return int(db.execute(query, (size,)).fetchone()[0] or beginning_of(db).seq)


def _trees(
    db: sqlite3.Connection, checkpoints: Sequence[_CheckpointRow], trust: Trust, count: int
) -> dict[int, Frontier]:
    """Return, for each size that a checkpoint or cosignature has signed, the tree of that many leaves, built
    from the leaves in the file. `count`: number of all leaves."""
    sizes = {each.size for each in checkpoints} | {line.size for line in trust.cosigned}
    sizes |= {_checkpoint_of(note).size for note in trust.checkpoints}
    tree = beginning_of(db).tree
    rows = db.execute("SELECT hash FROM leaves WHERE n >= ? ORDER BY n", (tree.size,))
    leaves: Iterator[bytes] = (row[0] for row in rows)
    found = {}
    with read_of("the leaves"):
        for size in sorted(size for size in sizes if tree.size <= size <= count):
            tree = tree.extend(islice(leaves, size - tree.size))
            found[size] = tree
    return found


def _check_own(
    db: sqlite3.Connection, checkpoints: Sequence[_CheckpointRow], trees: Mapping[int, Frontier], trust: Trust
) -> None:
    """Check that each checkpoint is signed by the table and matches the tree, and that none is missing
    between them. Raises Damaged for the first that fails."""
    beginning = beginning_of(db)
    before, number = beginning.tree.size, beginning.number
    skips = skipped_numbers(read_acts(db))
    for each in checkpoints:
        if each.number != number and (each.number < number or each.number not in skips):
            raise Damaged(
                f"{_rows(db, before, each.size)}: a checkpoint is missing before round {each.round}"
            )
        number = each.number + 1
        if each.size not in trees or not _is_of(each, trees[each.size], trust.key):
            raise Damaged(
                f"{_rows(db, before, each.size)} differ from what the table signed by round {each.round}"
            )
        before = each.size
    _check_rounds(db, checkpoints)
    # a checkpoint signs the results of its own commit, so the first one after this leaf is its row
    query = "SELECT min(seq) FROM leaves WHERE what = 'results' AND n >= ?"
    number = db.execute(query, (before,)).fetchone()[0]
    if number is not None:
        raise Damaged(f"the checkpoint of row {number} of the results is missing")


def _check_rounds(db: sqlite3.Connection, checkpoints: Sequence[_CheckpointRow]) -> None:
    """Check the round stored with each checkpoint, which no key signs. It must be the round of the last
    result before the checkpoint. If those results were archived, all checkpoints up to the first remaining
    result must have the same round, not later than that result's. Raises Damaged for the first wrong one."""
    query = """
        SELECT l.n, r.round FROM leaves l JOIN results r ON r.n = l.seq WHERE l.what = 'results' ORDER BY l.n
    """
    results = db.execute(query).fetchall()
    last = 0
    if beginning_of(db).seq and checkpoints:
        first = next((number for _, number in results), checkpoints[0].round)
        last = (
            checkpoints[0].round
            if not results or results[0][0] >= checkpoints[0].size
            else min(first, checkpoints[0].round)
        )
        if last > first:
            raise Damaged(
                f"the round of the checkpoint of {checkpoints[0].size} leaves is not as it was written"
            )
    ahead = 0
    for each in checkpoints:
        while ahead < len(results) and results[ahead][0] < each.size:
            last, ahead = max(last, results[ahead][1]), ahead + 1
        if each.round != last:
            raise Damaged(f"the round of the checkpoint of {each.size} leaves is not as it was written")


def _is_of(kept: _CheckpointRow, tree: Frontier, key: VerifierKey | None) -> bool:
    try:
        note = Note.parse(str(kept.note))
        checkpoint = Checkpoint.parse(note.text)
        grown = Frontier.parse(str(kept.frontier))
        if key is not None and (checkpoint.origin != key.name or not note.signed_by(key)):
            return False
    except (BadNote, BadFrontier):
        return False
    return (checkpoint.size, checkpoint.root) == (tree.size, tree.root()) and grown == tree


def _check_ratchet(db: sqlite3.Connection, checkpoints: Sequence[_CheckpointRow], first: bytes) -> None:
    beginning = beginning_of(db)
    before, keys, at = beginning.tree.size, keys_from(first), 0
    for each in checkpoints:
        key = next(islice(keys, each.number - at, None))
        at = each.number + 1
        if not is_sealed_by(key, Note.parse(each.note).text, each.seal):
            rows = _rows(db, before, each.size)
            raise Damaged(f"{rows} are not as they were sealed when round {each.round} ended")
        before = each.size


def _check_others(
    db: sqlite3.Connection, trees: Mapping[int, Frontier], trust: Trust, count: int
) -> dict[str, int]:
    """Check that the trees seen by others are prefixes of this journal's tree. Raises Damaged for the first
    that is not."""
    begun = beginning_of(db).tree.size
    for note in trust.checkpoints:
        given = _checkpoint_of(note)
        if given.size < begun and trust.archives:
            continue  # of archived rows: it is compared when their archive is verified
        if given.size > count:
            raise Damaged(f"it was cut: it has {count} leaves, and a given checkpoint has {given.size}")
        if given.size not in trees:
            raise Damaged(f"the given checkpoint of {given.size} leaves is of rows in an archive")
        if trees[given.size].root() != given.root:
            raise Damaged(f"{_rows(db, 0, given.size)} differ from the given checkpoint")

    def text_of(size: int) -> str | None:
        """Return the text that a checkpoint of this size must have, computed from the journal's own leaves;
        None if the size was not computed."""
        origin = trust.key.name if trust.key else ""
        return Checkpoint(origin, size, trees[size].root()).text() if size in trees else None

    try:
        lines = [line for line in trust.cosigned if line.size >= begun]
        seen = verify_lines(lines, trust.witnesses, text_of)
    except BadCosigned as error:
        raise Damaged(str(error)) from None
    return {each.witness: row_of(db, each.size) for each in sorted(seen, key=lambda each: each.size)}


def _checkpoint_of(note: Note) -> Checkpoint:
    try:
        return Checkpoint.parse(note.text)
    except BadNote as error:
        raise Damaged(f"a given checkpoint cannot be read: {error}") from None


def _rows(db: sqlite3.Connection, after: int, upto: int) -> str:
    """Return a text that names the rows of the leaves from `after` to before `upto`."""
    first, last = row_of(db, after) + 1, row_of(db, upto)
    return f"row {first} or one after it, up to {last},"
