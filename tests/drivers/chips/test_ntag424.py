"""The proof of an NTAG 424 DNA has the messages that NXP published."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from drivers.chips.ntag424 import (
    CHALLENGE_BYTES,
    SELECT_APPLICATION,
    Exchange,
    first_part,
    prove,
    second_part,
)
from drivers.chips.reader import NoAnswer, Unreadable
from drivers.chips.secure_module import ModuleLost, NotGenuine, SecureModule
from drivers.chips.sim.software_module import MAX_OPEN, SoftwareModule, chip_key, diversified_key

UID = "04DE5F1EACC040"
OK = bytes.fromhex("9000")
AN12196 = {
    # RndA, the chip's answer to part 1, part 2, and the chip's answer to part 2
    "section 6.6, p. 28, key 0": (
        "13C5DB8A5930439FC3DEF9A4C675360F",
        "A04C124213C186F22399D33AC2A3021591AF",
        "90AF00002035C3E05A752E0144BAC0DE51C1F22C56B34408A23D8AEA266CAB947EA8E0118D00",
        "3FA64DB5446D1F34CD6EA311167F5E4985B89690C04A05F17FA7AB2F081206639100",
    ),
    "section 6.10, p. 34, key 3": (
        "B98F4C50CF1C2E084FD150E33992B048",
        "B875CEB0E66A6C5CD00898DC371F92D191AF",
        "90AF000020FF0306E47DFBC50087C4D8A78E88E62DE1E8BE457AA477C707E2F0874916A8B100",
        "0CC9A8094A8EEA683ECAAC5C7BF20584206D0608D477110FC6B3D5D3F65C3A6A9100",
    ),
}


def module(number: str = "00" * 16) -> SoftwareModule:
    """Return a module with the key of AN12196's examples and a fixed RndA."""
    return SoftwareModule(lambda uid: bytes(16), lambda count: bytes.fromhex(number))


def chip(answers: Iterable[bytes], commands: list[bytes]) -> Exchange:
    """Return a chip that gives these answers in turn and records the commands."""
    left = iter(answers)

    def exchange(command: bytes) -> bytes:
        commands.append(command)
        return next(left)

    return exchange


@pytest.mark.parametrize("example", AN12196)
def test_the_published_messages_are_sent_and_the_published_answer_is_a_proof(example: str) -> None:
    number, first, second, last = AN12196[example]
    commands: list[bytes] = []
    prove(UID, module(number), chip([OK, bytes.fromhex(first), bytes.fromhex(last)], commands), key_number=3)
    assert commands == [SELECT_APPLICATION, first_part(3), bytes.fromhex(second)]
    assert first_part(0).hex() == "9071000002000000"
    assert second_part(bytes(32)).hex() == "90af000020" + "00" * 33


@pytest.mark.parametrize("answer", [bytes.fromhex("6A82"), b"\x00" + OK])
def test_a_chip_without_the_application_is_not_genuine(answer: bytes) -> None:
    with pytest.raises(NotGenuine):
        prove(UID, module(), chip([answer], []))


@pytest.mark.parametrize(
    "answer", ["91AE", "9140", "911C", "917E", "9100", "00" * 15 + "91AF", "00" * 17 + "91AF"]
)
def test_a_chip_that_refuses_the_key_is_not_genuine(answer: str) -> None:
    with pytest.raises(NotGenuine, match="the chip says"):
        prove(UID, module(), chip([OK, bytes.fromhex(answer)], []))


def test_the_answer_of_another_proof_is_refused() -> None:
    one, two = AN12196.values()
    for mine, other in ((one, two), (two, one)):
        replayed = [OK, bytes.fromhex(mine[1]), bytes.fromhex(other[3])]
        with pytest.raises(NotGenuine):
            prove(UID, module(mine[0]), chip(replayed, []))


def test_an_answer_with_one_flipped_bit_is_refused() -> None:
    number, first, _, last = next(iter(AN12196.values()))
    secure_module = module(number)
    for bit in range(160):  # the bits of both blocks that depend on RndA
        turned = bytearray.fromhex(last)
        turned[bit // 8] ^= 1 << bit % 8
        ticket = secure_module.respond(UID, bytes.fromhex(first)[:CHALLENGE_BYTES]).ticket
        assert not secure_module.verify(ticket, bytes(turned)[:32])


@pytest.mark.parametrize("cut", [b"", b"\x91"])
def test_an_incomplete_answer_accuses_no_chip(cut: bytes) -> None:
    for before in range(3):
        answers = [*[OK, bytes(16) + b"\x91\xaf"][:before], cut]
        with pytest.raises(Unreadable):
            prove(UID, module(), chip(answers, []))


def test_a_chip_that_delays_after_many_failures_is_not_accused() -> None:
    with pytest.raises(Unreadable, match="for a while"):
        prove(UID, module(), chip([OK, bytes.fromhex("91AD")], []))


def test_a_lost_line_is_reported_as_lost() -> None:
    def gone(command: bytes) -> bytes:
        raise NoAnswer("silent")

    with pytest.raises(NoAnswer):
        prove(UID, module(), gone)


# ------------------------------------------------------------------ the module


def test_a_key_is_diversified_as_in_an10922() -> None:
    """The example is that of AN10922 rev. 2.2, section 2.2.1: key, UID, application and system identifier."""
    house = bytes.fromhex("00112233445566778899AABBCCDDEEFF")
    data = bytes.fromhex("04782E21801D803042F54E585020416275")
    assert diversified_key(house, data).hex().upper() == "A8DD63A3B89D54B37CA802473FDA9175"
    with pytest.raises(ValueError, match="16 to 31"):
        diversified_key(house, data[:15])
    with pytest.raises(ValueError, match="16 to 31"):
        diversified_key(house, data + data)


def test_each_chip_has_its_own_key() -> None:
    house = bytes(range(16))
    keys = {chip_key(house, f"04{number:012X}") for number in range(200)}
    assert len(keys) == 200
    assert chip_key(house, UID) != chip_key(house[::-1], UID)


def test_a_ticket_is_valid_once_and_the_number_of_open_tickets_is_limited() -> None:
    number, first, _, last = next(iter(AN12196.values()))
    secure_module: SecureModule = module(number)
    challenge, answer = bytes.fromhex(first)[:16], bytes.fromhex(last)[:32]
    ticket = secure_module.respond(UID, challenge).ticket
    assert secure_module.verify(ticket, answer)
    for unknown in (ticket, 999):
        with pytest.raises(ModuleLost):
            secure_module.verify(unknown, answer)
    assert not secure_module.verify(secure_module.respond(UID, challenge).ticket, answer[:16])
    old = secure_module.respond(UID, challenge).ticket
    for _ in range(MAX_OPEN):
        secure_module.respond(UID, challenge)
    with pytest.raises(ModuleLost):
        secure_module.verify(old, answer)


def test_the_module_answers_a_repeated_challenge_differently() -> None:
    secure_module = SoftwareModule(lambda uid: bytes(16))
    assert len({secure_module.respond(UID, bytes(16)).message for _ in range(50)}) == 50
