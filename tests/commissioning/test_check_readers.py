"""`crisscross check` names the cause of a fault at each reader, and reports one common cause in one line."""

from __future__ import annotations

from pathlib import Path

import pytest
import serial

from controller.table.commissioning import asking
from controller.table.commissioning.lines import verdict
from drivers.chips.sim.board_bank import BoardBank
from drivers.chips.sim.feig_bank import FeigBank
from drivers.chips.sim.simulator import ReaderBank
from drivers.ports import CircleId
from drivers.shoe.codec import encode_frame
from tests.commissioning.test_check import HAND, brief, failed, found, line_that, one_reader, patient
from tests.runtime.child import table_file

pytestmark = pytest.mark.serial
__all__ = ["brief", "patient"]


def test_noise_on_a_line_is_not_taken_for_a_reader(tmp_path: Path) -> None:
    with line_that(b"\x9a\x03\x00\x7f", tmp_path / "noisy") as port:
        assert failed(one_reader(tmp_path, port))[1].startswith(
            f"unasked: seat 1 across on {port}: unrequested bytes arrive"
        )


def test_an_echo_is_not_taken_for_a_reader(tmp_path: Path) -> None:
    with line_that(b"", tmp_path / "bridged", echo=True) as port:
        assert failed(one_reader(tmp_path, port))[1].startswith(
            f"echo: seat 1 across on {port}: what is written comes back as it is: TXD touches RXD"
        )


def test_a_shoe_at_a_reader_s_port_is_recognised_without_showing_its_card(tmp_path: Path) -> None:
    with line_that(encode_frame(7, "CARD", ("1", "QH")), tmp_path / "shoe-line") as port:
        lines = one_reader(tmp_path, port)
    assert failed(lines)[1].startswith(f"a shoe: seat 1 across on {port}: a shoe is on that line")
    assert not any("QH" in str(line) for line in lines)


def test_a_reader_at_the_shoe_s_port_is_recognised(tmp_path: Path) -> None:
    with ReaderBank(tmp_path / "readers", [(1, "across")]) as bank:
        (tmp_path / "shoe").symlink_to(bank.paths()[1, "across"])
        words = failed(found(table_file(tmp_path, method="manual_shoe")))
    assert words == [
        f"shoe on {tmp_path / 'shoe'}: a chip reader answers there: its plug is in the shoe's port"
    ]


def test_a_port_in_use_by_another_program_is_named(tmp_path: Path) -> None:
    with ReaderBank(tmp_path / "readers", [(1, "across")]) as bank:
        port = bank.paths()[1, "across"]
        with serial.Serial(port, exclusive=True):
            assert failed(one_reader(tmp_path, port))[1].startswith(
                f"held: seat 1 across on {port}: another program"
            )


def test_a_missing_port_of_a_reader_is_named(tmp_path: Path) -> None:
    words = failed(one_reader(tmp_path, "/dev/null"))
    assert words[1].startswith("no serial port: seat 1 across on /dev/null: that is no serial port")


@pytest.mark.usefixtures("patient")
def test_a_reader_that_cannot_separate_its_chips_is_named(tmp_path: Path) -> None:
    with ReaderBank(tmp_path / "readers", [(1, "across")]) as bank:
        bank.lay((1, "across"), "04A1B2C3", ignores_halt=True)
        (why,) = failed(one_reader(tmp_path, str(bank.paths()[1, "across"])))[1:]
    assert "a reader answers, but gives no whole inventory of its circle (" in why
    assert "chip 04A1B2C3 answered again after its halt" in why


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize(
    ("seat_fault", "words"),
    [
        ("silent", "silent: all 2 readers: nothing comes back: look at its supply"),
        ("speed", "silent: all 2 readers: nothing comes back: look at its supply"),
        ("parity", "silent: all 2 readers: nothing comes back: look at its supply"),
        ("mux_gone", "unreadable: all 2 readers: "),
    ],
)
def test_faults_of_a_feig_reader_its_line_and_multiplexer_are_distinguished(
    tmp_path: Path, seat_fault: str, words: str
) -> None:
    with FeigBank(tmp_path / "feig", [(1, "across"), (1, "down")]) as bank:
        port = bank.paths()[1, "across"]
        readers = {"kind": "feig_mux", "ports": {1: {"across": port, "down": port}}}
        file = table_file(tmp_path, readers=readers, **HAND)
        assert failed(found(file))[1:] == []
        bank.fault_seat(1, seat_fault)
        (line,) = failed(found(file))[1:]
        assert line.startswith(words)
        assert ("(the multiplexer does not answer: look at its supply" in line) == (seat_fault == "mux_gone")


@pytest.mark.usefixtures("patient")
def test_a_feig_reader_at_the_delivered_speed_works_and_is_noted(tmp_path: Path) -> None:
    circles: list[CircleId] = [(1, "across"), (1, "down")]
    with FeigBank(tmp_path / "feig", circles, baud=38400) as bank:
        port = bank.paths()[1, "across"]
        readers = {"kind": "feig_mux", "ports": {1: {"across": port, "down": port}}}
        file = table_file(tmp_path, readers=readers, **HAND)
        lines = found(file)
        assert failed(lines) == []
        (note,) = [line for line in lines if "baud" in line.note]
        assert note.what == "all 2 readers"
        assert note.note.startswith("the reader's line runs at 38400 baud")
        assert "set CFG1 byte 2 to 0A, save CFG1 alone in the reader's EEPROM" in note.note
        bank.fault_seat(1, "mux_gone")
        (wrong,) = failed(found(file))[1:]
        assert wrong.startswith("unreadable: all 2 readers: ")


