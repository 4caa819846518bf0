"""The win is split correctly into expectation and luck, and rounds that cannot be computed are reported."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

from controller.game.model.cards import DECK
from controller.rules.odds.cards import kinds
from controller.rules.odds.expected import NotComputable, expected_of_round, expected_when_laid
from controller.rules.odds.luck import BetsInAntes, continuation, cross_continuation
from controller.rules.odds.tree import Tree, Unseen
from controller.rules.packs.loader import find_pack, load_pack
from tests.odds.fortune import figures_of, measured, records, worked_out
from tests.odds.packs import PENNSYLVANIA

pytestmark = pytest.mark.slow

FIGURES = figures_of(PENNSYLVANIA)
HOUSE = load_pack(find_pack("six_card_bonus"))


def own(record: Any) -> int:
    return sum(seat["taken"] - seat["paid"] for seat in record["seats"])


@pytest.mark.parametrize("pack", [PENNSYLVANIA, HOUSE], ids=["five", "six"])
def test_the_house_s_win_is_expectation_plus_luck(pack: Any) -> None:
    """Expectation follows from the players' decisions, luck from the cards."""
    figures = figures_of(pack)
    for record in records(pack, 2, 4, 5):
        found = expected_of_round(figures, record)
        assert found.win + found.luck == pytest.approx(own(record), abs=1e-6)


def test_the_value_of_decisions_equals_the_counted_odds() -> None:
    """The value found by enumerating the cards equals that computed with the matrices."""
    kind = kinds()[40]
    hole, across = kind.hole, (20, 33)
    live = tuple(card for card in range(52) if card not in kind.hole)
    tree = Tree(FIGURES.odds, Unseen(hole, live), np.array([across]))
    pairs = [(DECK[a], DECK[b]) for a, b in (hole, across)]
    left = [card for card in DECK if card not in pairs[0] and card not in pairs[1]]
    down = (left[3], left[30])
    found = continuation(FIGURES.odds, pairs[0], (pairs[1], down), left[9], left, BetsInAntes(3, 1, 2))
    assert found.worth == pytest.approx(tree.across_worth(3)[0], abs=1e-9)
    assert found.cost >= tree.across_worth(3)[0] - tree.down_worth(3, 1)[0] - 1e-9
    for luck in (found.pair.pairs, found.middle.middles):
        assert sum(luck.values()) == pytest.approx(0, abs=1e-6)


def test_luck_on_the_cross_is_zero_on_average() -> None:
    pays = dict(FIGURES.odds.side_bets)["five_card_bonus"]  # type: ignore[index]
    live = [card for card in DECK if card not in ("2C", "7D")]
    across, down = (live[0], live[1]), (live[7], live[30])
    found = cross_continuation(pays, (across, down), live[12], [card for card in DECK if card not in across])
    for luck in (found.pair.pairs, found.middle.middles):
        assert sum(luck.values()) == pytest.approx(0, abs=1e-6)


def test_a_payout_limit_counts_as_win_and_not_as_luck() -> None:
    (record,) = records(PENNSYLVANIA, 1, 1, 9)
    cut: Any = copy.deepcopy(record)
    wager = next(iter(cut["seats"][0]["wagers"].values()))
    wager |= {"uncut": wager["uncut"] + 700}
    assert expected_of_round(FIGURES, cut).win == pytest.approx(expected_of_round(FIGURES, record).win + 700)


def changed(**change: Any) -> Any:
    (record,) = records(PENNSYLVANIA, 1, 1, 9)
    return {**copy.deepcopy(record), **change}


def test_a_round_that_cannot_be_computed_is_reported_with_the_reason() -> None:
    by_hand = changed(method="hand")
    hidden = changed()
    hidden["seats"][0]["cards"] = ["2C", None]
    taken = changed()
    taken["seats"][0]["forfeited"] = {"phase": "down", "code": "player_left"}
    odd = changed()
    odd["seats"][0]["wagers"]["ante_across"]["amount"] = 1
    for record, why in ((by_hand, "by_hand"), (hidden, "cards"), (taken, "forfeited"), (odd, "wagers")):
        with pytest.raises(NotComputable, match=why):
            expected_of_round(FIGURES, record)


