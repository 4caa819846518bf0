"""An independent dealing shoe on a pseudo-terminal: `python -m tests.trials.stranger.shoe --link PATH`.

By default stacks are lifted and stubs taken automatically. Lines on standard input: draw, stub, gather,
shuffle, unplug, power, forget, jam, clear. It must never import from drivers/ or controller/.
"""

from __future__ import annotations

import argparse
import contextlib
import heapq
import itertools
import json
import os
import random
import selectors
import signal
import sys
import time
import tty
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

from tests.trials.stranger.channel import Channel, Odds
from tests.trials.stranger.device import Device, Make
from tests.trials.stranger.link import ShoeLink
from tests.trials.stranger.plain import PlainLink

UNPLUGGED_S = 2.0
TICK_S = 0.005


class Shoe:
    """Device, link, channel and terminal, on one loop."""

    def __init__(
        self, link: Path, make: Make, odds: Odds, seed: int, log: IO[str] | None, *, plain: bool = False
    ) -> None:
        self.path, self.log = link, log
        self.master = self.slave = -1
        self.timers: list[tuple[float, int, Callable[[], None]]] = []
        self.order = itertools.count()
        self.boots = 0
        self.over = False
        self.plan: dict[str, str] = {}
        self.out = Channel(odds, random.Random(f"{seed} out"), self.later, self._write)
        self.link: ShoeLink | PlainLink
        if plain:
            self.link = PlainLink(self._write, twice=True)
        else:
            self.link = ShoeLink(self.out.carry, time.monotonic, random.Random(f"{seed} link"))
        self.back = Channel(odds, random.Random(f"{seed} in"), self.later, self.link.receive)
        self.line = bytearray()
        self.word = b""
        dice = random.Random(f"{seed} cards")
        self.device = Device(make, dice, self.link.enqueue, self.later, self.truth, self.notice)
        self.link.welcome = self._welcome
        self.link.state = self.device.figures
        self.link.command = self.device.command
        self.power_up()

    def _welcome(self) -> tuple[str, ...]:
        return ("WELCOME", "1", "Stranger", "S-0001", "0.9", self.link.boot)

    def power_up(self) -> None:
        self.boots += 1
        self.link.power_up(f"{self.boots:04X}")
        self.truth({"boot": self.link.boot})

    def truth(self, what: dict[str, Any]) -> None:
        if self.log is not None:
            at = round(time.monotonic(), 3)
            self.log.write(json.dumps({"at": at, "boot": self.link.boot, **what}) + "\n")
            self.log.flush()

    # ------------------------------------------------------------------ plug

    def plug(self) -> None:
        self.master, self.slave = os.openpty()
        tty.setraw(self.slave)
        os.set_blocking(self.master, False)
        beside = self.path.with_name(self.path.name + ".new")
        beside.unlink(missing_ok=True)
        beside.symlink_to(os.ttyname(self.slave))
        beside.replace(self.path)

    def pull(self) -> None:
        if self.master >= 0:
            self.path.unlink(missing_ok=True)
            os.close(self.master)
            os.close(self.slave)
            self.master = self.slave = -1

    def _write(self, data: bytes) -> None:
        if self.master >= 0:
            with contextlib.suppress(BlockingIOError, OSError):
                os.write(self.master, data)

    def _read(self) -> None:
        try:
            data = os.read(self.master, 4096)
        except OSError:
            return
        for byte in data:
            self.line.append(byte)
            if byte == 0x0A:
                self.back.carry(bytes(self.line))
                self.line.clear()

    # ------------------------------------------------------------------ events

    def notice(self, what: str) -> None:
        """Note an event of the device. With `deal:3=unplug` the shoe is unplugged when the third card of the
        third deck has gone out."""
        device = self.device
        if what == "card" and device.out == 3:
            self._planned(f"deal:{device.ready}")
        elif what == "stub":
            self.later(0.3, lambda ready=device.ready: self._planned(f"between:{ready}"))  # type: ignore[misc]
        elif what == "ready":
            self.later(0.3, lambda ready=device.ready: self._planned(f"ready:{ready}"))  # type: ignore[misc]

    def _planned(self, moment: str) -> None:
        if moment in self.plan:
            self.do(self.plan.pop(moment))

    def do(self, word: str) -> None:
        self.truth({"done": word})
        if word == "unplug":
            self.pull()
            self.later(UNPLUGGED_S, self.plug)
        elif word in ("power", "forget"):
            self.power_up()
            self.device.power_cut(forgets=word == "forget")
        elif word == "jam":
            self.device.jam()
        elif word == "clear":
            self.device.clear()
        elif word == "jam+power":
            self.device.jam()
            self.later(1.0, lambda: self.do("power"))
        elif word == "jam+clear":
            self.device.jam()
            self.later(1.0, self.device.clear)
        elif word == "silence":
            self.link.write = lambda _frame: None
            self.later(8.0, lambda: setattr(self.link, "write", self.out.carry))
        elif word == "draw":
            self.device.draw()
        elif word == "stub":
            self.device.take_stub()
        elif word in ("shuffle", "gather"):
            self.device.put_back(shuffled=word == "shuffle")
        elif word == "end":
            self.over = True

    # ------------------------------------------------------------------ loop

    def later(self, seconds: float, act: Callable[[], None]) -> None:
        heapq.heappush(self.timers, (time.monotonic() + seconds, next(self.order), act))

    def run(self, hands: IO[str] | None) -> None:
        self.plug()
        self.device.start()
        print(self.path, flush=True)
        with selectors.DefaultSelector() as selector:
            if hands is not None:
                selector.register(hands, selectors.EVENT_READ)
            while not self.over:
                self._turn(selector, hands)
        self.pull()

    def _turn(self, selector: selectors.BaseSelector, hands: IO[str] | None) -> None:
        known = self.master
        if known >= 0:
            selector.register(known, selectors.EVENT_READ)
        ready = selector.select(TICK_S)
        if known >= 0:
            selector.unregister(known)
        for key, _ in ready:
            if key.fileobj == known:
                self._read()
            elif hands is not None:
                data = os.read(hands.fileno(), 4096)
                *words, self.word = (self.word + data).split(b"\n")
                for word in words:
                    self.do(word.decode().strip())
                self.over = self.over or not data
        now = time.monotonic()
        while self.timers and self.timers[0][0] <= now:
            heapq.heappop(self.timers)[2]()
        self.link.tick()

    def counters(self) -> dict[str, dict[str, int]]:
        return {
            "link": dict(self.link.counted), "out": dict(self.out.counted), "in": dict(self.back.counted)
        }  # fmt: skip


