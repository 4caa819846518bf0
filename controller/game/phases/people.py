"""What people tell the table: amounts and faces, who deals, what a floorperson decides.

`verify_*` is asked before anything is written down; a refused word is not journaled and changes
nothing. What the dealer reports is in `reports.py`. Source: tests/scenarios/FORMAT.md `enter`, `floor`.
"""

from __future__ import annotations

from dataclasses import replace

from controller.game.books import movements
from controller.game.model.events import (
    AmountEntered,
    DealerRelieved,
    DealerSignedOn,
    FaceEntered,
    FloorDecided,
)  # fmt: skip
from controller.game.model.evolve import evolve
from controller.game.model.irregularities import WITH_SHOE, Code, Outcome
from controller.game.model.names import BEFORE_THE_DEAL, IN_PLAY, SEATS, Circle, Method, Phase
from controller.game.model.round import Dealt
from controller.game.model.state import Context, Holding, Signature, TableState
from controller.game.model.transition import Transition
from controller.game.phases import corrections, deck, face_up, patrons, settlement, voiding
from controller.game.phases.dealing import faces_known
from controller.game.phases.decisions import DECISIONS, change_of_mind
from controller.game.phases.decisions import unread as unread_community
from controller.game.rulebook import wagers
from controller.game.rulebook.deal import deals_stacks
from controller.game.rulebook.faces import shown_places
from controller.game.rulebook.wagers import Refusal

STOPS = (Outcome.VOID, Outcome.REMOVE_DECK)
"""How a floorperson ends a round of which nothing is held."""

# ------------------------------------------------------------------ amounts


def verify_amount(state: TableState, context: Context, event: AmountEntered) -> Refusal | None:
    """Only the amount in a circle that no reader can read may be entered."""
    if event.cents < 0 or event.wager not in context.offered() or event.seat not in SEATS:
        return Refusal(Code.BET_OUT_OF_RANGE, "")
    holding = state.holding(event.seat, event.wager)
    return None if holding.dead else Refusal("reader_answers", "")


def amount_entered(play: Transition, event: AmountEntered) -> None:
    """The dealer gives an amount; after the close a floorperson signs it."""
    known = play.state.holding(event.seat, event.wager)
    entered = Holding((), known.reading, event.cents)
    row = play.state.holdings.get(event.seat, {})
    play.state = evolve(play.state, holdings=play.state.holdings | {event.seat: row | {event.wager: entered}})
    movements.follow(play, Circle(event.seat, event.wager), "entered")
    if event.cents and play.state.round is not None:
        movements.given(play, Circle(event.seat, event.wager))
    if play.state.phase in DECISIONS:
        change_of_mind(play, event.seat, event.wager, event.cents > known.amount)
    if play.state.stands in IN_PLAY:
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
    """The turned card whose face the dealer must enter now."""
    if state.round is None:
        return None
    if state.phase is Phase.SETTLEMENT:
        return settlement.unread_place(state.round)
    return unread_community(state.round) if state.phase in DECISIONS else None


def verify_face(state: TableState, _context: Context, event: FaceEntered) -> Refusal | None:
    """A face belongs to the card that is asked for, or to one set aside. A card already seen is refused; if a
    card still face down bears the same face, play is held when that one comes out."""
    round_ = state.round
    if round_ is None:
        return Refusal("not_now", "")
    if event.place == "set_aside":
        free = None in round_.deal.set_aside
        return _seen(state, event) if free else Refusal("nothing_set_aside", "")
    if event.place != place_to_enter(state):
        return Refusal("not_asked_for", "")
    return _seen(state, event)


def _seen(state: TableState, event: FaceEntered) -> Refusal | None:
    round_ = state.round
    if round_ is None:
        return None
    public = shown_places(round_)
    seen = {round_.cards[place].face for place in public if place in round_.cards}
    seen |= {face for face in round_.deal.set_aside if face}
    return Refusal("card_already_seen", "") if event.face in seen else None


