"""Output enable of the lamp chain, with a duty cycle: one brightness for all lamps.

A 74HC595 has no brightness of its own. OE switches all its outputs within 40 ns (data sheet SCLS041, t_en
and t_dis) and does not change shift and storage registers, so that the picture, its rhythms and the frame
returned on MISO do not depend on the duty cycle. At 100 % the pin is constant, without pulses. Imported
when the lamps are opened, because it imports gpiozero.
"""

from __future__ import annotations

from typing import Any

from gpiozero import PWMOutputDevice

from drivers.ports import MAX_LAMPS_PERCENT, MIN_LAMPS_PERCENT

PWM_HZ = 200
"""Pulses per second: above some 90 Hz no flicker is visible, and lgpio times the edges in software."""


class DimmableEnable(PWMOutputDevice):  # type: ignore[misc]  # gpiozero carries no types
    """OE, active low. `on` enables the outputs at the brightness set last by `dim`."""

    def __init__(self, pin: int, pin_factory: Any) -> None:  # noqa: ANN401  # gpiozero's own
        self._percent = MAX_LAMPS_PERCENT
        self._pulsing = False
        super().__init__(pin, active_high=False, frequency=None, pin_factory=pin_factory)

    def _value_to_state(self, value: float) -> float:
        """Return the state of the pin: an integer unless it pulses, because RPi.GPIO refuses any other."""
        state = float(super()._value_to_state(value))
        return state if self._pulsing else round(state)

    def on(self) -> None:
        """Enable the outputs."""
        self._pulse(self._percent < MAX_LAMPS_PERCENT)
        self.value = self._percent / 100

    def _pulse(self, pulsing: bool) -> None:
        if pulsing is not self._pulsing:
            self.frequency = PWM_HZ if pulsing else None
            self._pulsing = pulsing

    def off(self) -> None:
        """Disable the outputs, without pulses."""
        self._pulse(False)
        self.value = 0

    def dim(self, percent: int) -> None:
        """Set the brightness, from MIN_LAMPS_PERCENT to MAX_LAMPS_PERCENT; enabled outputs change at once."""
        enabled = self.value > 0
        self._percent = min(MAX_LAMPS_PERCENT, max(MIN_LAMPS_PERCENT, percent))
        if enabled:
            self.on()
