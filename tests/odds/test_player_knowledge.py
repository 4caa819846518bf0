"""The value of a seen card equals that found by an enumeration of every deal of a few cards."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import combinations

import numpy as np
import pytest

from controller.game.model.cards import DECK, Card
from controller.game.model.names import Place, Wager
from controller.game.model.rules import RulePack
from controller.game.rulebook.hands import evaluate
from controller.rules.odds.base import spots, sums
from controller.rules.odds.cards import NUMBER, kinds
from controller.rules.odds.knowledge_value import distinct_cases, value_of_case, value_with_knowledge
from controller.rules.odds.middle import worth_with_middle
from controller.rules.odds.pack import odds_of
from controller.rules.odds.player_knowledge import InvalidKnowledge, Knowledge, parse_knowledge
from controller.rules.odds.tree import BLIND, Sight, Tree, Unseen
from tests.odds.test_base import LETTER, PENNSYLVANIA, comes_to

ODDS = odds_of(PENNSYLVANIA)
Cards = tuple[int, ...]
Deal = tuple[Cards, Cards, int]


def deals(unseen: Unseen) -> Iterator[Deal]:
    """Yield every possible Across pair, Down pair and middle card."""
    for across in combinations(unseen.live, 2 - len(unseen.across)):
        left = [card for card in unseen.live if card not in across]
        for down in combinations(left, 2 - len(unseen.down)):
            for middle in unseen.middle or [card for card in left if card not in down]:
                yield unseen.across + across, unseen.down + down, middle


def result(hole: Cards, deal: Deal, across: int, down: int, middle: int) -> int:
    """Return the result of the round in antes, by the table's own rules."""
    cards = [[DECK[card] for card in (*hole, *pair, deal[2])] for pair in deal[:2]]
    laid = (
        (Wager.ANTE_ACROSS, cards[0], 1),
        (Wager.ANTE_DOWN, cards[1], 1),
        (Wager.ACROSS, cards[0], across),
        (Wager.DOWN, cards[1], down),
        (Wager.MIDDLE, max(cards, key=evaluate), middle),
    )
    return sum(bet * comes_to(PENNSYLVANIA, wager, five) for wager, five, bet in laid)


def walked(unseen: Unseen, seen_across: int, seen_down: int) -> float:
    """Return the value of the best play, found by enumerating every deal: all deals that look the same to the
    player get the same decision. If one card of a pair is seen, it may be either of the two."""
    total, of = 0.0, 0
    alike: dict[tuple[Cards, Cards], list[Deal]] = defaultdict(list)
    for deal in deals(unseen):
        for first in combinations(deal[0], seen_across):
            for second in combinations(deal[1], seen_down):
                alike[first, second].append(deal)
    for group in alike.values():
        total += max(-2 * len(group), *(sum(at_down(unseen.hole, group, bet)) for bet in (1, 2, 3)))
        of += len(group)
    return total / of


def at_down(hole: Cards, group: list[Deal], across: int) -> Iterator[float]:
    for same in by(group, lambda deal: deal[0]):
        yield max(-(2 + across) * len(same), *(sum(at_middle(hole, same, across, bet)) for bet in (1, 2, 3)))


def at_middle(hole: Cards, group: list[Deal], across: int, down: int) -> Iterator[float]:
    for same in by(group, lambda deal: deal[:2]):
        played = [sum(result(hole, deal, across, down, bet) for deal in same) for bet in (1, 2, 3)]
        yield max(-(2 + across + down) * len(same), *played)


def by(group: list[Deal], key: Callable[[Deal], object]) -> Iterable[list[Deal]]:
    found: dict[object, list[Deal]] = defaultdict(list)
    for deal in group:
        found[key(deal)].append(deal)
    return found.values()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("given", "sight"),
    [
        ("", BLIND),
        ("", Sight(across=1)),
        ("", Sight(across=2)),
        ("", Sight(down=1)),
        ("", Sight(down=2)),
        ("", Sight(1, 2)),
        ("across", BLIND),
        ("down", Sight(across=1)),
        ("across down", BLIND),
        ("middle", BLIND),
        ("middle", Sight(across=2)),
        ("across", Sight(across=2)),
    ],
)
def test_the_best_play_equals_an_enumeration_of_every_deal(given: str, sight: Sight) -> None:
    lots = random.Random(f"{given}{sight}")
    for _ in range(2):
        cards = tuple(lots.sample(range(52), 11))
        laid = {
            name: (cards[8 + at],) for at, name in enumerate(("across", "down", "middle")) if name in given
        }
        unseen = Unseen(cards[:2], tuple(sorted(cards[2:8])), **laid)
        walk = walked(unseen, sight.across, sight.down)
        assert Tree(ODDS, unseen).worth(sight) == pytest.approx(walk, abs=1e-9)
        if "middle" in given:
            assert worth_with_middle(ODDS, unseen, sight.across) == pytest.approx(walk, abs=1e-9)


