"""`controller/record/seal/SEAL.md` states for every table and column of a journal which leaf proves it, or
that it is not trusted."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from controller.record.journal.journal import Journal
from controller.record.journal.objects import ARCHIVE_MARK, foreign_object
from controller.record.journal.schema import NotOurJournal
from tests.repository import pages
from tests.repository.house import ROOT


def fresh(folder: Path) -> Path:
    path = folder / "journal.db"
    Journal(path).close()
    return path


def test_every_table_and_column_has_its_line(tmp_path: Path) -> None:
    with closing(sqlite3.connect(fresh(tmp_path))) as db:
        found = {
            name: ", ".join(f"`{row[1]}`" for row in db.execute(f"PRAGMA table_info({name})"))
            for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        }
    rows = pages.rows(pages.blocks(ROOT / "controller/record/seal/SEAL.md")["tables"])
    assert {row[0].strip("`"): row[1] for row in rows} == found
    assert [row for row in rows if not row[2]] == []


OTHERS = {
    "it has the table 'own'": "CREATE TABLE own (x)",
    "it has the view 'archive'": "CREATE VIEW archive AS SELECT 1",
    "it bears the mark of an archive": ARCHIVE_MARK,
    "it has the index 'own'": "CREATE INDEX own ON events(utc)",
    "it has the trigger 'own'": "CREATE TRIGGER own AFTER INSERT ON events BEGIN DELETE FROM figures; END",
    "it has the trigger 'events_DELETE'": """
        DROP TRIGGER events_DELETE; CREATE TRIGGER events_DELETE AFTER INSERT ON events BEGIN SELECT 1; END
    """,
    "the table checkpoints is missing": "DROP TABLE checkpoints",
    "it has the table 'figures'": "ALTER TABLE figures ADD COLUMN more TEXT",
    "it has the table 'sqlite_stat1'": "ANALYZE",
    "it has not one identity": "INSERT INTO identity VALUES ('second')",
    "row -1 was not written by the table": "INSERT INTO events VALUES (-1, 0, '', 'Nothing', '{}', NULL)",
}


@pytest.mark.parametrize(("words", "change"), OTHERS.items())
def test_a_foreign_object_in_the_file_stops_a_start(tmp_path: Path, words: str, change: str) -> None:
    path = fresh(tmp_path)
    with closing(sqlite3.connect(path)) as db:
        db.executescript(change)
    with pytest.raises(NotOurJournal, match=words):
        Journal(path)


def test_a_missing_known_trigger_is_accepted(tmp_path: Path) -> None:
    path = fresh(tmp_path)
    with closing(sqlite3.connect(path)) as db:
        db.executescript("DROP TRIGGER events_DELETE; DROP TRIGGER settings_UPDATE;")
        assert foreign_object(db) is None
    Journal(path).close()


def test_a_name_is_reported_short_and_in_ascii(tmp_path: Path) -> None:
    path = fresh(tmp_path)
    with closing(sqlite3.connect(path)) as db:
        db.execute(f'CREATE TABLE "{chr(0x202E) * 99}" (x)')
        words = foreign_object(db)
    assert words is not None
    assert words.isascii()
    assert len(words) < 120
