"""`crisscross check` names devices that answer, devices that do not and why, and acknowledges no frame that
the daemon needs.
"""

from __future__ import annotations

import asyncio
import os
import threading
import tty
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
import serial

from controller.common.files.mistakes import Mistakes
from controller.record.journal.journal import Journal
from controller.settings.config import load_config
from controller.settings.pin_map import read_pin_map
from controller.table.commissioning import asking
from controller.table.commissioning.check import check
from controller.table.commissioning.lines import READY, ReportLine, verdict
from controller.table.commissioning.panel import chain_line
from drivers.chips.sim.board_bank import BoardBank
from drivers.chips.sim.feig_bank import FeigBank
from drivers.chips.sim.simulator import ReaderBank
from drivers.pins.sim.chain import ChainFaults
from drivers.pins.sim.server import SimPinsServer
from drivers.ports import CircleId
from drivers.shoe.codec import encode
from drivers.shoe.sim.line import Pty
from drivers.shoe.sim.model import Pace, ShoeModel
from drivers.shoe.sim.simulator import ShoeSimulator
from tests.repository.house import ROOT
from tests.runtime.child import started, table_file

pytestmark = pytest.mark.serial

HAND = {"method": "hand", "shoe": None}
SIM = {"factory": "sim", "socket": "pins.sock"}
WHOLE = ChainFaults()
PINS_YAML = ROOT / "hardware/pins.yaml"


@pytest.fixture(autouse=True)
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait briefly for a device that stays silent."""
    monkeypatch.setattr(asking, "ANSWER_TIMEOUT_S", 0.8)
    monkeypatch.setattr(asking, "probe", lambda requests: listening(requests, 0.1, 0.1))


@pytest.fixture
def patient(brief: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait long enough for a device that answers on a loaded machine."""
    monkeypatch.setattr(asking, "ANSWER_TIMEOUT_S", 3.0)


listening = asking.probe


def found(file: Path) -> list[ReportLine]:
    return check(load_config(file), lambda _line: None, lambda _text: None, lamp_s=0.0)


def failed(lines: list[ReportLine]) -> list[str]:
    return [f"{line.what}: {line.wrong}" for line in lines if line.wrong]


@contextmanager
def line_that(says: bytes, path: Path, *, echo: bool = False) -> Iterator[str]:
    """Return a wire whose far end sends this, or echoes its input."""
    near, far = os.openpty()
    tty.setraw(far)
    path.symlink_to(os.ttyname(far))
    ended = threading.Event()

    def talk() -> None:
        os.set_blocking(near, False)
        while not ended.wait(0.02):
            try:
                heard = os.read(near, 4096)
            except BlockingIOError:
                heard = b""
            try:
                os.write(near, heard if echo else says)
            except BlockingIOError:
                continue

    thread = threading.Thread(target=talk, daemon=True)
    thread.start()
    try:
        yield str(path)
    finally:
        ended.set()
        thread.join()
        os.close(near)
        os.close(far)


@contextmanager
def header(folder: Path, faults: ChainFaults = WHOLE) -> Iterator[None]:
    """Run a Pi's header with a lamp chain in a thread of its own, because `check` uses this thread's loop."""
    up, ended = threading.Event(), threading.Event()

    async def serve() -> None:
        server = SimPinsServer(folder / "pins.sock", read_pin_map(PINS_YAML))
        server.set_chain_faults(faults)
        await server.start()
        up.set()
        await asyncio.to_thread(ended.wait)
        await server.stop()

    thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
    thread.start()
    assert up.wait(10)
    try:
        yield
    finally:
        ended.set()
        thread.join()


def one_reader(folder: Path, port: str) -> list[ReportLine]:
    return found(table_file(folder, readers={"ports": {1: {"across": port}}}, **HAND))


def test_a_table_without_devices_is_ready_and_nothing_is_made(tmp_path: Path) -> None:
    file = table_file(tmp_path, **HAND)
    assert verdict(found(file)) == READY
    assert sorted(path.name for path in tmp_path.iterdir()) == ["people.yaml", file.name]


