"""The simulated NTAG 424 DNA answers and refuses as its data sheet specifies (NT4H2421Gx, 10.3 and 10.4)."""

from __future__ import annotations

import random

import pytest

from drivers.chips.sim.ntag424 import MAX_FAILURES, Ntag424

SELECT = "00A4040C07D276000085010100"
FIRST, FIRST_OF_THE_NOTE = "9071000002040000", "9071000005040300000000"
SECOND = "90AF000020" + "00" * 33


def status_words(chip: Ntag424, *commands: str) -> list[str]:
    """Return the status words of the chip's answers."""
    answers = [chip.respond(bytes.fromhex(command)).apdu for command in commands]
    return [answer[-2:].hex().upper() if answer is not None else "" for answer in answers]


def chip() -> Ntag424:
    return Ntag424(bytes(16), random.Random(1))


@pytest.mark.parametrize(
    ("commands", "last"),
    [
        ((SELECT,), "9000"),
        (("00A4040007D276000085010100",), "9000"),
        (("00A4040C07D276000085010200",), "6A82"),
        (("00A4000C02E10400",), "6A86"),
        ((FIRST,), "919D"),
        ((SELECT, FIRST), "91AF"),
        ((SELECT, FIRST_OF_THE_NOTE), "91AF"),
        ((SELECT, "9071000002050000"), "9140"),
        ((SELECT, "9071000001040000"), "917E"),
        ((SELECT, "90710000010400"), "917E"),
        ((SELECT, SECOND), "911C"),
        ((SELECT, FIRST, SECOND), "91AE"),
        ((SELECT, FIRST, SECOND, SECOND), "911C"),
        ((SELECT, FIRST, FIRST), "91CA"),
        ((SELECT, FIRST, FIRST, FIRST), "91AF"),
        ((SELECT, FIRST, "90AF0000010000"), "917E"),
        ((SELECT, "9060000000"), "917E"),
        (("B0000000",), "6E00"),
    ],
)
def test_each_command_gets_its_status_word(commands: tuple[str, ...], last: str) -> None:
    assert status_words(chip(), *commands)[-1] == last


def test_a_chip_loses_its_selection_with_the_field() -> None:
    it = chip()
    assert status_words(it, SELECT, FIRST) == ["9000", "91AF"]
    it.reset()
    assert status_words(it, SECOND, FIRST) == ["911C", "919D"]


def test_challenges_differ_and_the_key_is_blocked_after_a_thousand_failures() -> None:
    it = chip()
    it.respond(bytes.fromhex(SELECT))
    challenges = set()
    for _ in range(40):
        challenges.add(it.respond(bytes.fromhex(FIRST)).apdu)
        it.respond(bytes.fromhex(SECOND))
    assert len(challenges) == 40
    assert (it.failures[4], it.failures[0]) == (40, 0)
    it.failures[4] = MAX_FAILURES
    assert status_words(it, FIRST, "9071000002000000") == ["9140", "91AF"]
