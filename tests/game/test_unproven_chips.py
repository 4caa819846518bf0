"""Chips that failed to prove themselves: reported until removed, and counted until then."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.game.model import events
from controller.game.model.names import Circle, Phase, Wager
from controller.game.watching.proofs import circles_to_prove
from tests.game.felt import Felt
from tests.game.settlements import alerts, entry, finish, paying


def mark(felt: Felt, seat: int, wager: Wager, *, unproven: bool = True) -> None:
    """Report the chips of a circle as unproven, or as proven again."""
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
