"""Seals of one session's frames in version 2: made (encrypted) when sending, checked when receiving. A
replayed frame is not accepted as a new one.

A seal is the last field of a frame: ChaCha20-Poly1305 over all bytes before it; it also encrypts a card's
face. No nonce may be used for two texts: a numbered frame uses its count in the session, and it is sealed
once; an ACK uses the count that it acknowledges; an ALIVE has a count of its own.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from drivers.shoe.codec import MAX_FRAME_BYTES, Frame, encode_frame
from drivers.shoe.handshake import FORGED, KEY, Direction, from_base64, hkdf, to_base64
from drivers.shoe.protection import NotAuthentic

NUMBERED: Final = 0
ACK: Final = 1
ALIVE: Final = 2
FACE_CHARS: Final = 2
"""Length of every face in characters, FU and NR included, so that the length reveals nothing."""
FIRST_COUNT: Final = 0x100
"""Count of number 00 at the start of a session: not 0, so that the number before it has a count too."""
_COUNT: Final = re.compile(r"[1-9][0-9]{0,15}")


def nonce(kind: int, count: int) -> bytes:
    return bytes((kind, 0, 0, 0)) + count.to_bytes(8, "big")


def next_key(key: bytes) -> bytes:
    """Return the key that replaces `key` after a READY. An attacker who obtains it cannot decrypt the frames
    of earlier decks."""
    return hkdf(b"", key, b"deck", KEY)


def count_of(count: int, seq: int) -> int:
    """Return the count of a frame with the number `seq`: the highest one not above `count` whose last eight
    bits are `seq`."""
    return count - ((count - seq) & 0xFF)


class Sealer:
    """Sealer of this end's frames. `count`: the count of the last numbered frame, at first that of the
    HELLO or WELCOME (number `first`); it continues where the number wraps around."""

    def __init__(self, keys: Direction, first: int) -> None:
        self._key = keys.numbered
        self._signs = keys.signs
        self.count = FIRST_COUNT + first
        self._alive = 0

    def numbered(self, seq: int, kind: str, fields: tuple[str, ...]) -> bytes:
        self.count += ((seq - self.count - 1) & 0xFF) + 1
        clear, face = (fields[:-1], fields[-1]) if kind == "CARD" else (fields, "")
        if kind == "CARD" and len(face) != FACE_CHARS:
            raise ValueError(f"shoe link CARD: version 2 has room for a face of {FACE_CHARS} characters")
        wire = _seal(self._key, nonce(NUMBERED, self.count), seq, kind, clear, face)
        if kind == "READY":
            self._key = next_key(self._key)
        return wire

    def ack(self, count: int) -> bytes:
        return _seal(self._signs, nonce(ACK, count), count & 0xFF, "ACK", (), "")

    def alive(self, number: int) -> bytes:
        self._alive += 1
        return _seal(self._signs, nonce(ALIVE, self._alive), number, "ALIVE", (str(self._alive),), "")


def _seal(key: bytes, number_once: bytes, seq: int, kind: str, clear: tuple[str, ...], secret: str) -> bytes:
    head = ",".join((f"{seq:02X}", kind, *clear)).encode("ascii")
    seal = ChaCha20Poly1305(key).encrypt(number_once, secret.encode("ascii"), head)
    return encode_frame(seq, kind, (*clear, to_base64(seal)), MAX_FRAME_BYTES)


class Opener:
    """Checks the seals of the other end's frames. `first`: its HELLO or WELCOME, already authenticated."""

    def __init__(self, keys: Direction, first: Frame) -> None:
        self._key = keys.numbered
        self._signs = keys.signs
        self._last = first
        self.count = FIRST_COUNT + first.seq
        self._alive = 0

    def open(self, frame: Frame, sent: int) -> Frame:
        """Return the frame without its seal. `sent`: the count of this end's last frame. Raises
        NotAuthentic if the seal is wrong."""
        if frame.kind == "ACK":
            return _open_seal(self._signs, nonce(ACK, count_of(sent, frame.seq)), frame)
        if frame.kind == "ALIVE":
            return self._sign_of_life(frame)
        return self._numbered(frame)

    def repetition(self, frame: Frame) -> Frame | None:
        """Return the last frame if `frame` has the same bytes, which are authenticated already, else None."""
        return self._last if frame.raw == self._last.raw else None

    def _numbered(self, frame: Frame) -> Frame:
        """Accept the last frame again or the next one. Raises NotAuthentic for any other: it is a
        recording."""
        if (again := self.repetition(frame)) is not None:
            return again
        count = self.count + 1
        if frame.seq != count & 0xFF:
            raise NotAuthentic(FORGED)
        self._last = _open_seal(self._key, nonce(NUMBERED, count), frame)
        self.count = count
        if frame.kind == "READY":
            self._key = next_key(self._key)
        return self._last

    def _sign_of_life(self, frame: Frame) -> Frame:
        if len(frame.fields) != 2 or _COUNT.fullmatch(frame.fields[0]) is None:  # fields: count, seal
            raise NotAuthentic(FORGED)
        count = int(frame.fields[0])
        opened = _open_seal(self._signs, nonce(ALIVE, count), frame)
        if count <= self._alive:
            raise NotAuthentic("repetitions")  # a recorded ALIVE is not a sign of life
        self._alive = count
        return replace(opened, fields=())


def _open_seal(key: bytes, number_once: bytes, frame: Frame) -> Frame:
    if not frame.fields:
        raise NotAuthentic(FORGED)
    *clear, sealed = frame.fields
    head = frame.raw[1 : frame.raw.rindex(b",")]
    try:
        secret = ChaCha20Poly1305(key).decrypt(number_once, from_base64(sealed), head)
    except InvalidTag:
        raise NotAuthentic(FORGED) from None
    if len(secret) != (FACE_CHARS if frame.kind == "CARD" else 0) or not secret.isascii():
        raise NotAuthentic(FORGED)
    face = (secret.decode("ascii"),) if secret else ()
    return replace(frame, fields=(*clear, *face))
