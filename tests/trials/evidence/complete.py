"""`python -m tests.trials.evidence.complete`: all figures of power and false alarms, with their seeds.

It runs the trials one after the other, each in a process, and prints the command of each before its output:
power and bound of every hypothesis (`hypotheses`), of a dealer who favours a seat (`dealer`) and of faulty
shuffles (`shoe`), honest players on the kernel (`volume`) and at the real table (`table`). With the default
sizes this takes days of a core. `--list` prints the commands alone.
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROUNDS_OF_TABLE = 100
"""Rounds that each mock table of the trial `table` plays."""


def parsed(arguments: list[str] | None = None) -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.trials.evidence.complete", description=__doc__)
    parser.add_argument("--cheats", type=int, default=11, metavar="N", help="sittings of each cheat")
    parser.add_argument("--dealers", type=int, default=101, metavar="N", help="sittings of each dealer")
    parser.add_argument("--shoes", type=int, default=100, metavar="N", help="shoes of each shuffle")
    parser.add_argument(
        "--rounds", type=int, default=10_000_000, metavar="N", help="of each honest player on the kernel"
    )
    parser.add_argument(
        "--table-rounds", type=int, default=100_000, metavar="N", help="of honest players at the real table"
    )
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="processes")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the rounds to a million, as SVG")
    parser.add_argument("--list", action="store_true", help="print the commands alone")
    return parser.parse_args(arguments)


def commands(args: argparse.Namespace) -> Iterator[list[str]]:
    """Yield the arguments of Python for each trial."""
    seed, jobs = ["--seed", str(args.seed)], ["--jobs", str(args.jobs)]
    plot = ["--plot", str(args.plot)] if args.plot else []
    tables = -(-args.table_rounds // ROUNDS_OF_TABLE)
    parts = {
        "hypotheses": ["--cheats", str(args.cheats), *seed, *jobs, *plot],
        "dealer": ["--sittings", str(args.dealers), *seed],
        "shoe": ["--shoes", str(args.shoes), *seed],
        "volume": ["--rounds", str(args.rounds), *seed, *jobs],
        "table": ["--tables", str(tables), "--rounds", str(ROUNDS_OF_TABLE), *jobs],
    }
    for name, options in parts.items():
        yield ["-m", f"tests.trials.evidence.{name}", *options]


def main() -> None:
    args = parsed()
    for command in commands(args):
        print(f"\n$ python {shlex.join(command)}", flush=True)
        if not args.list:
            subprocess.run([sys.executable, *command], check=True)


if __name__ == "__main__":
    main()
