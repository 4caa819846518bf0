"""Hands are ranked as the texts state (58 Pa. Code § 674a.6), and over the whole deck with the known
frequencies."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise
from random import Random

import pokerkit
import pytest

from controller.game.model.cards import DECK, Card
from controller.game.model.hand import Category, Hand
from controller.game.rulebook.hands import HAND_LINES, best_of, evaluate


def cards(text: str) -> list[Card]:
    return [Card(word) for word in text.split()]


def hand(text: str) -> Hand:
    return evaluate(cards(text))


WORDS = [
    ("AS KS QS JS TS", "royal flush", "royal_flush"),
    ("KS QS JS TS 9S", "straight flush", "straight_flush"),
    ("5H 4H 3H 2H AH", "straight flush", "straight_flush"),
    ("9S 9H 9D 9C 2D", "four of a kind", "four_of_a_kind"),
    ("9S 9H 9D 2C 2D", "full house", "full_house"),
    ("AS KS QS JS 9S", "flush", "flush"),
    ("AS 2S 3S 4S 6S", "flush", "flush"),
    ("AS KS QS JS TD", "straight", "straight"),
    ("AS 2S 3S 4S 5D", "straight", "straight"),
    ("9S 9H 9D 3C 2D", "three of a kind", "three_of_a_kind"),
    ("9S 9H 3D 3C 2D", "two pair", "two_pair"),
    ("2S 2H 3D 3C 4D", "two pair", "two_pair"),
    ("AS AH 3D 4C 2D", "pair of aces", "pair_of_jacks_or_better"),
    ("JS JH 3D 4C 2D", "pair of jacks", "pair_of_jacks_or_better"),
    ("TS TH 3D 4C 2D", "pair of 10s", "pair_of_6s_to_10s"),
    ("6S 6H 3D 4C 2D", "pair of 6s", "pair_of_6s_to_10s"),
    ("5S 5H 3D 4C 2D", "pair of 5s", None),
    ("2S 2H 3D 4C AD", "pair of 2s", None),
    ("AS KH QD JC 9D", "ace high", None),
    ("TS 8H 6D 4C 2D", "10 high", None),
]


@pytest.mark.parametrize(("five", "words", "line"), WORDS)
def test_each_hand_has_its_name_and_its_line_in_a_pay_table(five: str, words: str, line: str | None) -> None:
    found = hand(five)
    assert found.text == words
    assert found.line == line
    assert evaluate(cards(five)[::-1]) == found


@pytest.mark.parametrize("corner", ["QS KH AD 2C 3S", "KS AH 2D 3C 4S", "JS QH KD AC 2S"])
def test_a_straight_does_not_wrap_around_the_ace(corner: str) -> None:
    assert hand(corner).category is Category.HIGH_CARD


def test_the_ace_is_low_only_in_a_straight_to_the_five() -> None:
    assert hand("6S 5H 4D 3C 2S") > hand("AS 5H 4D 3C 2D")
    assert hand("6S 5S 4S 3S 2S") > hand("AS 5S 4S 3S 2S")


LADDER = [
    "7S 5H 4D 3C 2S", "AS KH QD JC 9S", "2S 2H 5D 4C 3S", "2S 2H AD 4C 3S", "AS AH 5D 4C 3S",
    "3S 3H 2D 2C 4S", "3S 3H 2D 2C AS", "AS AH 2D 2C 3S", "2S 2H 2D 4C 3S", "AS AH AD 3C 2S",
    "AS 2H 3D 4C 5S", "AS KH QD JC TS", "7S 5S 4S 3S 2S", "AS KS QS JS 9S", "2S 2H 2D 3C 3S",
    "2S 2H 2D AC AS", "3S 3H 3D 2C 2S", "2S 2H 2D 2C 3S", "AS AH AD AC 2S", "AS 2S 3S 4S 5S",
    "KS QS JS TS 9S", "AS KS QS JS TS",
]  # fmt: skip


def test_kickers_decide_between_hands_of_one_category() -> None:
    for lower, higher in pairwise(LADDER):
        assert hand(lower) < hand(higher), (lower, higher)


def test_suits_are_equal() -> None:
    assert hand("AS KS QS JS 9S") == hand("AH KH QH JH 9H")
    assert hand("6S 6H 3D 4C 2D") == hand("6D 6C 3S 4H 2S")


def test_the_repr_of_a_hand_shows_no_card() -> None:
    assert repr(hand("AS KS QS JS TS")) == repr(hand("2S 2H 3D 4C 5C"))


def test_every_line_of_the_pay_table_occurs_and_no_other() -> None:
    assert {line for _, _, line in WORDS} - {None} == set(HAND_LINES)


@pytest.mark.slow
def test_frequencies_of_all_hands_are_right() -> None:
    """All 2,598,960 hands are counted by their rank."""
    counted = Counter(map(evaluate, combinations(DECK, 5)))
    by_category: Counter[Category] = Counter()
    for each, number in counted.items():
        by_category[each.category] += number
    assert len(counted) == 7462
    assert [by_category[category] for category in sorted(Category, reverse=True)] == [
        4, 36, 624, 3744, 5108, 10200, 54912, 123552, 1098240, 1302540,
    ]  # fmt: skip


@pytest.mark.slow
def test_the_order_of_hands_agrees_with_another_program() -> None:
    random = Random(674)
    ours: list[tuple[Hand, pokerkit.StandardHighHand]] = []
    for _ in range(300):
        five = random.sample(DECK, 5)
        theirs = pokerkit.StandardHighHand("".join(card[0] + card[1].lower() for card in five))
        ours.append((evaluate(five), theirs))
    for (mine, theirs), (other, others) in combinations(ours, 2):
        assert (mine < other) == (theirs < others)
        assert (mine == other) == (theirs == others)


@pytest.mark.parametrize(
    ("six", "words"),
    [
        ("AS KS QS JS TS TD", "royal flush"),
        ("2D AS KS QS JS TS", "royal flush"),
        ("9S 9H 9D 9C AD AC", "four of a kind"),
        ("9S 9H 9D 2C 2D 2S", "full house"),
        ("AS AH KS KH QS QH", "two pair"),
        ("6S 7S 8D 9D TC 2C", "straight"),
        ("AS KH QD JC 9D 2S", "ace high"),
    ],
)
def test_the_best_five_of_six_cards_are_found(six: str, words: str) -> None:
    assert best_of(cards(six)).text == words


def test_the_best_five_of_six_beat_all_six_choices() -> None:
    random = Random(12)
    for _ in range(300):
        six = random.sample(DECK, 6)
        assert best_of(six) == max(evaluate(five) for five in combinations(six, 5))
    assert best_of(cards("AS AH KS KH QS QH")) == hand("AS AH KS KH QS")
