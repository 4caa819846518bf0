"""The simulated FEIG reader answers with the bytes of its manuals and of programs for the real reader.

No driver is used: every request and every expected answer is written by hand.
"""

from __future__ import annotations

from random import Random

import pytest

from drivers.chips.sim.feig_frames import RequestCutter, encode_answer
from drivers.chips.sim.feig_reader import RF_RESET_S, FeigReader
from drivers.chips.sim.x25 import crc16_x25

UIDS = [bytes.fromhex(f"E00401000000{number:04X}") for number in range(1, 46)]
INVENTORY = "07 FF B0 01 00 1C 56"
"""Request for an inventory, from programs for this maker's readers (GitHub: a public bridge of serial lines
in C++)."""
INVENTORY_ADVANCED = "02 00 09 FF B0 01 00 18 43"
"""The same request as an advanced frame, from programs for a reader with Ethernet. Its CRC has the lowest
byte first, unlike H60301-3e, p. 16."""
VERSION = "05 FF 65 E5 CB"
"""Request for the version, from FEIG's own example of a transceive dialogue."""
RF_RESET = "05 00 69 49 FE"
ONT_OFF = "00 81 05 02" + " 00" * 10 + " 04 00 00"
ONT_ON = "00 81 05 02" + " 00" * 10 + " 05 00 00"
"""Request that writes CFG5 with anticollision on."""


class Host:
    """Sends bytes to a reader; each answer advances the reader's clock."""

    def __init__(self, *uids: bytes, output: int = 1, configured: bool = True) -> None:
        self.reader = FeigReader(Random(1))
        self.now = 100.0
        self.took_s = 0.0
        if configured:
            self.configure()
        if output:
            self.select(output)
            self.lay(output, *uids)

    def lay(self, output: int, *uids: bytes) -> None:
        self.reader.antennas[output].set_chips(uids, self.now)
        self.now += 0.1

    def send(self, text: str) -> bytes:
        """Send a whole frame; return the whole answer, or no bytes if there is none."""
        (request,) = RequestCutter().feed(bytes.fromhex(text), self.now)
        reply = self.reader.execute(request, self.now)
        if reply is None:
            return b""
        self.took_s = reply.after_s
        self.now += reply.after_s + 0.005
        return encode_answer(self.reader.address, reply, request.advanced)

    def ask(self, text: str) -> str:
        """Send a frame without its length and CRC; return the answer without length, CRC and address."""
        body = bytes.fromhex(text)
        frame = bytes((len(body) + 3,)) + body
        answer = self.send((frame + crc16_x25(frame)).hex())
        assert answer[-2:] == crc16_x25(answer[:-2])
        start = 4 if answer[0] == 2 else 2
        assert len(answer) == (int.from_bytes(answer[1:3], "big") if answer[0] == 2 else answer[0])
        return answer[start:-2].hex(" ").upper()

    def configure(self) -> None:
        """Configure the reader to find several chips at once and to leave the multiplexer unchanged."""
        assert (self.ask(ONT_ON), self.ask("00 81 0F" + " 00" * 14)) == ("81 00", "81 00")

    def select(self, output: int) -> str:
        return self.ask(f"00 BF 01 00 20 02 1F 02 DD FE 00 {output:02X} 08")

    def inventory(self, more: bool = False) -> str:
        return self.ask(f"00 B0 01 {'80' if more else '00'}")


def data_sets(*uids: bytes) -> str:
    return " ".join(f"03 00 {uid.hex(' ').upper()}" for uid in uids)


# ---------------------------------------------------------------------- frames


def test_published_frames_have_a_valid_crc() -> None:
    for text in (INVENTORY, INVENTORY_ADVANCED, VERSION):
        frame = bytes.fromhex(text)
        assert crc16_x25(frame[:-2]) == frame[-2:]


def test_every_reader_answers_address_255_with_its_own_address() -> None:
    assert Host(UIDS[0]).send(INVENTORY).hex(" ").upper() == (
        "11 00 B0 00 01 03 00 E0 04 01 00 00 00 00 01 " + crc_of("1100B000010300E004010000000001")
    )
    assert Host().send("05 01 69 " + crc_of("050169")) == b""


def crc_of(text: str) -> str:
    return crc16_x25(bytes.fromhex(text)).hex(" ").upper()


def test_an_answer_has_the_same_form_as_its_request() -> None:
    assert Host().send(INVENTORY_ADVANCED)[:5] == bytes.fromhex("02 00 08 00 B0")
    assert Host().send(INVENTORY)[:3] == bytes.fromhex("06 00 B0")


