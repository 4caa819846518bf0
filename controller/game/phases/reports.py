"""What the dealer reports because no device can see it: exposed cards, wrong counts, players, the stub.

`verify_report` says whether it can have happened now; the pack says what it means. CARD DIFFERS is here
too: what lies on the felt is not what the screen shows. Source: tests/scenarios/FORMAT.md `report`,
config/rules/RULES.md "Irregularities".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from controller.game.model.events import CardsSwapped, Reported
from controller.game.model.evolve import evolve
from controller.game.model.irregularities import FLOOR_CHOICES, FORFEIT
from controller.game.model.names import BONUS_PLACES, CROSS, Phase, cards_of
from controller.game.model.round import Round
from controller.game.model.rules import Outcome
from controller.game.model.state import Context, Hold, Proposed, TableState
from controller.game.model.transition import Transition
from controller.game.phases import deck, face_up, settlement, shoe
from controller.game.phases.face_up import apply_ruling
from controller.game.phases.stub import MISDEAL, expected_stub, judge_stub, rule_misdeal
from controller.game.rulebook.faces import shown_places
from controller.game.rulebook.wagers import Refusal

IN_PLAY = (Phase.DEALING, Phase.ACROSS, Phase.DOWN, Phase.MIDDLE, Phase.SETTLEMENT)
PLAYERS = ("player_left", "players_conferred", "cards_touched", "out_of_view", "hand_left")
SEATED = (*PLAYERS, "hole_exposed")
"""Reports that name a seat."""


# ------------------------------------------------------------------ can it have happened now


def verify_report(state: TableState, context: Context, event: Reported) -> Refusal | None:
    if event.what not in REPORTS:
        return Refusal("not_a_report", "")
    if event.what == "shuffler_fault":
        return None
    if event.what == "no_activity":
        return deck.verify_no_activity(state, context)
    round_ = state.round
    if round_ is None or state.stands not in IN_PLAY:
        return Refusal("no_round", "")
    if event.what in SEATED or event.seat is not None:
        if event.seat not in round_.seats:
            return Refusal("seat_not_in_round", "")
        if event.what in PLAYERS and round_.seats[event.seat].forfeited:
            return Refusal("already_forfeited", "")
    if event.what == "card_face_up":
        return None if state.stands is Phase.DEALING else Refusal("deal_is_over", "")
    verifier = VERIFIERS.get(event.what)
    return verifier(round_, event) if verifier else None


def _verify_place(round_: Round, event: Reported) -> Refusal | None:
    if event.place not in tuple(CROSS):
        return Refusal("place_and_face", "")
    return Refusal("already_turned", "") if event.place in round_.turned else None


def _verify_hole(round_: Round, event: Reported) -> Refusal | None:
    return Refusal("already_turned", "") if event.seat in round_.settlement.shown else None


def _verify_bonus(round_: Round, event: Reported) -> Refusal | None:
    if not any(BONUS_PLACES[0] in step.places for step in round_.deal.steps):
        return Refusal("no_bonus_cards", "")
    if event.number not in range(1, len(BONUS_PLACES) + 1):
        return Refusal("place_and_face", "")
    return Refusal("already_turned", "") if round_.settlement.bonus_shown else None


def _verify_count(_round: Round, event: Reported) -> Refusal | None:
    due = cards_due(event)
    return Refusal("count_is_right", "") if event.number == due else None


def _verify_stub(round_: Round, event: Reported) -> Refusal | None:
    if event.number is None or event.number < 0:
        return Refusal("place_and_face", "")
    return None if round_.deal.stub_out else Refusal("stub_not_out", "")


def _verify_duplicate(round_: Round, event: Reported) -> Refusal | None:
    return None if event.place in round_.cards else Refusal("place_and_face", "")


def _verify_differs(round_: Round, event: Reported) -> Refusal | None:
    if event.place is None or event.face is None:
        return Refusal("place_and_face", "")
    if event.place not in shown_places(round_):
        return Refusal("not_turned", "")
    return Refusal("card_already_seen", "") if event.face in round_.deal.set_aside else None


VERIFIERS: Mapping[str, Callable[[Round, Reported], Refusal | None]] = {
    "community_exposed": _verify_place,
    "hole_exposed": _verify_hole,
    "bonus_exposed": _verify_bonus,
    "wrong_count": _verify_count,
    "stub_count": _verify_stub,
    "card_differs": _verify_differs,
    "duplicate_card": _verify_duplicate,
}


# ------------------------------------------------------------------ what it means


def reported(play: Transition, event: Reported) -> None:
    play.said = True
    REPORTS[event.what](play, event)


def _by_ruling(play: Transition, event: Reported) -> None:
    place = f"bonus_{event.number}" if event.what == "bonus_exposed" else event.place
    apply_ruling(play, event.what, play.rulings[event.what], event.seat, place)


def _shuffler_fault(play: Transition, _event: Reported) -> None:
    shoe.shuffler_fault(play, standing=False)


def _no_activity(play: Transition, _event: Reported) -> None:
    deck.no_activity(play)


def _duplicate(play: Transition, event: Reported) -> None:
    """A card lies there that has been seen already, in this round's deck: no face can be entered for it."""
    play.hold("duplicate_card", place=event.place)


