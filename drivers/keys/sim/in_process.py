"""Keys without pins, for a table with ``--no-wires``. A key is pressed by a call. These keys must never open
a device.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from drivers.ports import KeyHealth


class DirectKeys:
    """A `KeysPort` whose keys are pressed by `press`, on the caller's thread."""

    def __init__(self) -> None:
        self._sink: Callable[[str], None] | None = None

    def start(self, sink: Callable[[str], None]) -> None:
        self._sink = sink

    def press(self, key: str) -> None:
        """Press a key. Before the start and after the stop it has no effect, as with a real key."""
        if self._sink is not None:
            self._sink(key)

    def statistics(self) -> Mapping[str, KeyHealth]:
        return {}

    def stop(self) -> None:
        self._sink = None
