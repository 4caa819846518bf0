"""Times of FEIG readers in virtual time, with 0 to 40 chips a circle: `python -m tests.trials.feig_times`.

The real driver and schedule run over simulated readers: six seats with seven circles each, and the same
number of chips in every circle. The host's own time is left out; `make bench` measures over pseudo-terminals.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from itertools import pairwise
from random import Random
from statistics import quantiles

from drivers.ports import CircleId
from tests.drivers.chips.virtual import USUAL_BAUD, VirtualTable, stack

DEPTHS = (0, 1, 2, 3, 5, 10, 20, 30, 40)
CIRCLE: CircleId = (3, "down")
WAGER, SEAT = "wager", "seat"
"""Choices of further due circles: those of the same wager at other seats, or the others of the same seat."""
_ROUND = 7
_SETTLED_S = 12.0


@dataclass(frozen=True, slots=True)
class Scan:
    """Times in ms. `quick`, `whole`: shortest scan of all circles by quick looks, and by whole inventories.
    The gaps are the longest times between two looks, or two whole inventories, of a circle: the first value
    applies while no circle is due, the second while CIRCLE is due, with others if so chosen.
    """

    quick: float
    whole: float
    look_gap: float
    whole_gap: float
    due_look_gap: float
    due_whole_gap: float


@dataclass(frozen=True, slots=True)
class Known:
    """Time in ms from laying chips until the table accepts them, which is at the second of two equal
    inventories in a row (`CircleTracker`): median and 99th percentile."""

    p50: float
    p99: float


def due_circles(table: VirtualTable, count: int, where: str = WAGER) -> list[CircleId]:
    """Return `count` due circles: CIRCLE and the next ones of its wager, or of its seat."""
    part = 1 if where == WAGER else 0
    others = [circle for circle in table.circles if circle[part] == CIRCLE[part] and circle != CIRCLE]
    return [CIRCLE, *others][:count]


def laid(chips: int, baud: int = USUAL_BAUD) -> VirtualTable:
    """Return a table with this number of chips in every circle, each content shown twice."""
    table = VirtualTable(baud=baud)
    for circle in table.circles:
        table.lay(circle, stack(circle, chips))
    list(table.until(_SETTLED_S))
    return table


def idle_ms(chips: int) -> tuple[float, float, float]:
    """Return `quick`, `look_gap` and `whole_gap` of a `Scan`, which is measured in half of the time."""
    quick, looks, wholes = _gaps(laid(chips))
    return 1000 * quick, 1000 * looks, 1000 * wholes


def scan_ms(chips: int, baud: int = USUAL_BAUD, due: int = 1, where: str = WAGER) -> Scan:
    table = laid(chips, baud)
    quick, *idle = _gaps(table)
    begun = table.now
    table.order.sweep(begun)
    for _ in range(_ROUND):
        table.slot()
    whole = table.now - begun
    list(table.until(table.now + _SETTLED_S))
    table.order.watch(due_circles(table, due, where))
    return Scan(*(1000 * each for each in (quick, whole, *idle, *_gaps(table)[1:])))


def known_ms(
    before: int,
    after: int,
    others: int | None = None,
    times: int = 200,
    baud: int = USUAL_BAUD,
    anew: bool = False,
    due: int = 1,
    where: str = WAGER,
) -> Known:
    """Measure latencies in a due circle at random moments of the scan. `others`: chips in each other circle,
    by default `after`. `anew`: use chips with other numbers each time; otherwise every inventory of them
    takes the same time on the air. `due`: number of due circles."""
    table = laid(after if others is None else others, baud)
    table.order.watch(due_circles(table, due, where))
    dice, took = Random(before * 100 + after), []
    for number in range(times):
        chips = stack(CIRCLE, 40, seed=number if anew else 0)
        _until_known(table, chips[:before], table.now + 0.5)
        at = table.now + 0.25 + 2 * dice.random()
        _until_known(table, chips[:after], at)
        took.append(1000 * (table.now - at))
    cuts = quantiles(took, n=100, method="inclusive")
    return Known(cuts[49], cuts[98])


def _gaps(table: VirtualTable) -> tuple[float, float, float]:
    """Return the duration of the shortest scan of all circles, and the longest time between two looks and
    between two whole inventories of a circle, in s."""
    looks: dict[CircleId, list[float]] = {circle: [] for circle in table.circles}
    wholes: dict[CircleId, list[float]] = {circle: [] for circle in table.circles}
    end, shortest = table.now + _SETTLED_S, _SETTLED_S
    while table.now < end:
        for found in table.slot():
            looks[found.circle].append(found.began)
            if not found.confirmed:
                wholes[found.circle].append(found.began)
        if all(looks.values()):
            shortest = min(shortest, table.now - min(began[-1] for began in looks.values()))
    return shortest, _longest(looks, table.now), _longest(wholes, table.now)


def _longest(times: dict[CircleId, list[float]], end: float) -> float:
    """Return the longest time between two of a circle's times, or from its last one to `end`."""
    return max(
        later - earlier
        for of in times.values()
        for earlier, later in pairwise([*of, end])
    )  # fmt: skip


def _until_known(table: VirtualTable, uids: Sequence[str], at: float) -> None:
    """Lay exactly these chips in the circle, and read until two inventories in a row show them."""
    table.lay(CIRCLE, uids, at)
    equal = 0
    while equal < 2 or table.now < at:
        for found in table.slot():
            if found.circle == CIRCLE:
                equal = equal + 1 if found.uids == tuple(uids) else 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.trials.feig_times", description=__doc__)
    parser.add_argument("--baud", type=int, default=USUAL_BAUD)
    parser.add_argument("--times", type=int, default=200, help="chips laid for each latency")
    parser.add_argument(
        "--chips", type=int, nargs="+", choices=DEPTHS, default=DEPTHS, metavar="N", help="in each circle"
    )
    parser.add_argument("--due", type=int, choices=range(1, 7), default=1, help="circles that are due")
    parser.add_argument(
        "--where", choices=(WAGER, SEAT), default=WAGER,
        help=f"{WAGER}: one at each seat; {SEAT}: all at one seat's reader",
    )  # fmt: skip
    args = parser.parse_args()
    print(
        "chips | shortest scan | whole scan | nothing due: looks apart | whole apart"
        " | something due: looks apart | whole apart | stack laid p50 p99 | one more p50 p99"
        " | another stack each time p50 p99"
    )
    for chips in args.chips:
        scan = scan_ms(chips, args.baud, args.due, args.where)
        row = list(astuple(scan))
        if chips:
            for before, anew in ((0, False), (chips - 1, False), (0, True)):
                known = known_ms(
                    before, chips, min(chips, 3), args.times, args.baud, anew, args.due, args.where
                )
                row += [known.p50, known.p99]
        print(" | ".join([str(chips), *(f"{each:.0f}" for each in row)]), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
