"""The dealer's first view, and the parts beside it: decided here, drawn by the page.

The prompt is in front, unless an alert wants a hand on the chips first: two things to do at once are none.
Everything is read off the public view, so nothing here can tell more than the view holds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from controller.game.model.irregularities import Code
from controller.game.model.names import Key, Phase
from controller.game.showing.signatures_view import Waiting
from controller.game.showing.view import (
    Alert,
    Answers,
    Beside,
    Front,
    Hold,
    Prompt,
    Seat,
    Seen,
)

ICONS: Mapping[str, str] = {
    "take": "take", "collect": "take", "push": "push", "pay": "pay",
    "return_wager": "give", "refund": "give", "who_has": "ask",
    "hand_back": "alert", "fix_wagers": "alert", "held": "hold",
    "ask": "ask", "confirm_bet": "accepted", "confirm_fold": "refused", "bets_open": "bets",
    "turn": "turn", "turn_seat": "turn", "turn_bonus": "turn",
    "enter_amount": "enter", "enter_face": "enter", "count_stub": "stub", "take_stub": "stub",
    "lift_stack": "cards", "deal_card": "cards", "deal_hand": "cards", "clear": "cards", "cut": "cards",
    "deck_needed": "cards", "load_deck": "cards", "permit_cards": "cards", "opening_step": "cards",
    "shuffle_wait": "wait", "reading_wait": "wait", "cards_wait": "wait",
    "signature": "sign", "open_table": "sign", "cover_device": "sign",
}  # fmt: skip
"""The shape beside a prompt, by its kind; the others have a dot."""

SETTLES = ("take", "push", "pay")
LOOKS = (*SETTLES, "give")
"""A prompt with one of these shapes wears its colour too."""

REMEDIES = ("fix_wagers", "enter_amount", "enter_face", "held", "signature", "return_wager", "refund")
"""These prompts say the remedy themselves; the alert in front would only say it twice."""

WAITS = ("cards_wait", "shuffle_wait", "reading_wait")
"""While the dealer waits anyway, an alert that can stand for an hour may be in front."""

Entry = Literal["amount", "face", "stub", "deck", "sign_on"]
Then = Literal["proposed", "next", "prompt"] | None

ENTRIES: Mapping[str, Entry] = {
    "enter_amount": "amount", "enter_face": "face", "count_stub": "stub", "deck_needed": "deck",
}  # fmt: skip
"""Forms of the prompts that want something entered, by kind."""

RHYTHMS: Mapping[str, Literal["quick", "even"]] = {"hold": "quick", "alert": "even"}
"""High and medium priority of IEC 60601-1-8; the rest is steady."""

GRADES = ("alert", "notice")


def ranked(alerts: Sequence[Alert]) -> list[Alert]:
    """The gravest first, the oldest first among equals."""
    return sorted(alerts, key=lambda alert: (GRADES.index(alert["grade"]), alert["id"]))


def entry(kind: str, dealer: str | None, sign_on: bool) -> Entry | None:
    """Which form a prompt opens, if it wants something entered. `sign_on`: nothing else is taken before."""
    if dealer is None and (sign_on or kind == "open_table"):
        return "sign_on"
    return ENTRIES.get(kind)


def answers(view: Seen) -> Answers:
    """Return the parts that the page draws of a view whose alerts are ranked."""
    alert = leading(view)
    return {
        "front": _held(view["hold"]) if view["hold"] else _alerted(view, alert) if alert else _prompted(view),
        "beside": _beside(view, alert),
        "shines": [key for key in (Key.CONFIRM, Key.NO_MORE_BETS) if _shines(view, key, alert)],
        "standing": _standing(view),
        "waiting": _waiting(view),
    }


# ------------------------------------------------------------------ in front


def leading(view: Seen) -> Alert | None:
    """The alert that takes the prompt's place, if one does. Of a circle that cannot be read nothing else can
    be said: that comes first there."""
    kind = view["prompt"]["kind"] if view["prompt"] else None
    if view["hold"] or kind in REMEDIES:
        return None
    waits = kind is None or kind in WAITS
    alerts = [alert for alert in view["alerts"] if alert["grade"] == "alert"]
    first = next((alert for alert in alerts if waits or Code(alert["code"]).kind.urgent), None)
    if first is None:
        return None
    return next((alert for alert in alerts if Code(alert["code"]).kind.unread and _same(alert, first)), first)


def _same(one: Alert | Prompt, other: Alert) -> bool:
    return (one["seat"], one["wager"]) == (other["seat"], other["wager"])


def _held(hold: Hold) -> Front:
    return _front("hold", "hold", None, hold["citation"], "proposed")


def _alerted(view: Seen, alert: Alert) -> Front:
    """Under an alert stands the prompt, unless it asks for what the alert asks for."""
    prompt = view["prompt"]
    mends = prompt is not None and prompt["kind"] == "hand_back" and _same(prompt, alert)
    return _front("alert", "alert", alert["id"], alert["citation"], "next" if mends else "prompt")


def _prompted(view: Seen) -> Front:
    prompt = view["prompt"]
    if prompt is None:
        return _front("quiet", "off", None, None, None)
    icon = ICONS.get(prompt["kind"], "off")
    return _front(icon if icon in LOOKS else "quiet", icon, None, prompt["citation"], "next")


def _front(look: str, icon: str, alert: int | None, citation: str | None, then: Then) -> Front:
    """`alert`: the id of the one that is in front. `then`: what stands under it."""
    return {
        "look": look, "icon": icon, "rhythm": RHYTHMS.get(look, "steady"),
        "alert": alert, "citation": citation, "then": then,
    }  # fmt: skip


# ------------------------------------------------------------------ beside it


def _beside(view: Seen, lead: Alert | None) -> Beside:
    """The gravest alert that is neither in front nor said by the prompt, and how many `more` there are; else
    a card set aside, which somebody must see to; else the seats whose wagers are `unfit` before the close."""
    told = [alert for alert in view["alerts"] if alert is not lead and not _said(view["prompt"], alert)]
    aside = bool(view["set_aside"]) and view["phase"] == Phase.DEALING
    return {
        "grade": told[0]["grade"] if told else "notice" if aside else None,
        "alert": told[0]["id"] if told else None,
        "more": max(0, len(told) - 1),
        "unfit": _unfit(view["seats"]) if view["phase"] == Phase.BETTING else [],
    }


def _said(prompt: Prompt | None, alert: Alert) -> bool:
    """The prompt that wants a wager mended says already what is wrong with it."""
    if prompt is None or prompt["kind"] != "fix_wagers":
        return False
    return (prompt["seat"], prompt["code"]) == (alert["seat"], alert["code"])


def _unfit(seats: Sequence[Seat]) -> list[int]:
    """The lamps show what would be wrong, were the bets closed now."""
    return [
        seat["seat"]
        for seat in seats
        if any(circle["lamp"] == "refused" for circle in seat["circles"].values())
    ]


def _shines(view: Seen, key: Key, alert: Alert | None) -> bool:
    """CONFIRM does not shine while an alert wants a hand on the chips first, nor where play goes on by
    itself; it is lit all the same."""
    goes_on = view["prompt"] is not None and view["prompt"]["step"] == "goes_on"
    return view["keys"][key] and not (key is Key.CONFIRM and (alert is not None or goes_on))


def _standing(view: Seen) -> Literal["on_the_way", "floor_called", "waiting", "change_due"] | None:
    """The one thing to know that is no alert."""
    if view["on_the_way"] is not None:
        return "on_the_way"
    if view["floor_called"]:
        return "floor_called"
    if _waiting(view):
        return "waiting"
    return "change_due" if view["deck"]["change_due"] else None


def _waiting(view: Seen) -> list[Waiting]:
    """Return the items that a floorperson may sign: a step of the opening, amounts entered by hand, and
    differences that may stay as they lie, which are told in the words of their alert."""
    signatures: list[Waiting] = [{**item, "alert": None, "step": None} for item in view["signatures"]]
    differences: list[Waiting] = [
        {
            "what": "difference", "seat": alert["seat"], "wager": alert["wager"], "amount": None,
            "missing": alert["missing"], "alert": alert["id"], "step": None, "about": alert["about"],
            "signs": alert["signs"],
        }
        for alert in view["alerts"]
        if alert["signable"] and alert["about"]
    ]  # fmt: skip
    return [*_step(view), *signatures, *differences]


def _step(view: Seen) -> list[Waiting]:
    prompt = view["prompt"]
    if prompt is None or prompt["kind"] != "signature":
        return []
    nowhere: Waiting = {
        "what": "step", "seat": None, "wager": None, "amount": None, "missing": 0, "alert": None,
        "step": prompt["step"], "about": view["about"]["step"],
        "signs": [{"holder": "", "effects": [{"kind": "verified", "amount": 0, "counts": 0}]}],
    }  # fmt: skip
    return [nowhere]
