"""The file with the keys of a pairing must be complete and readable by one user, and its content is never
quoted.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from drivers.shoe.keys import KeysError, read_keys, write_keys
from tests.drivers.shoe.wire import AT_CONTROLLER


def test_written_keys_are_private_and_read_back(tmp_path: Path) -> None:
    file = tmp_path / "keys"
    write_keys(file, AT_CONTROLLER)
    assert read_keys(file) == AT_CONTROLLER
    assert file.stat().st_mode & 0o777 == 0o600
    assert [each.name for each in tmp_path.iterdir()] == ["keys"]


def test_a_file_that_others_may_read_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "keys"
    write_keys(file, AT_CONTROLLER)
    file.chmod(0o640)
    with pytest.raises(KeysError, match="chmod 600"):
        read_keys(file)


def test_the_error_for_a_missing_file_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(KeysError, match="no shoe is paired; run crisscross shoe pair"):
        read_keys(tmp_path / "keys")


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"own": "AAAA", "other": "AAAA"}', '{"own": 1, "other": 2}']
)
def test_invalid_keys_are_refused_without_being_quoted(tmp_path: Path, text: str) -> None:
    file = tmp_path / "keys"
    file.write_text(text, encoding="ascii")
    file.chmod(0o600)
    with pytest.raises(KeysError, match="no keys of a pairing") as error:
        read_keys(file)
    assert "AAAA" not in str(error.value)


def test_no_key_is_in_a_repr() -> None:
    assert AT_CONTROLLER.own.hex() not in repr(AT_CONTROLLER)
    assert repr(AT_CONTROLLER.own) not in repr(AT_CONTROLLER)
