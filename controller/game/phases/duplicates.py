"""Duplicates: play is held when the same card is face up twice, or the shoe has given it out twice.

A duplicate read by the shoe holds play at once, since the deck is at fault wherever the cards are; neither
the face nor the other card is named. A face that a person entered is compared only with open faces: otherwise
a person could find out face-down cards by entering faces. Play is held when the other card is turned; if it
is never turned, only the record shows the duplicate. No text covers this (config/rules/RULES.md,
Irregularities).
"""

from __future__ import annotations

from controller.game.model.cards import Card
from controller.game.model.irregularities import Code
from controller.game.model.names import IN_PLAY
from controller.game.model.round import Round
from controller.game.model.state import TableState
from controller.game.model.transition import Transition
from controller.game.rulebook.faces import ASIDE, open_faces


def given_before(round_: Round, face: Card | None) -> bool:
    """Return whether the shoe has already dealt that face in this round."""
    given = (*round_.cards.values(), *round_.deal.exit)
    return face is not None and any(dealt.face == face and not dealt.said for dealt in given)


def hold_duplicate(play: Transition, before: TableState) -> None:
    """Hold play for each card that was turned since `before` and has the same face as another open card."""
    round_ = play.state.round
    if round_ is None or round_ is before.round or play.state.play_phase not in IN_PLAY:
        return
    lies = open_faces(round_)
    if len(set(lies.values())) == len(lies):
        return
    lay = open_faces(before.round) if before.round else {}
    for place, face in lies.items():
        twice = [other for other in lies if lies[other] == face and other != place]
        if twice and lay.get(place) != face:
            _hold(play, round_, place, twice[0], face)


def _hold(play: Transition, round_: Round, place: str, other: str, face: Card) -> None:
    """Hold play for a duplicate. If a person entered one of the two faces, that one may be the mistake and
    can be taken back."""
    entered = next((each for each in (place, other) if _entered(round_, each)), None)
    play.by_person = play.by_person or entered is not None
    play.hold(Code.DUPLICATE_CARD, place=_named(entered or place), face=face if entered else None)


def _entered(round_: Round, place: str) -> bool:
    return place not in round_.cards or round_.cards[place].said


def _named(place: str) -> str:
    """Return the name of a place; all cards set aside share one name."""
    return ASIDE if place.startswith(ASIDE) else place
