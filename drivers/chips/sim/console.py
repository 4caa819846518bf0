"""One simulated reader on a real serial port or a new pseudo-terminal, operated by hand.

For ``crisscross simulate reader``. A technician's tool: it must never be part of a daemon.
"""

from __future__ import annotations

import argparse
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol, TextIO

from drivers.chips.kinds import DEFAULT, FEIG
from drivers.chips.sim.faults import VERBS
from drivers.chips.sim.feig_bank import FeigBank
from drivers.chips.sim.feig_faults import FEIG_VERBS
from drivers.chips.sim.feig_mux import OUTPUT_COUNT
from drivers.chips.sim.simulator import ReaderBank
from drivers.ports import CircleId

_CIRCLE: CircleId = (1, "reader")
_ANTENNAS: list[CircleId] = [(1, f"antenna_{output}") for output in range(1, OUTPUT_COUNT + 1)]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--port", metavar="PORT", help="a real serial port, at the reader's speed")
    where.add_argument("--pty", action="store_true", help="a new pseudo-terminal; its name is printed")
    parser.add_argument(
        "--kind", choices=list(CONSOLES), default=DEFAULT, help="the reader; default: %(default)s"
    )


def simulate_reader(
    args: argparse.Namespace,
    values: Mapping[str, str],
    commands: TextIO | None = None,
    out: TextIO | None = None,
) -> int:
    """Run until ``quit`` or the end of input. Return 0, or 2 if the port cannot be used.

    `values`: value as text ("$25") of each chip that can be laid by value.
    """
    source, screen = commands or sys.stdin, out or sys.stdout

    def show(text: str) -> None:
        print(text, file=screen, flush=True)

    with TemporaryDirectory(prefix="crisscross-reader-") as directory:
        console = CONSOLES[args.kind](Path(directory), show, values)
        try:
            console.start(args.port)
        except OSError as error:
            print(f"simulate reader: --port {args.port}: a free serial port: {error}", file=sys.stderr)
            return 2
        try:
            console.run(source)
        finally:
            console.bank.stop()
    return 0


class HandBank(Protocol):
    """A bank of one reader, on a pseudo-terminal or a real port."""

    def start(self) -> None: ...

    def start_on(self, circle: CircleId, port: str) -> None: ...

    def stop(self) -> None: ...

    def paths(self) -> dict[CircleId, str]: ...

    def set_chips(self, circle: CircleId, uids: Iterable[str]) -> None: ...

    def lay(self, circle: CircleId, uid: str) -> None: ...

    def take(self, circle: CircleId, uid: str) -> bool: ...

    def chips(self, circle: CircleId) -> tuple[str, ...]: ...


