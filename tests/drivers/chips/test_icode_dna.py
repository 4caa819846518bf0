"""The proof of an ICODE DNA by TAM1 accepts a published answer and nothing else.

The answer is that of github.com/gbuiting/nxp_decryption, commit 83b8e0b: key, challenge and answer of a tag.
"""

from __future__ import annotations

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES128
from cryptography.hazmat.primitives.ciphers.modes import CBC

from drivers.chips.icode_dna import Exchange, authenticate, prove
from drivers.chips.reader import NoAnswer, Unreadable
from drivers.chips.secure_module import ModuleLost, NotGenuine
from drivers.chips.sim.software_module import MAX_OPEN, SoftwareModule, chip_key

UID = "E004EE0123456789"
PUBLISHED_KEY = b"\xff" * 16
CHALLENGE = bytes.fromhex("E4D3000B55C8C30508FD")
ANSWER = bytes.fromhex("4EDE50BD72F0AEACB532D1677DEB2908")
REQUEST = bytes.fromhex("22 35 8967452301EE04E0 00 00 00 FD0805C3C8550B00D3E4")
RESPONSE = bytes.fromhex("06 A7 0829EB7D67D132B5ACAEF072BD50DE4E 0000")


def module(challenge: bytes = CHALLENGE, key: bytes = PUBLISHED_KEY) -> SoftwareModule:
    """Return a module with one key for all chips and a fixed challenge."""
    return SoftwareModule(lambda uid: key, lambda count: challenge[:count])


def chip(response: bytes, requests: list[bytes]) -> Exchange:
    """Return a chip that gives this response and records the requests."""

    def exchange(request: bytes) -> bytes:
        requests.append(request)
        return response

    return exchange


def test_the_challenge_is_sent_and_the_published_answer_is_a_proof() -> None:
    requests: list[bytes] = []
    prove(UID, module(), chip(RESPONSE, requests))
    assert requests == [REQUEST]
    assert authenticate(UID, CHALLENGE, 3)[12] == 3


def test_the_published_answer_proves_neither_another_challenge_nor_another_key() -> None:
    with pytest.raises(NotGenuine, match="not that of its key"):
        prove(UID, module(CHALLENGE[::-1]), chip(RESPONSE, []))
    with pytest.raises(NotGenuine, match="not that of its key"):
        prove(UID, module(key=bytes(16)), chip(RESPONSE, []))


def test_an_answer_with_one_flipped_bit_is_refused() -> None:
    secure_module = module()
    for bit in range(128):
        turned = bytearray(ANSWER)
        turned[bit // 8] ^= 1 << bit % 8
        assert not secure_module.verify(secure_module.begin(UID).ticket, bytes(turned))


def test_the_constant_is_checked_beside_the_challenge() -> None:
    """The block has the right challenge behind another constant: E(FF.., 96C4 + 32 bits + challenge)."""
    other = bytes.fromhex("96C4834C947C") + CHALLENGE
    secure_module = module()
    assert not secure_module.verify(secure_module.begin(UID).ticket, encrypted(other))
    right = bytes.fromhex("96C5834C947C") + CHALLENGE
    assert encrypted(right) == ANSWER
    assert secure_module.verify(secure_module.begin(UID).ticket, encrypted(right))


def encrypted(block: bytes) -> bytes:
    return Cipher(AES128(PUBLISHED_KEY), CBC(bytes(16))).encryptor().update(block)


@pytest.mark.parametrize("refusal", ["01 0F 0000", "01 01 0000", "01"])
def test_a_chip_that_refuses_is_not_genuine(refusal: str) -> None:
    with pytest.raises(NotGenuine, match="refuses"):
        prove(UID, module(), chip(bytes.fromhex(refusal), []))


@pytest.mark.parametrize(
    "response",
    [
        b"",
        RESPONSE[:-1],
        RESPONSE + b"\x00",
        b"\x00" + RESPONSE[1:],
        b"\x02" + RESPONSE[1:],
        b"\x04" + RESPONSE[1:],
        b"\x06\x27" + RESPONSE[2:],
        b"\x06\xa6" + RESPONSE[2:],
    ],
    ids=["none", "short", "long", "no flags", "not final", "no buffer", "not done", "another header"],
)
def test_an_incomplete_answer_accuses_no_chip(response: bytes) -> None:
    with pytest.raises(Unreadable, match="not understood"):
        prove(UID, module(), chip(response, []))


def test_a_lost_line_is_reported_as_lost() -> None:
    def gone(request: bytes) -> bytes:
        raise NoAnswer("silent")

    with pytest.raises(NoAnswer):
        prove(UID, module(), gone)


# ------------------------------------------------------------------ the module


def test_a_ticket_is_valid_once_and_the_number_of_open_tickets_is_limited() -> None:
    secure_module = module()
    ticket = secure_module.begin(UID).ticket
    assert secure_module.verify(ticket, ANSWER)
    with pytest.raises(ModuleLost):
        secure_module.verify(ticket, ANSWER)
    assert not secure_module.verify(secure_module.begin(UID).ticket, ANSWER + ANSWER)
    old = secure_module.begin(UID).ticket
    for _ in range(MAX_OPEN):
        secure_module.begin(UID)
    with pytest.raises(ModuleLost):
        secure_module.verify(old, ANSWER)


def test_a_key_serves_one_method_alone() -> None:
    """Otherwise the messages of one method could serve to make an answer of the other."""
    secure_module = module()
    with pytest.raises(ValueError, match="another method"):
        secure_module.respond(UID, bytes(16))
    with pytest.raises(ValueError, match="another method"):
        secure_module.begin("04DE5F1EACC040")


def test_chips_of_both_standards_have_different_keys() -> None:
    house = bytes(range(16))
    keys = {chip_key(house, uid) for n in range(200) for uid in (f"04{n:012X}", f"E004{n:012X}")}
    assert len(keys) == 400
