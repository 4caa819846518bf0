"""What people tell the table: entries, reports, who deals, what a floorperson decides.

`verify_*` is asked before anything is written down; a refused word is not journaled and changes
nothing. Reports name what no device can see. Source: contracts/scenario.md `report`, `enter`, `floor`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from controller.game import deck, settling, voiding, wagers
from controller.game.dealing import apply_ruling, expected_stub, faces_known
from controller.game.decisions import DECISIONS
from controller.game.decisions import unread as unread_community
from controller.game.events import (
    AmountEntered,
    CardsSwapped,
    DealerRelieved,
    DealerSignedOn,
    FaceEntered,
    FloorDecided,
    Reported,
)  # fmt: skip
from controller.game.irregularities import FLOOR_CHOICES, FORFEIT, ruling_for
from controller.game.names import CROSS, SEATS, Method, Phase
from controller.game.rules import Outcome
from controller.game.settlement import Step
from controller.game.state import Context, Dealt, Holding, Signature, TableState
from controller.game.turn import Turn
from controller.game.wagers import Refusal

IN_PLAY = (Phase.DEALING, Phase.ACROSS, Phase.DOWN, Phase.MIDDLE, Phase.SETTLEMENT)


def phase_of(state: TableState) -> Phase:
    return state.hold.phase if state.hold else state.phase


# ------------------------------------------------------------------ amounts


def verify_amount(state: TableState, context: Context, event: AmountEntered) -> Refusal | None:
    """Only a circle that no reader can read is asked for."""
    if event.cents < 0 or event.wager not in context.offered() or event.seat not in SEATS:
        return Refusal("bet_out_of_range", "")
    holding = state.holding(event.seat, event.wager)
    return None if holding.dead else Refusal("reader_answers", "")


def amount_entered(turn: Turn, event: AmountEntered) -> None:
    """The dealer gives an amount; after the close a floorperson signs it."""
    known = turn.state.holding(event.seat, event.wager)
    entered = Holding((), known.reading, event.cents, turn.context.ms)
    row = turn.state.holdings.get(event.seat, {})
    turn.set(holdings=turn.state.holdings | {event.seat: row | {event.wager: entered}})
    if phase_of(turn.state) in IN_PLAY:
        kept = tuple(
            s
            for s in turn.state.signatures
            if (s.what, s.seat, s.wager) != ("amount", event.seat, event.wager)
        )
        turn.set(signatures=(*kept, Signature("amount", event.seat, event.wager, event.cents)))


# ------------------------------------------------------------------ faces


def place_to_enter(state: TableState) -> str | None:
    """The turned card whose face the dealer must enter now."""
    if state.round is None:
        return None
    if state.phase is Phase.SETTLEMENT:
        return settling.unread_place(state.round)
    return unread_community(state.round) if state.phase in DECISIONS else None


def verify_face(state: TableState, _context: Context, event: FaceEntered) -> Refusal | None:
    """A face belongs to the card that is asked for, or to one set aside; a card seen already is refused
    (a card still face down may bear it too: that is not said here, it is held when it comes out)."""
    round_ = state.round
    if round_ is None:
        return Refusal("not_now", "")
    if event.place == "set_aside":
        free = None in round_.set_aside
        return _seen(state, event) if free else Refusal("nothing_set_aside", "")
    if event.place != place_to_enter(state):
        return Refusal("not_asked_for", "")
    return _seen(state, event)


def _seen(state: TableState, event: FaceEntered) -> Refusal | None:
    round_ = state.round
    if round_ is None:
        return None
    public = settling.shown_places(round_)
    seen = {round_.cards[place].face for place in public if place in round_.cards}
    seen |= {face for face in round_.set_aside if face}
    return Refusal("card_already_seen", "") if event.face in seen else None


def face_entered(turn: Turn, event: FaceEntered) -> None:
    """The dealer enters a face. One that the shoe gave to another card means that a card is there twice."""
    round_ = turn.round
    twice = event.face in faces_known(round_)
    if event.place == "set_aside":
        faces = list(round_.set_aside)
        faces[faces.index(None)] = event.face
        turn.set_round(set_aside=tuple(faces))
    else:
        known = round_.cards.get(event.place, Dealt(0))
        turn.set_round(cards=round_.cards | {event.place: replace(known, face=event.face, entered=True)})
        if turn.state.phase is Phase.SETTLEMENT:
            settling.replan(turn)
    if twice:
        turn.hold("duplicate_card", ruling_for(turn.context.pack, "duplicate_card", "duplicate_card"))


# ------------------------------------------------------------------ reports


def verify_report(state: TableState, context: Context, event: Reported) -> Refusal | None:
    """Whether what is reported can have happened now."""
    if event.what == "shuffler_fault":
        return None
    if state.round is None or phase_of(state) not in IN_PLAY:
        return Refusal("no_round", "")
    if event.what == "stub_count":
        return None if state.round.stub_out else Refusal("stub_not_out", "")
    if event.seat is not None and event.seat not in state.round.seats:
        return Refusal("seat_not_in_round", "")
    if event.what == "community_exposed" and event.place in state.round.turned:
        return Refusal("already_turned", "")
    if event.what == "card_differs":
        return _verify_differs(state, event)
    known = event.what in context.pack.rulings
    return None if known else Refusal("not_a_report", "")


def _verify_differs(state: TableState, event: Reported) -> Refusal | None:
    if state.round is None or event.place is None or event.face is None:
        return Refusal("place_and_face", "")
    turned = event.place in settling.shown_places(state.round)
    return None if turned else Refusal("not_turned", "")


def reported(turn: Turn, event: Reported) -> None:
    """The dealer reports; the pack says what it means."""
    pack = turn.context.pack
    if event.what == "stub_count":
        _stub_counted(turn, event.number or 0)
    elif event.what == "card_differs":
        _differs(turn, place=event.place, face=event.face)
    elif event.what == "wrong_count":
        _wrong_count(turn, event)
    elif event.what == "shuffler_fault":
        _shuffler_fault(turn)
    elif event.what in ("player_left", "players_conferred", "cards_touched", "out_of_view"):
        _player(turn, event)
    else:
        place = f"bonus_{event.number}" if event.what == "bonus_exposed" else event.place
        apply_ruling(turn, event.what, ruling_for(pack, event.what, event.what), event.seat, place)


def _stub_counted(turn: Turn, number: int) -> None:
    """The dealer's count of the stub (58 Pa. Code § 674a.10(d) to (f))."""
    turn.set_round(stub_counted=number)
    turn.clear_alert("stub_count_due")
    if number != expected_stub(turn.round):
        turn.hold("deck_count", ruling_for(turn.context.pack, "stub_short", "deck_count"))


