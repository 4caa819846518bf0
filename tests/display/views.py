"""Public views for the display's tests: one table in mid-round, with each kind of prompt.

They are built by hand from the declared form of the view, not by the core, so that an error shared by two
halves of the program is not hidden. `whole` is the exception; the view of the core itself is tested in
tests/game.
"""

from __future__ import annotations

import json
from typing import Any

from controller.game.model.rules import PayTable
from controller.game.showing.front import drawn_parts
from tests.game.felt import pack

View = dict[str, Any]
CROSS = ["down_far", "across_left", "middle", "across_right", "down_near"]
WAGERS = ["ante_across", "ante_down", "across", "down", "middle", "five_card_bonus"]
UP = {"down_far": "2C", "across_left": "7D", "middle": "TH", "across_right": "JS", "down_near": "4C"}


ABOUT = (
    "step", "round", "cards", "deck", "folds", "boxes", "dealer", "method", "call", "undo", "forfeit",
)  # fmt: skip


def signs(kind: str, amount: int = 0, counts: int = 0, holder: str = "") -> list[View]:
    """Return one key that signs, with one effect."""
    return [{"holder": holder, "effects": [{"kind": kind, "amount": amount, "counts": counts}]}]


def card(lies: str, face: str | None = None) -> dict[str, str | None]:
    return {"lies": lies, "face": face}


def stack(cents: int) -> list[int]:
    """Return an amount as chips, the largest first, as a patron lays it."""
    chips: list[int] = []
    for value in (100_000, 10_000, 2_500, 500, 100):
        count, cents = divmod(cents, value)
        chips += [value] * count
    return chips


def circle(amount: int | None = None, lamp: str = "off", due: str | None = None, reading: str = "ok") -> View:
    return {
        "amount": amount, "chips": stack(amount or 0), "reading": reading, "wager": amount,
        "lamp": lamp, "due": due, "should": None, "result": None, "paid": None,
        "by_hand": reading != "ok", "wrong": False, "signed": False,
        "about": None if reading == "ok" else f"circle {amount}",
    }  # fmt: skip


def seat(number: int, **wagers: int) -> View:
    playing = bool(wagers)
    return {
        "seat": number, "player": str(number), "in_round": playing, "folded_at": None, "forfeited": False,
        "reportable": playing, "asked": False, "settled": False,
        "cards": [card("down"), card("down")] if playing else [],
        "hands": {"across": None, "down": None, "five_card_bonus": None, "six_card_bonus": None},
        "circles": {w: circle(wagers.get(w, 0), "accepted" if wagers.get(w) else "off") for w in WAGERS},
    }  # fmt: skip


def prompt(kind: str, **parts: Any) -> View:
    circle = ("seat", "wager", "amount", "places", "hand", "odds", "options", "chips", "code")
    empty = dict.fromkeys((*circle, "step", "citation", "cards", "racked", "too"))
    details = "/".join(f"{name}={part}" for name, part in parts.items())
    if "hand" in parts:
        parts["hand"] = HANDS[parts["hand"]]
    entry = ENTRIES.get(kind)
    opens = None if entry in (None, "sign_on") else "confirm"
    form = {"entry": entry, "entry_key": opens, "quick": QUICK.get(kind)}
    return {"id": f"{kind}/{details}", "kind": kind, **empty, **form, **parts}


HANDS = {
    "pair of 10s": {"category": "pair", "ranks": [10, 14, 9, 7]},
    "pair of 5s": {"category": "pair", "ranks": [5, 14, 9, 7]},
    "pair of jacks": {"category": "pair", "ranks": [11, 14, 9, 7]},
    "ace high": {"category": "high_card", "ranks": [14, 10, 9, 7, 2]},
    "jack high": {"category": "high_card", "ranks": [11, 10, 9, 7, 2]},
    "pair of queens": {"category": "pair", "ranks": [12, 14, 9, 7]},
    "three of a kind": {"category": "three_of_a_kind", "ranks": [9, 14, 7]},
    "straight": {"category": "straight", "ranks": [9]},
    "two pair": {"category": "two_pair", "ranks": [10, 9, 14]},
    "full house": {"category": "full_house", "ranks": [10, 9]},
}


QUICK = {"enter_amount": [500, 1000, 1500]}
ENTRIES = {
    "enter_amount": "amount", "enter_face": "face", "count_stub": "stub", "deck_needed": "deck",
    "open_table": "sign_on",
}  # fmt: skip


