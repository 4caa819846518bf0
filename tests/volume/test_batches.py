"""A batch contains complete decks and valid wagers, and its players use only knowledge that they may have."""

from __future__ import annotations

import numpy as np
import pytest

from controller.game.model.names import Method, Wager
from controller.rules.volume.arrays import CardArray, CentsArray
from controller.rules.volume.deal import ALL, deal, shuffled
from controller.rules.volume.play import PlayedRounds, PlayerView, Stakes, Strategy, play, same_every_round
from controller.rules.volume.rules import rules_of
from controller.rules.volume.strategies import RandomStrategy, random_stakes
from tests.game.felt import pack

AUTOMATED = Method.AUTOMATED_SHOE


def dealt_decks(rounds: int, cards: int = 9, seed: int = 1) -> CardArray:
    return shuffled(np.random.default_rng(seed), rounds, cards)


def played(strategy: Strategy, stakes: Stakes, key: str = "pennsylvania") -> PlayedRounds:
    rules = rules_of(pack(key))
    rounds = stakes.ante.shape[1]
    method = next(iter(rules.pack.deals))
    return play(rules, deal(rules.pack, method, (1, 2), dealt_decks(rounds, 13)), stakes, strategy)


def one_ante(wager: Wager, seen: PlayerView) -> CentsArray:
    return seen.ante


def test_no_deck_has_a_card_twice_and_every_card_comes_first_as_often() -> None:
    decks = dealt_decks(52_000, cards=20)
    ordered = np.sort(decks, axis=0)
    assert (ordered[1:] != ordered[:-1]).all()
    for place in (0, 7, 19):
        often = np.bincount(decks[place], minlength=52)
        assert abs(often - 1000).max() < 5 * 1000**0.5


def test_the_same_seed_gives_the_same_decks() -> None:
    assert (dealt_decks(50) == dealt_decks(50)).all()
    assert (dealt_decks(50) != dealt_decks(50, seed=2)).any()


def test_a_deck_with_too_few_cards_for_the_boxes_is_refused() -> None:
    with pytest.raises(ValueError, match="3 boxes by automated_shoe take 11 cards, a deck has 9"):
        deal(pack(), AUTOMATED, (1, 2, 3), dealt_decks(1))


def test_the_first_card_of_a_seat_is_its_first_also_where_one_card_goes_round_at_a_time() -> None:
    decks: CardArray = np.arange(13, dtype=np.uint8)[:, None]
    dealt = deal(pack("six_card_bonus"), Method.HOUSE_ORDER, (2, 5), decks)
    assert dealt.hole[:, :, 0].tolist() == [[0, 2], [1, 3]]
    # the cross lists far, left, middle, right and near; they are dealt as near 4, left 6, far 8, right 10,
    # middle 12, each followed by a bonus card
    assert dealt.cross[:, 0].tolist() == [8, 6, 12, 10, 4]
    assert dealt.bonus is not None
    assert dealt.bonus[:, 0].tolist() == [5, 7, 9, 11]


@pytest.mark.parametrize(
    ("stakes", "message"),
    [
        (Stakes(same_every_round([499, 500], 1)), "ante of 499 cents: 500 to 10000 may lie there"),
        (
            Stakes(same_every_round([500, 500], 1), {Wager.FIVE_CARD_BONUS: same_every_round([0, 99], 1)}),
            "five_card_bonus of 99 cents: 100 to 10000 may lie there",
        ),
        (
            Stakes(same_every_round([500, 500], 1), {Wager.SIX_CARD_BONUS: same_every_round([0, 500], 1)}),
            "pennsylvania offers no six_card_bonus: it offers five_card_bonus",
        ),
    ],
)
def test_wagers_that_the_pack_does_not_take_are_refused(stakes: Stakes, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        played(one_ante, stakes)


def test_a_six_card_bonus_equals_the_five_card_bonus_beside_it() -> None:
    five, six = same_every_round([500, 500], 1), same_every_round([500, 400], 1)
    stakes = Stakes(same_every_round([500, 500], 1), {Wager.FIVE_CARD_BONUS: five, Wager.SIX_CARD_BONUS: six})
    with pytest.raises(ValueError, match="a six_card_bonus has to equal the five_card_bonus beside it"):
        played(one_ante, stakes, "six_card_bonus")


@pytest.mark.parametrize("cents", [499, 750, 2000])
def test_a_bet_that_the_pack_does_not_take_is_refused(cents: int) -> None:
    message = f"down of {cents} cents on an ante of 500: whole multiples from 1 to 3"
    with pytest.raises(ValueError, match=message):
        played(
            lambda wager, seen: seen.ante if wager is not Wager.DOWN else seen.ante * 0 + cents,
            Stakes(same_every_round([500, 500], 1)),
        )


def test_a_player_sees_two_cards_then_the_row_then_the_column_and_never_the_middle() -> None:
    views = []

    def looking(wager: Wager, seen: PlayerView) -> CentsArray:
        views.append((wager, seen.row, seen.column, repr(seen)))
        return seen.ante

    found = played(looking, Stakes(same_every_round([500, 1000], 3)))
    (across, down, middle) = views
    assert [across[1:3], down[2]] == [(None, None), None]
    far, left, _, right, near = found.dealt.cross
    assert down[1] is not None and (down[1] == [left, right]).all()
    assert middle[2] is not None and (middle[2] == [far, near]).all()
    assert not any("array([[[" in text for *_, text in views)


def test_who_has_folded_is_asked_in_vain() -> None:
    def folds_down_then_bets(wager: Wager, seen: PlayerView) -> CentsArray:
        return seen.ante * (wager is not Wager.DOWN)

    found = played(folds_down_then_bets, Stakes(same_every_round([500, 1000], 2)))
    assert found.folded.tolist() == [[2, 2], [2, 2]]
    assert found.net.tolist() == [[-1500, -1500], [-3000, -3000]]
    assert (found.wagers[list(Wager).index(Wager.MIDDLE)] == 0).all()


def test_random_wagers_are_within_the_limits_of_every_pack() -> None:
    rules, dice = pack("six_card_bonus"), np.random.default_rng(3)
    stakes = random_stakes(rules, dice, 6, 500, bonus=0.5)
    dealt = deal(rules, Method.HOUSE_ORDER, range(1, 7), shuffled(dice, 500, 21))
    found = play(rules_of(rules), dealt, stakes, RandomStrategy(dice, 0.3))
    assert {int(at) for at in np.unique(found.folded)} == {0, 1, 2, 3}
    assert (stakes.bonuses[Wager.SIX_CARD_BONUS] > 0).any()
    assert ALL.size == 52
