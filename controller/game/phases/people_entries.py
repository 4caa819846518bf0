"""Entries that people type: an amount of chips or the face of a card that no device could read, and the
dealer's sign-on and relief.

A `verify_*` function is called before anything is written; a refused entry is not journalled and changes
nothing. Reports of the dealer are in `reports.py`. Source: tests/scenarios/FORMAT.md `enter`, `floor`.
"""

from __future__ import annotations

from dataclasses import replace

from controller.game.books import movements
from controller.game.model import events
from controller.game.model.evolve import evolve
from controller.game.model.irregularities import Code
from controller.game.model.names import IN_PLAY, SEATS, Circle, Phase
from controller.game.model.round import Dealt
from controller.game.model.state import Context, Holding, Signature, TableState
from controller.game.model.transition import Transition
from controller.game.phases import face_up, planning
from controller.game.phases.decisions import DECISIONS, change_of_mind
from controller.game.phases.decisions import unread_place as unread_community
from controller.game.rulebook.faces import ASIDE, open_faces
from controller.game.rulebook.wagers import Refusal

# ------------------------------------------------------------------ amounts


def verify_amount(state: TableState, context: Context, event: events.AmountEntered) -> Refusal | None:
    """Return why an amount may not be entered for this circle, or None; only a circle that cannot be read
    takes one."""
    if event.cents < 0 or event.wager not in context.offered() or event.seat not in SEATS:
        return Refusal(Code.BET_OUT_OF_RANGE, "")
    holding = state.holding(event.seat, event.wager)
    return None if holding.dead else Refusal("reader_answers", "")


def amount_entered(play: Transition, event: events.AmountEntered) -> None:
    """Record an amount entered by the dealer; after the close a floorperson signs it."""
    known = play.state.holding(event.seat, event.wager)
    entered = Holding((), known.reading, event.cents)
    row = play.state.holdings.get(event.seat, {})
    play.state = evolve(play.state, holdings=play.state.holdings | {event.seat: row | {event.wager: entered}})
    movements.follow(play, Circle(event.seat, event.wager), "entered")
    if event.cents and play.state.round is not None:
        movements.post_entered(play, Circle(event.seat, event.wager))
    if play.state.phase in DECISIONS:
        change_of_mind(play, event.seat, event.wager, event.cents > known.amount)
    if play.state.play_phase in IN_PLAY:
        kept = tuple(
            s
            for s in play.state.signatures
            if (s.what, s.seat, s.wager) != ("amount", event.seat, event.wager)
        )
        play.state = evolve(
            play.state, signatures=(*kept, Signature("amount", event.seat, event.wager, event.cents))
        )


# ------------------------------------------------------------------ faces


def place_to_enter(state: TableState) -> str | None:
    """Return the place of the turned card with a face that the dealer must enter now, or None."""
    if state.round is None:
        return None
    if state.phase is Phase.SETTLEMENT:
        return planning.unread_place(state.round)
    return unread_community(state.round) if state.phase in DECISIONS else None


def verify_face(state: TableState, _context: Context, event: events.FaceEntered) -> Refusal | None:
    """Return why a face may not be entered, or None: its card must be the requested one or one set aside, and
    the face not be visible already. If a card still face down has the same face, play is held when that card
    is turned (`duplicates.py`)."""
    round_ = state.round
    if round_ is None:
        return Refusal("not_now", "")
    if event.place == ASIDE and None not in round_.deal.set_aside:
        return Refusal("nothing_set_aside", "")
    if event.place not in (ASIDE, place_to_enter(state)):
        return Refusal("not_asked_for", "")
    seen = event.face in open_faces(round_).values()
    return Refusal("card_already_seen", "") if seen else None


def face_entered(play: Transition, event: events.FaceEntered) -> None:
    """Record a face entered by the dealer."""
    play.by_person = True
    round_ = play.round
    if event.place == ASIDE:
        faces = list(round_.deal.set_aside)
        faces[faces.index(None)] = event.face
        play.deal = evolve(play.deal, set_aside=tuple(faces))
        face_up.clear_if_entered(play)
    else:
        dealt = replace(round_.cards.get(event.place, Dealt(0)), face=event.face, said=True)
        play.round = evolve(play.round, cards=round_.cards | {event.place: dealt})
        if play.state.phase is Phase.SETTLEMENT:
            planning.replan(play)


# ------------------------------------------------------------------ dealers


def missing_dealer(state: TableState, context: Context) -> Refusal | None:
    """Return the refusal of an act if the table requires a dealer who has signed on and there is none; else
    None."""
    return Refusal("no_dealer", "") if context.settings.sign_on and state.dealer is None else None


def signed_on(play: Transition, event: events.DealerSignedOn) -> None:
    """Sign a dealer on; a relief during a round goes into the round's record."""
    play.state = evolve(play.state, dealer=event.number)
    if play.state.round is None or play.state.play_phase is Phase.CLEARING:
        return
    dealers = play.round.dealers
    if not dealers or dealers[-1][0] != event.number:
        play.round = evolve(play.round, dealers=(*dealers, (event.number, play.context.utc)))


def relieved(play: Transition, _event: events.DealerRelieved) -> None:
    play.state = evolve(play.state, dealer=None)
