"""Data of one phase or round do not affect the next one, and a fault at one circle does not affect the
others.

58 Pa. Code § 674a.7 (wagers before the close), .11(g) (settlement in order), .13 (void: all wagers are
returned).
"""

from __future__ import annotations

import pytest

from controller.game.model import events
from controller.game.model.names import Key, Phase, Wager
from controller.game.model.transition import Transition
from controller.game.rulebook.wagers import Refusal
from controller.game.table import NEXT
from tests.game.felt import Felt
from tests.game.settlements import alerts, dealt, finish, jacks

CLOSE = events.KeyPressed(Key.NO_MORE_BETS)
PUSHES = "2C 7D TH JS 4C"


def unfit(felt: Felt, seat: int, *wagers: str) -> None:
    """Report that the circles of these wagers have no working reader."""
    for wager in wagers:
        felt.event(events.CircleUnreadable(seat, Wager(wager), "not_fitted"))


# ------------------------------------------------------------------ before the close


def test_the_amount_of_a_bonus_circle_is_requested_only_at_a_seat_with_antes() -> None:
    felt = Felt()
    unfit(felt, 2, "five_card_bonus")
    unfit(felt, 4, "five_card_bonus")
    felt.closed(3, 4)
    assert (felt.prompt["kind"], felt.prompt["seat"]) == ("enter_amount", 4)
    felt.event(events.AmountEntered(4, Wager.FIVE_CARD_BONUS, 0))
    assert felt.phase is Phase.DEALING


def test_the_amount_of_an_ante_circle_is_requested_at_every_seat() -> None:
    felt = Felt()
    unfit(felt, 2, "ante_down")
    felt.closed(3)
    prompt = felt.prompt
    assert (prompt["kind"], prompt["seat"], prompt["wager"]) == ("enter_amount", 2, "ante_down")


def test_bets_do_not_close_without_a_shoe() -> None:
    felt = Felt()
    felt.antes(3)
    assert felt.refused(CLOSE) is None
    felt.event(events.ShoeLinkLost())
    assert felt.refused(CLOSE) == Refusal("shoe_lost", "")


def test_a_close_without_players_leaves_the_bets_open() -> None:
    felt = Felt()
    before = felt.table.state
    felt.close()
    after = felt.table.state
    assert (after.closing, after.sweep_since, after.undo) == (False, None, ())
    assert (after.phase, after.round, after.next_round) == (Phase.BETTING, None, before.next_round)
    assert felt.refused(CLOSE) is None


def test_corrected_wagers_have_no_alert_whatever_other_alerts_remain() -> None:
    felt = Felt()
    felt.event(events.CircleRead(1, Wager.ANTE_DOWN, (events.Chip("04AB", None, "unknown"),)))
    felt.stand()
    felt.lay(3, ante_across=10, ante_down=5)
    felt.close()
    assert set(alerts(felt)) == {
        ("unknown_chip", 1, "ante_down"),
        ("unequal_antes", 3, "ante_across"),
        ("unequal_antes", 3, "ante_down"),
    }
    felt.lay(3, ante_down=10)
    assert alerts(felt) == [("unknown_chip", 1, "ante_down")]
    felt.event(events.CircleRead(1, Wager.ANTE_DOWN, ()))
    assert alerts(felt) == []


def test_a_bet_laid_too_early_has_an_alert_until_it_is_removed() -> None:
    felt = Felt()
    felt.antes(3)
    felt.lay(3, across=10)
    felt.close()
    assert alerts(felt) == [("bet_out_of_turn", 3, "across")]
    felt.lay(3, across=20)
    felt.stand()
    assert alerts(felt) == [("bet_out_of_turn", 3, "across")]
    felt.lay(3, across=0)
    assert felt.phase is Phase.DEALING
    assert alerts(felt) == []


# ------------------------------------------------------------------ in the settlement


def test_passing_a_push_raises_no_alert_about_it() -> None:
    """The dealer takes a wager of the next seat first. The alert names the order, and the push that was
    passed is neither a lost wager nor an underpaid one."""
    felt = dealt(PUSHES, {2: "3S 5S", 3: "TD 9S"})
    felt.lay(2, ante_across=0)
    felt.stand()
    assert alerts(felt) == [("settled_out_of_order", 2, "ante_across")]


