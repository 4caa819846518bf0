"""Chips that the dealer names as no wager never count as a bet, and other chips do not get this name.

Sources: 58 Pa. Code § 674a.11(b), (d), (f); config/rules/RULES.md "Business around a round".
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from controller.game.books import named_chips, stacks
from controller.game.books.named_chips import NAMED_SINCE
from controller.game.model import events
from controller.game.model.irregularities import Code
from controller.game.model.names import Circle, Phase, Wager
from controller.game.model.procedures import PROCEDURES
from tests.game.felt import Felt
from tests.game.settlements import paying
from tests.game.test_signature_effects import signable

DOWN, ANTE = Circle(3, Wager.DOWN), Circle(3, Wager.ANTE_ACROSS)
CROSS = "2C 7D TH JS 4C"


def dealt(procedures: int = PROCEDURES) -> Felt:
    """Deal a round up to seat 3's Across decision."""
    felt = Felt(settle_ms=1_200)
    felt.closed(3)
    felt.deal(CROSS, {3: "JD 9S"})
    felt.table.state = replace(felt.table.state, procedures=procedures)
    return felt


def read(felt: Felt, circle: Circle, *chips: events.Chip) -> None:
    felt.event(events.CircleRead(circle.seat, circle.wager, chips))


def name(felt: Felt, circle: Circle) -> None:
    felt.report("not_a_wager", seat=circle.seat, wager=circle.wager)


def tip_in_down(procedures: int = PROCEDURES) -> tuple[Felt, events.Chip]:
    """Return a table at which a $10 chip in the Down circle was named as no wager during the Across decision,
    and this chip."""
    felt = dealt(procedures)
    tip = felt.chip(1000)
    read(felt, DOWN, tip)
    felt.stand()
    assert felt.codes() == ["bet_out_of_turn"]
    name(felt, DOWN)
    return felt, tip


def at_down(felt: Felt) -> Felt:
    felt.bet(10)
    felt.press("confirm")
    felt.stand(2_000)
    return felt


def effects(felt: Felt) -> list[dict[str, Any]]:
    [item] = signable(felt)
    return list(item["signs"][0]["effects"])


@pytest.mark.parametrize(("procedures", "asked"), [(NAMED_SINCE, 3), (NAMED_SINCE - 1, None)])
def test_named_chips_are_no_bet_in_their_turn(procedures: int, asked: int | None) -> None:
    """Under earlier procedures such chips count as a bet when they have lain long enough, and their journals
    must replay."""
    felt = at_down(tip_in_down(procedures)[0])
    assert felt.round.decisions.asked == asked
    if asked:
        assert (felt.prompt["kind"], felt.codes()) == ("ask", ["not_a_wager"])


def test_chips_laid_beside_them_are_the_bet() -> None:
    felt, tip = tip_in_down()
    at_down(felt)
    bet = felt.chip(2000)
    read(felt, DOWN, tip, bet)
    felt.stand()
    assert (felt.prompt["kind"], felt.prompt["amount"], felt.codes()) == (
        "confirm_bet",
        2000,
        ["not_a_wager"],
    )
    felt.press("confirm")
    assert felt.round.seats[3].wagers[Wager.DOWN] == 2000
    read(felt, DOWN, bet)
    assert felt.codes() == []


def test_a_bet_that_stays_when_the_named_chips_leave_counts() -> None:
    felt, tip = tip_in_down()
    at_down(felt)
    bet = felt.chip(1000)
    read(felt, DOWN, tip, bet)
    felt.stand()
    read(felt, DOWN, bet)
    felt.stand(2_000)
    assert felt.codes() == []
    assert felt.round.decisions.lying == {3: 1000}


def test_named_chips_that_stay_when_the_bet_leaves_are_no_bet() -> None:
    felt, tip = tip_in_down()
    at_down(felt)
    read(felt, DOWN, tip, felt.chip(1000))
    felt.stand()
    read(felt, DOWN, tip)
    felt.stand(2_000)
    assert (felt.prompt["kind"], felt.round.decisions.asked) == ("ask", 3)


def test_named_chips_lifted_and_laid_again_are_a_bet() -> None:
    felt, tip = tip_in_down()
    at_down(felt)
    read(felt, DOWN)
    felt.stand()
    read(felt, DOWN, tip)
    felt.stand(2_000)
    assert felt.round.decisions.lying == {3: 1000}


def test_named_chips_that_are_changed_for_the_same_total_stay_named() -> None:
    felt, _ = tip_in_down()
    read(felt, DOWN, felt.chip(500), felt.chip(500))
    at_down(felt)
    assert (felt.prompt["kind"], felt.codes()) == ("ask", ["not_a_wager"])


