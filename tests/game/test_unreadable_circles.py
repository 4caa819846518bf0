"""The dealer and a floorperson settle circles that cannot be read and chips that do not count:
tests/scenarios/FORMAT.md "Meaning of some steps"."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.game.model import events
from controller.game.model.irregularities import LOST_MS
from controller.game.model.names import SEATS, Key, Phase, Wager
from controller.game.model.record import RoundRecord
from tests.game.felt import Felt
from tests.game.settlements import JACKS_DOWN, Dead, alerts, finish, jacks, paying

# ------------------------------------------------------------------ the floorperson


def test_a_difference_signed_by_the_floor_is_not_verified() -> None:
    felt = paying()
    felt.pay(3, "ante_down", 1500)
    felt.stand()
    felt.floor("sign", reason="the player keeps it")
    assert (felt.codes(), felt.prompt["wager"]) == ([], "down")
    felt.stand(5_000)
    finish(felt)
    assert felt.phase is Phase.CLEARING
    assert (felt.result(3, "ante_down")["verified"], felt.result(3, "down")["verified"]) == (False, True)


def test_a_lost_reader_cannot_be_signed() -> None:
    felt = paying()
    felt.event(events.CircleUnreadable(3, Wager.ANTE_DOWN, "silent"))
    felt.stand(LOST_MS)
    assert felt.codes() == ["reader_lost"]
    assert felt.refusal_code(events.FloorDecided("B1", "sign")) == "nothing_held"


# ------------------------------------------------------------------ circles that cannot be read


@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.parametrize("begun", [False, True])
def test_the_record_shows_a_returned_reader_as_resolved(begun: bool, restarted: bool) -> None:
    """The reader is lost while bets are open or during the deal. It returns during the deal, even across a
    restart of the controller."""
    felt = Felt()
    felt.antes(3)
    there = felt.table.state.holding(3, Wager.ANTE_ACROSS)
    if begun:
        felt.close()
    felt.event(events.CircleUnreadable(3, Wager.ANTE_ACROSS, "silent"))
    felt.stand(LOST_MS)
    if not begun:
        felt.close()
        felt.event(events.AmountEntered(3, Wager.ANTE_ACROSS, 1000))
    if restarted:
        felt.event(events.Started(tuple((seat, wager) for seat in SEATS for wager in Wager)))
    felt.event(events.CircleRead(3, Wager.ANTE_ACROSS, there.chips))
    felt.stand()
    round_ = felt.table.state.round
    assert round_ is not None
    assert [(entry.code, entry.resolved) for entry in round_.irregularities] == [("reader_lost", True)]


@pytest.mark.parametrize("why", ["silent", "unstable", "not_fitted"])
def test_before_the_close_the_dealer_enters_the_amount_of_an_unreadable_circle(why: Dead) -> None:
    felt = Felt()
    felt.antes(3)
    felt.event(events.CircleUnreadable(3, Wager.ANTE_ACROSS, why))
    felt.close()
    due = [felt.prompt["kind"], felt.prompt["seat"], felt.prompt["wager"]]
    assert due == ["enter_amount", 3, "ante_across"]
    felt.event(events.AmountEntered(3, Wager.ANTE_ACROSS, 1000))
    assert felt.phase is Phase.DEALING
    assert felt.table.state.signatures == ()
    assert felt.table.view()["seats"][2]["circles"]["ante_across"]["reading"] == "entered"


def test_an_unreadable_circle_before_the_close_is_settled_by_hand_and_not_verified() -> None:
    felt = Felt()
    felt.antes(3)
    felt.event(events.CircleUnreadable(3, Wager.ANTE_ACROSS, "silent"))
    felt.close()
    felt.event(events.AmountEntered(3, Wager.ANTE_ACROSS, 1000))
    felt.deal(JACKS_DOWN, {3: "JH 3D"})
    for _ in range(3):
        felt.decide(s3=10)
    felt.settle_one()
    felt.press("confirm")
    finish(felt)
    assert not felt.result(3, "ante_across")["verified"]
    assert felt.result(3, "across")["verified"]


@pytest.mark.parametrize("why", ["silent", "unstable", "not_fitted"])
def test_after_the_close_play_continues_with_an_entered_amount_and_a_pending_signature(why: Dead) -> None:
    felt = Felt().dealt(JACKS_DOWN, {3: "JH 3D"})
    felt.event(events.CircleUnreadable(3, Wager.ACROSS, why))
    assert felt.prompt["kind"] == "enter_amount"
    assert felt.prompt["citation"] == felt.pack.cite("duties.ask_across")
    refusal = felt.refused(events.KeyPressed(Key.CONFIRM))
    assert refusal is not None and (refusal.code, refusal.citation) == ("amount_not_entered", "")
    felt.event(events.AmountEntered(3, Wager.ACROSS, 2000))
    assert felt.table.view()["signatures"] == [
        {
            "what": "amount", "seat": 3, "wager": "across", "amount": 2000, "missing": 0,
            "signs": [{"holder": "", "effects": [{"kind": "entered", "amount": 2000, "counts": 0}]}],
            "about": "amount 1.amount.3.across.2000",
        }
    ]  # fmt: skip
    felt.press("confirm")
    assert felt.prompt["kind"] == "turn"
    felt.floor("sign")
    assert felt.table.view()["signatures"] == []
    felt.press("confirm")
    felt.decide(s3=10)
    felt.decide(s3=10)
    while felt.phase is Phase.SETTLEMENT:
        felt.press("confirm") if felt.prompt["wager"] == "across" else felt.settle_one()
    assert (felt.result(3, "across")["amount"], felt.result(3, "across")["verified"]) == (2000, False)


def test_an_entered_amount_is_kept_over_a_start() -> None:
    felt = Felt()
    felt.antes(3)
    felt.event(events.CircleUnreadable(3, Wager.FIVE_CARD_BONUS, "not_fitted"))
    felt.event(events.AmountEntered(3, Wager.FIVE_CARD_BONUS, 500))
    fitted = tuple((seat, w) for seat in SEATS for w in Wager if (seat, w) != (3, Wager.FIVE_CARD_BONUS))
    felt.event(events.Started(fitted))
    holding = felt.table.state.holding(3, Wager.FIVE_CARD_BONUS)
    assert (holding.reading, holding.amount) == ("not_fitted", 500)
    assert felt.table.state.holding(3, Wager.ANTE_ACROSS).reading == "none"


def test_each_amount_is_signed_separately() -> None:
    felt = Felt().dealt(JACKS_DOWN, {2: "AS KD", 3: "JH 3D"})
    for seat in (2, 3):
        felt.event(events.CircleUnreadable(seat, Wager.ACROSS, "silent"))
        felt.event(events.AmountEntered(seat, Wager.ACROSS, 2000))
        felt.press("confirm")
    felt.floor("sign", seat=2, wager=Wager.ACROSS)
    assert [(waits["seat"], waits["wager"]) for waits in felt.table.view()["signatures"]] == [(3, "across")]


def test_an_amount_is_accepted_only_for_a_circle_without_a_reading() -> None:
    felt = Felt()
    felt.antes(3)
    assert felt.refusal_code(events.AmountEntered(3, Wager.ANTE_ACROSS, 1000)) == "reader_answers"


def test_a_returned_reader_checks_the_content_and_verifies_later_acts() -> None:
    felt = jacks()
    felt.event(events.CircleUnreadable(3, Wager.ANTE_ACROSS, "silent"))
    felt.stand(LOST_MS)
    assert felt.codes() == ["reader_lost"]
    felt.lay(3, ante_across=10)
    assert felt.codes() == []
    felt.lay(3, ante_across=0)
    finish(felt)
    assert felt.result(3, "ante_across")["verified"]


def test_a_returned_reader_that_differs_from_the_entered_amount_raises_an_alert() -> None:
    felt = Felt().dealt(JACKS_DOWN, {3: "JH 3D"})
    felt.event(events.CircleUnreadable(3, Wager.ACROSS, "silent"))
    felt.event(events.AmountEntered(3, Wager.ACROSS, 2000))
    felt.press("confirm")
    felt.lay(3, across=10)
    felt.stand()
    assert ("bet_changed", 3, "across") in alerts(felt)


# ------------------------------------------------------------------ chips


def test_an_unknown_chip_never_counts_and_is_always_reported() -> None:
    felt = paying()
    chips = felt.table.state.holding(3, Wager.ANTE_DOWN).chips
    stranger = replace(felt.chip(0), cents=None, note="unknown")
    felt.event(events.CircleRead(3, Wager.ANTE_DOWN, (*chips, stranger)))
    felt.stand()
    assert (alerts(felt), felt.prompt["wager"]) == ([("unknown_chip", 3, "ante_down")], "ante_down")
    felt.lay(3, ante_down=20)
    assert felt.codes() == []


def test_a_chip_seen_in_two_circles_at_once_is_reported_as_a_copy() -> None:
    felt = paying()
    chips = felt.table.state.holding(3, Wager.MIDDLE).chips
    felt.event(events.CircleRead(4, Wager.ANTE_ACROSS, chips))
    felt.stand()
    assert {("duplicate_chip", 3, "middle"), ("duplicate_chip", 4, "ante_across")} <= set(alerts(felt))
    felt.lay(4, ante_across=0)
    assert felt.codes() == []


def test_an_amount_entered_after_fold_replaces_the_fold() -> None:
    """The dealer's entry has the same effect as a reading of the circle would have."""
    felt = Felt().dealt(JACKS_DOWN, {3: "JH 3D"})
    felt.event(events.CircleUnreadable(3, Wager.ACROSS, "not_fitted"))
    felt.press("fold")
    assert felt.round.decisions.folding
    felt.event(events.AmountEntered(3, Wager.ACROSS, 1000))
    assert not felt.round.decisions.folding
    felt.press("confirm")
    assert felt.round.seats[3].wagers[Wager.ACROSS] == 1000


