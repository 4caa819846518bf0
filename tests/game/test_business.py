"""Everyday business raises no false alert: making change in a circle, carrying chips across a circle,
tipping, and relieving the dealer."""

from __future__ import annotations

import pytest

from controller.game.model import events
from controller.game.model.irregularities import Code
from controller.game.model.names import SEATS, Circle, Phase, Wager
from tests.game.every_phase import AT
from tests.game.felt import Felt
from tests.game.settlements import JACKS_DOWN, paying
from tests.game.test_who_has_the_chips import dealt

ANTE = Circle(3, Wager.ANTE_ACROSS)
TOO_MANY = events.Reported(Code.NOT_A_WAGER, seat=3, wager=Wager.ANTE_ACROSS)


def read(felt: Felt, circle: Circle, chips: tuple[events.Chip, ...]) -> None:
    felt.event(events.CircleRead(circle.seat, circle.wager, chips))


def due(felt: Felt) -> Circle:
    prompt = felt.prompt
    assert prompt["kind"] == "pay"
    return Circle(prompt["seat"], Wager(prompt["wager"]))


@pytest.mark.parametrize("phase", [phase for phase in Phase if phase is not Phase.HELD])
def test_a_relief_raises_no_alert_in_any_phase(phase: Phase) -> None:
    felt = AT[phase]()
    felt.event(events.DealerSignedOn("D1"))
    before = felt.codes()
    felt.event(events.DealerRelieved())
    felt.stand(2_000)
    felt.event(events.DealerSignedOn("D2"))
    felt.stand(2_000)
    assert felt.codes() == before
    assert felt.phase is phase


def test_the_record_names_each_dealer_of_a_round() -> None:
    felt = Felt()
    felt.event(events.DealerSignedOn("D1"))
    felt.closed(3)
    felt.event(events.DealerRelieved())
    felt.event(events.DealerSignedOn("D2"))
    assert [number for number, _ in felt.round.dealers] == ["D1", "D2"]


def test_chips_of_a_due_amount_gone_within_0_4_s_are_no_payout() -> None:
    felt = paying()
    circle = due(felt)
    there = felt.table.state.holding(*circle).chips
    felt.stand()
    felt.pay(*circle, felt.prompt["amount"])
    assert felt.round.ledger.row(circle).settled is not None
    felt.ms += 300
    read(felt, circle, there)
    assert felt.round.ledger.row(circle).settled is None
    assert due(felt) == circle
    felt.stand()
    assert felt.codes() == []


def test_an_older_journal_keeps_such_a_payout() -> None:
    felt = Felt()
    felt.event(events.Started(tuple((seat, wager) for seat in SEATS for wager in Wager), procedures=1))
    assert felt.table.state.seen == {}
    felt.antes(3)
    felt.antes(3)
    assert felt.table.state.seen == {}


def test_naming_excess_chips_moves_no_money_and_ends_no_difference() -> None:
    felt = Felt().closed(3)
    rows = felt.round.ledger.row(ANTE)
    felt.pay(*ANTE, 500)
    felt.stand()
    assert felt.codes() == ["bet_changed"]
    ledger = felt.round.ledger
    felt.event(TOO_MANY)
    assert (felt.codes(), felt.round.ledger) == (["not_a_wager"], ledger)
    assert felt.refusal_code(TOO_MANY) == "no_chips_too_many"
    felt.lay(3, ante_across=10)
    assert felt.codes() == []
    assert felt.round.ledger.row(ANTE) == rows


def test_missing_chips_cannot_be_reported_as_tip_or_change() -> None:
    felt = Felt().closed(3)
    felt.lay(3, ante_across=0)
    felt.stand()
    assert felt.refusal_code(TOO_MANY) == "no_chips_too_many"
    assert felt.codes() == ["bet_changed"]


def test_the_report_is_offered_for_excess_chips_and_names_their_alert() -> None:
    felt = Felt().closed(3)
    assert "not_a_wager" not in felt.table.view()["reports"]
    felt.pay(*ANTE, 500)
    felt.stand()
    view = felt.table.view()
    assert "not_a_wager" in view["reports"]
    about = view["alerts"][0]["about"]
    felt.pay(*ANTE, 500)
    assert (
        felt.refusal_code(events.Reported(Code.NOT_A_WAGER, seat=3, wager=Wager.ANTE_ACROSS, about=about))
        == "another_amount"
    )


def test_chips_added_before_a_fold_and_collected_after_it_are_no_passing_chips() -> None:
    """The player lays another $5 on an ante of $5 and folds, and the dealer takes $5 at once. The dealer has
    collected these $5; they did not merely pass over the circle."""
    felt = dealt(s3="TD 8S", ante=5)
    before = felt.table.state.holding(*ANTE).chips
    read(felt, ANTE, (*before, felt.chip(500)))
    felt.fold()
    read(felt, ANTE, before)
    assert felt.round.ledger.row(ANTE).tray == 500


def test_a_payout_equal_to_an_earlier_change_is_a_payout() -> None:
    """First two $5 chips replace a $10 chip, beside which they lie for a moment. Two further $5 chips then
    pay the wager."""
    felt, down = Felt(), Circle(3, Wager.DOWN)
    felt.closed(3)
    felt.deal(JACKS_DOWN, {3: "JH 3D"})
    felt.decide(s3=10)
    ten, fives = felt.chip(1000), (felt.chip(500), felt.chip(500))
    for chips in ((ten,), (ten, *fives), fives):
        read(felt, down, chips)
    felt.press("confirm")
    felt.press("confirm")
    felt.decide(s3=10)
    while (felt.prompt["kind"], felt.prompt["wager"]) != ("pay", "down"):
        felt.settle_one()
    read(felt, down, (*fives, felt.chip(500), felt.chip(500)))
    assert felt.round.ledger.row(down).tray == -1000