def _wrong_count(turn: Turn, event: Reported) -> None:
    """A seat or the cross has the wrong number of cards. On top of a wrong stub it decides between a
    misdealt whole deck and a deck that is not 52 (58 Pa. Code § 674a.10(f))."""
    pack, hold = turn.context.pack, turn.state.hold
    place = None if event.seat else "cross"
    ruling = ruling_for(pack, "wrong_count", "wrong_count")
    if hold is None or hold.code != "deck_count":
        turn.hold("wrong_count", ruling, seat=event.seat, place=place)
        return
    turn.note("wrong_count", event.seat, citation=ruling.citation)
    due = 2 if event.seat else len(CROSS)
    stub = turn.round.stub_counted if turn.round.stub_counted is not None else turn.round.stub_shoe
    whole = stub is not None and stub + (event.number or 0) - due == expected_stub(turn.round)
    decided = ruling_for(pack, "stub_misdealt" if whole else "stub_both", "deck_count")
    outcome = decided.outcome
    turn.set(hold=replace(hold, citation=decided.citation, proposed=outcome, outcomes=(outcome.value,)))


def _shuffler_fault(turn: Turn) -> None:
    ruling = ruling_for(turn.context.pack, "shuffler_fault", "shuffler_fault")
    if phase_of(turn.state) in IN_PLAY or ruling.outcome is Outcome.RESHUFFLE:
        turn.note("shuffler_fault", citation=ruling.citation, resolved=True)
        turn.set_deck(shuffle_commanded=False)
    else:
        turn.hold("shuffler_fault", ruling)


def _player(turn: Turn, event: Reported) -> None:
    """A player left, conferred, had his cards touched or out of view: forfeited, or the floor's to say."""
    ruling = ruling_for(turn.context.pack, event.what, event.what)
    forfeits = event.what in turn.context.pack.forfeits
    if ruling.outcome is Outcome.NOTICE and not forfeits:
        turn.note(event.what, event.seat, citation=ruling.citation, resolved=True)
        return
    turn.note(event.what, event.seat, citation=ruling.citation)
    held = turn.state
    if held.hold is None:
        turn.set(round=replace(turn.round, irregularities=turn.round.irregularities[:-1]))
        turn.hold(
            event.what, ruling, seat=event.seat,
            outcomes=(Outcome.GO_ON.value, FORFEIT) if forfeits else FLOOR_CHOICES,
        )  # fmt: skip
        if forfeits and turn.state.hold is not None:
            must = event.what != "player_left"
            turn.set(hold=replace(turn.state.hold, proposed="forfeit" if must else None))


def _differs(turn: Turn, **more: Any) -> None:
    """The card on the felt is not the card on the screen: held, a floorperson signs."""
    ruling = ruling_for(turn.context.pack, "card_differs", "card_differs")
    turn.hold("card_differs", ruling, proposed=Outcome.GO_ON, outcomes=FLOOR_CHOICES, **more)


def verify_swap(state: TableState, _context: Context, event: CardsSwapped) -> Refusal | None:
    if state.round is None or phase_of(state) not in IN_PLAY:
        return Refusal("no_round", "")
    both = event.first in state.round.cards and event.second in state.round.cards
    return None if both and event.first != event.second else Refusal("place_and_face", "")


