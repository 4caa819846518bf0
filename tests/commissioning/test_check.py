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

from controller.common.files.mistakes import Mistakes
from controller.record.journal.journal import Journal
from controller.settings.config import load_config
from controller.settings.pin_map import read_pin_map
from controller.table.commissioning import asking
from controller.table.commissioning.check import check_table
from controller.table.commissioning.lines import READY, ReportLine, verdict
from controller.table.commissioning.panel import chain_line
from drivers.pins.sim.chain import ChainFaults
from drivers.pins.sim.server import SimPinsServer
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
    """Shorten the wait for a device that stays silent."""
    monkeypatch.setattr(asking, "ANSWER_TIMEOUT_S", 0.8)
    monkeypatch.setattr(asking, "probe", lambda requests: listening(requests, 0.1, 0.1))


@pytest.fixture
def patient(brief: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lengthen the wait for the tests with devices that answer, because a loaded machine delays them."""
    monkeypatch.setattr(asking, "ANSWER_TIMEOUT_S", 3.0)


listening = asking.probe


def found(file: Path, lamp_s: float = 0.0) -> list[ReportLine]:
    return check_table(load_config(file), lambda _line: None, lambda _text: None, lamp_s=lamp_s)


def failed(lines: list[ReportLine]) -> list[str]:
    return [f"{line.what}: {line.wrong}" for line in lines if line.wrong]


@contextmanager
def line_that(answer: bytes, path: Path, *, echo: bool = False) -> Iterator[str]:
    """Yield the path of a line whose other end sends `answer`, or echoes its input."""
    near, far = os.openpty()
    tty.setraw(far)
    path.symlink_to(os.ttyname(far))
    ended = threading.Event()

    def talk() -> None:
        os.set_blocking(near, False)
        while not ended.wait(0.02):
            try:
                received = os.read(near, 4096)
            except BlockingIOError:
                received = b""
            try:
                os.write(near, received if echo else answer)
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
    """Run a Pi's header with a lamp chain in a separate thread, because `check_table` uses this thread's
    loop."""
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


def test_a_table_without_devices_is_ready_and_no_file_is_written(tmp_path: Path) -> None:
    file = table_file(tmp_path, **HAND)
    assert verdict(found(file)) == READY
    assert sorted(path.name for path in tmp_path.iterdir()) == ["people.yaml", file.name]


# --------------------------------------------------------------------------------- the shoe


def test_a_silent_shoe_is_named(tmp_path: Path) -> None:
    with line_that(b"", tmp_path / "shoe"):
        (words,) = failed(found(table_file(tmp_path, method="manual_shoe")))
    assert words.startswith(f"shoe on {tmp_path / 'shoe'}: no answer in")


def test_a_missing_port_of_the_shoe_is_named(tmp_path: Path) -> None:
    (words,) = failed(found(table_file(tmp_path, method="manual_shoe")))
    assert words.startswith(f"shoe on {tmp_path / 'shoe'}: there is no such port")


@pytest.mark.parametrize("kind", ["shoe", "reader"])
def test_a_port_that_cannot_be_looked_up_is_named(tmp_path: Path, kind: str) -> None:
    port = str(tmp_path / ("x" * 300))
    if kind == "shoe":
        lines = found(table_file(tmp_path, shoe={"port": port}, method="manual_shoe"))
    else:
        lines = one_reader(tmp_path, port)
    assert "that is no serial port" in failed(lines)[-1]


def test_two_names_of_one_adapter_are_one_line_with_both_entries(tmp_path: Path) -> None:
    with line_that(b"", tmp_path / "adapter"):
        for name in ("a", "b"):
            (tmp_path / name).symlink_to("adapter")
        ports = {1: {"across": str(tmp_path / "a"), "down": str(tmp_path / "b")}}
        lines = failed(found(table_file(tmp_path, readers={"ports": ports}, **HAND)))
    (words,) = [line for line in lines if line.startswith("named twice: ")]
    for entry, name in (("across", "a"), ("down", "b")):
        assert f"readers.ports.1.{entry} ({tmp_path / name})" in words
    assert not any(line.startswith("held: ") for line in lines)


async def test_a_shoe_that_answers_keeps_its_cards_for_the_daemon(tmp_path: Path) -> None:
    shoe = ShoeSimulator(
        ShoeModel(1, mode="SINGLE", pace=Pace.max()), Pty(tmp_path / "shoe"), asyncio.get_running_loop(),
        rng=Random(1),
    )  # fmt: skip
    shoe.start()
    shoe.model.draw()
    waiting = shoe.session.backlog
    file = table_file(tmp_path, method="manual_shoe")
    # the command prints to standard error, which the helper returns
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


def test_lamps_are_lit_and_darkened_and_still_need_a_person(tmp_path: Path) -> None:
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
def test_a_lamp_chain_with_wrong_read_back_fails(tmp_path: Path, faults: ChainFaults, words: str) -> None:
    with header(tmp_path, faults):
        # each lamp is lit only for a moment, because the header shows its faults within the first frames
        (line,) = failed(found(table_file(tmp_path, pins=SIM, **HAND), lamp_s=0.005))
    assert line.startswith("pins: sim: the lamp chain at SPI 0.0, OE on GPIO6, ")
    assert words in line


def test_a_lamp_chain_without_read_back_is_noted(tmp_path: Path) -> None:
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


def test_the_check_does_not_use_devices_of_a_running_daemon(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.db")
    lines = found(table_file(tmp_path))
    journal.close()
    assert "is held by a daemon" in lines[-1].wrong
    assert not any("shoe on" in line.what for line in lines)


def test_an_invalid_journal_is_named_and_the_devices_are_checked(tmp_path: Path) -> None:
    (tmp_path / "journal.db").write_bytes(b"x" * 5000)
    lines = found(table_file(tmp_path, **HAND))
    assert any("not an SQLite database" in words for words in failed(lines))
    assert any(line.what.startswith("readers: none fitted") for line in lines)


def test_a_pin_map_with_mistakes_is_named(tmp_path: Path) -> None:
    (tmp_path / "pins.yaml").write_text("keys: 1\n", encoding="utf-8")
    with pytest.raises(Mistakes, match=rf"{tmp_path / 'pins.yaml'}:1: keys: "):
        found(table_file(tmp_path, pins={"factory": "mock", "map": "pins.yaml"}, **HAND))


def test_an_occupied_port_of_the_pages_is_named(tmp_path: Path) -> None:
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
