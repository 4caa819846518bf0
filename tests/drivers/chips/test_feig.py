"""The FEIG driver never reports an incomplete inventory, at scripted readers with the bytes of
drivers/chips/FEIG.md.

The tests do without the project's simulator.
"""

from __future__ import annotations

import itertools
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.chips import feig, feig_link
from drivers.chips.feig import LOST_ADDRESSES, FeigReader, feig_readers
from drivers.chips.feig_frames import (
    Answer,
    AnswerSplitter,
    address_chip,
    crc16_mcrf4xx,
    inventory_request,
    request,
    select_output,
)
from drivers.chips.reader import Garbled, LineError, NoAnswer, Unreadable
from tests.drivers.chips.feig_by_hand import (
    CHECK,
    Reader,
    framed,
    hexed,
    linked,
    ok,
    opened,
    quick,
    reader,
    select,
    sets,
    uid,
)

__all__ = ["quick", "reader"]

DEPTHS = range(41)


# -------------------------------------------------------------------------------- bytes


@pytest.mark.parametrize(
    ("body", "crc"),
    [
        (b"123456789".hex(), "916F"),
        ("07FFB00100", "1C56"),  # FIELD 1 of drivers/chips/FEIG.md, a frame sent to real readers
        ("020009FFB00100", "1843"),  # FIELD 2
        ("050069", "49FE"),
    ],
)
def test_the_crc_is_that_of_the_manual(body: str, crc: str) -> None:
    assert crc16_mcrf4xx(bytes.fromhex(body)).hex().upper() == crc


def test_requests_have_the_documented_bytes() -> None:
    assert request(0x69).hex(" ").upper() == "05 00 69 49 FE"
    assert request(0xB0, inventory_request(False)).hex(" ").upper() == "07 00 B0 01 00 CE 93"
    assert request(0xB0, inventory_request(True)).hex(" ").upper() == "07 00 B0 01 80 C6 17"
    wanted = "10 00 BF 02 00 20 02 1F 02 DD FE 00 03 08 8B 97"
    assert request(0xBF, select_output(3)).hex(" ").upper() == wanted


@given(st.data())
def test_answers_of_both_forms_are_found_wherever_the_stream_is_split(data: st.DataObject) -> None:
    bodies = data.draw(st.lists(st.binary(max_size=200), min_size=1, max_size=3))
    forms = data.draw(st.lists(st.booleans(), min_size=len(bodies), max_size=len(bodies)))
    stream = b"".join(ok(0xB0, body, advanced=form) for body, form in zip(bodies, forms, strict=True))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=5)))
    answers = AnswerSplitter()
    found = [
        answer
        for start, end in itertools.pairwise([0, *cuts, len(stream)])
        for answer in answers.feed(stream[start:end])
    ]
    assert found == [Answer(0, 0xB0, 0, body) for body in bodies]
    assert (answers.noise, answers.pending) == (0, 0)


@given(st.binary(max_size=300), st.integers(0, 10_000), st.integers(1, 255))
def test_a_changed_byte_never_gives_another_answer(body: bytes, at: int, change: int) -> None:
    whole = bytearray(ok(0xB0, body[:249]))
    whole[1 + at % (len(whole) - 1)] ^= change
    assert AnswerSplitter().feed(bytes(whole)) == []


# ------------------------------------------------------------------------------ readings


def test_each_inventory_selects_its_output(reader: Reader) -> None:
    """If the supply of a multiplexer fails for a moment, the multiplexer is connected to no circle and its
    reader finds no chip."""
    link = linked(reader)
    middle, down = FeigReader(link, "middle"), FeigReader(link, "down")
    for chip in (middle, down):
        chip.open(0.02)
    reader.sent.clear()
    for chip in (middle, middle, down):
        assert chip.inventory(0.02) == ()
    whole = request(0xB0, inventory_request(False))
    assert reader.sent == [select(5), whole, select(5), whole, select(4), whole]


