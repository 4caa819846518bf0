"""A key that was used with one store cannot be used again without this store or with another one."""

from __future__ import annotations

import logging
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
import yaml

from controller.common.tlog.note import COSIGNATURE, SigningKey
from controller.record.witness.bound_store import open_store
from controller.record.witness.sending import post
from controller.record.witness.store import STORE_SCHEMA, Store, StoreError
from controller.record.witness.witness import Witness
from tests.witness.log import ORIGIN, TABLE, WITNESS, Log
from tests.witness.processes import ROOT, running, wait_for_line

NOW = 1_795_000_000
PUT_BACK = "put back the store that its key was used with, or begin a new one, and with a new key"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the folder of a witness with its key and its file."""
    key = tmp_path / "witness.key"
    key.write_text(f"{WITNESS.text(COSIGNATURE)}\n")
    key.chmod(0o600)
    keys = {
        "listen": {"host": "127.0.0.1", "port": 0},
        "key": "witness.key",
        "store": "witness.db",
        "logs": [{"origin": ORIGIN, "key": TABLE.verifier().text()}],
    }
    (tmp_path / "witness.yaml").write_text(yaml.safe_dump(keys))
    return tmp_path


def opened(folder: Path, key: SigningKey = WITNESS) -> Store:
    return open_store(folder / "witness.db", key, folder / "witness.key")


def witness_of(store: Store) -> Witness:
    return Witness(WITNESS, {ORIGIN: (TABLE.verifier(),)}, store, lambda: NOW)


def remove_store(folder: Path) -> None:
    for file in folder.glob("witness.db*"):
        file.unlink()


def refused(folder: Path, match: str) -> None:
    before = sorted(file.name for file in folder.iterdir())
    with pytest.raises(StoreError, match=match):
        opened(folder)
    assert sorted(file.name for file in folder.iterdir()) == before


# ---------------------------------------------------------------------- as processes


@pytest.mark.serial
async def test_a_witness_without_its_store_cosigns_no_second_history(folder: Path) -> None:
    """The store is removed while the witness serves. Then the witness is started again with its key."""
    first, second = Log(salt="first ").grow(5), Log(salt="second ").grow(5)
    file = str(folder / "witness.yaml")
    async with running("serve", file) as witness:
        url = (await wait_for_line(witness, r"cosigns at (http://127\.0\.0\.1:\d+)/"))[1]
        assert post(url, first.body(0)).status == 200
        assert post(url, second.body(0)).status == 409
        remove_store(folder)
        answer = post(url, second.body(0))
        assert (answer.status, "—" in answer.body.decode()) == (503, False)
        line = await wait_for_line(witness, "nothing is cosigned: .*")
        assert f"store {folder / 'witness.db'}: was deleted, moved or replaced" in line[0]
    command = [sys.executable, "-m", "controller", "witness", "serve", file]
    again = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)  # noqa: ASYNC221
    assert again.returncode == 1
    assert again.stderr == f"store {folder / 'witness.db'}: is missing; {PUT_BACK}\n"
    assert not (folder / "witness.db").exists()


# ---------------------------------------------------------------------- at the start


def test_a_key_goes_on_with_its_own_store(folder: Path) -> None:
    with closing(opened(folder)) as store:
        assert witness_of(store).add(Log().grow(5).body(0)).status == 200
    with closing(opened(folder)) as store:
        assert witness_of(store).add(Log(salt="other").grow(5).body(0)).body == "5\n"
    assert (folder / "witness.key.store").stat().st_mode & 0o777 == 0o600
    assert WITNESS.text(COSIGNATURE) not in (folder / "witness.key.store").read_text()


def test_a_used_key_refuses_an_empty_store_and_another_one(folder: Path) -> None:
    opened(folder).close()
    remove_store(folder)
    refused(folder, f"is missing; {PUT_BACK}")
    (folder / "witness.db").touch()
    refused(folder, f"is empty; {PUT_BACK}")
    (folder / "witness.db").unlink()
    Store(folder / "witness.db").close()
    refused(folder, f"is not the one that its key was used with; {PUT_BACK}")
    with closing(sqlite3.connect(folder / "witness.db")) as db:
        db.executescript("DROP TABLE identity")
    refused(folder, f"is not the one that its key was used with; {PUT_BACK}")


def test_a_store_of_an_earlier_version_is_bound_at_its_first_start(folder: Path) -> None:
    with closing(Store(folder / "witness.db")) as store:
        witness_of(store).add(Log().grow(5).body(0))
        store._db.execute("DROP TABLE identity")
    with closing(opened(folder)) as store:
        note = store.latest(ORIGIN)
        assert note is not None
        assert witness_of(store).add(Log(salt="other").grow(5).body(0)).body == "5\n"
    remove_store(folder)
    with closing(sqlite3.connect(folder / "witness.db")) as db:
        db.executescript(STORE_SCHEMA)
    refused(folder, "is not the one that its key was used with")


def test_a_new_key_in_the_same_place_begins_a_new_store(folder: Path) -> None:
    opened(folder).close()
    remove_store(folder)
    new = SigningKey.new("surveillance.example/w")
    opened(folder, new).close()
    remove_store(folder)
    with pytest.raises(StoreError, match="is missing"):
        opened(folder, new)


def test_a_key_in_a_folder_that_cannot_be_written_is_bound_beside_its_store(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """`no_folder` stands for the read-only folder of an older installation, because root could write to a
    real one."""
    key_file, store = tmp_path / "no_folder" / "witness.key", tmp_path / "state" / "witness.db"
    store.parent.mkdir()
    with caplog.at_level(logging.WARNING):
        open_store(store, WITNESS, key_file).close()
    (record,) = caplog.records
    assert f"{key_file}.store: cannot be written" in record.getMessage()
    assert f"copy {tmp_path / 'state' / 'witness.key.store'} there" in record.getMessage()
    remove_store(store.parent)
    with pytest.raises(StoreError, match="is missing"):
        open_store(store, WITNESS, key_file)


@pytest.mark.parametrize("text", ["", "one\n", "one two three\n"])
def test_a_damaged_binding_is_refused(folder: Path, text: str) -> None:
    opened(folder).close()
    (folder / "witness.key.store").write_text(text)
    refused(folder, "is not a key and the identity of its store; put back a copy of it")


def test_a_binding_that_cannot_be_read_is_refused(folder: Path) -> None:
    (folder / "witness.key.store").mkdir()
    refused(folder, "cannot be read: Is a directory; let the witness read it")


# ---------------------------------------------------------------------- while it serves


@pytest.mark.parametrize("replaced", [False, True])
def test_a_store_that_was_deleted_or_replaced_answers_nothing(
    folder: Path, caplog: pytest.LogCaptureFixture, *, replaced: bool
) -> None:
    log = Log().grow(5)
    with closing(opened(folder)) as store:
        witness = witness_of(store)
        assert witness.add(log.body(0, 3)).status == 200
        copy = folder / "copy"
        shutil.copy(folder / "witness.db", copy)
        remove_store(folder)
        if replaced:
            copy.rename(folder / "witness.db")
        answer = witness.add(log.body(3))
        assert (answer.status, "—" in answer.body) == (503, False)
        assert caplog.text.count("was deleted, moved or replaced while open") == 1
        origin_hash = next(iter(witness._origins))
        assert witness.checkpoint(origin_hash).status == 503


def test_a_store_that_disappears_during_a_request_gives_no_cosignature(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(opened(folder)) as store:
        witness, keep = witness_of(store), store.keep

        def keep_and_remove(*row: object) -> None:
            keep(*row)  # type: ignore[arg-type]
            remove_store(folder)

        monkeypatch.setattr(store, "keep", keep_and_remove)
        assert witness.add(Log().grow(5).body(0)).status == 503
