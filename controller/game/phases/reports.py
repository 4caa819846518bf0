"""Dealer's reports of events that no device can see: exposed cards, wrong counts, players, the stub.

`verify_report` checks whether the event is possible now; the pack rules on it. CARD DIFFERS is here too:
the card on the felt is not the one on the screen. Source: tests/scenarios/FORMAT.md `report`,
config/rules/RULES.md "Irregularities".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from controller.game.books import dues, named_chips
from controller.game.model.events import CardsSwapped, Reported
from controller.game.model.evolve import evolve
from controller.game.model.irregularities import (
    FLOOR_CHOICES,
    FORFEIT,
    FORFEIT_ALL,
    OF_PLAYER,
    REPORTS,
    Asked,
    Code,
    DealerReport,
    Outcome,
    Reportable,
)  # fmt: skip
from controller.game.model.names import AFTER_CLOSE, BONUS_PLACES, CROSS, IN_PLAY, Circle, Phase, cards_of
from controller.game.model.procedures import SUBJECTS_SINCE
from controller.game.model.round import Round
from controller.game.model.state import Alert, Context, Hold, Proposed, TableState
from controller.game.model.transition import Transition
from controller.game.phases import deck, face_up, forfeits, planning, shoe, skipped_step
from controller.game.phases.face_up import apply_ruling
from controller.game.phases.stub import expected_stub, judge_stub, rule_misdeal
from controller.game.rulebook.faces import ASIDE, shown_places
from controller.game.rulebook.wagers import Refusal

_SINCE_PROCEDURES = 2
"""First revision of `PROCEDURES` in which the next deck is shuffled again after a report of the shuffler."""


# ------------------------------------------------------------------ possible reports


def verify_report(state: TableState, context: Context, event: Reported) -> Refusal | None:
    if event.what not in REPORTS:
        return Refusal("not_a_report", "")
    if event.what is Code.SHUFFLER_FAULT:
        return None
    if event.what is DealerReport.NO_ACTIVITY:
        return deck.verify_no_activity(state, context)
    if event.what is Code.NOT_A_WAGER:
        return _verify_not_a_wager(state, event)
    round_ = state.round
    if round_ is None or state.play_phase not in IN_PLAY:
        return Refusal("no_round", "")
    if Asked.SEAT in REPORTS[event.what].asks or event.seat is not None:
        if event.seat not in round_.seats:
            return Refusal("seat_not_in_round", "")
        if event.what in OF_PLAYER and round_.seats[event.seat].forfeited:
            return Refusal("already_forfeited", "")
    if event.what is Code.CARD_FACE_UP:
        return None if state.play_phase is Phase.DEALING else Refusal("deal_is_over", "")
    verifier = VERIFIERS.get(event.what)
    return verifier(round_, event) if verifier else None


def _verify_not_a_wager(state: TableState, event: Reported) -> Refusal | None:
    """Return why excess chips may not be reported as no wager, or None: the screen must show an excess in
    that circle. Before the close there is no excess, because all chips in a circle count."""
    if state.round is None or state.play_phase not in AFTER_CLOSE:
        return Refusal("no_round", "")
    too_many = [
        alert for alert in state.alerts
        if alert.circle == (event.seat, event.wager) and alert.code.kind.money
        and alert.code is not Code.NOT_A_WAGER and state.has_excess(alert)
    ]  # fmt: skip
    if not too_many:
        return Refusal("no_chips_too_many", "")
    wrong = state.procedures >= named_chips.NAMED_SINCE and any(_paid_too_much(state, a) for a in too_many)
    return Refusal("payout_is_no_tip", "") if wrong else None


def _paid_too_much(state: TableState, alert: Alert) -> bool:
    """Return whether the excess chips came with a payout, so that the dealer laid them. Chips that come after
    the payout was right may be the player's tip."""
    if alert.code is not Code.OVERPAID or alert.circle is None:
        return False
    return dues.stage(state, alert.circle)[0] != "done"


def _verify_place(round_: Round, event: Reported) -> Refusal | None:
    if event.place not in tuple(CROSS):
        return Refusal("place_and_face", "")
    return Refusal("already_turned", "") if event.place in round_.turned else _verify_new(round_, event)


