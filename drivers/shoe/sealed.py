"""Version 2 of the link at the controller's end and at the shoe's: handshake and seals behind `Protection`.

Each end has the keys of at most one session, and only an authentic WELCOME replaces them. This module must
never accept a frame in clear as one of the session.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from drivers.shoe.codec import MAX_FRAME_BYTES, Frame, encode_frame
from drivers.shoe.handshake import FORGED, KEY, Handshake, Paired, public_key, split, to_base64, x25519
from drivers.shoe.protection import OLD_VERSION, NotAuthentic, is_refused_hello
from drivers.shoe.sealing import Opener, Sealer, count_of

_VERSION: Final = "2"
SESSION_NAME_CHARS: Final = 8
"""Length of a session's name: the first characters of its WELCOME's proof, which contain a key that is
never used twice."""
NO_SESSION: Final = "no_session"
_HELLO_FIELDS: Final = 5
Fresh = Callable[[], bytes]


def fresh_key() -> bytes:
    return os.urandom(KEY)


class _End:
    """Version 2 at one end of the link: state and methods that the controller's and the shoe's end share."""

    version = _VERSION

    def __init__(self, paired: Paired, fresh: Fresh = fresh_key) -> None:
        self._paired = paired
        self._fresh = fresh
        self._sealer: Sealer | None = None
        self._opener: Opener | None = None
        self.session = ""

    def hello(self, name: str, boot: str | None, mark: tuple[str, int] | None) -> tuple[str, ...]:
        """Return the fields of a HELLO. The last frame is named by session and number, so that a recorded
        HELLO never means another frame. A KNOCK, which any sender may send, does not change it.
        """
        return (
            self.version,
            name,
            *(("", "") if mark is None else (mark[0][-SESSION_NAME_CHARS:], f"{mark[1]:02X}")),
        )

    def acknowledge(self, frame: Frame) -> bytes:
        """Return the ACK, sealed if the frame was sealed; the ACK of a WELCOME is the first frame of the
        new session."""
        if self._sealer is None or self._opener is None or not frame.authentic or frame.kind == "HELLO":
            return encode_frame(frame.seq, "ACK")
        return self._sealer.ack(count_of(self._opener.count, frame.seq))

    def alive(self, number: int) -> bytes:
        return b"" if self._sealer is None else self._sealer.alive(number)

    def needs_authentic_ack(self, kind: str, fields: tuple[str, ...]) -> bool:
        return kind not in ("HELLO", "KNOCK") and not is_refused_hello(kind, fields)

    def _seal(self, seq: int, kind: str, fields: tuple[str, ...]) -> bytes:
        if self._sealer is None:
            raise ValueError(f"shoe link {kind}: version 2 sends it in a session only")
        return self._sealer.numbered(seq, kind, fields)

    def _open(self, frame: Frame) -> Frame:
        if frame.kind == "ACK" and not frame.fields:
            return replace(frame, authentic=False)
        if self._sealer is None or self._opener is None:
            raise NotAuthentic(NO_SESSION)
        return self._opener.open(frame, self._sealer.count)


class ControllerEnd(_End):
    """Controller's end. `unwrap` raises NotAuthentic(OLD_VERSION) if the shoe answers in version 1."""

    _newest_hello: tuple[Handshake, bytes, int] | None = None
    """Newest HELLO: handshake, its fresh secret, its number."""

    def wrap(self, seq: int, kind: str, fields: tuple[str, ...]) -> bytes:
        return self._hello(seq, fields) if kind == "HELLO" else self._seal(seq, kind, fields)

    def unwrap(self, frame: Frame) -> Frame:
        if frame.kind == "KNOCK":
            return _accept_knock(frame)
        if frame.kind == "WELCOME":
            return self._accept_welcome(frame)
        if is_refused_hello(frame.kind, frame.fields):
            raise NotAuthentic(OLD_VERSION)
        return self._open(frame)

    def _hello(self, seq: int, fields: tuple[str, ...]) -> bytes:
        secret = self._fresh()
        own, shoe = self._paired.own, self._paired.other
        clear = ",".join((f"{seq:02X}", "HELLO", *fields)).encode("ascii")
        shake = Handshake.between(public_key(own), shoe).mix_hash(clear).mix_hash(public_key(secret))
        shake = shake.mix_key(x25519(secret, shoe)).mix_key(x25519(own, shoe))
        proof = shake.proof()
        self._newest_hello = shake.mix_hash(proof), secret, seq
        return encode_frame(seq, "HELLO", (*fields, to_base64(public_key(secret) + proof)), MAX_FRAME_BYTES)

    def _accept_welcome(self, frame: Frame) -> Frame:
        if self._opener is not None and (again := self._opener.repetition(frame)) is not None:
            return again
        if frame.fields[:1] == ("1",):
            raise NotAuthentic(OLD_VERSION)
        if self._newest_hello is None or not frame.fields:
            raise NotAuthentic(FORGED)
        shake, secret, hello = self._newest_hello
        key, proof = split(frame.fields[-1])
        shake = shake.mix_hash(frame.raw[1 : frame.raw.rindex(b",")]).mix_hash(key)
        shake = shake.mix_key(x25519(secret, key)).mix_key(x25519(self._paired.own, key)).verify(proof)
        to_shoe, from_shoe = shake.keys()
        opened = replace(frame, fields=frame.fields[:-1])
        self._sealer, self._opener, self._newest_hello = (
            Sealer(to_shoe, hello),
            Opener(from_shoe, opened),
            None,
        )
        self.session = frame.fields[-1][:SESSION_NAME_CHARS]
        return opened


