"""`python -m tests.odds`: effect of each changed rule on the odds, counted over every deal.

The figures are in controller/rules/odds/ODDS.md. A line takes half a minute on two processors; test_solve.py
checks the same changes for one hole.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from controller.rules.odds.pack import Odds


def main() -> int:
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from controller.rules.odds.figures import totals
    from controller.rules.odds.solve import solve

    for what, odds, middle in changes():
        whole = totals(odds, solve(odds, middle=middle))
        risk = -float(whole.expectation) * whole.deals / whole.wagered
        print(f"{what:<40} {-50 * float(whole.expectation):9.4f} % {100 * risk:9.4f} %", flush=True)
    return 0


def changes() -> Iterator[tuple[str, Odds, str]]:
    """Yield the name of each change, the changed odds, and the hand that decides Middle."""
    from controller.rules.odds.pack import odds_of
    from tests.odds.packs import PENNSYLVANIA, paying

    yield "three of a kind pays 4", paying("three_of_a_kind", 4), "higher"
    yield "a flush pays 7", paying("flush", 7), "higher"
    yield "a pair of 6s to 10s pays 1", paying("pair_of_6s_to_10s", 1), "higher"
    yield "a pair of jacks or better pushes", paying("pair_of_jacks_or_better", "push"), "higher"
    yield "the Middle goes by the lower hand", odds_of(PENNSYLVANIA), "lower"
    yield "bets of 1 or 2 antes", replace(odds_of(PENNSYLVANIA), multiples=(1, 2)), "higher"


if __name__ == "__main__":
    sys.exit(main())
