"""A secure module in software, for mock tables and for trials in a casino's cage. The software module must
never run on a real table.

The key of each chip is derived from a house key by CMAC (NXP AN10922 rev. 2.2, section 2.2.1), with the UID,
the chip's application, if it has one, and the name of this system as input. A key serves one method: the
chip's standard, known by the length of its UID, decides which.
"""

from __future__ import annotations

import hmac
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable

from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES128
from cryptography.hazmat.primitives.ciphers.modes import CBC
from cryptography.hazmat.primitives.cmac import CMAC

from drivers.chips.secure_module import ModuleLost, Response

MAX_OPEN = 4096
"""Maximum number of unverified proofs of all tables; the oldest is dropped."""

_APPLICATION = bytes.fromhex("D2760000850101")
_SYSTEM = b"CRISSCROSS"
_DIVERSIFICATION = b"\x01"
"""Constant of AN10922 for a key of AES-128."""
_BLOCK = 16
_CHALLENGE = 10
_TAM1 = bytes.fromhex("96C5")
"""Constant C_TAM1 at the beginning of a decrypted answer of TAM1; 32 random bits of the chip follow, then the
challenge."""
_TYPE_A_UID, _VICINITY_UID = 14, 16
"""Hex digits of the UIDs of an NTAG 424 DNA and of an ICODE DNA."""


def diversified_key(house_key: bytes, data: bytes) -> bytes:
    """Return the key that AN10922 derives from `house_key` (16 bytes) and `data` (16 to 31 bytes).

    The note pads shorter data to two blocks and CMAC does not, so they are refused.
    """
    if not _BLOCK <= len(data) < 2 * _BLOCK:
        raise ValueError(f"{len(data)} bytes of diversification input; allowed: 16 to 31")
    cmac = CMAC(AES128(house_key))
    cmac.update(_DIVERSIFICATION + data)
    return cmac.finalize()


def chip_key(house_key: bytes, uid: str) -> bytes:
    """Return the key of the chip with this UID (14 or 16 hex digits). An ICODE DNA has no application."""
    application = _APPLICATION if len(uid) == _TYPE_A_UID else b""
    return diversified_key(house_key, bytes.fromhex(uid) + application + _SYSTEM)


class SoftwareModule:
    """`SecureModule` in this process. `key_of`: key of each chip by its UID.

    Raises ValueError if a chip's key is for the other method.
    """

    def __init__(
        self,
        key_of: Callable[[str], bytes],
        random_bytes: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        self._key_of = key_of
        self._random_bytes = random_bytes
        self._lock = threading.Lock()
        self._count = 0
        self._open: OrderedDict[int, tuple[bytes, bytes]] = OrderedDict()

    def respond(self, uid: str, challenge: bytes) -> Response:
        """Return the response, E(RndA, RndB rotated), with a number RndA of the module's own."""
        key, number = self._key(uid, _TYPE_A_UID), self._random_bytes(_BLOCK)
        message = _encrypted(key, number + _rotated(_decrypted(key, challenge)))
        return Response(self._opened(key, number), message)

    def begin(self, uid: str) -> Response:
        """Return a challenge of TAM1."""
        key, number = self._key(uid, _VICINITY_UID), self._random_bytes(_CHALLENGE)
        return Response(self._opened(key, number), number)

    def verify(self, ticket: int, answer: bytes) -> bool:
        """Return whether the answer contains the module's number: E(TI, RndA rotated, capabilities), or
        E(C_TAM1, 32 random bits, challenge). Raises ModuleLost if the ticket is unknown, used or dropped."""
        with self._lock:
            opened = self._open.pop(ticket, None)
        if opened is None:
            raise ModuleLost(f"ticket {ticket} is not open")
        key, number = opened
        tam1 = len(number) == _CHALLENGE
        if len(answer) != (_BLOCK if tam1 else 2 * _BLOCK):
            return False
        plain = _decrypted(key, answer)
        if tam1:
            return hmac.compare_digest(plain[:2] + plain[6:], _TAM1 + number)
        return hmac.compare_digest(plain[4:20], _rotated(number))

    def _key(self, uid: str, digits: int) -> bytes:
        if len(uid) != digits:
            raise ValueError(f"the key of chip {uid} is for another method")
        return self._key_of(uid)

    def _opened(self, key: bytes, number: bytes) -> int:
        """Return the ticket of a new proof."""
        with self._lock:
            self._count += 1
            self._open[self._count] = (key, number)
            if len(self._open) > MAX_OPEN:
                self._open.popitem(last=False)
            return self._count


def _rotated(block: bytes) -> bytes:
    return block[1:] + block[:1]


def _encrypted(key: bytes, data: bytes) -> bytes:
    encryptor = Cipher(AES128(key), CBC(bytes(_BLOCK))).encryptor()
    return encryptor.update(data) + encryptor.finalize()


def _decrypted(key: bytes, data: bytes) -> bytes:
    decryptor = Cipher(AES128(key), CBC(bytes(_BLOCK))).decryptor()
    return decryptor.update(data) + decryptor.finalize()
