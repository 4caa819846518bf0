"""Exchange of public keys, confirmed by a person who compares six digits (drivers/shoe/LINK.md, Pairing).

Each end commits to its key before it knows the other's half, so an attacker between the two has one chance
in a million that both show the same digits. Sans-I/O: the controller repeats its request, the shoe answers.
An end must never keep a key before a person at that end has confirmed the digits.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from typing import Final

from drivers.shoe.codec import MAX_FRAME_BYTES, Frame, FrameDecoder, encode_frame
from drivers.shoe.handshake import KEY, Paired, from_base64, public_key, to_base64
from drivers.shoe.protection import NotAuthentic

COMMITMENT_LABEL: Final = b"crisscross shoe pairing, bound to"
DIGITS_LABEL: Final = b"crisscross shoe pairing, digits"
HALF_BYTES: Final = 16
"""Length of each end's random half in bytes."""
MILLION: Final = 1_000_000
Fresh = Callable[[int], bytes]


class NotPaired(Exception):
    """Raised if a pairing failed. The message states the reason."""


def commitment_of(key: bytes, half: bytes) -> bytes:
    return hashlib.sha256(COMMITMENT_LABEL + key + half).digest()


def six_digits(controller: bytes, shoe: bytes, halves: bytes) -> str:
    """Return the six digits that people compare at both ends. `controller`, `shoe`: the public keys;
    `halves`: both random halves, the controller's first."""
    digest = hashlib.sha256(DIGITS_LABEL + controller + shoe + halves).digest()
    return f"{int.from_bytes(digest[:8], 'big') % MILLION:06d}"


def _decode(text: str, length: int) -> bytes:
    try:
        data = from_base64(text)
    except NotAuthentic:
        data = b""
    if len(data) != length:
        raise NotPaired("what the other end says is no key; begin again")
    return data


class ControllerPairing:
    """Controller's side of a pairing. Send `request` until `receive` has processed its answer. `digits`
    become available first; after `confirm()`, `paired`."""

    def __init__(self, name: str, fresh: Fresh = os.urandom) -> None:
        self._secret, self._half = fresh(KEY), fresh(HALF_BYTES)
        self._decoder = FrameDecoder(MAX_FRAME_BYTES)
        commitment = to_base64(commitment_of(public_key(self._secret), self._half))
        self.request = encode_frame(0, "PAIR", (name, commitment), MAX_FRAME_BYTES)
        self.serial = ""
        self.digits: str | None = None
        self.paired: Paired | None = None
        self._other: bytes | None = None
        self._other_half = b""

    def receive(self, data: bytes) -> None:
        """Process the shoe's bytes. Raises NotPaired if the shoe refuses or sends an invalid key."""
        for frame in self._decoder.feed(data):
            if frame.kind == "REFUSED" and frame.fields[:1] == ("PAIR",):
                raise NotPaired(f"the shoe refuses: {', '.join(frame.fields[1:])}")
            self._on_answer(frame)

    def confirm(self) -> None:
        """Confirm that a person has seen the same digits at both ends."""
        self.request = encode_frame(2, "PAIRED")

    def _on_answer(self, frame: Frame) -> None:
        match frame.seq, frame.kind, frame.fields:
            case 0, "PAIRKEY", (serial, key, half) if self._other is None:
                self.serial, self._other = serial, _decode(key, KEY)
                self._other_half = _decode(half, HALF_BYTES)
                own = (to_base64(public_key(self._secret)), to_base64(self._half))
                self.request = encode_frame(1, "REVEAL", own, MAX_FRAME_BYTES)
            case 1, "DIGITS", () if self._other is not None and self.digits is None:
                halves = self._half + self._other_half
                self.digits = six_digits(public_key(self._secret), self._other, halves)
            case 2, "PAIRED", () if self._other is not None and self.request == encode_frame(2, "PAIRED"):
                self.paired = Paired(self._secret, self._other)


class ShoePairing:
    """Shoe's side of a pairing, while the shoe is in pairing mode. `receive` returns the bytes to answer."""

    def __init__(self, serial: str, fresh: Fresh = os.urandom) -> None:
        self._serial = serial
        self._secret, self._half = fresh(KEY), fresh(HALF_BYTES)
        self._decoder = FrameDecoder(MAX_FRAME_BYTES)
        self._request: Frame | None = None
        self._other: bytes | None = None
        self._confirmed = False
        self.digits: str | None = None
        self.paired: Paired | None = None

    def receive(self, data: bytes) -> bytes:
        return b"".join(self._answer(frame) for frame in self._decoder.feed(data))

    def confirm(self) -> None:
        """Note that a person has seen the same digits at both ends."""
        self._confirmed = self.digits is not None

    def _answer(self, frame: Frame) -> bytes:
        match frame.kind, frame.fields:
            case "PAIR", (_, _):
                return self._on_pair(frame)
            case "REVEAL", (key, half) if self._request is not None:
                return self._on_reveal(key, half)
            case "PAIRED", () if self._confirmed and self._other is not None:
                self.paired = Paired(self._secret, self._other)
                return encode_frame(2, "PAIRED")
        return b""

    def _on_pair(self, frame: Frame) -> bytes:
        """Answer the first PAIR only: the shoe must not reveal its half to two controllers."""
        if self._request is not None and frame.raw != self._request.raw:
            return encode_frame(
                0, "REFUSED", ("PAIR", "somebody else pairs with it; begin again"), MAX_FRAME_BYTES
            )
        self._request = frame
        fields = (self._serial, to_base64(public_key(self._secret)), to_base64(self._half))
        return encode_frame(0, "PAIRKEY", fields, MAX_FRAME_BYTES)

    def _on_reveal(self, key_text: str, half_text: str) -> bytes:
        try:
            key, half = _decode(key_text, KEY), _decode(half_text, HALF_BYTES)
        except NotPaired:
            key = half = b""
        if self._request is None or to_base64(commitment_of(key, half)) != self._request.fields[1]:
            return encode_frame(
                1, "REFUSED", ("PAIR", "this is not what it was bound to; begin again"), MAX_FRAME_BYTES
            )
        if self._other is None:
            self._other = key
            self.digits = six_digits(key, public_key(self._secret), half + self._half)
        return encode_frame(1, "DIGITS")
