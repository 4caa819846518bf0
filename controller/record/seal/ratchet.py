"""The ratchet: a one-way key, so that a stolen key cannot change the past.

Each checkpoint is sealed with the key, then the next key replaces it. The first key gives all later keys and
checks every seal. An attacker who takes the machine has the current key, but no earlier key can be derived
from it: an ended round cannot be sealed again. (HKDF: RFC 5869; HMAC: RFC 2104.)
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

KEY_BYTES = 32


def next_key(key: bytes) -> bytes:
    """Return the key that seals the checkpoint after that of `key`. The way back cannot be computed."""
    return HKDF(SHA256(), KEY_BYTES, salt=None, info=b"crisscross ratchet 1").derive(key)


def keys_from(first: bytes) -> Iterator[bytes]:
    """Yield the first key and all later ones, without end."""
    while True:
        yield first
        first = next_key(first)


def seal_of_text(key: bytes, checkpoint: str) -> str:
    """Return the seal that a key gives the text of a checkpoint: 64 hexadecimal digits."""
    return hmac.new(key, checkpoint.encode(), hashlib.sha256).hexdigest()


def is_sealed_by(key: bytes, checkpoint: str, seal: str) -> bool:
    """Return whether `seal` is the seal of the checkpoint's text by that key."""
    return hmac.compare_digest(seal_of_text(key, checkpoint), seal)
