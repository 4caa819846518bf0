"""`crisscross chips` registers, withdraws, lists and counts chips, over the real driver and a simulated
reader.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
import serial

from controller.cli import main
from controller.record.journal.journal import Journal
from controller.settings.chip_register import read_rows
from drivers.chips.sim.board_bank import BoardBank
from drivers.chips.sim.feig_bank import FeigBank
from drivers.chips.sim.simulator import ReaderBank
from drivers.ports import CircleId
from tests.runtime.child import table_file

HEADER = "uid,cents,currency,status\n"
A, B, C = "01020304", "01020305", "01020306"
READER: CircleId = (1, "reader")


@pytest.fixture
def register(tmp_path: Path) -> Path:
    file = tmp_path / "chips.csv"
    file.write_text(f"{HEADER}{A},2500,USD,in_use\n{B},500,USD,withdrawn\n", encoding="utf-8")
    return file


def test_registered_chips_are_listed(register: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chips", "list", "--register", str(register)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "2 chips, $25 in use"
    assert [line.split() for line in lines[:2]] == [["$5", "1", "withdrawn"], ["$25", "1", "in", "use"]]


def test_chips_are_withdrawn_restored_and_exported_by_number(
    register: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = ["--register", str(register)]
    assert main(["chips", "withdraw", *where, A]) == 0
    assert main(["chips", "restore", *where, B]) == 0
    capsys.readouterr()
    assert main(["chips", "export", *where]) == 0
    assert capsys.readouterr().out == f"{HEADER}{A},2500,USD,withdrawn\n{B},500,USD,in_use\n"


def test_an_import_is_complete_or_refused(
    register: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "more.csv"
    other.write_text(f"{HEADER}{C},100,USD,in_use\n{A},100,USD,in_use\n", encoding="utf-8")
    before = register.read_bytes()
    assert main(["chips", "import", "--register", str(register), str(other)]) == 2
    assert capsys.readouterr().err == f"{A}: the register has it as $25, not $1\n"
    assert register.read_bytes() == before
    other.write_text(f"{HEADER}{C},100,USD,in_use\n", encoding="utf-8")
    assert main(["chips", "import", "--register", str(register), str(other)]) == 0
    assert register.read_bytes() == before + f"{C},100,USD,in_use\n".encode()


def test_the_register_is_reconciled_with_a_count_in_a_file(
    register: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    count = tmp_path / "count.csv"
    count.write_text(f"uid,tray\n{A.lower()},3\n", encoding="utf-8")
    where = ["chips", "reconcile", "--register", str(register), str(count)]
    assert main(where) == 0
    count.write_text("uid\nnonsense\n", encoding="utf-8")
    assert main(where) == 2
    assert f"{count}:2: uid: allowed: 8, 14 or 20 digits" in capsys.readouterr().err
    count.write_text("E004015000000001\n01000000500104E0\n", encoding="utf-8")
    assert main(where) == 2
    assert f"{count}:2: uid: 1 numbers here end in E0" in capsys.readouterr().err
    count.write_text(C, encoding="utf-8")
    assert main(where) == 1


def test_a_table_without_a_register_of_its_own_reads_by_the_shipped_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = ["--config", str(table_file(tmp_path))]
    assert main(["chips", "list", *table]) == 0
    assert " in use" in capsys.readouterr().out
    assert main(["chips", "withdraw", *table, "04000001000001"]) == 2
    assert "names no register" in capsys.readouterr().err


@pytest.mark.parametrize("value", ["0", "-5", "five", "1.005", "200000000"])
def test_an_impossible_chip_value_is_refused(
    register: Path, value: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["chips", "register", "--register", str(register), "--port", "/dev/none", "--", value]) == 2
    assert capsys.readouterr().err.startswith(f"crisscross chips register: {value}: allowed: an amount")


def test_the_reader_is_chosen_by_the_option(register: Path, capsys: pytest.CaptureFixture[str]) -> None:
    where = ["chips", "read", "--register", str(register)]
    assert main(where) == 2
    assert "which reader? --port PORT" in capsys.readouterr().err
    assert main([*where, "--port", "/dev/no-such-port"]) == 2
    assert "/dev/no-such-port" in capsys.readouterr().err
    assert main([*where, "--port", "/dev/null", "--kind", "pm5"]) == 2
    assert "--kind pm5: allowed: pn532" in capsys.readouterr().err


# ---------------------------------------------------------------------- beside a table that runs


@pytest.mark.parametrize(
    "act",
    [["withdraw", A], ["restore", B], ["import"], ["register", "25"], ["read", "--circle", "1:across"]],
    ids=lambda act: act[0],
)
def test_a_running_table_keeps_its_register_and_its_readers(
    register: Path, act: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    more = [str(register)] if act == ["import"] else []
    ports = {"ports": {1: {"across": "/dev/no-such-port"}}}
    file = table_file(register.parent, chips=register.name, readers=ports)
    before = register.read_text(encoding="utf-8")
    with closing(Journal(register.parent / "journal.db")):
        assert main(["chips", act[0], "--config", str(file), *act[1:], *more]) == 2
    assert "its table runs; allowed: between rounds" in capsys.readouterr().err
    assert register.read_text(encoding="utf-8") == before
    main(["chips", act[0], "--config", str(file), *act[1:], *more])
    assert "its table runs" not in capsys.readouterr().err


def test_a_reader_of_a_running_daemon_is_not_opened(
    register: Path, bank: ReaderBank, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command opens the port as the daemon does."""
    port = bank.paths()[READER]
    with serial.Serial(port, 115200, exclusive=True):
        assert main(["chips", "read", "--register", str(register), "--port", port]) == 2
    assert port in capsys.readouterr().err


