"""The dealer's CONFIRM settles a step that no reader has seen, and never a step that a reading contradicts:
58 Pa. Code § 674a.11(g)-(i), .12(d); tests/scenarios/FORMAT.md "Meaning of some steps"."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.game.books import dues
from controller.game.books.movements import LAST_PAYMENT_MS, is_followed
from controller.game.model.events import AmountEntered, CircleUnreadable, KeyPressed, Started
from controller.game.model.evolve import evolve
from controller.game.model.names import SEATS, Circle, Key, Phase, Wager
from controller.game.model.plan import Step
from controller.game.watching.judge import duplicate_circles, judge
from tests.game.felt import Felt, pack
from tests.game.settlements import Dead, alerts, finish, jacks, tens
from tests.game.test_verdicts import verdict_for

CONFIRM = KeyPressed(Key.CONFIRM)


def paying() -> Felt:
    """Return a table that prompts the dealer to pay $10 on an Ante Down of $10."""
    felt = jacks()
    felt.settle_one()
    felt.settle_one()
    return felt


def test_confirm_does_not_settle_a_payout_that_was_not_laid() -> None:
    felt = paying()
    felt.press("confirm")
    assert (felt.codes(), felt.prompt["wager"]) == (["underpaid"], "ante_down")


def test_an_omitted_take_expects_an_empty_circle() -> None:
    felt = jacks()
    felt.press("confirm")
    alert = felt.table.view()["alerts"][0]
    assert (alert["code"], alert["lies"], alert["should"]) == ("losing_bet_left", 1000, 0)


def cut() -> Felt:
    """Return a table on which $15.50 of the payout limit remain, so that the second win is reduced to $5.50
    (§ 674a.12(d))."""
    rules = pack()
    felt = Felt(replace(rules, payout_limit=replace(rules.payout_limit, cents=1550))).dealt(
        "JC 7D 2H 8S 4C", {3: "JH 3D"}
    )
    for _ in range(3):
        felt.decide(s3=10)
    for _ in range(4):
        felt.settle_one()
    assert (felt.prompt["kind"], felt.prompt["wager"], felt.prompt["amount"]) == ("pay", "down", 550)
    return felt


@pytest.mark.parametrize("lies", [10, 14])
def test_a_payout_reduced_below_chip_values_is_not_confirmed_with_chips_missing(lies: int) -> None:
    felt = cut()
    felt.lay(3, down=lies)
    felt.press("confirm")
    assert (alerts(felt), felt.prompt["wager"]) == ([("underpaid", 3, "down")], "down")


def test_the_part_of_a_payout_that_no_chips_make_needs_a_confirm() -> None:
    felt = cut()
    assert felt.prompt["chips"] == [500]
    felt.lay(3, down=15)
    felt.press("confirm")
    finish(felt)
    assert (felt.result(3, "down")["payout"], felt.result(3, "down")["verified"]) == (550, False)


def test_a_push_seen_by_its_reader_is_verified() -> None:
    felt = tens()
    finish(felt)
    for wager in ("ante_across", "ante_down", "across", "down", "middle"):
        assert (felt.result(3, wager)["result"], felt.result(3, wager)["verified"]) == ("push", True)


def test_pushes_are_not_passed_by_a_silent_reader_at_the_next_step() -> None:
    """An empty circle shows that the bonus was taken, and this would pass the pushes before it. A silent
    reader shows nothing."""
    felt = tens()
    felt.event(CircleUnreadable(3, Wager.FIVE_CARD_BONUS, "silent"))
    assert (felt.prompt["kind"], felt.prompt["wager"]) == ("push", "ante_across")


def test_pushes_without_a_later_step_each_need_a_confirm() -> None:
    felt = tens(0)
    for wager in ("ante_across", "across", "ante_down", "down", "middle"):
        assert (felt.prompt["kind"], felt.prompt["wager"]) == ("push", wager)
        felt.press("confirm")
    assert felt.phase is Phase.CLEARING


def test_open_steps_leave_out_a_settled_push() -> None:
    """After a corrected card the first of two pushes may be open again while the second is settled."""
    felt = tens()
    round_ = felt.round
    first, second, *rest = [item for item in round_.settlement.plan if isinstance(item, Step)]
    assert dues.open_steps(round_) == (first, second, *rest)
    key = Circle(second.seat, second.wager)
    row = replace(round_.ledger.row(key), settled=0)
    assert dues.open_steps(evolve(round_, ledger=round_.ledger.with_row(key, row))) == (first, *rest)


def test_a_step_with_a_changed_result_is_due_again() -> None:
    felt = paying()
    felt.settle_one()
    round_ = felt.round
    key = Circle(3, Wager.ANTE_DOWN)
    [step] = [
        item for item in round_.settlement.plan if isinstance(item, Step) and (item.seat, item.wager) == key
    ]
    assert dues.is_done(round_, step)
    other = replace(step, verb="take", result="lose", payout=0)
    assert not dues.is_done(round_, other)
    state = evolve(felt.table.state, round=evolve(round_, settlement=round_.settlement.with_plan((other,))))
    assert judge(state, key, duplicate_circles(state)) is None, "its prompt asks for it, nobody is accused"


# ------------------------------------------------------------------ chips taken with a forfeit


def forfeited() -> Felt:
    """Return a table that seat 3 leaves during the settlement of its wagers (§ 674a.7(b))."""
    felt = jacks()
    felt.floor("forfeit", seat=3)
    return felt


def test_a_forfeit_at_settlement_stays_until_taken_without_a_return() -> None:
    felt = forfeited()
    assert (felt.prompt["kind"], felt.prompt["wager"]) == ("collect", "ante_across")
    assert felt.refusal_code(CONFIRM) == "chips_still_there"
    lying = [(0, None), (5, None), (10, None), (10.01, ("wrong_circle", 1000))]
    assert [(dollars, verdict_for(felt, 3, "across", dollars)) for dollars, _ in lying] == lying
    felt.collect()
    assert felt.phase is Phase.CLEARING
    assert {entry["result"] for entry in felt.records[-1]["seats"][0]["wagers"].values()} == {"forfeit"}


def test_chips_taken_of_a_forfeit_are_not_requested_again() -> None:
    felt = forfeited()
    felt.lay(3, ante_across=0)
    assert verdict_for(felt, 3, "ante_across", 0) is None
    assert verdict_for(felt, 3, "ante_across", 5) == ("wrong_circle", 0)
    assert verdict_for(felt, 3, "across", 10) is None


def test_a_forfeit_without_a_reader_is_taken_by_the_dealer_s_confirm() -> None:
    felt = forfeited()
    felt.event(CircleUnreadable(3, Wager.ANTE_ACROSS, "silent"))
    felt.press("confirm")
    assert felt.prompt["wager"] == "ante_down"
    felt.event(CircleUnreadable(3, Wager.ANTE_ACROSS, "silent"))
    felt.collect()
    assert felt.result(3, "ante_across")["verified"] is False
    assert felt.result(3, "across")["verified"] is True


# ------------------------------------------------------------------ circles without a reading


@pytest.mark.parametrize(("why", "kept"), [("not_fitted", 1000), ("silent", 0), ("unstable", 0)])
def test_an_amount_is_kept_without_a_reader_and_dropped_when_a_reader_is_lost(why: Dead, kept: int) -> None:
    felt = Felt()
    felt.event(CircleUnreadable(3, Wager.ANTE_DOWN, "not_fitted"))
    felt.event(AmountEntered(3, Wager.ANTE_DOWN, 1000))
    felt.event(CircleUnreadable(3, Wager.ANTE_DOWN, why))
    assert felt.table.state.amount(3, Wager.ANTE_DOWN) == kept


def test_an_unread_bonus_card_is_requested_only_when_turned() -> None:
    """House rules, Paying Out: the bonus cards are turned after all other steps."""
    felt = Felt("six_card_bonus").closed(3, five_card_bonus=5, six_card_bonus=5)
    felt.draw("JC 7D 2H 8S 4C", {3: "JH 3D"}, "9C KD 9H 9S")
    cards = dict(felt.round.cards)
    cards["bonus_2"] = replace(cards["bonus_2"], face=None)
    felt.table.state = evolve(felt.table.state, round=evolve(felt.round, cards=cards))
    for _ in range(3):
        felt.decide(s3=10)
    while felt.prompt["kind"] != "turn_bonus":
        felt.settle_one()
    felt.press("confirm")
    assert (felt.prompt["kind"], felt.prompt["places"]) == ("enter_face", ["bonus_2"])
    assert felt.refusal_code(CONFIRM) == "enter_face"
    felt.enter("bonus_2", "KD")
    assert felt.prompt["wager"] == "six_card_bonus"


def test_a_chip_in_two_circles_raises_alerts_only_for_those_two() -> None:
    felt = jacks()
    copy = felt.table.state.holding(3, Wager.MIDDLE).chips
    state = felt.table.state
    row = state.holdings[3] | {Wager.DOWN: replace(state.holdings[3][Wager.DOWN], chips=copy)}
    state = evolve(state, holdings=state.holdings | {3: row})
    assert duplicate_circles(state) == {Circle(3, Wager.MIDDLE), Circle(3, Wager.DOWN)}


# ------------------------------------------------------------------ after the end


def followed(felt: Felt, ms: int) -> set[Circle]:
    """Return the circles of the ended round whose accounts are still open `ms` ms later."""
    circles = {Circle(seat, wager) for seat in SEATS for wager in Wager}
    return {circle for circle in circles if is_followed(felt.round, felt.phase, circle, ms)}


def test_shortly_after_the_last_payout_an_extra_chip_counts_as_the_dealer_s() -> None:
    """Wagers that the house has taken have no owner any more. An alert raised before is kept."""
    felt = jacks()
    finish(felt)
    assert verdict_for(felt, 3, "middle", 20) is None
    assert verdict_for(felt, 3, "middle", 20.01) == ("overpaid", 2000)
    assert verdict_for(felt, 3, "middle", 5) is None
    assert verdict_for(felt, 3, "across", 10) is None
    paid = {Circle(3, wager) for wager in (Wager.ANTE_DOWN, Wager.DOWN, Wager.MIDDLE)}
    ended = felt.round.ending.ended
    assert ended == felt.ms
    assert followed(felt, ended + LAST_PAYMENT_MS) == paid
    assert followed(felt, ended + LAST_PAYMENT_MS + 1) == set()
    felt.pay(3, "middle", 500)
    assert followed(felt, ended + LAST_PAYMENT_MS + 1) == {Circle(3, Wager.MIDDLE)}
    felt.stand()
    assert alerts(felt) == [("overpaid", 3, "middle")]
    felt.stand(LAST_PAYMENT_MS + 1)
    assert alerts(felt) == [("overpaid", 3, "middle")]


def test_a_circle_not_read_since_the_start_cannot_be_confirmed() -> None:
    felt = paying()
    felt.event(Started(tuple((seat, wager) for seat in SEATS for wager in Wager)))
    assert felt.refusal_code(CONFIRM) == "reading_wait"
