"""The chip register gives the value of each chip by its UID, and all mistakes of a register file are reported
at once."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from controller.common.files.mistakes import Mistakes
from controller.settings.chip_register import read_register
from drivers.chips.register import RegisteredChip

REPOSITORY = Path(__file__).parents[2]
GOOD = """uid,cents,currency,status
04A1B2C3D4E5F6,500,USD,in_use
01020304,100,USD,withdrawn
04A1B2C3D4E5F7,1000,EUR,in_use
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "chips.csv"


def mistakes(file: Path, text: str) -> list[str]:
    """Return each mistake without the folder: `chips.csv:line: key: what is allowed`."""
    file.write_text(text, encoding="utf-8")
    with pytest.raises(Mistakes) as raised:
        read_register(file)
    return [line.removeprefix(f"{file.parent}/") for line in raised.value.lines]


def test_a_chip_is_looked_up_with_value_and_note(file: Path) -> None:
    file.write_text(GOOD, encoding="utf-8")
    register = read_register(file)
    assert len(register) == 3
    assert register.look_up("04A1B2C3D4E5F6") == RegisteredChip("04A1B2C3D4E5F6", 500)
    assert register.look_up("01020304") == RegisteredChip("01020304", None, "withdrawn")
    assert register.look_up("04A1B2C3D4E5F7").note == "foreign"
    assert register.look_up("DEADBEEF") == RegisteredChip("DEADBEEF", None, "unknown")
    assert next(chip.uid for chip in register) == "04A1B2C3D4E5F6"


def test_all_mistakes_are_reported_together_with_file_and_line(file: Path) -> None:
    text = """uid,cents,currency,status
04a1b2c3d4e5f6,500,USD,in_use
04A1B2C3D4E5F6,5.00,USD,in_use

04A1B2C3D4E5F7,-1,usd,lost
04A1B2C3D4E5F6,500,USD,in_use
04A1B2C3D4E5F8,500
"""
    found = mistakes(file, text)
    assert [mistake.split(": ")[:2] for mistake in found] == [
        ["chips.csv:2", "uid"],
        ["chips.csv:3", "cents"],
        ["chips.csv:5", "cents"],
        ["chips.csv:5", "currency"],
        ["chips.csv:5", "status"],
        ["chips.csv:6", "uid"],
        ["chips.csv:7", "row"],
    ]
    assert found[5].endswith("04A1B2C3D4E5F6 is in line 3 already; once is allowed")


@pytest.mark.parametrize("cents", ["0", "٣", "+5", "1_0", " 5", "5.0", ""])
def test_cents_other_than_digits_are_refused(file: Path, cents: str) -> None:
    (found,) = mistakes(file, f"{GOOD}0A0B0C0D,{cents},USD,in_use\n")
    assert found == "chips.csv:5: cents: allowed: a whole number of cents from 1, without point or sign"


def test_a_register_without_a_playable_chip_is_refused(file: Path) -> None:
    text = "".join(line for line in GOOD.splitlines(True) if "500,USD" not in line)
    assert mistakes(file, text) == [
        "chips.csv:1: no chip has a value; allowed: one at least that is USD, in_use"
    ]


def test_an_endless_field_is_refused(file: Path) -> None:
    (found,) = mistakes(file, f"{GOOD}{'0' * 200_000},500,USD,in_use\n")
    assert found.startswith("chips.csv:1: no CSV: field larger")


@pytest.mark.parametrize("text", ["", "uid,cents\n", "UID,cents,currency,status\n"])
def test_another_header_is_refused(file: Path, text: str) -> None:
    (found,) = mistakes(file, text)
    assert found == "chips.csv:1: header: not a register's; allowed: uid,cents,currency,status"


def test_an_unreadable_register_is_reported(tmp_path: Path) -> None:
    with pytest.raises(Mistakes, match=r"none\.csv:1: cannot be read: No such file"):
        read_register(tmp_path / "none.csv")
    (tmp_path / "raw.csv").write_bytes(b"\xff\xfe")
    with pytest.raises(Mistakes, match=r"raw\.csv:1: not UTF-8"):
        read_register(tmp_path / "raw.csv")


def test_the_mock_table_s_register_covers_the_largest_payouts() -> None:
    """The register has 2,500 chips worth $802,400. They suffice for a payout of 500 to 1 on three full antes
    ($150,000) beside an ordinary round. UIDs of 7 bytes begin with 04, NXP's number."""
    register = read_register(REPOSITORY / "config" / "chips.csv")
    assert Counter(chip.cents for chip in register) == {
        100: 400, 500: 400, 2_500: 400, 10_000: 400, 50_000: 300, 100_000: 600,
    }  # fmt: skip
    assert all(chip.uid.startswith("04") and len(chip.uid) == 14 and not chip.note for chip in register)


def test_a_register_may_contain_chips_of_both_standards(file: Path) -> None:
    rows = "E004015000000001,2500,USD,in_use\nE0040150000000E0,500,USD,in_use\n"
    file.write_text(GOOD + rows, encoding="utf-8")
    register = read_register(file)
    assert [register.look_up(uid).cents for uid in ("E004015000000001", "E0040150000000E0")] == [2500, 500]
    assert register.look_up("04A1B2C3D4E5F6").cents == 500


def test_a_register_in_reverse_byte_order_is_refused_in_one_line(file: Path) -> None:
    turned = "".join(f"0{number}000000500104E0,500,USD,in_use\n" for number in range(1, 4))
    (found,) = mistakes(file, GOOD + turned)
    assert found.startswith("chips.csv:5: uid: 3 numbers here end in E0: their bytes are in reverse order")
    assert found.endswith("allowed: E0 first, so turn each number's bytes around")
    (found,) = mistakes(file, f"{GOOD}{turned}E0100000500104E0,500,USD,in_use\n")
    assert found.endswith("turn each number's bytes around, also of the 1 that begin and end in E0")


def test_numbers_of_seven_bytes_in_reverse_byte_order_are_refused_in_one_line(file: Path) -> None:
    """NXP's byte 04 is then at the end of all of them. A single number of another maker may end in it."""
    turned = [f"F6E5D4C3B2A{number}04,500,USD,in_use\n" for number in range(1, 4)]
    header = GOOD.splitlines(keepends=True)[0]
    (found,) = mistakes(file, header + "".join(turned))
    assert found == (
        "chips.csv:2: uid: all 3 numbers of 14 digits end in 04: their bytes are in reverse order; "
        "allowed: the maker's byte first, so turn each number's bytes around"
    )
    file.write_text(header + turned[0], encoding="utf-8")
    assert read_register(file).look_up("F6E5D4C3B2A104").cents == 500


@pytest.mark.parametrize(
    ("uid", "words"),
    [
        ("08A1B2C3", "08A1B2C3 is a number that the chip draws anew each time; allowed: chips with a number"),
        ("D004015000000001", "8, 14 or 20 digits of 0-9A-F, or 16 that begin with E0"),
    ],
)
def test_a_number_that_identifies_no_chip_is_refused(file: Path, uid: str, words: str) -> None:
    (found,) = mistakes(file, f"{GOOD}{uid},500,USD,in_use\n")
    assert found.startswith("chips.csv:5: uid: ")
    assert words in found
