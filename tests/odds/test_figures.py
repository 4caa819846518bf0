"""The figures of the included packs equal published and counted ones."""

from __future__ import annotations

import json
from typing import Any

import pytest

from controller.game.model.names import Wager
from controller.game.model.rules import RulePack
from controller.rules.odds import odds_files
from controller.rules.odds.cards import kinds
from controller.rules.odds.figures import figures_of_pack, totals
from controller.rules.odds.odds_files import DEALS, CountedOdds
from controller.rules.odds.pack import Odds, odds_of
from controller.rules.odds.side_bets import hands
from controller.rules.packs.loader import find_pack, load_pack
from tests.odds.packs import KEYS, LETTER, PENNSYLVANIA, SIX_CARD_BONUS

EVERY = {**{key: load_pack(find_pack(key)) for key in KEYS}, "to the letter": LETTER}


def known(odds: Odds) -> CountedOdds:
    found = odds_files.find_odds(odds)
    assert found is not None
    return found


def pack_figures(odds: Odds) -> dict[str, Any]:
    made = known(odds)
    return figures_of_pack(odds, made.counts, made.hands)


@pytest.mark.parametrize("pack", EVERY.values(), ids=EVERY)
def test_the_counted_deals_are_complete_and_give_the_value_of_the_decisions(pack: RulePack) -> None:
    odds = odds_of(pack)
    counts = known(odds).counts
    whole = totals(odds, counts)
    assert whole.deals == DEALS == 84_284_272_800
    assert sum(hole.count * hole.expectation for hole in counts.holes) / 1_326 == whole.expectation
    assert [hole.name for hole in counts.holes] == [kind.name for kind in kinds()]


@pytest.mark.parametrize(
    ("pack", "of_two_antes", "element_of_risk", "wager", "deviation"),
    [
        # published for this pay table: a house edge of 4.3 % and an element of risk of 1.48 %
        (PENNSYLVANIA, 4.3285, 1.4764, 5.8637, 9.6020),
        (SIX_CARD_BONUS, 5.8313, 1.9912, 5.8570, 8.7652),
        # the advantage of a perfect player over the house, by the letter of the text (config/rules/RULES.md)
        (LETTER, -9.6735, -3.2803, 5.8980, 11.1105),
    ],
    ids=["500 to 1", "250 to 1", "antes by the pay table"],
)
def test_the_house_edges_are_the_published_ones(
    pack: RulePack, of_two_antes: float, element_of_risk: float, wager: float, deviation: float
) -> None:
    found = pack_figures(odds_of(pack))
    assert round(100 * found["house_edge_per_two_antes"], 4) == of_two_antes
    assert found["house_edge_per_ante"] == 2 * found["house_edge_per_two_antes"]
    assert round(100 * found["element_of_risk"], 4) == element_of_risk
    assert round(found["average_wager"], 4) == wager
    assert round(found["standard_deviation"], 4) == deviation


def test_shares_add_up_to_one() -> None:
    found = json.loads(json.dumps(pack_figures(odds_of(PENNSYLVANIA))))
    for ends in found["hit_frequency"].values():
        assert sum(ends.values()) == pytest.approx(1)
    for made in found["decisions"].values():
        assert sum(share for name, share in made.items() if name != "reached") == pytest.approx(1)
    assert sum(one["deals"] for one in found["net_results"]) == found["deals"] == DEALS
    mean = sum(one["net"] * one["probability"] for one in found["net_results"])
    assert mean == pytest.approx(-found["house_edge_per_ante"])
    assert found["decisions"]["across"]["2"] == 0
    assert round(100 * found["decisions"]["across"]["fold"], 2) == 5.43


# ---------------------------------------------------------------------- side bets


def test_the_numbers_of_six_card_hands_are_the_published_ones() -> None:
    """The published tables have 20,358,520 six-card hands in all. The test also splits their pairs by
    rank."""
    none, low, high, *rest = hands(6)
    assert rest == [2_532_816, 732_160, 361_620, 205_792, 165_984, 14_664, 1_656, 188]
    # 9,730,740 hands have one pair; their ranks are equally frequent except for straights and flushes
    assert none + low + high == 6_612_900 + 9_730_740
    assert sum(hands(6)) == 20_358_520


def test_the_numbers_of_five_card_hands_are_the_published_ones() -> None:
    assert hands(5) == (1_640_460, 422_400, 337_920, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 36, 4)


def test_other_numbers_of_cards_are_refused() -> None:
    with pytest.raises(ValueError, match="five or six"):
        hands(7)
    assert {wager.side_bet.cards for wager in Wager if wager.side_bet} == {5, 6}


def test_the_house_edges_of_the_side_bets_are_as_counted() -> None:
    found = pack_figures(odds_of(SIX_CARD_BONUS))
    edges = {}
    for name in ("five_card_bonus", "six_card_bonus"):
        bet = found[name]
        edges[name] = (round(100 * bet["house_edge"], 4), round(100 * bet["hit_frequency"], 4))
    assert edges == {"five_card_bonus": (3.5336, 36.8801), "six_card_bonus": (19.3555, 7.2798)}
    assert pack_figures(odds_of(PENNSYLVANIA))["six_card_bonus"] is None


@pytest.mark.parametrize(
    ("pack", "antes"),
    [
        (PENNSYLVANIA, [0.125, 0.473, 0.987]),
        (SIX_CARD_BONUS, [0.093, 0.441, 0.952]),
        (LETTER, [0.392, 0.72, 1.27]),
    ],
    ids=["500 to 1", "250 to 1", "antes by the pay table"],
)
def test_the_value_of_seen_cross_cards_is_as_counted(pack: RulePack, antes: list[float]) -> None:
    """A player sees one card of the row, both of them, or the middle card. If no card is seen, the edge is
    the published one."""
    seen = known(odds_of(pack)).seen
    assert [round(seen[place], 3) for place in ("across_left", "across", "middle")] == antes
