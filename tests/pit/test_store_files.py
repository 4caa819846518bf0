"""A pit's store in a file is private, is written by one pit under whatever name, and is not written once its
lock was lost.
"""

from __future__ import annotations

import os
import stat
from contextlib import closing
from pathlib import Path

import pytest

from controller.floor.pit.database import StoreError, StoreReplaced, StoreTaken
from controller.floor.pit.sqlite import SQLite
from controller.floor.pit.store import Store


@pytest.fixture
def path(tmp_path: Path) -> Path:
    folder = tmp_path / "pit"
    folder.mkdir()
    return folder / "pit.db"


def modes(path: Path) -> dict[str, int]:
    return {each.name: stat.S_IMODE(each.stat().st_mode) for each in path.parent.iterdir()}


def write(database: SQLite) -> None:
    with database.transaction():
        database.rows("CREATE TABLE IF NOT EXISTS t (n)")


def test_the_files_of_a_store_and_of_its_copy_are_private(path: Path) -> None:
    with closing(SQLite(path, writing=True)) as database:
        Store(database)
        database.copy_beside(1, ())
        names = {path.name, *(f"{path.name}{ending}" for ending in ("-wal", "-shm", ".lock", ".version-1"))}
        assert modes(path) == dict.fromkeys(names, 0o600)


def test_a_store_that_others_could_read_becomes_private(path: Path) -> None:
    with closing(SQLite(path, writing=True)) as database:
        write(database)
        for file in path.parent.iterdir():
            file.chmod(0o644)
        with closing(SQLite(path, writing=False)):
            assert modes(path)["pit.db"] == 0o644, "a reader changes nothing"
        database.close()
    path.chmod(0o644)
    assert 0o644 in modes(path).values()
    with closing(SQLite(path, writing=True)) as database:
        write(database)
        assert set(modes(path).values()) == {0o600}


def test_a_second_pit_is_refused_through_a_symbolic_link(path: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.db"
    link.symlink_to(path)
    with closing(SQLite(path, writing=True)), pytest.raises(StoreTaken):
        SQLite(link, writing=True)
    with closing(SQLite(link, writing=True)) as database:
        with pytest.raises(StoreTaken):
            SQLite(path, writing=True)
        write(database)
        path.with_name("pit.db-wal").unlink()
        with pytest.raises(StoreReplaced):
            write(database)


def test_a_store_with_two_names_is_refused(path: Path, tmp_path: Path) -> None:
    with closing(SQLite(path, writing=True)) as database:
        write(database)
    os.link(path, tmp_path / "second.db")
    for name in (path, tmp_path / "second.db"):
        with pytest.raises(StoreError, match=r"has 2 names \(hard links\), and two pits could write it"):
            SQLite(name, writing=True)


def test_a_pit_whose_lock_another_one_has_taken_writes_nothing_more(path: Path) -> None:
    with closing(SQLite(path, writing=True)) as first:
        write(first)
        path.with_name("pit.db.lock").unlink()
        with closing(SQLite(path, writing=True)) as second:
            with pytest.raises(StoreReplaced), first.transaction():
                first.rows("CREATE TABLE later (n)")
            assert not second.has("later")
            with pytest.raises(StoreTaken):
                first.reopened()
