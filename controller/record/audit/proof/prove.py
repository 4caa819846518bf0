"""Proof of one single round for an auditor: its result, and that the result is in the tree that the table
signed.

It is a C2SP tlog-proof and can be checked without the journal. It shows the cards of an ended round, as the
round's record does.
"""

from __future__ import annotations

import sqlite3
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from controller.common.tlog.note import Note, NoteSignature
from controller.record.journal.beginning import beginning_of
from controller.record.journal.files import has_seal, reading
from controller.record.journal.leaves import COLUMNS, leaf
from controller.record.journal.schema import JournalError, read_of
from controller.record.seal.cosigned import BadCosigned, cosignatures_path, read_lines

MAGIC = "c2sp.org/tlog-proof@v1"


class NoProof(JournalError):
    """Raised if there is nothing to prove, or not yet. The message is one line."""


def proofs(path: Path, number: int) -> Iterator[tuple[str, str]]:
    """Yield (kind, proof) of the round's record and of each of its corrections, in order, with any witnesses'
    signatures. Raises NoProof if the round has no signed result, JournalError if the journal cannot be
    read."""
    cosigned = _cosigned(path)
    with reading(path) as db, read_of("the results"):
        rows = _results(db, number)
        if not rows:
            raise NoProof(f"{path}: holds no result of round {number}; it has not ended, or was never sealed")
        for at, row in rows:
            yield str(row[2]), _proof(path, db, at, leaf("results", row), cosigned)


def _cosigned(path: Path) -> dict[int, list[NoteSignature]]:
    """Return the signatures of witnesses from the file beside the journal, by the size of the tree that they
    sign. Raises NoProof if it cannot be read."""
    found: dict[int, list[NoteSignature]] = {}
    try:
        for line in read_lines(cosignatures_path(path)):
            found.setdefault(line.size, []).append(line.signature)
    except BadCosigned as error:
        raise NoProof(str(error)) from None
    return found


def _results(db: sqlite3.Connection, number: int) -> list[tuple[int, tuple[object, ...]]]:
    """Return, for each result of the round, the number of its leaf and the leaf's columns."""
    if not has_seal(db):
        return []
    own = ", ".join(f"r.{column.strip()}" for column in COLUMNS["results"].split(","))
    query = f"""
        SELECT l.n, {own} FROM results r JOIN leaves l ON l.what = 'results' AND l.seq = r.n
        WHERE r.round = ? ORDER BY r.n
    """  # noqa: S608
    return [(int(n), tuple(row)) for n, *row in db.execute(query, (number,))]


def _proof(
    path: Path, db: sqlite3.Connection, at: int, data: bytes, cosigned: Mapping[int, Sequence[NoteSignature]]
) -> str:
    size, note = _checkpoint(path, db, at, cosigned)
    begun = beginning_of(db).tree
    query = "SELECT hash FROM leaves WHERE n >= ? AND n < ? ORDER BY n"
    hashes = [row[0] for row in db.execute(query, (begun.size, size))]
    steps = [b64encode(step).decode() for step in begun.inclusion(hashes, at)]
    head = [MAGIC, f"extra {b64encode(data).decode()}", f"index {at}", *steps]
    return "\n".join(head) + f"\n\n{note}"


def _checkpoint(
    path: Path, db: sqlite3.Connection, at: int, cosigned: Mapping[int, Sequence[NoteSignature]]
) -> tuple[int, Note]:
    """Return the newest checkpoint with a cosignature (size and note), or the newest one if none has."""
    query = "SELECT size, note FROM checkpoints WHERE size > ? ORDER BY size DESC"
    found = db.execute(query, (at,)).fetchall()
    if not found:
        raise NoProof(f"{path}: the table has not signed it yet; ask again when the next round has ended")
    size, text = next((each for each in found if each[0] in cosigned), found[0])
    note = Note.parse(text)
    return int(size), Note(note.text, (*note.signatures, *cosigned.get(size, ())))
