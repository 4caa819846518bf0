"""The choices of simulated players depend only on seed, round and seat, and their chips make up exact
amounts."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.game.model.chips import fewest_chips
from controller.game.model.names import BETS, Circle, Wager
from controller.mock.bench.layout import MAX_READABLE_CHIPS, BankEmpty, ChipBank, Felt
from controller.mock.people.players import CHIP_CENTS, Players

REGISTER = {f"04{value:08X}{number:04X}": value for value in CHIP_CENTS for number in range(60)}


def view(number: int, ante: int = 1000, bonus: bool = True) -> dict[str, Any]:
    wagers = ["ante_across", "ante_down", "across", "down", "middle", *(["five_card_bonus"] if bonus else [])]
    seats = [
        {"seat": seat, "circles": {wager: {"wager": ante, "amount": ante} for wager in wagers}}
        for seat in range(1, 7)
    ]
    limits = {
        "minimum_ante": 500, "maximum_ante": 10_000, "bonus_minimum": 100, "bonus_maximum": 10_000,
        "multiples": [1, 3], "whole": True,
    }  # fmt: skip
    return {"round": number, "phase": "across", "seats": seats, "limits": limits}


@given(st.integers(0, 2**31), st.integers(1, 10_000), st.integers(1, 6))
def test_antes_are_equal_within_the_limits_and_readable(seed: int, number: int, seat: int) -> None:
    laid = Players(seed, range(1, 7)).antes(view(number), seat)
    assert laid[Wager.ANTE_ACROSS] == laid[Wager.ANTE_DOWN]
    assert 500 <= laid[Wager.ANTE_ACROSS] <= 10_000
    assert 100 <= laid.get(Wager.FIVE_CARD_BONUS, 100) <= 10_000
    assert all(len(fewest_chips(cents, CHIP_CENTS)[0]) <= MAX_READABLE_CHIPS for cents in laid.values())


@given(st.integers(0, 2**31), st.integers(1, 10_000), st.integers(1, 6), st.sampled_from(BETS))
def test_a_decision_is_a_multiple_of_the_ante_or_a_fold_and_reproducible(
    seed: int, number: int, seat: int, wager: Wager
) -> None:
    first = Players(seed, range(1, 7)).decision(view(number), seat, wager)
    again = Players(seed, range(1, 3)).decision(view(number), seat, wager)
    assert first == again
    assert first in (None, 1000, 2000, 3000)


@pytest.mark.parametrize("seed", [0, 1, 7, 99])
def test_forty_rounds_include_all_fold_rounds_with_and_without_a_bonus(seed: int) -> None:
    players = Players(seed, range(1, 7))
    for start in range(1, 400, 40):
        kinds = {players.all_fold(number) for number in range(start, start + 60)}
        assert {True, False} <= kinds


def test_every_seat_folds_in_an_all_fold_round() -> None:
    players = Players(3, range(1, 7))
    number = next(n for n in range(1, 60) if players.all_fold(n) is not None)
    assert all(players.decision(view(number), seat, Wager.MIDDLE) is None for seat in range(1, 7))


@given(st.lists(st.tuples(st.integers(1, 3), st.integers(0, 300)), max_size=20))
def test_no_chip_is_lost_duplicated_or_created(moves: list[tuple[int, int]]) -> None:
    felt = Felt(ChipBank(REGISTER))
    for seat, dollars in moves:
        circle = Circle(seat, Wager.ACROSS)
        felt.set_amount(circle, dollars * 100)
        assert felt.amount(circle) == dollars * 100
    lying = [uid for uids in felt.circles.values() for uid in uids]
    assert len(lying) == len(set(lying))
    for circle in list(felt.circles):
        felt.clear(circle)
    everything = sum(REGISTER.values())
    assert felt.bank.total(felt.bank.make(everything)) == everything


@given(st.lists(st.integers(0, 400), min_size=1, max_size=12))
def test_chips_are_coloured_up_before_a_circle_has_too_many_to_read(dollars: list[int]) -> None:
    felt, circle = Felt(ChipBank(REGISTER)), Circle(3, Wager.ACROSS)
    for amount in dollars:
        felt.set_amount(circle, amount * 100)
        assert len(felt.chips(circle)) <= max(
            MAX_READABLE_CHIPS, len(fewest_chips(amount * 100, CHIP_CENTS)[0])
        )


def test_an_amount_that_the_bank_cannot_make_is_refused_with_its_chips() -> None:
    bank = ChipBank({"A": 500})
    with pytest.raises(BankEmpty, match=r"cannot make \$6; it has chips of \$5"):
        bank.make(600)
    assert bank.make(500) == ("A",)
