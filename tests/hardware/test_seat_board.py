"""The seat board's firmware, run by CPython, turns requests into PN532 frames on a simulated SPI bus, and
their answers into its own.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.chips.board_frames import Lines, decode_frame, encode_frame
from drivers.chips.board_link import BOARD_RETRY_S, MAX_TIMEOUT_S, READ_TIMEOUT_S
from hardware.seat_board import link, spi
from hardware.seat_board.board import BUSY_INTERVAL_US
from hardware.seat_board.reading import BUDGET_US, MAX_CHIPS, Unstable, uid_of
from tests.drivers.chips.lines import uids
from tests.hardware.seat import CIRCLES, HELLO, Seat, ready
from tests.repository import pages
from tests.repository.house import ROOT

HERE, THERE = CIRCLES
FIRMWARE = Path(link.__file__).parent
CIRCUITPYTHON = {"binascii", "board", "busio", "digitalio", "microcontroller", "os", "storage", "supervisor"}
CIRCUITPYTHON |= {"time", "usb_cdc", "watchdog"}
CIRCUITPYTHON |= {"adafruit_bus_device.spi_device", "adafruit_pn532.adafruit_pn532"}
text = st.text(st.characters(min_codepoint=32, max_codepoint=126, exclude_characters="$*,"), min_size=1)


def test_the_board_answers_a_greeting_with_its_circles() -> None:
    assert Seat().ask(*HELLO) == ("WELCOME", "1", "CCT-SEAT", "0001", "1.0", "5F2C", " ".join(CIRCLES))


def test_without_a_greeting_requests_are_ignored() -> None:
    seat = Seat()
    assert seat.ask("SETUP", HERE, "5") == ("KNOCK", "5F2C")
    assert seat.ask("HELLO", "2", "test") == ("REFUSED", "HELLO", "this board speaks version 1")
    assert seat.ask("READ", HERE) == ("KNOCK", "5F2C")


@pytest.mark.parametrize(
    ("request_", "why"),
    [
        (("READ", "nowhere"), "no such circle"),
        (("DANCE", HERE), "no such request"),
        (("READ",), "no such request"),
        (("SETUP", HERE, "fast"), "milliseconds from 0 to 100"),
        (("SETUP", HERE, "101"), "milliseconds from 0 to 100"),
    ],
)
def test_an_unknown_request_is_refused_with_a_reason(request_: tuple[str, ...], why: str) -> None:
    assert ready().ask(*request_) == ("REFUSED", request_[0], why)


def test_a_reading_names_every_chip_and_leaves_the_field_off() -> None:
    seat = ready()
    for count in (0, 1, 12):
        seat.lay(HERE, *uids(count))
        kind, circle, began, took, found = seat.ask("READ", HERE)
        assert (kind, circle, found.split()) == ("CHIPS", HERE, uids(count))
        assert began.isdigit()
        assert took.isdigit()
        assert seat.fields() == []


def test_a_circle_that_was_not_set_up_is_not_reported_as_empty() -> None:
    seat = Seat()
    seat.ask(*HELLO)
    assert seat.ask("READ", HERE) == ("FAULT", HERE, "UNSET", "not set up")


@pytest.mark.parametrize("fault", ["silent", "unplug", "die", "late"])
def test_a_reader_without_an_answer_is_silent_and_never_empty(fault: str) -> None:
    seat = ready()
    seat.chips[HERE].wire.set(fault)
    assert seat.ask("READ", HERE)[:3] in (("FAULT", HERE, "SILENT"), ("FAULT", HERE, "UNSTABLE"))
    assert seat.fields() == []
    assert seat.ask("READ", THERE)[0] == "CHIPS"


@pytest.mark.parametrize("fault", ["noise", "flip", "drop"])
def test_garbled_answers_give_no_inventory_and_the_reader_recovers(fault: str) -> None:
    seat = ready()
    seat.lay(HERE, *uids(3))
    seat.chips[HERE].wire.set(fault)
    answers = [seat.ask("READ", HERE) for _ in range(8)]
    assert all(answer[4].split() == uids(3) for answer in answers if answer[0] == "CHIPS")
    assert any(answer[0] == "FAULT" for answer in answers)
    assert seat.fields() == []
    seat.chips[HERE].wire.set("clear")
    seat.ask("SETUP", HERE, "0")
    assert seat.ask("READ", HERE)[4].split() == uids(3)


def test_a_field_that_cannot_be_switched_off_is_ended_by_the_reset_line() -> None:
    seat = ready()
    chip = seat.chips[HERE]
    transfer, answered = chip.transfer, 0

    def dies(out: bytes) -> bytes:
        nonlocal answered
        answered += chip.antenna.on
        if answered == 3:
            chip.wire.set("silent")
        return transfer(out)

    chip.transfer = dies  # type: ignore[method-assign]
    assert seat.ask("READ", HERE)[2] == "SILENT"
    assert answered >= 3
    assert seat.fields() == []


def test_a_chip_that_ignores_its_halt_makes_the_reading_unstable() -> None:
    seat = ready()
    seat.chips[HERE].antenna.lay(bytes.fromhex(uids(1)[0]), 0.0, ignores_halt=True)
    assert seat.ask("READ", HERE)[:3] == ("FAULT", HERE, "UNSTABLE")


def test_more_chips_than_can_be_separated_give_no_inventory() -> None:
    seat = ready()
    seat.lay(HERE, *uids(13))
    assert seat.ask("READ", HERE)[:3] == ("FAULT", HERE, "UNSTABLE")


def test_a_repeated_request_is_answered_again_but_carried_out_once() -> None:
    seat = ready()
    request_ = encode_frame(0x77, "READ", HERE)
    first = seat.exchange(request_)
    seat.lay(HERE, *uids(1))
    assert seat.exchange(request_) == first
    assert seat.exchange(encode_frame(0x78, "READ", HERE))[-1].fields[3] == uids(1)[0]


def test_a_greeting_holds_every_reader_until_it_is_set_up() -> None:
    seat = ready()
    seat.ask(*HELLO)
    assert seat.ask("READ", HERE)[2] == "UNSET"


def test_a_long_reading_reports_that_it_continues(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.seat_board.board.BUSY_INTERVAL_US", 0)
    seat = ready()
    seat.lay(HERE, *uids(2))
    kinds = [frame.kind for frame in seat.exchange(encode_frame(0x55, "READ", HERE))]
    assert kinds == ["BUSY"] * 6 + ["CHIPS"]


def test_a_reading_that_takes_too_long_is_aborted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.seat_board.reading.BUDGET_US", -1)
    seat = ready()
    seat.lay(HERE, *uids(2))
    assert seat.ask("READ", HERE)[:3] == ("FAULT", HERE, "SLOW")
    assert seat.fields() == []


def test_overlapping_answers_on_the_bus_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A chip select is stuck low, so the answers of two readers overlap and are garbled."""
    seat = ready()
    monkeypatch.setattr(seat.chips[THERE].select, "value", False)
    seat.lay(HERE, *uids(1))
    answers = [seat.ask("READ", HERE) for _ in range(3)]
    assert all(answer[0] == "FAULT" or answer[4].split() == uids(1) for answer in answers)


