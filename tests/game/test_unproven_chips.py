"""Chips that have failed to prove themselves are reported until they are removed or a floorperson rules on
them, and they count until then."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.game.model import events
from controller.game.model.irregularities import Code
from controller.game.model.names import Circle, Phase, Wager
from controller.game.model.procedures import PROCEDURES
from controller.game.phases.corrections import signable
from controller.game.watching.proofs import circles_to_prove
from tests.game.felt import Felt
from tests.game.settlements import alerts, entry, finish, paying


def mark(felt: Felt, seat: int, wager: Wager, *, unproven: bool = True) -> None:
    """Report the chips of a circle as unproven, or as proven if `unproven` is False."""
    chips = felt.table.state.holding(seat, wager).chips
    note = "unproven" if unproven else ""
    felt.event(events.CircleRead(seat, wager, tuple(replace(chip, note=note) for chip in chips)))


@pytest.mark.parametrize("phase", [Phase.BETTING, Phase.ACROSS])
def test_an_unproven_chip_is_reported_and_counts_until_removed(phase: Phase) -> None:
    felt = Felt()
    felt.antes(3)
    if phase is Phase.ACROSS:
        felt.close()
        felt.deal("2C 3C 4C 5C 7D", {3: "9S TD"})
    assert felt.phase is phase
    mark(felt, 3, Wager.ANTE_DOWN)
    assert felt.codes() == []
    felt.stand()
    assert alerts(felt) == [("chip_unproven", 3, "ante_down")]
    assert felt.table.state.amount(3, Wager.ANTE_DOWN) == 1000
    mark(felt, 3, Wager.ANTE_DOWN, unproven=False)
    assert felt.codes() == []


def test_a_failed_proof_moves_no_money_in_the_books() -> None:
    felt = paying()
    before = felt.round.ledger
    mark(felt, 3, Wager.ANTE_DOWN)
    felt.stand()
    assert alerts(felt) == [("chip_unproven", 3, "ante_down")]
    mark(felt, 3, Wager.ANTE_DOWN, unproven=False)
    assert (felt.round.ledger, felt.codes()) == (before, [])
    finish(felt)
    assert entry(felt, "chip_unproven")["resolved"]


def test_the_record_shows_an_unproven_chip_as_resolved_once_exchanged() -> None:
    felt = paying()
    mark(felt, 3, Wager.MIDDLE)
    felt.stand()
    lies = felt.table.state.amount(3, Wager.MIDDLE)
    felt.lay(3, middle=0)
    felt.lay(3, middle=lies // 100)
    felt.stand()
    assert felt.codes() == []
    finish(felt)
    assert entry(felt, "chip_unproven")["resolved"]


# ------------------------------------------------------------------ ruling of the floor

BEFORE = 11
"""Last revision of the procedures in which a floorperson could not rule on an unproven chip."""


def last_step(procedures: int = PROCEDURES) -> Felt:
    """Return a table at the last step of its settlement; a chip of an already settled wager is unproven."""
    felt = paying()
    felt.table.state = replace(felt.table.state, procedures=procedures)
    while felt.table.state.round.settlement.cursor < len(felt.round.settlement.plan) - 1:
        felt.settle_one()
    mark(felt, 3, Wager.DOWN)
    felt.stand()
    assert alerts(felt) == [("chip_unproven", 3, "down")]
    return felt


@pytest.mark.parametrize(("procedures", "ends"), [(PROCEDURES, False), (BEFORE, True)])
def test_the_round_does_not_end_before_the_floor_has_ruled(procedures: int, ends: bool) -> None:
    felt = last_step(procedures)
    assert [code for code, _ in signable(felt.table.state)] == [Code.CHIP_UNPROVEN] * (not ends)
    felt.settle_one()
    assert bool(felt.records) is ends
    if not ends:
        felt.floor("sign", seat=3, wager=Wager.DOWN, reason="worn")
        [record] = felt.records
        [signed] = record["corrections"]
        assert (signed["code"], signed["cents"], signed["why"]) == ("chip_unproven", 0, "worn")
        assert entry(felt, "chip_unproven")["resolved"]


def test_the_key_of_the_floor_states_that_the_chip_counts() -> None:
    felt = last_step()
    [item] = felt.table.view()["waiting"]
    [alert] = felt.table.view()["alerts"]
    assert (item["seat"], item["wager"], item["missing"]) == (3, "down", 0)
    lies = felt.table.state.amount(3, Wager.DOWN)
    assert item["signs"] == [{"holder": "", "effects": [{"kind": "stands", "amount": lies, "counts": 0}]}]
    about = alert["about"]
    assert about == item["about"]
    felt.floor("sign", seat=3, wager=Wager.DOWN, about=about, reason="worn")
    assert felt.codes() == []
    assert felt.refusal_code(events.FloorDecided("B1", "sign", about=about, reason="again")) is not None


def test_a_ruling_belongs_to_the_chips_and_ends_with_the_round() -> None:
    felt = last_step()
    felt.floor("sign", seat=3, wager=Wager.DOWN, reason="worn")
    felt.stand(5_000)
    assert felt.codes() == []
    mark(felt, 3, Wager.MIDDLE)
    felt.stand()
    assert alerts(felt) == [("chip_unproven", 3, "middle")]
    felt.floor("sign", seat=3, wager=Wager.MIDDLE, reason="worn")
    finish(felt)
    assert felt.phase is Phase.CLEARING


def test_a_ruling_signs_no_difference_of_money() -> None:
    felt = last_step()
    lies = felt.table.state.holding(3, Wager.DOWN).chips
    felt.event(events.CircleRead(3, Wager.DOWN, (*lies, felt.chip(500))))
    felt.stand()
    assert alerts(felt) == [("chip_unproven", 3, "down")]
    felt.floor("sign", seat=3, wager=Wager.DOWN, reason="worn")
    felt.stand()
    assert [code for code, *_ in alerts(felt)] == ["overpaid"]


def test_a_chip_cannot_be_signed_before_the_close() -> None:
    felt = Felt()
    felt.antes(3)
    mark(felt, 3, Wager.ANTE_DOWN)
    felt.stand()
    assert felt.refusal_code(events.FloorDecided("B1", "sign", seat=3, reason="worn")) == "nothing_held"
    felt.close()
    felt.floor("sign", seat=3, wager=Wager.ANTE_DOWN, reason="worn")
    assert felt.codes() == []


def test_a_chip_found_after_the_round_is_signed_on_its_record() -> None:
    felt = paying()
    finish(felt)
    assert felt.phase is Phase.CLEARING
    wager = next(w for w in Wager if felt.table.state.amount(3, w))
    mark(felt, 3, wager)
    felt.stand()
    felt.floor("sign", seat=3, wager=wager, reason="worn")
    assert felt.codes() == []


# ------------------------------------------------------------------ times of proofs


def test_no_proof_begins_from_no_more_bets_until_the_deal_is_complete() -> None:
    felt = Felt()
    felt.antes(3)
    assert circles_to_prove(felt.table.state, None) == ()
    felt.press("no_more_bets")
    assert circles_to_prove(felt.table.state, None) is None
    felt.swept()
    seen = set()
    for face in felt.unused(60)[:3]:
        assert felt.phase is Phase.DEALING
        seen.add(circles_to_prove(felt.table.state, 1))
        felt.card(face)
    assert seen == {None}


def test_the_wager_of_a_large_payout_proves_itself_again() -> None:
    felt = paying()
    step = felt.prompt
    circle = Circle(step["seat"], Wager(step["wager"]))
    payout = 1000
    assert circles_to_prove(felt.table.state, payout) == (circle,)
    assert circles_to_prove(felt.table.state, payout + 1) == ()
    assert circles_to_prove(felt.table.state, None) == ()
