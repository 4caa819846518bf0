"""A payout waits until the chips of its wager have proven themselves."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.game.model import events
from controller.game.model.irregularities import Code
from controller.game.model.names import Circle, Key, Phase, Wager
from controller.game.showing.lamps import LampState
from controller.record.journal.codec import adapter, decode_event
from tests.game.felt import Felt
from tests.game.settlements import alerts, jacks

FROM = 1000
"""Lowest payout that waits for proofs, in cents: the payout of the Ante Down in these tests."""
CIRCLE = Circle(3, Wager.ANTE_DOWN)
CONFIRM = events.KeyPressed(Key.CONFIRM)


def due(payouts_from: int | None = FROM, **settings: object) -> Felt:
    """Return a table on which $10 are due on an Ante Down of $10. `payouts_from`: lowest payout in cents that
    waits for proofs."""
    felt = jacks(payouts_proven_from=payouts_from, **settings)
    felt.settle_one()
    felt.settle_one()
    assert (felt.prompt["seat"], felt.prompt["wager"]) == CIRCLE
    return felt


def read(felt: Felt, proofs: events.Proofs, added: int = 0, note: str = "") -> None:
    """Report the chips of the Ante Down circle, with a further chip of `added` cents, and the state of their
    proofs."""
    chips = tuple(replace(chip, note=note) for chip in felt.table.state.holding(*CIRCLE).chips)
    more = (felt.chip(added),) if added else ()
    felt.event(events.CircleRead(*CIRCLE, (*chips, *more), proofs))


def waits(felt: Felt) -> bool:
    """Return whether the table waits for proofs. Checks that prompt, lamp and CONFIRM agree on it."""
    waiting = felt.prompt["kind"] == "proofs_wait"
    assert waiting == (felt.refusal_code(CONFIRM) == "proofs_wait")
    assert not (waiting and felt.table.lamps()[CIRCLE] is LampState.PAY)
    return waiting


def play_on(felt: Felt) -> None:
    """Finish the round, in which the chips of each payout prove themselves."""
    while felt.phase is Phase.SETTLEMENT:
        if felt.prompt["kind"] == "proofs_wait":
            circle = Circle(felt.prompt["seat"], Wager(felt.prompt["wager"]))
            chips = felt.table.state.holding(*circle).chips
            felt.event(events.CircleRead(*circle, chips, "decided"))
        else:
            felt.settle_one()
    assert felt.records[-1]["irregularities"] == []


def test_a_payout_is_prompted_once_the_chips_have_proven_themselves() -> None:
    felt = due()
    assert waits(felt)
    assert felt.table.watch() == (CIRCLE,)
    read(felt, "")
    assert waits(felt)
    read(felt, "pending")
    assert waits(felt)
    read(felt, "decided")
    assert not waits(felt)
    assert (felt.prompt["kind"], felt.prompt["amount"]) == ("pay", 1000)
    assert felt.table.lamps()[CIRCLE] is LampState.PAY
    read(felt, "decided", 1000)
    assert felt.prompt["wager"] != CIRCLE.wager
    play_on(felt)


def test_a_payout_made_too_early_is_passed_only_after_the_proofs() -> None:
    felt = due()
    read(felt, "pending", 1000)
    assert waits(felt)
    felt.stand(5000)
    assert waits(felt)
    read(felt, "decided")
    assert felt.prompt["wager"] != CIRCLE.wager
    play_on(felt)


@pytest.mark.parametrize("payouts_from", [None, FROM + 1])
def test_a_smaller_payout_does_not_wait(payouts_from: int | None) -> None:
    felt = due(payouts_from)
    assert not waits(felt)
    read(felt, "pending")
    assert not waits(felt)


def test_an_unproven_chip_has_its_alert_before_the_payout_is_prompted() -> None:
    felt = due()
    read(felt, "pending")
    read(felt, "decided", note="unproven")
    assert waits(felt) and felt.codes() == []
    felt.stand()
    assert alerts(felt) == [(Code.CHIP_UNPROVEN, *CIRCLE)]
    assert not waits(felt)


def test_the_wait_ends_with_the_alert_that_proofs_have_stopped() -> None:
    felt = due()
    read(felt, "pending")
    felt.event(events.TroubleReported(Code.PROOFS_STOPPED, "it has hung up"))
    assert not waits(felt)
    felt.event(events.TroubleReported(Code.PROOFS_STOPPED, "", cleared=True))
    assert waits(felt)
    felt.event(events.TroubleReported(Code.PROOFS_STOPPED, "it has hung up"))
    read(felt, "pending", 1000)
    assert felt.prompt["wager"] != CIRCLE.wager


@pytest.mark.parametrize("why", ["silent", "unstable"])
def test_the_wait_ends_when_the_circle_cannot_be_read(why: str) -> None:
    """The reader of the circle has an alert, so the dealer confirms the payout without proofs."""
    felt = due()
    read(felt, "pending")
    felt.event(events.CircleUnreadable(*CIRCLE, why))  # type: ignore[arg-type]
    assert felt.prompt["kind"] == "pay"
    assert felt.refused(CONFIRM) is None


def test_a_payout_beside_the_circle_is_confirmed_only_after_the_proofs() -> None:
    felt = due(payouts_beside=True)
    assert felt.refusal_code(CONFIRM) == "proofs_wait"
    read(felt, "decided")
    felt.press("confirm")
    assert felt.prompt["wager"] != CIRCLE.wager


def test_the_state_of_proofs_moves_no_money_and_no_chips_in_the_books() -> None:
    felt = due()
    before = felt.round
    for proofs in ("pending", "decided", "", "pending"):
        read(felt, proofs)  # type: ignore[arg-type]
        assert (felt.round, felt.codes()) == (before, [])


def test_rows_and_settings_without_proofs_are_read_as_before() -> None:
    row = '{"seat":3,"wager":"across","chips":[]}'
    assert decode_event("CircleRead", row) == events.CircleRead(3, Wager.ACROSS, ())
    settings = adapter(type(Felt().table.settings))
    stored = settings.dump_python(Felt().table.settings, mode="json")
    del stored["payouts_proven_from"]
    assert settings.validate_python(stored).payouts_proven_from is None