def _player(play: Transition, event: Reported) -> None:
    """A player left, conferred, left his hand to another, had his cards touched or out of view: forfeited, or
    the floor's to say."""
    if event.what not in play.context.pack.forfeits:
        play.hold(event.what, seat=event.seat)
        return
    proposed: Proposed | None = None if event.what == "player_left" else FORFEIT
    play.hold(event.what, seat=event.seat, proposed=proposed, outcomes=(Outcome.GO_ON.value, FORFEIT))


# ------------------------------------------------------------------ counts


def cards_due(event: Reported) -> int:
    """How many cards the seat, or the cross, should have."""
    return len(CROSS) if event.seat is None else len(cards_of(event.seat))


def _wrong_count(play: Transition, event: Reported) -> None:
    """A seat or the cross has the wrong number of cards (58 Pa. Code § 674a.13(c))."""
    face_up.missing_no_more(play)
    beyond = None if event.number is None else event.number - cards_due(event)
    before = play.state.hold
    play.hold("wrong_count", seat=event.seat, place=None if event.seat else "cross", beyond=beyond)
    if before is not None and before.code in MISDEAL and beyond is not None:
        play.amend(replace(before, beyond=(before.beyond or 0) + beyond))
    rule_misdeal(play)


def _stub_counted(play: Transition, event: Reported) -> None:
    """The dealer's count of the stub (58 Pa. Code § 674a.10(d) to (f)). It stands over the device's."""
    face_up.missing_no_more(play)
    play.deal = evolve(play.deal, stub_counted=event.number)
    hold = play.state.hold
    if event.number is not None and event.number != expected_stub(play.round):
        judge_stub(play, event.number)
    elif hold is not None and hold.code == "deck_count" and play.deal.stub_shoe is not None:
        play.amend(replace(hold, proposed=Outcome.GO_ON, outcomes=FLOOR_CHOICES))


# ------------------------------------------------------------------ CARD DIFFERS


def _differs(play: Transition, event: Reported) -> None:
    _hold_card(play, place=event.place, face=event.face)


def _hold_card(play: Transition, **more: Any) -> None:
    """The card on the felt is not the card on the screen: held, a floorperson signs."""
    play.hold("card_differs", proposed=Outcome.GO_ON, **more)


def verify_swap(state: TableState, _context: Context, event: CardsSwapped) -> Refusal | None:
    cards = state.round.cards if state.round else {}
    both = event.first in cards and event.second in cards
    return None if both and event.first != event.second else Refusal("place_and_face", "")


def swapped(play: Transition, event: CardsSwapped) -> None:
    _hold_card(play, place=event.first, swap=(event.first, event.second))


def not_so(play: Transition, hold: Hold) -> None:
    """A floorperson finds that what a person said is not so: a face that was entered is taken back."""
    if hold.code == "card_face_up":
        face_up.not_face_up(play)
    if hold.code != "duplicate_card" or hold.place is None or hold.face is None:
        return
    round_ = play.round
    if hold.place == "set_aside":
        faces = tuple(None if face == hold.face else face for face in round_.deal.set_aside)
        play.deal = evolve(play.deal, set_aside=faces)
    else:
        unread = replace(round_.cards[hold.place], face=None)
        play.round = evolve(play.round, cards=round_.cards | {hold.place: unread})
    if play.state.phase is Phase.SETTLEMENT:
        settlement.replan(play)


def correct_card(play: Transition, hold: Hold) -> None:
    """What lies there is not what the screen showed: swap or replace, then settle anew."""
    cards = dict(play.round.cards)
    if hold.swap is not None:
        first, second = hold.swap
        cards[first], cards[second] = cards[second], cards[first]
    elif hold.place is not None and hold.face is not None:
        other = next((p for p, dealt in cards.items() if dealt.face == hold.face and p != hold.place), None)
        if other is not None:
            cards[hold.place], cards[other] = cards[other], cards[hold.place]
        else:
            cards[hold.place] = replace(cards[hold.place], face=hold.face)
    play.round = evolve(play.round, cards=cards)
    if play.state.phase is Phase.SETTLEMENT:
        settlement.replan(play)


REPORTS: Mapping[str, Callable[[Transition, Reported], None]] = {
    "community_exposed": _by_ruling,
    "hole_exposed": _by_ruling,
    "bonus_exposed": _by_ruling,
    "drawn_in_error": _by_ruling,
    "face_seen": _by_ruling,
    "wrong_count": _wrong_count,
    "card_differs": _differs,
    **dict.fromkeys(PLAYERS, _player),
    "shuffler_fault": _shuffler_fault,
    "stub_count": _stub_counted,
    "card_face_up": face_up.reported,
    "duplicate_card": _duplicate,
    "no_activity": _no_activity,
}
"""Every report there is, and what it does."""
