"""Lamp, prompt and handler agree on which wagers are allowed in each circle."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.game.model.names import ANTES, BETS, Wager
from controller.game.model.rules import RulePack
from controller.game.rulebook.wagers import (
    allowed_bets,
    reduced_wagers,
    verify_before_close,
    verify_bet,
    verify_boxes,
    verify_wager,
)  # fmt: skip
from tests.game.felt import pack

PA = pack("pennsylvania")
MD = pack("maryland")
HOUSE = pack("six_card_bonus")
ANTE = {Wager.ANTE_ACROSS: 1000, Wager.ANTE_DOWN: 1000}
FIVE, SIX = Wager.FIVE_CARD_BONUS, Wager.SIX_CARD_BONUS


def codes(rules: RulePack, wagers: dict[Wager, int]) -> dict[Wager, str]:
    return {wager: refusal.code for wager, refusal in verify_before_close(rules, wagers).items()}


def test_two_equal_antes_and_an_empty_seat_are_valid() -> None:
    assert codes(PA, ANTE) == {}
    assert codes(PA, {}) == {}
    assert codes(PA, dict.fromkeys(Wager, 0)) == {}


def test_unequal_antes_are_both_refused_with_the_section() -> None:
    refused = verify_before_close(PA, {Wager.ANTE_ACROSS: 1000, Wager.ANTE_DOWN: 500})
    assert {wager: refusal.code for wager, refusal in refused.items()} == dict.fromkeys(
        ANTES, "unequal_antes"
    )
    assert refused[Wager.ANTE_DOWN].citation == "58 Pa. Code § 674a.7(d)"
    assert codes(PA, {Wager.ANTE_ACROSS: 1000}) == {Wager.ANTE_ACROSS: "unequal_antes"}


@given(
    st.sampled_from([PA, MD, HOUSE]),
    st.dictionaries(st.sampled_from((*ANTES, FIVE, SIX)), st.sampled_from(range(100, 1200, 100))),
)
def test_wagers_are_reduced_to_valid_amounts_and_never_increased(
    rules: RulePack, lie: dict[Wager, int]
) -> None:
    reduced = reduced_wagers(rules, lie, equal=True)
    assert codes(rules, reduced) == {}
    assert all(cents <= lie[wager] for wager, cents in reduced.items())


@pytest.mark.parametrize(("cents", "fits"), [(499, False), (500, True), (10_000, True), (10_001, False)])
def test_limits_of_the_antes_are_exact_to_the_cent(cents: int, fits: bool) -> None:
    found = codes(PA, dict.fromkeys(ANTES, cents))
    assert found == ({} if fits else dict.fromkeys(ANTES, "bet_out_of_range"))


def test_a_refusal_names_the_limit() -> None:
    refusal = verify_wager(PA, dict.fromkeys(ANTES, 400), Wager.ANTE_DOWN)
    assert refusal is not None
    assert (refusal.params["least"], refusal.params["most"]) == (500, 10_000)


def test_a_bonus_needs_both_antes_and_an_amount_within_its_limits() -> None:
    assert codes(PA, {FIVE: 500}) == {FIVE: "bonus_without_antes"}
    assert codes(PA, {Wager.ANTE_DOWN: 1000, FIVE: 500})[FIVE] == "bonus_without_antes"
    assert codes(PA, ANTE | {FIVE: 100}) == {}
    assert codes(PA, ANTE | {FIVE: 10_000}) == {}
    assert codes(PA, ANTE | {FIVE: 99}) == {FIVE: "bet_out_of_range"}
    assert codes(PA, ANTE | {FIVE: 10_001}) == {FIVE: "bet_out_of_range"}


def test_the_six_card_bonus_needs_the_five_and_equals_it() -> None:
    assert codes(HOUSE, ANTE | {FIVE: 500, SIX: 500}) == {}
    assert codes(HOUSE, ANTE | {FIVE: 500}) == {}
    assert codes(HOUSE, ANTE | {SIX: 500}) == {SIX: "bonus_unequal"}
    assert codes(HOUSE, ANTE | {FIVE: 500, SIX: 400}) == {SIX: "bonus_unequal"}
    assert codes(HOUSE, {FIVE: 500, SIX: 500}) == dict.fromkeys((FIVE, SIX), "bonus_without_antes")


def test_a_bonus_may_be_more_than_the_ante_in_the_house_rules() -> None:
    assert codes(HOUSE, dict.fromkeys(ANTES, 200) | {FIVE: 1000, SIX: 1000}) == {}


def test_a_circle_that_is_not_offered_accepts_no_chips() -> None:
    assert codes(PA, ANTE | {SIX: 500}) == {SIX: "wrong_circle"}
    without = replace(PA, bonuses=())
    assert codes(without, ANTE | {FIVE: 500}) == {FIVE: "wrong_circle"}


@pytest.mark.parametrize("wager", BETS)
def test_a_bet_laid_too_early_is_out_of_turn(wager: Wager) -> None:
    assert codes(PA, ANTE | {wager: 1000}) == {wager: "bet_out_of_turn"}


@pytest.mark.parametrize("wager", BETS)
@pytest.mark.parametrize("rules", [PA, MD, HOUSE], ids=lambda rules: rules.key)
def test_a_bet_is_one_two_or_three_antes(rules: RulePack, wager: Wager) -> None:
    assert allowed_bets(rules, 700) == (700, 1400, 2100)
    for cents in (0, 700, 1400, 2100):
        assert verify_bet(rules, 700, wager, cents) is None
    for cents in (1, 699, 701, 1399, 1401, 2099, 2101, 2800):
        refusal = verify_bet(rules, 700, wager, cents)
        assert refusal is not None
        assert refusal.code == "bet_out_of_range"


@pytest.mark.parametrize(
    ("cents", "nearest"), [(300, (500,)), (700, (500, 1000)), (1400, (1000, 1500)), (1600, (1500,))]
)
def test_the_refusal_of_an_invalid_bet_names_the_nearest_valid_amounts(
    cents: int, nearest: tuple[int, ...]
) -> None:
    refusal = verify_bet(PA, 500, Wager.DOWN, cents)
    assert refusal is not None
    assert refusal.params["options"] == nearest


def test_the_refusal_of_each_bet_cites_its_own_section() -> None:
    found = {wager: verify_bet(PA, 500, wager, 1600) for wager in BETS}
    cited = [refusal.citation for refusal in found.values() if refusal]
    assert cited == [f"58 Pa. Code § 674a.11({letter})" for letter in "bdf"]
    off = verify_bet(PA, 500, Wager.DOWN, 700)
    assert off is not None
    assert off.citation == "house procedure"


@given(ante=st.integers(1, 10_000), cents=st.integers(1, 40_000))
def test_a_range_accepts_every_amount_between_one_and_three_antes(ante: int, cents: int) -> None:
    ranged = replace(PA, whole_multiples=False)
    assert (verify_bet(ranged, ante, Wager.ACROSS, cents) is None) == (ante <= cents <= 3 * ante)
    assert (verify_bet(PA, ante, Wager.ACROSS, cents) is None) == (cents in (ante, 2 * ante, 3 * ante))


def test_only_maryland_has_a_section_against_a_change_after_the_close() -> None:
    keys = ("pennsylvania", "massachusetts", "maryland", "six_card_bonus")
    cited = {key: pack(key).rulings["bet_changed"].citation for key in keys}
    assert cited.pop("maryland") == "Md. Standard Rules Criss Cross Poker 7.D"
    assert set(cited.values()) == {"house procedure"}


@pytest.mark.parametrize(
    ("key", "seats", "fits"),
    [
        ("pennsylvania", (3,), True),
        ("pennsylvania", (3, 4), True),
        ("pennsylvania", (3, 5), False),
        ("pennsylvania", (3, 4, 5), False),
        ("massachusetts", (3,), True),
        ("massachusetts", (3, 4), False),
        ("maryland", (1, 6), True),
        ("six_card_bonus", (1, 2, 6), True),
    ],
)
def test_the_number_of_boxes_of_one_patron_is_limited(key: str, seats: tuple[int, ...], fits: bool) -> None:
    assert (verify_boxes(pack(key), seats) is None) == fits
