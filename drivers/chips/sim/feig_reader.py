"""An FEIG OBID i-scan HF reader with a multiplexer as its host sees it: requests in, answers out.

No wire and no clock: times are arguments. The simulated reader must never be laxer than the device: it begins
with the worst of the configurations that a driver has to change according to `drivers/chips/FEIG.md`.
H60301-3e is the manual of ID ISC.MR/PR/PRH101; values that the public texts do not give are marked as
assumed.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from drivers.chips.sim.anticollision import NO_CHIP, OK, RF_ERROR, inventory
from drivers.chips.sim.feig_frames import FeigReply, Request
from drivers.chips.sim.feig_mux import OUTPUT_COUNT, FeigMux
from drivers.chips.sim.vicinity import (
    ADDRESS,
    HIGH_RATE,
    READ_BLOCKS,
    RESET_TO_READY,
    SELECT,
    SELECT_CHIP,
    STAY_QUIET,
    SYSTEM_INFORMATION,
    VicinityField,
    answer_s,
    request_s,
)
from drivers.chips.sim.x25 import crc16_x25

ANY_ADDRESS = 255
RF_RESET_S = 0.015
"""Time without a field in an RF reset (H60301-3e, p. 53)."""
_CHIP_WAIT_S = 0.0012
"""Seconds after a reset until the chips answer; they start up in a millisecond."""
_SEARCH_S = 0.02
"""Time for which mode 2 of the transparent command looks for an answer (H60301-3e, p. 97)."""
TX_BUFFER_BYTES = 300
"""Longest answer. Assumed: a reader reports its own ([66], TX-BUF)."""
DATA_FALSE = 0x02
PARAMETER_RANGE, READ_PROTECTED, WRITE_PROTECTED = 0x11, 0x15, 0x16
UNKNOWN_COMMAND, LENGTH_ERROR, NOT_AVAILABLE, MORE_DATA, ISO_ERROR = 0x80, 0x81, 0x82, 0x94, 0x95
ISO_15693 = 0x03
"""TR-TYPE of an ISO/IEC 15693 chip."""
CFG_BYTES = 14
CFG_INTERFACE, CFG_RF, CFG_ANTICOLLISION, CFG_MULTIPLEXER = 1, 3, 5, 15
_ISO_15693_DRIVER, _ONT, _ANTICOLLISION, _SWITCHES_ITSELF = 0x08, 0x01, 0x04, 0x01
"""Bits of CFG3 byte 1, of CFG5 byte 11 (two bits), and of CFG15 byte 0."""
BAUDS = {5: 4800, 6: 9600, 7: 19200, 8: 38400, 9: 57600, 10: 115200}
"""Speed of the line by CFG1 byte 2 (H90400-0e, p. 17)."""
_CODES = {baud: code for code, baud in BAUDS.items()}
_COM_ADDRESS, _BAUD = 0, 2
DELIVERED_BAUD = 38400
_DEFAULTS: dict[int, bytes] = {
    **{number: bytes(CFG_BYTES) for number in range(1, 8)},
    CFG_INTERFACE: bytes((0, 0, _CODES[DELIVERED_BAUD], 1, 0, 0, 0, 30, *bytes(6))),
    # COM-ADR 0, 38400 baud, even parity (H90400-0e, p. 17)
    CFG_RF: bytes((0, 0x09, *bytes(12))),
    CFG_ANTICOLLISION: bytes((2, *bytes(10), _ONT, 0, 0)),  # ONT is on (H60301-3e, p. 31)
    CFG_MULTIPLEXER: bytes((_SWITCHES_ITSELF, *bytes(13))),
}
_VERSION = bytes.fromhex("0115 00 00 3c 0008")
"""SW-REV, D-REV, HW-TYPE, SW-TYPE, TR-TYPE with ISO 15693 (H60301-3e, p. 50). Revision and type assumed."""
_FOR_ONE_CHIP = {READ_BLOCKS, SELECT_CHIP, RESET_TO_READY, SYSTEM_INFORMATION, STAY_QUIET}


class FeigReader:
    """The reader, its multiplexer, and an antenna at each output. `scale`: 1 for the device's times, 0 for
    none.

    `baud`: speed of the line that is saved in the EEPROM.
    """

    def __init__(self, dice: Random, scale: float = 1.0, baud: int = DELIVERED_BAUD) -> None:
        self.mux = FeigMux()
        self.antennas = {output: VicinityField(dice, scale) for output in range(1, OUTPUT_COUNT + 1)}
        self.scanning = False
        """Whether the scan mode is on; the reader then refuses host commands."""
        self._scale = scale
        self._stored = dict(_DEFAULTS)
        interface = bytearray(_DEFAULTS[CFG_INTERFACE])
        interface[_BAUD] = _CODES[baud]
        self._stored[CFG_INTERFACE] = bytes(interface)
        self._handlers: dict[int, Callable[[bytes, float], FeigReply]] = {
            0x52: lambda data, now: FeigReply(0x52, OK if data == b"\x00" else LENGTH_ERROR),
            0x63: self._cpu_reset,
            0x65: lambda data, now: FeigReply(0x65, OK, _VERSION),
            0x69: self._rf_reset,
            0x6A: self._rf_on_off,
            0x80: self._read_configuration,
            0x81: self._write_configuration,
            0x82: self._save_configuration,
            0xB0: self._host_command,
            0xBF: self._transparent,
        }
        self.power_on(float("-inf"))

    def power_on(self, now: float) -> None:
        """Start as after power-on: unsaved settings are lost, and all chips lose their state."""
        self._configuration = dict(self._stored)
        self.baud = BAUDS[self._stored[CFG_INTERFACE][_BAUD]]
        """Speed of the line. A saved change takes effect at a restart (H90400-0e, p. 17)."""
        self.mux.power_on()
        self._waiting: list[bytes] = []
        self._field_on = True
        for antenna in self.antennas.values():
            antenna.switch(False, now - 1.0)
        self._connect(now)

    @property
    def address(self) -> int:
        """COM-ADR. A change in RAM takes effect at once; the page excepts the speed alone. Assumed."""
        return self._configuration[CFG_INTERFACE][_COM_ADDRESS]

    @property
    def antenna(self) -> VicinityField | None:
        """Antenna that the multiplexer has connected, or None."""
        return self.antennas.get(self.mux.output) if self.mux.present else None

    def execute(self, request: Request, now: float) -> FeigReply | None:
        """Execute a request, and return the answer, or None if the request is addressed to another reader."""
        if request.address not in (self.address, ANY_ADDRESS):
            return None
        handler = self._handlers.get(request.control)
        if handler is None:
            return FeigReply(request.control, UNKNOWN_COMMAND)
        if self.scanning and request.control in (0xB0, 0xBF):
            return FeigReply(request.control, NOT_AVAILABLE)
        reply = handler(request.data, now)
        return FeigReply(reply.control, reply.status, reply.data, reply.after_s * self._scale)

    def _connect(self, now: float) -> None:
        """Give the connected antenna its field, and take it from the others."""
        connected = self.antenna
        for antenna in self.antennas.values():
            antenna.switch(antenna is connected and self._field_on, now)

    # ---------------------------------------------------------------- control

    def _cpu_reset(self, data: bytes, now: float) -> FeigReply:
        self.power_on(now)
        return FeigReply(0x63, OK)

    def _rf_reset(self, data: bytes, now: float) -> FeigReply:
        if data:
            return FeigReply(0x69, LENGTH_ERROR)
        self._field_on = True
        self._interrupt_field(now)
        return FeigReply(0x69, OK, after_s=RF_RESET_S)

    def _interrupt_field(self, now: float) -> None:
        """Switch the field off for the time of an RF reset, from `now` on."""
        if (antenna := self.antenna) is not None:
            antenna.switch(False, now)
            antenna.switch(self._field_on, now + RF_RESET_S * self._scale)

    def _rf_on_off(self, data: bytes, now: float) -> FeigReply:
        if len(data) != 1:
            return FeigReply(0x6A, LENGTH_ERROR)
        if data[0] > 1:
            return FeigReply(0x6A, PARAMETER_RANGE)
        self._field_on = bool(data[0])
        self._connect(now)
        return FeigReply(0x6A, OK)

    # ---------------------------------------------------------- configuration

    def _read_configuration(self, data: bytes, now: float) -> FeigReply:
        if len(data) != 1:
            return FeigReply(0x80, LENGTH_ERROR)
        block = (self._stored if data[0] & 0x80 else self._configuration).get(data[0] & 0x3F)
        return FeigReply(0x80, READ_PROTECTED) if block is None else FeigReply(0x80, OK, block)

    def _write_configuration(self, data: bytes, now: float) -> FeigReply:
        if len(data) != 1 + CFG_BYTES:
            return FeigReply(0x81, LENGTH_ERROR)
        number, block = data[0] & 0x3F, data[1:]
        if number not in self._configuration:
            return FeigReply(0x81, WRITE_PROTECTED)
        if number == CFG_INTERFACE and (block[_COM_ADDRESS] == ANY_ADDRESS or block[_BAUD] not in BAUDS):
            return FeigReply(0x81, PARAMETER_RANGE)
        if number == CFG_ANTICOLLISION and (block[0] > 3 or block[11] & ~(_ONT | _ANTICOLLISION)):
            return FeigReply(0x81, PARAMETER_RANGE)
        (self._stored if data[0] & 0x80 else self._configuration)[number] = block
        return FeigReply(0x81, OK)

    def _save_configuration(self, data: bytes, now: float) -> FeigReply:
        if len(data) != 1:
            return FeigReply(0x82, LENGTH_ERROR)
        numbers = [*_DEFAULTS] if data[0] & 0x40 else [data[0] & 0x3F]
        if not set(numbers) <= self._configuration.keys():
            return FeigReply(0x82, WRITE_PROTECTED)
        self._stored.update({number: self._configuration[number] for number in numbers})
        return FeigReply(0x82, OK)

    # ------------------------------------------------------------------ chips

    def _host_command(self, data: bytes, now: float) -> FeigReply:
        if len(data) < 2:
            return FeigReply(0xB0, LENGTH_ERROR)
        if data[0] == 0x01:
            return self._inventory(data[1:], now)
        self._waiting = []
        if data[0] not in _FOR_ONE_CHIP:
            return FeigReply(0xB0, UNKNOWN_COMMAND)
        return self._one_chip(data[0], data[1], data[2:], now)

    def _inventory(self, mode: bytes, now: float) -> FeigReply:
        """[0x01] Inventory. Without ONT it resets the field first (H60301-3e, p. 60)."""
        if len(mode) != 1 or mode[0] & 0x7F:
            return FeigReply(0xB0, LENGTH_ERROR if len(mode) != 1 else PARAMETER_RANGE)
        if mode[0]:
            return self._data_sets(OK if self._waiting else NO_CHIP, 0.0)
        self._waiting = []
        waited_s = 0.0
        if self._configuration[CFG_MULTIPLEXER][0] & _SWITCHES_ITSELF:
            self.mux.next_output()
            self._connect(now)
        anticollision = self._configuration[CFG_ANTICOLLISION][11]
        if not anticollision & _ONT:
            self._interrupt_field(now)
            waited_s = RF_RESET_S
        antenna = self.antenna
        if antenna is None or not self._configuration[CFG_RF][1] & _ISO_15693_DRIVER:
            return FeigReply(0xB0, NO_CHIP, after_s=waited_s)
        waited_s += _CHIP_WAIT_S
        at = now + waited_s * self._scale
        look = inventory(antenna, at, resolves=bool(anticollision & _ANTICOLLISION))
        self._waiting = look.uids
        return self._data_sets(look.status, waited_s + look.took_s)

    def _data_sets(self, status: int, after_s: float) -> FeigReply:
        """Return the data sets of as many UIDs as fit into one answer."""
        room = (TX_BUFFER_BYTES - 9) // 10
        sets, self._waiting = self._waiting[:room], self._waiting[room:]
        if status == OK and self._waiting:
            status = MORE_DATA
        if not sets:
            return FeigReply(0xB0, status, after_s=after_s)
        data = b"".join(bytes((ISO_15693, 0)) + uid for uid in sets)
        return FeigReply(0xB0, status, bytes((len(sets),)) + data, after_s)

    def _one_chip(self, command: int, mode: int, data: bytes, now: float) -> FeigReply:
        """Send a command to the addressed, the selected or the only chip."""
        addressed, selected = mode & 7 == 1, mode & 7 == 2
        if addressed and len(data) < 8:
            return FeigReply(0xB0, LENGTH_ERROR)
        uid, rest = (data[:8], data[8:]) if addressed else (b"", data)
        if command == READ_BLOCKS:
            if len(rest) != 2 or not rest[1]:
                return FeigReply(0xB0, LENGTH_ERROR)
            rest = bytes((rest[0], rest[1] - 1))
        flags = HIGH_RATE | (ADDRESS if addressed else SELECT if selected else 0)
        answers, took_s, _ = self._send(bytes((flags, command)) + uid[::-1] + rest, now)
        if command == STAY_QUIET:
            return FeigReply(0xB0, OK, after_s=took_s)
        if not answers:
            return FeigReply(0xB0, NO_CHIP, after_s=took_s)
        if len(set(answers)) > 1:
            return FeigReply(0xB0, RF_ERROR, after_s=took_s)
        answer = answers[0][:-2]
        if answer[0] & 1:
            return FeigReply(0xB0, ISO_ERROR, answer[1:2], took_s)
        return FeigReply(0xB0, OK, _response(command, answer[1:]), took_s)

    def _transparent(self, data: bytes, now: float) -> FeigReply:
        """[0xBF] ISO15693 Transparent Command (H60301-3e, p. 97 to 99), without EOF pulses.

        FEIG's SDK gives the length of the answer in bits, CRC included: 0x58 for flags, eight bytes and CRC.
        """
        if len(data) < 7:
            return FeigReply(0xBF, LENGTH_ERROR)
        if data[0] not in (1, 2):
            return FeigReply(0xBF, PARAMETER_RANGE)
        self._waiting = []
        bits, request = int.from_bytes(data[1:3], "big"), data[5:]
        answers, took_s, late_s = self._send(request, now)
        searched_s = 0.0 if data[0] == 1 else _SEARCH_S
        if not answers or late_s > searched_s:
            return FeigReply(0xBF, NO_CHIP, after_s=took_s - late_s + searched_s)
        if len(set(answers)) > 1 or 8 * len(answers[0]) != bits:
            return FeigReply(0xBF, DATA_FALSE, after_s=took_s)
        return FeigReply(0xBF, OK, answers[0], took_s)

    def _send(self, request: bytes, now: float) -> tuple[tuple[bytes, ...], float, float]:
        """Send a request to the multiplexer and to the chips of the connected antenna; both need the
        field. Return the answers, and the seconds of the exchange and of the wait in it.
        """
        if not self._field_on:
            return (), request_s(len(request) + 2), 0.0
        own = self.mux.answer(request)
        if own is not None:
            self._connect(now)
            answer = own + crc16_x25(own, final=0xFFFF)
            return (answer,), request_s(len(request) + 2) + answer_s(len(answer)), 0.0
        antenna = self.antenna
        if antenna is None:
            return (), request_s(len(request) + 2), 0.0
        exchange = antenna.ask(request, now)
        return exchange.answers, exchange.took_s, exchange.late_s


def _response(command: int, answer: bytes) -> bytes:
    """Return a chip's answer in the form of the host protocol, a UID with its highest byte first."""
    if command == SYSTEM_INFORMATION:
        dsfid, afi, memory, chip = answer[9], answer[10], answer[11:13], answer[13]
        return bytes((dsfid,)) + answer[1:9][::-1] + bytes((afi,)) + memory + bytes((chip,))
    if command == READ_BLOCKS:
        blocks = [answer[at : at + 4] for at in range(0, len(answer), 4)]
        return bytes((len(blocks), 4)) + b"".join(b"\x00" + block for block in blocks)
    return b""