@pytest.mark.parametrize("a_frame", [1, 7, 24, 100])
@pytest.mark.parametrize("advanced", [False, True])
def test_an_inventory_is_complete_for_any_number_of_chips(
    reader: Reader, a_frame: int, advanced: bool
) -> None:
    chip = opened(reader)
    for depth in DEPTHS:
        uids = [uid(number) for number in range(depth)]
        reader.lay(uids, a_frame, advanced=advanced)
        assert chip.inventory(0.02) == hexed(uids)


@given(depth=st.integers(1, 40), a_frame=st.integers(1, 41), lost=st.integers(0, 40), how=st.integers(0, 2))
def test_an_inventory_that_loses_a_frame_is_not_reported(
    depth: int, a_frame: int, lost: int, how: int
) -> None:
    """A frame that is lost, damaged or replaced by "no chip" must never lead to fewer chips or to none."""
    with closing(Reader()) as reader, reader.host, reader.device:
        chip = opened(reader)
        reader.lay([uid(number) for number in range(depth)], a_frame)
        frames = reader.answers[0xB0]
        at = lost % len(frames)
        broken = bytes((*frames[at][:-1], frames[at][-1] ^ 1))
        frames[at] = (b"", broken, ok(0xB0, status=1 if at else 0x83))[how]
        with pytest.raises((Unreadable, Garbled)):
            chip.inventory(0.02)


@pytest.mark.parametrize("status", [0x02, 0x83, 0x84, 0x95, 0x80, 0x11])
def test_any_other_status_fails_the_reading(reader: Reader, status: int) -> None:
    chip = opened(reader)
    reader.answers[0xB0] = [ok(0xB0, b"\x0f" if status == 0x95 else b"", status)]
    with pytest.raises(Unreadable, match=f"the reader says {status:02X}"):
        chip.inventory(0.02)


def test_a_circle_is_empty_only_if_the_reader_still_wakes_all_chips(reader: Reader) -> None:
    """With ONT 0 the reader resets its field before each inventory and so wakes all chips. The driver checks
    that ONT and all other values are still as required."""
    chip = opened(reader)
    reader.lay([uid(1)])
    assert chip.inventory(0.02) == hexed([uid(1)])
    reader.sent.clear()
    reader.lay([])
    assert chip.inventory(0.02) == ()
    addressed = [request(0xB0, address_chip(hexed([uid(1)])[0]))] * LOST_ADDRESSES
    whole = request(0xB0, inventory_request(False))
    assert reader.sent == [select(3), whole, select(3), *addressed, *CHECK]


@pytest.mark.parametrize("inventories", [1, 2])
def test_a_missing_chip_that_answers_its_number_is_not_gone(reader: Reader, inventories: int) -> None:
    """A table believes a loss that two successive inventories show. In both of them the driver therefore
    addresses the chips that were there before."""
    chip = opened(reader)
    reader.lay([uid(1), uid(2)])
    assert len(chip.inventory(0.02)) == 2
    none = ok(0xB0, status=1)
    reader.answers[0xB0] = [none] * (1 + LOST_ADDRESSES) * (inventories - 1) + [none, none, ok(0xB0)]
    for _ in range(inventories - 1):
        assert chip.inventory(0.02) == ()
    with pytest.raises(Unreadable, match="edge of the field"):
        chip.inventory(0.02)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (sets([uid(1), uid(1)]), "twice"),
        (sets([bytes.fromhex("10325400500104E0")]), "not one of ISO/IEC 15693"),
        (b"\x01\x0a\x00" + uid(1), "not one of ISO/IEC 15693"),
        (sets([uid(1)])[:-1], "not the announced number"),
        (b"\x02" + sets([uid(1)])[1:], "not the announced number"),
        (b"\x00", "not the announced number"),
        (b"", "not the announced number"),
    ],
)
def test_an_inconsistent_inventory_is_refused(reader: Reader, data: bytes, words: str) -> None:
    chip = opened(reader)
    reader.answers[0xB0] = [ok(0xB0, data)]
    with pytest.raises(Unreadable, match=words):
        chip.inventory(0.02)