def swapped(turn: Turn, event: CardsSwapped) -> None:
    _differs(turn, place=event.first, swap=(event.first, event.second))


# ------------------------------------------------------------------ who deals, who decides


def signed_on(turn: Turn, event: DealerSignedOn) -> None:
    turn.set(dealer=event.number)


def relieved(turn: Turn, _event: DealerRelieved) -> None:
    turn.set(dealer=None)


def verify_floor(state: TableState, context: Context, event: FloorDecided) -> Refusal | None:
    """Whether this floorperson may decide that now."""
    known = context.settings.floorpersons
    if not event.badge or (known and event.badge not in known):
        return Refusal("unknown_badge", "")
    if event.decision == "player":
        return _verify_player(state, context, event)
    if event.decision == "method":
        return _verify_method(state, context, event)
    if event.decision in ("recut", "shuffle"):
        between = state.phase in (Phase.BETTING, Phase.SHUFFLE, Phase.CLEARING, Phase.OPENING)
        return None if between else Refusal("not_now", "")
    if event.decision == "close":
        return None if state.phase in (Phase.BETTING, Phase.OPENING) else Refusal("not_now", "")
    if state.hold is not None:
        return voiding.verify_decision(state, context, event)
    if event.decision == "forfeit":
        playing = state.round is not None and event.seat in state.round.seats
        return None if playing and state.phase in IN_PLAY else Refusal("seat_not_in_round", "")
    signable = bool(state.signatures) or to_sign(state) or deck.next_step(state) == deck.FLOOR_STEP
    return None if event.decision in ("approve", "sign") and signable else Refusal("nothing_held", "")


def _verify_player(state: TableState, context: Context, event: FloorDecided) -> Refusal | None:
    if state.phase is not Phase.BETTING:
        return Refusal("not_now", "")
    return wagers.verify_boxes(context.pack, event.seats)


def _verify_method(state: TableState, context: Context, event: FloorDecided) -> Refusal | None:
    if event.method is None or event.method not in context.pack.deals:
        return Refusal("method_not_permitted", context.pack.cite("duties.no_more_bets"))
    between = phase_of(state) in (Phase.BETTING, Phase.SHUFFLE, Phase.CLEARING, Phase.OPENING, Phase.CLOSED)
    return None if between else Refusal("not_now", "")


def to_sign(state: TableState) -> bool:
    """Whether a difference stands that a floorperson may sign instead of its being mended."""
    return state.phase in IN_PLAY and any(alert.seat and alert.wager for alert in state.alerts)


def floor_decided(turn: Turn, event: FloorDecided) -> None:
    """A floorperson decides what is held, signs what waits, or directs the deck and the boxes."""
    if event.decision == "player":
        first = str(min(event.seats))
        turn.set(players=turn.state.players | dict.fromkeys(event.seats, first))
    elif event.decision == "method":
        _change_method(turn, event)
    elif event.decision in ("recut", "shuffle"):
        _direct_shuffle(turn, event.decision)
    elif event.decision == "close":
        turn.enter(Phase.CLOSED)
    elif turn.state.hold is not None:
        voiding.decide(turn, event)
    elif event.decision == "forfeit":
        voiding.forfeit(turn, event.seat, "player_left")
    else:
        _sign(turn)


def _change_method(turn: Turn, event: FloorDecided) -> None:
    """The device is signed out of order before another method is used (58 Pa. Code § 674a.13(g))."""
    method = event.method or turn.state.method
    if turn.state.shoe.up and method is Method.HAND:
        turn.command("SIGN", "ON")
    turn.set(method=method, signed_out=(*turn.state.signed_out, turn.state.method))
    turn.clear_alert("shoe_lost")
    turn.clear_alert("shoe_fault")


def _direct_shuffle(turn: Turn, decision: str) -> None:
    """A recut before the deal (.5(e)), or a shuffle whenever a floorperson directs it (.5(a))."""
    if decision == "recut":
        turn.set(opening=("cut",), opening_done=())
        turn.enter(Phase.OPENING)
    else:
        turn.set_shoe(ready=False)
        turn.set_deck(shuffle_commanded=False)
        turn.enter(Phase.SHUFFLE)


def _sign(turn: Turn) -> None:
    if turn.state.phase is Phase.OPENING and deck.next_step(turn.state) == deck.FLOOR_STEP:
        deck.step_done(turn)
        return
    turn.set(signatures=())
    if turn.state.phase not in IN_PLAY:
        return
    step = settling.due_step(turn.state)
    for alert in turn.state.alerts:
        if alert.seat and alert.wager:
            amount = turn.state.amount(alert.seat, alert.wager)
            turn.set_round(signed_off=turn.round.signed_off | {(alert.seat, alert.wager): amount})
            turn.clear_alert(alert.code, alert.seat, alert.wager)
            if isinstance(step, Step) and (step.seat, step.wager) == (alert.seat, alert.wager):
                settling.settle(turn, step, seen=False)