@pytest.mark.usefixtures("patient")
def test_a_feig_reader_at_the_wanted_speed_has_no_note(tmp_path: Path) -> None:
    with FeigBank(tmp_path / "feig", [(1, "across")]) as bank:
        readers = {"kind": "feig_mux", "ports": {1: {"across": bank.paths()[1, "across"]}}}
        lines = found(table_file(tmp_path, readers=readers, **HAND))
    assert not any("baud" in line.note for line in lines)


def on_a_board(tmp_path: Path, port: str) -> list[str]:
    readers = {"kind": "seat_board", "ports": {1: {"across": port, "down": port}}}
    return failed(found(table_file(tmp_path, readers=readers, **HAND)))[1:]


@pytest.mark.usefixtures("patient")
def test_faults_of_a_seat_board_and_its_readers_are_distinguished(tmp_path: Path) -> None:
    with BoardBank(tmp_path / "boards", [(1, "across"), (1, "down")]) as bank:
        port = bank.paths()[1, "across"]
        assert on_a_board(tmp_path, port) == []
        bank.fault((1, "down"), "silent")
        (words,) = on_a_board(tmp_path, port)
        assert words.startswith(
            f"behind a board: seat 1 down on {port}: the seat board answers, but not this"
        )
        bank.lay((1, "across"), "04A1B2C3", ignores_halt=True)
        lines = on_a_board(tmp_path, port)
        assert any("chip 04A1B2C3 answered again after its halt" in each for each in lines)
        bank.fault_seat(1, "silent")
        (words,) = on_a_board(tmp_path, port)
        assert words.startswith("silent: all 2 readers: nothing comes back")


def test_a_shoe_at_a_seat_board_s_port_is_recognised_without_showing_its_card(tmp_path: Path) -> None:
    with line_that(encode_frame(7, "CARD", ("1", "QH")), tmp_path / "shoe-line") as port:
        (words,) = on_a_board(tmp_path, port)
    assert words.startswith("a shoe: all 2 readers: a shoe is on that line")
    assert "QH" not in words


def test_an_echo_is_not_taken_for_a_board(tmp_path: Path) -> None:
    with line_that(b"", tmp_path / "bridged", echo=True) as port:
        (words,) = on_a_board(tmp_path, port)
    assert words.startswith("echo: all 2 readers")


def test_a_common_cause_is_reported_in_one_line(tmp_path: Path) -> None:
    """Silence, noise and a missing port each give one line, with the circles."""
    circles: list[CircleId] = [(1, "across"), (1, "down"), (2, "across"), (2, "down"), (3, "across")]
    with ReaderBank(tmp_path / "readers", circles) as bank:
        for circle in circles[:4]:
            bank.fault(circle, "silent")
        bank.fault((3, "across"), "noise")
        ports = {
            seat: {wager: str(bank.paths()[seat, wager]) for at, wager in circles if at == seat}
            for seat in (1, 2, 3)
        }
        ports[4] = {"across": f"{tmp_path}/nothing"}
        words = failed(found(table_file(tmp_path, readers={"ports": ports}, **HAND)))
    assert words[0] == "readers: 0 of 6 read their circle: 6 do not"
    assert words[1].startswith("silent: seat 1; seat 2: nothing comes back: look at its supply")
    assert words[2].startswith("garbage: seat 3 across on ")
    assert words[3].startswith(f"not there: seat 4 across on {tmp_path}/nothing: there is no such port")
    assert len(words) == 4


def test_missing_udev_rules_are_reported_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "_DEVICE_NAMES", tmp_path / "no-names")
    monkeypatch.setattr(asking, "RULES", (tmp_path / "99-crisscross.rules",))
    ports = {seat: {"across": f"/dev/crisscross/seat{seat}_across"} for seat in range(1, 7)}
    file = table_file(tmp_path, readers={"ports": ports}, **HAND)
    words = failed(found(file))
    assert words[1].startswith("no rules: all 6 readers: the udev rules are not installed")
    assert len(words) == 2
    (tmp_path / "99-crisscross.rules").touch()
    assert failed(found(file))[1].startswith("nothing plugged in: all 6 readers: the udev rules are there")


@pytest.mark.usefixtures("patient")
def test_readers_that_answer_still_need_a_chip_on_each(tmp_path: Path) -> None:
    """Readers whose plugs are exchanged answer as well. Answers alone therefore do not make the table ready
    for play."""
    circles: list[CircleId] = [(1, "across"), (2, "across")]
    with ReaderBank(tmp_path / "readers", circles) as bank:
        ports = {seat: {wager: str(bank.paths()[seat, wager])} for seat, wager in circles}
        lines = found(table_file(tmp_path, readers={"ports": ports}, **HAND))
    assert failed(lines) == []
    assert "readers: 2 of 2 read their circle" in [line.what for line in lines]
    assert verdict(lines) == "nothing failed; 1 still to be seen by a person"
