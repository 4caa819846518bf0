"""Mock table with a reader of the plain dialect, for which the command line has no option.

`python -m tests.trials.stranger.plain_table --shoe PORT --rounds N --seed N --port N` prints one record a
line.
"""

from __future__ import annotations

import argparse
import sys

from controller.game.model.names import Method
from controller.mock.bench.options import MockOptions
from controller.mock.run import Run, run


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--shoe", required=True)
    for name in ("--rounds", "--seed", "--port"):
        parser.add_argument(name, type=int, required=True)
    args = parser.parse_args()
    options = MockOptions(
        method=Method.MANUAL_SHOE, config={"shoe": {"protocol": "plain"}}, seed=args.seed,
        shoe_port=args.shoe, port=args.port,
    )  # fmt: skip
    return run(Run(options, rounds=args.rounds, headless=True, as_json=True))


if __name__ == "__main__":
    sys.exit(main())