def face_entered(play: Transition, event: FaceEntered) -> None:
    """The dealer enters a face. If the shoe gave it to another card, that card exists twice."""
    play.said = True
    round_ = play.round
    twice = event.face in faces_known(round_)
    if event.place == "set_aside":
        faces = list(round_.deal.set_aside)
        faces[faces.index(None)] = event.face
        play.deal = evolve(play.deal, set_aside=tuple(faces))
        face_up.shown(play)
    else:
        known = round_.cards.get(event.place, Dealt(0))
        play.round = evolve(play.round, cards=round_.cards | {event.place: replace(known, face=event.face)})
        if play.state.phase is Phase.SETTLEMENT:
            settlement.replan(play)
    if twice:
        play.hold(Code.DUPLICATE_CARD, place=event.place, face=event.face)


# ------------------------------------------------------------------ who deals, who decides


def signed_on(play: Transition, event: DealerSignedOn) -> None:
    """A dealer takes the table; a relief during a round goes into the round's record."""
    play.state = evolve(play.state, dealer=event.number)
    if play.state.round is None or play.state.stands is Phase.CLEARING:
        return
    dealers = play.round.dealers
    if not dealers or dealers[-1][0] != event.number:
        play.round = evolve(play.round, dealers=(*dealers, (event.number, play.context.utc)))


def relieved(play: Transition, _event: DealerRelieved) -> None:
    play.state = evolve(play.state, dealer=None)


def verify_floor(state: TableState, context: Context, event: FloorDecided) -> Refusal | None:
    """Whether this floorperson may decide that now. While play is held, only the decision on it is
    accepted."""
    if not context.knows(event.badge):
        return Refusal("unknown_badge", "")
    if state.hold is not None:
        return voiding.verify_decision(state, context, event)
    if event.decision == "player":
        return _verify_player(state, context, event)
    if event.decision == "method":
        return _verify_method(state, context, event)
    if event.decision in ("recut", "shuffle"):
        return None if state.deck.present and state.phase in BEFORE_THE_DEAL else Refusal("not_now", "")
    if event.decision == "close":
        return None if state.phase in (*BEFORE_THE_DEAL, Phase.OPENING) else Refusal("not_now", "")
    if event.decision == "forfeit":
        return _verify_forfeit(state, context, event)
    if event.decision == "outcome" and event.outcome in STOPS and state.phase in IN_PLAY:
        return None
    waits = event.decision in ("approve", "sign") and _waits(state, event)
    return None if waits else Refusal("nothing_held", "")


def _verify_forfeit(state: TableState, context: Context, event: FloorDecided) -> Refusal | None:
    """A hand is forfeited only for what the rules list."""
    box = state.round.seats.get(event.seat) if state.round and event.seat else None
    if box is None or box.forfeited is not None or state.phase not in IN_PLAY:
        return Refusal("seat_not_in_round", "")
    allowed = event.code in context.pack.forfeits
    return None if allowed else Refusal("no_forfeit", context.pack.cite("forfeits"))


def _waits(state: TableState, event: FloorDecided) -> bool:
    """Whether there is anything for this to sign."""
    if state.phase is Phase.OPENING:
        return state.deck.present and deck.next_step(state) == deck.FLOOR_STEP
    amounts = any(corrections.meant(event, s.seat, s.wager) for s in state.signatures)
    return amounts or any(corrections.meant(event, *circle) for _, circle in corrections.signable(state))


def _verify_player(state: TableState, context: Context, event: FloorDecided) -> Refusal | None:
    if state.phase is not Phase.BETTING:
        return Refusal("not_now", "")
    if not event.seats or not set(event.seats) <= set(SEATS):
        return Refusal("seat_not_in_round", "")
    return wagers.verify_boxes(context.pack, event.seats)


def _verify_method(state: TableState, context: Context, event: FloorDecided) -> Refusal | None:
    if event.method is None or event.method not in context.pack.deals:
        return Refusal("method_not_permitted", context.pack.rulings[Code.DEVICE_OUT_OF_ORDER].citation)
    broken = any(alert.code is Code.SHUFFLER_FAULT for alert in state.alerts)
    if context.pack.deals[event.method].needs_shuffler and (broken or not context.settings.shuffler):
        return Refusal("shuffler_needed", context.pack.cite(f"deals.{event.method}.needs_shuffler"))
    between = (*BEFORE_THE_DEAL, Phase.OPENING, Phase.CLOSED)
    return None if state.phase in between and not state.closing else Refusal("not_now", "")


