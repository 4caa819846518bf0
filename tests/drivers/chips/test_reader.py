"""The reader of one circle reports the chips or the reason why it cannot read them, and never guesses."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.chips.reader import GRACE_S, CircleReader, LineHealth, NoAnswer
from drivers.chips.reading_order import Quick
from drivers.ports import Inventory
from tests.drivers.chips.lines import ModelSerial, Strike, reader_on, uids, whole

pytestmark = pytest.mark.serial

OPENING = 10
"""ACK and answer to SAMConfiguration, GetFirmwareVersion, retries and field off."""


def prepared(
    laid: Iterable[str],
    strike: Strike = whole,
    max_chips: int = 12,
    timeout_s: float = 0.02,
    clock: Callable[[], float] = time.monotonic,
) -> tuple[ModelSerial, CircleReader]:
    """Return an opened reader over these chips. ``strike`` counts frames from the first reading on."""
    serial = ModelSerial()
    serial.line.antenna.set_chips([bytes.fromhex(uid) for uid in laid], 0.0)
    reader = reader_on(lambda: serial, max_chips, timeout_s, clock)
    assert reader.open(1.0), reader.why
    serial.strike = strike
    serial.sent = 0
    serial.commands.clear()
    return serial, reader


def read_once(laid: Iterable[str], strike: Strike = whole, max_chips: int = 12) -> Inventory:
    serial, reader = prepared(laid, strike, max_chips)
    try:
        return reader.read()
    finally:
        reader.close()
        serial.close()


@pytest.mark.parametrize("count", [0, 1, 2, 3, 6, 12])
def test_every_chip_is_reported(count: int) -> None:
    inventory = read_once(reversed(uids(count)))
    assert (inventory.answer, inventory.uids) == ("chips", tuple(uids(count)))
    assert inventory.began <= inventory.ended


def test_a_slow_reader_is_cut_short_and_skips_its_next_slots() -> None:
    """Each chip delays its answer by a fifth of a second, during which no other reader of the table can
    read."""
    ticks = itertools.count(0, 0.2)
    serial, reader = prepared(uids(12), clock=lambda: next(ticks))
    inventory = reader.read()
    assert (inventory.answer, inventory.uids, reader.state) == ("unstable", (), "sick")
    assert "took over 0.6 s" in inventory.why
    assert reader.unavailable_inventory().answer == "unstable"
    serial.close()


@pytest.mark.parametrize("uid", ["01020304", "04A1B2C3D4E5F6", "04A1B2C3D4E5F6010203"])
def test_uids_of_every_size_are_read(uid: str) -> None:
    assert read_once([uid]).uids == (uid,)


def test_the_field_is_on_only_during_a_reading_and_no_command_is_wasted() -> None:
    serial, reader = prepared(uids(2))
    for _ in range(2):
        serial.commands.clear()
        assert len(reader.read().uids) == 2
        assert serial.commands == [0x32, 0x4A, 0x44, 0x4A, 0x44, 0x4A, 0x32]
        assert not serial.line.antenna.on
    reader.close()


def test_two_chips_with_one_uid_are_read_as_one() -> None:
    assert read_once(["04000000000001"] * 2).uids == ("04000000000001",)


def test_a_chip_that_ignores_the_halt_makes_the_reading_unstable() -> None:
    serial, reader = prepared(["04000000000001"])
    serial.line.antenna.lay(bytes.fromhex("04000000000002"), 0.0, ignores_halt=True)
    inventory = reader.read()
    assert (inventory.answer, inventory.uids) == ("unstable", ())
    assert "04000000000002" in inventory.why
    assert not serial.line.antenna.on
    reader.close()


def test_more_chips_than_can_be_separated_are_unstable() -> None:
    assert read_once(uids(4), max_chips=4).answer == "chips"
    inventory = read_once(uids(5), max_chips=4)
    assert inventory.answer == "unstable"
    assert "more than 4" in inventory.why


# ----------------------------------------------------------- missing replies


@pytest.mark.parametrize("lost", range(OPENING))
def test_opening_fails_if_any_reply_is_missing(lost: int) -> None:
    serial = ModelSerial(lambda number, frame: [] if number == lost else [frame])
    reader = reader_on(lambda: serial)
    assert not reader.open(0.02)
    assert reader.state == "sick"
    assert reader.why
    found = reader.read()
    # noise such as 00 FF 00 FF is an ACK between the zeros of the frames before and after it
    assert found.answer in ("silent", "unstable") or found.uids == uids(1)


READING = 2 * 5
"""Field on, list, deselect, list, field off, for one chip."""


@pytest.mark.parametrize("lost", range(READING))
def test_a_reading_fails_if_nothing_arrives_after_any_frame(lost: int) -> None:
    inventory = read_once(uids(1), lambda number, frame: [] if number >= lost else [frame])
    assert (inventory.answer, inventory.uids) == ("silent", ())
    assert "no answer" in inventory.why


@pytest.mark.parametrize("lost", range(READING))
def test_a_reading_fails_if_one_reply_is_missing(lost: int) -> None:
    serial, reader = prepared(uids(1), lambda number, frame: [] if number == lost else [frame])
    assert reader.read().answer != "chips"
    if reader.state == "sick":
        serial.close()
    else:
        assert reader.read().uids == tuple(uids(1))
    reader.close()


@pytest.mark.parametrize("last", range(READING))
@pytest.mark.parametrize("left", [1, 5, 7])
def test_a_reader_that_dies_during_an_answer_is_reported(last: int, left: int) -> None:
    def strike(number: int, frame: bytes) -> list[bytes]:
        if number > last:
            return []
        return [frame[:left] if number == last else frame]

    assert read_once(uids(1), strike).answer != "chips"


def test_a_reader_unplugged_during_a_reading_reads_again_when_plugged_in() -> None:
    serials = [ModelSerial(), None, ModelSerial()]
    reader = reader_on(lambda: serials.pop(0))
    first = serials[0]
    assert first is not None
    assert reader.open(1.0)
    first.strike = lambda number, frame: first.hang_up() or []
    assert reader.read().answer == "silent"
    assert reader.state == "sick"
    assert not reader.open(1.0)
    assert reader.read().answer == "silent"
    assert reader.open(1.0)
    assert reader.read().answer == "chips"
    assert reader.statistics().opened == 2
    reader.close()


def test_no_circle_is_reported_as_empty_before_the_opening() -> None:
    inventory = reader_on(lambda: None).read()
    assert (inventory.answer, inventory.why) == ("silent", "not opened yet")


class Flapping:
    """Chip driver that always opens. `readings`: whether each reading succeeds; the last value is
    repeated."""

    def __init__(self, *readings: bool) -> None:
        self.readings = list(readings)

    def open(self, _timeout_s: float) -> None: ...

    def rest(self) -> None: ...

    def quiet(self, _timeout_s: float) -> None: ...

    def cancel(self) -> None: ...

    def close(self) -> None: ...

    def inventory(self, _timeout_s: float) -> tuple[str, ...]:
        if not (self.readings.pop(0) if len(self.readings) > 1 else self.readings[0]):
            raise NoAnswer("no answer")
        return ()

    def statistics(self) -> LineHealth:
        return LineHealth("port")


@pytest.mark.parametrize("kind", ["a line of its own", "quick looks"])
def test_a_reader_that_opens_but_cannot_read_stays_out_of_order(kind: str) -> None:
    now = [0.0]
    chip = Flapping(False, False, True, False)
    if kind == "quick looks":
        chip = FlappingQuick(False, False, True, False)
    reader = CircleReader((1, "across"), chip, lambda: now[0])
    for lost_for, out_of_order in ((0.0, False), (GRACE_S, True)):
        now[0] = lost_for
        assert reader.open(0.1)
        assert not reader.out_of_order()  # it is open
        assert [found.answer for found in reader.look(EMPTY)] == ["silent"]
        assert reader.out_of_order() is out_of_order
    assert reader.open(0.1)
    assert [found.answer for found in reader.look(EMPTY)] == ["chips"]
    assert [found.answer for found in reader.look(EMPTY)] == ["silent"]
    assert not reader.out_of_order()


EMPTY = Quick((), alone=True, address=())


class FlappingQuick(Flapping):
    """A flapping reader with quick looks."""

    def quick(self, _look: Quick, timeout_s: float) -> tuple[str, ...] | None:
        return self.inventory(timeout_s)


# ------------------------------------------------------------------- damaged frames


def test_frames_that_arrive_byte_by_byte_are_read() -> None:
    inventory = read_once(uids(3), lambda number, frame: [bytes((byte,)) for byte in frame])
    assert inventory.uids == tuple(uids(3))


@given(st.binary(max_size=20).filter(lambda noise: b"\x00\xff" not in noise + b"\x00"))
@settings(max_examples=40, deadline=None)
def test_noise_between_frames_is_counted_and_ignored(noise: bytes) -> None:
    strike: Strike = lambda number, frame: [noise, frame] if noise else [frame]  # noqa: E731
    _, reader = prepared(uids(2), strike, timeout_s=1.0)
    assert reader.read().uids == tuple(uids(2))
    reader.close()


def test_no_single_damaged_frame_gives_a_wrong_inventory() -> None:
    frames = 2 * 9
    for struck in range(frames):
        for place in range(22):
            for damage in (_lose, _turn, _double):
                reading = read_once(
                    uids(2), lambda n, f, s=struck, p=place, d=damage: [d(f, p) if n == s else f]
                )
                assert reading.answer != "chips" or reading.uids == tuple(uids(2)), (struck, place, damage)


def _lose(frame: bytes, place: int) -> bytes:
    return frame[:place] + frame[place + 1 :]


def _turn(frame: bytes, place: int) -> bytes:
    return frame[:place] + bytes(byte ^ 0x10 for byte in frame[place : place + 1]) + frame[place + 1 :]


def _double(frame: bytes, place: int) -> bytes:
    return frame[: place + 1] + frame[place:]


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_noise_in_place_of_an_answer_never_gives_an_inventory(data: st.DataObject) -> None:
    struck = data.draw(st.integers(0, READING - 1))
    rubbish = data.draw(st.binary(min_size=1, max_size=300))
    serial, reader = prepared(uids(1), lambda number, frame: [rubbish] if number == struck else [frame])
    found = reader.read()
    # 00 FF 00 FF in place of an ACK counts as one: the zeros around it belong to the frames before and after
    # it
    assert found.answer in ("silent", "unstable") or found.uids == tuple(uids(1))
    reader.close()
    serial.close()


def test_an_error_frame_is_an_unstable_reading_and_the_next_one_is_good() -> None:
    serial, reader = prepared(uids(1))
    serial.strike = lambda n, frame: [bytes.fromhex("0000ff01ff7f8100") if n == 3 else frame]
    inventory = reader.read()
    assert inventory.answer == "unstable"
    assert reader.state == "open"
    assert reader.read().uids == tuple(uids(1))
    reader.close()


def test_only_real_readings_are_counted() -> None:
    """A circle reported as silent while its reader was searched for was not read."""
    _, reader = prepared(uids(2))
    assert reader.read().answer == "chips"
    statistics = reader.statistics()
    assert (statistics.readings, statistics.unanswered, statistics.opened, statistics.refused) == (1, 0, 1, 0)
    assert statistics.answered is not None and statistics.took_s is not None and statistics.took_s > 0
    assert statistics.firmware == "PN532 1.6"
    reader.close()
    assert reader.read().answer == "silent"
    for _ in range(5):
        reader.unavailable_inventory()
    statistics = reader.statistics()
    assert (statistics.readings, statistics.unanswered, statistics.unstable) == (1, 1, 0)
    assert statistics.failed is not None and statistics.failed >= statistics.answered


def test_a_failed_set_up_is_counted() -> None:
    reader = reader_on(lambda: None)
    assert not reader.open(0.01)
    statistics = reader.statistics()
    assert (statistics.opened, statistics.refused, statistics.state, statistics.answered) == (
        0,
        1,
        "sick",
        None,
    )
