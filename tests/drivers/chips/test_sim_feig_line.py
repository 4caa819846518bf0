"""The serial line of the simulated FEIG reader has the device's faults and timing, tried with bytes written
by hand.
"""

from __future__ import annotations

from itertools import pairwise

import pytest

from drivers.chips.feig_frames import request
from drivers.chips.sim.feig_bank import outputs
from drivers.chips.sim.feig_line import FeigLine
from drivers.chips.sim.x25 import crc16_x25
from tests.drivers.chips.test_sim_feig import INVENTORY, ONT_ON, RF_RESET, UIDS, data_sets
from tests.drivers.chips.virtual import VirtualTable


def line_with(kind: str, output: int | None = None) -> FeigLine:
    line = FeigLine(None, 0.0, seed=1)
    for number, text in enumerate(
        (ONT_ON, "00 81 0F" + " 00" * 14, "00 BF 01 00 20 02 1F 02 DD FE 00 01 08")
    ):
        line.receive(bytes.fromhex(framed(text)), 99.0 + number / 10)
    line.reader.antennas[1].set_chips(UIDS[:2], 0.0)
    line.fault(kind, 101.0, output)
    return line


def framed(text: str) -> str:
    body = bytes.fromhex(text)
    frame = bytes((len(body) + 3,)) + body
    return (frame + crc16_x25(frame)).hex()


GOOD = "1B 00 B0 00 02 " + data_sets(*UIDS[:2])


def test_a_sound_line_delivers_whole_answers() -> None:
    ((_, answer),) = line_with("clear").receive(bytes.fromhex(INVENTORY), 200.0)
    assert answer.hex(" ").upper().startswith(GOOD)


@pytest.mark.parametrize("output", [None, 1])
def test_the_effect_of_each_fault_on_an_answer(output: int | None) -> None:
    crc = line_with("crc", output)
    ((_, answer),) = crc.receive(bytes.fromhex(INVENTORY), 200.0)
    assert answer[-2:] != crc16_x25(answer[:-2])
    gaps = line_with("gaps", output).receive(bytes.fromhex(INVENTORY), 200.0)
    assert b"".join(piece for _, piece in gaps).hex(" ").upper().startswith(GOOD)
    times = [at for at, _ in gaps]
    assert all(later - sooner > 0.012 for sooner, later in pairwise(times))
    ((_, answer),) = line_with("other_form", output).receive(bytes.fromhex(INVENTORY), 200.0)
    assert answer[:5] == bytes.fromhex("02 00 1D 00 B0") and answer[-2:] == crc16_x25(answer[:-2])
    ((_, answer),) = line_with("other_address", output).receive(bytes.fromhex(INVENTORY), 200.0)
    assert answer[:3] == bytes.fromhex("1B 01 B0") and answer[-2:] == crc16_x25(answer[:-2])
    stale = line_with("stale", output)
    assert stale.receive(bytes.fromhex(INVENTORY), 200.0) == []
    stale.reader.antennas[1].set_chips((), 0.0)
    ((_, answer),) = stale.receive(bytes.fromhex(INVENTORY), 201.0)
    assert answer.hex(" ").upper().startswith(GOOD)
    assert line_with("silent", output).receive(bytes.fromhex(INVENTORY), 200.0) == []


def test_an_antenna_s_fault_affects_neither_other_antennas_nor_control_commands() -> None:
    line = line_with("silent", 1)
    assert line.receive(bytes.fromhex(RF_RESET), 200.0) != []
    assert line.receive(bytes.fromhex(INVENTORY), 200.5) == []
    select_1 = bytes.fromhex(framed("00 BF 01 00 20 02 1F 02 DD FE 00 01 08"))
    assert line.receive(select_1, 200.6) == []
    line.receive(bytes.fromhex(framed("00 BF 01 00 20 02 1F 02 DD FE 00 02 08")), 201.0)
    assert line.receive(bytes.fromhex(INVENTORY), 202.0) != []
    with pytest.raises(ValueError, match="fault 'mux_stuck': allowed are edge, "):
        line.fault("mux_stuck", 203.0, 1)