@pytest.mark.parametrize("pack", [PENNSYLVANIA, LETTER], ids=["even money", "to the letter"])
def test_the_results_of_wagers_equal_those_of_the_base_game(pack: RulePack) -> None:
    odds = odds_of(pack)
    hole, dead = kinds()[60].hole, (4, 31)
    found = spots(hole, dead)
    tree = Tree(odds, Unseen(hole, tuple(found.cards.tolist())))
    rows = np.array([3, 500, 1000])
    raised = sums(found, odds, rows)
    for mine, theirs in (
        (tree.bets[0], raised.across),
        (tree.bets[1], raised.down),
        (tree.higher, raised.middle),
    ):
        assert (mine[rows][raised.apart] == theirs[raised.apart]).all()


def test_a_known_king_in_the_middle_is_worth_two_antes() -> None:
    known = parse_knowledge("middle=KH")
    assert value_with_knowledge(ODDS, known) == pytest.approx(2.145276035792, abs=1e-9)


def test_more_seen_cards_are_worth_more() -> None:
    """A player who knows more cards can ignore them, so knowledge never lowers the value."""
    hole = kinds()[100].hole
    live = tuple(card for card in range(52) if card not in hole)
    tree = Tree(ODDS, Unseen(hole, live))
    blind = tree.worth()
    assert blind < tree.worth(Sight(across=1)) < tree.worth(Sight(across=2))
    assert blind < tree.worth(Sight(down=1))
    middles = [worth_with_middle(ODDS, Unseen(hole, _without(live, card), middle=(card,))) for card in live]
    assert blind + 0.5 < sum(middles) / len(middles)


def _without(live: Cards, card: int) -> Cards:
    return tuple(other for other in live if other != card)


def test_distinct_cases_count_every_hole_once() -> None:
    assert [(len(found), sum(case.count for case in found)) for found in map(distinct_cases, KNOWN)] == [
        (169, 1326),
        (391, 1275),
        (757, 1225),
    ]


KNOWN = (Knowledge(), parse_knowledge("across_left=9C"), parse_knowledge("KH 9C"))


def test_holes_of_one_case_have_the_same_value() -> None:
    known = parse_knowledge("KH, middle=9C")
    for case in distinct_cases(known)[:3]:
        one = value_of_case(ODDS, known, case)
        other = tuple(_spades_for_diamonds(card) for card in case.hole)
        assert value_of_case(ODDS, known, type(case)(other, case.middle, 1)) == pytest.approx(one, abs=1e-12)


def _spades_for_diamonds(card: int) -> int:
    return (card + 26) % 52 if card // 13 in (0, 2) else card


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "nothing is known"),
        ("KX", "'KX': cards such as KH"),
        ("top=KH", "'top': a place is one of down_far across_left middle"),
        ("KH kh", "a card is named twice"),
        ("across across_left=2C", "across_left is named twice"),
        (" ".join(DECK[:41]), "at most 40 cards"),
    ],
)
def test_invalid_knowledge_is_refused_in_one_line(text: str, message: str) -> None:
    with pytest.raises(InvalidKnowledge) as raised:
        parse_knowledge(text)
    assert str(raised.value).startswith(message) and "\n" not in str(raised.value)


def test_knowledge_is_read_with_commas_spaces_and_either_case() -> None:
    king, nine, two = (NUMBER[Card(card)] for card in ("KH", "9C", "2C"))
    lies = ((Place.ACROSS_LEFT, two),)
    assert parse_knowledge("KH,9c middle across_left=2C") == Knowledge(
        (king, nine), lies, frozenset({Place.MIDDLE})
    )
    assert len(parse_knowledge("across down").seen) == 4
