"""Cards exposed (found face up) during the deal by accident: reported by the shoe or the dealer, or
inferred from the count of the stub.

It applies the pack's ruling on such a card: note it, back it up, or hold play. Sources: 58 Pa. Code §
674a.13(a), config/rules/RULES.md "Irregularities".
"""

from __future__ import annotations

from controller.game.model.cards import Card
from controller.game.model.evolve import evolve
from controller.game.model.irregularities import Code, Outcome, SubRuling
from controller.game.model.names import Method
from controller.game.model.procedures import SUBJECTS_SINCE
from controller.game.model.rules import Ruling
from controller.game.model.state import Hold
from controller.game.model.transition import Transition
from controller.game.rulebook.deal import deals_stacks
from controller.game.rulebook.faces import ASIDE


def set_aside(play: Transition) -> None:
    """Set a card aside that was found face up: one is replaced, more void the round (58 Pa. Code §
    674a.13(a))."""
    number = len(play.deal.set_aside) + 1
    told = play.deal.told_face_up + (play.state.procedures >= SUBJECTS_SINCE and not play.by_person)
    play.deal = evolve(play.deal, set_aside=(*play.deal.set_aside, None), told_face_up=told)
    one = play.rulings[SubRuling.FACE_UP_ONE]
    apply_ruling(
        play, Code.CARD_FACE_UP, one if number == 1 else play.rulings.get(SubRuling.FACE_UP_MORE, one)
    )


def face_up_reported(play: Transition, _event: object) -> None:
    """Handle the dealer's report of a card face up that the shoe did not report. A shoe that can report such
    cards dealt this one as the next card, so it is the card dealt last. If the shoe has reported a card in
    this round, the dealer may mean that one, so the floor is asked."""
    if not tells_face_up(play):
        play.deal = evolve(play.deal, out=play.deal.out + 1)
        set_aside(play)
    elif _is_unidentified(play):
        _ask(play)
    else:
        set_aside(play)
        if play.state.hold is None:
            _take_back(play)


def _is_unidentified(play: Transition) -> bool:
    """Return whether it is unknown which card was found face up: the cards are dealt in stacks, or the shoe
    has already reported such a card, which may be the same. Returns False if one card face up voids the round
    anyway."""
    stacks = deals_stacks(play.context.pack.deals[play.state.method])
    decided = play.rulings[SubRuling.FACE_UP_ONE].outcome in (Outcome.VOID, Outcome.REMOVE_DECK)
    return (play.deal.told_face_up > 0 or (stacks and play.deal.out > 0)) and not decided


def _ask(play: Transition) -> None:
    """Hold play for a floorperson without setting a card aside."""
    number = play.state.next_hold
    play.hold(Code.CARD_FACE_UP, Ruling(Outcome.FLOOR, play.rulings[SubRuling.FACE_UP_ONE].citation))
    if play.state.next_hold != number and play.state.procedures >= SUBJECTS_SINCE:
        play.deal = evolve(play.deal, asked=(*play.deal.asked, number))


def _take_back(play: Transition) -> None:
    """Set aside the card dealt last, so that the next card takes its place. The round keeps the face that the
    shoe read, but pages show only a face that the dealer enters."""
    round_ = play.round
    if not round_.deal.step or round_.deal.steps[round_.deal.step - 1].kind == "stack":
        return
    cards = dict(round_.cards)
    taken = cards.pop(round_.deal.steps[round_.deal.step - 1].places[0])
    cards[f"{ASIDE}_{len(round_.deal.set_aside) - 1}"] = taken
    play.round = evolve(play.round, cards=cards)
    play.deal = evolve(play.deal, step=round_.deal.step - 1)


def undo_report(play: Transition, hold: Hold) -> None:
    """Undo the last report after a floorperson found that no card was face up."""
    if play.deal.set_aside and hold.id not in play.deal.asked:
        _no_aside(play, play.deal.set_aside[:-1])


def _no_aside(play: Transition, left: tuple[Card | None, ...]) -> None:
    dealt_out = play.deal.out if tells_face_up(play) else play.deal.out - 1
    play.deal = evolve(play.deal, set_aside=left, out=dealt_out)


def tells_face_up(play: Transition) -> bool:
    """Return whether a device reports a card that it finds face up."""
    return play.state.method is not Method.HAND and play.context.settings.tells_face_up


def apply_ruling(
    play: Transition, code: Code, ruling: Ruling, seat: int | None = None, place: str | None = None
) -> None:
    """Apply the pack's ruling on a card or hand at fault: note it and go on; back it up, as long as the pack
    allows further ones in this round; or hold play. `place`: the card, for the hold."""
    cited = ruling.section(play.state.method)
    if ruling.outcome in (Outcome.NOTICE, Outcome.SET_ASIDE, Outcome.NEXT_CARD, Outcome.GO_ON):
        play.note(code, seat, citation=cited, resolved=True)
    elif ruling.outcome is Outcome.BACK_UP and play.deal.back_ups < play.context.pack.back_ups:
        play.deal = evolve(play.deal, back_ups=play.deal.back_ups + 1)
        play.note(code, seat, citation=cited, resolved=True)
    elif ruling.outcome is Outcome.BACK_UP:
        play.hold(code, Ruling(Outcome.VOID, cited), seat=seat, place=place)
    else:
        play.hold(code, ruling, seat=seat, place=place)


# ------------------------------------------------------------------ a card missing from the stub


def may_be_missing(play: Transition) -> bool:
    """Return whether a stub that lacks one card may be right, because a card was set aside face up that no
    device could report. This requires that the rules set such a card aside, that none was reported, and that
    no hand is wrong."""
    silent = not tells_face_up(play) and play.rulings[SubRuling.FACE_UP_ONE].outcome is Outcome.SET_ASIDE
    clear = play.state.hold is None and not play.deal.set_aside
    return silent and clear


def record_missing(play: Transition) -> None:
    """Record a card that was set aside with an unknown face: it is in the rack, and the dealer is prompted to
    show it (58 Pa. Code § 674a.13(a))."""
    play.deal = evolve(play.deal, set_aside=(None,), out=play.deal.out + 1)
    play.alert(Code.CARD_FACE_UP, noted=False)
    play.note(Code.CARD_FACE_UP, citation=play.rulings[SubRuling.FACE_UP_ONE].citation, resolved=True)


def withdraw_missing(play: Transition) -> None:
    """Withdraw the card that was assumed to be set aside, because a new count of the stub shows that it was
    not, or a hand turned out to have it."""
    if play.find_alert(Code.CARD_FACE_UP) is None:
        return
    play.clear_alert(Code.CARD_FACE_UP)
    _no_aside(play, ())
    noted = [n for n, entry in enumerate(play.round.irregularities) if entry.code is Code.CARD_FACE_UP]
    entries = play.round.irregularities
    play.round = evolve(
        play.round, irregularities=tuple(entry for n, entry in enumerate(entries) if n not in noted[-1:])
    )


def clear_if_entered(play: Transition) -> None:
    """Clear the alert once the face of every card set aside is entered."""
    if None not in play.deal.set_aside:
        play.clear_alert(Code.CARD_FACE_UP)
