"""`crisscross simulate shoe`: a simulated shoe on a serial port or a new pseudo-terminal, with a fault
console.

The console reads one command per line from standard input; `help` lists them. At the end of input the shoe
continues until SIGTERM or SIGINT. Commands work the device and replace the dealer's hands. The console shows
the number of cards, never their faces.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import serial

from drivers.shoe.handshake import Paired
from drivers.shoe.keys import KeysError, read_keys, write_keys
from drivers.shoe.sim.line import VERBS, Pty, RealPort, ShoeLine
from drivers.shoe.sim.model import FAULT_KINDS, Pace, ShoeModel
from drivers.shoe.sim.simulator import FAULTS, ShoeSimulator
from drivers.uart import BITS

HELP = f"""\
lift               lift the stack out of the exit
stub               take the stub
draw               draw a card (single)
auto on|off        lift stacks and take the stub without being told
deck BACK [ready]  put a deck in; ready: it is shuffled already
out                lift every card out
load CARDS         what comes out next: TD 9S, ^TD face up, ?? not read
count N            what the shuffler counts next
fault KIND [AFTER] {" ".join(FAULTS)}; AFTER: at that card from now
VERB [N]           on the line, for N frames or until clear: {" ".join(VERBS)}
unplug, plug       the cable
power              off and on
pair               press its pairing button; same: the digits are those of the table; apart: they are not
clear              everything mended
status             how it stands
quit"""


class Console:
    """Console of a simulated shoe. `console(line)` executes one line and returns the answer as text."""

    def __init__(self, simulator: ShoeSimulator, clock: Callable[[], float]) -> None:
        self._simulator = simulator
        self._clock = clock
        self._auto = False
        simulator.model.listen(self._on_event)
        model = simulator.model
        self._words: dict[str, Callable[[list[str]], str]] = {
            "help": lambda _: HELP,
            "lift": lambda _: f"{len(model.lift_stack())} cards lifted",
            "stub": lambda _: f"{len(model.take_stub())} cards taken",
            "draw": lambda _: f"{len(model.draw())} cards drawn",
            "out": lambda _: f"{len(model.lift_deck_out())} cards lifted out",
            "auto": self._set_auto,
            "deck": self._deck,
            "load": self._load,
            "count": self._count,
            "fault": self._fault,
            "unplug": self._plain(simulator.unplug),
            "plug": self._plain(simulator.plug),
            "power": self._plain(simulator.power_cycle),
            "pair": self._plain(simulator.begin_pairing),
            "same": self._plain(simulator.confirm_pairing),
            "apart": self._plain(simulator.end_pairing),
            "clear": self._plain(simulator.clear),
            "status": lambda _: self._status(),
        }

    def __call__(self, line: str) -> str:
        words = line.split()
        if not words:
            return ""
        word, rest = words[0].lower(), words[1:]
        try:
            if word in VERBS:
                return self._verb(word, rest)
            if word in FAULT_KINDS:
                return self._fault([word, *rest])
            if word not in self._words:
                return f"{word}: no such command; help lists them"
            return self._words[word](rest)
        except (ValueError, IndexError) as error:
            return f"{word}: {error}; help lists the commands"

    @staticmethod
    def _plain(action: Callable[[], None]) -> Callable[[list[str]], str]:
        def act(_rest: list[str]) -> str:
            action()
            return "ok"

        return act

    def _verb(self, verb: str, rest: list[str]) -> str:
        self._simulator.faults.set(verb, int(rest[0]) if rest else None)
        return f"{verb}: {VERBS[verb]}"

    def _fault(self, rest: list[str]) -> str:
        if not rest:
            raise ValueError(f"which fault? {' '.join(FAULTS)}")
        self._simulator.fault(rest[0], int(rest[1]) if len(rest) > 1 else None)
        return "ok"

    def _set_auto(self, rest: list[str]) -> str:
        if rest not in (["on"], ["off"]):
            raise ValueError("on or off")
        self._auto = rest == ["on"]
        if self._auto and self._simulator.model.in_exit:
            self._on_event(self._simulator.model.in_exit)
        return f"auto {rest[0]}"

    def _deck(self, rest: list[str]) -> str:
        back = rest[0].upper() if rest else "RED"
        if back not in ("RED", "BLUE") or rest[1:] not in ([], ["ready"]):
            raise ValueError("RED or BLUE, then ready where it is shuffled already")
        self._simulator.model.put_deck_in(back, self._clock(), preshuffled=rest[1:] == ["ready"])
        return "ok"

    def _load(self, rest: list[str]) -> str:
        self._simulator.model.load(rest)
        return f"{len(rest)} cards in front"

    def _count(self, rest: list[str]) -> str:
        self._simulator.model.count_next(int(rest[0]))
        return "ok"

    def _status(self) -> str:
        simulator = self._simulator
        state, left, out, back, mode = simulator.model.state()
        lines = ["up" if simulator.session.up else "down", *simulator.faults.active]
        waiting = simulator.model.in_exit or "nothing"
        return (
            f"{state} {mode}, deck {back}, left {left}, out {out}, in the exit {waiting}; "
            f"link {' '.join(lines)}, {simulator.session.backlog} frames not acknowledged"
        )

    def _on_event(self, event: str) -> None:
        if self._auto and event in ("stack", "partial"):
            self._simulator.model.lift_stack()
        elif self._auto and event == "stub":
            self._simulator.model.take_stub()


class NoFolder(Exception):
    """Raised if the folder for a new pseudo-terminal does not exist."""


def add_shoe_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `crisscross simulate shoe`."""
    parser.add_argument(
        "--port",
        default="pty",
        help="a serial port; a path where nothing is: a new pseudo-terminal there; pty: at a printed path",
    )
    parser.add_argument(
        "--protocol", choices=("v1", "plain"), default="v1", help="plain: a reader that sends a card a line"
    )
    parser.add_argument(
        "--mode",
        choices=("STACK", "SINGLE"),
        type=str.upper,
        help="STACK: a seat's cards together; SINGLE: drawn one by one, and the default of plain",
    )
    parser.add_argument("--decks", type=int, choices=(1, 2), default=1, help="two: one is shuffled aside")
    parser.add_argument("--seed", type=int, default=0, help="same seed, same cards")
    parser.add_argument(
        "--keys",
        type=Path,
        metavar="FILE",
        help="of its pairing: kept there, and version 2 is spoken with them",
    )
    parser.add_argument("--speed", choices=("real", "max"), default="real", help="max: everything at once")


