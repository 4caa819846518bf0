"""The lamps of the circles on a chain of 74HC595.

`show` and `tick` send the chain when a lamp has changed. A chain whose last register is wired to MISO is
also sent once a second: each frame carries its own number on outputs that drive no lamp, and the returned
frame is compared with the previous one (`drivers.lamps.readback`). A failing device or a different frame is
logged once, retried at every tick, and logged again when it is over; it must never stop the game. All lamps
are dark before the outputs are enabled, when the driver stops and when the process exits;
`drivers.lamps.off` and the pull-up at OE (hardware/wiring.md) darken the lamps of a killed process.
"""

from __future__ import annotations

import atexit
import logging
from collections.abc import Mapping, Sequence
from typing import Protocol

from drivers.lamps.pattern import pattern, rhythm_beginnings
from drivers.lamps.readback import (
    ChainFault,
    UnclearFault,
    difference,
    has_both_levels,
    identity_bits,
    mark,
)
from drivers.pins.back_end import BackEndLost
from drivers.pins.factory import PinFactory, io_errors, opening
from drivers.pins.map import OUTPUTS_PER_REGISTER, PinMap
from drivers.ports import CircleId, LampsHealth, Rhythm, Signal

log = logging.getLogger(__name__)

TICK_S = 0.05
"""Interval in seconds at which `tick` should be called: a fifth of a slot of a rhythm."""

CHECK_S = 1.0
"""Seconds between two frames of a chain whose picture does not change."""
CALM_S = 10.0
"""Seconds without a wrong frame after which a fault is over; it must not be short, or a bad contact would
fill the log.
"""
LASTING = 3
"""Number of bad transfers within one fault from which the fault counts as lasting and the dealer gets an
alert.
"""

_ADVICE = (
    "set dtparam=spi=on in /boot/firmware/config.txt, put the daemon's user into the groups spi and gpio "
    "(hardware/wiring.md)"
)


class Registers(Protocol):
    """Interface to the chain's registers, which `drivers.lamps.shift_registers.ShiftRegisters` implements."""

    def latch(self, words: Sequence[int]) -> bytes: ...

    def close(self) -> None: ...


class OutputEnable(Protocol):
    """Interface of `drivers.lamps.dimming.DimmableEnable`; on means that the outputs are enabled."""

    def on(self) -> None: ...

    def off(self) -> None: ...

    def dim(self, percent: int) -> None: ...

    def close(self) -> None: ...


