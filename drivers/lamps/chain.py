"""The lamps of the circles on a chain of 74HC595.

`show` and `tick` send the chain when a bit changed. Where it has its way back on MISO it is also sent once
a second, and what comes back is compared with what was sent before (`drivers.lamps.way_back`). A device that
fails, or a chain that gives back something else, is one line in the log, is tried again at every tick and
told once when it is well again; it must never stop the game. All lamps are dark before the outputs are
enabled, when the driver stops and when the process ends by itself; for the process that is killed there is
`drivers.lamps.off` and the pull-up at OE (hardware/wiring.md).
"""

from __future__ import annotations

import atexit
import logging
from collections.abc import Mapping, Sequence
from typing import Protocol

from drivers.lamps.pattern import beginnings, pattern
from drivers.lamps.way_back import ChainFault, difference, mark
from drivers.pins.factory import BackEndLost, PinFactory, io_errors, opening
from drivers.pins.map import OUTPUTS_PER_REGISTER, PinMap
from drivers.ports import CircleId, LampsHealth, Rhythm, Signal

log = logging.getLogger(__name__)

TICK_S = 0.05
"""How often the runtime should tick: a fifth of a slot of a rhythm."""

CHECK_S = 1.0
"""How often a chain that stands still is sent again, to see that it still holds what it was told."""
CALM_S = 10.0
"""A chain is well again when nothing was wrong for so long: a bad contact must not fill the log."""
LASTING = 3
"""So many bad transfers before it is well again are more than a disturbance: the dealer is told."""

_ADVICE = (
    "set dtparam=spi=on in /boot/firmware/config.txt, put the daemon's user into the groups spi and gpio "
    "(hardware/wiring.md)"
)


class Registers(Protocol):
    """What `drivers.lamps.shift_registers.ShiftRegisters` does."""

    def latch(self, words: Sequence[int]) -> bytes: ...

    def close(self) -> None: ...


class OutputEnable(Protocol):
    """What a gpiozero ``OutputDevice`` does; on means that the outputs are enabled."""

    def on(self) -> None: ...

    def off(self) -> None: ...

    def close(self) -> None: ...


class ChainLamps:
    """The `LampsPort` of a wired table; `open_lamps` makes one. ``broken``: what a failing device raises."""

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
        self._due = self._calm_from = 0.0
        self._lost = False
        self._place = place
        self._written = self._failed = self._bad = 0
        self._why = self._first = ""
        self._unknown: set[CircleId] = set()
        self._stopped = False

    def begin(self) -> None:
        """Dark first, then the outputs on: a 595 holds anything at all when its power comes. Before that,
        while nothing can be seen, a mark goes through the chain: what comes back of it tells its length."""
        if self._pins.way_back:
            self._sent = None
            self._transfer(mark(self._length))
        try:
            self._latch(0)
        except ChainFault as fault:
            self._failing(fault)
        self._enable.on()
        atexit.register(self.stop)

    def show(self, signals: Mapping[CircleId, Signal]) -> None:
        """The whole table, at once; a new lamp is lit at once, and its rhythm begins anew for all."""
        for circle in sorted(set(signals) - self._pins.circles - self._unknown):
            self._unknown.add(circle)
            log.error(
                "lamps: seat %s %s has no output in the pin map: wire it and name it in lamps.registers",
                *circle,
            )
        if signals != self._signals:
            self._begun = beginnings(self._begun, self._signals, signals, self._now)
            self._signals = dict(signals)
        self._refresh()

    def tick(self, now: float) -> None:
        """Plays the rhythms; to be called every `TICK_S` or so."""
        self._now = now
        self._refresh()
        if self._lost and now >= self._calm_from:
            self._lost, self._why, self._bad = False, "", 0
            log.info("lamps: the chain is as it was told again")

    def statistics(self) -> LampsHealth:
        lasting = self._bad >= LASTING
        return LampsHealth(self._place, self._written, self._failed, self._why, self._first, lasting)

    def stop(self) -> None:
        """All dark, outputs off, devices closed; a second call does nothing."""
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
        if self._stopped or (wanted == self._latched and not self._to_be_checked()):
            return
        try:
            self._latch(wanted)
        except self._broken as error:
            self._failing(error)

    def _to_be_checked(self) -> bool:
        return self._pins.way_back and self._now >= self._due

    def _failing(self, error: Exception) -> None:
        """What the registers hold now is unknown, so the next tick sends the chain again."""
        self._latched = None
        self._calm_from = self._now + CALM_S
        if not isinstance(error, ChainFault):
            self._sent = None
        self._failed += 1
        self._bad += 1
        self._why = str(error) or type(error).__name__
        self._first = self._first or self._why
        self._report(error)

    def _report(self, error: Exception) -> None:
        if not self._lost and not isinstance(error, BackEndLost):
            log.warning("lamps at %s: the chain is not as it was told: %s", self._place, error)
        self._lost = True

    @property
    def _length(self) -> int:
        return self._pins.registers * OUTPUTS_PER_REGISTER // 8

    def _latch(self, bits: int) -> None:
        self._due = self._now + CHECK_S
        self._transfer(bits.to_bytes(self._length, "big"))
        self._latched = bits

    def _transfer(self, words: bytes) -> None:
        """Raises `ChainFault` when the frame before did not come back as it was sent; this one went out."""
        came, before = self._registers.latch(words), self._sent
        self._sent = words
        self._written += 1
        if self._pins.way_back and before is not None and (wrong := difference(before, words, came)):
            raise ChainFault(f"what came back is {wrong}")


def open_lamps(pins: PinMap, factory: PinFactory) -> ChainLamps:
    """Opens SPI and OE on this factory, all dark; raises `PinsError`."""
    from gpiozero import OutputDevice

    from drivers.lamps.shift_registers import ShiftRegisters

    place = f"SPI {pins.spi_port}.{pins.spi_device}, OE on GPIO{pins.output_enable}"
    with opening(f"lamps ({place})", _ADVICE):
        registers = ShiftRegisters(port=pins.spi_port, device=pins.spi_device, pin_factory=factory)
        try:
            # lgpio makes an output low for an instant before it is high (Pin.output_with_state): the chain
            # must be dark before OE is touched
            registers.latch(bytes(pins.registers))
            enable = OutputDevice(pins.output_enable, active_high=False, pin_factory=factory)
            lamps = ChainLamps(pins, registers, enable, io_errors(), place)
            lamps.begin()
        except io_errors():
            registers.close()
            raise
    return lamps
