"""Payouts that wait for the proofs of their wager's chips (counterfeit chips).

From an amount on, a payout is neither prompted nor passed before each chip of the wager has proven itself or
is reported as unproven. The wait ends with an alert: for the unproven chip, for a circle that cannot be read,
or for proofs that have stopped (PROOFS_STOPPED). The floorperson called by it decides. Pure queries. Source:
house procedure; controller/decisions/0019-keys-of-chips.md.
"""

from __future__ import annotations

from controller.game.model.irregularities import Code
from controller.game.model.plan import Step
from controller.game.model.state import Context, TableState


def requires(step: Step, payouts_from: int | None) -> bool:
    """Return whether the chips of the wager have to prove themselves before the step. `payouts_from`:
    smallest such payout in cents; None for no payout."""
    return payouts_from is not None and step.verb == "pay" and step.payout >= payouts_from


def awaits(state: TableState, context: Context, step: Step) -> bool:
    """Return whether the step that is due waits for proofs, or for the alert of an unproven chip."""
    holding = state.holding(*step.circle)
    if not requires(step, context.settings.payouts_proven_from) or not holding.readable:
        return False
    if any(alert.code is Code.PROOFS_STOPPED for alert in state.alerts):
        return False
    return holding.proofs != "decided" or _is_suspected(state, step)


def _is_suspected(state: TableState, step: Step) -> bool:
    """Return whether a chip of the wager is unproven and not announced yet."""
    _, code = state.suspects.get(step.circle.key, (0, None))
    announced = any(alert.code is Code.CHIP_UNPROVEN for alert in state.alerts_at(step.circle))
    return code is Code.CHIP_UNPROVEN and not announced
