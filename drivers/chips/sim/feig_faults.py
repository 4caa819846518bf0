"""Faults of an FEIG reader, its multiplexer, its antennas and its wire, one verb each.

Pure: a frame in, pieces with delays out. A fault stays until it is cleared, and two runs with the same seed
have the same faults.
"""

from __future__ import annotations

from drivers.chips.sim.faults import VERBS, FaultyWire, Pieces
from drivers.chips.sim.feig_frames import GAP_S, STX, FeigReply, encode_answer

AIR_VERBS = {
    "edge": "its chips are at the edge of the field and answer every second time, at random",
    "twice": "one chip is in the list twice",
    "collision": "answers that collide are not resolved: status 83 and the chips that were read",
    "rf_warning": "the antenna is out of tune: status 84, and one chip is missing from the list",
    "mute": "status 01, no transponder, whatever lies there: the radio is disturbed",
}
"""Faults of one antenna."""
WIRE_VERBS = {
    **{verb: text for verb, text in VERBS.items() if verb != "clear"},
    "crc": "every second answer has a wrong CRC",
    "gaps": "every answer comes in pieces, with pauses of more than 12 ms",
    "other_form": "every answer has the other frame form",
    "other_address": "every answer has another reader's address",
    "stale": "every answer is that to the request before",
    "clear": VERBS["clear"],
}
"""Faults of the wire. A fault of one antenna affects only answers about the antenna and its chips."""
READER_VERBS = {
    "mux_stuck": "the multiplexer acknowledges, but stays at its output",
    "mux_gone": "the multiplexer does not answer, and no antenna is connected",
    "mux_restart": "the multiplexer loses its supply for a moment, once: no antenna is connected",
    "scan": "the reader is in scan mode: it reports chips unasked and refuses host commands",
    "speed": "the reader is set to 9600 baud",
    "parity": "the reader is set to no parity",
    "restart": "the reader starts anew, once: what was not saved is lost",
}
"""Faults of the complete reader."""
FEIG_VERBS = {**AIR_VERBS, **READER_VERBS, **WIRE_VERBS}
_PAUSE_S = GAP_S + 0.001
_PIECE_BYTES = 5
_OTHER_ADDRESS = 1


class FeigWire(FaultyWire):
    """The wire of one reader, or the path of one antenna's answers, with its fault."""

    verbs = WIRE_VERBS

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self._before = b""

    def set(self, kind: str) -> None:
        super().set(kind)
        self._before = b""

    def _crc(self, data: bytes, is_answer: bool) -> Pieces:
        spoilt = bytes((data[-1] ^ 0xFF,)) if self._count % 2 else data[-1:]
        return [(0.0, data[:-1] + spoilt)]

    def _gaps(self, data: bytes, is_answer: bool) -> Pieces:
        starts = range(0, len(data), _PIECE_BYTES)
        return [(_PAUSE_S * number, data[at : at + _PIECE_BYTES]) for number, at in enumerate(starts)]

    def _other_form(self, data: bytes, is_answer: bool) -> Pieces:
        return [(0.0, _reframed(data, change_form=True))]

    def _other_address(self, data: bytes, is_answer: bool) -> Pieces:
        return [(0.0, _reframed(data, address=_OTHER_ADDRESS))]

    def _stale(self, data: bytes, is_answer: bool) -> Pieces:
        before, self._before = self._before, data
        return [(0.0, before)] if before else []


def _reframed(data: bytes, address: int | None = None, change_form: bool = False) -> bytes:
    """Return the answer with another address, or in the other frame format (standard or advanced). An answer
    that is too long for a standard frame stays advanced."""
    advanced = data[0] == STX
    body = data[3 if advanced else 1 : -2]
    reply = FeigReply(body[1], body[2], body[3:])
    return encode_answer(body[0] if address is None else address, reply, advanced != change_form)