def test_a_reader_at_another_speed_or_parity_is_silent() -> None:
    for kind in ("speed", "parity"):
        line = line_with(kind)
        assert line.to_device(bytes.fromhex(INVENTORY)) != bytes.fromhex(INVENTORY)
        line.fault("clear", 102.0)
        assert line.to_device(bytes.fromhex(INVENTORY)) == bytes.fromhex(INVENTORY)


def test_a_scanning_reader_reports_chips_unasked() -> None:
    sent = line_with("scan").receive(bytes.fromhex(INVENTORY), 200.0)
    assert sent[0][1] == b"E004010000000001\r\nE004010000000002\r\n"
    assert sent[1][1][:4] == bytes.fromhex("06 00 B0 82")


@pytest.mark.parametrize("baud", [9600, 38400, 115200])
def test_an_answer_takes_its_radio_time_and_the_time_of_its_bytes(baud: int) -> None:
    """At the configured speed each byte takes eleven bits, including parity."""
    line = FeigLine(None, 1.0, seed=1, baud=baud)
    assert line.arrival(7, 0.0) == pytest.approx(7 * 11 / baud)
    ((at, answer),) = line.receive(bytes.fromhex(RF_RESET), 1.0)
    assert answer.hex(" ").upper() == "06 00 69 00 F6 FA"
    assert at == pytest.approx(1.0 + 0.015 + 6 * 11 / baud)


@pytest.mark.parametrize("baud", [38400, 115200])
def test_each_frame_begins_5_ms_after_the_frame_before(baud: int) -> None:
    line = FeigLine(None, 1.0, seed=1, baud=baud)
    request = bytes.fromhex("06 00 52 00 FC A8")
    ((at, answer),) = line.receive(request, 1.0)
    assert (answer[:4].hex(), at) == ("06005200", pytest.approx(1.0 + 0.005 + 6 * 11 / baud))
    takes_s = len(request) * 11 / baud
    assert line.receive(request, at + 0.0049 + takes_s) == []
    assert line.receive(request, at + 0.0051 + takes_s) != []


def test_a_saved_speed_takes_effect_at_the_next_start() -> None:
    line = FeigLine(None, 1.0, seed=1)
    saved = bytes.fromhex(framed("00 81 81 00 00 0A 01" + " 00" * 10))  # CFG1 in the EEPROM
    assert line.receive(saved, 1.0)[0][1][3] == 0
    assert (line.baud, line.arrival(20, 2.0)) == (38400, pytest.approx(2.0 + 20 * 11 / 38400))
    line.fault("restart", 3.0)
    assert (line.baud, line.arrival(20, 4.0)) == (115200, pytest.approx(4.0 + 20 * 11 / 115200))
    line.fault("speed", 5.0)
    assert line.baud == 9600
    line.fault("clear", 6.0)
    assert line.baud == 115200


def test_virtual_time_equals_the_time_on_the_wire() -> None:
    """Measurements in virtual time use the same duration for the same request."""
    for baud in (38400, 115200):
        wire, virtual = FeigLine(None, 1.0, seed=1, baud=baud), VirtualTable(seats=1, baud=baud).links[1]
        sent = request(0x65)
        arrived = wire.arrival(len(sent), 0.005)
        ((ended, answer),) = wire.receive(sent, arrived)
        before = virtual.now
        assert virtual.call(0x65, b"", 1.0).data == answer[4:-2]
        assert virtual.now - before == pytest.approx(ended)


def test_outputs_do_not_depend_on_circles_missing_from_the_table_file() -> None:
    assert outputs(["down", "ante_across", "six_card_bonus"]) == {
        "down": 4, "ante_across": 1, "six_card_bonus": 7,
    }  # fmt: skip
    assert outputs(["circle_1", "ante_down", "circle_2"]) == {"circle_1": 1, "ante_down": 2, "circle_2": 3}
    with pytest.raises(ValueError, match="9 circles at one reader; allowed: 8"):
        outputs([f"circle_{number}" for number in range(9)])
