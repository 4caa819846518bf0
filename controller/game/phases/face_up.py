"""Cards face up in the deal: told by the shoe, reported by the dealer, or missed when the stub is counted.

And what a ruling on a card makes of it: noted, backed up, held. Sources: 58 Pa. Code § 674a.13(a),
config/rules/RULES.md "Irregularities".
"""

from __future__ import annotations

from controller.game.model.cards import Card
from controller.game.model.names import Method
from controller.game.model.rules import Outcome, Ruling
from controller.game.model.transition import Turn
from controller.game.rulebook.deal import deals_stacks


def found(turn: Turn) -> None:
    """58 Pa. Code § 674a.13(a): one is set aside and replaced, more void the round."""
    number = len(turn.round.set_aside) + 1
    turn.set_round(set_aside=(*turn.round.set_aside, None))
    one = turn.rulings["face_up_one"]
    apply_ruling(turn, "card_face_up", one if number == 1 else turn.rulings.get("face_up_more", one))


def reported(turn: Turn, _event: object) -> None:
    """The dealer has found a card face up: what the shoe would have told, had it seen it. A shoe that does
    tell of such cards took this one for the next: it was the last that it gave."""
    if not tells_face_up(turn):
        turn.set_round(out=turn.round.out + 1)
        found(turn)
    elif _lies_in_a_stack(turn):
        turn.hold("card_face_up", Ruling(Outcome.FLOOR, turn.rulings["face_up_one"].citation))
    else:
        found(turn)
        if turn.state.hold is None:
            _take_back(turn)


def _lies_in_a_stack(turn: Turn) -> bool:
    """Which card of a stack it was, and where the next would go, nobody can say; where the text voids the
    round all the same, nobody has to."""
    stacks = deals_stacks(turn.context.pack.deals[turn.state.method])
    decided = turn.rulings["face_up_one"].outcome in (Outcome.VOID, Outcome.REMOVE_DECK)
    return stacks and turn.round.out > 0 and not decided


def _take_back(turn: Turn) -> None:
    """The card that was dealt last is the one that is set aside: the next card takes its place."""
    round_ = turn.round
    if not round_.step or round_.steps[round_.step - 1].kind == "stack":
        return
    cards = dict(round_.cards)
    taken = cards.pop(round_.steps[round_.step - 1].places[0])
    aside = (*round_.set_aside[:-1], taken.face)
    turn.set_round(cards=cards, step=round_.step - 1, set_aside=aside)


def not_face_up(turn: Turn) -> None:
    """A floorperson finds that no card was face up."""
    if turn.round.set_aside:
        _no_aside(turn, turn.round.set_aside[:-1])


def _no_aside(turn: Turn, left: tuple[Card | None, ...]) -> None:
    told = turn.round.out if tells_face_up(turn) else turn.round.out - 1
    turn.set_round(set_aside=left, out=told)


def tells_face_up(turn: Turn) -> bool:
    """Whether a device tells of a card that it finds face up."""
    return turn.state.method is not Method.HAND and turn.context.settings.tells_face_up


def apply_ruling(
    turn: Turn, code: str, ruling: Ruling, seat: int | None = None, place: str | None = None
) -> None:
    """What the pack makes of an irregularity: noted, backed up while the allowance lasts, or held."""
    cited = ruling.cited(turn.state.method)
    if ruling.outcome in (Outcome.NOTICE, Outcome.SET_ASIDE, Outcome.NEXT_CARD, Outcome.GO_ON):
        turn.note(code, seat, citation=cited, resolved=True)
    elif ruling.outcome is Outcome.BACK_UP and turn.round.back_ups < turn.context.pack.back_ups:
        turn.set_round(back_ups=turn.round.back_ups + 1)
        turn.note(code, seat, citation=cited, resolved=True)
    elif ruling.outcome is Outcome.BACK_UP:
        turn.hold(code, Ruling(Outcome.VOID, cited), seat=seat, place=place)
    else:
        turn.hold(code, ruling, seat=seat, place=place)


# ------------------------------------------------------------------ a card that the stub lacks


def may_be_missing(turn: Turn) -> bool:
    """Whether a stub that is just one card short is right: no device tells of a card face up, the rules have
    one set aside, none was told, and no hand is wrong."""
    silent = not tells_face_up(turn) and turn.rulings["face_up_one"].outcome is Outcome.SET_ASIDE
    clear = turn.state.hold is None and not turn.round.set_aside
    return silent and clear


def missing(turn: Turn) -> None:
    """The card is in the rack, its face not entered: the dealer is asked to show it (.13(a))."""
    turn.set_round(set_aside=(None,), out=turn.round.out + 1)
    turn.alert("card_face_up", noted=False)
    turn.note("card_face_up", citation=turn.rulings["face_up_one"].citation, resolved=True)


def missing_no_more(turn: Turn) -> None:
    """The stub is counted again, or a hand has the card: what was taken for one set aside was none."""
    if turn.find_alert("card_face_up") is None:
        return
    turn.clear_alert("card_face_up")
    _no_aside(turn, ())
    noted = [n for n, entry in enumerate(turn.round.irregularities) if entry.code == "card_face_up"]
    entries = turn.round.irregularities
    turn.set_round(irregularities=tuple(entry for n, entry in enumerate(entries) if n not in noted[-1:]))


def shown(turn: Turn) -> None:
    """The face of a card set aside was entered."""
    if None not in turn.round.set_aside:
        turn.clear_alert("card_face_up")
