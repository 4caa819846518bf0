"""The wire of one simulated FEIG reader: the reader's own speed, even parity, requests in, answers out.

A byte takes the time of eleven bits at that speed. It maps bytes and times to bytes and times; the bank's
thread (`bank_loop`) waits.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

from drivers.chips.sim.faults import FaultyWire
from drivers.chips.sim.feig_faults import AIR_VERBS, FEIG_VERBS, READER_VERBS, FeigWire
from drivers.chips.sim.feig_frames import Request, RequestCutter, encode_answer
from drivers.chips.sim.feig_reader import DELIVERED_BAUD, FeigReader
from drivers.chips.sim.pty_line import PtyLine, TimedBytes
from drivers.chips.sim.vicinity import VicinityField

BITS = 11
"""Bits on the wire for each byte: start, eight of data, parity, stop."""
DELAY_S = 0.005
"""Shortest pause before a frame, in each direction (H60301-3e, p. 18). A request that comes sooner is not
received."""
_ABOUT_ANTENNA = {0xB0, 0xBF}
"""Control bytes of the commands to the connected antenna's chips, and of the command that connects it."""
_OTHER_BAUD = 9600


class FeigLine(PtyLine):
    """One reader's wire. Used under the bank's lock. `pace`: 1 takes the device's time, 0 none; `baud`: speed
    that is saved in the reader.
    """

    def __init__(self, link: Path | None, pace: float, seed: int, baud: int = DELIVERED_BAUD) -> None:
        super().__init__(link, FeigWire(seed), baud, BITS / baud * pace)
        self.reader = FeigReader(Random(seed), pace, baud)
        self._pace = pace
        self._other_speed = False
        self._delay_s = DELAY_S * pace
        self.host_parity = self.parity = "even"
        self._antenna_wires = {output: FeigWire(seed * 10 + output) for output in self.reader.antennas}
        self._antenna_frames: dict[int, tuple[bytes, bytes]] = {}
        self._cutter = RequestCutter()

    def power_on(self) -> None:
        self.reader.power_on(float("-inf"))
        self._cutter.reset()
        self._set_speed()

    def _set_speed(self) -> None:
        """Run the line at the reader's speed. The bytes of a real port take their own time."""
        self.baud = _OTHER_BAUD if self._other_speed else self.reader.baud
        if not self.name:
            self._byte_s = BITS / self.reader.baud * self._pace

    def frames_at(self, output: int) -> tuple[bytes, bytes]:
        """Return the last request and answer while the multiplexer was at this output."""
        return self._antenna_frames.get(output, (b"", b""))

    def receive(self, data: bytes, now: float) -> TimedBytes:
        if self.wire.deaf or now - len(data) * self._byte_s < self._sent_until + self._delay_s:
            return []
        sent: TimedBytes = []
        for request in self._cutter.feed(self.to_device(data), now):
            sent += self._execute(request, now)
        return sent

    def fault(self, kind: str, now: float, output: int | None = None) -> None:
        """Apply a fault to one antenna, or to the complete reader without `output`; it replaces the previous
        fault.

        Raises ValueError if there is no such fault.
        """
        if kind not in FEIG_VERBS or (output is not None and kind in READER_VERBS):
            raise ValueError(f"fault {kind!r}: allowed are {', '.join(FEIG_VERBS)}")
        self._clear(output)
        if kind in AIR_VERBS:
            for antenna in self._antennas(output):
                antenna.trouble = kind
        elif kind in READER_VERBS:
            self._break(kind, now)
        else:
            self._wire(output).set(kind)

    def _clear(self, output: int | None) -> None:
        for antenna in self._antennas(output):
            antenna.trouble = ""
        self._wire(output).set("clear")
        if output is None:
            self._other_speed, self.parity = False, "even"
            self._set_speed()
            self.reader.scanning = self.reader.mux.stuck = False
            self.reader.mux.present = True

    def _break(self, kind: str, now: float) -> None:
        """Apply a fault of the complete reader, whose previous fault was cleared."""
        match kind:
            case "restart":
                self.reader.power_on(now)
                self._cutter.reset()
                self._set_speed()
            case "mux_stuck":
                self.reader.mux.stuck = True
            case "mux_gone":
                self.reader.mux.present = False
            case "mux_restart":
                self.reader.mux.power_on()
            case "scan":
                self.reader.scanning = True
            case "speed":
                self._other_speed = True
                self._set_speed()
            case "parity":
                self.parity = ""

    def _antennas(self, output: int | None) -> list[VicinityField]:
        antennas = self.reader.antennas
        return [*antennas.values()] if output is None else [antennas[output]]

    def _wire(self, output: int | None) -> FaultyWire:
        return self.wire if output is None else self._antenna_wires[output]

    def _execute(self, request: Request, now: float) -> TimedBytes:
        """Return the answer to a request with its times. If the reader scans, its reports of chips come
        first."""
        reply = self.reader.execute(request, now)
        if reply is None:
            return []
        output = self.reader.mux.output
        frame = encode_answer(self.reader.address, reply, request.advanced)
        self._last_command, self._last_answer = request.raw, frame
        self._antenna_frames[output] = self.last_frames
        self._set_speed()  # the request may have been a reset
        sent = self._send(self._scanned(), now, self.wire) if self.reader.scanning else []
        about_antenna = request.control in _ABOUT_ANTENNA and output in self._antenna_wires
        pieces = self._antenna_wires[output].send(frame, True) if about_antenna else [(0.0, frame)]
        for delay, piece in pieces:
            sent += self._send(piece, now + max(reply.after_s, self._delay_s) + delay, self.wire)
        return sent

    def _scanned(self) -> bytes:
        """Return a report of the scan mode: the UID of each chip as text."""
        antenna = self.reader.antenna
        return b"".join(uid.hex().upper().encode() + b"\r\n" for uid in (antenna.uids() if antenna else ()))

    def _send(self, data: bytes, begin: float, wire: FaultyWire) -> TimedBytes:
        """Return the bytes as they reach the host: a frame is complete when its last byte is due."""
        if not data:
            return []
        whole_at = max(begin, self._sent_until) + len(data) * self._byte_s
        self._sent_until = whole_at
        return [(whole_at + delay, piece) for delay, piece in wire.send(data, is_answer=True)]
