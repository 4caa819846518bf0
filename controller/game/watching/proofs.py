"""Chips that prove themselves: the circles whose chips are asked again, and the periods in which no chip is
asked.

A chip proves itself when it is first seen, in any phase; this module adds the chips of payouts from an amount
on, which wait for them (`phases/payout_proofs.py`). From NO MORE BETS until the deal is complete no proof
begins, so that none delays the acknowledgement of a card. Pure queries. Source: house procedure;
controller/decisions/0019-keys-of-chips.md.
"""

from __future__ import annotations

from collections.abc import Sequence

from controller.game.model.events import Chip, CircleRead
from controller.game.model.names import Circle, Phase
from controller.game.model.state import Holding, TableState
from controller.game.phases import payout_proofs, settlement


def circles_to_prove(state: TableState, payouts_from: int | None) -> tuple[Circle, ...] | None:
    """Return the circles whose chips have to prove themselves again, or None while no proof may begin.
    `payouts_from`: smallest payout in cents for which the chips of the wager prove themselves again; None for
    no payout.
    """
    if state.closing or state.play_phase is Phase.DEALING:
        return None
    step = settlement.due_step(state)
    return (step.circle,) if step is not None and payout_proofs.requires(step, payouts_from) else ()


def only_proof_differs(before: Holding, event: CircleRead) -> bool:
    """Return whether a reading has the chips of the last one, and only a proof was required, has failed or
    succeeded."""
    then, now = before.chips, event.chips
    unproven = any(chip.note == "unproven" for chip in (*then, *now))
    return (
        (unproven or before.proofs != event.proofs)
        and before.reading == "ok"
        and _without_proofs(then) == _without_proofs(now)
    )


def _without_proofs(chips: Sequence[Chip]) -> list[tuple[str, int | None, str]]:
    return [(chip.uid, chip.cents, chip.note.replace("unproven", "")) for chip in chips]
