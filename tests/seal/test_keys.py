"""The folder of a table's keys must be private and complete, and no error quotes a key."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.record.seal.keys import (
    FACES,
    FIRST,
    RATCHET,
    TABLE,
    Keys,
    KeysError,
    NoKeys,
    faces_secret,
    hand_over,
    public_key,
)
from controller.record.seal.ratchet import next_key


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    Keys.new(tmp_path / "keys", "house.example/CC-01")
    return tmp_path / "keys"


def test_keys_are_read_back_as_created(folder: Path) -> None:
    keys = Keys.read(folder)
    assert keys.signing.verifier().text() == public_key(folder)
    assert (keys.number, faces_secret(folder)) == (0, keys.faces)
    assert keys.ratchet.hex() == (folder / FIRST).read_text().strip()


def test_the_keys_are_readable_only_by_their_user(folder: Path) -> None:
    folder.chmod(0o755)
    Keys.read(folder)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert all(stat.S_IMODE(file.stat().st_mode) == 0o600 for file in folder.iterdir())


def test_a_step_replaces_the_key_of_the_ratchet(folder: Path) -> None:
    before = Keys.read(folder)
    before.next_step().keep()
    after = Keys.read(folder)
    assert (after.number, after.ratchet) == (1, next_key(before.ratchet))
    assert before.ratchet.hex() not in (folder / RATCHET).read_text()


def test_the_first_key_is_handed_over_once(folder: Path) -> None:
    first = Keys.read(folder).ratchet.hex()
    with hand_over(folder) as key:
        assert key == first
    assert not (folder / FIRST).exists()
    with pytest.raises(KeysError, match="has been handed over"), hand_over(folder):
        raise AssertionError("it was given twice")


def test_a_first_key_is_kept_if_the_hand_over_fails(folder: Path) -> None:
    with pytest.raises(OSError, match="no room"), hand_over(folder) as first:
        raise OSError("no room on the stick")
    with hand_over(folder) as again:
        assert again == first


def test_a_first_key_of_zeros_counts_as_handed_over(folder: Path) -> None:
    """The power was cut while the file of the first key was being erased after it had been handed over."""
    (folder / FIRST).write_text("0" * 64)
    with pytest.raises(KeysError, match="has been handed over"), hand_over(folder):
        raise AssertionError("zeros were given")


def test_the_repr_contains_no_key(folder: Path) -> None:
    keys = Keys.read(folder)
    assert not any(
        each.hex() in repr(keys) or repr(each) in repr(keys) for each in (keys.faces, keys.ratchet)
    )


Damage = Callable[[Path], object]


@pytest.mark.parametrize("name", [TABLE, FACES, RATCHET])
@pytest.mark.parametrize("text", ["", "x", "0 " + "z" * 64, "PRIVATE+KEY+house.example/CC-01+00000000+AAAA"])
def test_a_damaged_key_file_is_reported_in_one_line_without_its_content(
    folder: Path, name: str, text: str
) -> None:
    before = (folder / name).read_text()
    (folder / name).write_text(text)
    with pytest.raises(KeysError) as caught:
        Keys.read(folder)
    assert str(caught.value).startswith(f"keys {folder}: ")
    assert "\n" not in str(caught.value)
    assert not any(word in str(caught.value) for word in (text, before.strip()) if word)
    assert caught.value.__cause__ is None


def test_a_folder_without_keys_raises_no_keys(tmp_path: Path) -> None:
    with pytest.raises(NoKeys):
        Keys.read(tmp_path)
    assert faces_secret(tmp_path) is None