# ------------------------------------------------------------------ the link


def test_the_check_sum_is_that_of_the_shoe_s_link() -> None:
    assert f"{link.crc16(b'123456789'):04X}" == "29B1"


@given(number=st.integers(0, 255), kind=text, fields=st.lists(text, max_size=4))
@settings(max_examples=50, deadline=None)
def test_both_ends_read_what_the_other_writes(number: int, kind: str, fields: list[str]) -> None:
    mine, theirs = encode_frame(number, kind, *fields), link.encode(number, kind, tuple(fields))
    assert mine == theirs
    if len(mine) <= link.MAX_FRAME_BYTES:
        assert link.decode(mine.rstrip()) == (number, kind, fields)
        found = decode_frame(mine.rstrip())
        assert found is not None
        assert (found.number, found.kind, list(found.fields)) == (number, kind, fields)


@given(data=st.binary(max_size=80), at=st.integers(0, 40), bit=st.integers(0, 7))
@settings(max_examples=100, deadline=None)
def test_noise_and_a_flipped_bit_are_not_a_request(data: bytes, at: int, bit: int) -> None:
    good = encode_frame(0x12, "READ", HERE)
    flipped = bytearray(good)
    flipped[at % (len(good) - 2)] ^= 1 << bit
    seat = Seat()
    assert [frame.kind for frame in seat.exchange(data + b"\n" + bytes(flipped) + b"\n")] == []
    assert [frame.kind for frame in seat.exchange(good)] == ["KNOCK"]
    assert Lines().feed(bytes(flipped)) == []


@given(st.binary(min_size=1, max_size=40))
def test_a_listing_gives_a_uid_no_chip_or_an_invalid_answer(answer: bytes) -> None:
    try:
        uid = uid_of(answer)
    except Unstable:
        return
    assert uid is None or len(uid) in (8, 14, 20)


TO_BOARD = {"HELLO", "SETUP", "READ"}
FROM_BOARD = {"WELCOME", "READY", "CHIPS", "BUSY", "FAULT", "REFUSED", "KNOCK"}


@pytest.mark.parametrize(("mark", "kinds"), [("to_board", TO_BOARD), ("from_board", FROM_BOARD)])
def test_the_page_of_the_link_has_every_frame_and_good_examples(mark: str, kinds: set[str]) -> None:
    rows = pages.rows(pages.blocks(ROOT / "hardware/seat_board/LINK.md")[mark])
    assert {pages.words(row[0])[0] for row in rows} == kinds
    for form, _, example in rows:
        frame = link.decode(example.strip("`").encode())
        assert frame is not None, example
        assert (frame[1], len(frame[2])) == (pages.words(form)[0], form.count(",")), example
    assert kinds <= set((FIRMWARE / "board.py").read_text(encoding="utf-8").split('"'))


def test_the_times_on_the_page_of_the_link_are_those_of_the_firmware() -> None:
    page = pages.text(ROOT / "hardware/seat_board/LINK.md")
    for words in (
        f"once {BUSY_INTERVAL_US // 1000} ms have passed",
        f"again after {BOARD_RETRY_S * 1000:.0f} ms without a frame",
        f"After {READ_TIMEOUT_S * 1000:.0f} ms, or {MAX_TIMEOUT_S:.0f} s in all",
        f"did not answer within {spi.ANSWER_TIMEOUT_S * 1000:.0f} ms",
        f"took over {BUDGET_US // 1000} ms",
        f"more than {MAX_CHIPS}",
        f"At most {link.MAX_FRAME_BYTES} bytes",
    ):
        assert words in " ".join(page.split()), words


@pytest.mark.parametrize("file", sorted(FIRMWARE.glob("*.py")), ids=lambda file: file.name)
def test_the_firmware_uses_what_circuitpython_has(file: Path) -> None:
    """The firmware imports only what CircuitPython has, apart from modules for types."""
    guarded = set[ast.AST]()
    wanted = []
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Try) and "ImportError" in ast.unparse(node.handlers[0]):
            guarded |= set(node.body)
        if isinstance(node, ast.Import) and node not in guarded:
            wanted += [alias.name for alias in node.names]
        if isinstance(node, ast.ImportFrom) and node not in guarded and not node.level:
            wanted.append(node.module or "")
    assert {name for name in wanted if not name.startswith("seat_board")} <= CIRCUITPYTHON
