"""Wagers are settled correctly under all four packs: worked examples, every line of the pay tables, the order
of settlement and the payout limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from controller.game.model.cards import Card
from controller.game.model.names import ANTES, BETS, CROSS, Place, Wager
from controller.game.model.plan import Item, Step, TurnBonusCards, TurnSeat
from controller.game.model.rules import RulePack
from controller.game.rulebook.hands import HAND_LINES
from controller.game.rulebook.settlement_plan import SeatToSettle, plan, steps
from tests.game.felt import pack

KEYS = ("pennsylvania", "massachusetts", "maryland", "six_card_bonus")
FIVE, SIX = Wager.FIVE_CARD_BONUS, Wager.SIX_CARD_BONUS
ALL_BETS = dict.fromkeys((*ANTES, *BETS), 1000)


def cards(text: str) -> tuple[Card, ...]:
    return tuple(Card(word) for word in text.split())


def cross(text: str) -> dict[Place, Card]:
    """Return the cross from cards in the order far, left, middle, right, near."""
    return dict(zip(CROSS, cards(text), strict=True))


def box(seat: int, hole: str, wagers: Mapping[Wager, int] = ALL_BETS, **more: Any) -> SeatToSettle:
    return SeatToSettle(seat, more.pop("player", str(seat)), cards(hole), more.pop("folded", False), wagers)


def results(items: tuple[Item, ...]) -> dict[tuple[int, Wager], Step]:
    return {(step.seat, step.wager): step for step in steps(items)}


def settle(key: str, board: str, *seats: SeatToSettle, bonus: str = "") -> dict[tuple[int, Wager], Step]:
    return results(plan(pack(key), cross(board), cards(bonus) or None, seats))


def short(step: Step) -> str:
    return f"{step.seat} {step.verb} {step.wager}"


# ------------------------------------------------------------------ worked examples


@pytest.mark.parametrize("key", KEYS)
def test_a_pair_of_tens_is_a_push_for_antes_and_bets(key: str) -> None:
    """58 Pa. Code § 674a.12: such a wager is neither paid nor taken. Two dealers at real tables paid it."""
    found = settle(key, "2C 7D TH JS 4C", box(3, "TD 9S"))
    assert {step.result for step in found.values()} == {"push"}
    assert {step.hand.text for step in found.values()} == {"pair of 10s"}
    assert {step.payout for step in found.values()} == {0}


@pytest.mark.parametrize(
    ("pair", "result"),
    [("5", "lose"), ("6", "push"), ("T", "push"), ("J", "win"), ("A", "win")],
)
@pytest.mark.parametrize("key", KEYS)
def test_pairs_at_the_limits_of_push_and_win_are_settled_right(key: str, pair: str, result: str) -> None:
    found = settle(key, "2C 7D 3H QS 4C", box(1, f"{pair}H {pair}D"))
    assert {step.result for step in found.values()} == {result}


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(
    ("hole", "results_of"),
    [
        # board: far 2C, left 7D, middle 9H, right QS, near KC
        ("QH 3S", {"across": "win", "down": "lose", "middle": "win"}),
        ("7H 3S", {"across": "push", "down": "lose", "middle": "push"}),
        ("7H KS", {"across": "push", "down": "win", "middle": "win"}),
        ("QH 7S", {"across": "win", "down": "lose", "middle": "win"}),
        ("9S 3S", {"across": "push", "down": "push", "middle": "push"}),
        ("3S 4S", {"across": "lose", "down": "lose", "middle": "lose"}),
    ],
)
def test_middle_is_decided_by_the_higher_hand_and_loses_only_if_both_lose(
    key: str, hole: str, results_of: dict[str, str]
) -> None:
    found = settle(key, "2C 7D 9H QS KC", box(5, hole))
    assert {wager: found[5, Wager(wager)].result for wager in results_of} == results_of
    assert found[5, Wager.ANTE_ACROSS].result == results_of["across"]
    assert found[5, Wager.ANTE_DOWN].result == results_of["down"]


def test_a_pair_of_sixes_across_and_two_pair_down_pay_middle_two_to_one() -> None:
    found = settle("pennsylvania", "2C 6D 9H QS 3C", box(4, "6H 2S", ALL_BETS | {Wager.MIDDLE: 3000}))
    assert found[4, Wager.ACROSS].result == "push"
    assert found[4, Wager.DOWN].hand.text == "pair of 2s"
    two_pair = settle("pennsylvania", "9C 6D 9H QS 6C", box(4, "6H 2S", ALL_BETS | {Wager.MIDDLE: 3000}))
    middle = two_pair[4, Wager.MIDDLE]
    assert (middle.hand.text, middle.odds, middle.payout) == ("two pair", 2, 6000)


BOARD_OF = {
    # each line has a hole and a board; the row and the column of the board both make the line with this hole
    "royal_flush": ("TH JH", "2C AH QH KH 3C"),
    "straight_flush": ("9H 8H", "2C 6H 7H TH 3C"),
    "four_of_a_kind": ("9H 9S", "2C 9D 9C KH 3C"),
    "full_house": ("9H 9S", "2C KD 9C KH 3C"),
    "flush": ("9H 2H", "2C KH 5H 7H 3C"),
    "straight": ("9H 8S", "2C 6D 7C TH 3C"),
    "three_of_a_kind": ("9H 9S", "2C 5D 9C KH 3C"),
    "two_pair": ("9H KS", "2C 5D 9C KH 3C"),
    "pair_of_jacks_or_better": ("JH 4S", "2C 5D 9C JD 3C"),
    "pair_of_6s_to_10s": ("8H 4S", "2C 5D 9C 8D 3C"),
}


@pytest.mark.parametrize("line", HAND_LINES)
@pytest.mark.parametrize("key", KEYS)
def test_every_line_for_bets_and_antes_pays_as_listed(key: str, line: str) -> None:
    hole, board = BOARD_OF[line]
    step = settle(key, board, box(2, hole))[2, Wager.ACROSS]
    ante = settle(key, board, box(2, hole))[2, Wager.ANTE_ACROSS]
    royal, full = (250, 10) if key == "six_card_bonus" else (500, 12)
    pays = dict(zip(HAND_LINES, (royal, 100, 40, full, 8, 5, 3, 2, 1, None), strict=True))
    assert step.line == line
    assert (step.odds, step.payout) == (pays[line], 1000 * (pays[line] or 0))
    assert ante.result == ("push" if line == "pair_of_6s_to_10s" else "win")
    assert ante.payout == (0 if line == "pair_of_6s_to_10s" else 1000)


@pytest.mark.parametrize("line", HAND_LINES)
@pytest.mark.parametrize("key", KEYS)
def test_every_line_of_the_five_card_bonus_pays_as_listed(key: str, line: str) -> None:
    hole, board = BOARD_OF[line]
    far, left, middle, right, near = cards(board)
    # the five cards of the across hand are now on the board; the seat has folded
    five = [*cards(hole), left, middle, right]
    seat = box(1, f"{far} {near}", ALL_BETS | {FIVE: 100}, folded=True)
    found = settle(key, " ".join(five), seat, bonus="4D 4H 6S TC")
    pays = dict(zip(HAND_LINES, (250, 100, 40, 15, 10, 6, 4, 3, 1, 1), strict=True))
    assert list(found) == [(1, FIVE)]
    assert (found[1, FIVE].odds, found[1, FIVE].payout) == (pays[line], 100 * pays[line])


@pytest.mark.parametrize(
    ("bonus", "odds"),
    [
        ("AH KH QH 2C", 1000), ("9H 8H 7H 2C", 200), ("JS JD JC 2C", 50), ("JS JD TC 2C", 20),
        ("2H 3H 4H 9C", 15), ("9S 8D 7C 2C", 10), ("JS JD 2C 3C", 5), ("JS TD 2C 3C", None),
        ("AS AD 2C 3C", None),
    ],
)  # fmt: skip
def test_every_line_of_the_six_card_bonus_pays_as_listed(bonus: str, odds: int | None) -> None:
    wagers = {FIVE: 200, SIX: 200}
    found = settle("six_card_bonus", "5S 6D 9D KC 4S", box(1, "JH TH", wagers, folded=True), bonus=bonus)
    six = found[1, SIX]
    assert (six.odds, six.payout) == (odds, 200 * (odds or 0))
    assert six.result == ("win" if odds else "lose")


def test_maryland_read_literally_pays_antes_by_the_table() -> None:
    letter = replace(pack("maryland"), ante_pays=pack("maryland").bet_pays)
    hole, board = BOARD_OF["royal_flush"]
    found = results(plan(letter, cross(board), None, [box(1, hole)]))
    assert found[1, Wager.ANTE_ACROSS].payout == 500_000


# ------------------------------------------------------------------ order


BOARD = "2C 7D 9H QS KC"


def order(key: str, *seats: SeatToSettle, bonus: str = "3S 3C 4S 4C") -> list[str]:
    found: list[str] = []
    for item in plan(pack(key), cross(BOARD), cards(bonus), seats):
        if isinstance(item, Step):
            found.append(short(item))
        else:
            found.append(f"turn {item.seat}" if isinstance(item, TurnSeat) else "turn bonus")
    return found


@pytest.mark.parametrize("key", ["pennsylvania", "massachusetts"])
def test_seats_are_settled_from_the_right_with_the_bonus_last(key: str) -> None:
    """58 Pa. Code § 674a.11(g)-(h) and MGC § 10(g)-(h) prescribe this order."""
    both = ALL_BETS | {FIVE: 500}
    assert order(key, box(2, "QH 3D", both), box(5, "3H 4H", both)) == [
        "turn 5",
        *(f"5 take {w}" for w in ("ante_across", "across", "ante_down", "down", "middle", "five_card_bonus")),
        "turn 2",
        "2 pay ante_across", "2 pay across", "2 take ante_down", "2 take down", "2 pay middle",
        "2 take five_card_bonus",
    ]  # fmt: skip


def test_maryland_settles_every_bonus_first_then_losers_before_winners() -> None:
    """Md. 11.H to 11.I(3) prescribe this order."""
    both = ALL_BETS | {FIVE: 500}
    assert order("maryland", box(2, "QH 3D", both), box(5, "3H 4H", both, folded=True)) == [
        "5 take five_card_bonus", "2 take five_card_bonus",
        "turn 2",
        "2 take ante_down", "2 take down",
        "2 pay ante_across", "2 pay across", "2 pay middle",
    ]  # fmt: skip


def test_the_house_takes_losers_first_and_turns_bonus_cards_at_the_end() -> None:
    """House rules, Paying Out; 6 Card Bonus Wager: the bonus cards are also turned for a folded hand,
    once."""
    both = ALL_BETS | {FIVE: 500, SIX: 500}
    assert order("six_card_bonus", box(2, "QH 3D", both), box(5, "3H 4H", both, folded=True)) == [
        "5 take five_card_bonus",
        "turn 2",
        "2 take ante_down", "2 take down",
        "2 pay ante_across", "2 pay across", "2 pay middle",
        "2 take five_card_bonus",
        "turn bonus",
        "turn 5", "5 pay six_card_bonus",
        "2 pay six_card_bonus",
    ]  # fmt: skip


def test_no_card_is_turned_without_need() -> None:
    assert order("pennsylvania", box(4, "QH 3D", ALL_BETS, folded=True)) == []
    assert order("pennsylvania", box(4, "QH 3D", {FIVE: 500}, folded=True)) == ["4 take five_card_bonus"]
    assert order("six_card_bonus", box(4, "QH 3D", ALL_BETS))[-1] != "turn bonus"
    assert "turn 4" not in order("six_card_bonus", box(4, "QH 3D", {FIVE: 500}, folded=True))


def test_the_plan_stops_at_an_unknown_face_and_continues_from_there() -> None:
    """The cards are dealt by hand, so a face is unknown until the dealer turns the card and enters it."""
    rules, board = pack("six_card_bonus"), cross(BOARD)
    wagers = ALL_BETS | {FIVE: 500, SIX: 500}
    known = [box(2, "QH 3D", wagers), box(5, "3H 4H", wagers)]
    hidden = [replace(seat, cards=None) for seat in known]
    bonus = cards("2S 3S 4S 5S")
    whole = plan(rules, board, bonus, known)
    stages = [
        plan(rules, board, None, hidden),
        plan(rules, board, None, [hidden[0], known[1]]),
        plan(rules, board, None, known),
        whole,
    ]
    assert [stage[-1] for stage in stages[:3]] == [TurnSeat(5), TurnSeat(2), TurnBonusCards()]
    for stage in stages:
        assert whole[: len(stage)] == stage


def test_the_repr_of_a_step_shows_no_card() -> None:
    seen = {repr(settle("pennsylvania", BOARD, box(2, hole))[2, Wager.ACROSS]) for hole in ("QH 3D", "3H 4H")}
    assert len(seen) == 1
    assert "QH" not in repr(box(2, "QH 3D"))


def test_each_step_cites_its_section() -> None:
    found = settle("pennsylvania", BOARD, box(2, "QH 3D", ALL_BETS | {FIVE: 500}))
    assert found[2, Wager.ACROSS].citation == "58 Pa. Code § 674a.12(b)"
    assert found[2, Wager.DOWN].citation == "58 Pa. Code § 674a.11(h)(2)(i)"
    assert found[2, Wager.MIDDLE].citation == "58 Pa. Code § 674a.11(h)(4)"


# ------------------------------------------------------------------ the payout limit


def limited(key: str, cents: int) -> RulePack:
    rules = pack(key)
    return replace(rules, payout_limit=replace(rules.payout_limit, cents=cents))


ROYAL = ("TH JH", "2C AH QH KH 3C")
"""Across pays 1 to the ante and 500 to the bet, Middle 500; Down loses."""


def paid(
    rules: RulePack, *seats: SeatToSettle, board: str = ROYAL[1], bonus: str = ""
) -> list[tuple[int, str, int, int]]:
    found = steps(plan(rules, cross(board), cards(bonus) or None, seats))
    return [(step.seat, step.wager, step.payout, step.uncut) for step in found if step.result == "win"]


def test_the_wager_that_exceeds_the_limit_is_reduced_and_later_ones_win_nothing() -> None:
    assert paid(limited("pennsylvania", 500_999), box(1, ROYAL[0])) == [
        (1, "ante_across", 1000, 1000), (1, "across", 499_999, 500_000), (1, "middle", 0, 500_000),
    ]  # fmt: skip
    assert paid(limited("pennsylvania", 501_000), box(1, ROYAL[0]))[1:] == [
        (1, "across", 500_000, 500_000), (1, "middle", 0, 500_000),
    ]  # fmt: skip
    assert paid(limited("pennsylvania", 501_001), box(1, ROYAL[0]))[2] == (1, "middle", 1, 500_000)


def test_only_boxes_of_one_patron_share_a_limit() -> None:
    one = [box(2, ROYAL[0], player="2"), box(3, "AS AD", player="2")]
    two = [box(2, ROYAL[0], player="2"), box(3, "AS AD", player="3")]
    rules = limited("pennsylvania", 501_000)
    shared = sum(payout for _, _, payout, _ in paid(rules, *one))
    assert shared == 501_000
    assert sum(payout for seat, _, payout, _ in paid(rules, *two) if seat == 2) == 501_000
    assert sum(payout for seat, _, payout, _ in paid(rules, *two) if seat == 3) > 0


@pytest.mark.parametrize(
    ("key", "included"), [("pennsylvania", False), ("massachusetts", True), ("maryland", False)]
)
def test_the_limit_includes_the_bonus_if_the_text_says_so(key: str, included: bool) -> None:
    board = "KH 4H QH 3H AH"
    seat = box(1, "TD JS", ALL_BETS | {FIVE: 100})
    found = {wager: payout for _, wager, payout, _ in paid(limited(key, 7_500), seat, board=board)}
    # a straight down: ante 1000, bet 5000; Middle 5000; the board's flush pays the bonus 1000
    assert found["five_card_bonus"] == (0 if included and key != "maryland" else 1000)


def test_the_house_pays_no_more_than_three_thousand_dollars_in_all() -> None:
    seat = box(1, ROYAL[0], dict.fromkeys((*ANTES, *BETS, FIVE, SIX), 1000))
    found = paid(pack("six_card_bonus"), seat, bonus="9H 8H 7H 2D")
    assert sum(payout for *_, payout, _ in found) == 300_000
    assert found[-1] == (1, "six_card_bonus", 0, 200_000)
