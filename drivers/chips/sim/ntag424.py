"""An NTAG 424 DNA over an antenna: select its application and authenticate, as NT4H2421Gx describes it.

Written from the chip's data sheet and not from the driver: section 10.3 (ISOSelectFile), 10.4
(AuthenticateEV2First) and the status words of its tables. Files and other commands are missing. The time of
its AES is not published; `AES_S` is assumed. A simulated chip must never be laxer than a real one.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Protocol

from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES128
from cryptography.hazmat.primitives.ciphers.modes import CBC

ATS = bytes.fromhex("067777710280")
"""Answer to select; its first byte is its length."""
AES_S = 0.004
MAX_SEQUENTIAL_FAILURES = 50
"""Failed authentications in a row after which the chip delays (AN12196, section 7.4)."""
MAX_FAILURES = 1000
"""Failed authentications in all after which the key is disabled."""

_NAME = bytes.fromhex("D2760000850101")
_KEYS = 5
_DELAYS = 3
"""Number of refused attempts in one selection after which the delay is over."""


@dataclass(frozen=True, slots=True)
class CardAnswer:
    """An answer over the air. `apdu`: None if no answer comes. `broken`: whether it arrives with a wrong
    checksum."""

    apdu: bytes | None
    after_s: float = 0.0
    broken: bool = False


class Iso14443Chip(Protocol):
    """A chip of ISO/IEC 14443-4 after its activation."""

    def reset(self) -> None:
        """Lose all state that a chip loses without a field or when it is deselected."""

    def respond(self, apdu: bytes) -> CardAnswer: ...


class Ntag424:
    """One chip with a secret in one of its keys; the others are zero, as delivered.

    Faults: `late_s` is added to every answer, `noisy` breaks every answer, `leaves_after` is the number of
    commands that the chip answers before it is removed.
    """

    def __init__(
        self,
        key: bytes,
        dice: random.Random,
        key_number: int = 4,
        *,
        late_s: float = 0.0,
        noisy: bool = False,
        leaves_after: int | None = None,
    ) -> None:
        self._keys = [key if number == key_number else bytes(16) for number in range(_KEYS)]
        self._dice = dice
        self.late_s = late_s
        self.noisy = noisy
        self.leaves_after = leaves_after
        self.failures = [0] * _KEYS
        self.sequential = [0] * _KEYS
        self._delays = 0
        self._selected = False
        self._begun: tuple[int, bytes] | None = None

    def reset(self) -> None:
        self._selected, self._begun, self._delays = False, None, 0

    def respond(self, apdu: bytes) -> CardAnswer:
        if self.leaves_after is not None:
            if self.leaves_after <= 0:
                return CardAnswer(None)
            self.leaves_after -= 1
        answer, took = self._execute(apdu)
        return CardAnswer(answer, took + self.late_s, self.noisy)

    def _execute(self, apdu: bytes) -> tuple[bytes, float]:
        begun, self._begun = self._begun, None
        if apdu[:2] == b"\x00\xa4":
            return self._select(apdu), 0.0
        if apdu[:1] != b"\x90" or len(apdu) < 6 or apdu[-1:] != b"\x00":
            return b"\x6e\x00" if apdu[:1] != b"\x90" else b"\x91\x7e", 0.0
        data = apdu[5:-1]
        if apdu[2:4] != b"\x00\x00" or apdu[4] != len(data):
            return b"\x91\x7e", 0.0
        if begun is not None and apdu[1] != 0xAF:
            return b"\x91\xca", 0.0  # COMMAND_ABORTED: the authentication was not completed
        if apdu[1] == 0x71:
            return self._first(data)
        if apdu[1] == 0xAF and begun is not None:
            return self._second(*begun, data)
        return b"\x91\x1c", 0.0  # ILLEGAL_COMMAND_CODE

    def _select(self, apdu: bytes) -> bytes:
        if apdu[2:3] != b"\x04" or apdu[3:4] not in (b"\x00", b"\x0c"):
            return b"\x6a\x86"
        name = apdu[5 : 5 + apdu[4]] if len(apdu) > 5 else b""
        self._selected = name == _NAME
        return b"\x90\x00" if self._selected else b"\x6a\x82"

    def _first(self, data: bytes) -> tuple[bytes, float]:
        if not self._selected:
            return b"\x91\x9d", 0.0  # PERMISSION_DENIED
        if len(data) < 2 or len(data) != 2 + data[1] or data[1] > 6:
            return b"\x91\x7e", 0.0
        number = data[0]
        if number >= _KEYS or self.failures[number] >= MAX_FAILURES:
            return b"\x91\x40", 0.0  # NO_SUCH_KEY
        if self.sequential[number] >= MAX_SEQUENTIAL_FAILURES and self._delays < _DELAYS:
            self._delays += 1
            return b"\x91\xad", 0.0
        secret = self._dice.randbytes(16)
        self._begun = (number, secret)
        return _cbc(self._keys[number], secret) + b"\x91\xaf", AES_S

    def _second(self, number: int, secret: bytes, data: bytes) -> tuple[bytes, float]:
        if len(data) != 32:
            return b"\x91\x7e", 0.0
        plain = _cbc(self._keys[number], data, decrypt=True)
        theirs, mine = plain[:16], plain[16:]
        if mine != secret[1:] + secret[:1]:
            self.failures[number] += 1
            self.sequential[number] += 1
            return b"\x91\xae", AES_S  # AUTHENTICATION_ERROR
        self.sequential[number] = 0
        self.failures[number] = max(0, self.failures[number] - 10)
        body = self._dice.randbytes(4) + theirs[1:] + theirs[:1] + bytes(12)
        return _cbc(self._keys[number], body) + b"\x91\x00", AES_S


def _cbc(key: bytes, data: bytes, *, decrypt: bool = False) -> bytes:
    cipher = Cipher(AES128(key), CBC(bytes(16)))
    context = cipher.decryptor() if decrypt else cipher.encryptor()
    return context.update(data) + context.finalize()
