"""A valid bet that has rested for long enough needs no CONFIRM, and neither does a fold that is not taken
back.

A bet may be changed until its cards are turned. 58 Pa. Code § 674a.11(b)-(g), tests/scenarios/FORMAT.md
"Meaning of some steps".
"""

from __future__ import annotations

from typing import Any

import pytest

from controller.game.model import events
from controller.game.model.names import SEATS, Circle, Key, Phase, Wager
from tests.game.felt import Felt

CROSS = "2C 7D TH JS 4C"
HANDS = {1: "AS KD", 2: "2H 3H", 3: "5S 6S"}
SETTLE_MS = 1200
EVERY = tuple(Circle(seat, wager) for seat in SEATS for wager in Wager)


def at_across(seats: int = 2, **settings: Any) -> Felt:
    """Return a table that asks seat 1 for its Across bet, which may be one to three antes of $10."""
    felt = Felt(settle_ms=SETTLE_MS, **settings)
    hands = {seat: cards for seat, cards in HANDS.items() if seat <= seats}
    felt.closed(*hands)
    felt.deal(CROSS, hands)
    return felt


def prompt_of(felt: Felt) -> tuple[str, int | None]:
    return felt.prompt["kind"], felt.prompt["seat"]


def lies(felt: Felt, seat: int, dollars: int) -> None:
    """Lay the chips and wait until they count as unchanged for long enough."""
    felt.lay(seat, across=dollars)
    due = felt.table.next_deadline()
    assert due is not None
    felt.event(events.TimePassed(), due - felt.ms)


def test_the_next_seat_is_asked_once_a_valid_bet_is_at_rest() -> None:
    felt = at_across()
    felt.lay(1, across=10)
    assert prompt_of(felt) == ("confirm_bet", 1)
    felt.event(events.TimePassed(), SETTLE_MS - 1)
    assert prompt_of(felt) == ("confirm_bet", 1)
    felt.event(events.TimePassed(), 1)
    assert prompt_of(felt) == ("ask", 2)


def test_confirm_is_lit_but_not_required() -> None:
    felt = at_across()
    felt.lay(1, across=10)
    view = felt.table.view()
    assert view["keys"]["confirm"] and "confirm" not in view["shines"]
    felt.press("confirm")
    assert prompt_of(felt) == ("ask", 2)


@pytest.mark.parametrize("dollars", [5, 15, 40])
def test_an_invalid_bet_never_counts_by_itself(dollars: int) -> None:
    felt = at_across()
    felt.lay(1, across=dollars)
    felt.event(events.TimePassed(), 60_000)
    assert prompt_of(felt) == ("ask", 1)


def test_a_bet_without_a_reading_needs_the_dealer_s_confirm() -> None:
    felt = at_across()
    felt.event(events.CircleUnreadable(1, Wager.ACROSS, "silent"))
    felt.event(events.AmountEntered(1, Wager.ACROSS, 1000))
    felt.event(events.TimePassed(), 60_000)
    assert prompt_of(felt) == ("confirm_bet", 1)
    assert "confirm" in felt.table.view()["shines"]


def test_an_entered_amount_that_cannot_be_a_bet_is_requested_again() -> None:
    felt = at_across()
    felt.event(events.CircleUnreadable(1, Wager.ACROSS, "silent"))
    felt.stand(2_000)
    assert felt.table.view()["alerts"][0]["grade"] == "alert"
    felt.event(events.AmountEntered(1, Wager.ACROSS, 700))
    view = felt.table.view()
    assert (view["prompt"]["kind"], view["prompt"]["code"]) == ("enter_amount", "bet_out_of_range")
    assert view["prompt"]["entry"] == "amount" and view["alerts"][0]["grade"] == "notice"
    felt.event(events.AmountEntered(1, Wager.ACROSS, 1000, view["prompt"]["id"]))
    assert prompt_of(felt) == ("confirm_bet", 1)


