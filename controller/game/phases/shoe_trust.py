"""Identity of the device on the shoe's line: another shoe than before, or none at all.

The driver refuses what is not the shoe's; here it is said, and a floorperson decides. Another shoe than the
one that was known stops play wherever play can be stopped, and so does one that proves nothing where it
should. It must never take what a stranger said for nothing: what waits is asked again after each event.
Source: drivers/shoe/LINK.md "Security".
"""

from __future__ import annotations

from controller.game.model.events import FloorDecided, ShoeLinkOpened
from controller.game.model.evolve import evolve
from controller.game.model.irregularities import FLOOR_CHOICES, Code, Outcome
from controller.game.model.names import IN_PLAY, Phase
from controller.game.model.state import Hold
from controller.game.model.transition import Transition

OLD_LINK = ("VERSION", "1")
"""For the driver, and no frame: go on in version 1 (drivers/shoe/LINK.md, Version 2)."""
NAMELESS = ("", "-")
"""Serial number of a device that has none."""
UNSTOPPED = (Phase.VOID, Phase.CLEARING)
"""Every wager goes back already, or the round is over: what is found here is held after it."""


def welcomed(play: Transition, event: ShoeLinkOpened) -> None:
    """WELCOME, with a serial number. The first one ever heard is the table's, unless its file names one."""
    serial = event.serial
    if event.version != "1":
        play.shoe = evolve(play.shoe, unproven="")
    known = play.state.shoe.serial
    if play.context.settings.shoe_serial is None or known in (None, *NAMELESS, serial):
        play.shoe = evolve(play.shoe, serial=serial, stranger=None)
    else:
        play.shoe = evolve(play.shoe, stranger=serial)


def check(play: Transition) -> None:
    """After each event: a stranger waits for a floorperson, in the round or between two."""
    if play.state.shoe.stranger is not None:
        _hold(play, Code.SHOE_CHANGED)
    if play.state.shoe.unproven == "asked":
        _hold(play, Code.SHOE_UNPROVEN)


def _hold(play: Transition, code: Code) -> None:
    state = play.state
    waiting = (state.hold, *state.held_next)
    if state.stands in UNSTOPPED or any(held is not None and held.code is code for held in waiting):
        return
    outcomes = FLOOR_CHOICES if state.stands in IN_PLAY else (Outcome.GO_ON,)
    play.hold(code, proposed=Outcome.GO_ON, outcomes=outcomes)


def decided(play: Transition, hold: Hold, event: FloorDecided) -> None:
    """A floorperson has decided. Another shoe is the table's now, whatever becomes of the round. One that
    proves nothing is spoken to in version 1 if play goes on by it; `refuse`: it is not."""
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
    """No session is open: whoever answers speaks version 1, and has to be allowed to."""
    if play.state.shoe.unproven == "allowed":
        _speak_version_1(play)
    elif not play.state.shoe.unproven:
        play.shoe = evolve(play.shoe, unproven="asked")


def _speak_version_1(play: Transition) -> None:
    play.command(*OLD_LINK)


def started(play: Transition) -> None:
    """Forget what a floorperson allowed for the run before; what was not decided yet is asked again."""
    if play.state.shoe.unproven != "asked":
        play.shoe = evolve(play.shoe, unproven="")


def tampered(play: Transition) -> None:
    """Note frames of another sender on the line. They were refused; the floor is called and must come."""
    play.alert(Code.SHOE_TAMPERED)
    play.state = evolve(play.state, floor_called=True)


def answered(play: Transition) -> None:
    """A floorperson has come."""
    play.clear_alert(Code.SHOE_TAMPERED)
