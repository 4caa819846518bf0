"""`python -m tests.drivers.shoe.stranger --count N`: the long run of test_property.py on lines of version 2.

The line loses, doubles and garbles frames, and an attacker on it sends recorded and forged ones. The program
prints the number of runs, and ends with status 1 at the first card that is lost, doubled or invented.
"""

from __future__ import annotations

import argparse
from collections import Counter
from random import Random

from tests.drivers.shoe.test_property import Attacker, play
from tests.drivers.shoe.wire import Wire

STEPS = ("card", "card", "card", "command", "restart", "deck", "0.002", "0.03", "0.3", "1.5")


def one(seed: int, done: Counter[str]) -> bool:
    dice = Random(seed)
    steps = [dice.choice(STEPS) for _ in range(dice.randrange(60))]
    line = Attacker(seed, dice.choice([0.05, 0.3]))
    wire = Wire(line, dice.choice([0.0, 0.001, 0.05]), seed, "2")
    expected = play(wire, line, steps)
    done["lines"] += 1
    done["cards"] += len(expected)
    done["frames"] += len(wire.sent)
    done["heard or made up, and sent"] += line.sent
    done["alerts"] += sum(report.kind in ("TAMPERED", "UNPROVEN") for report in wire.disk.reports)
    return wire.disk.cards() == expected and wire.controller.up and wire.shoe.up


def main() -> int:
    parser = argparse.ArgumentParser(description="a stranger on the shoe's line")
    parser.add_argument("--count", type=int, default=1000, metavar="N", help="how many lines are played")
    done: Counter[str] = Counter()
    for seed in range(parser.parse_args().count):
        if not one(seed, done):
            print(f"seed {seed}: a card was lost, doubled or invented, or the link stayed down")
            return 1
    print(", ".join(f"{count:,} {what}" for what, count in done.items()))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
