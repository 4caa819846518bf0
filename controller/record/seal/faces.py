"""Rows that hold a face, sealed until their round has ended: ChaCha20-Poly1305 (RFC 8439).

Each period, from the end of one round to the end of the next, has a key of its own. It follows from a secret
that is kept outside the journal (HKDF, RFC 5869), and is put into the journal when the round has ended.
It must never say anything of a text that it cannot open.
"""

from __future__ import annotations

import os
from base64 import b64decode, b64encode
from collections.abc import Callable

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

KEY_BYTES, NONCE_BYTES = 32, 12
MAX_DIGITS = 12
ROW_STEP, SNAPSHOT_STEP = 192, 8192
"""A text is filled up to a multiple of these, so that its length tells no face."""


class CannotOpen(Exception):
    """The text is not as it was written, or was sealed with another key."""


class NoKey(CannotOpen):
    """The key is not here."""


def period_key(secret: bytes, journal: str, period: int) -> bytes:
    """32 bytes; those of another period or journal do not follow from it."""
    about = f"crisscross faces {journal} {period}".encode()
    return HKDF(SHA256(), KEY_BYTES, salt=None, info=about).derive(secret)


class Period:
    """One period of one journal, while it is written or read."""

    def __init__(self, number: int, key: bytes) -> None:
        """ValueError where the key has not 32 bytes."""
        self.number, self.key = number, key
        self._cipher = ChaCha20Poly1305(key)

    def seal(self, text: str, about: bytes, step: int) -> str:
        """The text, which ends with no space, as `number.base64`. `about` is bound to it and has to be given
        again (table, row, kind). The nonce is random: a journal that was put back from a copy uses a row's
        number again."""
        plain = text.encode()
        nonce = os.urandom(NONCE_BYTES)
        sealed = self._cipher.encrypt(nonce, plain.ljust(-(-len(plain) // step) * step), about)
        return f"{self.number}.{b64encode(nonce + sealed).decode()}"

    def open(self, sealed: str, about: bytes) -> str:
        """CannotOpen where it is not what `seal` made of it."""
        try:
            raw = b64decode(sealed.partition(".")[2], validate=True)
            return self._cipher.decrypt(raw[:NONCE_BYTES], raw[NONCE_BYTES:], about).decode().rstrip(" ")
        except (InvalidTag, ValueError):
            raise CannotOpen from None


KeyOf = Callable[[int], bytes | None]
"""The key of a period, or None where it is not to be had."""


class Opener:
    """Opens what was sealed in one journal, whatever the period."""

    def __init__(self, journal: str, key_of: KeyOf) -> None:
        self.journal = journal
        self._key_of = key_of
        self._periods: dict[int, Period] = {}

    def open(self, text: str, about: bytes) -> str:
        """The text itself where it was never sealed. CannotOpen, NoKey."""
        if not is_sealed(text):
            return text
        return self._period(text).open(text, about)

    def _period(self, text: str) -> Period:
        period = text.partition(".")[0]
        if not (period.isascii() and period.isdigit() and len(period) < MAX_DIGITS):
            raise CannotOpen
        number = int(period)
        if number not in self._periods:
            key = self._key_of(number)
            if key is None:
                raise NoKey
            self._periods[number] = Period(number, key)
        return self._periods[number]


def is_sealed(text: str) -> bool:
    """JSON of an object never begins with a digit."""
    return text[:1].isdigit()