def _verify_hole(round_: Round, event: Reported) -> Refusal | None:
    shown = event.seat in round_.settlement.shown
    return Refusal("already_turned", "") if shown else _verify_new(round_, event)


def _verify_bonus(round_: Round, event: Reported) -> Refusal | None:
    if not any(BONUS_PLACES[0] in step.places for step in round_.deal.steps):
        return Refusal("no_bonus_cards", "")
    if event.number not in range(1, len(BONUS_PLACES) + 1):
        return Refusal("place_and_face", "")
    return Refusal("already_turned", "") if round_.settlement.bonus_shown else _verify_new(round_, event)


def _verify_new(round_: Round, event: Reported) -> Refusal | None:
    """Return the refusal of an exposed card that was reported already, else None. A seat has two cards, so it
    may be reported twice."""
    place = exposed_place(event.what, event.seat, _place(event))
    most = 1 if event.seat is None else len(cards_of(event.seat))
    return Refusal("already_reported", "") if round_.deal.exposed.count(place) >= most else None


def _verify_count(_round: Round, event: Reported) -> Refusal | None:
    due = cards_due(event)
    return Refusal("count_is_right", "") if event.number == due else None


def _verify_stub(round_: Round, event: Reported) -> Refusal | None:
    if event.number is None or event.number < 0:
        return Refusal("place_and_face", "")
    if not round_.deal.stub_out:
        return Refusal("stub_not_out", "")
    due = expected_stub(round_)
    if not event.once or event.number == due:
        return None
    # shows no number, so that a second person counts without knowing the first count
    return Refusal("count_again", "")


def _verify_duplicate(round_: Round, event: Reported) -> Refusal | None:
    return None if event.place in round_.cards else Refusal("place_and_face", "")


def _verify_differs(round_: Round, event: Reported) -> Refusal | None:
    if event.place is None or event.face is None:
        return Refusal("place_and_face", "")
    if event.place not in shown_places(round_):
        return Refusal("not_turned", "")
    return Refusal("card_already_seen", "") if event.face in round_.deal.set_aside else None


VERIFIERS: Mapping[Reportable, Callable[[Round, Reported], Refusal | None]] = {
    Code.COMMUNITY_EXPOSED: _verify_place,
    Code.HOLE_EXPOSED: _verify_hole,
    Code.BONUS_EXPOSED: _verify_bonus,
    Code.WRONG_COUNT: _verify_count,
    DealerReport.STUB_COUNT: _verify_stub,
    Code.CARD_DIFFERS: _verify_differs,
    Code.DUPLICATE_CARD: _verify_duplicate,
}


# ------------------------------------------------------------------ handling of reports


def reported(play: Transition, event: Reported) -> None:
    play.by_person = True
    if event.what in HANDLERS:
        HANDLERS[event.what](play, event)
    elif isinstance(event.what, Code):
        _by_ruling(play, event.what, event)


def _by_ruling(play: Transition, code: Code, event: Reported) -> None:
    if code.kind.of_player:
        _player(play, code, event.seat)
        return
    place = _place(event)
    exposed = exposed_place(code, event.seat, place)
    if exposed and play.state.procedures >= SUBJECTS_SINCE:
        play.deal = evolve(play.deal, exposed=(*play.deal.exposed, exposed))
    apply_ruling(play, code, play.rulings[code], event.seat, place)


def _place(event: Reported) -> str | None:
    return f"bonus_{event.number}" if event.what is Code.BONUS_EXPOSED else event.place


def exposed_place(what: Reportable, seat: int | None, place: str | None) -> str:
    """Return the place of an exposed card: `place` itself, or `seat_3` if it is one of a seat's two cards.
    Returns "" if the report is about something else."""
    if what is Code.HOLE_EXPOSED:
        return f"seat_{seat}"
    return place or "" if what in (Code.COMMUNITY_EXPOSED, Code.BONUS_EXPOSED) else ""


