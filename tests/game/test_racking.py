"""Prompts instruct the dealer when to put each player's cards in the rack: 58 Pa. Code § 674a.11(a) to (i)
and its counterparts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from controller.game.model.events import DeckBrought
from controller.game.model.names import Key, Phase
from controller.game.phases.racking import at_the_end
from controller.game.table import NEVER
from tests.game.felt import Felt

CROSS = "2C 7D TH JS 4C"


def dealt(rules: str, hands: dict[int, str], **bonuses: int) -> Felt:
    """Deal up to the Across decision. Every seat has antes of $10 and the given bonuses."""
    felt = Felt(rules).closed(*hands, **bonuses)
    if felt.pack.rulings.get("bonus_exposed"):
        felt.draw(CROSS, hands, "2S 3D 5H 9H")
    else:
        felt.deal(CROSS, hands)
    return felt


def prompt_of(felt: Felt) -> tuple[str, int | None, Any, int | None]:
    prompt = felt.prompt
    return prompt["kind"], prompt["seat"], prompt["cards"], prompt["racked"]


@pytest.mark.parametrize(
    ("rules", "bonuses", "cards"),
    [
        ("pennsylvania", {}, "rack"), ("pennsylvania", {"five_card_bonus": 5}, "rack"),
        ("massachusetts", {"five_card_bonus": 5}, "rack"),
        ("maryland", {}, "rack"), ("maryland", {"five_card_bonus": 5}, "stay"),
        ("six_card_bonus", {}, "rack"), ("six_card_bonus", {"five_card_bonus": 5}, "under_five_card_bonus"),
        ("six_card_bonus", {"five_card_bonus": 5, "six_card_bonus": 5}, "under_six_card_bonus"),
    ],
)  # fmt: skip
def test_cards_of_a_fold_are_racked_as_the_pack_says(rules: str, bonuses: dict[str, int], cards: str) -> None:
    """§ 674a.11(b), MGC § 10(b), Md. 11.B(2)(b), 11.B(3), HOUSE 5 Card Bonus, 6 Card Bonus Wager: the cards
    are racked when every wager of the seat is taken."""
    felt = dealt(rules, {3: "TD 9S"}, **bonuses)
    felt.fold()
    for wager in ("ante_across", "ante_down"):
        assert prompt_of(felt) == ("collect", 3, [cards], None)
        felt.lay(3, **{wager: 0})


@pytest.mark.parametrize("rules", ["pennsylvania", "massachusetts", "maryland"])
def test_cards_of_a_forfeited_seat_are_racked(rules: str) -> None:
    """The bonus is taken with the other wagers, so the cards need not stay. HOUSE has no forfeit."""
    felt = dealt(rules, {3: "TD 9S", 4: "KD 8H"}, five_card_bonus=5)
    felt.floor("forfeit", seat=3)
    for _ in range(3 if rules == "maryland" else 0):
        assert prompt_of(felt) == ("collect", 3, ["rack"], None)
        felt.lay(3, **{felt.prompt["wager"]: 0})
    if rules != "maryland":
        felt.bet(10)
        assert prompt_of(felt) == ("collect", 3, ["rack"], None)


def settling(rules: str, hands: dict[int, str], **bonuses: int) -> list[Any]:
    """Return the prompts of a settlement without folds and the prompt that clears the table."""
    felt = dealt(rules, hands, **bonuses)
    while felt.phase is not Phase.SETTLEMENT:
        felt.decide(**{f"s{seat}": 10 for seat in hands})
    found = []
    while felt.phase is Phase.SETTLEMENT:
        found.append(prompt_of(felt))
        felt.settle_one()
    return [*found, prompt_of(felt)]


@pytest.mark.parametrize("rules", ["pennsylvania", "massachusetts", "six_card_bonus"])
def test_cards_of_a_settled_seat_are_racked_once_with_the_next_prompt(rules: str) -> None:
    """§ 674a.11(i), MGC § 10(i), HOUSE Paying Out: the cards of a seat are racked with the first prompt for
    the next seat, and those of the last seat with the remaining cards."""
    found = settling(rules, {2: "KD 9S", 6: "QD 9C"})
    racked = [(kind, cards, seat) for kind, _, cards, seat in found if seat is not None]
    assert racked == [("turn_seat", ["seat_first"], 6), ("clear", ["seat_first"], 2)]


def test_in_maryland_all_hands_are_racked_at_the_end() -> None:
    """Md. 11.J: the dealer racks all hands when every wager is settled."""
    found = settling("maryland", {2: "KD 9S", 6: "QD 9C"})
    assert [seat for *_, seat in found if seat is not None] == []
    assert found[-1] == ("clear", None, ["hands_in_order"], None)


def test_in_maryland_both_hands_are_announced_before_the_first_wager_of_a_seat() -> None:
    """Md. 11.I(1), 11.I(2): the dealer announces both hands once for each seat, after turning its cards."""
    found = settling("maryland", {2: "KD 9S", 6: "QD 9C"}, five_card_bonus=5)
    announced = [index for index, (_, _, cards, _) in enumerate(found) if cards == ["announce"]]
    assert [found[index - 1][:2] for index in announced] == [("turn_seat", 6), ("turn_seat", 2)]


def test_a_hand_with_a_six_card_bonus_stays_until_the_bonus_is_settled() -> None:
    """HOUSE 6 Card Bonus Wager: the dealer racks the cross before turning the four bonus cards."""
    found = settling("six_card_bonus", {2: "KD 9S", 6: "QD 9C"}, five_card_bonus=5, six_card_bonus=5)
    assert [(kind, seat, cards, racked) for kind, seat, cards, racked in found if cards] == [
        ("turn_bonus", None, ["cross_first"], None),
        ("take", 2, ["seat_first"], 6),
        ("clear", None, ["seat_first"], 2),
    ]


@pytest.mark.parametrize(
    ("rules", "cards"),
    [
        ("pennsylvania", ["look_at_cards"]),
        ("massachusetts", ["look_at_cards"]),
        ("maryland", ["look_and_lay_down"]),
        ("six_card_bonus", None),
    ],
)
def test_players_look_at_their_cards_before_the_first_decision(rules: str, cards: list[str] | None) -> None:
    """Players may look at their cards before the first decision (§ 674a.11(a), MGC § 10(a), Md. 11.A, 11.B).
    Under the house rules an earlier step of the dealer has permitted it."""
    felt = dealt(rules, {3: "TD 9S", 4: "KD 8H"})
    assert prompt_of(felt) == ("ask", 3, cards, None)
    felt.lay(3, across=10)
    assert prompt_of(felt) == ("confirm_bet", 3, cards, None)
    felt.press("confirm")
    assert prompt_of(felt) == ("ask", 4, None, None)


def test_an_invalid_bet_is_named_without_card_instructions() -> None:
    felt = dealt("pennsylvania", {3: "TD 9S"})
    felt.lay(3, across=15)
    assert (felt.prompt["code"], felt.prompt["cards"]) == ("bet_out_of_range", None)


@pytest.mark.parametrize(("rules", "cards"), [("pennsylvania", ["lay_down"]), ("maryland", None)])
@pytest.mark.parametrize("folds", [False, True])
def test_cards_are_laid_down_before_the_middle_card_if_a_seat_has_bet(
    rules: str, cards: list[str] | None, folds: bool
) -> None:
    """§ 674a.11(f), MGC § 10(f): a player who has bet lays the cards down before the middle card is
    turned."""
    felt = dealt(rules, {3: "TD 9S"}, five_card_bonus=5)
    felt.decide(s3=10)
    felt.decide(s3=10)
    felt.fold() if folds else felt.bet(10)
    felt.collect()
    assert prompt_of(felt) == ("turn", None, None if folds else cards, None)


def test_no_hands_are_racked_in_a_void_round() -> None:
    felt = dealt("pennsylvania", {3: "TD 9S"})
    felt.report("wrong_count", seat=3, number=3)
    felt.floor("approve")
    felt.clear()
    assert prompt_of(felt) == ("clear", None, None, None)


def test_a_recut_cites_its_own_section() -> None:
    """The prompt of a recut cites § 674a.5(e); the ordinary cut is § 674a.5(d)."""
    felt = Felt()
    felt.event(DeckBrought("GREEN", preshuffled=True))
    assert felt.prompt["citation"] == felt.pack.cite("duties.cut")
    felt.press(Key.CONFIRM)
    felt.floor("recut")
    assert (felt.prompt["kind"], felt.prompt["citation"]) == ("cut", felt.pack.cite("duties.recut"))


def test_a_removed_deck_is_not_put_in_the_rack_with_another() -> None:
    """§ 674a.3(b)(4): cards of two decks must not be mixed in the rack."""
    felt = Felt("pennsylvania")
    now = felt.table.context(NEVER)
    context = replace(now, settings=replace(now.settings, decks=2))
    assert [at_the_end(context, None, removed=removed) for removed in (False, True)] == [("one_deck",), ()]
