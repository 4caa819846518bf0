"""Errors of a dealer that favour a seat: the mean of their evidence is one wherever and however often they
err, if the direction does not depend on the seat."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from functools import partial
from itertools import product
from math import exp, prod
from typing import Any

import numpy as np
import pytest

from controller.evidence.dealer_errors import DealerError, ErrorPairs, errors_of, pair_factor
from controller.evidence.report import dealer_data, dealers_in_words
from controller.evidence.sittings import Sittings
from controller.evidence.threshold import Threshold
from controller.mock.bench.bench import Hands, Pace, play
from controller.mock.bench.in_process import DirectBench
from controller.mock.bench.options import MockOptions, seats_to_play
from controller.mock.people.dealer import Floorperson
from controller.mock.people.erring_dealer import ErringDealer
from controller.mock.people.favouring_dealer import FavouringDealer
from controller.mock.people.players import Players

SEAT = 2


def wager(result: str) -> dict[str, Any]:
    return {"amount": 1000, "result": result}


def settled(*entries: tuple[int, str, str], **changes: Any) -> Any:
    """Return a record with these irregularities of the settlement: seat, wager, code."""
    wagers = {"across": wager("win"), "down": wager("push"), "middle": wager("lose")}
    return {
        "dealers": [{"number": "D7", "from": ""}], "outcome": "settled",
        "seats": [{"seat": seat, "wagers": wagers} for seat in (1, SEAT)],
        "irregularities": [
            {"seat": seat, "wager": name, "code": code, "phase": "settlement"} for seat, name, code in entries
        ],
        **changes,
    }  # fmt: skip


def test_both_ways_of_an_unequal_pair_have_the_mean_one() -> None:
    np.testing.assert_allclose((pair_factor(for_seat=True) + pair_factor(for_seat=False)) / 2, 1)


@pytest.mark.parametrize("seed", range(6))
def test_over_all_directions_the_mean_is_one(seed: int) -> None:
    """Errors have random places and kinds. Whether one is to the player's advantage has a chance that depends
    on its kind only and that the evidence does not know."""
    dice = random.Random(seed)
    places = [(dice.random() < 0.4, dice.choice(("win", "push"))) for _ in range(10)]
    chances = {kind: dice.random() for kind in ("win", "push")}
    total = spread = 0.0
    for directions in product((True, False), repeat=len(places)):
        pairs = ErrorPairs()
        for (own, kind), gives in zip(places, directions, strict=True):
            pairs.add(DealerError(SEAT if own else 1, kind, gives), own=own)
        each = zip(places, directions, strict=True)
        chance = prod(chances[kind] if gives else 1 - chances[kind] for (_, kind), gives in each)
        total += chance * exp(pairs.log)
        spread += chance * (exp(pairs.log) - 1) ** 2
    assert total == pytest.approx(1)
    assert spread > 0


def test_a_pair_has_one_error_at_the_seat_and_one_elsewhere_of_the_same_kind() -> None:
    pairs = ErrorPairs()
    for own, kind, gives in (
        (True, "win", True), (True, "win", True), (False, "push", False), (False, "win", False),
        (True, "push", True), (False, "win", True), (True, "win", True),
    ):  # fmt: skip
        pairs.add(DealerError(SEAT if own else 1, kind, gives), own=own)
    assert (pairs.pairs, pairs.unequal, pairs.for_seat) == (3, 2, 2)


def test_only_payouts_and_pushes_have_two_directions() -> None:
    found = settled(
        (1, "across", "overpaid"), (1, "across", "underpaid"), (SEAT, "across", "underpaid"),
        (SEAT, "down", "push_disturbed"), (1, "down", "overpaid"), (1, "middle", "losing_bet_left"),
        (1, "middle", "overpaid"),
    )  # fmt: skip
    assert list(errors_of(found)) == [
        DealerError(1, "win", True), DealerError(SEAT, "win", False), DealerError(SEAT, "push", False),
        DealerError(1, "push", True),
    ]  # fmt: skip


def test_a_step_that_was_left_out_is_no_wrong_amount() -> None:
    order = settled((1, "down", "settled_out_of_order"), (1, "across", "underpaid"))
    assert list(errors_of(order)) == []


@pytest.mark.parametrize(
    "changes", [{"outcome": "void"}, {"dealers": []}, {"dealers": [{"number": "D7"}, {"number": "D8"}]}]
)
def test_a_round_without_one_dealer_or_result_has_no_errors(changes: dict[str, Any]) -> None:
    assert list(errors_of(settled((1, "across", "overpaid"), **changes))) == []


def dealt_by(make: Callable[..., ErringDealer], rounds: int) -> Sittings:
    """Return the sittings of a mock table whose dealer errs at four of ten settlements. `make`: the kind of
    dealer."""
    bench, every = DirectBench(MockOptions(seed=4, wires=False)), Sittings({})

    def seen(_view: Any) -> None:
        for found in bench.records():
            every.add({**found, "dealers": [{"number": "D7", "from": found["started"]}]})  # type: ignore[typeddict-item]

    async def run() -> None:
        await bench.start()
        try:
            players = Players(4, seats_to_play(3))
            dealer = make(4, players.folds, players.ready, 0.4)
            hands = Hands(bench, Pace(None, bench.elapse))
            persons = dealer, Floorperson(), players
            await play(hands, persons, lambda _view: every.rounds >= rounds, on_view=seen)
        finally:
            await bench.stop()

    asyncio.run(run())
    return every


@pytest.mark.slow
def test_a_dealer_who_favours_a_seat_is_found_and_one_who_errs_at_all_is_not() -> None:
    (dealer,) = dealt_by(partial(FavouringDealer, seat=SEAT), 60).dealers.values()
    peaks = {part.seat: part.errors.peak / np.log(10) for part in dealer.sittings}
    assert max(peaks, key=peaks.__getitem__) == SEAT
    assert peaks[SEAT] > 3
    data = dealer_data(dealer, Threshold(100, 1, 3))
    (part,) = (each for each in data["parts"] if each["seat"] == SEAT)
    assert part["errors"]["above"] is True
    assert part["errors"]["for_seat"] == part["errors"]["unequal"] > 10
    line = next(each for each in dealers_in_words([data]) if "unequal pairs of errors" in each)
    assert f"seat {SEAT}, " in line and line.endswith("ABOVE THE THRESHOLD")
    (honest,) = dealt_by(ErringDealer, 60).dealers.values()
    assert sum(part.errors.unequal for part in honest.sittings) > 10
    assert max(part.errors.peak for part in honest.sittings) < np.log(100)
