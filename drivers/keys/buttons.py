"""The dealer's keys as gpiozero Buttons: one press calls the sink once, even if the contact bounces.

The back end debounces (``bounce_time``). A key that stays down is logged once, and once more when it is
released; it must never count as pressed again.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from drivers.pins.factory import PinFactory, io_errors, opening
from drivers.pins.map import PinMap
from drivers.ports import KeyHealth

log = logging.getLogger(__name__)

_ADVICE = "check keys.pins of the pin map"


class ButtonKeys:
    """The `KeysPort` of a wired table. Opens nothing before `start`."""

    def __init__(
        self, pins: PinMap, factory: PinFactory, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._pins = pins
        self._clock = clock
        self._presses: dict[str, tuple[int, float]] = {}
        """Number of presses of each key, and the time of the last one."""
        self._factory = factory
        self._buttons: dict[str, Any] = {}
        self._stuck: set[str] = set()

    def start(self, sink: Callable[[str], None]) -> None:
        """Open the keys. The sink is called on the back end's thread when a key is pressed. Raises PinsError
        if they cannot be opened."""
        from gpiozero import Button

        for name, pin in self._pins.keys.items():
            with opening(f"key {name} (GPIO{pin})", _ADVICE):
                button = Button(
                    pin,
                    pull_up=True,
                    bounce_time=self._pins.debounce_s or None,
                    hold_time=self._pins.stuck_after_s,
                    pin_factory=self._factory,
                )
            self._buttons[name] = button
            self._listen(name, button, sink)

    def statistics(self) -> Mapping[str, KeyHealth]:
        return {name: self._health(name, pin) for name, pin in self._pins.keys.items()}

    def stuck(self) -> frozenset[str]:
        """Return the keys that have been down too long."""
        return frozenset(self._stuck)

    def _health(self, name: str, pin: int) -> KeyHealth:
        presses, pressed = self._presses.get(name, (0, None))
        return KeyHealth(f"GPIO{pin}", presses, pressed, name in self._stuck)

    def stop(self) -> None:
        """Release the keys. A key that cannot be released is logged; the next call or the end of the process
        releases it."""
        self._buttons = {name: button for name, button in self._buttons.items() if not self._close(name)}
        self._stuck.clear()

    def _close(self, name: str) -> bool:
        """Release a key and return whether that succeeded.

        The callback is removed first: lgpio calls it for an edge that was queued before, and an exception
        there ends its only thread. The kernel keeps a pin busy until that thread has polled again.
        """
        button, why = self._buttons[name], ""
        # for a key that is down: gpiozero's hold thread would otherwise sleep for up to `hold_time`
        button._inactive_event.set()  # noqa: SLF001
        for step in (partial(setattr, button.pin, "when_changed", None), button.close):
            try:
                step()
            except io_errors() as error:
                why = str(error)
        if not button.closed:
            log.warning("key %s (GPIO%s) is not released: %s", name, self._pins.keys[name], why)
        return bool(button.closed)

    def _listen(self, name: str, button: Any, sink: Callable[[str], None]) -> None:
        button.when_pressed = lambda: self._pressed(name, sink)
        button.when_held = lambda: self._report(name, f"down for {self._pins.stuck_after_s:.0f} s")
        button.when_released = lambda: self._released(name)
        if button.is_pressed:
            # gpiozero detects no edge here and would wait forever
            self._report(name, "down since the start")

    def _pressed(self, name: str, sink: Callable[[str], None]) -> None:
        presses, _ = self._presses.get(name, (0, 0.0))
        self._presses[name] = presses + 1, self._clock()
        sink(name)

    def _report(self, name: str, how: str) -> None:
        if name not in self._stuck:
            self._stuck.add(name)
            pin = self._pins.keys[name]
            log.warning("key %s (GPIO%s) is stuck: %s: free the key or check its cable", name, pin, how)

    def _released(self, name: str) -> None:
        if name in self._stuck:
            self._stuck.discard(name)
            log.info("key %s is up again", name)