# ------------------------------------------------------------------- why a reader was not read


def test_noise_on_a_line_is_no_reader(tmp_path: Path) -> None:
    with line_that(b"\x9a\x03\x00\x7f", tmp_path / "noisy") as port:
        assert failed(one_reader(tmp_path, port))[1].startswith(
            f"unasked: seat 1 across on {port}: unrequested bytes arrive"
        )


def test_what_was_written_coming_back_is_no_reader(tmp_path: Path) -> None:
    with line_that(b"", tmp_path / "bridged", echo=True) as port:
        assert failed(one_reader(tmp_path, port))[1].startswith(
            f"echo: seat 1 across on {port}: what is written comes back as it is: TXD touches RXD"
        )


def test_a_shoe_at_a_readers_port_is_called_a_shoe_and_its_card_is_not_told(tmp_path: Path) -> None:
    with line_that(encode(7, "CARD", ("1", "QH")), tmp_path / "shoe-line") as port:
        lines = one_reader(tmp_path, port)
    assert failed(lines)[1].startswith(f"a shoe: seat 1 across on {port}: a shoe is on that line")
    assert not any("QH" in str(line) for line in lines)


def test_a_reader_at_the_shoes_port_is_called_a_reader(tmp_path: Path) -> None:
    with ReaderBank(tmp_path / "readers", [(1, "across")]) as bank:
        (tmp_path / "shoe").symlink_to(bank.paths()[1, "across"])
        words = failed(found(table_file(tmp_path, method="manual_shoe")))
    assert words == [
        f"shoe on {tmp_path / 'shoe'}: a chip reader answers there: its plug is in the shoe's port"
    ]


def test_a_port_that_another_program_holds(tmp_path: Path) -> None:
    with ReaderBank(tmp_path / "readers", [(1, "across")]) as bank:
        port = bank.paths()[1, "across"]
        with serial.Serial(port, exclusive=True):
            assert failed(one_reader(tmp_path, port))[1].startswith(
                f"held: seat 1 across on {port}: another program"
            )


def test_a_port_that_is_none(tmp_path: Path) -> None:
    words = failed(one_reader(tmp_path, "/dev/null"))
    assert words[1].startswith("no serial port: seat 1 across on /dev/null: that is no serial port")


@pytest.mark.usefixtures("patient")
def test_a_reader_that_answers_and_cannot_tell_its_chips_apart(tmp_path: Path) -> None:
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
def test_a_feig_reader_its_line_and_its_multiplexer(tmp_path: Path, seat_fault: str, words: str) -> None:
    with FeigBank(tmp_path / "feig", [(1, "across"), (1, "down")]) as bank:
        port = bank.paths()[1, "across"]
        readers = {"kind": "feig_mux", "ports": {1: {"across": port, "down": port}}}
        file = table_file(tmp_path, readers=readers, **HAND)
        assert failed(found(file))[1:] == []
        bank.fault_seat(1, seat_fault)
        (line,) = failed(found(file))[1:]
        assert line.startswith(words)
        assert ("(the multiplexer does not answer: look at its supply" in line) == (seat_fault == "mux_gone")


def on_a_board(tmp_path: Path, port: str) -> list[str]:
    readers = {"kind": "seat_board", "ports": {1: {"across": port, "down": port}}}
    return failed(found(table_file(tmp_path, readers=readers, **HAND)))[1:]


@pytest.mark.usefixtures("patient")
def test_behind_a_seat_board_the_reader_is_told_from_the_board(tmp_path: Path) -> None:
    with BoardBank(tmp_path / "boards", [(1, "across"), (1, "down")]) as bank:
        port = bank.paths()[1, "across"]
        assert on_a_board(tmp_path, port) == []
        bank.fault((1, "down"), "silent")
        (words,) = on_a_board(tmp_path, port)
        assert words.startswith(
            f"behind a board: seat 1 down on {port}: the seat board answers, but not this"
        )
        bank.lay((1, "across"), "04A1B2C3", ignores_halt=True)
        told = on_a_board(tmp_path, port)
        assert any("chip 04A1B2C3 answered again after its halt" in each for each in told)
        bank.fault_seat(1, "silent")
        (words,) = on_a_board(tmp_path, port)
        assert words.startswith("silent: all 2 readers: nothing comes back")


