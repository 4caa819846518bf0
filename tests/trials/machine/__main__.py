"""Steps of the state machine, and their result: `python -m tests.trials.machine --steps 100000`."""

from __future__ import annotations

import argparse
import logging
import sys
import time

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.trials.machine.rules import TableMachine

STEPS_A_TABLE = 50


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.trials.machine", description=__doc__)
    parser.add_argument("--steps", type=int, default=100_000, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    args = parser.parse_args()
    logging.disable(logging.CRITICAL)
    began, machine, number = time.monotonic(), TableMachine, args.seed
    long = settings(
        max_examples=20, stateful_step_count=STEPS_A_TABLE, deadline=None, database=None,
        suppress_health_check=list(HealthCheck), phases=[Phase.generate], print_blob=False,
    )  # fmt: skip
    while machine.totals["steps"] < args.steps:
        run_state_machine_as_test(seed(number)(machine), settings=long)
        number += 1
        print(
            f"{machine.totals['steps']:,} steps, {machine.totals['rows']:,} rows", file=sys.stderr, flush=True
        )
    for name, count in sorted(machine.totals.items()):
        print(f"{count:>9,} {name}")
    print(f"{time.monotonic() - began:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
