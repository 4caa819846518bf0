"""Tests at the installation that need a person: the circle of each reader, the name of each key, the
colours of each lamp.

The person lays a chip, presses a key or looks at a lamp; ENTER skips a step. This module must never report a
result as right that the person has not confirmed.
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
FIRST_READINGS_S = 3.0
"""Timeout for the first reading of every circle."""
Write = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class KeyPress:
    """Press of a key on the table. `name`: the key."""

    name: str


@dataclass(frozen=True, slots=True)
class Typed:
    """A line typed at the terminal, or None at the end of input."""

    text: str | None


PersonInput = KeyPress | Typed | Inventory
END = Typed(None)


class Inputs(asyncio.Queue[PersonInput]):
    """Queue of what a person does. The end of input is returned to every later reader too."""

    async def get(self) -> PersonInput:
        entry = await super().get()
        if entry == END:
            self.put_nowait(END)
        return entry


@asynccontextmanager
async def typing(inputs: Inputs) -> AsyncIterator[None]:
    """Put each line of standard input into `inputs` as `Typed`, and END at its end. A file or a null device
    has no line, because no program can wait for one there."""
    loop, handle, held = asyncio.get_running_loop(), sys.stdin.fileno(), bytearray()

    def take() -> None:
        data = os.read(handle, 4096)
        if not data:
            loop.remove_reader(handle)
            inputs.put_nowait(END)
        held.extend(data)
        while b"\n" in held:
            line, _, rest = bytes(held).partition(b"\n")
            held[:] = rest
            inputs.put_nowait(Typed(line.decode(errors="replace").strip()))

    try:
        loop.add_reader(handle, take)
    except PermissionError:  # epoll_ctl(2): the file does not support epoll
        inputs.put_nowait(END)
    try:
        yield
    finally:
        loop.remove_reader(handle)


async def walk_readers(config: TableConfig, inputs: Inputs, write: Write) -> list[ReportLine]:
    """Ask for a chip on each circle in turn, and report every new chip on any circle at once."""
    order = [(circle.seat, str(circle.wager)) for circle in config.reader_ports()]
    if not order:
        return []
    walk, loop = Walk(order), asyncio.get_running_loop()

    def hear(found: Sequence[Inventory]) -> None:
        for each in found:
            if each.answer == "chips":
                loop.call_soon_threadsafe(inputs.put_nowait, each)

    chips = open_chips(config, SystemClock(None))
    chips.start(hear)
    write("a chip on each circle as it is asked for; ENTER goes on without, q ends")
    try:
        await _first_readings(walk, inputs)
        await _walk(walk, inputs, write, config)
    finally:
        await asyncio.to_thread(chips.stop)
    return list(walk.findings())


async def _walk(walk: Walk, inputs: Inputs, write: Write, config: TableConfig) -> None:
    due: CircleId | None = None
    while walk.due is not None:
        if walk.due != due:
            due = walk.due
            write(f"lay one chip on {name(due)}")
        entry = await inputs.get()
        match entry:
            case Inventory():
                for uid in walk.take_reading(entry.circle, entry.uids):
                    write(f"  {name(entry.circle)}: {uid}, {_value(config, uid)}")
            case Typed(text="q" | None):
                return
            case Typed():
                walk.advance()


def _value(config: TableConfig, uid: str) -> str:
    chip = config.register.look_up(uid)
    return chip.note if chip.cents is None else f"${chip.cents // 100}"


async def _first_readings(walk: Walk, inputs: Inputs) -> None:
    """Wait up to FIRST_READINGS_S, before the first prompt, until every circle has been read."""
    kept: list[PersonInput] = []
    with suppress(TimeoutError):
        async with asyncio.timeout(FIRST_READINGS_S):
            while not walk.all_read:
                entry = await inputs.get()
                if entry == END:
                    break
                if isinstance(entry, Inventory):
                    walk.take_reading(entry.circle, entry.uids)
                else:
                    kept.append(entry)
    for entry in kept:
        inputs.put_nowait(entry)


async def walk_keys(inputs: Inputs, write: Write) -> list[ReportLine]:
    """Ask for each key by name; return lines with exchanged keys and keys that do not work."""
    seen: dict[str, str] = {}
    left = list(KEYS)
    for key in KEYS:
        write(f"press {_label(key)} (ENTER: it does nothing)")
        entry = await _next(inputs)
        if entry == END:
            break
        left.remove(key)
        if isinstance(entry, KeyPress):
            seen[key] = entry.name
    right = [key for key in KEYS if seen.get(key) == key]
    wrong = [f"{_label(key)} is wired as {_label(at)}" for key, at in seen.items() if key != at]
    dead = [_label(key) for key in KEYS if key not in seen and key not in left]
    pressed = f"keys: {len(right)} of {len(KEYS)} were pressed and heard under their own name"
    lines = [ReportLine(pressed, todo="press the rest" if left else "")]
    if wrong:
        lines.append(
            ReportLine("keys exchanged", f"{', '.join(wrong)}: change the wires, or keys.pins of the pin map")
        )
    if dead:
        lines.append(ReportLine("keys not heard", f"{', '.join(dead)}: look at contact, wire and ground"))
    return lines


async def walk_lamps(
    panel: Panel, circles: Sequence[CircleId], inputs: Inputs, write: Write
) -> list[ReportLine]:
    """Light each lamp alone in each colour and ask whether it is right: CONFIRM or ENTER for yes, FOLD or n
    for no.
    """
    write("for each lamp: CONFIRM or ENTER if it alone is lit and its colour is right, FOLD or n if not")
    wrong: list[str] = []
    done = 0
    for colour in COLOURS:
        for circle in circles:
            panel.lamps.show({circle: Signal(colour)})
            write(f"  {name(circle)}: {colour}?")
            entry = await _next(inputs)
            if entry == END:
                return _lamp_lines(done, 2 * len(circles), wrong)
            done += 1
            if entry in (KeyPress("fold"), Typed("n")):
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


async def _next(inputs: Inputs) -> PersonInput:
    """Return the next key press or typed line; discard readings."""
    while isinstance(entry := await inputs.get(), Inventory):
        continue
    return entry


def _label(key: str) -> str:
    return key.replace("_", " ").upper()
