"""Version 2 of the link at the controller's end and at the shoe's: handshake and seals behind `Protection`.

Each end has the keys of at most one session, and only an authentic WELCOME replaces them. It must never
accept a frame in clear as one of the session.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from drivers.shoe.codec import MAX_FRAME_BYTES, Frame, encode
from drivers.shoe.handshake import FORGED, KEY, Handshake, Paired, public, shared, split, text_of
from drivers.shoe.protection import OLD_VERSION, Unproven, is_refused_hello
from drivers.shoe.sealing import Opener, Sealer, latest

VERSION: Final = "2"
NAME: Final = 8
"""Length of a session's name: the first characters of its WELCOME's proof, which contain a key that is
never used twice."""
NO_SESSION: Final = "no_session"
_HELLO_FIELDS: Final = 5
Fresh = Callable[[], bytes]


def fresh_key() -> bytes:
    return os.urandom(KEY)


class _End:
    """Parts that both ends share."""

    version = VERSION

    def __init__(self, paired: Paired, fresh: Fresh = fresh_key) -> None:
        self._paired = paired
        self._fresh = fresh
        self._sealer: Sealer | None = None
        self._opener: Opener | None = None
        self.session = ""

    def hello(self, name: str, boot: str | None, mark: tuple[str, int] | None) -> tuple[str, ...]:
        """Return the fields of a HELLO. The last frame is named by session and number, so that a recorded
        HELLO never means another frame. A KNOCK, which anyone may send, does not change it."""
        return (self.version, name, *(("", "") if mark is None else (mark[0][-NAME:], f"{mark[1]:02X}")))

    def acknowledge(self, frame: Frame) -> bytes:
        """Return the ACK, sealed if the frame was sealed; the ACK of a WELCOME is the first frame of the
        new session."""
        if self._sealer is None or self._opener is None or not frame.proven or frame.kind == "HELLO":
            return encode(frame.seq, "ACK")
        return self._sealer.ack(latest(self._opener.count, frame.seq))

    def alive(self, number: int) -> bytes:
        return b"" if self._sealer is None else self._sealer.alive(number)

    def wants_proof(self, kind: str, fields: tuple[str, ...]) -> bool:
        return kind not in ("HELLO", "KNOCK") and not is_refused_hello(kind, fields)

    def _seal(self, seq: int, kind: str, fields: tuple[str, ...]) -> bytes:
        if self._sealer is None:
            raise ValueError(f"shoe link {kind}: version 2 sends it in a session only")
        return self._sealer.numbered(seq, kind, fields)

    def _open(self, frame: Frame) -> Frame:
        if frame.kind == "ACK" and not frame.fields:
            return replace(frame, proven=False)
        if self._sealer is None or self._opener is None:
            raise Unproven(NO_SESSION)
        return self._opener.open(frame, self._sealer.count)


class ControllerEnd(_End):
    """Controller's end. `unwrap` raises Unproven(OLD_VERSION) if the shoe answers in version 1."""

    _asked: tuple[Handshake, bytes, int] | None = None
    """Newest HELLO: handshake, its fresh secret, its number."""

    def wrap(self, seq: int, kind: str, fields: tuple[str, ...]) -> bytes:
        return self._hello(seq, fields) if kind == "HELLO" else self._seal(seq, kind, fields)

    def unwrap(self, frame: Frame) -> Frame:
        if frame.kind == "KNOCK":
            return _called(frame)
        if frame.kind == "WELCOME":
            return self._welcomed(frame)
        if is_refused_hello(frame.kind, frame.fields):
            raise Unproven(OLD_VERSION)
        return self._open(frame)

    def _hello(self, seq: int, fields: tuple[str, ...]) -> bytes:
        secret = self._fresh()
        own, shoe = self._paired.own, self._paired.other
        clear = ",".join((f"{seq:02X}", "HELLO", *fields)).encode("ascii")
        shake = Handshake.between(public(own), shoe).saw(clear).saw(public(secret))
        shake = shake.knows(shared(secret, shoe)).knows(shared(own, shoe))
        proof = shake.proof()
        self._asked = shake.saw(proof), secret, seq
        return encode(seq, "HELLO", (*fields, text_of(public(secret) + proof)), MAX_FRAME_BYTES)

    def _welcomed(self, frame: Frame) -> Frame:
        if self._opener is not None and (again := self._opener.repeats(frame)) is not None:
            return again
        if frame.fields[:1] == ("1",):
            raise Unproven(OLD_VERSION)
        if self._asked is None or not frame.fields:
            raise Unproven(FORGED)
        shake, secret, hello = self._asked
        key, proof = split(frame.fields[-1])
        shake = shake.saw(frame.raw[1 : frame.raw.rindex(b",")]).saw(key)
        shake = shake.knows(shared(secret, key)).knows(shared(self._paired.own, key)).proven(proof)
        to_shoe, from_shoe = shake.keys()
        opened = replace(frame, fields=frame.fields[:-1])
        self._sealer, self._opener, self._asked = Sealer(to_shoe, hello), Opener(from_shoe, opened), None
        self.session = frame.fields[-1][:NAME]
        return opened


