"""Edits that the machine's owner can make to its journal. Each returns the row concerned, or 0 if none."""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Callable

from controller.record.journal.round_summary import SHAPE
from controller.record.seal.keys import Keys
from tests.trials.edits.box import Box

Edit = Callable[[random.Random, Box, Box], int]
"""Function that makes an edit and returns the edited row. Arguments: random numbers, the machine, another
journal of the same table."""


def _row(dice: random.Random, db: sqlite3.Connection) -> int:
    """Return the number of a random row that the last checkpoint covers."""
    query = "SELECT max(seq) FROM leaves WHERE what = 'events' AND n < (SELECT max(size) FROM checkpoints)"
    return dice.randint(1, db.execute(query).fetchone()[0])


def _changed(dice: random.Random, box: Box) -> int:
    with box.open() as db:
        seq = _row(dice, db)
        column, value = dice.choice([
            ("body", '{"key":"fold","prompt":null,"screen":false}'), ("body", "{}"), ("kind", "StackTaken"),
            ("ms", 1), ("utc", "2026-01-01T00:00:00.000Z"), ("mark", "x:00"),
        ])  # fmt: skip
        change = f"UPDATE events SET {column} = ? WHERE seq = ? AND {column} IS NOT ?"  # noqa: S608
        done = db.execute(change, (value, seq, value)).rowcount
    return seq if done else _changed(dice, box)


def row(dice: random.Random, box: Box, _other: Box) -> int:
    return _changed(dice, box)


def row_signed_anew(dice: random.Random, box: Box, _other: Box) -> int:
    seq = _changed(dice, box)
    box.sign_anew()
    return seq


def flipped(dice: random.Random, box: Box, _other: Box) -> int:
    """Flip one bit of a body."""
    with box.open() as db:
        seq = _row(dice, db)
        body = bytearray(
            db.execute("SELECT CAST(body AS BLOB) FROM events WHERE seq = ?", (seq,)).fetchone()[0]
        )
        body[dice.randrange(len(body))] ^= 1 << dice.randrange(7)
        db.execute("UPDATE events SET body = CAST(? AS TEXT) WHERE seq = ?", (bytes(body), seq))
    return seq


def order(dice: random.Random, box: Box, _other: Box) -> int:
    """Exchange two neighbouring rows of the events. Returns the number of the first."""
    with box.open() as db:
        first = max(1, _row(dice, db) - 1)
        for at, to in ((first, -1), (first + 1, first), (-1, first + 1)):
            db.execute("UPDATE events SET seq = ? WHERE seq = ?", (to, at))
    if dice.random() < 0.5:
        box.sign_anew()
    return first


def taken_out(dice: random.Random, box: Box, _other: Box) -> int:
    """Remove one row, and sometimes renumber those after it."""
    with box.open() as db:
        seq = _row(dice, db)
        db.execute("DELETE FROM events WHERE seq = ?", (seq,))
        if dice.random() < 0.5:
            for (at,) in db.execute("SELECT seq FROM events WHERE seq > ? ORDER BY seq", (seq,)).fetchall():
                db.execute("UPDATE events SET seq = ? WHERE seq = ?", (at - 1, at))
    return seq


def put_in(dice: random.Random, box: Box, _other: Box) -> int:
    with box.open() as db:
        last = db.execute("SELECT max(seq) FROM events").fetchone()[0]
        db.execute(
            "INSERT INTO events SELECT ?, ms, utc, 'StackTaken', '{}', NULL FROM events WHERE seq = ?",
            (last + 1, last),
        )
    return int(last) + 1


def tail(dice: random.Random, box: Box, _other: Box) -> int:
    """Delete the end of the journal from a random row on, with everything that refers to it, as if it had
    never been written."""
    with box.open() as db:
        seq = _row(dice, db)
        at = db.execute("SELECT n FROM leaves WHERE what = 'events' AND seq = ?", (seq,)).fetchone()[0]
        db.execute("DELETE FROM leaves WHERE n >= ?", (at,))
        db.execute("DELETE FROM events WHERE seq >= ?", (seq,))
        for table in ("snapshots", "figures", "results"):
            db.execute(f"DELETE FROM {table} WHERE seq >= ?", (seq,))  # noqa: S608
        db.execute("DELETE FROM checkpoints WHERE size > ?", (at,))
        db.execute("DELETE FROM opened WHERE period NOT IN (SELECT seq FROM leaves WHERE what = 'opened')")
        db.execute("DELETE FROM lines WHERE n NOT IN (SELECT n FROM results)")
    return 0


