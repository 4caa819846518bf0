"""Each refusal of a wager cites its section and contains the figures that the dealer reads.

58 Pa. Code § 674a.7(d)-(g), .11(b)(d)(f) and their counterparts; HOUSE "Wagers".
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.game.model.names import ANTES, Wager
from controller.game.rulebook.wagers import Refusal, verify_bet, verify_boxes, verify_wager
from tests.game.felt import pack

PA = pack("pennsylvania")
HOUSE = pack("six_card_bonus")
ANTE = {Wager.ANTE_ACROSS: 1000, Wager.ANTE_DOWN: 1000}
FIVE, SIX = Wager.FIVE_CARD_BONUS, Wager.SIX_CARD_BONUS
EACH_ITS_OWN = replace(
    HOUSE,
    citations={
        "minimum_ante": "least ante",
        "maximum_ante": "most ante",
        "bonus_minimum": "least bonus",
        "bonus_maximum": "most bonus",
        "bonuses": "offered",
    },
)
"""Pack in which every limit has a section of its own, so that a citation of the wrong limit is detected."""


def test_the_refusal_of_unequal_antes_names_both_amounts() -> None:
    section = "58 Pa. Code § 674a.7(d)"
    refusal = verify_wager(PA, {Wager.ANTE_ACROSS: 1000, Wager.ANTE_DOWN: 500}, Wager.ANTE_DOWN)
    assert refusal == Refusal("unequal_antes", section, {"ante_across": 1000, "ante_down": 500})
    alone = verify_wager(PA, {Wager.ANTE_DOWN: 500}, Wager.ANTE_DOWN)
    assert alone == Refusal("unequal_antes", section, {"ante_across": 0, "ante_down": 500})


@pytest.mark.parametrize(("cents", "section"), [(199, "least ante"), (1001, "most ante")])
def test_the_refusal_of_an_ante_names_the_limit(cents: int, section: str) -> None:
    refusal = verify_wager(EACH_ITS_OWN, dict.fromkeys(ANTES, cents), Wager.ANTE_ACROSS)
    assert refusal == Refusal("bet_out_of_range", section, {"least": 200, "most": 1000})


@pytest.mark.parametrize(("cents", "section"), [(199, "least bonus"), (1001, "most bonus")])
def test_the_refusal_of_a_bonus_names_the_limit(cents: int, section: str) -> None:
    rules = replace(EACH_ITS_OWN, minimum_ante=100, maximum_ante=5000)
    refusal = verify_wager(rules, ANTE | {FIVE: cents}, FIVE)
    assert refusal == Refusal("bet_out_of_range", section, {"least": 200, "most": 1000})


def test_a_bonus_without_antes_or_not_offered_is_refused_with_its_section() -> None:
    assert verify_wager(PA, {FIVE: 500}, FIVE) == Refusal("bonus_without_antes", "58 Pa. Code § 674a.7(e)")
    rules = replace(EACH_ITS_OWN, bonuses=(FIVE,))
    assert verify_wager(rules, ANTE | {SIX: 500}, SIX) == Refusal("wrong_circle", "offered")


def test_the_refusal_of_a_six_card_bonus_names_the_required_amount() -> None:
    cited = HOUSE.rulings["bonus_unequal"].citation
    less = verify_wager(HOUSE, ANTE | {FIVE: 500, SIX: 400}, SIX)
    assert less == Refusal("bonus_unequal", cited, {"should": 500})
    alone = verify_wager(HOUSE, ANTE | {SIX: 500}, SIX)
    assert alone == Refusal("bonus_unequal", cited, {"should": 0})


def test_the_refusal_of_a_bet_lists_every_valid_amount() -> None:
    refusal = verify_bet(PA, 500, Wager.DOWN, 1600)
    figures = {"least": 500, "most": 1500, "allowed": (500, 1000, 1500), "options": (1500,)}
    assert refusal == Refusal("bet_out_of_range", "58 Pa. Code § 674a.11(d)", figures)


def test_the_refusal_of_too_many_boxes_names_the_maximum() -> None:
    assert verify_boxes(PA, (3, 5)) == Refusal("adjacent_boxes", "58 Pa. Code § 674a.7(g)", {"boxes": 2})
    rules = pack("massachusetts")
    assert verify_boxes(rules, (3, 4)) == Refusal(
        "adjacent_boxes", rules.cite("adjacent_boxes"), {"boxes": 1}
    )
