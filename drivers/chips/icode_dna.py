"""The proof of an ICODE DNA: TAM1 of ISO/IEC 29167-10 as the reader sends it over ISO/IEC 15693. Pure: no
port, no clock, no key.

Sources are in FEIG.md, "Chips that prove themselves". A `SecureModule` draws the challenge and judges the
answer. An answer that did not arrive whole must never count as a false chip.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from drivers.chips.reader import Unreadable
from drivers.chips.secure_module import NotGenuine, SecureModule

UID_DIGITS = 16
"""Hex digits of the chip's UID. A chip with a UID of another length is another kind of chip."""
CHALLENGE_BYTES = 10
ANSWER_BYTES = 16
KEY_NUMBER = 0
"""Number of the key used for the proof. Assumed: the chip's four keys and their rights are not public."""
RESPONSE_BYTES = 20
"""Length of the chip's response: flags, header, answer and the radio's CRC."""

_ADDRESSED = 0x22
"""Request flags: high data rate, one addressed chip."""
_AUTHENTICATE = 0x35
_AES = 0x00
"""Crypto suite identifier of AES-128."""
_TAM1 = 0x00
"""First byte of the message: tag authentication without custom data."""
_ERROR = 0x01
_FINAL = 0x06
"""Response flags of a complete answer: response buffer valid, final response."""
_DONE = 0xA7
"""Header of an in-process reply that is complete: barker code 27 with the done flag."""

Exchange: TypeAlias = Callable[[bytes], bytes]
"""Sends a request of ISO/IEC 15693 to the chip and returns its response with the CRC, which the reader has
verified.

Raises LineError or Unreadable.
"""


def authenticate(uid: str, challenge: bytes, key_number: int = KEY_NUMBER) -> bytes:
    """Return the request AUTHENTICATE with a TAM1 message, without CRC. UID and challenge are sent with
    their last byte first."""
    head = bytes((_ADDRESSED, _AUTHENTICATE)) + bytes.fromhex(uid)[::-1]
    return head + bytes((_AES, _TAM1, key_number)) + challenge[::-1]


def prove(uid: str, module: SecureModule, exchange: Exchange, key_number: int = KEY_NUMBER) -> None:
    """Return if the chip proves that it has the key for this UID.

    Raises NotGenuine if it does not, LineError or Unreadable if the proof was not completed, and ModuleLost.
    """
    if len(uid) != UID_DIGITS:
        raise NotGenuine(f"UID {uid} is not that of an ICODE DNA")
    begun = module.begin(uid)
    answer = _answer(exchange(authenticate(uid, begun.message, key_number)))
    if not module.verify(begun.ticket, answer):
        raise NotGenuine("the chip's answer is not that of its key")


def _answer(response: bytes) -> bytes:
    """Return the chip's answer, its first byte first. Raises NotGenuine if the chip refuses, Unreadable if it
    is not done."""
    if response[:1] and response[0] & _ERROR:
        raise NotGenuine(f"the chip refuses the proof: it says {response[1:2].hex() or 'no reason'}")
    if len(response) != RESPONSE_BYTES or response[0] & _FINAL != _FINAL or response[1] != _DONE:
        raise Unreadable(f"not understood: the chip says {response.hex() or 'nothing'}")
    return response[2 : 2 + ANSWER_BYTES][::-1]