def test_a_shoe_at_a_seat_boards_port_is_called_a_shoe_and_its_card_is_not_told(tmp_path: Path) -> None:
    with line_that(encode(7, "CARD", ("1", "QH")), tmp_path / "shoe-line") as port:
        (words,) = on_a_board(tmp_path, port)
    assert words.startswith("a shoe: all 2 readers: a shoe is on that line")
    assert "QH" not in words


def test_what_was_written_to_a_board_coming_back_is_no_board(tmp_path: Path) -> None:
    with line_that(b"", tmp_path / "bridged", echo=True) as port:
        (words,) = on_a_board(tmp_path, port)
    assert words.startswith("echo: all 2 readers")


def test_one_cause_is_one_line_however_many_it_hits(tmp_path: Path) -> None:
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


def test_without_udev_rules_that_is_said_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "NAMES", tmp_path / "no-names")
    monkeypatch.setattr(asking, "RULES", (tmp_path / "99-crisscross.rules",))
    ports = {seat: {"across": f"/dev/crisscross/seat{seat}_across"} for seat in range(1, 7)}
    file = table_file(tmp_path, readers={"ports": ports}, **HAND)
    words = failed(found(file))
    assert words[1].startswith("no rules: all 6 readers: the udev rules are not installed")
    assert len(words) == 2
    (tmp_path / "99-crisscross.rules").touch()
    assert failed(found(file))[1].startswith("nothing plugged in: all 6 readers: the udev rules are there")


@pytest.mark.usefixtures("patient")
def test_readers_that_answer_still_want_a_chip_on_each(tmp_path: Path) -> None:
    """Readers whose plugs are exchanged answer as well, so answers alone do not make the table ready for
    play."""
    circles: list[CircleId] = [(1, "across"), (2, "across")]
    with ReaderBank(tmp_path / "readers", circles) as bank:
        ports = {seat: {wager: str(bank.paths()[seat, wager])} for seat, wager in circles}
        lines = found(table_file(tmp_path, readers={"ports": ports}, **HAND))
    assert failed(lines) == []
    assert "readers: 2 of 2 read their circle" in [line.what for line in lines]
    assert verdict(lines) == "nothing failed; 1 still to be seen by a person"


# --------------------------------------------------------------------------------- the shoe


def test_a_shoe_that_says_nothing_is_named(tmp_path: Path) -> None:
    with line_that(b"", tmp_path / "shoe"):
        (words,) = failed(found(table_file(tmp_path, method="manual_shoe")))
    assert words.startswith(f"shoe on {tmp_path / 'shoe'}: no answer in")


def test_a_shoes_port_that_is_not_there(tmp_path: Path) -> None:
    (words,) = failed(found(table_file(tmp_path, method="manual_shoe")))
    assert words.startswith(f"shoe on {tmp_path / 'shoe'}: there is no such port")


async def test_a_shoe_that_answers_keeps_its_cards_for_the_daemon(tmp_path: Path) -> None:
    shoe = ShoeSimulator(
        ShoeModel(1, mode="SINGLE", pace=Pace.max()), Pty(tmp_path / "shoe"), asyncio.get_running_loop(),
        rng=Random(1),
    )  # fmt: skip
    shoe.start()
    shoe.model.draw()
    waiting = shoe.session.backlog
    file = table_file(tmp_path, method="manual_shoe")
    # the helper receives the output of the command on standard error
    code = (
        "import sys; sys.stdout = sys.stderr\n"
        "from controller.cli import main\nraise SystemExit(main(sys.argv[1:]))"
    )
    async with started(tmp_path, ["-c", code, "check", "--config", str(file)]) as child:
        status = await child.ended()
        words = await child.words()
    assert shoe.session.backlog >= waiting
    shoe.stop()
    assert status == 0, words
    assert f"ok      shoe on {tmp_path / 'shoe'}: " in words


