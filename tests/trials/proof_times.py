"""Times of proofs over FEIG readers at two seats, in virtual time: `python -m tests.trials.proof_times`.

Before a payout the chips of the wager prove themselves again: time until a reading reports that all are
decided, and time until a copy among them is reported, by the height of the stack. At the beginning all chips
are new: time until each has proven itself, by the number of circles that are due.
"""

from __future__ import annotations

import argparse
import random

from drivers.chips.feig import OUTPUT_OF
from drivers.ports import CircleId
from tests.drivers.chips.virtual import stack
from tests.drivers.chips.virtual_feig import ProvingFeigTable

PAID: CircleId = (1, "down")
DEPTHS = (1, 3, 5, 10, 20, 40)
SEATS = 2
LAID = tuple(OUTPUT_OF)[:3]
"""Circles of each seat with new chips."""
MAX_S = 300.0


def settled(chips: int, seed: int) -> ProvingFeigTable:
    """Return a table in which every chip has proven itself: three in each circle, `chips` in the paid one."""
    table = ProvingFeigTable(SEATS, seed=seed)
    table.lay_stacks(3, PAID, chips=chips)
    while table.now < 3.0 or table.outstanding():
        step(table)
    return table


def step(table: ProvingFeigTable) -> None:
    table.slot()
    if table.now > MAX_S:
        raise RuntimeError("the proofs do not end")


def until_decided(chips: int, seed: int) -> float:
    table = settled(chips, seed)
    table.pay(PAID)
    began = table.now
    while not table.proofs._required[PAID].decided:
        step(table)
    return table.now - began


def until_reported(chips: int, seed: int) -> float:
    """Return the time in s until a copy at a random place, which answers no proof, is reported."""
    table = settled(chips, seed)
    copy = random.Random(seed).choice(stack(PAID, chips))
    table.exchange_for_copies(PAID, copy)
    table.pay(PAID)
    began = table.now
    while copy not in table.proofs.unproven(PAID):
        step(table)
    return table.now - began


def until_all_proven(chips: int, due: int) -> float:
    """Return the time in s from laying new chips until each has proven itself, with `due` circles due."""
    table = ProvingFeigTable(SEATS)
    list(table.until(4.0))
    laid = [(seat, wager) for seat in range(1, SEATS + 1) for wager in LAID]
    table.watch([(1, wager) for wager in LAID[:due]])
    for circle in laid:
        table.lay(circle, stack(circle, chips), table.now)
    began = table.now
    while len({proof.uid for _, proof in table.asked}) < chips * len(laid) or table.outstanding():
        step(table)
    return table.now - began


def main() -> None:
    parser = argparse.ArgumentParser(description="Times of proofs over FEIG readers, in virtual time.")
    parser.add_argument("--times", type=int, default=20, help="payouts of each height")
    times = range(parser.parse_args().times)
    print("| chips | payout may begin, s, p50 / max | a copy reported, s, p50 / max |\n|---:|---:|---:|")
    for chips in DEPTHS:
        found = (
            sorted(measure(chips, seed) for seed in times) for measure in (until_decided, until_reported)
        )
        print(
            f"| {chips} | " + " | ".join(f"{each[len(each) // 2]:.2f} / {each[-1]:.2f}" for each in found),
            "|",
        )
    print("\n| new chips in each of six circles | due circles | all proven, s |\n|---:|---:|---:|")
    for chips, due in ((5, 0), (5, 1), (5, 3), (20, 0), (20, 1), (20, 3)):
        print(f"| {chips} | {due} | {until_all_proven(chips, due):.1f} |")


if __name__ == "__main__":
    main()
