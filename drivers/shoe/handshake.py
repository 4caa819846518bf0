"""Handshake of version 2 (drivers/shoe/LINK.md, Version 2): a Diffie-Hellman key exchange over X25519 with
the pattern KK, as the Noise protocol framework names it.

Both ends have the other's public key from the pairing. HELLO and WELCOME carry a fresh key each and
authenticate their sender and every field; the result is the keys of one session. Objects are immutable: a
forged answer leaves the handshake unchanged. Pure, except for `fresh`, which is passed in.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from dataclasses import dataclass, field, replace
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from drivers.shoe.protection import NotAuthentic

LABEL: Final = b"crisscross shoe link 2, KK, X25519, ChaCha20-Poly1305, SHA-256"
KEY: Final = 32
TAG: Final = 16
FORGED: Final = "bad_proof"


@dataclass(frozen=True, slots=True)
class Paired:
    """Keys that one end keeps after a pairing: its own secret key and the other's public one, 32 bytes
    each."""

    own: bytes = field(repr=False)
    other: bytes


@dataclass(frozen=True, slots=True)
class Direction:
    """Keys of one direction: one for numbered frames, one for signs."""

    numbered: bytes = field(repr=False)
    signs: bytes = field(repr=False)
    """Key for the signs, ACK and ALIVE."""


def public_key(secret: bytes) -> bytes:
    return X25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()


def x25519(secret: bytes, other: bytes) -> bytes:
    """Return the X25519 shared secret. Raises NotAuthentic if it is all zero."""
    try:
        peer = X25519PublicKey.from_public_bytes(other)
        return X25519PrivateKey.from_private_bytes(secret).exchange(peer)
    except ValueError:
        raise NotAuthentic(FORGED) from None


def hkdf(salt: bytes, secret: bytes, label: bytes, length: int) -> bytes:
    """Return a key of `length` bytes derived by HKDF-SHA256 (RFC 5869). `label`: purpose of the key, the
    `info` of the RFC."""
    return HKDF(algorithm=SHA256(), length=length, salt=salt, info=label).derive(secret)


def to_base64(data: bytes) -> str:
    """Return base 64 (RFC 4648, section 4) without padding."""
    return base64.b64encode(data).rstrip(b"=").decode("ascii")


def from_base64(text: str) -> bytes:
    """Decode base 64. Raises NotAuthentic unless `to_base64` writes exactly this text, so that no two texts
    decode to the same bytes."""
    try:
        data = base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        raise NotAuthentic(FORGED) from None
    if to_base64(data) != text:
        raise NotAuthentic(FORGED)
    return data


@dataclass(frozen=True, slots=True)
class Handshake:
    """Transcript of a handshake: hash of the data that both ends have seen (`seen`) and of their shared
    secrets (`chain`)."""

    seen: bytes
    chain: bytes = field(repr=False)
    key: bytes = field(default=b"", repr=False)

    @staticmethod
    def between(controller: bytes, shoe: bytes) -> Handshake:
        """Begin a handshake. `controller`, `shoe`: the public keys of the pairing."""
        start = hashlib.sha256(LABEL).digest()
        return Handshake(start, start).mix_hash(controller).mix_hash(shoe)

    def mix_hash(self, data: bytes) -> Handshake:
        return replace(self, seen=hashlib.sha256(self.seen + data).digest())

    def mix_key(self, secret: bytes) -> Handshake:
        both = hkdf(self.chain, secret, b"", 2 * KEY)
        return replace(self, chain=both[:KEY], key=both[KEY:])

    def proof(self) -> bytes:
        """Return a tag of 16 bytes that only an end with all secrets mixed in so far can make. Never call it
        twice without `mix_key` in between: a key may encrypt only one text.
        """
        return ChaCha20Poly1305(self.key).encrypt(bytes(12), b"", self.seen)

    def verify(self, proof: bytes) -> Handshake:
        try:
            ChaCha20Poly1305(self.key).decrypt(bytes(12), proof, self.seen)
        except InvalidTag:
            raise NotAuthentic(FORGED) from None
        return self.mix_hash(proof)

    def keys(self) -> tuple[Direction, Direction]:
        """Return the keys of the controller's frames and of the shoe's."""
        made = hkdf(self.chain, b"", b"keys", 4 * KEY)
        first, second, third, fourth = (made[at : at + KEY] for at in range(0, 4 * KEY, KEY))
        return Direction(first, second), Direction(third, fourth)


def split(field_: str) -> tuple[bytes, bytes]:
    """Split the last field of HELLO or WELCOME into fresh key and tag."""
    data = from_base64(field_)
    if len(data) != KEY + TAG:
        raise NotAuthentic(FORGED)
    return data[:KEY], data[KEY:]