def test_endless_more_data_is_cut_off(reader: Reader) -> None:
    chip = opened(reader)
    reader.answers[0xB0] = [ok(0xB0, sets([uid(number)]), 0x94) for number in range(200)]
    with pytest.raises(Unreadable, match="more than 100 chips"):
        chip.inventory(0.02)


@pytest.mark.parametrize("answer", [framed(b"\x01\xb0\x01"), ok(0xBF, status=1), ok(0x69)])
def test_an_answer_to_another_request_is_rejected(reader: Reader, answer: bytes) -> None:
    chip = opened(reader)
    reader.answers[0xB0] = [answer]
    with pytest.raises(Garbled, match="the answer is of reader"):
        chip.inventory(0.02)
    assert chip.statistics().stale == 1


def test_a_late_answer_is_not_reported_for_another_circle(reader: Reader) -> None:
    """The inventory of one circle arrives after its timeout. It must not be taken for the inventory of the
    next circle."""
    link = linked(reader)
    across, down = FeigReader(link, "across"), FeigReader(link, "down")
    across.open(0.02)
    down.open(0.02)
    reader.answers[0xB0] = [b"", ok(0xB0, status=1)]
    with pytest.raises(Unreadable, match="no inventory within"):
        across.inventory(0.02)
    reader.device.send(ok(0xB0, sets([uid(1)])))
    assert down.inventory(0.02) == ()
    # an answer can also arrive while the multiplexer is queried
    reader.answers[0xBF] = [ok(0xB0, sets([uid(1)])) + ok(0xBF, bytes(4)), ok(0xBF, bytes(4))]
    with pytest.raises(Garbled):
        across.inventory(0.02)


def test_a_dead_reader_is_silent_and_one_that_stops_during_a_reading_is_unstable(reader: Reader) -> None:
    chip = opened(reader)
    reader.answers[0xB0] = [b""]
    with pytest.raises(Unreadable):
        chip.inventory(0.02)
    reader.answers[0xBF] = [b""]
    with pytest.raises(NoAnswer):
        chip.inventory(0.02)
    assert reader.closed
    with pytest.raises(LineError, match="the reader is lost"):
        chip.inventory(0.02)


def test_a_garbled_answer_does_not_close_the_line(reader: Reader) -> None:
    chip = opened(reader)
    reader.answers[0xB0] = [ok(0xB0, sets([uid(1)]))[:-1] + b"\x00", ok(0xB0, status=1)]
    with pytest.raises(Garbled):
        chip.inventory(0.02)
    chip.quiet(0.02)
    assert chip.inventory(0.02) == ()


def test_a_restarted_reader_that_switches_the_multiplexer_itself_is_detected(reader: Reader) -> None:
    reader.config[15][0] = 0x01
    chip = opened(reader)
    reader.config[15][0] = 0x01
    reader.lay([uid(1)])  # a chip at the next output
    with pytest.raises(LineError, match="the reader was restarted: CFG15 byte 0 is 01"):
        chip.inventory(0.02)


def test_a_reader_restarted_after_a_restart_of_the_daemon_alone_is_detected(reader: Reader) -> None:
    """The second start of the daemon finds every value in RAM as required. CFG5 is saved in the EEPROM as
    well, so it does not show a restart of the reader."""
    reader.config[15][0] = 0x01
    opened(reader).close()
    chip = opened(reader)
    reader.config[15][0] = 0x01
    reader.lay([uid(1)])  # a chip at the next output
    with pytest.raises(LineError, match="the reader was restarted: CFG15 byte 0 is 01"):
        chip.inventory(0.02)


def test_an_optional_setting_that_a_reader_lacks_shows_no_restart(reader: Reader) -> None:
    reader.lacks = {15}
    reader.config[15][0] = 0x01
    chip = opened(reader)
    reader.lay([uid(1)])
    assert len(chip.inventory(0.02)) == 1


# --------------------------------------------------------------------------- multiplexer


