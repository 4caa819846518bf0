"""A quick look of a FEIG reader confirms the last inventory only by positive evidence, tried with scripted
bytes.
"""

from __future__ import annotations

import pytest

from drivers.chips.feig import FeigReader
from drivers.chips.feig_frames import request
from drivers.chips.reader import CircleReader, Garbled
from drivers.chips.reading_order import Quick
from tests.drivers.chips.feig_by_hand import Reader, hexed, linked, ok, opened, quick, reader, select, uid

__all__ = ["quick", "reader"]


def alone(number: int) -> bytes:
    """Return the answer of a single chip to an inventory in one slot, with the radio's CRC."""
    return ok(0xBF, b"\x00\x00" + uid(number)[::-1] + b"\x12\x34")


EMPTY = Quick((), alone=True, address=())
NOBODY = ok(0xBF, status=1)


def test_an_empty_circle_is_confirmed_by_one_slot(reader: Reader) -> None:
    chip = opened(reader)
    reader.answers[0xBF] = [NOBODY]
    assert chip.quick(EMPTY, 0.02) == ()
    assert reader.sent == [request(0xBF, bytes.fromhex("010060021F260100"))]


def test_a_look_that_confirms_a_loss_selects_the_output_anew(reader: Reader) -> None:
    """The multiplexer may have lost its supply during the inventory that showed the loss, or during this
    look."""
    chip = opened(reader)
    reader.lay([uid(1)])
    chip.inventory(0.02)
    reader.lay([])
    chip.inventory(0.02)
    reader.sent.clear()
    connected = ok(0xBF, bytes.fromhex("0000770F"))
    reader.answers[0xBF] = [connected, NOBODY, connected]
    assert chip.quick(EMPTY, 0.02) == ()
    assert [reader.sent[0], reader.sent[2]] == [select(3), select(3)]


def test_a_stack_is_confirmed_by_chips_that_acknowledge(reader: Reader) -> None:
    chip = opened(reader)
    reader.answers[0xB0] = [ok(0xB0)]
    look = Quick(hexed([uid(1), uid(2), uid(3)]), alone=False, address=hexed([uid(3), uid(1)]))
    assert chip.quick(look, 0.02) == look.holds
    assert [sent[3:-2] for sent in reader.sent] == [b"\x26\x01" + uid(1), b"\x26\x01" + uid(3)]


@pytest.mark.parametrize("status", [0x01, 0x02, 0x83, 0x84, 0x95])
def test_only_an_acknowledgement_confirms_a_stack(reader: Reader, status: int) -> None:
    chip = opened(reader)
    reader.answers[0xB0] = [ok(0xB0), ok(0xB0, status=status)]
    assert chip.quick(Quick(hexed([uid(1), uid(2)]), False, hexed([uid(1), uid(2)])), 0.02) is None


@pytest.mark.parametrize(
    "answer", [ok(0xBF, status=0x02), ok(0xBF, status=0x83), ok(0xBF), alone(1)[:-4] + b"x"]
)
def test_only_silence_confirms_an_empty_circle(reader: Reader, answer: bytes) -> None:
    chip = opened(reader)
    reader.answers[0xBF] = [answer]
    try:
        assert chip.quick(EMPTY, 0.02) is None
    except Garbled:
        assert answer.endswith(b"x")


def test_a_look_without_evidence_confirms_nothing(reader: Reader) -> None:
    assert opened(reader).quick(Quick(hexed([uid(1)]), False, ()), 0.02) is None
    assert reader.sent == []


def test_a_chip_that_answers_alone_and_in_the_inventory_is_reported_twice(reader: Reader) -> None:
    circle = CircleReader((1, "across"), FeigReader(linked(reader), "across"), lambda: 0.0, 0.02)
    assert circle.open(0.02)
    reader.sent.clear()
    reader.answers[0xBF] = [alone(1)]
    reader.lay([uid(1)])
    assert [found.uids for found in circle.look(EMPTY)] == [hexed([uid(1)])] * 2
    assert [sent[2] for sent in reader.sent] == [0xBF, 0xB0]  # the chip's answer proves which output was read


def test_a_chip_that_answered_before_others_is_never_reported_alone(reader: Reader) -> None:
    circle = CircleReader((1, "across"), FeigReader(linked(reader), "across"), lambda: 0.0, 0.02)
    assert circle.open(0.02)
    reader.answers[0xBF] = [alone(1)]
    reader.lay([uid(1), uid(2)])
    assert [found.uids for found in circle.look(EMPTY)] == [hexed([uid(1), uid(2)])]


def test_a_confirmed_inventory_is_marked(reader: Reader) -> None:
    circle = CircleReader((1, "across"), FeigReader(linked(reader), "across"), lambda: 0.0, 0.02)
    assert circle.open(0.02)
    reader.answers[0xBF] = [NOBODY]
    (found,) = circle.look(EMPTY)
    assert (found.answer, found.uids, found.confirmed) == ("chips", (), True)
    assert not circle.read().confirmed


def test_a_quick_look_that_fails_is_a_failed_reading(reader: Reader) -> None:
    circle = CircleReader((1, "across"), FeigReader(linked(reader), "across"), lambda: 0.0, 0.02)
    assert circle.open(0.02)
    reader.answers[0xBF] = [NOBODY[:-1] + b"\x00"]
    assert [found.answer for found in circle.look(EMPTY)] == ["unstable"]
    reader.answers[0xBF] = [b""]
    assert [found.answer for found in circle.look(EMPTY)] == ["silent"]
