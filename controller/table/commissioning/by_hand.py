"""Checks that need a person: which circle a reader is under, which key is which, which colour a lamp shows.

The person lays a chip, presses a key or looks at a lamp; ENTER skips a step. It must never report a thing
as right that the person has not confirmed.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

from controller.common.clock import SystemClock
from controller.settings.config import TableConfig
from controller.table.commissioning.lines import ReportLine
from controller.table.commissioning.walk import Walk, name
from controller.table.daemon.devices import Panel, open_chips
from drivers.pins.map import KEYS
from drivers.ports import CircleId, Colour, Inventory, Signal

COLOURS: tuple[Colour, ...] = ("green", "red")
"""The two colours of a lamp; amber is both at once."""
FIRST_S = 3.0
"""Timeout for the first reading of every circle."""
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Key:
    """A key of the table was pressed."""

    name: str


@dataclass(frozen=True, slots=True)
class Typed:
    """A line typed at the terminal, or None at the end of input."""

    text: str | None


Deed = Key | Typed | Inventory
Deeds = asyncio.Queue[Deed]


@asynccontextmanager
async def typing(deeds: Deeds) -> AsyncIterator[None]:
    """Put each line of standard input into `deeds` as `Typed`, and Typed(None) at its end."""
    loop, handle, held = asyncio.get_running_loop(), sys.stdin.fileno(), bytearray()

    def take() -> None:
        data = os.read(handle, 4096)
        if not data:
            loop.remove_reader(handle)
            deeds.put_nowait(Typed(None))
        held.extend(data)
        while b"\n" in held:
            line, _, rest = bytes(held).partition(b"\n")
            held[:] = rest
            deeds.put_nowait(Typed(line.decode(errors="replace").strip()))

    loop.add_reader(handle, take)
    try:
        yield
    finally:
        loop.remove_reader(handle)


async def walk_readers(config: TableConfig, deeds: Deeds, say: Say) -> list[ReportLine]:
    """Ask for a chip on each circle in turn, and report every new chip on any circle at once."""
    order = [(circle.seat, str(circle.wager)) for circle in config.reader_ports()]
    if not order:
        return []
    walk, loop = Walk(order), asyncio.get_running_loop()

    def hear(found: Sequence[Inventory]) -> None:
        for each in found:
            if each.answer == "chips":
                loop.call_soon_threadsafe(deeds.put_nowait, each)

    chips = open_chips(config, SystemClock(None))
    chips.start(hear)
    say("a chip on each circle as it is asked for; ENTER goes on without, q ends")
    try:
        await _first_readings(walk, deeds)
        await _walk(walk, deeds, say, config)
    finally:
        await asyncio.to_thread(chips.stop)
    return list(walk.findings())


async def _walk(walk: Walk, deeds: Deeds, say: Say, config: TableConfig) -> None:
    asked: CircleId | None = None
    while walk.asked is not None:
        if walk.asked != asked:
            asked = walk.asked
            say(f"lay one chip on {name(asked)}")
        deed = await deeds.get()
        match deed:
            case Inventory():
                for uid in walk.hear(deed.circle, deed.uids):
                    say(f"  {name(deed.circle)}: {uid}, {_value(config, uid)}")
            case Typed(text="q" | None):
                return
            case Typed():
                walk.pass_over()


def _value(config: TableConfig, uid: str) -> str:
    chip = config.register.look_up(uid)
    return chip.note if chip.cents is None else f"${chip.cents // 100}"


async def _first_readings(walk: Walk, deeds: Deeds) -> None:
    """Wait up to FIRST_S for a reading of every circle before the first prompt."""
    kept: list[Deed] = []
    with suppress(TimeoutError):
        async with asyncio.timeout(FIRST_S):
            while not walk.all_heard:
                deed = await deeds.get()
                if isinstance(deed, Inventory):
                    walk.hear(deed.circle, deed.uids)
                else:
                    kept.append(deed)
    for deed in kept:
        deeds.put_nowait(deed)


async def walk_keys(deeds: Deeds, say: Say) -> list[ReportLine]:
    """Ask for each key by name and report keys that are exchanged or dead."""
    seen: dict[str, str] = {}
    for key in KEYS:
        say(f"press {_label(key)} (ENTER: it does nothing)")
        deed = await _next(deeds)
        if deed == Typed(None):
            break
        if isinstance(deed, Key):
            seen[key] = deed.name
    right = [key for key in KEYS if seen.get(key) == key]
    wrong = [f"{_label(key)} is wired as {_label(at)}" for key, at in seen.items() if key != at]
    dead = [_label(key) for key in KEYS if key not in seen]
    lines = [ReportLine(f"keys: {len(right)} of {len(KEYS)} were pressed and heard under their own name")]
    if wrong:
        lines.append(
            ReportLine("keys exchanged", f"{', '.join(wrong)}: change the wires, or keys.pins of the pin map")
        )
    if dead:
        lines.append(ReportLine("keys not heard", f"{', '.join(dead)}: look at contact, wire and ground"))
    return lines


async def walk_lamps(panel: Panel, circles: Sequence[CircleId], deeds: Deeds, say: Say) -> list[ReportLine]:
    """Light each lamp alone in each colour. CONFIRM or ENTER: it is right; FOLD or n: it is wrong."""
    say("for each lamp: CONFIRM or ENTER if it alone is lit and its colour is right, FOLD or n if not")
    wrong: list[str] = []
    done = 0
    for colour in COLOURS:
        for circle in circles:
            panel.lamps.show({circle: Signal(colour)})
            say(f"  {name(circle)}: {colour}?")
            deed = await _next(deeds)
            if deed == Typed(None):
                return _lamp_lines(done, 2 * len(circles), wrong)
            done += 1
            if deed in (Key("fold"), Typed("n")):
                wrong.append(f"{name(circle)} {colour}")
    return _lamp_lines(done, 2 * len(circles), wrong)


def _lamp_lines(done: int, of: int, wrong: Sequence[str]) -> list[ReportLine]:
    advice = "look at its LED, its resistor and the order of lamps.registers in the pin map"
    lines = [
        ReportLine(
            f"lamps: {done - len(wrong)} of {of} were seen right", todo="" if done == of else "walk the rest"
        )
    ]
    if wrong:
        lines.append(ReportLine("lamps wrong", f"{', '.join(wrong)}: {advice}"))
    return lines


async def _next(deeds: Deeds) -> Deed:
    """Return the next key press or typed line; discard readings."""
    while isinstance(deed := await deeds.get(), Inventory):
        continue
    return deed


def _label(key: str) -> str:
    return key.replace("_", " ").upper()