def test_a_fractional_across_bet_cannot_be_computed() -> None:
    record = next(each for each in records(PENNSYLVANIA, 1, 20, 3) if "across" in each["seats"][0]["wagers"])
    half: Any = copy.deepcopy(record)
    wagers = half["seats"][0]["wagers"]
    wagers["across"]["amount"] = wagers["ante_across"]["amount"] * 3 // 2
    with pytest.raises(NotComputable, match="multiple"):
        expected_of_round(FIGURES, half)


# ------------------------------------------------------------------ from public data


@pytest.mark.parametrize("pack", [PENNSYLVANIA, HOUSE], ids=["five", "six"])
def test_after_the_last_wager_win_and_luck_add_up(pack: Any) -> None:
    figures = figures_of(pack)
    for record in records(pack, 4, 40, 11):
        found = expected_when_laid(figures, record)
        assert found.win + found.luck == pytest.approx(own(record), abs=1e-6)


def test_a_round_in_which_all_seats_folded_has_no_luck() -> None:
    record = next(
        each for each in records(PENNSYLVANIA, 1, 40, 5)
        if each["seats"][0]["folded_at"] and set(each["seats"][0]["wagers"]) <= {"ante_across", "ante_down"}
    )  # fmt: skip
    found = expected_when_laid(FIGURES, record)
    assert (found.win, found.luck, found.variance) == (own(record), 0, 0)


def test_the_luck_of_the_middle_card_equals_that_of_the_last_stage() -> None:
    """For one seat, `expected_when_laid` and `continuation` find the same luck in the middle card."""
    base = {"ante_across", "ante_down", "across", "down", "middle"}
    record = next(each for each in records(PENNSYLVANIA, 1, 40, 6) if set(each["seats"][0]["wagers"]) == base)
    (seat,), cross = record["seats"], record["cross"]
    amounts = {name: wager["amount"] for name, wager in seat["wagers"].items()}
    ante = amounts["ante_across"]
    bets = BetsInAntes(*(amounts[name] / ante for name in ("across", "down", "middle")))

    def pair(*cards: Any) -> Any:
        return tuple(sorted(cards, key=DECK.index))

    across = pair(cross["across_left"], cross["across_right"])
    down = pair(cross["down_far"], cross["down_near"])
    hole = pair(*seat["cards"])
    live = [card for card in DECK if card not in (*hole, *across)]
    found = continuation(FIGURES.odds, hole, (across, down), cross["middle"], live, bets)  # type: ignore[arg-type]
    assert expected_when_laid(FIGURES, record).luck == pytest.approx(-ante * found.middle.came)


def test_folded_hands_do_not_change_the_result() -> None:
    """The record of a screen lacks the faces of folded hands, so these faces must not matter."""
    for record in records(PENNSYLVANIA, 6, 30, 7):
        public: Any = copy.deepcopy(record)
        for seat in public["seats"]:
            if seat["folded_at"]:
                seat["cards"] = [None, None]
        assert expected_when_laid(FIGURES, public) == expected_when_laid(FIGURES, record)


@pytest.mark.parametrize("pack", [PENNSYLVANIA, HOUSE], ids=["five", "six"])
def test_luck_after_the_last_wager_has_mean_zero_and_the_computed_variance(pack: Any) -> None:
    """The rounds are those of random players at 5 seats, with a fixed seed."""
    z, ratio, error = measured(*worked_out(pack, 5, 200, 4, expected_when_laid))
    assert abs(z) < 3
    assert abs(ratio - 1) < 4 * error


def test_a_round_with_an_unread_hand_cannot_be_computed() -> None:
    record: Any = copy.deepcopy(
        next(each for each in records(PENNSYLVANIA, 1, 40, 6) if "middle" in each["seats"][0]["wagers"])
    )
    record["seats"][0]["cards"] = ["2C", None]
    with pytest.raises(NotComputable, match="cards"):
        expected_when_laid(FIGURES, record)
