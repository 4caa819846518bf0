"""The driver finds the speed of a scripted FEIG reader's line, and detects that the reader was restarted."""

from __future__ import annotations

import pytest

from drivers.chips.feig import FeigReader
from drivers.chips.feig_frames import inventory_request, request, select_output
from drivers.chips.reader import NoAnswer
from tests.drivers.chips.feig_by_hand import CHECK, Reader, hexed, linked, opened, quick, reader, uid

__all__ = ["quick", "reader"]

MARK = 100


def test_a_reader_at_the_wanted_speed_is_found_at_once(reader: Reader) -> None:
    chip = FeigReader(linked(reader), "across")
    chip.open(0.02)
    assert reader.sent[0] == request(0x65, address=255)
    assert reader.baudrate == 115200
    assert chip.statistics().firmware == "FEIG 21 0105 at 115200 baud"
    assert chip.statistics().note == ""


def test_a_reader_at_the_delivered_speed_is_found_and_noted(reader: Reader) -> None:
    reader.baud = 38400
    chip = FeigReader(linked(reader), "across")
    chip.open(0.02)
    assert reader.baudrate == 38400
    assert chip.statistics().firmware == "FEIG 21 0105 at 38400 baud"
    assert chip.statistics().note.startswith("the reader's line runs at 38400 baud")
    reader.lay([uid(1), uid(2)])
    assert chip.inventory(0.02) == hexed([uid(1), uid(2)])


def test_the_last_found_speed_is_tried_first(reader: Reader) -> None:
    reader.baud = 38400
    chip = opened(reader)
    chip.close()
    reader.baudrate = 115200  # the speed with which the driver opens a port
    reader.sent.clear()
    chip.open(0.02)
    # identification of the reader, and the test of its mark
    assert [sent[2] for sent in reader.sent].count(0x65) == 2
    assert reader.baudrate == 38400


def test_a_reader_at_neither_speed_is_not_found(reader: Reader) -> None:
    reader.baud = 9600
    with pytest.raises(NoAnswer):
        FeigReader(linked(reader), "across").open(0.02)
    assert reader.closed


def test_the_configuration_of_a_marked_reader_is_not_read_after_a_change(reader: Reader) -> None:
    reader.marks = True
    chip = opened(reader)
    reader.lay([uid(1), uid(2)])
    assert chip.inventory(0.02) == hexed([uid(1), uid(2)])
    assert reader.sent == [
        request(0xBF, select_output(3), MARK),
        request(0xB0, inventory_request(False), MARK),
    ]


@pytest.mark.parametrize("saved", [0, 7, 200])
def test_a_marked_reader_that_restarted_does_not_answer(reader: Reader, saved: int) -> None:
    """A restarted reader has lost its address together with its configuration. If it still answered, it would
    hide chips."""
    reader.marks = True
    reader.saved[1][0] = reader.config[1][0] = saved
    chip = opened(reader)
    assert reader.config[1][0] == (saved + MARK) % 255 != saved
    reader.lay([uid(1)])
    assert chip.inventory(0.02) == hexed([uid(1)])
    reader.config[1][0] = saved
    reader.lay([])
    with pytest.raises(NoAnswer):
        chip.inventory(0.02)


def test_a_mark_left_by_a_killed_daemon_is_found_and_kept(reader: Reader) -> None:
    reader.marks = True
    reader.config[1][0] = MARK
    chip = opened(reader)
    assert reader.config[1][0] == MARK
    assert chip.inventory(0.02) == ()


def test_the_configuration_of_a_reader_without_a_mark_is_read_after_a_change(reader: Reader) -> None:
    chip = opened(reader)
    reader.lay([uid(1), uid(2)])
    assert len(chip.inventory(0.02)) == 2
    assert reader.sent[1:] == [request(0xB0, inventory_request(False)), *CHECK]
