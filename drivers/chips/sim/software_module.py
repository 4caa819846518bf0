"""A secure module in software, for mock tables and for trials in a casino's cage. The software module must
never run on a real table.

The key of each chip is derived from a house key by CMAC (NXP AN10922 rev. 2.2, section 2.2.1), with the UID,
the chip's application and the name of this system as input.
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

from drivers.chips.secure_module import Response

MAX_OPEN = 64
"""Maximum number of unverified proofs; the oldest is dropped."""

_APPLICATION = bytes.fromhex("D2760000850101")
_SYSTEM = b"CRISSCROSS"
_DIVERSIFICATION = b"\x01"
"""Constant of AN10922 for a key of AES-128."""
_BLOCK = 16


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
    """Return the key of the chip with this UID (14 hex digits)."""
    return diversified_key(house_key, bytes.fromhex(uid) + _APPLICATION + _SYSTEM)


class SoftwareModule:
    """`SecureModule` in this process. `key_of`: key of each chip by its UID."""

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
        key, number = self._key_of(uid), self._random_bytes(_BLOCK)
        message = _encrypted(key, number + _rotated(_decrypted(key, challenge)))
        with self._lock:
            self._count += 1
            self._open[self._count] = (key, number)
            if len(self._open) > MAX_OPEN:
                self._open.popitem(last=False)
            return Response(self._count, message)

    def verify(self, ticket: int, answer: bytes) -> bool:
        """Return whether the answer, E(TI, RndA rotated, capabilities), contains the rotated RndA."""
        with self._lock:
            key, number = self._open.pop(ticket, (b"", b""))
        if not key or len(answer) != 2 * _BLOCK:
            return False
        return hmac.compare_digest(_decrypted(key, answer)[4:20], _rotated(number))


def _rotated(block: bytes) -> bytes:
    return block[1:] + block[:1]


def _encrypted(key: bytes, data: bytes) -> bytes:
    encryptor = Cipher(AES128(key), CBC(bytes(_BLOCK))).encryptor()
    return encryptor.update(data) + encryptor.finalize()


def _decrypted(key: bytes, data: bytes) -> bytes:
    decryptor = Cipher(AES128(key), CBC(bytes(_BLOCK))).decryptor()
    return decryptor.update(data) + decryptor.finalize()
