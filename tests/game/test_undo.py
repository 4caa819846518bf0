"""UNDO withdraws a decision, NO MORE BETS or the confirmation of a push until cards are turned or chips are
taken."""

from __future__ import annotations

import pytest

from controller.game.model import events
from controller.game.model.names import SEATS, Key, Method, Phase, Wager
from tests.game.felt import Felt
from tests.game.test_wagers_after_close import CROSS, alerts, at_across


def test_undo_steps_back_through_the_decisions_until_cards_are_turned() -> None:
    felt = at_across()
    felt.bet(10)
    felt.bet(10)
    assert felt.table.view()["last"] == {"kind": "confirm", "seat": 2, "wager": "across"}
    felt.press("undo")
    assert (felt.prompt["kind"], felt.prompt["seat"]) == ("confirm_bet", 2)
    felt.press("undo")
    assert (felt.prompt["kind"], felt.prompt["seat"]) == ("confirm_bet", 1)
    assert not felt.table.view()["keys"]["undo"]
    for key in ("confirm", "confirm", "confirm"):
        felt.press(key)
    assert felt.phase is Phase.DOWN and not felt.table.view()["keys"]["undo"]


def test_undo_of_a_fold_asks_the_seat_again_until_a_chip_is_taken() -> None:
    felt = at_across()
    felt.bet(10)
    felt.fold()
    assert felt.table.view()["last"] == {"kind": "fold", "seat": 2, "wager": "across"}
    felt.press("undo")
    assert (felt.prompt["kind"], felt.prompt["seat"]) == ("ask", 2)
    assert felt.round.seats[2].folded_at is None
    felt.fold()
    felt.lay(2, ante_across=0)
    assert felt.refused(events.KeyPressed(Key.UNDO)) is not None


@pytest.mark.parametrize("unread", ["after a start", "before the reader answered again"])
def test_a_fold_cannot_be_undone_once_a_reading_shows_chips_taken(unread: str) -> None:
    felt = at_across()
    felt.bet(10)
    felt.fold()
    felt.event(
        events.Started(tuple((seat, wager) for seat in SEATS for wager in Wager))
        if unread == "after a start"
        else events.CircleUnreadable(2, Wager.ANTE_ACROSS, "silent")
    )
    felt.lay(2, ante_across=0)
    assert felt.refused(events.KeyPressed(Key.UNDO)) is not None


def test_a_bet_laid_after_fold_is_not_an_act_to_undo() -> None:
    felt = at_across()
    felt.press("fold")
    felt.lay(1, across=10)
    assert felt.prompt["kind"] == "confirm_bet" and not felt.table.view()["keys"]["undo"]


def test_undo_withdraws_no_more_bets_while_wagers_are_invalid() -> None:
    felt = Felt()
    felt.lay(3, ante_across=10, ante_down=15)
    felt.close()
    assert set(felt.codes()) == {"unequal_antes"}
    felt.press("undo")
    assert (felt.prompt["kind"], felt.codes()) == ("bets_open", [])
    felt.lay(3, ante_down=10)
    assert felt.phase is Phase.BETTING


def test_a_deal_command_cannot_be_undone() -> None:
    felt = Felt().closed(1)
    assert felt.refused(events.KeyPressed(Key.UNDO)) is not None


@pytest.mark.parametrize("method", [Method.MANUAL_SHOE, Method.HAND])
def test_undo_withdraws_no_more_bets_until_a_card_is_out(method: Method) -> None:
    felt = Felt(method=method).closed(1)
    felt.press("undo")
    assert (felt.phase, felt.round) == (Phase.BETTING, None)
    assert felt.table.view()["round"] == 1
    felt.close()
    assert felt.round.number == 1
    felt.press("confirm") if method is Method.HAND else felt.card("AS")
    assert felt.refused(events.KeyPressed(Key.UNDO)) is not None


def test_events_before_the_round_are_kept_when_no_more_bets_is_undone() -> None:
    """§ 674a.13(g): a device that was marked as out of order before the round stays marked."""
    felt = Felt()
    felt.floor("method", method=Method.HAND)
    felt.press("confirm")
    felt.closed(1)
    felt.press("undo")
    felt.close()
    assert [entry.code for entry in felt.round.irregularities] == ["device_out_of_order"]


def test_undo_withdraws_a_push_until_a_chip_is_taken() -> None:
    felt = Felt().dealt(CROSS, {3: "TD 9S"}, five_card_bonus=5)
    for _ in range(3):
        felt.decide(s3=10)
    felt.settle_one()
    felt.press("confirm")
    assert felt.prompt["wager"] == "across"
    felt.press("undo")
    assert felt.prompt["wager"] == "ante_across"
    felt.press("confirm")
    felt.lay(3, five_card_bonus=0)
    assert felt.phase is Phase.CLEARING
    assert felt.result(3, "ante_across")["verified"], "no chip rests on the word of a key"


def test_undo_withdraws_the_key_and_no_later_fact() -> None:
    """A signed difference and a changed circle are facts, which UNDO keeps."""
    felt = at_across()
    felt.bet(10)
    felt.bet(10)
    felt.lay(1, ante_down=15)
    felt.stand()
    felt.floor("sign")
    felt.press("undo")
    assert felt.prompt["seat"] == 2
    assert alerts(felt) == []
    assert [(e.code, e.resolved) for e in felt.round.irregularities] == [("bet_changed", True)]


def test_turning_cards_cannot_be_undone() -> None:
    """Cards count as turned as soon as the dealer has confirmed it."""
    felt = at_across()
    felt.decide(s1=10, s2=10)
    assert felt.phase is Phase.DOWN
    assert felt.refused(events.KeyPressed(Key.UNDO)) is not None