def test_turning_the_cards_closes_the_decision_of_every_seat() -> None:
    felt = at_across()
    lies(felt, 1, 10)
    lies(felt, 2, 20)
    assert prompt_of(felt) == ("turn", None) and Wager.ACROSS not in felt.round.seats[1].wagers
    felt.lay(1, across=30)
    felt.stand(5_000)
    assert (prompt_of(felt), felt.codes()) == (("turn", None), [])
    felt.press("confirm")
    assert felt.phase is Phase.DOWN
    assert [felt.round.seats[seat].wagers[Wager.ACROSS] for seat in (1, 2)] == [3000, 2000]
    felt.lay(1, across=20)
    felt.stand()
    assert felt.codes() == ["bet_changed"]


def test_a_slowly_added_chip_of_a_bet_raises_no_alert() -> None:
    felt = at_across()
    lies(felt, 1, 10)
    felt.lay(1, across=20)
    felt.stand(5_000)
    assert (prompt_of(felt), felt.codes()) == (("ask", 2), [])


@pytest.mark.parametrize("dollars", [0, 15])
def test_a_bet_that_becomes_invalid_is_requested_again_before_the_turn(dollars: int) -> None:
    felt = at_across()
    lies(felt, 1, 10)
    felt.lay(1, across=dollars)
    assert prompt_of(felt) == ("ask", 2), "the seat that is asked is finished first"
    lies(felt, 2, 10)
    assert prompt_of(felt) == ("ask", 1)
    lies(felt, 1, 10)
    assert (prompt_of(felt), felt.codes()) == (("turn", None), [])
    felt.lay(1, across=dollars)
    assert prompt_of(felt) == ("ask", 1)


def test_a_bet_confirmed_by_the_dealer_is_closed() -> None:
    felt = at_across()
    felt.bet(10)
    felt.lay(1, across=20)
    felt.stand()
    assert felt.codes() == ["bet_out_of_turn"]


def test_a_lost_reader_does_not_withdraw_a_bet() -> None:
    felt = at_across()
    lies(felt, 1, 20)
    felt.event(events.CircleUnreadable(1, Wager.ACROSS, "silent"))
    lies(felt, 2, 10)
    felt.press("confirm")
    assert felt.round.seats[1].wagers[Wager.ACROSS] == 2000


def test_a_forfeit_also_takes_unconfirmed_bets() -> None:
    felt = at_across(rules="maryland")
    lies(felt, 1, 20)
    felt.event(events.FloorDecided("B1", "forfeit", seat=1))
    assert felt.round.seats[1].wagers[Wager.ACROSS] == 2000
    assert prompt_of(felt) == ("ask", 2)


def test_undo_skips_unconfirmed_bets_and_then_needs_a_confirm() -> None:
    felt = at_across(3)
    felt.bet(10)
    lies(felt, 2, 20)
    felt.fold()
    for expected in (("ask", 3), ("confirm_bet", 1)):
        felt.press("undo")
        assert prompt_of(felt) == expected
    felt.event(events.TimePassed(), 60_000)
    assert prompt_of(felt) == ("confirm_bet", 1)
    assert felt.refused(events.KeyPressed(Key.UNDO)) is not None


def test_each_bet_is_confirmed_if_the_table_file_requires_it() -> None:
    felt = Felt().dealt(CROSS, {1: HANDS[1], 2: HANDS[2]})
    felt.lay(1, across=10)
    felt.event(events.TimePassed(), 600_000)
    assert prompt_of(felt) == ("confirm_bet", 1)
    assert "confirm" in felt.table.view()["shines"]


# ------------------------------------------------------------------ a fold


def touch_fold(felt: Felt) -> None:
    """Touch FOLD on the screen; the touch names its prompt."""
    felt.event(events.KeyPressed(Key.FOLD, felt.prompt["id"]))