def test_a_signature_on_named_chips_counts_them_in_no_turn() -> None:
    felt, tip = tip_in_down()
    assert [(e["kind"], e["amount"]) for e in effects(felt)] == [("extra", 1000)]
    felt.floor("sign", seat=3, wager=Wager.DOWN, reason="tip")
    at_down(felt)
    assert (felt.prompt["kind"], felt.codes()) == ("ask", [])
    read(felt, DOWN, tip, felt.chip(2000))
    felt.stand(2_000)
    assert (felt.round.decisions.lying, felt.codes()) == ({3: 2000}, [])
    felt.press("confirm")
    felt.stand(2_000)
    assert felt.phase is Phase.MIDDLE
    assert (felt.round.seats[3].wagers[Wager.DOWN], felt.codes()) == (2000, [])


def test_a_signature_on_named_and_further_chips_states_both_effects() -> None:
    felt, tip = tip_in_down()
    read(felt, DOWN, tip, felt.chip(2000))
    felt.stand()
    assert felt.codes() == ["bet_out_of_turn"]
    assert [(e["kind"], e["amount"]) for e in effects(felt)] == [("extra", 1000), ("early", 2000)]
    felt.floor("sign", seat=3, wager=Wager.DOWN, reason="tip and bet")
    at_down(felt)
    assert (felt.round.decisions.lying, felt.codes()) == ({3: 2000}, [])


def test_further_chips_can_be_named_beside_signed_ones() -> None:
    felt, tip = tip_in_down()
    felt.floor("sign", seat=3, wager=Wager.DOWN, reason="tip")
    read(felt, DOWN, tip, felt.chip(500))
    felt.stand()
    assert felt.codes() == ["bet_out_of_turn"]
    name(felt, DOWN)
    felt.stand()
    assert felt.codes() == ["not_a_wager"]
    assert named_chips.named_cents(felt.table.state, DOWN) == 1500
    at_down(felt)
    assert (felt.prompt["kind"], felt.codes()) == ("ask", ["not_a_wager"])


@pytest.mark.parametrize(
    ("procedures", "found"), [(NAMED_SINCE, "bet_changed"), (NAMED_SINCE - 1, "not_a_wager")]
)
def test_a_cap_beside_a_named_tip_has_its_own_alert(procedures: int, found: str) -> None:
    felt = dealt(procedures)
    there, tip = felt.table.state.holding(*ANTE).chips, felt.chip(500)
    read(felt, ANTE, *there, tip)
    felt.stand()
    name(felt, ANTE)
    read(felt, ANTE, *there, tip, felt.chip(10_000))
    felt.stand()
    assert felt.codes() == [found]


@pytest.mark.parametrize(
    ("procedures", "refused", "found"),
    [(NAMED_SINCE, "payout_is_no_tip", "overpaid"), (NAMED_SINCE - 1, None, "not_a_wager")],
)
def test_a_payout_that_is_too_high_is_no_tip(procedures: int, refused: str | None, found: str) -> None:
    felt = paying()
    felt.table.state = replace(felt.table.state, procedures=procedures)
    due = felt.prompt
    circle = Circle(due["seat"], Wager(due["wager"]))
    felt.pay(*circle, due["amount"] + 10_000)
    felt.stand()
    assert felt.codes() == ["overpaid"]
    report = events.Reported(Code.NOT_A_WAGER, seat=circle.seat, wager=circle.wager)
    assert felt.refusal_code(report) == refused
    felt.table.handle(report, events.Stamp(felt.ms, ""))
    assert felt.codes() == [found]


def test_chips_on_a_right_payout_can_be_named() -> None:
    felt = paying()
    due = felt.prompt
    circle = Circle(due["seat"], Wager(due["wager"]))
    felt.pay(*circle, due["amount"])
    felt.stand()
    felt.pay(*circle, 500)
    felt.stand()
    assert felt.codes() == ["overpaid"]
    name(felt, circle)
    felt.stand()
    assert felt.codes() == ["not_a_wager"]


@pytest.mark.parametrize(("excess", "latest"), [(1500, (1000, 500)), (500, (500,)), (700, (1000,))])
def test_the_chips_that_came_last_are_named(excess: int, latest: tuple[int, ...]) -> None:
    """The dealer names the chips above the wager. If no latest chips make up exactly this excess, chips that
    exceed it are named."""
    felt = dealt()
    there = felt.table.state.holding(*ANTE).chips
    ten, five = felt.chip(1000), felt.chip(500)
    read(felt, ANTE, *there, ten, five)
    uids = stacks.latest_chips(felt.table.state, ANTE, excess)
    values = {ten.uid: 1000, five.uid: 500, **dict.fromkeys((chip.uid for chip in there), 0)}
    assert tuple(values[uid] for uid in uids) == latest


def test_the_entry_of_named_chips_has_no_other_name() -> None:
    felt = dealt()
    there = felt.table.state.holding(*ANTE).chips
    read(felt, ANTE, *there, felt.chip(500))
    felt.stand()
    assert felt.round.irregularities[-1].name == "late_bet"
    name(felt, ANTE)
    felt.stand()
    [entry] = felt.round.irregularities
    assert (entry.code, entry.name, entry.resolved) == (Code.NOT_A_WAGER, "", False)
