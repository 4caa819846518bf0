"""Known faces and public faces: who may see a card, such as the middle card, is decided by the rules' turns
alone.

`shown_places` names the cards that anyone may see; every other face is known to the table only. Source:
controller/ARCHITECTURE.md "Principles"; 58 Pa. Code § 674a.11(c), (e), (g).
"""

from __future__ import annotations

from controller.game.model.cards import Card
from controller.game.model.names import BONUS_PLACES, cards_of
from controller.game.model.round import Round

ASIDE = "set_aside"
"""Place of a card that was found face up."""


def hole_cards(round_: Round, seat: int) -> tuple[Card, Card] | None:
    """Return a seat's two cards; None until both are read."""
    known = _known(round_, cards_of(seat))
    return (known[0], known[1]) if len(known) == 2 else None


def bonus_faces(round_: Round) -> tuple[Card, ...] | None:
    """Return the four bonus cards; None until all of them are read."""
    known = _known(round_, BONUS_PLACES)
    return known if len(known) == len(BONUS_PLACES) else None


def _known(round_: Round, places: tuple[str, ...]) -> tuple[Card, ...]:
    faces = (round_.cards[place].face for place in places if place in round_.cards)
    return tuple(face for face in faces if face is not None)


def shown_places(round_: Round) -> frozenset[str]:
    """Return the places of all cards that the rules have turned. No other function decides whether a face
    is public."""
    return round_.turned.union(*map(cards_of, round_.settlement.shown))


def open_faces(round_: Round) -> dict[str, Card]:
    """Return every public face by place: turned and read, or set aside and entered (`set_aside_0` is the
    first). No other face may decide anything visible."""
    dealt = ((place, round_.cards.get(place)) for place in shown_places(round_))
    turned = {place: card.face for place, card in dealt if card is not None and card.face is not None}
    return turned | {f"{ASIDE}_{n}": face for n, face in enumerate(round_.deal.set_aside) if face}
