"""Identity of the device on the shoe's line: a shoe that was replaced by another, or one that does not
authenticate itself.

The driver rejects messages of any other shoe; this module holds play, and a floorperson decides. It does so
in every phase in which play can be held. A hold for an unknown shoe must never be dropped undecided: it is
checked after each event. Source: drivers/shoe/LINK.md "Security".
"""

from __future__ import annotations

from controller.game.model.events import FloorDecided, ShoeLinkOpened
from controller.game.model.evolve import evolve
from controller.game.model.irregularities import FLOOR_CHOICES, Code, Outcome
from controller.game.model.names import IN_PLAY, Phase
from controller.game.model.state import Hold
from controller.game.model.transition import Transition

FALL_BACK = ("VERSION", "1")
"""Command to the driver, not sent as a frame: go on in version 1 (drivers/shoe/LINK.md, Version 2)."""
NO_SERIAL = ("", "-")
"""Serial numbers of a device without one."""
PHASES_WITHOUT_HOLD = (Phase.VOID, Phase.CLEARING)
"""Phases in which play is not held, because all wagers are being returned or the round is over. The hold
follows after them."""


def check_serial(play: Transition, event: ShoeLinkOpened) -> None:
    """Handle WELCOME with its serial number. The first shoe ever connected is the table's, unless the table
    file names another."""
    serial = event.serial
    if event.version != "1":
        play.shoe = evolve(play.shoe, unproven="")
    known = play.state.shoe.serial
    if play.context.settings.shoe_serial is None or known in (None, *NO_SERIAL, serial):
        play.shoe = evolve(play.shoe, serial=serial, stranger=None)
    else:
        play.shoe = evolve(play.shoe, stranger=serial)


def check_trust(play: Transition) -> None:
    """Hold play after each event while a changed or unproven shoe waits for a floorperson, in a round or
    between two."""
    if play.state.shoe.stranger is not None:
        _hold(play, Code.SHOE_CHANGED)
    if play.state.shoe.unproven == "asked":
        _hold(play, Code.SHOE_UNPROVEN)


def _hold(play: Transition, code: Code) -> None:
    state = play.state
    waiting = (state.hold, *state.held_next)
    if state.play_phase in PHASES_WITHOUT_HOLD or any(
        held is not None and held.code is code for held in waiting
    ):
        return
    outcomes = FLOOR_CHOICES if state.play_phase in IN_PLAY else (Outcome.GO_ON,)
    play.hold(code, proposed=Outcome.GO_ON, outcomes=outcomes)


def apply_decision(play: Transition, hold: Hold, event: FloorDecided) -> None:
    """Apply a floorperson's decision on the shoe. A changed shoe is the table's from now on, whatever the
    outcome of the round. An unproven shoe is used in version 1 if play goes on; after `refuse` it is not."""
    stranger, shoe = play.state.shoe.stranger, play.state.shoe
    if hold.code is Code.SHOE_CHANGED and stranger is not None:
        play.shoe = evolve(shoe, serial=stranger, stranger=None)
    elif hold.code is Code.SHOE_UNPROVEN and shoe.unproven == "asked":
        if event.decision == "refuse":
            play.shoe = evolve(shoe, unproven="refused")
        elif Outcome.GO_ON in (event.outcome, hold.proposed if event.decision == "approve" else None):
            play.shoe = evolve(shoe, unproven="allowed")
            _speak_version_1(play)


def unproven(play: Transition) -> None:
    """Handle a shoe that answers in version 1, which needs permission; no session is open."""
    if play.state.shoe.unproven == "allowed":
        _speak_version_1(play)
    elif not play.state.shoe.unproven:
        play.shoe = evolve(play.shoe, unproven="asked")


def _speak_version_1(play: Transition) -> None:
    play.command(*FALL_BACK)


def started(play: Transition) -> None:
    """Clear the permission given in the previous run; an open question is asked again."""
    if play.state.shoe.unproven != "asked":
        play.shoe = evolve(play.shoe, unproven="")


def tampered(play: Transition) -> None:
    """Raise an alert and call the floor for frames of another sender on the line, which were rejected."""
    play.alert(Code.SHOE_TAMPERED)
    play.state = evolve(play.state, floor_called=True)


def answered(play: Transition) -> None:
    """Clear the alert after a floorperson has answered."""
    play.clear_alert(Code.SHOE_TAMPERED)