def test_an_answer_over_255_bytes_has_the_advanced_form() -> None:
    """An answer with 24 chips needs 247 bytes, and one with 25 chips needs 259 with the longer header
    (H60301-3e, p. 17)."""
    assert Host(*UIDS[:24]).send(INVENTORY)[:4] == bytes.fromhex("F7 00 B0 00")
    assert Host(*UIDS[:25]).send(INVENTORY)[:6] == bytes.fromhex("02 01 03 00 B0 00")


@pytest.mark.parametrize(
    "text",
    [
        "05 00 69 49 FF",  # CRC
        "05 00 69 FE 49",  # its bytes are exchanged
        "06 00 69 49 FE",  # length
        "02 00 05 69 49 FE",
        "00 00 00 00 00",
        "04 00 69 49",
    ],
)
def test_an_incomplete_frame_is_not_answered(text: str) -> None:
    assert RequestCutter().feed(bytes.fromhex(text), 1.0) == []


def test_a_pause_of_more_than_12_ms_discards_a_frame() -> None:
    cutter, frame = RequestCutter(), bytes.fromhex(RF_RESET)
    assert cutter.feed(frame[:2], 1.0) == []
    assert len(cutter.feed(frame[2:], 1.011)) == 1
    assert cutter.feed(frame[:2], 2.0) == []
    assert cutter.feed(frame[2:], 2.013) == []
    assert cutter.feed(frame, 2.014) == []  # the rest of the incomplete frame still precedes it
    assert len(cutter.feed(frame + frame, 3.0)) == 2


# --------------------------------------------------------------------- control


def test_control_commands_get_the_documented_answers() -> None:
    host = Host()
    assert host.ask("00 52 00") == "52 00"
    assert host.ask("00 65") == "65 00 01 15 00 00 3C 00 08"
    assert host.ask("00 7F") == "7F 80"
    assert host.ask("00 69") == "69 00"
    assert host.took_s == RF_RESET_S == 0.015
    assert (host.ask("00 6A 00"), host.ask("00 6A 02"), host.ask("00 6A")) == ("6A 00", "6A 11", "6A 81")


def test_the_configuration_is_read_written_and_saved_in_blocks_of_14_bytes() -> None:
    host = Host(configured=False)
    default = "80 00 02" + " 00" * 10 + " 01 00 00"
    changed = "80 00 02" + " 00" * 10 + " 04 00 00"
    assert host.ask("00 80 05") == default  # ONT is set at the factory (H60301-3e, p. 31)
    assert host.ask(ONT_OFF) == "81 00"
    assert (host.ask("00 80 05"), host.ask("00 80 85")) == (changed, default)
    assert host.ask("00 63") == "63 00"
    assert host.ask("00 80 05") == default  # the change was in RAM only, so the restart undid it
    assert (host.ask(ONT_OFF), host.ask("00 82 05"), host.ask("00 63")) == ("81 00", "82 00", "63 00")
    assert host.ask("00 80 05") == changed


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        ("00 80 00", "80 15"),
        ("00 81 00" + " 00" * 14, "81 16"),
        ("00 82 09", "82 16"),
        ("00 81 05" + " 00" * 13, "81 81"),
        ("00 81 05" + " 00" * 11 + " 02 00 00", "81 11"),
        ("00 80", "80 81"),
    ],
)
def test_an_unknown_block_of_the_configuration_is_refused(request_: str, status: str) -> None:
    assert Host().ask(request_) == status


# ----------------------------------------------------------------------- chips


def test_without_a_chip_the_status_is_01_without_data() -> None:
    assert Host().inventory() == "B0 01"


def test_an_inventory_gives_each_uid_with_its_highest_byte_first() -> None:
    assert Host(UIDS[0], UIDS[1]).inventory() == f"B0 00 02 {data_sets(UIDS[0], UIDS[1])}"


@pytest.mark.parametrize("count", [0, 1, 24, 25, 29, 30, 40, 45])
def test_further_chips_are_requested_until_status_00(count: int) -> None:
    host, read, status = Host(*UIDS[:count]), list[str](), "94"
    answer = host.inventory()
    while status == "94":
        status, sets = answer[3:5], answer[9:]
        read += [sets[at + 6 : at + 29] for at in range(0, len(sets), 30)]
        answer = host.inventory(more=True)
    assert status == ("00" if count else "01")
    assert sorted(read) == [uid.hex(" ").upper() for uid in UIDS[:count]]
    assert host.inventory(more=True) == "B0 01"


def test_another_command_discards_the_remaining_data() -> None:
    host = Host(*UIDS)
    assert host.inventory()[:5] == "B0 94"
    host.ask("00 B0 02 01 E0 04 01 00 00 00 00 01")
    assert host.inventory(more=True) == "B0 01"


