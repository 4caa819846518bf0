"""The real driver and scanner report each fault of a seat board and its line, and never a wrong inventory."""

from __future__ import annotations

import os
import pty
import select
import threading
import time
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest

from drivers.chips.board_frames import Lines, encode_frame
from drivers.chips.board_link import BoardLink
from drivers.chips.reader import CircleReader, Garbled, LineError, NoAnswer, TooSlow, Unreadable
from drivers.chips.scanner import ChipScanner
from drivers.chips.seat_board import BoardReader, seat_boards
from drivers.chips.sim.board import SimBoard
from drivers.chips.sim.board_bank import BoardBank
from drivers.chips.sim.field import Antenna
from drivers.chips.sim.pn532 import INSTANT_TIMES
from drivers.ports import CircleId
from tests.drivers.chips.lines import uids
from tests.drivers.chips.test_scanner import Notes, scanning

pytestmark = pytest.mark.serial

CIRCLES: list[CircleId] = [(seat, wager) for seat in (1, 2) for wager in ("ante", "across", "bonus")]
WELCOME = ("WELCOME", "1", "CCT-SEAT", "1", "1.0", "0001", "across")


class Scripted:
    """Seat board with a scripted answer to each request; None stands for no answer."""

    def __init__(self) -> None:
        self._fd, self._far = pty.openpty()
        tty.setraw(self._far)
        self.path = os.ttyname(self._far)
        self.requests: list[bytes] = []
        self.answers: Callable[[str, int, int], bytes | None] = lambda kind, number, again: None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        lines = Lines()
        while True:
            try:
                data = os.read(self._fd, 4096)
            except OSError:
                return
            for frame in lines.feed(data):
                again = self.requests.count(data)
                self.requests.append(data)
                if frame.kind == "HELLO":
                    answer: bytes | None = encode_frame(frame.number, *WELCOME)
                else:
                    answer = self.answers(frame.kind, frame.number, again)
                if answer:
                    os.write(self._fd, answer)

    def close(self) -> None:
        os.close(self._far)
        self._thread.join()
        os.close(self._fd)


@pytest.fixture
def board() -> Iterator[Scripted]:
    scripted = Scripted()
    yield scripted
    scripted.close()


@pytest.fixture
def reader(board: Scripted) -> Iterator[BoardReader]:
    found = BoardReader(BoardLink(board.path), "across", 0.005)
    board.answers = lambda _kind, number, _again: encode_frame(number, "READY", "across", "PN532 1.6")
    found.open(0.2)
    yield found
    found.close()


def chips(number: int, *found: str) -> bytes:
    return encode_frame(number, "CHIPS", "across", "17", "12", " ".join(found))


def test_a_lost_answer_is_requested_again_with_the_same_bytes(board: Scripted, reader: BoardReader) -> None:
    board.answers = lambda _kind, number, again: chips(number, *uids(2)) if again else None
    assert list(reader.inventory(0.2)) == uids(2)
    assert board.requests[-1] == board.requests[-2]


def test_a_late_answer_is_not_taken_for_another_request(board: Scripted, reader: BoardReader) -> None:
    board.answers = lambda _kind, number, _again: chips(number - 1 & 0xFF, *uids(1)) + chips(number)
    assert reader.inventory(0.2) == ()
    assert reader.statistics().stale == 1


def test_a_duplicate_answer_is_used_once(board: Scripted, reader: BoardReader) -> None:
    board.answers = lambda _kind, number, _again: chips(number, *uids(1)) * 2
    assert [reader.inventory(0.2) for _ in range(3)] == [(uids(1)[0],)] * 3
    assert reader.statistics().stale == 2


def test_silence_never_empties_a_circle_and_is_a_lost_line_for_the_whole_seat(
    board: Scripted, reader: BoardReader
) -> None:
    board.answers = lambda *_: None
    with pytest.raises(NoAnswer):
        reader.inventory(0.2)
    with pytest.raises(LineError, match="the board is lost"):
        reader.inventory(0.2)


def test_noise_is_distinguished_from_silence(board: Scripted, reader: BoardReader) -> None:
    board.answers = lambda _kind, number, _again: chips(number, *uids(1)).replace(b"17", b"18")
    with pytest.raises(Garbled):
        reader.inventory(0.2)
    assert reader.statistics().noise > 0


def test_a_busy_board_is_awaited(board: Scripted, reader: BoardReader) -> None:
    def answers(_kind: str, number: int, again: int) -> bytes:
        return chips(number, *uids(1)) if again else encode_frame(number, "BUSY", "across")

    board.answers = answers
    assert list(reader.inventory(0.2)) == uids(1)