def test_a_fold_that_is_not_taken_back_counts() -> None:
    felt = at_across()
    touch_fold(felt)
    felt.event(events.TimePassed(), SETTLE_MS - 1)
    assert prompt_of(felt) == ("confirm_fold", 1)
    felt.event(events.TimePassed(), 1)
    assert prompt_of(felt) == ("ask", 2)
    assert felt.round.seats[1].folded_at is Phase.ACROSS


def test_a_fold_that_counts_by_itself_is_taken_back_by_one_key() -> None:
    felt = at_across()
    touch_fold(felt)
    felt.event(events.TimePassed(), SETTLE_MS)
    felt.press("undo")
    assert prompt_of(felt) == ("ask", 1)
    felt.event(events.TimePassed(), 60_000)
    assert prompt_of(felt) == ("ask", 1)
    assert felt.round.seats[1].folded_at is None


@pytest.mark.parametrize("lying", [0, 10])
def test_after_a_start_a_fold_needs_the_dealer_s_confirm(lying: int) -> None:
    """The screen was dark during the restart, so elapsed time neither confirms nor withdraws the fold,
    whether chips lay in the circle or not."""
    felt = at_across()
    felt.lay(1, across=lying)
    touch_fold(felt)
    restart(felt, folds_wait=True)
    felt.event(events.TimePassed(), 60_000)
    assert prompt_of(felt) == ("confirm_fold", 1)
    assert "confirm" in felt.table.view()["shines"]
    felt.press("confirm")
    assert felt.round.seats[1].folded_at is Phase.ACROSS


def test_after_a_start_a_fold_is_still_taken_back_by_one_key() -> None:
    felt = at_across()
    touch_fold(felt)
    restart(felt, folds_wait=True)
    felt.press("undo")
    assert (prompt_of(felt), felt.round.seats[1].folded_at) == (("ask", 1), None)


def test_a_fold_in_an_older_journal_counts_as_it_did() -> None:
    """Earlier revisions do not mark a waiting fold at a start, so a fold in their journals counts after the
    start."""
    felt = at_across()
    touch_fold(felt)
    restart(felt, folds_wait=False)
    felt.event(events.TimePassed(), SETTLE_MS)
    assert prompt_of(felt) == ("ask", 2)


def restart(felt: Felt, *, folds_wait: bool) -> None:
    """Start the controller again and read every circle with the same chips. `folds_wait`: the start marks
    folds that wait for a CONFIRM."""
    lay = {circle: felt.table.state.holding(*circle).chips for circle in EVERY}
    felt.event(events.Started(EVERY, folds_wait=folds_wait))
    for circle, chips in lay.items():
        felt.event(events.CircleRead(*circle, chips))


def test_a_bet_laid_after_fold_replaces_the_fold() -> None:
    felt = at_across()
    touch_fold(felt)
    felt.event(events.TimePassed(), SETTLE_MS - 1)
    felt.lay(1, across=10)
    felt.event(events.TimePassed(), SETTLE_MS)
    assert prompt_of(felt) == ("ask", 2)
    assert felt.round.seats[1].folded_at is None


def test_a_fold_waits_while_the_seat_has_an_alert() -> None:
    felt = at_across()
    touch_fold(felt)
    felt.lay(1, ante_down=0)
    felt.event(events.TimePassed(), 60_000)
    assert prompt_of(felt) == ("confirm_fold", 1)


def test_each_fold_is_confirmed_if_the_table_file_requires_it() -> None:
    felt = Felt().dealt(CROSS, {1: HANDS[1], 2: HANDS[2]})
    touch_fold(felt)
    felt.event(events.TimePassed(), 600_000)
    assert prompt_of(felt) == ("confirm_fold", 1)


def test_a_fold_by_a_table_key_needs_a_confirm() -> None:
    """A key names no seat, so a second key press confirms that the right seat folds."""
    felt = at_across()
    felt.press("fold")
    felt.event(events.TimePassed(), 600_000)
    assert prompt_of(felt) == ("confirm_fold", 1)
    assert "confirm" in felt.table.view()["shines"]