def test_no_signature_is_requested_for_an_amount_read_since() -> None:
    felt = Felt().dealt("2C 7D TH JS 4C", {3: "TD 9S"})
    felt.event(events.CircleUnreadable(3, Wager.ACROSS, "silent"))
    felt.event(events.AmountEntered(3, Wager.ACROSS, 2000))
    assert [waiting["amount"] for waiting in felt.table.view()["signatures"]] == [2000]
    felt.lay(3, across=10)
    assert felt.table.view()["signatures"] == []


@pytest.mark.parametrize("signed", [False, True])
@pytest.mark.parametrize("void", [False, True])
def test_an_unsigned_amount_is_recorded_as_not_signed(signed: bool, void: bool) -> None:
    felt = Felt().dealt(JACKS_DOWN, {3: "JH 3D"})
    felt.event(events.CircleUnreadable(3, Wager.ACROSS, "silent"))
    felt.event(events.AmountEntered(3, Wager.ACROSS, 2000))
    if signed:
        felt.floor("sign")
    if void:
        felt.floor("outcome", outcome="void", reason="stopped")
    while not felt.records:
        if void:
            felt.clear()
            felt.press("confirm")
        elif felt.phase is not Phase.SETTLEMENT and felt.prompt["wager"] != "across":
            felt.decide(s3=10)
        else:
            by_hand = felt.prompt["wager"] == "across" or felt.prompt["kind"] == "turn"
            felt.press("confirm") if by_hand else felt.settle_one()
    left = felt.records[-1].get("unsigned")
    assert left == (None if signed else [{"seat": 3, "wager": "across", "amount": 2000}])
    assert felt.table.view()["signatures"] == []
    if not void:
        assert verified(felt.records[-1], 3, "across") is False


def verified(record: RoundRecord, seat: int, wager: str) -> bool:
    box = next(each for each in record["seats"] if each["seat"] == seat)
    return box["wagers"][wager]["verified"]
