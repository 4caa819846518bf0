"""Kills over the wires, and a power cut at each write in one process: `python -m tests.trials.kills --times
300`.
"""

from __future__ import annotations

import argparse
import logging
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from itertools import count

from drivers.chips.kinds import DEFAULT, PROVING
from drivers.chips.kinds import READER_KINDS as READERS
from tests.trials.kills.rounds import KINDS, Kind
from tests.trials.kills.wires import Pass, passed
from tests.trials.kills.writes import differences, played

KILLS_A_TABLE = 30
ROUNDS_A_TABLE = 12
PLAYED_OUT = [kind for kind in KINDS if not kind.voids]
"""Kinds of rounds that can be played over the wires. Rounds stopped by a floorperson are left out: the time
of the stop depends on the prompts, and a start adds one, since a fold is asked for again."""


def kinds_over(readers: str, named: Sequence[str]) -> list[Kind]:
    """Return the kinds of rounds that can be played over these readers: all, or the named ones."""
    possible = (kind for kind in PLAYED_OUT if readers in PROVING or not kind.proofs)
    return [replace(kind, readers=readers) for kind in possible if not named or kind.name in named]


def over_the_wires(times: int, seed: int, kinds: Sequence[Kind]) -> list[str]:
    done = list[Pass]()
    for number in count():
        left = times - sum(each.kills for each in done)
        if left <= 0:
            break
        kind = kinds[number % len(kinds)]
        done.append(passed(kind, ROUNDS_A_TABLE, min(left, KILLS_A_TABLE), seed + number))
        print(f"{kind.name}: {done[-1].kills} kills, {done[-1].rounds} rounds {done[-1].wrong}", flush=True)
    kills, starts = sum(each.kills for each in done), sum(each.starts_killed for each in done)
    cards, rounds = sum(each.cards for each in done), sum(each.rounds for each in done)
    wrong = [words for each in done for words in each.wrong]
    print(f"{kills} kills, {starts} in a start; {cards:,} cards, {rounds} rounds; {len(wrong)} differences")
    return wrong


def at_every_write() -> list[str]:
    wrong = list[str]()
    for kind in KINDS:
        _, writes = played(kind, None)
        found = list(differences(kind))
        print(f"{kind.name}: each of {writes} writes cut in three ways; {len(found)} differences", flush=True)
        wrong += found
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.trials.kills", description=__doc__)
    parser.add_argument("--times", type=int, default=300, metavar="N", help="over the wires; 0: none")
    parser.add_argument("--no-writes", action="store_true", help="over the wires alone")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--readers", choices=list(READERS), default=DEFAULT, help="over the wires")
    parser.add_argument(
        "--kinds", nargs="+", choices=[kind.name for kind in PLAYED_OUT], default=[],
        help="kinds of rounds over the wires; default: all",
    )  # fmt: skip
    args = parser.parse_args()
    kinds = kinds_over(args.readers, args.kinds)
    if not kinds:
        parser.error(f"chips do not prove themselves over {args.readers}; allowed: {', '.join(PROVING)}")
    logging.disable(logging.CRITICAL)
    began = time.monotonic()
    wrong = [] if args.no_writes else at_every_write()
    wrong += over_the_wires(args.times, args.seed, kinds)
    print("\n".join(wrong[:20]))
    print(f"{time.monotonic() - began:.0f} s")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