def test_a_chip_stays_silent_after_one_reading_while_ont_is_on() -> None:
    host = Host(UIDS[0])
    assert host.inventory() == f"B0 00 01 {data_sets(UIDS[0])}"
    assert [host.inventory() for _ in range(3)] == ["B0 01"] * 3
    assert host.ask("00 69") == "69 00"
    assert host.inventory() == f"B0 00 01 {data_sets(UIDS[0])}"


def test_without_anticollision_two_chips_are_read_as_none() -> None:
    host = Host(UIDS[0], UIDS[1], configured=False)
    host.ask("00 81 0F" + " 00" * 14)
    assert host.inventory() == "B0 83"
    host.configure()
    assert host.inventory() == f"B0 00 02 {data_sets(UIDS[0], UIDS[1])}"


def test_a_reader_that_switches_the_multiplexer_itself_reads_another_antenna() -> None:
    host = Host(configured=False)
    host.lay(2, UIDS[1])
    assert host.inventory() == f"B0 00 01 {data_sets(UIDS[1])}"


def test_with_iso_15693_disabled_no_chip_is_read() -> None:
    host = Host(UIDS[0])
    host.ask("00 81 03 00 01" + " 00" * 12)
    assert host.inventory() == "B0 01"


def test_without_ont_every_inventory_resets_the_field_first() -> None:
    host = Host(UIDS[0])
    assert host.ask(ONT_OFF) == "81 00"
    assert [host.inventory() for _ in range(3)] == [f"B0 00 01 {data_sets(UIDS[0])}"] * 3
    assert host.took_s == pytest.approx(0.015 + 0.0012 + 0.0139 + 0.0042, abs=2e-4)
    assert host.ask(ONT_ON) == "81 00"
    assert host.inventory() == "B0 01"


def test_with_its_field_off_a_reader_finds_no_chip() -> None:
    """Status 01 alone does not prove that a circle is empty."""
    host = Host(UIDS[0])
    assert (host.ask(ONT_OFF), host.ask("00 6A 00")) == ("81 00", "6A 00")
    assert host.inventory() == "B0 01"
    assert host.ask("00 6A 01") == "6A 00"
    assert host.inventory()[:5] == "B0 00"


@pytest.mark.parametrize(
    ("request_", "answer"),
    [
        ("00 B0 2B 01 E0 04 01 00 00 00 00 01", "B0 00 00 E0 04 01 00 00 00 00 01 00 4F 03 01"),
        ("00 B0 2B 01 E0 04 01 00 00 00 00 09", "B0 01"),
        ("00 B0 2B 00", "B0 83"),  # two chips answer at once
        ("00 B0 23 01 E0 04 01 00 00 00 00 01 00 02", "B0 00 02 04" + " 00" * 10),
        ("00 B0 23 01 E0 04 01 00 00 00 00 01 4F 02", "B0 95 10"),
        ("00 B0 25 01 E0 04 01 00 00 00 00 02", "B0 00"),
        ("00 B0 02 01 E0 04 01 00 00 00 00 02", "B0 00"),
        ("00 B0 26 01 E0 04 01 00 00 00 00 02", "B0 00"),
        ("00 B0 2B 01 E0 04 01", "B0 81"),
        ("00 B0 99 00", "B0 80"),
        ("00 B0 01 40", "B0 11"),
        ("00 BF 01 00 78 02 1F 22 2B 01 00 00 00 00 01 04 E0",
         "BF 00 00 0F 01 00 00 00 00 01 04 E0 00 00 4F 03 01 "
         + crc16_x25(bytes.fromhex("000F01000000000104E000004F0301"), final=0xFFFF).hex(" ").upper()),
    ],
)  # fmt: skip
def test_addressed_commands_reach_one_of_two_chips(request_: str, answer: str) -> None:
    if request_.startswith("00 BF"):
        request_ = request_.replace("00 78", "00 88")
    assert Host(UIDS[0], UIDS[1]).ask(request_) == answer


def test_a_selected_chip_answers_selected_commands() -> None:
    host = Host(UIDS[0], UIDS[1])
    assert host.ask("00 B0 2B 02") == "B0 01"
    host.ask("00 B0 25 01 E0 04 01 00 00 00 00 02")
    assert host.ask("00 B0 2B 02") == "B0 00 00 E0 04 01 00 00 00 00 02 00 4F 03 01"


def test_in_scan_mode_host_commands_are_refused() -> None:
    host = Host(UIDS[0])
    host.reader.scanning = True
    assert (host.inventory(), host.select(2)) == ("B0 82", "BF 82")
    assert host.ask("00 69") == "69 00"


