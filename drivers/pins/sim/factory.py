"""The gpiozero pin factory ``sim``: pins and SPI words over a local socket to the bench.

gpiozero's Button, OutputDevice and SPIDevice run on it unmodified. It behaves as lgpio on a Pi 4: a level
is debounced by waiting until it has been quiet for the bounce time. It never simulates a lamp or a key
itself: the bench does (`drivers/pins/sim/server.py`, which describes the wire). It is only opened through
`drivers.pins.factory.open_factory`, if the config names it.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from gpiozero.exc import PinInvalidFunction, PinInvalidPull, PinSetInput
from gpiozero.pins import SPI
from gpiozero.pins.pi import PiFactory, PiPin, spi_port_device

from drivers.pins.sim.chain import Chain, ChainFaults, chain_faults
from drivers.pins.sim.link import SimLink

PI_4B = 0xC03114
"""Board revision that the factory reports: 40-pin header, GPIO0 to GPIO27."""
_LOW, _HIGH = 0, 1


class SimPin(PiPin):  # type: ignore[misc]  # gpiozero carries no types
    """One pin of the simulated header."""

    def __init__(self, factory: SimFactory, info: Any) -> None:
        super().__init__(factory, info)
        self._function = "input"
        self._pull = info.pull or "floating"
        self._level = self._at_rest()
        self._reported = self._level
        self._bounce: float | None = None
        self._edges = "both"
        self._watched = False
        self._hertz: float | None = None
        self._high = 0.0
        """Duty cycle of a pin with pulses."""
        self.due: float | None = None

    def close(self) -> None:
        self._hertz = None
        self.when_changed = None
        self.function = "input"

    def send_state(self) -> None:
        """Send the state of this pin to the bench."""
        if self._function == "output":
            message = {"pin": self._number, "mode": "output", "level": self._level}
            if self._hertz:
                message["high"] = self._high
        else:
            message = {"pin": self._number, "mode": "input", "pull": self._pull}
        self._factory.try_send(message)

    # ------------------------------------------------------------ calls from the bench's wire

    def drive(self, level: int, now: float) -> None:
        """Handle a level that the bench drives on the wire. Its edge is reported once the level has been
        unchanged for the bounce time. `now`: seconds of the monotonic clock."""
        if self._function != "input" or level == self._level:
            return
        self.settle(now)  # the previous level may have been quiet long enough, and both were read late
        self._level = level
        self.due = now + (self._bounce or 0.0)
        self.settle(now)

    def settle(self, now: float) -> None:
        """Report an edge whose bounce time is over. No edge is reported if the level is back at the one
        reported last."""
        if self.due is None or now < self.due:
            return
        self.due = None
        if self._level != self._reported:
            self._reported = self._level
            wanted = self._edges in ("both", "rising" if self._level else "falling")
            with self._when_changed_lock:
                if wanted and self._watched and self._when_changed is not None:
                    self._call_when_changed(now, self._level)

    def preset(self) -> None:
        """Set the level that the wire has at rest, without reporting an edge, because the level was there
        before the pin was opened."""
        if self._function == "input":
            self._level = self._reported = self._at_rest()
            self.due = None

    def release(self, now: float) -> None:
        """Stop driving the wire. Its pull resistor sets the level at once."""
        if self._function == "input":
            self._level = self._at_rest()
            self.due = now
            self.settle(now)

    def _at_rest(self) -> int:
        return int(self._factory.wires.get(self._number, self._pull == "up"))

    # ----------------------------------------------------------------- interface for gpiozero

    def _get_function(self) -> str:
        return self._function

    def _set_function(self, value: str) -> None:
        if value not in ("input", "output"):
            raise PinInvalidFunction(f"invalid function {value!r} for pin {self!r}")
        if value == "output":
            self._level = _LOW
        self._function = value
        self.preset()
        self.send_state()

    def output_with_state(self, state: float) -> None:
        self._function, self._level = "output", int(bool(state))
        self.send_state()

    def _get_state(self) -> float:
        return self._high if self._hertz else self._level

    def _get_frequency(self) -> float | None:
        return self._hertz

    def _set_frequency(self, value: float | None) -> None:
        self._hertz, self._high = value, 0.0
        self._level = _LOW if value else self._level

    def _set_state(self, value: float) -> None:
        if self._function != "output":
            raise PinSetInput(f"cannot set state of pin {self!r}")
        if self._hertz:
            self._high, self._level = float(value), int(value >= 1)
        else:
            self._level = int(bool(value))
        self.send_state()

    def _get_pull(self) -> str:
        return str(self._pull)

    def _set_pull(self, value: str) -> None:
        if value not in ("up", "down", "floating"):
            raise PinInvalidPull(f"invalid pull {value!r} for pin {self!r}")
        self._pull = value
        self.preset()
        self.send_state()

    def _get_bounce(self) -> float | None:
        return self._bounce

    def _set_bounce(self, value: float | None) -> None:
        self._bounce = value

    def _get_edges(self) -> str:
        return self._edges

    def _set_edges(self, value: str) -> None:
        self._edges = value

    def _enable_event_detect(self) -> None:
        self._watched = True

    def _disable_event_detect(self) -> None:
        self._watched = False


class SimSPI(SPI):  # type: ignore[misc]  # gpiozero carries no types
    """The Pi's SPI: sends complete words and returns the bits that the bench's chain shifts out on MISO."""

    def __init__(
        self, clock_pin: str, mosi_pin: str, miso_pin: str, select_pin: str, pin_factory: SimFactory
    ) -> None:
        self._port, self._device = spi_port_device(clock_pin, mosi_pin, miso_pin, select_pin)
        self._open = False
        self._chain: Chain | None = None
        super().__init__(pin_factory=pin_factory)
        self.pin_factory.reserve_pins(self, clock_pin, mosi_pin, miso_pin, select_pin)
        self._open = True

    @property
    def closed(self) -> bool:
        return not self._open

    def close(self) -> None:
        if self._open:
            self.pin_factory.release_all(self)
        self._open = False
        super().close()

    def transfer(self, data: Sequence[int]) -> list[int]:
        self._check_open()
        words = bytes(data)
        self.pin_factory.send({"spi": [self._port, self._device], "words": words.hex()})
        if self._chain is None:
            self._chain = Chain(len(words))
        self._chain.faults = self.pin_factory.faults
        return list(self._chain.shift(words))

    def _get_clock_mode(self) -> int:
        return 0


class SimFactory(PiFactory):  # type: ignore[misc]  # gpiozero carries no types
    """A Pi 4 whose header is connected to a socket."""

    def __init__(self, socket_path: Path) -> None:
        super().__init__()
        self.pin_class = SimPin
        self.wires: dict[int, int] = {}
        """Levels that the bench drives, by BCM number, including pins that are not open yet."""
        self.faults = ChainFaults()
        """Faults of the bench's lamp chain, from its last message."""
        self._link = SimLink(socket_path, self)
        self._link.open()

    def close(self) -> None:
        super().close()
        self._link.close()

    @staticmethod
    def ticks() -> float:
        return time.monotonic()

    @staticmethod
    def ticks_diff(later: float, earlier: float) -> float:
        return later - earlier

    def _get_revision(self) -> int:
        return PI_4B

    def _get_spi_class(self, shared: bool, hardware: bool) -> type[SimSPI]:
        return SimSPI

    def send(self, message: Mapping[str, Any]) -> None:
        """Send a message to the bench. Raises OSError while the connection is lost."""
        self._link.send(message)

    def try_send(self, message: Mapping[str, Any]) -> None:
        """Send a message to the bench if it is connected; after a reconnection each pin sends its state
        again."""
        try:
            self._link.send(message)
        except OSError:
            # the link's thread has already logged the lost connection
            return

    # ------------------------------------------------------------------------- LinkOwner

    def line_up(self) -> None:
        self.try_send({"hello": 1})
        for pin in tuple(self.pins.values()):
            pin.send_state()

    def line_lost(self) -> None:
        self.wires.clear()
        for pin in tuple(self.pins.values()):
            pin.release(self.ticks())

    def received(self, message: Mapping[str, Any], now: float) -> None:
        if isinstance(chain := message.get("chain"), dict):
            self.faults = chain_faults(chain)
            return
        number, level = message.get("pin"), message.get("level")
        if not isinstance(number, int) or level not in (_LOW, _HIGH):
            return
        self.wires[number] = level
        # the bench sends the time of the change, as the kernel does for lgpio, so that a late read is not
        # mistaken for bouncing
        at = message.get("at", now)
        when = min(at, now) if isinstance(at, float) else now
        for pin in tuple(self.pins.values()):
            if pin.info.name != f"GPIO{number}":
                continue
            if message.get("edge", True):
                pin.drive(level, when)
            else:
                pin.preset()

    def next_due(self) -> float | None:
        # read once each: gpiozero may clear one from another thread meanwhile
        dues = [pin.due for pin in tuple(self.pins.values())]
        return min((due for due in dues if due is not None), default=None)

    def settle(self, now: float) -> None:
        for pin in tuple(self.pins.values()):
            pin.settle(now)