def alert(code: str = "overpaid", grade: str = "alert", number: int = 7, **parts: Any) -> View:
    base = {
        "id": number, "code": code, "name": code, "grade": grade, "seat": 3, "wager": "across", "place": None,
        "lies": 9500, "should": 9000, "citation": "58 Pa. Code § 674a.11(h)",
        "signable": grade == "alert", "missing": 0, "push_hand": None, "home": None, "due_at": None,
        "first": None,
        "about": f"alert {number}", "signs": signs("more", 500) if grade == "alert" else [],
    }  # fmt: skip
    return {**base, **parts}


def hold(code: str = "community_exposed", **parts: Any) -> View:
    decisions = [("approve", "void"), ("refuse", None), ("outcome", "go_on"), ("outcome", "remove_deck")]
    base = {
        "code": code, "grade": "hold", "seat": None, "wager": None, "place": "middle", "phase": "across",
        "citation": "58 Pa. Code § 674a.13(d)", "proposed": "void",
        "outcomes": ["go_on", "void", "remove_deck"], "refusable": True, "then": [],
        "decisions": [
            {"decision": decision, "outcome": outcome, "section": None} for decision, outcome in decisions
        ],
        "readings": [], "stub": None, "fault": None, "number": None, "serial": None,
        "stranger": None, "rows": None, "about": "hold 7.31",
    }  # fmt: skip
    return {**base, **parts}


def reason(code: str = "not_now", **parts: Any) -> View:
    return {"code": code, "wager": None, "lies": None, "missing": None, "options": None, **parts}


def _lines(table: PayTable) -> list[dict[str, Any]]:
    return [{"hand": hand, "odds": None if odds == "push" else odds} for hand, odds in table.items()]


PACK = pack("pennsylvania")
PAYS = {
    "ante": _lines(PACK.ante_pays), "bet": _lines(PACK.bet_pays),
    "side": {wager: _lines(PACK.side_bets[wager]) for wager in PACK.bonuses},
}  # fmt: skip


def view(**parts: Any) -> View:
    """Return a Pennsylvania table in the Across decision: six boxes, one folded."""
    seats = [
        seat(1, ante_across=1000, ante_down=1000, across=1000),
        seat(2, ante_across=2500, ante_down=2500, across=7500, five_card_bonus=500),
        seat(3, ante_across=1000, ante_down=1000),
        seat(4),
        seat(5, ante_across=10000, ante_down=10000, five_card_bonus=2500),
        seat(6, ante_across=500, ante_down=500),
    ]
    seats[0]["folded_at"] = "across"
    base: View = {
        "table": "CC-01", "rules": "pennsylvania", "rules_title": "58 Pa. Code Chapter 674a",
        "method": "automated_shoe", "round": 17, "phase": "across", "dealer": "D7", "version": 1,
        "prompt": prompt("ask", seat=3, wager="across", options=[1000, 2000, 3000],
                         citation="58 Pa. Code § 674a.11(b)"),
        "next": prompt("ask", seat=5, wager="across", options=[10000, 20000, 30000]),
        "cross": {place: card("down") for place in CROSS}, "bonus_cards": None, "set_aside": 0,
        "seats": seats, "alerts": [], "hold": None, "due": None, "marked": None,
        "keys": {"no_more_bets": False, "confirm": True, "fold": True, "floor": True, "undo": True},
        "dark": {},
        "shoe": {"link": "up", "state": "READY", "back": "red", "mode": "STACK", "left": 33, "fault": None},
        "deck": {"back": "red", "rounds_since_count": 2, "change_due": False, "backs": ["red", "blue"],
                 "decks": 1, "number": None, "apart": None, "again": True, "next": None},
        "floor": {"acts": ["forfeit", "stop", "recut", "shuffle", "correct", "player", "method", "close"],
                  "stops": ["void", "remove_deck"], "seats": [2, 3, 4], "folded": [], "both": [],
                  "methods": ["manual_shoe", "hand"]},
        "pays": PAYS,
        "limits": {"minimum_ante": 500, "maximum_ante": 10000, "bonus_minimum": 100,
                   "bonus_maximum": 10000, "multiples": [1, 3], "whole": True},
        "forfeits": ["player_left", "cards_touched"], "stopping": ["hole_exposed", "players_conferred"],
        "denominations": [100, 500, 2500, 10000, 50000, 100000],
        "corrections": [100, 500, 2500], "floor_called": False, "wanted": None, "on_the_way": None,
        "reports": [
            "community_exposed", "hole_exposed", "card_differs", "swapped", "wrong_count", "drawn_in_error",
            "face_seen", "player_left", "players_conferred", "cards_touched", "out_of_view", "hand_left",
            "shuffler_fault", "stub_count", "duplicate_card",
        ],
        "about": {kind: f"{kind} 5" for kind in ABOUT},
        "signatures": [], "last": {"kind": "confirm", "seat": 2, "wager": "across"},
    }  # fmt: skip
    return dict(json.loads(json.dumps({**base, **parts})))


