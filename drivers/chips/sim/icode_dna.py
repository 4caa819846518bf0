"""The AES of an ICODE DNA behind AUTHENTICATE: TAM1 of ISO/IEC 29167-10 over ISO/IEC 15693.

Written from the octets that drivers/chips/FEIG.md ("Chips that prove themselves") lists with their sources,
and not from the driver. The chip answers any reader and counts no failures, because TAM1 has none. The time
of its AES is that which an engineer of NXP names; which key number has a key, and the error codes, are
assumed. A simulated chip must never be laxer than a real one.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Protocol

from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES128
from cryptography.hazmat.primitives.ciphers.modes import CBC

AUTHENTICATE = 0x35
AES_S = 0.004
"""Time of the AES in seconds (community.nxp.com 687769)."""

_NOT_RECOGNIZED, _OTHER_ERROR = b"\x01\x02", b"\x01\x0f"
_PARAMETERS = 13
"""Crypto suite, first byte of the message, key number, challenge of ten bytes."""
_TAM1_CONSTANT = 0x96C5


@dataclass(frozen=True, slots=True)
class VicinityAnswer:
    """An answer over the air, flags first and without CRC. `data`: None if no answer comes. `after_s`: time
    beyond the usual wait of a chip."""

    data: bytes | None
    after_s: float = 0.0


class VicinityCard(Protocol):
    """The part of an ISO/IEC 15693 chip that proves itself."""

    def authenticate(self, parameters: bytes) -> VicinityAnswer:
        """Return the answer to AUTHENTICATE with these parameters."""


class IcodeDna:
    """One chip with a secret in one of its keys. Faults: `late_s` is added to every answer, a `silent` chip
    gives none."""

    def __init__(
        self,
        key: bytes,
        dice: random.Random,
        key_number: int = 0,
        *,
        late_s: float = 0.0,
        silent: bool = False,
    ) -> None:
        self._cipher = Cipher(AES128(key), CBC(bytes(16)))
        """One block under a zero vector is AES itself."""
        self._dice = dice
        self._key_number = key_number
        self.late_s = late_s
        self.silent = silent

    def authenticate(self, parameters: bytes) -> VicinityAnswer:
        if self.silent:
            return VicinityAnswer(None)
        if len(parameters) != _PARAMETERS or parameters[:2] != b"\x00\x00":
            return VicinityAnswer(_NOT_RECOGNIZED, self.late_s)
        if parameters[2] != self._key_number:
            return VicinityAnswer(_OTHER_ERROR, self.late_s)
        challenge = int.from_bytes(parameters[3:], "little")
        block = _TAM1_CONSTANT << 112 | self._dice.getrandbits(32) << 80 | challenge
        cipher = int.from_bytes(self._cipher.encryptor().update(block.to_bytes(16, "big")), "big")
        return VicinityAnswer(b"\x06\xa7" + cipher.to_bytes(16, "little"), AES_S + self.late_s)