def whole_file(dice: random.Random, box: Box, other: Box) -> int:
    """Replace the journal by another one of the same table, with its own signatures or signed again with the
    machine's keys."""
    shutil.copy(other.journal, box.journal)
    if dice.random() < 0.5:
        box.sign_anew()
    return 0


def snapshot(dice: random.Random, box: Box, _other: Box) -> int:
    with box.open() as db:
        rows = db.execute("SELECT seq, state FROM snapshots ORDER BY seq").fetchall()
        (seq, state), (_, other) = dice.sample(rows, 2)
        text = dice.choice([other, "{}", state[:-4] + "AAAA", state[::-1]])
        db.execute("UPDATE snapshots SET state = ? WHERE seq = ?", (text, seq))
    if dice.random() < 0.5:
        box.sign_anew()
    return 0


def settings(dice: random.Random, box: Box, _other: Box) -> int:
    with box.open() as db:
        change = dice.choice([
            "UPDATE settings SET pack = replace(pack, '[10,1]', '[20,1]') || ' '",
            "UPDATE settings SET settings = '{}'", "UPDATE settings SET digest = 'sha256:0'",
            "UPDATE settings SET seq = seq + 1", "DELETE FROM settings",
        ])  # fmt: skip
        db.execute(change)
    if dice.random() < 0.5:
        box.sign_anew()
    return 0


def result(dice: random.Random, box: Box, _other: Box) -> int:
    """Change the text, the round or the kind of a stored result. Returns 0, since no row of the events is
    changed."""
    with box.open() as db:
        count = db.execute("SELECT count(*) FROM results").fetchone()[0]
        at = dice.randint(1, count)
        change = dice.choice(["body = replace(body, '1', '2')", "round = round + 1", "kind = 'correction'"])
        db.execute(f"UPDATE results SET {change} WHERE n = ?", (at,))  # noqa: S608
    if dice.random() < 0.5:
        box.sign_anew()
    return 0


def listed(dice: random.Random, box: Box, _other: Box) -> int:
    """Change the stored summary line of a round, or replace it with another round's. Returns 0, since no row
    of the events is changed."""
    with box.open() as db:
        lines = db.execute("SELECT n, line FROM lines").fetchall()
        (n, own), (_, other) = dice.sample(lines, 2)
        longer = own.replace(f"[{SHAPE},", f"[{SHAPE},0,", 1)
        text = dice.choice([other, own.replace("settled", "void"), own[:-1], longer])
        text = other if text == own else text
        db.execute("UPDATE lines SET line = ? WHERE n = ?", (text, n))
    if dice.random() < 0.5:
        box.sign_anew()
    return 0


def figures(dice: random.Random, box: Box, _other: Box) -> int:
    with box.open() as db:
        change = dice.choice(
            ["UPDATE figures SET sums = '{}'", "DELETE FROM figures", "UPDATE figures SET seq = 1"]
        )
        db.execute(change)
    return 0


def seal(dice: random.Random, box: Box, _other: Box) -> int:
    """Damage the seal itself: checkpoints, leaves, keys of faces, identity or version."""
    with box.open() as db:
        change = dice.choice([
            "DELETE FROM checkpoints WHERE number = 1", "DELETE FROM checkpoints", "DELETE FROM leaves",
            "UPDATE checkpoints SET seal = '00'", "UPDATE opened SET key = replace(key, 'a', 'b')",
            "DELETE FROM opened", "PRAGMA user_version = 1", "UPDATE identity SET id = 'x'",
            "UPDATE leaves SET hash = zeroblob(32) WHERE n = 7", "DELETE FROM leaves WHERE n = 5",
            "UPDATE checkpoints SET frontier = '0'", "UPDATE checkpoints SET number = number + 1",
        ])  # fmt: skip
        db.execute(change)
    return 0


def keys_of_today(dice: random.Random, box: Box, _other: Box) -> int:
    """Replace the machine's keys by new ones, and sign the whole journal with them."""
    seq = _changed(dice, box) if dice.random() < 0.7 else 0
    shutil.rmtree(box.keys)
    with box.open() as db:
        origin = db.execute("SELECT note FROM checkpoints").fetchone()[0].partition("\n")[0]
        db.execute("UPDATE checkpoints SET seal = ''")
    box.sign_anew(Keys.new(box.keys, origin, durable=False))
    return seq


EDITS: tuple[Edit, ...] = (
    row, row_signed_anew, flipped, order, taken_out, put_in, tail, whole_file, snapshot, settings, result,
    listed, figures, seal, keys_of_today,
)  # fmt: skip
