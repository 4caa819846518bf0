"""The stored deals, which give the maximum that one patron can win, are valid, and no other deal wins
more."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations

import pytest

from controller.game.model.cards import DECK, RANKS, SUITS, Card, rank_value
from controller.game.model.names import COLUMN, CROSS, ROW, Wager
from controller.game.model.side_bets import BONUSES
from controller.game.rulebook.hands import HAND_LINES, best_of, evaluate
from controller.game.rulebook.max_win import (
    best_deals,
    boxes_of_one_patron,
    minimum_wagers,
    most_one_patron_could_win,
)  # fmt: skip
from tests.game.felt import pack

pytestmark = pytest.mark.slow

LEVEL: dict[str | None, int] = {line: len(HAND_LINES) - n for n, line in enumerate(HAND_LINES)} | {None: 0}
Levels = tuple[int, int, int, int]
"""Levels of a deal's hands: the higher and the lower of Across and Down, the board, and the best possible
six-card hand."""


@pytest.mark.parametrize(
    ("key", "bonuses", "dollars"),
    [
        # royal flush across and in the middle, flush down, both antes: 500 + 500 + 8 + 1 + 1 at $5; on the
        # second box straight flush across, down and in the middle: 100 + 100 + 100 + 1 + 1
        ("pennsylvania", (), 6560),
        # one box: royal flush across and in the middle, straight flush down: 500 + 500 + 100 + 1 + 1; the
        # flush on the board pays the bonus of $1 ten times
        ("massachusetts", (Wager.FIVE_CARD_BONUS,), 5520),
        ("maryland", (), 5510),
        # straight flush across and on the board, flush down, royal flush in six cards: 1,310 at $2
        ("six_card_bonus", BONUSES, 2620),
    ],
)
def test_the_maximum_at_the_minimum_wager_is_right(
    key: str, bonuses: tuple[Wager, ...], dollars: int
) -> None:
    assert most_one_patron_could_win(pack(key), bonuses) == dollars * 100


def test_the_maximum_follows_the_minimum_ante_without_a_limit() -> None:
    rules = replace(pack("pennsylvania"), minimum_ante=5000)
    assert most_one_patron_could_win(rules) == 6_560_000
    capped = replace(rules, payout_limit=replace(rules.payout_limit, cents=1))
    assert most_one_patron_could_win(capped) == 6_560_000


def test_a_bonus_that_is_not_offered_is_not_wagered() -> None:
    assert Wager.SIX_CARD_BONUS not in minimum_wagers(pack("massachusetts"), BONUSES)


def test_each_stored_deal_has_different_cards() -> None:
    for deal in best_deals():
        dealt = [*deal.holes[0], *deal.cross.values(), *deal.bonus]
        assert len(set(dealt)) == len(dealt) == 11
        assert set(dealt) <= set(DECK)
    [deal] = best_deals(6)
    dealt = [*(card for hole in deal.holes for card in hole), *deal.cross.values(), *deal.bonus]
    assert len(set(dealt)) == len(dealt) == 21
    assert set(dealt) <= set(DECK)


# ------------------------------------------------------------------ proof by enumeration


def level(five: Iterable[Card]) -> int:
    return LEVEL[evaluate(tuple(five)).line]


ROYAL, STRAIGHT_FLUSH, QUADS, FLUSH, STRAIGHT = 10, 9, 8, 6, 5
RUNS = [
    (ROYAL if run == "TJQKA" else STRAIGHT_FLUSH, frozenset(Card(rank + suit) for rank in run))
    for run in ("A2345", *(RANKS[n : n + 5] for n in range(9)))
    for suit in SUITS
]


def best_six(hole: tuple[Card, ...], board: Iterable[Card]) -> int:
    """Return the level of the highest hand that four more cards can make with two hole cards. Four of a kind
    is always possible, because the five cards of the board leave at least one whole rank."""
    spent = frozenset(board)
    return max([kind for kind, run in RUNS if run & set(hole) and not run & spent], default=QUADS)


def bound(three: tuple[Card, ...]) -> int:
    """Return an upper bound for the level of any five cards that include these three."""
    ranks = {rank_value(card) for card in three}
    if len(ranks) < 3:
        return QUADS
    if len({card[1] for card in three}) == 1:
        return max([kind for kind, run in RUNS if set(three) <= run], default=FLUSH)
    return STRAIGHT


def known() -> list[Levels]:
    found: list[Levels] = []
    for deal in best_deals():
        across = level((*deal.holes[0], *(deal.cross[place] for place in ROW)))
        down = level((*deal.holes[0], *(deal.cross[place] for place in COLUMN)))
        board = level(deal.cross[place] for place in CROSS)
        six = LEVEL[best_of([*deal.holes[0], *deal.bonus]).line]
        found.append((max(across, down), min(across, down), board, six))
    return found


def covered(best: list[Levels], levels: Levels) -> bool:
    return any(all(ours >= theirs for ours, theirs in zip(each, levels, strict=True)) for each in best)


def cores() -> Iterator[tuple[tuple[Card, Card], Card]]:
    """Yield two hole cards and the middle card. Cores that differ only by an exchange of suits are yielded
    once."""
    for at, first in enumerate(RANKS):
        for second in RANKS[at:]:
            for suit in "SH" if first != second else "H":
                hole = (Card(first + "S"), Card(second + suit))
                suits = "SHD" if suit == "H" else "SH"
                for middle in DECK:
                    if middle not in hole and middle[1] in suits:
                        yield hole, middle


def test_no_deal_with_a_royal_board_exceeds_the_stored_ones() -> None:
    best = known()
    royal = [Card(rank + "S") for rank in "TJQKA"]
    others = [card for card in DECK if card not in royal]
    for middle in royal:
        arms = [card for card in royal if card != middle]
        for row in combinations(arms, 2):
            column = tuple(card for card in arms if card not in row)
            for hole in combinations(others, 2):
                hands = sorted((level((*hole, middle, *row)), level((*hole, middle, *column))))
                assert covered(best, (hands[1], hands[0], ROYAL, best_six(hole, royal))), (hole, row, middle)


def test_no_other_deal_exceeds_the_stored_ones() -> None:
    """All deals of seven cards are checked. Rows and columns are first compared by the levels that they make
    with the core; a deal is evaluated itself only if its best case exceeds every stored deal."""
    best = known()
    for hole, middle in cores():
        most = bound((*hole, middle))
        if covered(best, (most, most, STRAIGHT_FLUSH, ROYAL)):
            continue
        groups: dict[tuple[int, int], list[tuple[Card, ...]]] = {}
        for two in combinations([card for card in DECK if card != middle and card not in hole], 2):
            key = level((*hole, middle, *two)), min(bound((middle, *two)), STRAIGHT_FLUSH)
            groups.setdefault(key, []).append(two)
        for (high, board_high), rows in groups.items():
            for (low, board_low), columns in groups.items():
                if low <= high and not covered(best, (high, low, min(board_high, board_low), ROYAL)):
                    _look_at_each(best, hole, middle, (high, low), rows, columns)


def _look_at_each(
    best: list[Levels],
    hole: tuple[Card, Card],
    middle: Card,
    hands: tuple[int, int],
    rows: list[tuple[Card, ...]],
    columns: list[tuple[Card, ...]],
) -> None:
    for row in rows:
        for column in columns:
            board = {*row, middle, *column}
            if len(board) == 5 and level(board) < ROYAL:
                levels = (*hands, level(board), best_six(hole, board))
                assert covered(best, levels), (hole, row, middle, column)


# ------------------------------------------------------------------ several boxes

TO_1 = (0, 0, 1, 2, 3, 5, 8, 12, 40, 100, 500)
"""Payout to 1 for a hand of each level, from the tables of the rule texts."""
TOGETHER = {1: 1102, 2: 1312, 3: 1338, 4: 1364, 5: 1381, 6: 1398}
"""Highest total win on several boxes, per dollar of the ante, by number of boxes."""


@pytest.mark.parametrize(("boxes", "times"), TOGETHER.items())
def test_the_maximum_on_several_boxes_is_right(boxes: int, times: int) -> None:
    rules = replace(pack(), adjacent_boxes=boxes, minimum_ante=10_000)
    assert most_one_patron_could_win(rules) == times * 10_000


def test_a_pack_without_a_rule_on_boxes_allows_six() -> None:
    """A silent text sets no limit, so the patron may use all six boxes."""
    silent = replace(pack(), adjacent_boxes=None)
    assert boxes_of_one_patron(silent) == 6
    assert boxes_of_one_patron(pack("maryland")) == 1
    assert boxes_of_one_patron(pack("massachusetts")) == 1
    assert boxes_of_one_patron(pack("pennsylvania")) == 2


def worth(hole: Iterable[Card], row: Iterable[Card], column: Iterable[Card]) -> int:
    across, down = level((*hole, *row)), level((*hole, *column))
    antes = (across > 1) + (down > 1)
    return TO_1[across] + TO_1[down] + TO_1[max(across, down)] + antes


Worth = tuple[int, frozenset[Card]]


def most(pairs: list[Worth], boxes: int, found: int, used: frozenset[Card] = frozenset()) -> int:
    """Return the highest total worth of `boxes` pairs of which no two have a card in common, or `found` if no
    total is higher. `pairs` must be sorted from the highest worth down."""
    if not boxes:
        return 0
    for at, (value, cards) in enumerate(pairs):
        if value * boxes <= found:
            break
        if not cards & used:
            rest = most(pairs[at + 1 :], boxes - 1, found - value, used | cards)
            found = max(found, value + rest)
    return found


def royal_rounds(columns: Iterable[tuple[Card, ...]]) -> Iterator[tuple[tuple[Card, ...], ...]]:
    """Yield two hole cards, a row with which they make a royal flush, and a column through the middle of this
    row."""
    royal = [Card(rank + "H") for rank in "AKQJT"]
    arms = list(columns)
    for hole in combinations(royal, 2):
        row = tuple(card for card in royal if card not in hole)
        for middle in row:
            for two in arms:
                if not {*two} & {*royal}:
                    yield hole, row, (middle, *two)


def check_together(hole: tuple[Card, ...], row: tuple[Card, ...], column: tuple[Card, ...]) -> None:
    first = worth(hole, row, column)
    left = [card for card in DECK if card not in (*hole, *row, *column)]
    pairs = [(worth(two, row, column), frozenset(two)) for two in combinations(left, 2)]
    pairs = sorted((each for each in pairs if each[0]), key=lambda each: -each[0])
    for boxes, times in TOGETHER.items():
        assert most(pairs, boxes - 1, times - first) <= times - first, (boxes, hole, row, column)


def test_no_cross_of_one_suit_exceeds_the_maximum_on_several_boxes() -> None:
    """Every column of one suit that crosses a royal row in its suit is tried, because a straight flush down
    needs one.

    Without a royal flush six boxes win less than one box with it. Of three cards of a row at most two pairs
    make a straight flush, or one makes four of a kind. So Across and Down win at most 200 + 4 * 12 each, and
    Middle at most both: 1,004 with the antes.
    """
    hearts = [card for card in DECK if card[1] == "H"]
    for hole, row, column in royal_rounds(combinations(hearts, 2)):
        check_together(hole, row, column)


def test_no_other_tried_column_exceeds_the_maximum_on_several_boxes() -> None:
    dice = random.Random(674)
    others = list(combinations([card for card in DECK if card[1] != "H"], 2))
    mixed = [(heart, other) for heart in DECK if heart[1] == "H" for other in DECK if other[1] != "H"]
    rounds = list(royal_rounds(dice.sample(others, 20) + dice.sample(mixed, 20)))
    for hole, row, column in dice.sample(rounds, 150):
        check_together(hole, row, column)