def test_passing_an_unread_take_raises_no_alert_about_it() -> None:
    felt = jacks()
    felt.event(events.CircleUnreadable(3, Wager.ANTE_ACROSS, "silent"))
    felt.lay(3, across=0)
    felt.stand()
    assert alerts(felt) == [("settled_out_of_order", 3, "across")]


def test_passing_an_unread_payout_raises_no_alert_about_it() -> None:
    felt = jacks()
    felt.settle_one()
    felt.settle_one()
    felt.event(events.CircleUnreadable(3, Wager.ANTE_DOWN, "silent"))
    felt.pay(3, "down", 1000)
    felt.stand()
    assert alerts(felt) == [("settled_out_of_order", 3, "down")]


def test_the_alert_of_a_losing_bet_left_expects_an_empty_circle() -> None:
    felt = jacks()
    felt.lay(3, across=0)
    felt.stand()
    expected = {(a["wager"], a["code"]): a["should"] for a in felt.table.view()["alerts"]}
    assert expected == {("ante_across", "losing_bet_left"): 0, ("across", "settled_out_of_order"): 1000}


def test_the_alert_of_an_omitted_payout_expects_wager_and_payout() -> None:
    felt = jacks()
    felt.settle_one()
    felt.settle_one()
    felt.pay(3, "down", 1000)
    felt.stand()
    expected = {(a["wager"], a["code"]): a["should"] for a in felt.table.view()["alerts"]}
    assert expected == {("ante_down", "underpaid"): 2000, ("down", "settled_out_of_order"): 1000}


def test_a_forfeit_ends_only_that_seat_s_alerts() -> None:
    felt = dealt(PUSHES, {2: "3S 5S", 3: "TD 9S"})
    felt.lay(2, ante_down=15)
    felt.lay(3, down=15)
    felt.stand()
    assert {seat for _, seat, _ in alerts(felt)} == {2, 3}
    felt.floor("forfeit", seat=3)
    assert {(seat, wager) for code, seat, wager in alerts(felt) if seat == 2} == {(2, "ante_down")}


# ------------------------------------------------------------------ void and after


def test_the_refusal_of_an_unavailable_outcome_lists_the_available_ones() -> None:
    felt = jacks()
    felt.report("wrong_count", number=9)
    refusal = felt.refused(events.FloorDecided("B1", "outcome", "go_on"))
    assert refusal is not None
    assert (refusal.code, refusal.params) == ("not_offered", {"offered": "void"})


def test_a_signature_for_a_difference_does_not_keep_a_void_from_returning_the_wager() -> None:
    """§ 674a.13: every wager of every seat is returned, even if its circle has no reader."""
    felt = jacks()
    felt.lay(3, ante_down=15)
    felt.stand()
    felt.floor("sign")
    assert felt.round.ledger.signed
    felt.event(events.CircleUnreadable(3, Wager.ANTE_DOWN, "silent"))
    felt.report("wrong_count", number=9)
    felt.floor("approve")
    returned = []
    while felt.phase is Phase.VOID:
        returned.append(felt.prompt["wager"])
        if felt.prompt["wager"] == "ante_down":
            felt.press("confirm")
        else:
            felt.lay(3, **{felt.prompt["wager"]: 0})
    assert sorted(returned) == ["across", "ante_across", "ante_down", "down", "middle"]


def entered_after_the_close() -> Felt:
    """Return a table at which an amount entered by the dealer waits for a floorperson's signature."""
    felt = jacks()
    felt.event(events.CircleUnreadable(3, Wager.MIDDLE, "silent"))
    felt.event(events.AmountEntered(3, Wager.MIDDLE, 1000))
    assert len(felt.table.state.signatures) == 1
    return felt


def test_no_signature_waits_in_a_void_round() -> None:
    felt = entered_after_the_close()
    felt.report("wrong_count", number=9)
    felt.floor("approve")
    assert (felt.phase, felt.table.state.signatures) == (Phase.VOID, ())


def test_no_signature_of_the_last_round_waits_in_the_next() -> None:
    felt = entered_after_the_close()
    while felt.phase is Phase.SETTLEMENT:
        if felt.prompt["wager"] == "middle":
            felt.press("confirm")
        else:
            felt.settle_one()
    felt.event(events.CircleRead(3, Wager.MIDDLE, ()))
    felt.next_round()
    state = felt.table.state
    assert (state.signatures, state.undo, state.early, state.round) == ((), (), (), None)