def whole(shown: View) -> View:
    """Return the view with the fields that the core derives: the front, the parts beside it, and the key that
    is lit."""
    dark = {key: shown["dark"].get(key, reason()) for key, lit in shown["keys"].items() if not lit}
    return {**shown, "dark": dark, **drawn_parts(shown)}


def settling(kind: str, amount: int, **parts: Any) -> View:
    """Return the same table in the settlement of seat 3: cross and seat turned, one circle due."""
    where = {"seat": 3, "wager": "across"} | {k: parts.pop(k) for k in ("seat", "wager") if k in parts}
    shown = view(
        phase="settlement",
        keys=keys("confirm", "undo"),
        prompt=prompt(kind, amount=amount, citation="58 Pa. Code § 674a.12(a)", **where, **parts),
        next=prompt("take", seat=3, wager="ante_down", amount=1000, hand="pair of 5s"),
    )
    shown["cross"] = {place: card("up", UP[place]) for place in CROSS}
    at = shown["seats"][where["seat"] - 1]
    at["cards"] = [card("up", "TD"), card("up", "9S")]
    at["circles"]["across"] = circle(3000, "accepted")
    due = kind if kind in ("take", "push", "pay") else None
    at["circles"][where["wager"]] = circle(3000, due or "accepted", due)
    shown["seats"][5]["settled"] = True
    own = ["seat_3_1", "seat_3_2"]
    shown["marked"] = {"five": [*own, *CROSS[1:4]], "making": [own[0], "middle"]}
    return shown


def pushes(*cents: int) -> View:
    """Return the settlement of seat 3 where one hand pushes Down ante, Down and Middle."""
    wagers = ("ante_down", "down", "middle")[: len(cents)]
    shown = settling("push", cents[0], wager=wagers[0], hand="pair of 10s", too=list(wagers[1:]))
    for wager, amount in zip(wagers, cents, strict=True):
        shown["seats"][2]["circles"][wager] = circle(amount, "push", "push" if wager == wagers[0] else None)
    return shown


def wrong(shown: View, lies: int) -> View:
    """Return the view with a wrong amount in the prompt's circle: `lies` cents."""
    about = shown["prompt"]
    shown["seats"][about["seat"] - 1]["circles"][about["wager"]] = circle(lies, "refused")
    return shown


