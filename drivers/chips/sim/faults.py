"""Faults between a simulated reader and its host, one verb each.

Pure: a frame in, pieces with delays out. The verbs are the same as in the other simulators. A fault must
stay until it is cleared, and two runs with the same seed must have the same faults.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import TypeAlias

VERBS = {
    "silent": "hears nothing and says nothing",
    "unplug": "the port goes away; `clear` plugs it in again",
    "noise": "rubbish before every frame and inside most",
    "drop": "every third frame is lost",
    "split": "every frame comes byte by byte",
    "late": "every frame comes half a second late",
    "ftdi": "every frame waits for the 16 ms of an FTDI's latency timer",
    "duplicate": "every frame comes twice",
    "flip": "one bit of every second frame is turned",
    "die": "says half of its next answer and then nothing more",
    "clear": "mends it",
}

Pieces: TypeAlias = list[tuple[float, bytes]]

_LATE_S = 0.5
_LATENCY_S = 0.016
"""Latency timer in seconds: an FTDI delivers an incomplete packet only after this time (FTDI AN232B-04).
`low_latency` sets it to 1 ms.
"""
_SPLIT_S = 0.0002


class FaultyWire:
    """The wire of one reader, with its fault."""

    verbs: Mapping[str, str] = VERBS

    def __init__(self, seed: int) -> None:
        self._order = random.Random(seed)
        self.kind = ""
        self._count = 0
        self._dead = False

    def set(self, kind: str) -> None:
        if kind not in self.verbs:
            raise ValueError(f"fault {kind!r}: allowed are {', '.join(self.verbs)}")
        self.kind = "" if kind == "clear" else kind
        self._count = 0
        self._dead = False

    @property
    def deaf(self) -> bool:
        return self.kind in ("silent", "unplug") or self._dead

    def send(self, data: bytes, is_answer: bool) -> Pieces:
        """Return the frame as it reaches the host, in pieces of (delay, bytes)."""
        if not self.kind:
            return [(0.0, data)]
        if self.deaf:
            return []
        self._count += 1
        effect = getattr(self, f"_{self.kind}")
        pieces: Pieces = effect(data, is_answer)
        return pieces

    def _noise(self, data: bytes, is_answer: bool) -> Pieces:
        rubbish = self._order.randbytes(self._order.randrange(1, 12))
        if is_answer or self._order.random() < 0.5:
            place = self._order.randrange(5, len(data)) if is_answer else self._order.randrange(len(data))
            data = data[:place] + self._order.randbytes(1) + data[place + 1 :]
        return [(0.0, rubbish + data)]

    def _drop(self, data: bytes, is_answer: bool) -> Pieces:
        return [] if self._count % 3 == 0 else [(0.0, data)]

    def _split(self, data: bytes, is_answer: bool) -> Pieces:
        return [(_SPLIT_S * i, data[i : i + 1]) for i in range(len(data))]

    def _late(self, data: bytes, is_answer: bool) -> Pieces:
        return [(_LATE_S, data)]

    def _ftdi(self, data: bytes, is_answer: bool) -> Pieces:
        return [(_LATENCY_S, data)]

    def _duplicate(self, data: bytes, is_answer: bool) -> Pieces:
        return [(0.0, data), (0.0, data)]

    def _flip(self, data: bytes, is_answer: bool) -> Pieces:
        if self._count % 2:
            return [(0.0, data)]
        place, bit = self._order.randrange(len(data)), 1 << self._order.randrange(8)
        return [(0.0, data[:place] + bytes((data[place] ^ bit,)) + data[place + 1 :])]

    def _die(self, data: bytes, is_answer: bool) -> Pieces:
        if not is_answer:
            return [(0.0, data)]
        self._dead = True
        return [(0.0, data[: len(data) // 2])]