def test_a_board_that_stays_busy_is_given_up(
    board: Scripted, reader: BoardReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("drivers.chips.board_link.MAX_TIMEOUT_S", 0.15)
    monkeypatch.setattr("drivers.chips.board_link.BOARD_RETRY_S", 0.02)
    board.answers = lambda _kind, number, _again: encode_frame(number, "BUSY", "across")
    with pytest.raises(NoAnswer):
        reader.inventory(0.2)


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (("CHIPS", "down", "1", "1", ""), Unreadable),
        (("CHIPS", "across", "1", "1", "04AB"), Unreadable),
        (("CHIPS", "across", "1", "1", "04ABCDEF 04ABCDEF"), Unreadable),
        (("CHIPS", "across"), Unreadable),
        (("READY", "across", "PN532 1.6"), Unreadable),
        (("FAULT", "across", "UNSTABLE", "a chip was not halted"), Unreadable),
        (("FAULT", "across", "SLOW", "too many"), TooSlow),
        (("FAULT", "across", "SILENT", "no answer"), NoAnswer),
        (("FAULT", "across", "UNSET", "not set up"), NoAnswer),
        (("REFUSED", "READ", "no such circle"), LineError),
        (("KNOCK", "0002"), LineError),
    ],
)
def test_an_invalid_inventory_is_refused(
    board: Scripted, reader: BoardReader, answer: tuple[str, ...], error: type[Exception]
) -> None:
    board.answers = lambda _kind, number, _again: encode_frame(number, *answer)
    with pytest.raises(error):
        reader.inventory(0.2)


def test_a_port_without_a_board_is_not_opened() -> None:
    with pytest.raises(LineError, match="cannot be opened"):
        BoardReader(BoardLink("/nowhere"), "across", 0.0).open(0.1)


class TakenLine:
    """Lock of a line that another thread takes first each time, for half a second of the clock."""

    def __init__(self, now: list[float]) -> None:
        self._now = now

    def __enter__(self) -> None:
        self._now[0] += 0.5

    def __exit__(self, *_: object) -> None: ...