class ChainLamps:
    """The `LampsPort` of a wired table; `open_lamps` makes one. ``broken``: exceptions of a failing
    device."""

    def __init__(
        self,
        pins: PinMap,
        registers: Registers,
        enable: OutputEnable,
        broken: tuple[type[Exception], ...] = (OSError,),
        place: str = "",
    ) -> None:
        self._pins = pins
        self._registers = registers
        self._enable = enable
        self._broken = broken
        self._signals: dict[CircleId, Signal] = {}
        self._begun: dict[Rhythm, float] = {}
        self._now = 0.0
        self._latched: int | None = None
        self._sent: bytes | None = None
        self._enabled = False
        self._due = 0.0
        self._recovered_at: float | None = None
        """Table clock in seconds at the first good frame since the last fault; None before that frame."""
        self._lost = False
        self._place = place
        self._written = self._failed = self._bad = 0
        self._why = self._first = ""
        self._unknown: set[CircleId] = set()
        self._stopped = False

    def begin(self) -> None:
        """Latch a dark picture, then enable the outputs: a 595 has random bits after power-on.

        A mark is sent first, while the lamps are off: its position in the read-back gives the length of the
        chain.
        """
        if self._pins.way_back:
            self._exchange(mark(self._length))
        try:
            self._latch(0)
        except ChainFault as fault:
            self._record_fault(fault)
        atexit.register(self.stop)

    def show(self, signals: Mapping[CircleId, Signal]) -> None:
        """Show the signals of the entire table. A new lamp is lit at once, and its rhythm restarts for
        all."""
        for circle in sorted(set(signals) - self._pins.circles - self._unknown):
            self._unknown.add(circle)
            log.error(
                "lamps: seat %s %s has no output in the pin map: wire it and name it in lamps.registers",
                *circle,
            )
        if signals != self._signals:
            self._begun = rhythm_beginnings(self._begun, self._signals, signals, self._now)
            self._signals = dict(signals)
        self._refresh()

    def dim(self, percent: int) -> None:
        """Set the brightness of all lamps, in percent. Frames and their comparison do not depend on it."""
        try:
            self._enable.dim(percent)
        except self._broken as error:
            self._record_fault(error)

    def tick(self, now: float) -> None:
        """Continue the rhythms. Call it about every `TICK_S`."""
        self._now = now
        self._refresh()
        if self._lost and self._recovered_at is not None and now >= self._recovered_at + CALM_S:
            self._lost, self._why, self._bad = False, "", 0
            log.info("lamps: the chain works again")

    def statistics(self) -> LampsHealth:
        lasting = self._bad >= LASTING
        return LampsHealth(self._place, self._written, self._failed, self._why, self._first, lasting)

    def stop(self) -> None:
        """Darken all lamps, disable the outputs and close the devices; a second call does nothing."""
        if self._stopped:
            return
        self._signals = {}
        self._refresh()
        self._stopped = True
        for step in (self._enable.off, self._enable.close, self._registers.close):
            try:
                step()
            except self._broken as error:
                self._report(error)
        atexit.unregister(self.stop)

    def _refresh(self) -> None:
        wanted = pattern(self._pins.bits, self._signals, self._begun, self._now)
        if self._stopped or (wanted == self._latched and not self._is_check_due()):
            return
        try:
            self._latch(wanted)
        except ChainFault as fault:
            self._record_fault(fault if self._lost else self._diagnose(fault))
        except self._broken as error:
            self._record_fault(error)

    def _diagnose(self, fault: ChainFault) -> Exception:
        """Return the fault that the mark reveals while the outputs are off, or `fault` if the mark was
        returned unchanged."""
        self._sent = None
        try:
            self._enable.off()
            self._enabled = False
            self._exchange(mark(self._length))
            self._latch(0)
        except self._broken as named:
            return named
        return fault

    def _is_check_due(self) -> bool:
        return self._pins.way_back and self._now >= self._due

    def _record_fault(self, error: Exception) -> None:
        """Record a fault. The registers may have any bits now, so the next tick sends the chain again."""
        self._latched = None
        self._recovered_at = None
        if not isinstance(error, ChainFault):
            self._sent = None
        self._failed += 1
        self._bad += 1
        if not (self._why and isinstance(error, UnclearFault)):
            self._why = str(error) or type(error).__name__
        self._first = self._first or self._why
        self._report(error)

    def _report(self, error: Exception) -> None:
        if not self._lost and not isinstance(error, BackEndLost):
            log.warning("lamps at %s: the chain does not show what was sent: %s", self._place, error)
        self._lost = True

    @property
    def _length(self) -> int:
        return self._pins.registers * OUTPUTS_PER_REGISTER // 8

    def _latch(self, picture: int) -> None:
        """Show this picture. Raises ChainFault if the previous frame did not come back as it was sent."""
        self._due = self._now + CHECK_S
        numbered = identity_bits(self._pins.spare_bits, self._written) if self._pins.way_back else 0
        before, words = self._sent, (picture | numbered).to_bytes(self._length, "big")
        came = self._exchange(words)
        if not self._enabled:
            self._enable.on()
            self._enabled = True
        self._latched = picture
        if not self._pins.way_back:
            self._record_success()
        elif before is not None:
            self._compare(before, words, came)

    def _exchange(self, words: bytes) -> bytes:
        """Send one complete frame to the chain, and return the bytes that MISO carried meanwhile: the frame
        before it, if the chain is intact."""
        came = self._registers.latch(words)
        self._sent = words
        self._written += 1
        return came

    def _compare(self, before: bytes, now: bytes, came: bytes) -> None:
        if wrong := difference(before, now, came):
            clear = before == mark(self._length) or came == now or not has_both_levels(came)
            raise (ChainFault if clear else UnclearFault)(f"what came back is {wrong}")
        if has_both_levels(came):
            self._record_success()

    def _record_success(self) -> None:
        if self._recovered_at is None:
            self._recovered_at = self._now


def open_lamps(pins: PinMap, factory: PinFactory) -> ChainLamps:
    """Open SPI and OE on this factory, with all lamps dark. Raises PinsError if that fails."""
    from drivers.lamps.dimming import DimmableEnable
    from drivers.lamps.shift_registers import ShiftRegisters

    place = f"SPI {pins.spi_port}.{pins.spi_device}, OE on GPIO{pins.output_enable}"
    with opening(f"lamps ({place})", _ADVICE):
        # the kernel gives a pin to one process but SPI to several, so a process without the pin must send no
        # frame
        factory.pin(pins.output_enable)
        registers = ShiftRegisters(port=pins.spi_port, device=pins.spi_device, pin_factory=factory)
        try:
            # lgpio drives an output low for an instant before it is high (Pin.output_with_state): the chain
            # must be dark before OE is opened
            registers.latch(bytes(pins.registers))
            enable = DimmableEnable(pins.output_enable, factory)
            lamps = ChainLamps(pins, registers, enable, io_errors(), place)
            lamps.begin()
        except io_errors():
            registers.close()
            raise
    return lamps