# ---------------------------------------------------------------------- over a reader


@pytest.fixture
def bank(tmp_path: Path) -> Iterator[ReaderBank]:
    with ReaderBank(tmp_path, [READER], pace=0) as bank:
        yield bank


class Typed(io.StringIO):
    """Standard input of a person who lays other chips before each ENTER."""

    def __init__(self, bank: ReaderBank, *batches: list[str]) -> None:
        super().__init__()
        self._bank = bank
        self._batches = iter(batches)

    def __next__(self) -> str:
        batch = next(self._batches)
        self._bank.set_chips(READER, batch)
        return "\n"

    def __iter__(self) -> Typed:
        return self


@pytest.mark.serial
def test_batches_are_registered_one_after_another(
    register: Path, bank: ReaderBank, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A batch with a chip of another value is refused as a whole; earlier batches are kept."""
    monkeypatch.setattr("sys.stdin", Typed(bank, [C], [B, "01020308"], [C, "01020307"]))
    where = ["--register", str(register), "--port", str(bank.paths()[READER])]
    assert main(["chips", "register", *where, "25"]) == 1
    printed = capsys.readouterr()
    assert printed.out.splitlines() == [
        f"1 read, 1 new; 3 chips in {register}",
        f"2 read, 1 new; 4 chips in {register}",
    ]
    assert f"{B}: the register has it as $5 withdrawn, not $25\nnothing of this batch" in printed.err
    assert register.read_text(encoding="utf-8").endswith(f"{C},2500,USD,in_use\n01020307,2500,USD,in_use\n")


class SecondDesk(Typed):
    """Standard input of one desk, while another withdraws chip A before the second batch."""

    def __init__(self, bank: ReaderBank, register: Path, *batches: list[str]) -> None:
        super().__init__(bank, *batches)
        self._register = register
        self._number = 0

    def __next__(self) -> str:
        self._number += 1
        if self._number == 2:
            assert main(["chips", "withdraw", "--register", str(self._register), A]) == 0
        return super().__next__()


@pytest.mark.serial
def test_a_change_at_another_desk_between_two_batches_is_kept(
    register: Path, bank: ReaderBank, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", SecondDesk(bank, register, [C], ["01020307"]))
    where = ["--register", str(register), "--port", str(bank.paths()[READER])]
    assert main(["chips", "register", *where, "25"]) == 0
    found = {row.uid: row.status for row in read_rows(register)}
    assert found == {A: "withdrawn", B: "withdrawn", C: "in_use", "01020307": "in_use"}


def test_changes_at_the_same_time_are_all_kept(register: Path) -> None:
    """Each of them waits until the other has written the register."""
    uids = [f"0102040{number}" for number in range(8)]
    others = [register.with_name(f"{uid}.csv") for uid in uids]
    for uid, other in zip(uids, others, strict=True):
        other.write_text(f"{HEADER}{uid},100,USD,in_use\n", encoding="utf-8")

    def bring(other: Path) -> int:
        return main(["chips", "import", "--register", str(register), str(other)])

    with ThreadPoolExecutor(len(others)) as pool:
        assert set(pool.map(bring, others)) == {0}
    assert {row.uid for row in read_rows(register)} == {A, B, *uids}


@pytest.mark.serial
def test_a_circle_of_a_seat_board_is_read_at_the_board_s_port(
    register: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """If no circle is named, it is the first of the board."""
    with BoardBank(tmp_path / "boards", [(1, "ante_across"), (1, "down")], pace=0.0) as boards:
        where = ["--register", str(register), "--kind", "seat_board", "--port", boards.paths()[1, "down"]]
        boards.set_chips((1, "ante_across"), [A])
        boards.set_chips((1, "down"), [C])
        monkeypatch.setattr("sys.stdin", io.StringIO("\n"))
        assert main(["chips", "read", *where]) == 0
    assert capsys.readouterr().out.splitlines() == [f"{A}  $25", "1 on the reader"]


@pytest.mark.serial
def test_chips_of_iso_15693_are_registered_with_a_feig_reader(
    register: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A stack of twenty chips at once, beside chips of the other standard."""
    new = [f"E00401500000{number:04X}" for number in range(20)]
    with FeigBank(tmp_path / "feig", [(1, "ante_across"), (1, "down")], pace=0.0) as bank:
        bank.set_chips((1, "ante_across"), new)
        monkeypatch.setattr("sys.stdin", io.StringIO("\n"))
        where = ["--kind", "feig_mux", "--port", bank.paths()[1, "down"]]
        assert main(["chips", "register", "--register", str(register), *where, "25"]) == 0
    assert capsys.readouterr().out.splitlines() == [f"20 read, 20 new; 22 chips in {register}"]
    assert [row.uid for row in read_rows(register)] == [A, B, *new]


@pytest.mark.serial
def test_a_chip_with_a_random_number_is_not_registered(
    register: Path, bank: ReaderBank, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", Typed(bank, ["08A1B2C3"]))
    where = ["--register", str(register), "--port", str(bank.paths()[READER])]
    assert main(["chips", "register", *where, "25"]) == 1
    assert "08A1B2C3 is a number that the chip draws anew each time" in capsys.readouterr().err


@pytest.mark.serial
def test_chips_on_a_reader_are_listed_and_counted(
    register: Path, bank: ReaderBank, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    where = ["--register", str(register), "--port", str(bank.paths()[READER])]
    monkeypatch.setattr("sys.stdin", Typed(bank, [A, C], []))
    assert main(["chips", "read", *where]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"{A}  $25",
        f"{C}  not in the register",
        "2 on the reader",
        "0 on the reader",
    ]
    monkeypatch.setattr("sys.stdin", Typed(bank, [A], []))
    assert main(["chips", "reconcile", *where]) == 0


@pytest.mark.serial
def test_a_stack_that_cannot_be_separated_is_reported(
    register: Path, bank: ReaderBank, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", Typed(bank, [f"010203{number:02X}" for number in range(16)]))
    where = ["--register", str(register), "--port", str(bank.paths()[READER])]
    before = register.read_bytes()
    assert main(["chips", "register", *where, "25"]) == 2
    assert "lay fewer chips" in capsys.readouterr().err
    assert register.read_bytes() == before
