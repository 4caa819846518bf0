"""The sums of `python -m tests.volume.rate` equal those of the records, and are compared correctly with the
exact figures."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from controller.game.model.names import BETS, Wager
from controller.rules.odds.figures import decisions, totals
from controller.rules.odds.pack import odds_of
from controller.rules.odds.subject import load_or_count, shipped
from controller.rules.volume.play import PlayedRounds
from controller.rules.volume.strategies import RandomStrategy, random_stakes
from controller.rules.volume.table_view import TableView
from tests.game.felt import pack
from tests.volume import rate
from tests.volume.rate import Sums, against
from tests.volume.rounds import batch


def played(count: int) -> PlayedRounds:
    """Play `count` rounds of one box that lays $5 on each ante and on both bonuses."""
    rules = rate.unlimited(pack("six_card_bonus"))
    dice = np.random.default_rng(9)
    method = next(iter(rules.deals))
    decks = rate.shuffled(dice, count, len(rate.dealt_places(rules, method, (1,))))
    stakes = random_stakes(rules, dice, 1, count)
    stakes.ante[:] = 500
    for cents in stakes.bonuses.values():
        cents[:] = 500
    return batch(rules, method, decks, (1,), stakes, RandomStrategy(dice, 0.2)).played


def net_of(record: dict[str, dict[str, int | str]]) -> Iterator[tuple[str, int]]:
    for name, wager in record.items():
        lost = wager["result"] in ("lose", "forfeit")
        yield name, int(wager["payout"]) - (int(wager["amount"]) if lost else 0)


def test_the_sums_equal_those_of_the_records() -> None:
    found, rounds = Sums(), played(60)
    found.add(rounds, 500, 500)
    records = [TableView(rounds, number).record()["seats"][0] for number in range(60)]
    bonuses = [wager.value for wager in Wager if wager.side_bet]
    nets = [sum(cents for name, cents in net_of(box["wagers"]) if name not in bonuses) for box in records]
    assert (found.rounds, found.net) == (60, sum(nets) // 500)
    assert found.squares == sum((net // 500) ** 2 for net in nets)
    assert found.folds == {wager: sum(box["folded_at"] == wager for box in records) for wager in BETS}
    for bonus, units in found.side_bets.items():
        assert units * 500 == sum(dict(net_of(box["wagers"]))[bonus] for box in records)


@pytest.mark.parametrize("off", [0, 4])
def test_what_is_played_is_told_in_standard_errors_from_what_is_exact(off: int) -> None:
    """The report states how far a mean is from the exact figure, in standard errors."""
    rules = pack()
    known, count = load_or_count(shipped("pennsylvania")), 10**8
    whole, made = totals(odds_of(rules), known.counts), decisions(known.counts, rules.bet_multiples)
    folds = {wager: round(count * made[wager]["reached"] * made[wager]["fold"]) for wager in BETS}
    net = float(whole.expectation) * count + off * (float(whole.variance) * count) ** 0.5
    compared = against(known, rules, Sums(count, round(net), count, count, folds))
    assert abs(compared["net"]["z"] - off) < 0.01
    assert [compared[f"folds_at_{wager}"]["z"] for wager in BETS] == [0, 0, 0]
