"""The most that one patron can win: the stored deals are real, and no deal there is betters them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations

import pytest

from controller.game.cards import DECK, RANKS, SUITS, Card, rank_value
from controller.game.hands import HAND_LINES, best_of, evaluate
from controller.game.names import BONUSES, COLUMN, CROSS, ROW, Wager
from controller.game.payouts import best_deals, minimum_wagers, most_one_patron_could_win
from tests.game.felt import pack

LEVEL: dict[str | None, int] = {line: len(HAND_LINES) - n for n, line in enumerate(HAND_LINES)} | {None: 0}
Levels = tuple[int, int, int, int]
"""Of the higher and the lower of Across and Down, the board, and the best six-card hand there can be."""


@pytest.mark.parametrize(
    ("key", "bonuses", "dollars"),
    [
        # royal flush across and in the middle, straight flush down, both antes: 500 + 500 + 100 + 1 + 1 at $5
        ("pennsylvania", (), 5510),
        # and the flush on the board pays the bonus of $1 ten times
        ("massachusetts", (Wager.FIVE_CARD_BONUS,), 5520),
        ("maryland", (), 5510),
        # straight flush across and on the board, flush down, royal flush in six cards: 1,310 at $2
        ("six_card_bonus", BONUSES, 2620),
    ],
)
def test_the_figure_at_the_minimum_wager(key: str, bonuses: tuple[Wager, ...], dollars: int) -> None:
    assert most_one_patron_could_win(pack(key), bonuses) == dollars * 100


def test_it_follows_the_minimum_ante_and_no_limit() -> None:
    rules = replace(pack("pennsylvania"), minimum_ante=5000)
    assert most_one_patron_could_win(rules) == 5_510_000
    capped = replace(rules, payout_limit=replace(rules.payout_limit, cents=1))
    assert most_one_patron_could_win(capped) == 5_510_000


def test_a_bonus_that_is_not_offered_is_not_wagered() -> None:
    assert Wager.SIX_CARD_BONUS not in minimum_wagers(pack("massachusetts"), BONUSES)


def test_the_stored_deals_are_of_different_cards() -> None:
    for deal in best_deals():
        dealt = [*deal.hole, *deal.cross.values(), *deal.bonus]
        assert len(set(dealt)) == len(dealt) == 11
        assert set(dealt) <= set(DECK)


# ------------------------------------------------------------------ the proof


def level(five: Iterable[Card]) -> int:
    return LEVEL[evaluate(tuple(five)).line]


ROYAL, STRAIGHT_FLUSH, QUADS, FLUSH, STRAIGHT = 10, 9, 8, 6, 5
RUNS = [
    (ROYAL if run == "TJQKA" else STRAIGHT_FLUSH, frozenset(Card(rank + suit) for rank in run))
    for run in ("A2345", *(RANKS[n : n + 5] for n in range(9)))
    for suit in SUITS
]


def best_six(hole: tuple[Card, ...], board: Iterable[Card]) -> int:
    """The highest hand that four more cards can make of two hole cards. Four of a kind is always there: the
    five cards of the board spare a whole rank."""
    spent = frozenset(board)
    return max([kind for kind, run in RUNS if run & set(hole) and not run & spent], default=QUADS)


def bound(three: tuple[Card, ...]) -> int:
    """No five cards that hold these three make more than this."""
    ranks = {rank_value(card) for card in three}
    if len(ranks) < 3:
        return QUADS
    if len({card[1] for card in three}) == 1:
        return max([kind for kind, run in RUNS if set(three) <= run], default=FLUSH)
    return STRAIGHT


def known() -> list[Levels]:
    found: list[Levels] = []
    for deal in best_deals():
        across = level((*deal.hole, *(deal.cross[place] for place in ROW)))
        down = level((*deal.hole, *(deal.cross[place] for place in COLUMN)))
        board = level(deal.cross[place] for place in CROSS)
        six = LEVEL[best_of([*deal.hole, *deal.bonus]).line]
        found.append((max(across, down), min(across, down), board, six))
    return found


def covered(best: list[Levels], levels: Levels) -> bool:
    return any(all(ours >= theirs for ours, theirs in zip(each, levels, strict=True)) for each in best)


def cores() -> Iterator[tuple[tuple[Card, Card], Card]]:
    """Two hole cards and the middle one, one of each kind that suits do not tell apart."""
    for at, first in enumerate(RANKS):
        for second in RANKS[at:]:
            for suit in "SH" if first != second else "H":
                hole = (Card(first + "S"), Card(second + suit))
                told_apart = "SHD" if suit == "H" else "SH"
                for middle in DECK:
                    if middle not in hole and middle[1] in told_apart:
                        yield hole, middle


def test_no_deal_with_a_royal_board_betters_the_stored_ones() -> None:
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


def test_no_other_deal_betters_the_stored_ones() -> None:
    """Every deal of seven cards: by the levels that its row and its column make with the core, and one by
    one where no stored deal already covers the best that those could give."""
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
