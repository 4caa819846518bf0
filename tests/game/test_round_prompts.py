"""Every step of a round is prompted to the dealer word by word, with the next step and the lamps.

58 Pa. Code § 674a.8-.12. Each line has kind, seat, wager and cents, further fields, and the section without
"58 Pa. Code § 674a"; after the first bar the next step, after the second bar the lamps that are neither dark
nor steady green.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from controller.common.texts.catalogue import catalogue
from controller.game.model.events import StackTaken, StubTaken
from controller.game.model.names import Key, Method
from controller.game.showing.lamps import LampState
from controller.pages.display import phrases
from tests.game.felt import Felt, pack

QUIET = (LampState.ACCEPTED, LampState.OFF)
BARE = ("kind", "seat", "wager", "amount")
PARTS = ("places", "hand", "odds", "options", "chips", "code", "step", "cards", "racked")


def words(prompt: dict[str, Any] | None) -> str:
    if prompt is None:
        return "-"
    parts = [str(prompt[key]) for key in BARE if prompt[key] is not None]
    parts += [f"{key}={listed(prompt[key])}" for key in PARTS if prompt[key]]
    section = (prompt["citation"] or "").replace("58 Pa. Code § 674a", "")
    return " ".join([*parts, section] if section else parts)


def listed(value: Any) -> str:
    if isinstance(value, dict):
        return phrases.hand(catalogue("en"), value)
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def prompt_line(felt: Felt) -> str:
    view = felt.table.view()
    lamps = sorted((circle, lamp.value) for circle, lamp in felt.table.lamps().items() if lamp not in QUIET)
    lit = " ".join(f"{circle.seat}.{circle.wager}:{lamp}" for circle, lamp in lamps)
    return f"{words(view['prompt'])} | {words(view['next'])} | {lit}"


CROSS = "places=down_far,across_left,middle,across_right,down_near .10(b)"
SEAT_2 = "2 places=seat_2_1,seat_2_2"
SEAT_3 = "3 places=seat_3_1,seat_3_2"
OPEN = "bets_open .10(a)(2)"


def antes_open(*seats: int) -> str:
    return " ".join(f"{seat}.ante_across:open {seat}.ante_down:open" for seat in seats)


def test_a_round_from_the_automated_shoe_has_these_prompts() -> None:
    felt = Felt()
    assert prompt_line(felt) == f"{OPEN} | - | {antes_open(1, 2, 3, 4, 5, 6)}"
    felt.antes(2, 3)
    bonuses = "2.five_card_bonus:open 3.five_card_bonus:open"
    assert sorted(prompt_line(felt).split()) == sorted(
        f"{OPEN} | - | {antes_open(1, 4, 5, 6)} {bonuses}".split()
    )
    felt.antes(2, 3, five_card_bonus=5)
    assert prompt_line(felt) == f"{OPEN} | - | {antes_open(1, 4, 5, 6)}"
    felt.press("no_more_bets")
    assert prompt_line(felt) == "reading_wait | - | "
    felt.swept()
    assert prompt_line(felt) == f"cards_wait {CROSS} | lift_stack {SEAT_2} | "
    felt.stack(("JC", "7D", "2H", "8S", "4C"))
    assert prompt_line(felt) == f"lift_stack {CROSS} | lift_stack {SEAT_2} | "
    felt.event(StackTaken())
    due = "2.ante_across:deal 2.ante_down:deal"
    assert prompt_line(felt) == f"cards_wait {SEAT_2} .10(b) | lift_stack {SEAT_3} | {due}"
    felt.stack(("AH", "9D"))
    felt.event(StackTaken())
    assert prompt_line(felt).split(" | ")[1] == "take_stub"
    felt.stack(("JH", "3D"))
    felt.event(StackTaken())
    assert prompt_line(felt) == "take_stub 43 step=into_the_rack .10(c) | - | "
    felt.event(StubTaken(43))
    decisions(felt)
    settlement(felt)


def decisions(felt: Felt) -> None:
    options = "options=1000,2000,3000"
    looked = "cards=look_at_cards .11(a), (b)"
    row, column = "places=across_left,across_right", "places=down_far,down_near"
    assert (
        prompt_line(felt) == f"ask 2 across {options} {looked} | ask 3 across | 2.across:call 3.across:open"
    )
    felt.bet(10)
    assert prompt_line(felt) == f"ask 3 across {options} .11(b) | turn {row} | 3.across:call"
    felt.lay(3, across=15)
    refused = f"ask 3 across {options} code=bet_out_of_range .11(b)"
    assert prompt_line(felt) == f"{refused} | turn {row} | 3.across:refused"
    felt.lay(3, across=20)
    assert prompt_line(felt) == f"confirm_bet 3 across 2000 .11(b) | turn {row} | "
    felt.press("confirm")
    assert prompt_line(felt) == f"turn {row} .11(c) | ask 2 down | "
    felt.press("confirm")
    assert prompt_line(felt) == f"ask 2 down {options} .11(d) | ask 3 down | 2.down:call 3.down:open"
    felt.press("fold")
    assert prompt_line(felt) == "confirm_fold 2 down 3000 .11(d) | ask 3 down | 2.down:call 3.down:open"
    felt.press("confirm")
    assert prompt_line(felt) == f"ask 3 down {options} .11(d) | turn {column} | 3.down:call"
    felt.bet(10)
    steps = [f"collect 2 {wager} 1000 cards=rack .11(c)" for wager in ("ante_across", "ante_down", "across")]
    for step, after in pairwise([*steps, f"turn {column}"]):
        wager = step.split()[2]
        assert prompt_line(felt) == f"{step} | {after} | 2.{wager}:take"
        felt.lay(2, **{wager: 0})
    assert prompt_line(felt) == f"turn {column} .11(e) | ask 3 middle | "
    felt.press("confirm")
    assert prompt_line(felt) == f"ask 3 middle {options} .11(f) | turn places=middle | 3.middle:call"
    felt.bet(30)
    assert prompt_line(felt) == "turn places=middle cards=lay_down .11(g) | - | "
    felt.press("confirm")


def settlement(felt: Felt) -> None:
    steps = [
        "take 3 ante_across 1000 hand=jack high .11(h)(1)(i)",
        "take 3 across 2000 hand=jack high .11(h)(1)(i)",
        "pay 3 ante_down 1000 hand=pair of jacks odds=1 chips=500,500 .12(a)",
        "pay 3 down 1000 hand=pair of jacks odds=1 chips=500,500 .12(b)",
        "pay 3 middle 3000 hand=pair of jacks odds=1 chips=2500,500 .11(h)(4)",
        "take 3 five_card_bonus 500 hand=jack high .11(h)(5)",
        "take 2 five_card_bonus 500 hand=jack high cards=seat_first racked=3 .11(h)(5)",
        "clear step=reshuffled",
    ]
    assert prompt_line(felt) == "turn_seat 3 .11(g) | - | "
    for step, after in pairwise(steps):
        felt.settle_one()
        verb, seat, wager, *_ = step.split()
        assert prompt_line(felt) == f"{step} | {after} | {seat}.{wager}:{verb}"
    felt.settle_one()
    assert prompt_line(felt) == "clear step=reshuffled .11(i) | - | "
    felt.clear()
    felt.press("confirm")
    assert prompt_line(felt) == f"{OPEN} | - | {antes_open(1, 2, 3, 4, 5, 6)}"


def test_only_a_reduced_payout_is_marked_as_reduced() -> None:
    """§ 674a.12(d): the wager that exceeds the limit is paid in part, and its prompt states this. Wagers that
    can win nothing more have no prompt."""
    rules = pack()
    felt = Felt(replace(rules, payout_limit=replace(rules.payout_limit, cents=1500))).dealt(
        "JC 7D 2H 8S 4C", {3: "JH 3D"}
    )
    for _ in range(3):
        felt.decide(s3=10)
    felt.settle_one()
    payouts = [words(prompt) for prompt in felt.settle() if prompt["kind"] == "pay"]
    assert payouts == [
        "pay 3 ante_down 1000 hand=pair of jacks odds=1 chips=500,500 .12(a)",
        "pay 3 down 500 hand=pair of jacks odds=1 chips=500 code=payout_limit .12(b)",
    ]


@pytest.mark.parametrize("folded", [False, True])
def test_dealt_by_hand_each_face_is_requested_at_its_place(folded: bool) -> None:
    """§ 674a.9: no reader has seen a card, so the dealer enters each face when it is turned."""
    felt = Felt(method=Method.HAND).closed(3, five_card_bonus=5)
    assert prompt_line(felt).startswith("deal_hand step=cross_first .9(b) | ")
    felt.press("confirm")
    assert prompt_line(felt) == "take_stub 45 step=into_the_rack .9(c) | - | "
    felt.press("confirm")
    felt.fold() if folded else felt.bet(10)
    felt.collect()
    felt.press("confirm")
    assert prompt_line(felt).startswith("enter_face places=across_left | ")
    felt.enter("across_left", "7D")
    assert prompt_line(felt).startswith("enter_face places=across_right | ")
    assert felt.table.view()["keys"][Key.CONFIRM] is False
    felt.enter("across_right", "8S")
    for faces in (("JC", "4C"), ("2H",)):
        if not folded:
            felt.bet(10)
        felt.press("confirm")
        for face in faces:
            felt.enter(felt.prompt["places"][0], face)
    if folded:
        assert (felt.prompt["kind"], felt.prompt["wager"]) == ("take", "five_card_bonus")
        return
    assert prompt_line(felt) == "turn_seat 3 .11(g) | - | "
    felt.press("confirm")
    assert prompt_line(felt) == "enter_face 3 places=seat_3_1 | - | "
    felt.enter("seat_3_1", "JH")
    assert prompt_line(felt) == "enter_face 3 places=seat_3_2 | - | "


def test_the_prompt_names_the_act_that_undo_withdraws() -> None:
    felt = Felt()
    felt.antes(2, 3)
    felt.press("no_more_bets")
    assert felt.table.view()["last"] == {"kind": "no_more_bets", "seat": None, "wager": None}
    felt.swept()
    felt.deal("2C 7D TH JS 4C", {2: "AH 9D", 3: "TD 9S"})
    felt.press("fold")
    assert felt.table.view()["last"] == {"kind": "fold", "seat": 2, "wager": "across"}
    felt.press("undo")
    assert felt.table.view()["last"] is None
    felt.bet(10)
    felt.bet(10)
    assert felt.table.view()["last"] == {"kind": "confirm", "seat": 3, "wager": "across"}
    felt.press("confirm")
    for _ in range(2):
        felt.decide(s2=10, s3=10)
    felt.settle_one()
    felt.press("confirm")
    assert felt.table.view()["last"] == {"kind": "confirm", "seat": 3, "wager": "ante_across"}