def prompts() -> dict[str, View]:
    """Return a fitting view for every kind of prompt."""
    made = {
        "open_table": view(phase="closed", dealer=None, prompt=prompt("open_table"), next=None),
        "opening_step": view(phase="opening", prompt=prompt("opening_step", step="spread")),
        "deck_needed": view(phase="shuffle", prompt=prompt("deck_needed"), next=prompt("load_deck")),
        "shuffle_wait": view(phase="shuffle", prompt=prompt("shuffle_wait"), next=prompt("bets_open")),
        "load_deck": view(phase="shuffle", prompt=prompt("load_deck")),
        "bets_open": view(phase="betting", prompt=prompt("bets_open"), next=None),
        "reading_wait": view(phase="betting", prompt=prompt("reading_wait"), next=None),
        "proofs_wait": settling("proofs_wait", 0, seat=5, wager="middle"),
        "fix_wagers": wrong(view(phase="betting", prompt=prompt("fix_wagers", code="unequal_antes", seat=3,
                                                                wager="ante_down")), 1500),
        "enter_amount": view(prompt=prompt("enter_amount", seat=3, wager="across")),
        "cards_wait": view(phase="dealing", prompt=prompt("cards_wait", places=CROSS)),
        "lift_stack": view(phase="dealing", prompt=prompt("lift_stack", seat=3)),
        "deal_hand": view(phase="dealing", prompt=prompt("deal_hand", step="seats_first")),
        "deal_card": view(phase="dealing", prompt=prompt("deal_card", places=["across_left"])),
        "take_stub": view(phase="dealing", prompt=prompt("take_stub", step="into_the_rack",
                                                         cards=["cut_card_out", "cover_bonus"])),
        "count_stub": view(phase="dealing", prompt=prompt("count_stub")),
        "permit_cards": view(phase="dealing", prompt=prompt(
            "permit_cards", cards=["rack_stub", "cut_card_out", "cover_bonus"])),
        "ask": view(),
        "confirm_bet": view(prompt=prompt("confirm_bet", seat=3, wager="across", amount=3000)),
        "confirm_fold": view(prompt=prompt("confirm_fold", seat=3, amount=2000)),
        "collect": view(prompt=prompt("collect", seat=3, wager="ante_across", amount=1000,
                                       cards=["under_five_card_bonus"])),
        "turn": view(prompt=prompt("turn", places=["middle"], cards=["lay_down"])),
        "enter_face": settling("enter_face", 0, places=["middle"]),
        "turn_seat": settling("turn_seat", 0, cards=["seat_first"], racked=6),
        "turn_bonus": settling("turn_bonus", 0, cards=["seat_and_cross_first"], racked=1),
        "take": settling("take", 3000, hand="ace high"),
        "push": settling("push", 3000, hand="pair of 10s"),
        "pay": settling("pay", 36000, seat=5, wager="middle", hand="full house", odds=12,
                        chips=[10000] * 3 + [2500] * 2 + [500] * 2),
        "clear": settling("clear", 0, step="reshuffled", cards=["hands_in_order", "one_deck"]),
        "cut": view(phase="shuffle", prompt=prompt("cut", amount=15)),
        "cover_device": view(phase="betting", prompt=prompt("cover_device"), next=None),
        "exam": view(prompt=prompt("exam"), next=None),
        "return_wager": view(phase="void", prompt=prompt("return_wager", seat=3, wager="down", amount=300)),
        "refund": view(phase="void", prompt=prompt("refund", seat=1, amount=3000)),
        "who_has": view(phase="void", prompt=prompt("who_has", seat=3, wager="down", amount=3000)),
        "take_back": settling("take_back", 2000, hand="pair of 10s"),
        "put_back": settling("put_back", 3000, hand="pair of 10s", chips=[2500, 500]),
        "ask_back": view(phase="void", prompt=prompt("ask_back", seat=6, amount=19000)),
        "hand_back": wrong(settling("hand_back", 9000, code="overpaid"), 9500),
        "held": view(phase="held", prompt=prompt("held", code="community_exposed"), hold=hold()),
        "signature": view(phase="opening", prompt=prompt("signature", step="verify")),
    }  # fmt: skip
    for kind, shown in made.items():
        shown["keys"] = keys(*LIT.get(kind, ("confirm", "undo")))
        if shown["phase"] in EMPTY:
            _emptied(shown)
    return made


EMPTY = ("closed", "opening", "shuffle", "betting")
LIT: dict[str, tuple[str, ...]] = {
    "bets_open": ("no_more_bets",), "fix_wagers": ("no_more_bets",), "ask": ("fold", "undo"),
    "confirm_bet": ("confirm", "fold", "undo"), "cut": ("confirm",), "open_table": ("confirm",),
    "cover_device": ("confirm",),
    "opening_step": ("confirm",), "load_deck": ("confirm",), "clear": ("confirm",), "refund": ("confirm",),
    **dict.fromkeys(["shuffle_wait", "reading_wait", "cards_wait", "deck_needed", "enter_amount"], ()),
    "proofs_wait": ("undo",),
    **dict.fromkeys(["enter_face", "lift_stack", "take_stub", "count_stub", "return_wager", "take_back"], ()),
    **dict.fromkeys(["held", "hand_back"], ()),
}  # fmt: skip
"""Lit keys for each kind of prompt. For other kinds these are CONFIRM and UNDO."""


def keys(*lit: str) -> dict[str, bool]:
    return {key: key in (*lit, "floor") for key in ("no_more_bets", "confirm", "fold", "floor", "undo")}


def _emptied(shown: View) -> None:
    """Empty the view as before a deal: no cards, and no chips except the antes of the next round."""
    shown["next"] = None
    shown["cross"] = {place: card("none") for place in CROSS}
    for seat in shown["seats"]:
        seat |= {"folded_at": None, "cards": [], "in_round": False}
        for wager in seat["circles"]:
            if shown["phase"] != "betting" or wager in ("across", "down", "middle"):
                seat["circles"][wager] |= circle(0)