# ------------------------------------------------------------------------ panel, journal, files


def test_lamps_are_lit_dark_again_and_still_to_be_asked_of(tmp_path: Path) -> None:
    with header(tmp_path):
        lines = found(table_file(tmp_path, pins=SIM, **HAND))
    assert failed(lines) == []
    assert [line.what for line in lines if line.todo] == [
        "lamps and keys: every lamp was lit, green and then red, seat 1 to seat 6"
    ]
    chain = [str(line) for line in lines if line.what.startswith("lamp chain")]
    assert chain == ["ok      lamp chain: 11 registers, each frame came back with its own number"]


@pytest.mark.parametrize(
    ("faults", "words"),
    [
        (ChainFaults(dead=True), "nothing but low: has the lamp board its cable and 5 V"),
        (ChainFaults(registers=10), "a chain of 10 registers, and the pin map has 11"),
        (ChainFaults(flipped=(8,)), "1 of 88 bits differ, first register 10 QH: a bad contact or noise"),
    ],
)
def test_a_lamp_chain_that_gives_back_something_else_fails(
    tmp_path: Path, faults: ChainFaults, words: str
) -> None:
    with header(tmp_path, faults):
        (line,) = failed(found(table_file(tmp_path, pins=SIM, **HAND)))
    assert line.startswith("pins: sim: the lamp chain at SPI 0.0, OE on GPIO6, ")
    assert words in line


def test_a_lamp_chain_without_a_way_back_is_noted(tmp_path: Path) -> None:
    text = PINS_YAML.read_text(encoding="utf-8").replace("way_back: true", "way_back: false")
    (tmp_path / "pins.yaml").write_text(text, encoding="utf-8")
    lines = found(table_file(tmp_path, pins={"factory": "mock", "map": "pins.yaml"}, **HAND))
    assert failed(lines) == []
    assert [line.note for line in lines if line.what == "lamp chain"] == [
        "it has no way back (lamps.way_back): a broken chain is not reported"
    ]


def test_a_pin_map_without_outputs_for_the_frame_s_number_is_noted() -> None:
    pins = read_pin_map(PINS_YAML)
    taken = {(7, "across", colour): bit for colour, bit in zip("abc", pins.spare_bits, strict=False)}
    assert "frames carry no number" in chain_line(replace(pins, bits={**pins.bits, **taken})).note


def test_beside_a_daemon_it_leaves_the_devices_alone(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.db")
    lines = found(table_file(tmp_path))
    journal.close()
    assert "is held by a daemon" in lines[-1].wrong
    assert not any("shoe on" in line.what for line in lines)


def test_a_journal_that_is_none_is_named_and_the_devices_are_asked_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "journal.db").write_bytes(b"x" * 5000)
    lines = found(table_file(tmp_path, **HAND))
    assert any("not an SQLite database" in words for words in failed(lines))
    assert any(line.what.startswith("readers: none fitted") for line in lines)


def test_a_pin_map_with_mistakes_is_named(tmp_path: Path) -> None:
    (tmp_path / "pins.yaml").write_text("keys: 1\n", encoding="utf-8")
    with pytest.raises(Mistakes, match=rf"{tmp_path / 'pins.yaml'}:1: keys: "):
        found(table_file(tmp_path, pins={"factory": "mock", "map": "pins.yaml"}, **HAND))


def test_a_port_of_the_pages_that_is_taken_is_named(tmp_path: Path) -> None:
    import socket

    with ExitStack() as held:
        taken = held.enter_context(socket.create_server(("127.0.0.1", 0)))
        port = taken.getsockname()[1]
        file = table_file(tmp_path, **HAND)
        text = (
            file.read_text(encoding="utf-8")
            .replace("port: 0", f"port: {port}")
            .replace("  port_file: port\n", "")
        )
        file.write_text(text, encoding="utf-8")
        assert failed(found(file)) == [
            f"display: 127.0.0.1:{port} is taken by another program: end it, or choose another display.port"
        ]