def simulate_shoe(args: argparse.Namespace) -> int:
    """Serve a shoe until `quit` or a signal. Returns 0, or 2 if the port or the keys cannot be used."""
    try:
        asyncio.run(_serve(args))
    except NoFolder as error:
        print(f"crisscross simulate shoe: --port {args.port}: there is no folder {error}", file=sys.stderr)
        return 2
    except KeysError as error:
        print(f"crisscross simulate shoe: --keys {error}", file=sys.stderr)
        return 2
    except (serial.SerialException, OSError) as error:
        print(f"crisscross simulate shoe: --port {args.port}: {error}", file=sys.stderr)
        return 2
    return 0


async def _serve(args: argparse.Namespace) -> None:
    loop = asyncio.get_running_loop()
    single = args.mode == "SINGLE" or (args.mode is None and args.protocol == "plain")
    model = ShoeModel(
        args.seed,
        mode="SINGLE" if single else "STACK",
        backs=("RED", "BLUE")[: args.decks],
        pace=Pace.max() if args.speed == "max" else Pace(),
    )
    with tempfile.TemporaryDirectory(prefix="crisscross-shoe-") as folder:
        line, paired = _line(args, Path(folder)), _paired(args.keys)
        byte_s = BITS / line.baud if isinstance(line, Pty) and args.speed != "max" else 0.0
        simulator = ShoeSimulator(model, line, loop, protocol=args.protocol, paired=paired, byte_s=byte_s)
        simulator.on_digits = _show_digits
        if args.keys is not None:
            simulator.on_paired = partial(write_keys, args.keys)
        console = Console(simulator, loop.time)
        simulator.start()
        try:
            words = f"{args.protocol}, {model.mode}"
            print(f"shoe on {simulator.line.path} ({words}); help lists the commands", flush=True)
            _prompt()
            await _until_quit(loop, console)
        finally:
            simulator.stop()


def _paired(keys: Path | None) -> Paired | None:
    return read_keys(keys) if keys is not None and keys.exists() else None


def _show_digits(digits: str) -> None:
    print(f"digits {digits}; type same if the table shows the same", flush=True)


def _line(args: argparse.Namespace, folder: Path) -> ShoeLine:
    baud = 9600 if args.protocol == "plain" else 115200
    if args.port == "pty":
        return Pty(folder / "shoe", baud)
    if not Path(args.port).exists():
        if not Path(args.port).parent.is_dir():
            raise NoFolder(Path(args.port).parent)
        return Pty(args.port, baud)
    return RealPort(args.port, baud)


async def _until_quit(loop: asyncio.AbstractEventLoop, console: Console) -> None:
    ended = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, ended.set)
    reader = _LineReader(loop, sys.stdin.fileno(), console, ended)
    try:
        await ended.wait()
    finally:
        reader.stop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)


class _LineReader:
    """Reads standard input line by line on the loop, without a thread."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, fd: int, console: Console, ended: asyncio.Event
    ) -> None:
        self._loop = loop
        self._fd = fd
        self._console = console
        self._ended = ended
        self._rest = b""
        try:
            loop.add_reader(fd, self._readable)
        except PermissionError:
            # a plain file or /dev/null cannot be polled; all its data is available now
            loop.call_soon(self._read_all)

    def stop(self) -> None:
        self._loop.remove_reader(self._fd)

    def _read_all(self) -> None:
        while self._readable():
            pass

    def _readable(self) -> bool:
        data = os.read(self._fd, 4096)
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self._line(line.decode("utf-8", "replace").strip())
        if not data:
            self.stop()
        return bool(data)

    def _line(self, text: str) -> None:
        if text == "quit":
            self._ended.set()
        else:
            print(self._console(text), flush=True)
            _prompt()


def _prompt() -> None:
    """Print a command prompt if a person uses the console."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        print("shoe> ", end="", flush=True)