def _shuffler_fault(play: Transition, _event: Reported) -> None:
    """Handle a report of a fault of the shuffler. Before the close the cards are shuffled again, in every
    pack and for every way of dealing, because a deck with an incomplete shuffle must not be dealt (58 Pa.
    Code § 674a.13(e), MGC § 12(e); Maryland and HOUSE: OUR READING)."""
    shoe.shuffler_fault(play, standing=False)
    if play.state.play_phase is Phase.BETTING and play.state.procedures:
        deck.shuffle_again(play)
    elif play.state.procedures >= _SINCE_PROCEDURES:
        # a deck that was ready before the report is shuffled again
        play.shoe = evolve(play.shoe, ready=False)


def _no_activity(play: Transition, _event: Reported) -> None:
    deck.no_activity(play)


def _not_a_wager(play: Transition, event: Reported) -> None:
    """Handle the report that excess chips are a tip, a bet for the dealer or chips to be changed. The alert
    gets the name NOT_A_WAGER. Its amount stays and no money moves until the chips are put aside or a
    floorperson signs them."""
    if event.seat is None or event.wager is None:
        return
    circle = Circle(event.seat, event.wager)
    by_chips = play.state.procedures >= named_chips.NAMED_SINCE
    if not by_chips:
        play.round = evolve(play.round, not_wagers=(*play.round.not_wagers, circle))
    for alert in play.state.alerts_at(circle):
        if alert.code.kind.money and play.state.has_excess(alert):
            if by_chips:
                excess = play.state.amount(*circle) - (alert.should or 0)
                named_chips.name_excess(play, circle, excess)
            play.recode(alert.code, circle, Code.NOT_A_WAGER, keep_name=not by_chips)
            if alert.code is Code.SETTLED_OUT_OF_ORDER:
                skipped_step.disclaim(play, alert)


def _duplicate(play: Transition, event: Reported) -> None:
    """Hold play because the card at this place was already seen in this deck. Its face cannot be entered,
    since the table accepts each face only once."""
    play.hold(Code.DUPLICATE_CARD, place=event.place)


def _player(play: Transition, code: Code, seat: int | None) -> None:
    """Hold play because a player left, conferred, left their hand to another person, or had their cards
    touched or out of view. If the rule pack forfeits the hand for this act, the floorperson may choose the
    forfeit."""
    if code not in play.context.pack.forfeits:
        play.hold(code, seat=seat)
        return
    proposed: Proposed | None = None if code is Code.PLAYER_LEFT else FORFEIT
    both = seat is not None and forfeits.may_choose(play.state, play.context, seat, code)
    more = (FORFEIT_ALL,) if both else ()
    play.hold(code, seat=seat, proposed=proposed, outcomes=(Outcome.GO_ON.value, FORFEIT, *more))


# ------------------------------------------------------------------ counts


def cards_due(event: Reported) -> int:
    """Return the number of cards that the reported hand should have: five for the cross, two for a seat."""
    return len(CROSS) if event.seat is None else len(cards_of(event.seat))


def _wrong_count(play: Transition, event: Reported) -> None:
    """Handle a wrong number of cards of a seat or the cross (58 Pa. Code § 674a.13(c))."""
    face_up.withdraw_missing(play)
    beyond = None if event.number is None else event.number - cards_due(event)
    before = play.state.hold
    play.hold(Code.WRONG_COUNT, seat=event.seat, place=None if event.seat else "cross", beyond=beyond)
    if before is not None and before.code.kind.misdeal and beyond is not None:
        play.amend(replace(before, beyond=(before.beyond or 0) + beyond))
    rule_misdeal(play)


def _stub_counted(play: Transition, event: Reported) -> None:
    """Handle the dealer's count of the stub (58 Pa. Code § 674a.10(d) to (f)), which overrides the
    device's."""
    face_up.withdraw_missing(play)
    play.deal = evolve(play.deal, stub_counted=event.number)
    hold = play.state.hold
    if event.number is not None and event.number != expected_stub(play.round):
        judge_stub(play, event.number)
    elif hold is not None and hold.code is Code.DECK_COUNT and play.deal.stub_shoe is not None:
        play.amend(replace(hold, proposed=Outcome.GO_ON, outcomes=FLOOR_CHOICES))


