"""Cards face up in the deal: told by the shoe, reported by the dealer, or missed when the stub is counted.

And what a ruling on a card makes of it: noted, backed up, held. Sources: 58 Pa. Code § 674a.13(a),
config/rules/RULES.md "Irregularities".
"""

from __future__ import annotations

from controller.game.model.cards import Card
from controller.game.model.evolve import evolve
from controller.game.model.irregularities import Code, Outcome, SubRuling
from controller.game.model.names import Method
from controller.game.model.rules import Ruling
from controller.game.model.transition import Transition
from controller.game.rulebook.deal import deals_stacks
from controller.game.rulebook.faces import ASIDE


def found(play: Transition) -> None:
    """58 Pa. Code § 674a.13(a): one is set aside and replaced, more void the round."""
    number = len(play.deal.set_aside) + 1
    play.deal = evolve(play.deal, set_aside=(*play.deal.set_aside, None))
    one = play.rulings[SubRuling.FACE_UP_ONE]
    apply_ruling(
        play, Code.CARD_FACE_UP, one if number == 1 else play.rulings.get(SubRuling.FACE_UP_MORE, one)
    )


def reported(play: Transition, _event: object) -> None:
    """The dealer found a card face up that the shoe did not tell. If the shoe can tell such cards, it took
    this one for the next card: it was the last that it gave."""
    if not tells_face_up(play):
        play.deal = evolve(play.deal, out=play.deal.out + 1)
        found(play)
    elif _lies_in_a_stack(play):
        play.hold(Code.CARD_FACE_UP, Ruling(Outcome.FLOOR, play.rulings[SubRuling.FACE_UP_ONE].citation))
    else:
        found(play)
        if play.state.hold is None:
            _take_back(play)


def _lies_in_a_stack(play: Transition) -> bool:
    """In a stack nobody can say which card it was and where the next one would go. It does not matter where
    the text voids the round anyway."""
    stacks = deals_stacks(play.context.pack.deals[play.state.method])
    decided = play.rulings[SubRuling.FACE_UP_ONE].outcome in (Outcome.VOID, Outcome.REMOVE_DECK)
    return stacks and play.deal.out > 0 and not decided


def _take_back(play: Transition) -> None:
    """The card dealt last is the one set aside: the next card takes its place. What the shoe read of it stays
    in the books; what everybody knows of it is what is entered."""
    round_ = play.round
    if not round_.deal.step or round_.deal.steps[round_.deal.step - 1].kind == "stack":
        return
    cards = dict(round_.cards)
    taken = cards.pop(round_.deal.steps[round_.deal.step - 1].places[0])
    cards[f"{ASIDE}_{len(round_.deal.set_aside) - 1}"] = taken
    play.round = evolve(play.round, cards=cards)
    play.deal = evolve(play.deal, step=round_.deal.step - 1)


def not_face_up(play: Transition) -> None:
    """A floorperson finds that no card was face up."""
    if play.deal.set_aside:
        _no_aside(play, play.deal.set_aside[:-1])


def _no_aside(play: Transition, left: tuple[Card | None, ...]) -> None:
    told = play.deal.out if tells_face_up(play) else play.deal.out - 1
    play.deal = evolve(play.deal, set_aside=left, out=told)


def tells_face_up(play: Transition) -> bool:
    """Whether a device tells of a card that it finds face up."""
    return play.state.method is not Method.HAND and play.context.settings.tells_face_up


def apply_ruling(
    play: Transition, code: Code, ruling: Ruling, seat: int | None = None, place: str | None = None
) -> None:
    """Apply the pack's ruling on an irregularity: noted, backed up while the allowance lasts, or held."""
    cited = ruling.cited(play.state.method)
    if ruling.outcome in (Outcome.NOTICE, Outcome.SET_ASIDE, Outcome.NEXT_CARD, Outcome.GO_ON):
        play.note(code, seat, citation=cited, resolved=True)
    elif ruling.outcome is Outcome.BACK_UP and play.deal.back_ups < play.context.pack.back_ups:
        play.deal = evolve(play.deal, back_ups=play.deal.back_ups + 1)
        play.note(code, seat, citation=cited, resolved=True)
    elif ruling.outcome is Outcome.BACK_UP:
        play.hold(code, Ruling(Outcome.VOID, cited), seat=seat, place=place)
    else:
        play.hold(code, ruling, seat=seat, place=place)


# ------------------------------------------------------------------ a card that the stub lacks


def may_be_missing(play: Transition) -> bool:
    """Whether a stub that is exactly one card short is right: no device tells of cards face up, the rules
    have one set aside, none was told, and no hand is wrong."""
    silent = not tells_face_up(play) and play.rulings[SubRuling.FACE_UP_ONE].outcome is Outcome.SET_ASIDE
    clear = play.state.hold is None and not play.deal.set_aside
    return silent and clear


def missing(play: Transition) -> None:
    """The card is in the rack, its face not entered: the dealer is asked to show it (.13(a))."""
    play.deal = evolve(play.deal, set_aside=(None,), out=play.deal.out + 1)
    play.alert(Code.CARD_FACE_UP, noted=False)
    play.note(Code.CARD_FACE_UP, citation=play.rulings[SubRuling.FACE_UP_ONE].citation, resolved=True)


def missing_no_more(play: Transition) -> None:
    """The stub was counted again, or a hand has the card: no card was set aside after all."""
    if play.find_alert(Code.CARD_FACE_UP) is None:
        return
    play.clear_alert(Code.CARD_FACE_UP)
    _no_aside(play, ())
    noted = [n for n, entry in enumerate(play.round.irregularities) if entry.code is Code.CARD_FACE_UP]
    entries = play.round.irregularities
    play.round = evolve(
        play.round, irregularities=tuple(entry for n, entry in enumerate(entries) if n not in noted[-1:])
    )


def shown(play: Transition) -> None:
    """The face of a card set aside was entered."""
    if None not in play.deal.set_aside:
        play.clear_alert(Code.CARD_FACE_UP)
