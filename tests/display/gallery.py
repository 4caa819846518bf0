"""Views for every picture of the dealer's page: prompt kinds, alerts, holds, phases.

They are named after the catalogues, so that a new code without a view is found by its name. The views are
built by hand like those of `views.py`, with plausible figures.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from controller.game.model.irregularities import Code
from controller.game.model.names import Phase
from controller.game.showing.lamps import LampState
from tests.display.views import (
    CROSS,
    UP,
    View,
    alert,
    card,
    circle,
    hold,
    keys,
    prompt,
    prompts,
    settling,
    view,
)

ROW, COLUMN = CROSS[1:4:2], CROSS[0::4]

# cents in the circle, and cents that should be there, as the alert shows them
SUMS: dict[str, tuple[int | None, int | None]] = {
    "late_bet": (2500, 0),
    "bet_changed": (1500, 1000),
    "bet_out_of_turn": (3000, 0),
    "unequal_antes": (1500, None),
    "bet_out_of_range": (700, None),
    "bonus_without_antes": (500, None),
    "bonus_unequal": (2500, None),
    "losing_bet_left": (3000, 0),
    "underpaid": (3000, 9000),
    "overpaid": (9500, 9000),
    "push_disturbed": (0, 3000),
    "wrong_circle": (2500, 0),
    "settled_out_of_order": (0, 1000),
    "unknown_chip": (3000, None),
    "duplicate_chip": (3000, None),
    "chip_withdrawn": (3000, None),
    "chip_unproven": (3000, None),
    "reading_unstable": (None, None),
    "reader_lost": (None, None),
}
WAGERS = {"unequal_antes": "ante_down", "bet_out_of_range": "ante_across", "late_bet": "ante_across",
          "bonus_without_antes": "five_card_bonus", "bonus_unequal": "six_card_bonus"}  # fmt: skip
PLACES = {"community_exposed": "middle", "card_not_read": "seat_3_1", "bonus_exposed": "bonus_2",
          "card_differs": "across_left", "hole_exposed": "seat_3_2"}  # fmt: skip
OF_SEAT = {"player_left", "players_conferred", "cards_touched", "out_of_view", "hand_left",
           "wrong_count", "hole_exposed"}  # fmt: skip


def turned(shown: View, *places: str) -> View:
    for place in places:
        shown["cross"][place] = card("up", UP[place])
    return shown


def six_circles(shown: View) -> View:
    """Add the circle of the Six Card Bonus at every seat of `shown`, as its pack has it, and return
    `shown`."""
    for seat in shown["seats"]:
        seat["circles"]["six_card_bonus"] = circle(0)
    shown["bonus_cards"] = [card("down")] * 4
    return shown


def alerts() -> dict[str, View]:
    """Return an alert for every code: betting codes occur during betting, the others in settlement."""
    return {f"alert-{code}": _with_alert(code) for code in Code}


def _with_alert(code: str) -> View:
    betting = code in ("unequal_antes", "bet_out_of_range", "bonus_without_antes", "bonus_unequal")
    shown = phases()["phase-betting"] if betting else settling("pay", 9000, hand="three of a kind", odds=3,
                                                               chips=[2500] * 3 + [500] * 3)  # fmt: skip
    if code == "bonus_unequal":
        shown = six_circles(shown)
    wager = WAGERS.get(code, "across") if code in SUMS else None
    lies, should = SUMS.get(code, (None, None))
    seat = 3 if code in SUMS or code in OF_SEAT else None
    grade = Code(code).kind.grade.replace("hold", "alert")
    shown["alerts"] = [
        alert(code, grade, seat=seat, wager=wager, place=PLACES.get(code), lies=lies, should=should)
    ]
    if seat and wager:
        unread = {"reader_lost": "silent", "reading_unstable": "unstable"}.get(code)
        lamp = "fault" if unread else "refused"
        due = shown["seats"][2]["circles"][wager]["due"]
        wrong = {"wrong": grade == "alert"}
        shown["seats"][2]["circles"][wager] = circle(lies, lamp, due, unread or "ok") | wrong
    if code == "bonus_unequal":
        shown["seats"][2]["circles"]["five_card_bonus"] = circle(500, "accepted")
    return shown


def holds() -> dict[str, View]:
    """Return every code that stops play, as a hold."""
    return {f"hold-{code}": _held(code) for code in Code if code.kind.grade == "hold"}


def _held(code: str) -> View:
    shown = turned(view(phase="held", prompt=prompt("held", code=code), next=None, keys=keys()), *ROW)
    where = {"place": PLACES.get(code), "seat": 3 if code in OF_SEAT else None}
    return shown | {"hold": hold(code, **where)}


def phases() -> dict[str, View]:
    """Return a view of a typical moment of each phase, by name."""
    made = prompts()
    betting = made["bets_open"]
    for seat in betting["seats"]:
        for wager, lies in seat["circles"].items():
            bonus = wager == "five_card_bonus" and seat["seat"] != 4
            if not lies["amount"] and (bonus or wager in ("ante_across", "ante_down")):
                lies["lamp"] = LampState.OPEN.value
    dealing = made["lift_stack"]
    for wager in ("ante_across", "ante_down"):
        dealing["seats"][2]["circles"][wager]["lamp"] = LampState.DEAL.value
    asking = made["ask"]
    asking["seats"][2]["circles"]["across"]["lamp"] = LampState.CALL.value
    asking["seats"][4]["circles"]["across"]["lamp"] = LampState.OPEN.value
    asks = {
        wager: prompt("ask", seat=3, wager=wager, options=[1000, 2000, 3000]) for wager in ("down", "middle")
    }
    down = view(phase="down", prompt=asks["down"], keys=keys("fold", "undo"))
    middle = view(phase="middle", prompt=asks["middle"], keys=keys("fold", "undo"))
    found: dict[str, View] = {
        "closed": made["open_table"], "opening": made["opening_step"], "shuffle": made["shuffle_wait"],
        "betting": betting, "dealing": dealing, "across": asking,
        "down": turned(down, *ROW), "middle": turned(middle, *ROW, *COLUMN),
        "settlement": settling("push", 3000, hand="pair of 10s"),
        "clearing": made["clear"] | {"phase": "clearing"}, "held": made["held"], "void": made["return_wager"],
    }  # fmt: skip
    return {f"phase-{phase}": found[phase] for phase in Phase}


@cache
def gallery() -> dict[str, View]:
    """Return name -> view; a name is like `prompt-take`. Do not change the views."""
    kinds: dict[str, Any] = {f"prompt-{kind}": shown for kind, shown in prompts().items()}
    return {**kinds, **alerts(), **holds(), **phases()}
