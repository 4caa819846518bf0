"""A file on which a right depends is refused if another user may read it, may change it or owns it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from controller.cli import main
from controller.common.files.mistakes import Mistakes
from controller.common.files.secret_file import SecretError, read_secret
from controller.floor.pit.access.users import read_users, write_users
from controller.mock.bench.options import PIN_HASH
from controller.record.witness.settings import load_witness
from controller.settings.config import load_config
from controller.settings.people.register import Person, write_people
from drivers.shoe.keys import KeysError, read_keys, write_keys
from tests.drivers.shoe.wire import AT_CONTROLLER
from tests.other_users import needs_root

NOBODY = 65534
TABLE_KEY = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"


def people_mistakes(folder: Path) -> list[str]:
    file = folder / "table.yaml"
    text = "table: T\nrules: pennsylvania\njournal: j.db\nshoe: {port: /dev/shoe}\npeople: people.yaml\n"
    file.write_text(text, encoding="utf-8")
    try:
        load_config(file, "real")
    except Mistakes as mistakes:
        return [line for line in mistakes.lines if ": people: " in line]
    return []


@pytest.fixture
def people(tmp_path: Path) -> Path:
    listed = {"4711": Person(name="B1", roles=["floorperson"], pin=PIN_HASH)}
    write_people(tmp_path / "people.yaml", listed)
    return tmp_path / "people.yaml"


def test_a_people_file_that_only_its_owner_and_group_may_use_is_accepted(people: Path) -> None:
    people.chmod(0o640)
    assert people_mistakes(people.parent) == []


@pytest.mark.parametrize(("mode", "verb"), [(0o644, "read"), (0o646, "read"), (0o662, "change")])
def test_a_real_table_refuses_a_people_file_that_others_may_use(people: Path, mode: int, verb: str) -> None:
    people.chmod(mode)
    (line,) = people_mistakes(people.parent)
    assert f"others may {verb} it; chmod o= {people}" in line


@needs_root
def test_a_real_table_refuses_a_people_file_of_another_user(people: Path) -> None:
    os.chown(people, NOBODY, -1)
    (line,) = people_mistakes(people.parent)
    assert f"it belongs to user 65534, who may change it; chown root {people}" in line


def test_a_secret_that_others_may_change_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "secret"
    file.write_text("word\n", encoding="ascii")
    file.chmod(0o602)
    with pytest.raises(SecretError, match="others may change it; chmod 600"):
        read_secret(file)
    file.chmod(0o640)
    assert read_secret(file) == "word"


@needs_root
def test_a_secret_of_another_user_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "secret"
    file.write_text("word\n", encoding="ascii")
    file.chmod(0o600)
    os.chown(file, NOBODY, -1)
    with pytest.raises(SecretError, match="belongs to user 65534"):
        read_secret(file)


@needs_root
def test_users_of_a_pit_and_keys_of_a_shoe_in_files_of_another_user_are_refused(tmp_path: Path) -> None:
    users, shoe = tmp_path / "users.yaml", tmp_path / "shoe.keys"
    write_users(users, {})
    write_keys(shoe, AT_CONTROLLER)
    assert read_users(users) == {}
    assert read_keys(shoe) == AT_CONTROLLER
    for file in (users, shoe):
        os.chown(file, NOBODY, -1)
    with pytest.raises(Mistakes, match="belongs to user 65534"):
        read_users(users)
    with pytest.raises(KeysError, match="belongs to user 65534"):
        read_keys(shoe)


def test_users_of_a_pit_that_others_may_change_are_refused(tmp_path: Path) -> None:
    users = tmp_path / "users.yaml"
    write_users(users, {})
    users.chmod(0o602)
    with pytest.raises(Mistakes, match="others may change it; chmod 600"):
        read_users(users)


@needs_root
def test_the_key_of_a_witness_in_a_file_of_another_user_is_refused(tmp_path: Path) -> None:
    key, file = tmp_path / "witness.key", tmp_path / "witness.yaml"
    assert main(["witness", "new-key", "w.example", str(key)]) == 0
    text = "listen: {host: 127.0.0.1, port: 1}\nkey: witness.key\nstore: s\nlogs:\n"
    file.write_text(f"{text}- {{origin: example.com/foo, key: {TABLE_KEY}}}\n", encoding="utf-8")
    load_witness(file)
    os.chown(key, NOBODY, -1)
    with pytest.raises(Mistakes, match="key: it belongs to user 65534"):
        load_witness(file)
