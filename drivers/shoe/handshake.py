"""The handshake of version 2 (drivers/shoe/LINK.md, Version 2): a KK pattern over X25519.

Both ends know the other's key from the pairing. HELLO and WELCOME carry a fresh key each and prove who sent
them, with every field; what comes of it are the keys of one session. Immutable: a forged answer leaves the
handshake as it was. Pure but for `fresh`, which is handed in.
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

from drivers.shoe.protection import Unproven

LABEL: Final = b"crisscross shoe link 2, KK, X25519, ChaCha20-Poly1305, SHA-256"
KEY: Final = 32
TAG: Final = 16
FORGED: Final = "bad_proof"


@dataclass(frozen=True, slots=True)
class Paired:
    """Keys that one end keeps of a pairing: its own secret key and the other's public one. 32 bytes each."""

    own: bytes = field(repr=False)
    other: bytes


@dataclass(frozen=True, slots=True)
class Direction:
    """The two keys of one direction."""

    numbered: bytes = field(repr=False)
    signs: bytes = field(repr=False)
    """Return the signs of ACK and ALIVE."""


def public(secret: bytes) -> bytes:
    return X25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()


def shared(secret: bytes, other: bytes) -> bytes:
    """Unproven for a key that gives no secret at all."""
    try:
        peer = X25519PublicKey.from_public_bytes(other)
        return X25519PrivateKey.from_private_bytes(secret).exchange(peer)
    except ValueError:
        raise Unproven(FORGED) from None


def derived(salt: bytes, secret: bytes, label: bytes, length: int) -> bytes:
    """HKDF-SHA256 (RFC 5869)."""
    return HKDF(algorithm=SHA256(), length=length, salt=salt, info=label).derive(secret)


def text_of(data: bytes) -> str:
    """Base 64 (RFC 4648, section 4) without the padding."""
    return base64.b64encode(data).rstrip(b"=").decode("ascii")


def data_of(text: str) -> bytes:
    """Unproven where it is not written as `text_of` writes it: no two texts mean the same."""
    try:
        data = base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        raise Unproven(FORGED) from None
    if text_of(data) != text:
        raise Unproven(FORGED)
    return data


@dataclass(frozen=True, slots=True)
class Handshake:
    """Transcript of a handshake: what both ends have seen (`seen`) and know together (`chain`) so far."""

    seen: bytes
    chain: bytes = field(repr=False)
    key: bytes = field(default=b"", repr=False)

    @staticmethod
    def between(controller: bytes, shoe: bytes) -> Handshake:
        """`controller`, `shoe`: the public keys of the pairing."""
        start = hashlib.sha256(LABEL).digest()
        return Handshake(start, start).saw(controller).saw(shoe)

    def saw(self, data: bytes) -> Handshake:
        return replace(self, seen=hashlib.sha256(self.seen + data).digest())

    def knows(self, secret: bytes) -> Handshake:
        both = derived(self.chain, secret, b"", 2 * KEY)
        return replace(self, chain=both[:KEY], key=both[KEY:])

    def proof(self) -> bytes:
        """16 bytes that nobody makes without the keys mixed in so far. Each key makes one."""
        return ChaCha20Poly1305(self.key).encrypt(bytes(12), b"", self.seen)

    def proven(self, proof: bytes) -> Handshake:
        try:
            ChaCha20Poly1305(self.key).decrypt(bytes(12), proof, self.seen)
        except InvalidTag:
            raise Unproven(FORGED) from None
        return self.saw(proof)

    def keys(self) -> tuple[Direction, Direction]:
        """Return the keys of the controller's frames and of the shoe's."""
        made = derived(self.chain, b"", b"keys", 4 * KEY)
        first, second, third, fourth = (made[at : at + KEY] for at in range(0, 4 * KEY, KEY))
        return Direction(first, second), Direction(third, fourth)


def split(field_: str) -> tuple[bytes, bytes]:
    """A fresh key and a proof, as HELLO and WELCOME carry them."""
    data = data_of(field_)
    if len(data) != KEY + TAG:
        raise Unproven(FORGED)
    return data[:KEY], data[KEY:]