def floor_decided(play: Transition, event: FloorDecided) -> None:
    """A floorperson decides what is held, signs what waits, or directs the deck and the boxes."""
    if play.state.hold is not None or event.decision == "outcome":
        _decide(play, event)
    elif event.decision == "player":
        play.state = evolve(play.state, players=patrons.told(play.state.players, event.seats))
    elif event.decision == "method":
        _change_method(play, event)
    elif event.decision in ("recut", "shuffle"):
        _direct_shuffle(play, event.decision)
    elif event.decision == "close":
        deck.close_table(play)
        play.state = evolve(play.state, players={})  # who comes when it is opened again is not known
    elif event.decision == "forfeit":
        play.note(event.code, event.seat, resolved=True)
        play.explain(event.code, event.seat, None, event.reason)
        voiding.forfeit(play, event.seat, event.code)
    else:
        _sign(play, event)


def _decide(play: Transition, event: FloorDecided) -> None:
    """Decide what is held. If nothing is held, the floorperson stops the round and ends it in one act."""
    if play.state.hold is None:
        play.hold(Code.FLOOR_STOPPED)
    hold = play.state.hold
    voiding.decide(play, event)
    if hold is not None:
        play.explain(hold.code, hold.seat, hold.wager, event.reason)


def _change_method(play: Transition, event: FloorDecided) -> None:
    """The device is signed out of order before another method is used (58 Pa. Code § 674a.13(g)), and the
    next round's record says so. Going from the hand back to a shoe, the deck must be put in and shuffled."""
    old, method = play.state.method, event.method or play.state.method
    if old is method:
        return
    play.state = evolve(play.state, method=method)
    play.deck = evolve(
        play.deck, last_back=None, backs=()
    )  # the decks have to be moved: whichever comes begins the turns
    play.clear_alerts(WITH_SHOE)
    own = play.context.settings.method
    if play.state.shoe.up and (own in (old, method) or Method.HAND in (old, method)):
        given_up = method is Method.HAND or (own is old and old is not Method.HAND)
        play.command("SIGN", "ON" if given_up else "OFF")
    deck.sign_device(play, mended=own is method, given_up=old is not Method.HAND)
    wanted = "STACK" if deals_stacks(play.context.pack.deals[method]) else "SINGLE"
    if method is not Method.HAND and play.state.shoe.mode not in (None, wanted):
        play.shoe = evolve(
            play.shoe, ready=False
        )  # another kind of shoe has to come and say that it is ready
    if old is Method.HAND and play.state.phase is Phase.BETTING:
        play.shoe = evolve(play.shoe, ready=False)
        play.deck = evolve(play.deck, shuffle_commanded=False, shuffle_refused=False)
        play.enter(Phase.SHUFFLE)


def _direct_shuffle(play: Transition, decision: str) -> None:
    """A recut before the deal (.5(e)), or a shuffle whenever a floorperson directs it (.5(a))."""
    play.state = evolve(play.state, round=None, sweep_since=None)
    if decision == "recut":
        play.state = evolve(play.state, opening=("recut",), opening_done=())
        play.enter(Phase.OPENING)
    else:
        play.shoe = evolve(play.shoe, ready=False)
        play.deck = evolve(play.deck, shuffle_commanded=False)
        deck.to_shuffle(play)


def _sign(play: Transition, event: FloorDecided) -> None:
    """An opening step, or what waits: amounts entered after the close, differences left as they lie."""
    if play.state.phase is Phase.OPENING:
        deck.step_done(play)
        return
    left = (s for s in play.state.signatures if not corrections.meant(event, s.seat, s.wager))
    play.state = evolve(play.state, signatures=tuple(left))
    corrections.sign(play, event)