def test_a_missing_multiplexer_is_named(reader: Reader) -> None:
    reader.answers[0xBF] = [ok(0xBF, status=1)]
    with pytest.raises(Unreadable, match="the multiplexer does not answer"):
        opened(reader)
    assert reader.closed


def test_a_refused_output_fails_the_reading(reader: Reader) -> None:
    link = linked(reader)
    chip, other = FeigReader(link, "across"), FeigReader(link, "down")
    for each in (chip, other):
        each.open(0.02)
    reader.answers[0xBF] = [ok(0xBF, bytes.fromhex("00110000"))]
    with pytest.raises(Unreadable, match="the multiplexer refuses output 3"):
        chip.inventory(0.02)


def test_circles_have_fixed_outputs_and_share_their_seat_s_line() -> None:
    chips = feig_readers({(1, "down"): "a", (1, "middle"): "a", (2, "down"): "b"}, 0.0, lambda: 0.0)
    assert [chips[circle].statistics().port for circle in chips] == ["a", "a", "b"]
    assert list(feig.OUTPUT_OF.values()) == [1, 2, 3, 4, 5, 6, 7]


# ------------------------------------------------------------------------- configuration


@pytest.mark.parametrize(
    ("block", "byte", "found", "set_to"),
    [(5, 11, 0x05, 0x04), (5, 11, 0x00, 0x04), (4, 4, 0x2B, 0x0B), (3, 1, 0x40, 0x48), (15, 0, 0x03, 0x02)],
)
def test_differing_values_are_set_in_ram(
    reader: Reader, block: int, byte: int, found: int, set_to: int
) -> None:
    reader.config[block][byte] = found
    before = bytes(reader.config[block])
    chip = FeigReader(linked(reader), "across")
    chip.open(0.02)
    after = bytes(reader.config[block])
    assert (after[byte], after[:byte], after[byte + 1 :]) == (set_to, before[:byte], before[byte + 1 :])
    written = [sent for sent in reader.sent if sent[2] == 0x81]
    assert [sent[3] for sent in written] == [block, 1]  # RAM: bit 7 is not set; the address is in block 1


def test_a_reader_in_another_mode_is_refused_with_a_remedy(reader: Reader) -> None:
    reader.config[1][13] = 0x80
    with pytest.raises(Unreadable, match="CFG1 byte 13 is 80: another mode than host mode: set it to 00"):
        opened(reader)
    assert not any(sent[2] in (0x81, 0xB0) for sent in reader.sent)


def test_missing_optional_blocks_are_accepted(reader: Reader) -> None:
    del reader.config[3], reader.config[15]
    assert opened(reader).inventory(0.02) == ()
    del reader.config[5]
    with pytest.raises(Unreadable, match="CFG5 cannot be read: the reader says 15"):
        opened(reader)


def test_a_restarted_reader_does_not_empty_its_circles(reader: Reader) -> None:
    """The reader has lost the anticollision setting in RAM and may report "no chip" for two chips."""
    chip = opened(reader)
    reader.lay([uid(1), uid(2)])
    assert len(chip.inventory(0.02)) == 2
    reader.config[5][11] = 0x01
    reader.lay([])
    with pytest.raises(LineError, match="the reader was restarted: CFG5 byte 11 is 01"):
        chip.inventory(0.02)


def test_the_last_circle_switches_the_field_off(reader: Reader) -> None:
    link = linked(reader)
    across, down = FeigReader(link, "across"), FeigReader(link, "down")
    for chip in (across, down):
        chip.open(0.02)
    across.close()
    across.close()
    assert not reader.closed
    down.close()
    assert reader.closed
    assert reader.sent[-1] == request(0x6A, b"\x00")


def test_every_wait_is_short_once_the_table_stops(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    chip = opened(reader)
    chip.cancel()
    monkeypatch.setattr(feig_link, "SHORT_TIMEOUT_S", 0.0)
    monkeypatch.setattr(feig, "INVENTORY_TIMEOUT_S", 60.0)
    reader.answers[0xB0] = reader.answers[0xBF] = [b""]
    with pytest.raises(NoAnswer):
        chip.inventory(60.0)
