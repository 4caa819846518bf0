"""Opens the devices in the table file. For a device that is not fitted it returns a stand-in that does
nothing.

Drivers are imported when they are needed, so that a table without them does not pay for their libraries in
time and memory. A device in the table file that cannot be opened is an error; no stand-in replaces it.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from controller.common.clock import Clock
from controller.game.showing.lamps import LANGUAGE, LampState
from controller.settings.config import TableConfig
from drivers.ports import (
    ChipsPort,
    CircleId,
    Inventory,
    KeyHealth,
    KeysPort,
    LampsPort,
    LinkStatistics,
    ReaderHealth,
    ShoePort,
    ShoeReport,
    Signal,
)

if TYPE_CHECKING:
    from drivers.chips.scanner import Proving

SIGNALS: Mapping[LampState, Signal] = {
    state: Signal(look.colour, look.light) for state, look in LANGUAGE.items() if look.colour != "off"
}
_SHOE_BAUD = {"v1": 115_200, "plain": 9_600}


@dataclass(slots=True)
class Panel:
    """Lamps and keys, which share a pin back end."""

    lamps: LampsPort
    keys: KeysPort
    close: Callable[[], None] = field(default=lambda: None)


def same_adapter(config: TableConfig) -> dict[str, str]:
    """Return, by port, a text with every entry of the table file that names the adapter of that port, for
    adapters with more than one name. Links are resolved as they are now."""
    entries = [(f"readers.ports.{c.seat}.{c.wager}", port) for c, port in config.reader_ports().items()]
    if config.keys.shoe is not None:
        entries.append(("shoe.port", config.keys.shoe.port))
    named: dict[str, dict[str, str]] = {}
    for entry, port in entries:
        named.setdefault(os.path.realpath(port), {}).setdefault(port, entry)
    return {
        port: " and ".join(f"{entry} ({name})" for name, entry in names.items())
        for names in named.values()
        for port in names
        if len(names) > 1
    }


def open_shoe(config: TableConfig, clock: Clock) -> ShoePort:
    """Return the driver of the shoe. It opens its port at the start and again after each loss."""
    shoe = config.keys.shoe
    if shoe is None:
        return NoShoe()
    from drivers.shoe.driver import SerialShoe

    baud = shoe.baud or _SHOE_BAUD[shoe.protocol]
    loop = asyncio.get_running_loop()
    paired = None
    if shoe.link != 1:
        from drivers.shoe.keys import read_keys

        paired = read_keys(config.pairing)
    return SerialShoe(shoe.port, baud, shoe.protocol, loop, clock.seconds, config.keys.table, paired)


def open_chips(config: TableConfig, clock: Clock) -> ChipsPort:
    """Return the driver of the readers. It opens them in the background, so that a dead one delays
    nothing.
    """
    ports = {(circle.seat, str(circle.wager)): port for circle, port in config.reader_ports().items()}
    if not ports:
        return NoReaders()
    from drivers.chips.kinds import READER_KINDS
    from drivers.chips.scanner import ChipScanner

    readers = config.keys.readers
    chips = READER_KINDS[readers.kind](ports, readers.settle_ms / 1000, clock.seconds)
    proving = _proving(config, list(ports))
    return ChipScanner(chips, slots=readers.slots, clock=clock.seconds, proving=proving)


def _proving(config: TableConfig, circles: list[CircleId]) -> Proving | None:
    """Return the schedule by which chips in these circles prove themselves, with the secure module that
    checks them. Returns None if the table's chips have no keys."""
    proofs = config.keys.proofs
    if proofs is None:
        return None
    from drivers.chips.module_socket import SocketModule
    from drivers.chips.proofs import ProofSchedule
    from drivers.chips.scanner import Proving

    schedule = ProofSchedule(circles, config.keys.readers.slots, config.has_key, proofs.random_seconds)
    return Proving(schedule, SocketModule(config.path(proofs.module)))


def open_panel(config: TableConfig) -> Panel:
    """Open lamps and keys. Raises PinsError if that fails; no other back end is tried."""
    pins = config.keys.pins
    if pins is None:
        return Panel(NoLamps(), NoKeys())
    from drivers.keys.buttons import ButtonKeys
    from drivers.lamps.chain import open_lamps
    from drivers.pins.factory import PinsError, close_factory, open_factory

    factory = open_factory(pins.factory, config.path(pins.socket) if pins.socket else None)
    try:
        lamps = open_lamps(config.pin_map, factory)
    except PinsError:
        close_factory(factory)
        raise
    return Panel(lamps, ButtonKeys(config.pin_map, factory), lambda: close_factory(factory))


# ---------------------------------------------------------------------- stand-ins


class NoShoe:
    """Stand-in for the shoe at a table that is dealt by hand; it reports nothing."""

    def start(self, sink: Callable[[ShoeReport], None], last: str | None) -> None: ...

    def accept(self, report: ShoeReport) -> None: ...

    def command(self, kind: str, *fields: str) -> None: ...

    def statistics(self) -> LinkStatistics:
        return LinkStatistics(remark="no shoe is fitted")

    def stop(self) -> None: ...


class NoReaders:
    """Stand-in for the readers at a table without any; the dealer enters every amount."""

    def start(self, sink: Callable[[Sequence[Inventory]], None]) -> None: ...

    def watch(self, first: Sequence[CircleId]) -> None: ...

    def sweep(self) -> None: ...

    def prove(self, circles: Sequence[CircleId] | None) -> None: ...

    def module_fault(self) -> str:
        return ""

    def statistics(self) -> Mapping[CircleId, ReaderHealth]:
        return {}

    def stop(self) -> None: ...


class NoLamps:
    """Stand-in for the lamps at a table without any; the screen alone guides the dealer."""

    def show(self, signals: Mapping[CircleId, Signal]) -> None: ...

    def dim(self, percent: int) -> None: ...

    def tick(self, now: float) -> None: ...

    def statistics(self) -> None:
        return None

    def stop(self) -> None: ...


class NoKeys:
    """Stand-in for the keys at a table without any; the screen has its own keys."""

    def start(self, sink: Callable[[str], None]) -> None: ...

    def statistics(self) -> Mapping[str, KeyHealth]:
        return {}

    def stop(self) -> None: ...