class ShoeEnd(_End):
    """Shoe's end, for simulators and as an example for shoe makers."""

    _asked: tuple[Handshake, bytes, Frame] | None = None
    """Newest authentic HELLO: handshake, the controller's fresh key, the frame."""

    def wrap(self, seq: int, kind: str, fields: tuple[str, ...]) -> bytes:
        if kind == "KNOCK":
            return encode(seq, kind, (*fields, VERSION))
        if kind == "WELCOME":
            return self._welcome(seq, fields)
        return encode(seq, kind, fields) if is_refused_hello(kind, fields) else self._seal(seq, kind, fields)

    def unwrap(self, frame: Frame) -> Frame:
        return self._greeted(frame) if frame.kind == "HELLO" else self._open(frame)

    def _greeted(self, frame: Frame) -> Frame:
        if self._opener is not None and (again := self._opener.repeats(frame)) is not None:
            return again
        if frame.fields[:1] != (VERSION,):
            return replace(frame, proven=False)
        if len(frame.fields) != _HELLO_FIELDS:
            raise Unproven(FORGED)
        key, proof = split(frame.fields[-1])
        own, controller = self._paired.own, self._paired.other
        shake = Handshake.between(controller, public(own))
        shake = shake.saw(frame.raw[1 : frame.raw.rindex(b",")]).saw(key)
        shake = shake.knows(shared(own, key)).knows(shared(own, controller)).proven(proof)
        opened = replace(frame, fields=frame.fields[:-1])
        self._asked = shake, key, opened
        return opened

    def _welcome(self, seq: int, fields: tuple[str, ...]) -> bytes:
        if self._asked is None:
            raise ValueError("shoe link WELCOME: version 2 sends it after a HELLO only")
        shake, key, hello = self._asked
        secret = self._fresh()
        clear = ",".join((f"{seq:02X}", "WELCOME", *fields)).encode("ascii")
        shake = shake.saw(clear).saw(public(secret))
        shake = shake.knows(shared(secret, key)).knows(shared(secret, self._paired.other))
        proof = shake.proof()
        from_controller, from_shoe = shake.saw(proof).keys()
        self._sealer, self._opener = Sealer(from_shoe, seq), Opener(from_controller, hello)
        answer = text_of(public(secret) + proof)
        self.session = answer[:NAME]
        return encode(seq, "WELCOME", (*fields, answer), MAX_FRAME_BYTES)


def _called(frame: Frame) -> Frame:
    """Return a KNOCK without its version field. Raises Unproven(OLD_VERSION) if it has none, as in version
    1."""
    if frame.fields[1:] != (VERSION,):
        raise Unproven(OLD_VERSION)
    return replace(frame, fields=frame.fields[:1], proven=False)
