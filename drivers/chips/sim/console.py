"""One simulated reader on a real serial port or a new pseudo-terminal, operated by hand.

For ``crisscross simulate reader``. A technician's tool: it must never be part of a daemon.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TextIO

from drivers.chips.sim.faults import VERBS
from drivers.chips.sim.simulator import ReaderBank
from drivers.ports import CircleId

_CIRCLE: CircleId = (1, "reader")
_UID_LENGTHS = (8, 14, 20)

HELP = "\n".join(
    [
        "lay $25 [N]          N chips of that value out of the register",
        "lay UID [stubborn]   a chip on the antenna (8, 14 or 20 hex digits); stubborn: it ignores the halt",
        "take $25 | UID | all off the antenna",
        "list                 what lies there",
        *(f"{verb:<20} {what}" for verb, what in VERBS.items()),
        "help, quit",
    ]
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--port", metavar="PORT", help="a real serial port, 115200 baud")
    where.add_argument("--pty", action="store_true", help="a new pseudo-terminal; its name is printed")


def simulate_reader(
    args: argparse.Namespace,
    values: Mapping[str, str],
    commands: TextIO | None = None,
    out: TextIO | None = None,
) -> int:
    """Run until ``quit`` or the end of input. Return 0, or 2 if the port cannot be used.

    `values`: value in words ("$25") of each chip that can be laid by value.
    """
    source, screen = commands or sys.stdin, out or sys.stdout
    with TemporaryDirectory(prefix="crisscross-reader-") as directory:
        bank = ReaderBank(Path(directory), [_CIRCLE])
        try:
            bank.start() if args.pty else bank.start_on(_CIRCLE, args.port)
        except OSError as error:
            print(f"simulate reader: --port {args.port}: a free serial port: {error}", file=sys.stderr)
            return 2
        try:
            print(
                f"a PN532 answers on {bank.paths()[_CIRCLE]}; help says what it takes",
                file=screen,
                flush=True,
            )
            Console(bank, lambda text: print(text, file=screen, flush=True), values).run(source)
        finally:
            bank.stop()
    return 0


class Console:
    """Reads commands, executes them on the bank and prints answers."""

    def __init__(self, bank: ReaderBank, say: Callable[[str], None], values: Mapping[str, str]) -> None:
        self._bank = bank
        self._say = say
        self._values = values

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
            self._say(HELP)
        elif verb == "list" and not rest:
            self._list()
        elif verb == "lay" and rest and rest[0].startswith("$") and len(rest) < 3:
            self._lay_value(rest[0], rest[1] if rest[1:] else "1")
        elif verb == "lay" and (len(rest) == 1 or rest[1:] == ["stubborn"]):
            self._lay(rest[0], len(rest) == 2)
        elif verb == "take" and len(rest) == 1:
            self._take(rest[0])
        elif verb in VERBS and not rest:
            self._bank.fault(_CIRCLE, verb)
            self._say(f"{verb}: {VERBS[verb]}")
        else:
            self._say(f"{' '.join(words)!r} is not understood; help says what is")

    def _list(self) -> None:
        """Print each chip with its value."""
        lying = self._bank.chips(_CIRCLE)
        self._say("\n".join(f"{uid} {self._values.get(uid, 'unknown')}" for uid in lying) or "nothing")

    def _lay_value(self, value: str, count: str) -> None:
        lying = set(self._bank.chips(_CIRCLE))
        free = [uid for uid, worth in self._values.items() if worth == value and uid not in lying]
        if not count.isdecimal() or not 1 <= int(count) <= len(free):
            known = ", ".join(dict.fromkeys(self._values.values()))
            self._say(f"lay {value} {count}: {len(free)} such chips are left; values: {known}")
            return
        for uid in free[: int(count)]:
            self._bank.lay(_CIRCLE, uid, False)
        self._say(f"{len(self._bank.chips(_CIRCLE))} on the antenna")

    def _lay(self, uid: str, stubborn: bool) -> None:
        if len(uid) not in _UID_LENGTHS or any(digit not in "0123456789abcdefABCDEF" for digit in uid):
            self._say(f"lay {uid}: a UID has 8, 14 or 20 hex digits")
            return
        self._bank.lay(_CIRCLE, uid, stubborn)
        self._say(f"{len(self._bank.chips(_CIRCLE))} on the antenna")

    def _take(self, uid: str) -> None:
        lying = self._bank.chips(_CIRCLE)
        if uid.startswith("$"):
            uid = next((each for each in lying if self._values.get(each) == uid), uid)
        if uid == "all":
            self._bank.set_chips(_CIRCLE, ())
        elif uid.upper() not in lying:
            self._say(f"take {uid}: no such chip is on the antenna")
            return
        else:
            self._bank.take(_CIRCLE, uid)
        self._say(f"{len(self._bank.chips(_CIRCLE))} on the antenna")
