"""The chip register: values by UID, and every mistake of a file at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from drivers.chips.register import MOCK_CHIPS, Chip, ChipRegister, RegisterError, main, mock_lines

REPOSITORY = Path(__file__).parents[3]
GOOD = """uid,cents,currency,status
04A1B2C3D4E5F6,500,USD,in_use
01020304,100,USD,withdrawn
04A1B2C3D4E5F7,1000,EUR,in_use
"""


def test_what_a_chip_is_worth() -> None:
    register = ChipRegister.parse(GOOD, "chips.csv")
    assert len(register) == 3
    assert register.look_up("04A1B2C3D4E5F6") == Chip("04A1B2C3D4E5F6", 500)
    assert register.look_up("01020304") == Chip("01020304", None, "withdrawn")
    assert register.look_up("04A1B2C3D4E5F7").note == "foreign"
    assert register.look_up("DEADBEEF") == Chip("DEADBEEF", None, "unknown")
    assert next(chip.uid for chip in register) == "04A1B2C3D4E5F6"


def test_every_mistake_at_once_with_file_and_line() -> None:
    text = """uid,cents,currency,status
04a1b2c3d4e5f6,500,USD,in_use
04A1B2C3D4E5F6,5.00,USD,in_use

04A1B2C3D4E5F7,-1,usd,lost
04A1B2C3D4E5F6,500,USD,in_use
04A1B2C3D4E5F8,500
"""
    with pytest.raises(RegisterError) as raised:
        ChipRegister.parse(text, "chips.csv")
    assert [mistake.split(": ")[:2] for mistake in raised.value.mistakes] == [
        ["chips.csv:2", "uid"],
        ["chips.csv:3", "cents"],
        ["chips.csv:5", "cents"],
        ["chips.csv:5", "currency"],
        ["chips.csv:5", "status"],
        ["chips.csv:6", "uid"],
        ["chips.csv:7", "row"],
    ]
    assert "line 3" in raised.value.mistakes[5]


@pytest.mark.parametrize("text", ["", "uid,cents\n", "UID,cents,currency,status\n"])
def test_another_header_is_no_register(text: str) -> None:
    with pytest.raises(RegisterError, match=r"chips\.csv:1: header: must be uid,cents,currency,status"):
        ChipRegister.parse(text, "chips.csv")


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(RegisterError, match=r"none\.csv:1: file"):
        ChipRegister.load(tmp_path / "none.csv")
    (tmp_path / "raw.csv").write_bytes(b"\xff\xfe")
    with pytest.raises(RegisterError, match=r"raw\.csv:1: file"):
        ChipRegister.load(tmp_path / "raw.csv")


def test_the_mock_tables_register_is_what_the_code_writes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = REPOSITORY / "config" / "chips.csv"
    assert file.read_text(encoding="utf-8").splitlines() == list(mock_lines())
    assert main(["--mock", str(tmp_path / "chips.csv")]) == 0
    assert (tmp_path / "chips.csv").read_bytes() == file.read_bytes()
    assert "2500 chips" in capsys.readouterr().out


def test_the_mock_tables_bank() -> None:
    register = ChipRegister.load(REPOSITORY / "config" / "chips.csv")
    for cents, count in MOCK_CHIPS:
        assert sum(1 for chip in register if chip.cents == cents) == count
    assert all(chip.uid.startswith("04") and len(chip.uid) == 14 and not chip.note for chip in register)
