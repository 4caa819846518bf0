"""The view has the expected value in every field at one moment of a round, and a hold changes the expected
fields.

controller/ARCHITECTURE.md "Principles": at this moment the row and the column are turned, the middle card and
the seat's own cards are not.
"""

from __future__ import annotations

from typing import Any

from controller.game.model.events import DealerSignedOn
from tests.game.felt import Felt

NO_HANDS = dict.fromkeys(("across", "down", "five_card_bonus", "six_card_bonus"))
CIRCLES = ("ante_across", "ante_down", "across", "down", "middle", "five_card_bonus")

STOPPING = [
    "bonus_exposed", "card_differs", "cards_touched", "community_exposed", "duplicate_card", "face_seen",
    "hand_left", "hole_exposed", "out_of_view", "player_left", "players_conferred", "shuffler_fault",
    "wrong_count", "swapped",
]  # fmt: skip


def prompt(kind: str, number: str, **more: Any) -> dict[str, Any]:
    circle = ("seat", "wager", "amount", "places", "hand", "odds", "options", "chips", "code")
    nothing = dict.fromkeys(
        (*circle, "step", "citation", "cards", "racked", "too", "entry", "entry_key", "quick")
    )
    return {"id": number, "kind": kind} | nothing | more


def circle(cents: int = 0, lamp: str = "off", **more: Any) -> dict[str, Any]:
    return {
        "amount": cents, "chips": [cents] if cents else [], "reading": "ok", "wager": cents or None,
        "lamp": lamp, "due": None, "should": None, "result": None, "paid": None,
        "by_hand": False, "wrong": False, "signed": False, "about": None,
    } | more  # fmt: skip


def box(seat: int, circles: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "seat": seat, "player": str(seat), "in_round": False, "folded_at": None, "forfeited": False,
        "reportable": False, "asked": False, "settled": False, "cards": [], "hands": NO_HANDS,
        "circles": {name: circle() for name in CIRCLES} | circles,
    } | more  # fmt: skip


def at_middle_prompt() -> Felt:
    """Return a table that asks seat 3 for its Middle bet, with one chip too many on its ante."""
    felt = Felt(table="CC-07")
    felt.event(DealerSignedOn("D7"))
    felt.closed(3, five_card_bonus=5)
    felt.deal("JC 7D 2H 8S 4C", {3: "JH 3D"})
    felt.decide(s3=10)
    felt.decide(s3=10)
    felt.lay(3, ante_down=15)
    felt.stand()
    return felt


def seats(middle: str) -> list[dict[str, Any]]:
    down = {"lies": "down", "face": None}
    three = {
        "ante_across": circle(1000, "accepted"),
        "ante_down": circle(1500, "refused", wager=1000, should=1000, wrong=True),
        "across": circle(1000, "accepted"),
        "down": circle(1000, "accepted"),
        "middle": circle(0, middle),
        "five_card_bonus": circle(500, "accepted"),
    }
    third = box(3, three, in_round=True, reportable=True, asked=True, cards=[down, down])
    return [third if seat == 3 else box(seat, {}) for seat in range(1, 7)]


def test_the_view_has_exactly_these_fields() -> None:
    felt = at_middle_prompt()
    view = felt.table.view()
    alert = {
        "code": "bet_changed", "grade": "alert", "seat": 3, "wager": "ante_down", "place": None, "lies": 1500,
        "should": 1000, "citation": "58 Pa. Code § 674a.7(c)",
    }  # fmt: skip
    up = {"down_far": "JC", "across_left": "7D", "across_right": "8S", "down_near": "4C"}
    expected: dict[str, Any] = {
        "table": "CC-07", "rules": "pennsylvania", "rules_title": felt.pack.title, "method": "automated_shoe",
        "round": 1, "phase": "middle", "dealer": "D7", "version": felt.table.state.version,
        "shoe": {
            "link": "up", "state": "READY", "mode": None, "left": 0, "back": "red", "fault": None,
            "ready": False,
        },
        "deck": {"back": "red", "rounds_since_count": 0, "change_due": False, "backs": ["red", "blue"],
                 "decks": 1, "number": None, "apart": None, "again": True, "next": None},
        "floor": {"acts": ["forfeit", "stop"], "stops": ["void", "remove_deck"], "seats": [3], "folded": [],
                  "both": [], "methods": []},
        "limits": {
            "minimum_ante": 500, "maximum_ante": 10000, "bonus_minimum": 100, "bonus_maximum": 10000,
            "multiples": [1, 3], "whole": True,
        },
        "forfeits": ["player_left"], "stopping": STOPPING,
        "corrections": [100, 500, 2500], "floor_called": False, "wanted": None, "on_the_way": None,
        "prompt": prompt(
            "ask", "1/ask/3/middle////18", seat=3, wager="middle", options=[1000, 2000, 3000],
            citation="58 Pa. Code § 674a.11(f)",
        ),
        "next": prompt("turn", "1/turn//////middle/18", places=["middle"]),
        "cross": {place: {"lies": "up", "face": face} for place, face in up.items()}
        | {"middle": {"lies": "down", "face": None}},
        "bonus_cards": None, "set_aside": 0, "seats": seats("call"), "hold": None, "signatures": [],
    }  # fmt: skip
    assert {key: view[key] for key in expected} == expected
    assert [{key: each[key] for key in alert} for each in view["alerts"]] == [alert]
    assert view["keys"] == {
        "no_more_bets": False, "confirm": False, "fold": True, "floor": True, "undo": False,
    }  # fmt: skip


def test_a_hold_shows_place_cause_and_possible_decisions() -> None:
    felt = at_middle_prompt()
    before = felt.table.view()
    felt.report("wrong_count", seat=3, number=1)
    view = felt.table.view()
    section = "58 Pa. Code § 674a.13(c)"
    assert view["hold"] == {
        "code": "wrong_count", "grade": "hold", "seat": 3, "wager": None, "place": None, "phase": "middle",
        "citation": section, "proposed": "void", "outcomes": ["void"], "refusable": True, "then": [],
        "decisions": [
            {"decision": "approve", "outcome": "void", "section": None},
            {"decision": "refuse", "outcome": None, "section": None},
        ],
        "readings": [], "stub": None, "fault": None, "number": 7, "serial": "1", "stranger": None,
            "rows": None, "about": "hold 1.1",
    }  # fmt: skip
    held = prompt("held", "1/held/3////wrong_count//0/19", seat=3, code="wrong_count", citation=section)
    assert view["prompt"] == held
    assert (view["phase"], view["next"], view["seats"]) == ("held", None, seats("off"))
    assert view["keys"] == {
        "no_more_bets": False, "confirm": False, "fold": False, "floor": True, "undo": False,
    }  # fmt: skip
    same = ("cross", "shoe", "deck", "limits", "round", "dealer", "bonus_cards", "set_aside")
    assert {key: view[key] for key in same} == {key: before[key] for key in same}