class ShoeEnd(_End):
    """Shoe's end, for simulators and as an example for shoe makers."""

    _newest_hello: tuple[Handshake, bytes, Frame] | None = None
    """Newest authentic HELLO: handshake, the controller's fresh key, the frame."""

    def wrap(self, seq: int, kind: str, fields: tuple[str, ...]) -> bytes:
        if kind == "KNOCK":
            return encode_frame(seq, kind, (*fields, _VERSION))
        if kind == "WELCOME":
            return self._welcome(seq, fields)
        return (
            encode_frame(seq, kind, fields)
            if is_refused_hello(kind, fields)
            else self._seal(seq, kind, fields)
        )

    def unwrap(self, frame: Frame) -> Frame:
        return self._accept_hello(frame) if frame.kind == "HELLO" else self._open(frame)

    def _accept_hello(self, frame: Frame) -> Frame:
        if self._opener is not None and (again := self._opener.repetition(frame)) is not None:
            return again
        if frame.fields[:1] != (_VERSION,):
            return replace(frame, authentic=False)
        if len(frame.fields) != _HELLO_FIELDS:
            raise NotAuthentic(FORGED)
        key, proof = split(frame.fields[-1])
        own, controller = self._paired.own, self._paired.other
        shake = Handshake.between(controller, public_key(own))
        shake = shake.mix_hash(frame.raw[1 : frame.raw.rindex(b",")]).mix_hash(key)
        shake = shake.mix_key(x25519(own, key)).mix_key(x25519(own, controller)).verify(proof)
        opened = replace(frame, fields=frame.fields[:-1])
        self._newest_hello = shake, key, opened
        return opened

    def _welcome(self, seq: int, fields: tuple[str, ...]) -> bytes:
        if self._newest_hello is None:
            raise ValueError("shoe link WELCOME: version 2 sends it after a HELLO only")
        shake, key, hello = self._newest_hello
        secret = self._fresh()
        clear = ",".join((f"{seq:02X}", "WELCOME", *fields)).encode("ascii")
        shake = shake.mix_hash(clear).mix_hash(public_key(secret))
        shake = shake.mix_key(x25519(secret, key)).mix_key(x25519(secret, self._paired.other))
        proof = shake.proof()
        from_controller, from_shoe = shake.mix_hash(proof).keys()
        self._sealer, self._opener = Sealer(from_shoe, seq), Opener(from_controller, hello)
        answer = to_base64(public_key(secret) + proof)
        self.session = answer[:SESSION_NAME_CHARS]
        return encode_frame(seq, "WELCOME", (*fields, answer), MAX_FRAME_BYTES)


def _accept_knock(frame: Frame) -> Frame:
    """Return a KNOCK without its version field. Raises NotAuthentic(OLD_VERSION) if it has none, as in
    version 1."""
    if frame.fields[1:] != (_VERSION,):
        raise NotAuthentic(OLD_VERSION)
    return replace(frame, fields=frame.fields[:1], authentic=False)
