"""The proof of an NTAG 424 DNA: AuthenticateEV2First as the reader sends it. Pure: no port, no clock, no key.

Sources: NXP AN12196, sections 6.6 (p. 28) and 6.10 (p. 34), whose messages the tests hold; NT4H2421Gx,
section 10.4 (status words). A `SecureModule` judges the chip's answers. An answer that did not arrive whole
must never count as a false chip.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from drivers.chips.reader import Unreadable
from drivers.chips.secure_module import NotGenuine, SecureModule

SELECT_APPLICATION = bytes.fromhex("00A4040C07D276000085010100")
"""ISOSelectFile by the name of the chip's application."""
KEY_NUMBER = 4
"""Number of the key used for the proof. Unlike key 0 it cannot change keys, and it grants no rights to a file
of the chip."""
UID_DIGITS = 14
"""Hex digits of the chip's UID. A chip with a UID of another length is another kind of chip."""
CHALLENGE_BYTES = 16
ANSWER_BYTES = 32

_SELECTED = 0x9000
_MORE = 0x91AF
_DONE = 0x9100
_DELAY = 0x91AD
"""AUTHENTICATION_DELAY: after 50 failed attempts a chip refuses some more (AN12196, section 7.4)."""

Exchange: TypeAlias = Callable[[bytes], bytes]
"""Sends a command APDU to the chip and returns its answer with the status word.

Raises LineError or Unreadable.
"""


def first_part(key_number: int) -> bytes:
    """Return AuthenticateEV2First, part 1, without capabilities of the reader."""
    return bytes((0x90, 0x71, 0x00, 0x00, 0x02, key_number, 0x00, 0x00))


def second_part(message: bytes) -> bytes:
    """Return AuthenticateEV2First, part 2, with the module's message."""
    return bytes((0x90, 0xAF, 0x00, 0x00, len(message))) + message + b"\x00"


def prove(uid: str, module: SecureModule, exchange: Exchange, key_number: int = KEY_NUMBER) -> None:
    """Return if the chip proves that it has the key for this UID.

    Raises NotGenuine if it does not, LineError or Unreadable if the proof was not completed, and ModuleLost.
    """
    if len(uid) != UID_DIGITS:
        raise NotGenuine(f"UID {uid} is not that of an NTAG 424 DNA")
    _data(exchange(SELECT_APPLICATION), _SELECTED, 0)
    challenge = _data(exchange(first_part(key_number)), _MORE, CHALLENGE_BYTES)
    response = module.respond(uid, challenge)
    answer = _data(exchange(second_part(response.message)), _DONE, ANSWER_BYTES)
    if not module.verify(response.ticket, answer):
        raise NotGenuine("the chip's answer is not that of its key")


def _data(answer: bytes, status: int, count: int) -> bytes:
    """Return the data before the status word. Raises NotGenuine if the chip refuses or sends other data."""
    if len(answer) < 2:
        raise Unreadable(f"not understood: the chip says {answer.hex() or 'nothing'}")
    data, received = answer[:-2], int.from_bytes(answer[-2:], "big")
    if received == _DELAY:
        raise Unreadable("the chip refuses proofs for a while, after many failed ones")
    if received != status or len(data) != count:
        raise NotGenuine(f"the chip says {len(data)} bytes and {received:04X}, not {count} and {status:04X}")
    return data
