"""The ratchet: a key that goes one way. Each checkpoint is sealed with it, then the next one takes its place.

Whoever has the first key can make them all and check every seal. Whoever takes the machine has today's key,
and none of yesterday's follows from it: a round that has ended cannot be sealed anew. (HKDF: RFC 5869; HMAC:
RFC 2104.)
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

KEY_BYTES = 32


def following(key: bytes) -> bytes:
    """The key after this one."""
    return HKDF(SHA256(), KEY_BYTES, salt=None, info=b"crisscross ratchet 1").derive(key)


def keys_from(first: bytes) -> Iterator[bytes]:
    """The first one and all that follow, without an end."""
    while True:
        yield first
        first = following(first)


def sealed(key: bytes, checkpoint: str) -> str:
    """The seal of a checkpoint's text, 64 hexadecimal digits."""
    return hmac.new(key, checkpoint.encode(), hashlib.sha256).hexdigest()


def is_sealed_by(key: bytes, checkpoint: str, seal: str) -> bool:
    """Whether that key made this seal."""
    return hmac.compare_digest(sealed(key, checkpoint), seal)
