"""The simulated ICODE DNA answers AUTHENTICATE as drivers/chips/FEIG.md lists it; no driver is used."""

from __future__ import annotations

import random

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES128
from cryptography.hazmat.primitives.ciphers.modes import CBC

from drivers.chips.sim.icode_dna import AES_S, IcodeDna, VicinityCard
from drivers.chips.sim.vicinity import T1_S, T2_S, VicinityField, answer_s, request_s
from drivers.chips.sim.x25 import crc16_x25
from tests.drivers.chips.test_sim_feig import Host

KEY = b"\xff" * 16
UID = bytes.fromhex("E004EE0123456789")
TO_CHIP = "22 35 8967452301EE04E0 "
TAM1 = "00 00 00 FD0805C3C8550B00D3E4"
"""The challenge E4D3000B55C8C30508FD of gbuiting/nxp_decryption for key 0, last byte first."""
CHALLENGE = "e4d3000b55c8c30508fd"


class Fixed(random.Random):
    """The random number of the published answer."""

    def getrandbits(self, count: int, /) -> int:
        return 0x834C947C


def field(card: VicinityCard | None) -> VicinityField:
    made = VicinityField(random.Random(1))
    made.card_of = lambda uid: card
    made.switch(True, 0.0)
    made.set_chips([UID], 0.0)
    return made


def answer(card: VicinityCard | None, request: str) -> str:
    """Return the only answer to a request, without its CRC; "" if there is none."""
    answers = field(card).ask(bytes.fromhex(request), 1.0).answers
    return answers[0][:-2].hex().upper() if answers else ""


def decrypted(response: str) -> str:
    """Return the decrypted block of an answer, its first byte first."""
    return Cipher(AES128(KEY), CBC(bytes(16))).decryptor().update(bytes.fromhex(response[4:])[::-1]).hex()


def test_the_chip_gives_the_published_answer() -> None:
    response = answer(IcodeDna(KEY, Fixed()), TO_CHIP + TAM1)
    assert response == "06A7" + "0829EB7D67D132B5ACAEF072BD50DE4E"


def test_each_answer_has_the_constant_new_random_bits_and_the_challenge() -> None:
    chip = IcodeDna(KEY, random.Random(1))
    blocks = [decrypted(answer(chip, TO_CHIP + TAM1)) for _ in range(200)]
    assert {block[:4] for block in blocks} == {"96c5"}
    assert {block[12:] for block in blocks} == {CHALLENGE}
    assert len({block[4:12] for block in blocks}) == 200


@pytest.mark.parametrize(
    ("request_", "response"),
    [
        (TO_CHIP + "00 00 01" + TAM1[8:], "010F"),  # a key that the chip has not
        (TO_CHIP + TAM1[:-2], "0102"),
        (TO_CHIP + TAM1 + "00", "0102"),
        (TO_CHIP + "01" + TAM1[2:], "0102"),  # another crypto suite
        (TO_CHIP + "00 04" + TAM1[5:], "0102"),  # TAM2
        ("22 35 8867452301EE04E0 " + TAM1, ""),  # to another chip
        ("06 35 " + TAM1, ""),
    ],
)
def test_any_other_request_proves_nothing(request_: str, response: str) -> None:
    assert answer(IcodeDna(KEY, random.Random(1)), request_) == response


def test_a_chip_with_a_number_alone_or_a_silent_one_gives_no_block() -> None:
    assert answer(None, TO_CHIP + TAM1) == "0101"
    assert answer(IcodeDna(KEY, random.Random(1), silent=True), TO_CHIP + TAM1) == ""


def test_a_quiet_chip_answers_and_stays_quiet() -> None:
    antenna = field(IcodeDna(KEY, random.Random(1)))
    antenna.ask(bytes.fromhex("22 02 8967452301EE04E0"), 1.0)
    assert len(antenna.ask(bytes.fromhex(TO_CHIP + TAM1), 1.0).answers[0]) == 20
    assert antenna.ask(bytes.fromhex("26 01 00"), 1.0).answers == ()


def test_the_answer_takes_the_time_of_the_aes() -> None:
    exchange = field(IcodeDna(KEY, random.Random(1))).ask(bytes.fromhex(TO_CHIP + TAM1), 1.0)
    assert exchange.took_s == pytest.approx(request_s(25) + T1_S + AES_S + answer_s(20) + T2_S)
    assert exchange.late_s == AES_S


# ------------------------------------------------------------------ through the reader


def host(card: VicinityCard) -> Host:
    made = Host()
    made.reader.antennas[1].card_of = lambda uid: card
    made.lay(1, UID)
    return made


@pytest.mark.parametrize(
    ("mode", "late_s", "status"),
    [("02", 0.0, "00"), ("01", 0.0, "01"), ("02", 0.015, "00"), ("02", 0.017, "01")],
)
def test_only_mode_2_of_the_reader_waits_for_the_answer_and_not_over_20_ms(
    mode: str, late_s: float, status: str
) -> None:
    made = host(IcodeDna(KEY, random.Random(1), late_s=late_s))
    reply = made.ask(f"00 BF {mode} 00A0 021F {TO_CHIP}{TAM1}")
    assert reply.startswith(f"BF {status}")
    if status == "00":
        raw = bytes.fromhex(reply)[2:]
        assert raw[-2:] == crc16_x25(raw[:-2], final=0xFFFF)
        assert decrypted(raw[:-2].hex())[12:] == CHALLENGE


def test_a_refusal_has_another_length_than_the_answer_that_the_reader_expects() -> None:
    made = host(IcodeDna(KEY, random.Random(1), key_number=2))
    assert made.ask(f"00 BF 02 00A0 021F {TO_CHIP}{TAM1}") == "BF 02"
