"""An FEIG ID ISC.ANT.MUX: eight outputs for one input, switched over the reader's antenna cable.

Its commands are custom commands of ISO/IEC 15693 with the maker's code FE (H30701-3e, p. 13: 02, command, FE,
data; answer 00, status), which the reader passes on as a transparent command. Pure; it reaches no chip.
"""

from __future__ import annotations

from drivers.chips.sim.vicinity import HIGH_RATE

OUTPUT_COUNT = 8
MAKER = 0xFE
DETECT, SELECT_CHANNEL, RESET, SOFTWARE_VERSION = 0xDC, 0xDD, 0xDE, 0xDF
_OK, _RANGE_ERROR = 0x00, 0x11
_VERSION = bytes((1, 0, 0x01, 1, 0))
"""Main and sub revision, type, hardware, DIP switches (FEIG's SDK, `GetSoftwareVersion`). Assumed."""


class FeigMux:
    """The multiplexer. `address`: address set by its jumpers; `stuck`: whether it acknowledges without
    switching its relays."""

    def __init__(self, address: int = 0) -> None:
        self._address = address
        self.present = True
        self.stuck = False
        self.power_on()

    def power_on(self) -> None:
        self.output = 0
        """Output that is connected to the reader; 0 for none."""

    def next_output(self) -> None:
        """Connect the next output, as a reader does that switches the multiplexer itself."""
        if self.present and not self.stuck:
            self.output = self.output % OUTPUT_COUNT + 1

    def answer(self, request: bytes) -> bytes | None:
        """Return the answer to a transparent request, without CRC, or None if there is none."""
        if not self.present or len(request) < 4 or request[0] != HIGH_RATE or request[2] != MAKER:
            return None
        command, address, data = request[1], request[3], request[4:]
        if address != self._address:
            return None
        if command == SELECT_CHANNEL and len(data) == 2:
            return bytes((0, self._select(*data)))
        if command == RESET and not data:
            if not self.stuck:
                self.power_on()
            return bytes((0, _OK))
        if command == DETECT and not data:
            return bytes((0, _OK))
        if command == SOFTWARE_VERSION and not data:
            return bytes((0, _OK)) + _VERSION
        return None

    def _select(self, first: int, second: int) -> int:
        """Connect the input, which is IN1, to an output. Return the status."""
        if first > OUTPUT_COUNT or second > OUTPUT_COUNT or first == second:
            return _RANGE_ERROR
        if not self.stuck:
            self.output = first
        return _OK
