"""Keys without pins: the table of ``--no-wires``. A press is a call; must never reach a device."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from drivers.ports import KeyHealth


class DirectKeys:
    """A `KeysPort` that is pressed by `press`, in the caller's own thread."""

    def __init__(self) -> None:
        self._sink: Callable[[str], None] | None = None

    def start(self, sink: Callable[[str], None]) -> None:
        self._sink = sink

    def press(self, key: str) -> None:
        """Before the start and after the stop nobody hears it, as with a real key."""
        if self._sink is not None:
            self._sink(key)

    def statistics(self) -> Mapping[str, KeyHealth]:
        return {}

    def stop(self) -> None:
        self._sink = None
