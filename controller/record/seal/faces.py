"""Sealing of rows that hold a face: unseen cards are encrypted in the database of the journal until their
round has ended.

The cipher (algorithm) is ChaCha20-Poly1305 (RFC 8439). Each period, from the end of one round to the end of
the next, has its own key. The key is derived from a secret outside the journal (HKDF, RFC 5869), and
written into the journal at the end of the round. Errors must never quote a text that cannot be unsealed.
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
"""Padded texts have a multiple of this length in bytes, so that the length reveals no face."""


class CannotOpen(Exception):
    """Raised if the text was altered, or sealed with another key."""


class NoKey(CannotOpen):
    """Raised if the key is not available."""


def period_key(secret: bytes, journal: str, period: int) -> bytes:
    """Return the period's key of 32 bytes; the key of another period or journal cannot be derived from it."""
    about = f"crisscross faces {journal} {period}".encode()
    return HKDF(SHA256(), KEY_BYTES, salt=None, info=about).derive(secret)


class Period:
    """Cipher of one period of one journal. A period has one key and lasts from the end of one round to the
    end of the next."""

    def __init__(self, number: int, key: bytes) -> None:
        """Create the cipher. Raises ValueError if the key does not have 32 bytes."""
        self.number, self.key = number, key
        self._cipher = ChaCha20Poly1305(key)

    def seal(self, text: str, about: bytes, step: int) -> str:
        """Return the text encrypted, as `number.base64`.

        `text` must not end with a space. `about`: data that is authenticated too (table, row, kind), which
        must be given again to open it. `step`: the text is padded to a multiple of this many bytes. The nonce
        is random, because a journal that was restored from a copy uses row numbers again.
        """
        plain = text.encode()
        nonce = os.urandom(NONCE_BYTES)
        sealed = self._cipher.encrypt(nonce, plain.ljust(-(-len(plain) // step) * step), about)
        return f"{self.number}.{b64encode(nonce + sealed).decode()}"

    def open(self, sealed: str, about: bytes) -> str:
        """Return the text. Raises CannotOpen if `sealed` or `about` was altered."""
        try:
            raw = b64decode(sealed.partition(".")[2], validate=True)
            return self._cipher.decrypt(raw[:NONCE_BYTES], raw[NONCE_BYTES:], about).decode().rstrip(" ")
        except (InvalidTag, ValueError):
            raise CannotOpen from None


KeyOf = Callable[[int], bytes | None]
"""Function that returns the key of a period, or None if it is not available."""


class Opener:
    """Decryption of the sealed texts of one journal. It gets the key of each period from `key_of` when it is
    first needed."""

    def __init__(self, journal: str, key_of: KeyOf) -> None:
        self.journal = journal
        self._key_of = key_of
        self._periods: dict[int, Period] = {}

    def open(self, text: str, about: bytes) -> str:
        """Return the text, decrypted if it is sealed. Raises NoKey without the period's key, CannotOpen if
        the text was altered."""
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
    """Return whether the text is sealed; JSON of an object never begins with a digit."""
    return text[:1].isdigit()