# ------------------------------------------------------------------ CARD DIFFERS


def _differs(play: Transition, event: Reported) -> None:
    """Hold play because a card on the felt is not the one on the screen. A floorperson compares both and
    signs."""
    play.hold(Code.CARD_DIFFERS, proposed=Outcome.GO_ON, place=event.place, face=event.face)


def verify_swap(state: TableState, _context: Context, event: CardsSwapped) -> Refusal | None:
    cards = state.round.cards if state.round else {}
    both = event.first in cards and event.second in cards
    return None if both and event.first != event.second else Refusal("place_and_face", "")


def swapped(play: Transition, event: CardsSwapped) -> None:
    pair = (event.first, event.second)
    play.hold(Code.CARD_DIFFERS, proposed=Outcome.GO_ON, place=event.first, swap=pair)


def is_rejectable(hold: Hold) -> bool:
    """Return whether a floorperson may reject the report behind this hold. Only a person's report can be
    rejected. It can if the rejection takes something back, such as an entered face, or if the hold does not
    offer to go on; else the floorperson simply lets play go on."""
    if not hold.said:
        return False
    entered = hold.code is Code.DUPLICATE_CARD and hold.face is not None
    taken_back = entered or hold.code in (Code.CARD_DIFFERS, Code.CARD_FACE_UP)
    return taken_back or Outcome.GO_ON not in hold.outcomes


def reject(play: Transition, hold: Hold) -> None:
    """Apply a floorperson's decision that the report behind `hold` was wrong: an exposed card no longer
    counts as exposed, and a face entered by mistake has to be entered again."""
    if hold.code is Code.CARD_FACE_UP:
        face_up.undo_report(play, hold)
    if (place := exposed_place(hold.code, hold.seat, hold.place)) in play.deal.exposed:
        left = list(play.deal.exposed)
        left.remove(place)
        play.deal = evolve(play.deal, exposed=tuple(left))
    if hold.code is not Code.DUPLICATE_CARD or hold.place is None or hold.face is None:
        return
    round_ = play.round
    if hold.place == ASIDE:
        faces = tuple(None if face == hold.face else face for face in round_.deal.set_aside)
        play.deal = evolve(play.deal, set_aside=faces)
    else:
        unread = replace(round_.cards[hold.place], face=None, said=False)
        play.round = evolve(play.round, cards=round_.cards | {hold.place: unread})
    if play.state.phase is Phase.SETTLEMENT:
        planning.replan(play)


def correct_card(play: Transition, hold: Hold) -> None:
    """Correct the cards after a floorperson has confirmed a CARD DIFFERS report: two places swap their cards,
    or the place gets the reported face. During the settlement the plan is computed again."""
    cards = dict(play.round.cards)
    if hold.swap is not None:
        first, second = hold.swap
        cards[first], cards[second] = cards[second], cards[first]
    elif hold.place is not None and hold.face is not None:
        other = next((p for p, dealt in cards.items() if dealt.face == hold.face and p != hold.place), None)
        if other is not None:
            cards[hold.place], cards[other] = cards[other], cards[hold.place]
        else:
            cards[hold.place] = replace(cards[hold.place], face=hold.face, said=True)
    play.round = evolve(play.round, cards=cards)
    if play.state.phase is Phase.SETTLEMENT:
        planning.replan(play)


HANDLERS: Mapping[Reportable, Callable[[Transition, Reported], None]] = {
    Code.WRONG_COUNT: _wrong_count,
    Code.CARD_DIFFERS: _differs,
    Code.SHUFFLER_FAULT: _shuffler_fault,
    Code.CARD_FACE_UP: face_up.face_up_reported,
    Code.DUPLICATE_CARD: _duplicate,
    Code.NOT_A_WAGER: _not_a_wager,
    DealerReport.STUB_COUNT: _stub_counted,
    DealerReport.NO_ACTIVITY: _no_activity,
}
"""Handlers of reports that do more than apply the pack's ruling."""
