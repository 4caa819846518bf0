"""Chips that failed their proof, and the floor's ruling that their wager stands.

The ruling belongs to the chips and to the round: they count as they lie and cause no further alert in it. A
signature on them must never sign a difference of money at the same circle. Source: house procedure;
config/rules/RULES.md "Irregularities", note 6.
"""

from __future__ import annotations

from typing import Final

from controller.game.model.events import Chip
from controller.game.model.evolve import evolve
from controller.game.model.irregularities import Code
from controller.game.model.ledger import Signed
from controller.game.model.names import Circle
from controller.game.model.state import TableState
from controller.game.model.transition import Transition

RULED_SINCE: Final = 12
"""First revision of `PROCEDURES` in which a chip that failed its proof awaits a ruling of the floor."""


def awaits_ruling(state: TableState, code: Code) -> bool:
    """Return whether an irregularity with this code keeps the round open until a floorperson signs it or it
    is corrected: a difference of money, or a chip that failed its proof."""
    return code.kind.money or (code.kind.signed == "stands" and state.procedures >= RULED_SINCE)


def has_stood(state: TableState, chip: Chip) -> bool:
    """Return whether a floorperson has ruled in this round that the wager of an unproven chip stands."""
    return chip.note == "unproven" and state.round is not None and chip.uid in state.round.stood


def failed_chips(state: TableState, circle: Circle) -> list[Chip]:
    """Return the chips of a circle that failed their proof and on which no floorperson has ruled."""
    chips = state.holding(*circle).chips
    return [chip for chip in chips if chip.note == "unproven" and not has_stood(state, chip)]


def let_stand(play: Transition, circle: Circle, signed: Signed) -> None:
    """Record a floorperson's ruling that the unproven chips in a circle stay and count as the wager. No money
    moves."""
    uids = (chip.uid for chip in failed_chips(play.state, circle))
    stood = (*play.round.stood, *uids)
    play.round = evolve(play.round, stood=stood, ledger=play.round.ledger.noted(signed))
    play.clear_alert(Code.CHIP_UNPROVEN, *circle)