def test_an_undisturbed_round_leaves_no_data_behind() -> None:
    felt = jacks()
    finish(felt)
    felt.next_round()
    state = felt.table.state
    assert (state.closing, state.sweep_since) == (False, None)
    assert (state.alerts, state.suspects, state.hold) == ((), {}, None)
    assert state.next_round == 2


# ------------------------------------------------------------------ folds, forfeits, and no player left


def test_no_card_is_turned_for_a_forfeited_bonus() -> None:
    """Md. 11.A(5): the violation forfeits all wagers of the round, whereas a fold would leave the bonus."""
    felt = Felt("maryland").dealt("JC 7D 2H 8S 4C", {3: "JH 3D"}, five_card_bonus=5)
    felt.report("players_conferred", seat=3)
    felt.floor("forfeit", seat=3)
    felt.collect()
    assert (felt.phase, felt.records[-1]["seats"][0]["taken"]) == (Phase.CLEARING, 2500)
    assert felt.round.turned == frozenset()


def test_a_fold_cancelled_by_a_forfeit_does_not_pass_to_the_next_seat() -> None:
    felt = Felt("maryland").dealt("JC 7D 2H 8S 4C", {2: "AH 9D", 3: "JH 3D"})
    felt.press("fold")
    felt.report("players_conferred", seat=2)
    felt.floor("forfeit", seat=2)
    felt.collect()
    assert (felt.prompt["kind"], felt.prompt["seat"], felt.round.decisions.folding) == ("ask", 3, False)


def test_a_fold_at_the_last_seat_counts_once() -> None:
    felt = Felt().dealt("JC 7D 2H 8S 4C", {3: "JH 3D"})
    felt.press("fold")
    felt.press("confirm")
    assert (felt.prompt["kind"], felt.round.decisions.folding, felt.round.decisions.asked) == (
        "collect",
        False,
        None,
    )


# ------------------------------------------------------------------ what else is returned


def test_an_amount_entered_for_a_box_outside_the_round_is_returned_too() -> None:
    felt = Felt()
    unfit(felt, 5, "ante_down")
    felt.closed(3)
    felt.event(events.AmountEntered(5, Wager.ANTE_DOWN, 0))
    felt.event(events.AmountEntered(5, Wager.ANTE_DOWN, 1000))
    felt.card("AS")
    felt.card("AS")
    felt.floor("approve")
    felt.lay(3, ante_across=0)
    felt.lay(3, ante_down=0)
    prompt = felt.prompt
    assert (prompt["kind"], prompt["seat"], prompt["amount"]) == ("return_wager", 5, 1000)
    felt.press("confirm")
    assert felt.phase is Phase.CLEARING


@pytest.mark.parametrize(("outcome", "after"), [("void", "reshuffled"), ("remove_deck", "removed")])
def test_a_decision_between_rounds_decides_the_deck(outcome: str, after: str) -> None:
    felt = Felt("maryland")
    felt.does_shuffle = False
    felt.floor("shuffle")
    felt.event(events.ShoeFaulted("SHUFFLE"))
    felt.floor("outcome", outcome=outcome)
    assert (felt.phase, felt.prompt["kind"], felt.prompt["step"]) == (Phase.CLEARING, "clear", after)
    assert felt.table.state.deck.after == after


def test_after_an_early_card_the_device_shuffles_again() -> None:
    felt = Felt("maryland")
    felt.does_shuffle = False
    felt.card("AS")
    felt.floor("outcome", outcome="void")
    assert (felt.phase, [command.command for command in felt.commands]) == (Phase.CLEARING, [])
    felt.press("confirm")
    assert [command.command for command in felt.commands] == ["SHUFFLE"]


def test_the_amount_due_in_one_circle_is_not_shown_for_another() -> None:
    felt = jacks()
    play = Transition(felt.table.state, felt.table.context(events.Stamp(felt.ms, "")), NEXT)
    play.alert("underpaid", 3, Wager.DOWN, should=2000)
    play.alert("underpaid", 3, Wager.MIDDLE, should=2000)
    play.alert("underpaid", 3, Wager.DOWN, should=1500)
    assert [(alert.wager, alert.should) for alert in play.state.alerts] == [
        (Wager.DOWN, 1500), (Wager.MIDDLE, 2000),
    ]  # fmt: skip
