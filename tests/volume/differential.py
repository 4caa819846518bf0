"""Comparison of the kernel with the table, round by round: `python -m tests.volume.differential --rounds
100000`.

The same cards, wagers and decisions must give the same steps, payouts and record. `--steps` compares only the
steps and payouts, with the plan by which a table settles, and is fifteen times as fast. Batches are
determined by pack, seed and number, so that a run can be divided into portions (`--first`) and a difference
can be reproduced.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter

from controller.game.model.names import Method
from controller.rules.packs.loader import find_pack, load_pack, pack_files
from controller.rules.volume.rules import WIN
from tests.volume.driven import DrivenTable
from tests.volume.rounds import Batch, any_batch, differences, unplanned

SIZE = 50
"""Rounds in a batch. Each batch is played on a new table."""
SEED = 1


def seen_in(found: Batch) -> Counter[str]:
    """Return how often each situation occurred in a batch, to report the coverage of a run."""
    played = found.played
    wins = played.settled.outcome == WIN
    return Counter(
        {
            "rounds": played.dealt.rounds,
            "boxes": int(played.folded.size),
            "wagers": int((played.wagers != 0).sum()),
            "everybody_folded": int((played.folded != 0).all(axis=0).sum()),
            "wins_cut": int((wins & (played.settled.payout < played.settled.uncut)).sum()),
            f"by_{found.method}": played.dealt.rounds,
        }
    )


def wrong_in(found: Batch, number: int, table: DrivenTable | None) -> list[str]:
    return unplanned(found, number) if table is None else differences(found, table, number)


def compare(
    key: str, seed: int, batches: range, until: float, *, steps: bool
) -> tuple[Counter[str], list[str]]:
    """Compare the batches with these numbers, unless the time `until` comes first; return the covered
    situations and the first differences. `steps`: compare only steps and payouts."""
    pack = load_pack(find_pack(key))
    seen: Counter[str] = Counter()
    for number in batches:
        found = any_batch(pack, seed, number, SIZE)
        table = None if steps else DrivenTable(found.pack, Method(found.method))
        for round_ in range(SIZE):
            if wrong := wrong_in(found, round_, table):
                return seen, [f"{key}, seed {seed}, batch {number}, round {round_}", *wrong]
        seen += seen_in(found)
        seen["next_batch"] = number + 1
        if time.monotonic() > until:
            break
    return seen, []


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.volume.differential")
    parser.add_argument("--rounds", type=int, default=1000, help="of each pack")
    parser.add_argument("--first", type=int, default=0, help="number of the first batch, of 50 rounds each")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--minutes", type=float, default=24 * 60.0, help="ends after so long, wherever it is")
    parser.add_argument("--steps", action="store_true", help="the settlement alone, by the table's own plan")
    parser.add_argument("packs", nargs="*", default=list(pack_files()))
    args = parser.parse_args(arguments)
    began = time.monotonic()
    batches = range(args.first, args.first + -(-args.rounds // SIZE))
    for key in args.packs:
        until = began + args.minutes * 60
        seen, wrong = compare(key, args.seed, batches, until, steps=args.steps)
        print(json.dumps({"pack": key, **seen, "seconds": round(time.monotonic() - began)}), flush=True)
        if wrong:
            print("\n".join(wrong))
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
