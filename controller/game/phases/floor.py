"""Decisions, signatures and directions of a floorperson, and which of them are possible now.

`verify` is called before anything is written, and by the screen, which offers only what would be accepted.
Source: tests/scenarios/FORMAT.md `floor`, config/rules/RULES.md "Irregularities".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from controller.game.model.events import FloorDecided, RoundCorrected
from controller.game.model.evolve import evolve
from controller.game.model.irregularities import FORFEIT, WITH_SHOE, Code, Outcome
from controller.game.model.names import BEFORE_THE_DEAL, IN_PLAY, SEATS, Method, Phase
from controller.game.model.state import Context, Signature, TableState
from controller.game.model.transition import Transition
from controller.game.phases import (
    corrections,
    deck,
    forfeits,
    journal_loss,
    patrons,
    shoe_trust,
    subjects,
    voiding,
)
from controller.game.phases.decisions import restore_hand, verify_restore
from controller.game.rulebook import wagers
from controller.game.rulebook.deal import deals_stacks
from controller.game.rulebook.wagers import Refusal

ENDING_OUTCOMES = (Outcome.VOID, Outcome.REMOVE_DECK)
"""Outcomes by which a floorperson ends a round that is not held."""

ONE_CIRCLE_SINCE = 3
"""First revision of `PROCEDURES` in which a signature names the circle of its subject."""


# ------------------------------------------------------------------ possible decisions


def verify(state: TableState, context: Context, event: FloorDecided) -> Refusal | None:
    """Return why this floorperson may not take that decision now, or None."""
    if not context.may_decide(event.badge):
        return Refusal("unknown_badge", "")
    if refused := refusal(state, context, event):
        return refused
    unsaid = context.settings.reasons and not routine(state, event) and not event.reason.strip()
    return Refusal("reason_needed", "") if unsaid else None


def routine(state: TableState, event: FloorDecided) -> bool:
    """Return whether a decision needs no reason: the answer to a call, or a step of the opening."""
    signs = event.decision in ("sign", "approve") and state.phase is Phase.OPENING
    return event.decision == "answer" or signs


def refusal(state: TableState, context: Context, event: FloorDecided) -> Refusal | None:
    """Return why a decision is refused now for any floorperson, or None. While play is held, only the
    decision on the hold is accepted."""
    if event.decision == "answer":
        return None if state.floor_called else Refusal("not_called", "")
    if state.hold is not None:
        return voiding.verify_decision(state, context, event)
    verifier = VERIFIERS.get(event.decision)
    return verifier(state, context, event) if verifier else Refusal("nothing_held", "")


def may_forfeit(state: TableState, context: Context, seat: int) -> bool:
    """Return whether this seat may forfeit for at least one code."""
    if state.hold is None:
        return bool(context.pack.forfeits) and _may_lose(state, seat)
    events = (FloorDecided("", "forfeit", seat=seat, code=code) for code in context.pack.forfeits)
    return any(refusal(state, context, event) is None for event in events)


def _verify_stop(state: TableState, _context: Context, event: FloorDecided) -> Refusal | None:
    stops = event.outcome in ENDING_OUTCOMES and state.phase in IN_PLAY
    return None if stops else Refusal("nothing_held", "")


def _verify_direct(state: TableState, _context: Context, _event: FloorDecided) -> Refusal | None:
    """Return why a recut or a shuffle may not be directed now, or None: the deck must be at the table, with
    no card out."""
    return None if state.deck.present and state.phase in BEFORE_THE_DEAL else Refusal("not_now", "")


def _verify_close(state: TableState, context: Context, _event: FloorDecided) -> Refusal | None:
    """Return why the table may not be closed now, or None: no round may be in play, and all wagers must have
    been handed back."""
    if state.phase not in (*BEFORE_THE_DEAL, Phase.OPENING):
        return Refusal("not_now", "")
    lies = any(state.amount(seat, wager) for seat in SEATS for wager in context.offered())
    return Refusal("wagers_lie", "") if lies else None


def _verify_forfeit(state: TableState, context: Context, event: FloorDecided) -> Refusal | None:
    """Return why a hand may not be forfeited now, or None: the rule pack must list the code as a reason for a
    forfeit."""
    if event.seat is None or not _may_lose(state, event.seat):
        return Refusal("seat_not_in_round", "")
    if event.code not in context.pack.forfeits:
        return Refusal("no_forfeit", context.pack.cite("forfeits"))
    if event.outcome in (None, FORFEIT) or forfeits.may_choose(state, context, event.seat, event.code):
        return None
    return Refusal("not_offered", context.pack.cite("forfeits"), {"offered": FORFEIT})


def _may_lose(state: TableState, seat: int) -> bool:
    """Return whether a seat is in play and has not forfeited."""
    box = state.round.seats.get(seat) if state.round else None
    return box is not None and box.forfeited is None and state.phase in IN_PLAY


def _verify_sign(state: TableState, context: Context, event: FloorDecided) -> Refusal | None:
    """Return why a signature is refused, or None: there must be an item that it signs."""
    if state.phase is Phase.OPENING:
        waits = deck.awaits_signature(state)
    else:
        amounts = any(corrections.covers(event, s.seat, s.wager) for s in state.signatures)
        waits = amounts or any(corrections.covers(event, *at) for _, at in corrections.signable(state))
    if not waits:
        return Refusal("nothing_held", "")
    if state.procedures >= ONE_CIRCLE_SINCE and not _names_its_circle(state, context, event):
        return Refusal("circle_not_named", "")
    return _verify_holder(state, event) if event.holder and state.procedures else None


def _names_its_circle(state: TableState, context: Context, event: FloorDecided) -> bool:
    """Return whether a signature for one circle names it. Without that, a signature for the alert at one
    circle would sign the differences at all others."""
    named = dict(subjects.items_to_sign(state, context)).get(event.about or "")
    return named is None or named == (event.seat, event.wager)


def _verify_holder(state: TableState, event: FloorDecided) -> Refusal | None:
    """Return why a signature may not name this holder of missing chips, or None. The house may be named only
    if chips are missing; the player may also be named for excess chips."""
    if event.holder == "player":
        return None
    candidates = (at for _, at in corrections.signable(state) if corrections.covers(event, *at))
    answers = any(corrections.answerable(state, at, event.holder) for at in candidates)
    return None if answers else Refusal("nothing_missing", "")


def _verify_player(state: TableState, context: Context, event: FloorDecided) -> Refusal | None:
    if state.phase is not Phase.BETTING:
        return Refusal("not_now", "")
    if not event.seats or not set(event.seats) <= set(SEATS):
        return Refusal("seat_not_in_round", "")
    return wagers.verify_boxes(context.pack, event.seats)


def _shuffler_works(state: TableState, context: Context) -> bool:
    broken = any(alert.code is Code.SHUFFLER_FAULT for alert in state.alerts)
    return context.settings.shuffler and not broken


def _verify_method(state: TableState, context: Context, event: FloorDecided) -> Refusal | None:
    if event.method is None or event.method not in context.pack.deals:
        return Refusal("method_not_permitted", context.pack.rulings[Code.DEVICE_OUT_OF_ORDER].citation)
    if context.pack.deals[event.method].needs_shuffler and not _shuffler_works(state, context):
        return Refusal("shuffler_needed", context.pack.cite(f"deals.{event.method}.needs_shuffler"))
    between = (*BEFORE_THE_DEAL, Phase.OPENING, Phase.CLOSED)
    return None if state.phase in between and not state.closing else Refusal("not_now", "")


VERIFIERS: Mapping[str, Callable[[TableState, Context, FloorDecided], Refusal | None]] = {
    "outcome": _verify_stop,
    "forfeit": _verify_forfeit,
    "restore": lambda state, _context, event: verify_restore(state, event.seat),
    "recut": _verify_direct,
    "shuffle": _verify_direct,
    "player": _verify_player,
    "method": _verify_method,
    "sign": _verify_sign,
    "approve": _verify_sign,
    "close": _verify_close,
}
"""Checks of decisions while play is not held."""


# ------------------------------------------------------------------ handling of decisions


def decided(play: Transition, event: FloorDecided) -> None:
    """Handle a decision of a floorperson: on the hold, on items to sign, on the deck or on the boxes. A
    decision also answers the call."""
    if play.state.hold is not None and event.decision != "answer":
        _decide(play, event)
    else:
        HANDLERS[event.decision](play, event)
    answered(play, event)


def answered(play: Transition, _event: FloorDecided | RoundCorrected) -> None:
    """Clear the call after an answer. A second press of FLOOR does not clear it."""
    if play.state.floor_called:
        play.state = evolve(play.state, floor_called=False)
    shoe_trust.answered(play)


def corrected(play: Transition, event: RoundCorrected) -> None:
    """Handle the correction of a closed round, which also answers the call."""
    corrections.correct(play, event)
    answered(play, event)


def _decide(play: Transition, event: FloorDecided) -> None:
    """Apply the decision on the hold. If play is not held, the floorperson stops the round and ends it in
    one act."""
    if play.state.hold is None:
        play.hold(Code.FLOOR_STOPPED)
    hold = play.state.hold
    voiding.decide(play, event)
    if hold is not None:
        play.explain(hold.code, hold.seat, hold.wager, event.reason)
        shoe_trust.apply_decision(play, hold, event)
        journal_loss.decided(play, hold)


def _change_method(play: Transition, event: FloorDecided) -> None:
    """Change the way of dealing. The device is first signed out of order (58 Pa. Code § 674a.13(g)), with a
    note in the next round's record. For a change from dealing by hand to a shoe, the deck must be put in and
    shuffled."""
    old, method = play.state.method, event.method or play.state.method
    if old is method:
        return
    play.state = evolve(play.state, method=method)
    # the dealer moves both decks to the new place, and either may be played first
    play.deck = evolve(play.deck, last_back=None, backs=())
    play.clear_alerts(WITH_SHOE)
    own = play.context.settings.method
    if play.state.shoe.up and (own in (old, method) or Method.HAND in (old, method)):
        given_up = method is Method.HAND or (own is old and old is not Method.HAND)
        play.command("SIGN", "ON" if given_up else "OFF")
    deck.sign_device(play, mended=own is method, given_up=old is not Method.HAND)
    wanted = "STACK" if deals_stacks(play.context.pack.deals[method]) else "SINGLE"
    if method is not Method.HAND and play.state.shoe.mode not in (None, wanted):
        # another kind of shoe deals from now on; no card may be requested before its READY
        play.shoe = evolve(play.shoe, ready=False)
    if old is Method.HAND and play.state.phase is Phase.BETTING:
        play.shoe = evolve(play.shoe, ready=False)
        play.deck = evolve(play.deck, shuffle_commanded=False, shuffle_refused=False)
        play.enter(Phase.SHUFFLE)


def _player(play: Transition, event: FloorDecided) -> None:
    play.state = evolve(play.state, players=patrons.patrons_of(play.state.players, event.seats))


def _close(play: Transition, _event: FloorDecided) -> None:
    deck.close_table(play)
    play.state = evolve(play.state, players={})  # other patrons may come after the next opening


def _forfeit(play: Transition, event: FloorDecided) -> None:
    play.note(event.code, event.seat, resolved=True)
    play.explain(event.code, event.seat, None, event.reason)
    both = event.seat is not None and forfeits.may_choose(play.state, play.context, event.seat, event.code)
    part = forfeits.settled_part(play.context, event.badge, event.outcome) if both else None
    forfeits.forfeit(play, event.seat, event.code, part)


def _restore(play: Transition, event: FloorDecided) -> None:
    if event.seat is not None:
        restore_hand(play, event.seat)


def _direct_shuffle(play: Transition, event: FloorDecided) -> None:
    """Direct a recut before the deal (.5(e)) or a shuffle at any time (.5(a))."""
    if event.decision == "recut":
        play.state = evolve(play.state, round=None, sweep_since=None, opening=("recut",), opening_done=())
        play.enter(Phase.OPENING)
    else:
        deck.shuffle_again(play)


def _sign(play: Transition, event: FloorDecided) -> None:
    """Sign an opening step, or waiting items: amounts entered after the close, and differences as they
    are."""
    if play.state.phase is Phase.OPENING:
        deck.step_done(play)
        return
    state = play.state
    left = tuple(item for item in state.signatures if not _signs(state, play.context, event, item))
    play.state = evolve(state, signatures=left)
    if event.about is None or left == state.signatures:
        corrections.sign(play, event)


def _signs(state: TableState, context: Context, event: FloorDecided, item: Signature) -> bool:
    """Return whether a signature covers this item. A signature given on a screen covers only the item that it
    names.
    """
    named = event.about in (None, subjects.of_signature(state, context, item))
    return named and corrections.covers(event, item.seat, item.wager)


HANDLERS: Mapping[str, Callable[[Transition, FloorDecided], None]] = {
    "answer": answered,
    "outcome": _decide,
    "forfeit": _forfeit,
    "restore": _restore,
    "recut": _direct_shuffle,
    "shuffle": _direct_shuffle,
    "player": _player,
    "method": _change_method,
    "sign": _sign,
    "approve": _sign,
    "close": _close,
}