def test_a_reader_that_waits_for_a_dead_one_on_its_line_is_not_counted_as_slow(
    board: Scripted, reader: BoardReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    circle = CircleReader((1, "across"), reader, lambda: now[0])
    circle.open(0.2)
    board.answers = lambda _kind, number, _again: chips(number, *uids(1))
    monkeypatch.setattr("drivers.chips.board_link.time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr(reader._link, "_lock", TakenLine(now))
    assert list(circle.read().uids) == uids(1)
    assert (now[0], circle.statistics().took_s) == (0.5, 0.0)


# ------------------------------------------------------------------ boards under the scanner


@contextmanager
def scanned(tmp_path: Path) -> Iterator[tuple[BoardBank, ChipScanner, Notes]]:
    with BoardBank(tmp_path, CIRCLES, pace=0.0) as bank:
        scanner, notes = ChipScanner(seat_boards(bank.paths(), 0.0, time.monotonic)), Notes()
        with scanning(scanner, notes, CIRCLES):
            yield bank, scanner, notes


def test_chips_and_their_changes_are_reported(tmp_path: Path) -> None:
    with scanned(tmp_path) as (bank, scanner, notes):
        for circle in CIRCLES:
            notes.until(circle, "chips", [])
        bank.set_chips((2, "across"), uids(3))
        scanner.watch([(2, "across")])
        notes.until((2, "across"), "chips", uids(3))
        bank.take((2, "across"), uids(3)[0])
        notes.until((2, "across"), "chips", uids(3)[1:])
        assert scanner.statistics()[2, "across"].firmware == "PN532 1.6"


def test_no_two_circles_of_a_seat_have_their_field_on_at_one_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fields of two wagers at different seats are not on at one time either, because the Pi assigns the slots
    of all boards."""
    owners: dict[int, CircleId] = {}
    on: set[CircleId] = set()
    wrong: list[set[CircleId]] = []
    switch = Antenna.switch

    def watched(antenna: Antenna, to: bool, now: float) -> None:
        switch(antenna, to, now)
        (on.add if to else on.discard)(owners[id(antenna)])
        if len({wager for _, wager in on}) > 1:
            wrong.append(set(on))

    bank = BoardBank(tmp_path, CIRCLES, pace=0.0)
    for seat, each in bank.boards.items():
        owners.update({id(chip.antenna): (seat, name) for name, chip in each.chips.items()})
    monkeypatch.setattr(Antenna, "switch", watched)
    with bank:
        scanner, notes = ChipScanner(seat_boards(bank.paths(), 0.0, time.monotonic)), Notes()
        scanner.start(notes.sink)
        for laid in (uids(2), uids(1), []):
            bank.set_chips((2, "bonus"), laid)
            notes.until((2, "bonus"), "chips", laid)
        scanner.stop()
    assert not wrong
    assert not on


@pytest.mark.parametrize(
    ("fault", "answer"), [("silent", "silent"), ("die", "silent"), ("noise", "unstable")]
)
def test_a_failed_reader_is_reported_and_its_neighbours_are_read(
    tmp_path: Path, fault: str, answer: str
) -> None:
    with scanned(tmp_path) as (bank, _, notes):
        bank.fault((1, "ante"), fault)
        assert notes.until((1, "ante"), answer).uids == ()
        bank.set_chips((1, "across"), uids(1))
        notes.until((1, "across"), "chips", uids(1))
        bank.clear((1, "ante"))
        bank.set_chips((1, "ante"), uids(2))
        notes.until((1, "ante"), "chips", uids(2))


@pytest.mark.parametrize("fault", ["silent", "unplug"])
def test_a_lost_board_affects_only_its_own_seat(tmp_path: Path, fault: str) -> None:
    with scanned(tmp_path) as (bank, _, notes):
        bank.fault_seat(1, fault)
        for circle in CIRCLES[:3]:
            notes.until(circle, "silent")
        bank.set_chips((2, "ante"), uids(1))
        notes.until((2, "ante"), "chips", uids(1))
        bank.set_chips((1, "ante"), uids(2))
        bank.fault_seat(1, "clear")
        notes.until((1, "ante"), "chips", uids(2))


def test_a_restarted_board_is_set_up_again_and_no_circle_is_reported_as_empty(tmp_path: Path) -> None:
    with scanned(tmp_path) as (bank, scanner, notes):
        for circle in CIRCLES[:3]:
            bank.set_chips(circle, uids(2))
            notes.until(circle, "chips", uids(2))
        opened = {circle: scanner.statistics()[circle].opened for circle in CIRCLES}
        notes.readings.clear()
        bank.restart(1)
        for circle in CIRCLES[:3]:
            notes.wait(partial(again, scanner, circle, opened[circle]), f"{circle} set up again")
            notes.until(circle, "chips", uids(2))
            inventories = [each for each in notes.readings[circle] if each.answer == "chips"]
            assert all(list(each.uids) == uids(2) for each in inventories)
        assert all(scanner.statistics()[circle].opened == opened[circle] for circle in CIRCLES[3:])


def again(scanner: ChipScanner, circle: CircleId, before: int) -> bool:
    return scanner.statistics()[circle].opened > before


@pytest.mark.parametrize("fault", ["split", "duplicate", "drop", "flip", "noise"])
def test_a_bad_line_causes_delays_but_no_wrong_inventory(tmp_path: Path, fault: str) -> None:
    """Every reported inventory has exactly the chips that are there."""
    with scanned(tmp_path) as (bank, _, notes):
        bank.set_chips((1, "ante"), uids(2))
        notes.until((1, "ante"), "chips", uids(2))
        notes.readings.clear()
        bank.fault_seat(1, fault)
        notes.wait(lambda: len(notes.readings.get((1, "ante"), ())) >= 4, "readings")
        inventories = [each for each in notes.readings[1, "ante"] if each.answer == "chips"]
        assert all(list(each.uids) == uids(2) for each in inventories)
        bank.fault_seat(1, "clear")
        bank.set_chips((1, "ante"), uids(1))
        notes.until((1, "ante"), "chips", uids(1))


def test_on_rs_485_each_byte_takes_its_transmission_time(tmp_path: Path) -> None:
    """HELLO and WELCOME have more than 40 bytes together; at 9600 baud each byte takes a millisecond."""
    board = SimBoard(tmp_path / "board", ["middle"], INSTANT_TIMES, 1.0, seed=1, byte_s=10 / 9600)
    board.plug()
    try:
        link = BoardLink(str(board.link))
        begun = time.monotonic()
        link.join("middle", 5.0)
        assert time.monotonic() - begun > 0.04
        link.leave("middle")
    finally:
        board.close()


def test_an_answer_that_arrived_while_the_process_was_stopped_is_read(
    board: Scripted, reader: BoardReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer has arrived before the line is read, but every deadline has passed by then."""
    send = BoardLink._write

    def write(link: BoardLink, data: bytes) -> None:
        send(link, data)
        select.select([link._line().fileno()], [], [], 5.0)

    board.answers = lambda _kind, number, _again: chips(number, *uids(2))
    clock = iter([0.0, 1e6, 1e6, 1e6, 1e6, 1e6])
    monkeypatch.setattr(BoardLink, "_write", write)
    monkeypatch.setattr("drivers.chips.board_link.time", SimpleNamespace(monotonic=lambda: next(clock)))
    assert list(reader.inventory(0.2)) == uids(2)
