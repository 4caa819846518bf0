"""The dealer's page marks the places of exactly those cards that make the hand of a wager."""

from __future__ import annotations

import pytest

from controller.game.model.cards import Card
from controller.game.model.names import CROSS, Wager
from controller.game.rulebook.marked import marked

OWN = ("seat_3_1", "seat_3_2")
SHORT = {
    "far": "down_far", "left": "across_left", "mid": "middle", "right": "across_right", "near": "down_near",
    "one": OWN[0], "two": OWN[1],
}  # fmt: skip
ROW, COLUMN = "one two left mid right", "one two far mid near"


def faces(cross: str, own: str) -> dict[str, Card]:
    """Return the faces by place, from `cross` in the order of CROSS and the seat's own cards."""
    places = (*(place.value for place in CROSS), *OWN)
    return dict(zip(places, map(Card, (cross + " " + own).split()), strict=True))


def places(text: str) -> set[str]:
    return {SHORT[word] for word in text.split()}


HANDS = [
    # wager, cross (far left middle right near), own cards, the five community cards, the cards to mark
    ("across", "2C 7D TH JS 4C", "TD 9S", ROW, "one mid"),
    ("ante_across", "2C 7D TH JS 4C", "TD 9S", ROW, "one mid"),
    ("down", "2C 7D TH JS 4C", "TD 2S", COLUMN, "one two far mid"),
    ("ante_down", "2C 7D TH JS 4C", "KD 9S", COLUMN, "one"),
    ("down", "9C 7D 9H JS 9D", "TD TS", COLUMN, COLUMN),
    ("down", "9C 7D 9H JS 9D", "9S TS", COLUMN, "one far mid near"),
    ("across", "2C 7D 8H JS 4C", "TD 9S", ROW, ROW),
    ("across", "2C 7D 8D JD 4C", "2D KD", ROW, ROW),
    # Middle is decided by the higher of the two hands
    ("middle", "2C 7D TH JS 2D", "2H 9S", COLUMN, "one far near"),
    ("middle", "2C JD TH JS 4D", "JH 9S", ROW, "one left right"),
    # the Five Card Bonus uses the cross alone
    ("five_card_bonus", "2C 7D 2H JS 4C", "2D 2S", "far left mid right near", "far mid"),
]


@pytest.mark.parametrize(("wager", "cross", "own", "five", "making"), HANDS)
def test_the_cards_that_make_a_hand_are_marked(
    wager: str, cross: str, own: str, five: str, making: str
) -> None:
    found = marked(Wager(wager), 3, faces(cross, own))
    assert found is not None
    assert (set(found.five), set(found.making)) == (places(five), places(making))


def test_only_the_best_five_cards_are_marked() -> None:
    known = {f"bonus_{n}": Card(face) for n, face in enumerate(["KC", "KD", "3H", "2S"], 1)}
    found = marked(Wager.SIX_CARD_BONUS, 3, known | faces("2C 7D TH JS 4C", "KH KS"))
    assert found is not None
    assert set(found.making) == {"bonus_1", "bonus_2", *OWN}
    assert len(set(found.five)) == 5


@pytest.mark.parametrize("place", ["seat_3_1", "middle", "across_left"])
def test_no_card_is_marked_while_one_of_the_hand_is_hidden(place: str) -> None:
    """The rule includes Middle with only one hand fully shown, because the higher of the two hands is not
    known yet."""
    known = faces("2C 7D TH JS 4C", "TD 9S")
    del known[place]
    assert marked(Wager.ACROSS, 3, known) is None
    assert marked(Wager.MIDDLE, 3, known) is None
