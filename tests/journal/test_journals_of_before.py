"""Journals written by version 0.1.0 can still be read, verified and resumed.

Each is one run of `crisscross mock --no-wires --rounds 3 --seats 3 --mischief 0.5 --clumsy 0.2 --journal`,
with the records printed as the rounds ended. The files are never generated again.
"""

from __future__ import annotations

import gzip
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from controller.cli import main
from controller.game.model.effects import WriteRecord
from controller.game.model.state import TableSettings
from controller.game.table import Table
from controller.record.journal.codec import adapter
from controller.record.journal.files import reading
from controller.record.journal.journal import Journal
from controller.record.journal.replay import restore_table, rules_in_force
from controller.record.journal.rows import Row, read_rows

FIXTURES = Path(__file__).with_name("fixtures")
PACKS = sorted(path.stem for path in FIXTURES.glob("*.jsonl"))
CUTS = (0.35, 0.5, 0.7, 0.9)
"""Shares of the journal's rows that are on the disk at the power cut, one for each test."""


def recorded(key: str) -> list[Any]:
    return [json.loads(line) for line in (FIXTURES / f"{key}.jsonl").read_text(encoding="utf-8").splitlines()]


def unpacked(key: str, folder: Path) -> Path:
    file = folder / "journal.db"
    file.write_bytes(gzip.decompress((FIXTURES / f"{key}.db.gz").read_bytes()))
    return file


def cut(file: Path, share: float) -> None:
    """Shorten the journal to `share` of its rows, and its snapshots accordingly."""
    with closing(sqlite3.connect(file)) as db, db:
        for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            db.execute(f"DROP TRIGGER {name}")
        (rows,) = db.execute("SELECT max(seq) FROM events").fetchone()
        for delete in ("DELETE FROM events", "DELETE FROM settings", "DELETE FROM snapshots"):
            db.execute(delete + " WHERE seq > ?", (round(rows * share),))


def rows_of(file: Path) -> list[Row]:
    with reading(file) as db:
        return list(read_rows(db))


def settings_of(journal: Journal) -> TableSettings:
    return adapter(TableSettings).validate_json(journal.settings()[-1].settings)


def went_on(table: Table, rows: list[Row]) -> list[Any]:
    """Return the round records that the table produces from the remaining rows."""
    events = [(row.event(), row.stamp) for row in rows]
    effects = [effect for event, at in events if event is not None for effect in table.handle(event, at)]
    return [json.loads(json.dumps(each.record)) for each in effects if isinstance(each, WriteRecord)]


@pytest.mark.parametrize("key", PACKS)
def test_an_older_journal_is_complete(key: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(unpacked(key, tmp_path))]) == 0
    counted, seal = capsys.readouterr().out.splitlines()
    assert f", {len(recorded(key))} rounds replayed, until 20" in counted
    assert seal.endswith("has no seal: nothing shows who wrote it")


@pytest.mark.parametrize("key", PACKS)
def test_rounds_of_an_older_journal_equal_the_recorded_ones(
    key: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rounds", "export", "--journal", str(unpacked(key, tmp_path))]) == 0
    assert [json.loads(line) for line in capsys.readouterr().out.splitlines()] == recorded(key)


@pytest.mark.parametrize("share", CUTS)
@pytest.mark.parametrize("key", PACKS)
def test_an_older_journal_can_be_continued_after_a_power_cut(key: str, share: float, tmp_path: Path) -> None:
    """The remaining rows produce the original records, because the table applies the rules of their time."""
    file = unpacked(key, tmp_path)
    rows = rows_of(file)
    cut(file, share)
    with closing(Journal(file)) as journal:
        table = restore_table(journal, rules_in_force(journal).pack, settings_of(journal))
        rest = rows[journal.head :]
    records = went_on(table, rest)
    assert records
    assert records == recorded(key)[-len(records) :]


@pytest.mark.parametrize("key", ["pennsylvania", "six_card_bonus"])
def test_a_continued_older_journal_is_complete(key: str, tmp_path: Path) -> None:
    """The present program continues from an old snapshot, whereas `verify` replays from the first row."""
    file = unpacked(key, tmp_path)
    on = ("mock", "--no-wires", "--headless", "--speed", "max", "--rounds", "1", "--mischief", "0.5")
    assert main([*on, "--rules", key, "--journal", str(file)]) == 0
    assert main(["verify", str(file)]) == 0