class Console(ABC):
    """Reads commands, executes them on the bank and prints answers."""

    name: str
    uid_lengths: tuple[int, ...]
    uid_digits: str
    """Text of `uid_lengths`."""
    verbs: Mapping[str, str]
    own_help: tuple[str, ...] = ()

    def __init__(
        self, bank: HandBank, circle: CircleId, show: Callable[[str], None], values: Mapping[str, str]
    ) -> None:
        self.bank = bank
        self._circle = circle
        self._show = show
        self._values = values

    def start(self, port: str | None) -> None:
        """Start on a real port, or on a new pseudo-terminal. Raises OSError if the port cannot be opened."""
        self.bank.start() if port is None else self.bank.start_on(self._circle, port)
        self._show(f"{self.name} answers on {self.bank.paths()[self._circle]}; help says what it takes")

    @abstractmethod
    def own(self, words: list[str]) -> bool:
        """Execute a command of this kind of reader. Returns False if there is no such command."""

    @abstractmethod
    def strike(self, verb: str) -> None:
        """Apply a fault."""

    def run(self, source: TextIO) -> None:
        self._ask(source)
        for line in source:
            words = line.split()
            if words and words[0] in ("quit", "exit"):
                return
            if words:
                self.execute(words)
            self._ask(source)

    @staticmethod
    def _ask(source: TextIO) -> None:
        """Print a prompt if a person types the commands."""
        if source.isatty() and sys.stdout.isatty():
            print("reader> ", end="", flush=True)

    def execute(self, words: list[str]) -> None:
        verb, rest = words[0], words[1:]
        if verb == "help":
            self._show(self.help())
        elif verb == "list" and not rest:
            self._list()
        elif verb == "lay" and rest and rest[0].startswith("$") and len(rest) < 3:
            self._lay_value(rest[0], rest[1] if rest[1:] else "1")
        elif verb == "lay" and len(rest) == 1:
            self.lay(rest[0], self.bank.lay)
        elif verb == "take" and len(rest) == 1:
            self._take(rest[0])
        elif verb in self.verbs and not rest:
            self.strike(verb)
            self._show(f"{verb}: {self.verbs[verb]}")
        elif not self.own(words):
            self._show(f"{' '.join(words)!r} is not understood; help says what is")

    def help(self) -> str:
        return "\n".join(
            [
                "lay $25 [N]          N chips of that value out of the register",
                f"lay UID              a chip on the antenna ({self.uid_digits} hex digits)",
                "take $25 | UID | all off the antenna",
                "list                 what lies there",
                *self.own_help,
                *(f"{verb:<20} {what}" for verb, what in self.verbs.items()),
                "help, quit",
            ]
        )

    def _list(self) -> None:
        """Print each chip with its value."""
        lying = self.bank.chips(self._circle)
        self._show("\n".join(f"{uid} {self._values.get(uid, 'unknown')}" for uid in lying) or "nothing")

    def _lay_value(self, value: str, count: str) -> None:
        lying = set(self.bank.chips(self._circle))
        free = [uid for uid, worth in self._values.items() if worth == value and uid not in lying]
        if not count.isdecimal() or not 1 <= int(count) <= len(free):
            known = ", ".join(dict.fromkeys(self._values.values()))
            self._show(f"lay {value} {count}: {len(free)} such chips are left; values: {known}")
            return
        for uid in free[: int(count)]:
            self.bank.lay(self._circle, uid)
        self._show(f"{len(self.bank.chips(self._circle))} on the antenna")

    def lay(self, uid: str, put: Callable[[CircleId, str], None]) -> None:
        if len(uid) not in self.uid_lengths or any(digit not in "0123456789abcdefABCDEF" for digit in uid):
            self._show(f"lay {uid}: a UID has {self.uid_digits} hex digits")
            return
        put(self._circle, uid)
        self._show(f"{len(self.bank.chips(self._circle))} on the antenna")

    def _take(self, uid: str) -> None:
        lying = self.bank.chips(self._circle)
        if uid.startswith("$"):
            uid = next((each for each in lying if self._values.get(each) == uid), uid)
        if uid == "all":
            self.bank.set_chips(self._circle, ())
        elif uid.upper() not in lying:
            self._show(f"take {uid}: no such chip is on the antenna")
            return
        else:
            self.bank.take(self._circle, uid)
        self._show(f"{len(self.bank.chips(self._circle))} on the antenna")


class Pn532Console(Console):
    name = "a PN532"
    uid_lengths, uid_digits = (8, 14, 20), "8, 14 or 20"
    verbs = VERBS
    own_help = ("lay UID stubborn     a chip that ignores the halt",)

    def __init__(self, folder: Path, show: Callable[[str], None], values: Mapping[str, str]) -> None:
        self._readers = ReaderBank(folder, [_CIRCLE])
        super().__init__(self._readers, _CIRCLE, show, values)

    def own(self, words: list[str]) -> bool:
        if len(words) != 3 or words[0] != "lay" or words[2] != "stubborn":
            return False
        self.lay(words[1], partial(self._readers.lay, ignores_halt=True))
        return True

    def strike(self, verb: str) -> None:
        self._readers.fault(_CIRCLE, verb)


class FeigConsole(Console):
    name = "an FEIG reader with a multiplexer"
    uid_lengths, uid_digits = (16,), "16"
    verbs = FEIG_VERBS
    own_help = (f"antenna N            chips are laid and taken there: 1 (at first) to {OUTPUT_COUNT}",)

    def __init__(self, folder: Path, show: Callable[[str], None], values: Mapping[str, str]) -> None:
        self._readers = FeigBank(folder, _ANTENNAS)
        super().__init__(self._readers, _ANTENNAS[0], show, values)

    def own(self, words: list[str]) -> bool:
        numbers = {str(number): circle for number, circle in enumerate(_ANTENNAS, start=1)}
        if len(words) != 2 or words[0] != "antenna" or words[1] not in numbers:
            return False
        self._circle = numbers[words[1]]
        self._list()
        return True

    def strike(self, verb: str) -> None:
        self._readers.fault_seat(1, verb)


CONSOLES: dict[str, Callable[[Path, Callable[[str], None], Mapping[str, str]], Console]] = {
    DEFAULT: Pn532Console,
    FEIG: FeigConsole,
}
