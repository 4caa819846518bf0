"""The evidence that a dealer's errors favour a seat has the mean one wherever and however often the dealer
errs.

The condition is that the direction of an error does not depend on its seat.
"""

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

from controller.evidence.dealer_errors import DealerError, ErrorPairs, error_of, pair_factor
from controller.evidence.report import dealer_data, dealers_in_words
from controller.evidence.sittings import Sittings
from controller.evidence.threshold import Threshold
from controller.mock.bench.bench import Hands, Pace, play
from controller.mock.bench.in_process import DirectBench
from controller.mock.bench.options import MockOptions, seats_to_play
from controller.mock.people.dealer import Floorperson
from controller.mock.people.erring_dealer import ErringDealer
from controller.mock.people.favouring_dealer import AGAINST_PLAYER, FOR_PLAYER, FavouringDealer
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
    """Errors have random seats and kinds. The chance that an error is to the player's advantage depends only
    on its kind, and the evidence does not know it."""
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


@pytest.mark.parametrize("first", [True, False])
def test_a_dealer_who_errs_the_other_way_after_each_alert_has_the_mean_one(first: bool) -> None:
    """The direction of an error depends only on the earlier alerts. Each error is at the seat with a chance
    of 1/3, so chance decides which error of a pair is at the seat. Both directions are therefore equally
    likely there, and the evidence gains nothing on average."""
    total = spread = 0.0
    for places in product((True, False), repeat=8):
        pairs = ErrorPairs()
        for number, own in enumerate(places):
            pairs.add(DealerError(SEAT, "win", first == (number % 2 == 0)), own=own)
        chance = prod(1 / 3 if own else 2 / 3 for own in places)
        total += chance * exp(pairs.log)
        spread += chance * (exp(pairs.log) - 1) ** 2
    assert total == pytest.approx(1)
    assert spread > 0


def test_a_pair_counts_if_one_of_two_successive_errors_of_a_kind_is_at_the_seat() -> None:
    """At winning wagers there are three pairs: both errors at the seat, then one error at the seat, then one
    at the seat with unequal directions. The errors at pushes form their own pair."""
    pairs = ErrorPairs()
    for own, kind, gives in (
        (True, "win", True), (True, "win", False), (False, "push", False), (False, "win", False),
        (True, "win", False), (True, "push", True), (False, "win", True), (True, "win", False),
    ):  # fmt: skip
        pairs.add(DealerError(SEAT if own else 1, kind, gives), own=own)
    assert (pairs.pairs, pairs.unequal, pairs.for_seat) == (3, 2, 1)


@pytest.mark.parametrize(
    ("seat", "name", "code", "error"),
    [
        (1, "across", "overpaid", DealerError(1, "win", True)),
        (SEAT, "across", "underpaid", DealerError(SEAT, "win", False)),
        (SEAT, "down", "push_disturbed", DealerError(SEAT, "push", False)),
        (1, "down", "overpaid", DealerError(1, "push", True)),
        (1, "middle", "losing_bet_left", None),
        (1, "middle", "overpaid", None),
    ],
)
def test_only_payouts_and_pushes_have_two_directions(
    seat: int, name: str, code: str, error: DealerError | None
) -> None:
    assert error_of(settled((seat, name, code))) == error


@pytest.mark.parametrize("first", ["overpaid", "losing_bet_left", "wrong_circle"])
def test_no_error_counts_after_the_first_alert_of_a_round(first: str) -> None:
    """An alert about an overpayment makes the dealer pay less afterwards. The seats are settled in their
    order, so later errors of a round would seem to favour the first seats."""
    found = error_of(settled((1, "across", first), (SEAT, "across", "underpaid")))
    assert found == (DealerError(1, "win", True) if first == "overpaid" else None)


@pytest.mark.parametrize(
    "changes", [{"outcome": "void"}, {"dealers": []}, {"dealers": [{"number": "D7"}, {"number": "D8"}]}]
)
def test_a_round_without_one_dealer_or_result_has_no_errors(changes: dict[str, Any]) -> None:
    assert error_of(settled((1, "across", "overpaid"), **changes)) is None


def test_a_step_that_was_left_out_is_no_wrong_amount() -> None:
    order = (1, "down", "settled_out_of_order"), (1, "across", "underpaid")
    assert error_of(settled(*order)) is None
    assert error_of(settled(*order, (SEAT, "across", "overpaid"))) == DealerError(SEAT, "win", True)


class ImpartialDealer(FavouringDealer):
    """Dealer who errs in both directions, and in the same way at every seat."""

    def _wanted(self, _prompt: Any, kinds: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(kind for kind in kinds if kind in (*FOR_PLAYER, *AGAINST_PLAYER))


def dealt_by(make: Callable[..., ErringDealer], rounds: int) -> Sittings:
    """Return the sittings of a mock table whose dealer errs at four of ten settlements. `make`: class of the
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
    (dealer,) = dealt_by(partial(FavouringDealer, seat=SEAT), 100).dealers.values()
    peaks = {part.seat: part.errors.peak / np.log(10) for part in dealer.sittings}
    assert max(peaks, key=peaks.__getitem__) == SEAT
    assert peaks[SEAT] > 3
    data = dealer_data(dealer, Threshold(100, 1, 3))
    (part,) = (each for each in data["parts"] if each["seat"] == SEAT)
    assert part["errors"]["above"] is True
    assert part["errors"]["for_seat"] == part["errors"]["unequal"] > 10
    line = next(each for each in dealers_in_words([data]) if "unequal pairs of errors" in each)
    assert f"seat {SEAT}, " in line and line.endswith("ABOVE THE THRESHOLD")
    (honest,) = dealt_by(partial(ImpartialDealer, seat=SEAT), 65).dealers.values()
    assert sum(part.errors.unequal for part in honest.sittings) > 10
    assert max(part.errors.peak for part in honest.sittings) < np.log(100)
