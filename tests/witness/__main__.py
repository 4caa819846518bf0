"""`python -m tests.witness --rounds N`: rounds of a table that are cosigned over HTTP, with an attack before
each round.

An attack is a fork, a cut end or another log's checkpoint. The witness is restarted sometimes. The results
and the duration are printed.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory

from controller.common.tlog.note import COSIGNATURE, Note
from controller.record.witness.add_request import AddRequest
from controller.record.witness.sending import post
from tests.witness.log import ORIGIN, TABLE, WITNESS, Log
from tests.witness.served import serving

ROUNDS_A_START = 500
LEAVES = (8, 80)
"""Smallest and largest number of leaves that one round adds."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.witness", description=__doc__)
    parser.add_argument("--rounds", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    random.seed(args.seed)
    log, counts = Log(), Counter[str]()
    took: list[float] = []
    with TemporaryDirectory(prefix="witness-") as folder:
        for begun in range(0, args.rounds, ROUNDS_A_START):
            store = Path(folder) / "witness.db"
            with serving(store, WITNESS, {ORIGIN: (TABLE.verifier(),)}, lambda: int(time.time())) as url:
                number = min(ROUNDS_A_START, args.rounds - begun)
                took += [play(log, url, counts) for _ in range(number)]
    p50, p99 = (quantiles(took, n=100)[at] * 1000 for at in (49, 98))
    for what, count in sorted(counts.items()):
        print(f"{what:<48}{count:>8}")
    print(f"{len(log.leaves)} leaves; a cosignature took {p50:.1f} ms (p50), {p99:.1f} ms (p99)")
    return 1 if any(what.startswith("WRONG") for what in counts) else 0


def play(log: Log, url: str, counts: Counter[str]) -> float:
    """Play one round and have it cosigned, after a request that the witness must refuse. Return the duration
    of the cosigning in s."""
    seen = len(log.leaves)
    if seen:
        what, body = attack(log, seen)
        count(counts, what, well=post(url, body).status in {400, 403, 409, 422})
    log.grow(random.randint(*LEAVES))
    ask = log.ask(seen)
    began = time.monotonic()
    reply = post(url, ask.body())
    took = time.monotonic() - began
    line = reply.body.decode().removesuffix("\n")
    cosigned = reply.status == 200 and Note.of(ask.note.text, line).cosigned_by(WITNESS.verifier(COSIGNATURE))
    count(counts, "cosigned", well=bool(cosigned))
    return took


def attack(log: Log, seen: int) -> tuple[str, bytes]:
    """Return the name of the expected result and the body of a request from a table whose journal was
    manipulated."""
    cut = random.randrange(seen)
    past = Log(leaves=log.leaves[:cut])
    ways = {
        "refused: an old checkpoint": lambda: log.body(0, max(1, cut)),
        "refused: the same size, another tree": lambda: past.grow(seen - cut, "other").body(seen),
        "refused: a tail cut off and written anew": lambda: past.grow(seen - cut + 40, "other").body(seen),
        "refused: a row exchanged": lambda: exchanged(log, cut).body(seen),
        "refused: a proof of one's own": lambda: AddRequest.of(seen, [bytes(32)], log.note()).body(),
        "refused: signed by another": lambda: Log(key=WITNESS, leaves=log.leaves).body(seen),
    }
    what = random.choice(list(ways))
    return what, ways[what]()


def exchanged(log: Log, at: int) -> Log:
    leaves = list(log.leaves)
    leaves[at] = bytes(32)
    return Log(leaves=leaves).grow(10)


def count(counts: Counter[str], what: str, *, well: bool) -> None:
    counts[what if well else f"WRONG, not {what}"] += 1


if __name__ == "__main__":
    sys.exit(main())
