"""The complete mock table with the independent shoe: two programs and a line, compared afterwards.

`python -m tests.trials.stranger.play [--rounds N] [--only WORDS]` plays every kind of bad cable, one table
after another; a soak calls `plays`. `judge` compares the records with the cards that left the shoe.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from tests.trials.stranger.hands import follow, free_port
from tests.trials.stranger.judge import Judgement, judge, lines

ALL = ("--double", "0.05", "--delay", "0.05", "--garble", "0.05", "--drop", "0.05", "--split")


@dataclass(frozen=True)
class Case:
    """One combination to be played. `shoe`: options of the shoe; `troubled`: whether devices or people fail,
    so that a round may be void."""

    name: str
    shoe: Sequence[str] = ()
    gather: str = ""
    """Act of the hands on the cards after a round, if a person draws them. The device shuffles them itself,
    or a plain reader gets a deck that was shuffled elsewhere."""
    troubled: bool = False

    @property
    def table(self) -> Sequence[str]:
        if "--plain" in self.shoe:
            return ("tests.trials.stranger.plain_table",)
        mock = ("controller", "mock", "--speed", "max", "--headless", "--json")
        return (*mock, "--method", "manual_shoe") if self.gather else mock


CLEAN, LOSSY = Case("clean"), Case("everything", ALL)
PLAIN = Case("plain reader", ("--plain",), gather="shuffle")
CASES = (
    CLEAN,
    *(Case(fault, (f"--{fault}", "0.1")) for fault in ("double", "delay", "garble", "drop")),
    LOSSY,
    Case("two decks", ("--decks", "2")),
    Case("two decks, everything, DONE early", ("--decks", "2", "--done-early", *ALL)),
    Case("cards face up or not read", ("--unread", "0.05", "--face-up", "0.002", *ALL), troubled=True),
    Case("unplugged", ("--plan", "deal:2=unplug,between:4=unplug,ready:6=unplug"), troubled=True),
    Case("power cut", ("--plan", "deal:2=power,between:4=power,ready:6=forget"), troubled=True),
    Case("jams", ("--plan", "ready:2=jam+clear,ready:4=jam+power,deal:6=jam+power"), troubled=True),
    Case("drawn by hand, everything", ("--mode", "SINGLE", *ALL), gather="gather"),
    PLAIN,
)


@contextmanager
def shoe(path: Path, *arguments: str) -> Iterator[IO[str]]:
    """Run the independent shoe on a new line at `path`; text written to it acts as its hands."""
    command = [sys.executable, "-m", "tests.trials.stranger.shoe", "--hands", "--link", str(path), *arguments]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdout.readline()  # its first line says that it is plugged in
        yield process.stdin
        process.stdin.close()
        process.wait()


def play(case: Case, rounds: int, folder: Path, seed: int = 5) -> Judgement:
    """Play `rounds` rounds, and compare every card in their records with the cards that really left the
    shoe."""
    path, truth, port = folder / "shoe", folder / "truth.jsonl", free_port()
    table = [
        sys.executable, "-m", *case.table, "--shoe", str(path), "--rounds", str(rounds), "--seed", str(seed),
        "--port", str(port),
    ]  # fmt: skip
    log = folder / "said.txt"
    with (
        shoe(path, "--log", str(truth), "--seed", str(seed), *case.shoe) as hands,
        log.open("w") as errors,
        subprocess.Popen(table, stdout=subprocess.PIPE, stderr=errors, text=True) as process,
    ):
        helper = threading.Thread(target=_lend_hands, args=(process, port, hands, case.gather), name="hands")
        helper.start()
        assert process.stdout is not None
        records = [json.loads(line) for line in process.stdout]
        helper.join()
    found = judge(records, lines(truth))
    if process.returncode or len(records) != rounds:
        found.wrong.append(f"{len(records)} records, status {process.returncode}: {log.read_text()[-400:]}")
    if found.void and not case.troubled:
        found.wrong += [f"void without need: {words}" for words in found.void]
    return found


def _lend_hands(process: subprocess.Popen[str], port: int, shoe: IO[str], gather: str) -> None:
    """Run hands that follow the display at `port` and operate the shoe while the table's process runs.
    `gather`: word to the shoe when the screen asks to gather the cards; "": no hands are needed."""

    def do(word: str) -> None:
        shoe.write((gather if word == "gather" else word) + "\n")
        shoe.flush()

    while gather and process.poll() is None:
        with suppress(OSError):
            follow(port, do)
        threading.Event().wait(0.05)  # wait, since the display has not started yet or has ended


def plays(rounds: int, seed: int = 5, only: str = "") -> Iterator[tuple[Case, Judgement]]:
    """Yield every case whose name contains `only`, with the judgement of its play."""
    for case in CASES:
        if only in case.name:
            with tempfile.TemporaryDirectory(prefix="stranger-") as folder:
                yield case, play(case, rounds, Path(folder), seed)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    bad, began = 0, time.monotonic()
    for case, found in plays(args.rounds, args.seed, args.only):
        bad += bool(found.wrong)
        print(f"{case.name}: {found.words()}, {time.monotonic() - began:.0f} s", flush=True)
        began = time.monotonic()
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