# ----------------------------------------------------------------- multiplexer


def test_the_multiplexer_connects_one_output() -> None:
    host = Host(output=0)
    host.lay(1, UIDS[0])
    host.lay(7, UIDS[1], UIDS[2])
    assert host.inventory() == "B0 01"  # no output is connected after power-on
    assert host.select(1) == "BF 00 00 00 " + iso_crc("0000")
    assert host.inventory() == f"B0 00 01 {data_sets(UIDS[0])}"
    assert host.select(7) == "BF 00 00 00 " + iso_crc("0000")
    assert host.inventory() == f"B0 00 02 {data_sets(UIDS[1], UIDS[2])}"
    assert host.ask("00 BF 01 00 20 02 1F 02 DD FE 00 00 08") == "BF 00 00 00 " + iso_crc("0000")
    assert host.inventory() == "B0 01"


def iso_crc(text: str) -> str:
    return crc16_x25(bytes.fromhex(text), final=0xFFFF).hex(" ").upper()


def test_an_output_out_of_range_is_refused_and_the_old_one_stays_connected() -> None:
    host = Host(UIDS[0])
    for outputs_ in ("09 00", "00 09", "02 02", "00 00"):
        assert host.ask(f"00 BF 01 00 20 02 1F 02 DD FE 00 {outputs_}") == "BF 00 00 11 " + iso_crc("0011")
    assert host.inventory()[:5] == "B0 00"


def test_chips_lose_their_state_while_their_antenna_is_not_connected() -> None:
    """The quiet state of a chip (ONT) therefore matters only at an antenna that stays connected."""
    host = Host(UIDS[0])
    assert (host.inventory()[:5], host.inventory()) == ("B0 00", "B0 01")
    host.select(2)
    host.now += 0.05
    host.select(1)
    assert host.inventory()[:5] == "B0 00"


@pytest.mark.parametrize(
    "request_",
    [
        "00 BF 01 00 20 02 1F 02 DD FE 03 01 00",  # another multiplexer
        "00 BF 01 00 20 02 1F 02 DD 04 00 01 00",  # another maker
        "00 BF 01 00 20 02 1F 02 DD FE 00 01",
    ],
)
def test_an_unknown_command_to_the_multiplexer_is_not_answered(request_: str) -> None:
    assert Host().ask(request_) == "BF 01"


def test_the_multiplexer_gives_its_answer_s_length_in_bits() -> None:
    assert Host().ask("00 BF 01 00 04 02 1F 02 DD FE 00 01 00") == "BF 02"
    assert Host().ask("00 BF 07 00 20 02 1F 02 DD FE 00 01 00") == "BF 11"


def test_multiplexer_commands_need_the_field() -> None:
    host = Host()
    host.ask("00 6A 00")
    assert host.select(2) == "BF 01"


def test_a_stuck_or_missing_multiplexer_connects_no_other_output() -> None:
    host = Host(UIDS[0])
    host.reader.mux.stuck = True
    assert host.select(2) == "BF 00 00 00 " + iso_crc("0000")
    assert host.ask("00 BF 01 00 20 02 1F 02 DC FE 00") == "BF 00 00 00 " + iso_crc("0000")
    assert host.inventory() == f"B0 00 01 {data_sets(UIDS[0])}"  # the chips lie at another output
    host.reader.mux.present = False
    assert (host.select(2), host.inventory()) == ("BF 01", "B0 01")


def test_a_restart_clears_the_configuration_and_the_output() -> None:
    host = Host(UIDS[0])
    host.ask(ONT_OFF)
    host.reader.power_on(host.now)
    assert host.ask("00 80 05") == "80 00 02" + " 00" * 10 + " 01 00 00"
    host.configure()
    assert host.inventory() == "B0 01"
    host.select(1)
    assert (host.inventory()[:5], host.inventory()) == ("B0 00", "B0 01")


def test_an_address_in_ram_takes_effect_at_once_until_a_restart() -> None:
    host = Host()
    block = "64 00 08 01" + " 00" * 10
    assert host.ask("00 81 01 " + block) == "81 00"
    assert host.ask("64 80 01") == "80 00 " + block
    assert host.send("05 00 69 49 FE") == b""
    host.reader.power_on(host.now)
    assert host.send("05 00 69 49 FE") != b""


def test_an_invalid_address_or_speed_is_refused() -> None:
    for block in ("FF 00 08 01", "00 00 0B 01", "00 00 04 01"):
        assert Host().ask(f"00 81 01 {block}" + " 00" * 10) == "81 11"