def options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="a dealing shoe made from drivers/shoe/LINK.md alone")
    parser.add_argument("--link", type=Path, required=True)
    parser.add_argument("--mode", choices=["STACK", "SINGLE"], default="STACK")
    parser.add_argument("--seed", type=int, default=1)
    for fault in ("double", "delay", "garble", "drop"):
        parser.add_argument(f"--{fault}", type=float, default=0.0, metavar="P")
    parser.add_argument("--split", action="store_true")
    parser.add_argument("--decks", type=int, choices=[1, 2], default=1)
    parser.add_argument("--done-early", action="store_true")
    parser.add_argument("--face-up", type=float, default=0.0, metavar="P")
    parser.add_argument("--unread", type=float, default=0.0, metavar="P")
    parser.add_argument("--plan", default="", help="deal:3=unplug,between:5=power,ready:7=forget")
    parser.add_argument("--hands", action="store_true", help="words on standard input; its end is the end")
    parser.add_argument("--plain", action="store_true", help="the plain dialect; mode SINGLE")
    parser.add_argument("--log", type=Path)
    return parser


def main() -> int:
    args = options().parse_args()
    odds = Odds(args.double, args.delay, args.garble, args.drop, args.split)
    make = Make(
        "SINGLE" if args.plain else args.mode, args.decks,
        shuffle_s=0.0 if args.plain else 0.1, done_early=args.done_early,
        face_up=args.face_up, unread=args.unread,
    )  # fmt: skip
    with contextlib.ExitStack() as stack:
        log = stack.enter_context(args.log.open("w")) if args.log else None
        shoe = Shoe(args.link, make, odds, args.seed, log, plain=args.plain)
        shoe.plan = dict(item.split("=") for item in args.plan.split(",") if item)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: setattr(shoe, "over", True))
        shoe.run(sys.stdin if args.hands else None)
        shoe.truth({"counted": shoe.counters()})
    return 0


if __name__ == "__main__":
    sys.exit(main())
