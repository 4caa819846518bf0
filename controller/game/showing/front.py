"""Front of the dealer's view: whether a prompt or an alert is shown largest, and the parts beside it.
Decided here, drawn by the page.

The front is the prompt, unless an alert requires the dealer to handle the chips first, so that the screen
never asks for two acts at once. Everything is derived from the public view and cannot reveal more.
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
    "proofs_wait": "wait",
    "signature": "sign", "open_table": "sign", "cover_device": "sign",
}  # fmt: skip
"""Icon of a prompt by its kind; other prompts have a dot."""

SETTLES = ("take", "push", "pay")
COLOURED_SHAPES = (*SETTLES, "give")
"""Icons of prompts that the page also draws in their colour."""

REMEDIES = ("fix_wagers", "enter_amount", "enter_face", "held", "signature", "return_wager", "refund")
"""Kinds of prompt that already ask for the correction of a fault, so that no alert takes their place in
front."""

WAITING_PROMPTS = ("cards_wait", "shuffle_wait", "reading_wait", "proofs_wait")
"""Prompts during which the dealer waits; an alert that may last an hour can be in front of them."""

EntryPanel = Literal["amount", "face", "stub", "deck", "sign_on"]
Then = Literal["proposed", "next", "prompt"] | None

ENTRIES: Mapping[str, EntryPanel] = {
    "enter_amount": "amount", "enter_face": "face", "count_stub": "stub", "deck_needed": "deck",
}  # fmt: skip
"""Entry form of each prompt that requires an entry, by kind."""

MENDS: Mapping[str, tuple[Code, ...]] = {
    "hand_back": tuple(Code),
    "pay": (Code.UNDERPAID, Code.OVERPAID),
    "take": (Code.LOSING_BET_LEFT,),
}
"""Codes of alerts whose correction at the same circle also completes the prompt, by the kind of the
prompt."""

RHYTHMS: Mapping[str, Literal["quick", "even"]] = {"hold": "quick", "alert": "even"}
"""Rhythms by priority: high and medium of IEC 60601-1-8; a front of another priority is steady."""

GRADES = ("alert", "notice")


def ranked(alerts: Sequence[Alert]) -> list[Alert]:
    """Return the alerts by grade, gravest first, oldest first within a grade."""
    return sorted(alerts, key=lambda alert: (GRADES.index(alert["grade"]), alert["id"]))


def entry_panel(kind: str, dealer: str | None, sign_on: bool) -> EntryPanel | None:
    """Return the form that a prompt opens, or None. `sign_on`: touches are rejected until a dealer has
    signed on."""
    if dealer is None and (sign_on or kind == "open_table"):
        return "sign_on"
    return ENTRIES.get(kind)


def entry_key(form: EntryPanel | None) -> Literal["confirm"] | None:
    """Return the key that opens the entry form, or None. No key opens the sign-on, which is not an answer to
    CONFIRM."""
    return None if form in (None, "sign_on") else "confirm"


def drawn_parts(view: Seen) -> Answers:
    """Return the parts of the screen that the page draws unchanged. `view`: the view, with its alerts ranked
    by `ranked`."""
    alert = leading_alert(view)
    return {
        "front": _held(view["hold"]) if view["hold"] else _alerted(view, alert) if alert else _prompted(view),
        "beside": _beside(view, alert),
        "shines": [key for key in (Key.CONFIRM, Key.NO_MORE_BETS) if _shines(view, key, alert)],
        "standing": _standing(view),
        "waiting": _waiting(view),
    }


# ------------------------------------------------------------------ front


def leading_alert(view: Seen) -> Alert | None:
    """Return the alert that takes the prompt's place in front, or None. If a circle cannot be read, its alert
    comes before all others."""
    kind = view["prompt"]["kind"] if view["prompt"] else None
    if view["hold"] or kind in REMEDIES:
        return None
    waits = kind is None or kind in WAITING_PROMPTS
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
    """Return the front that shows an alert. The line under it is the prompt, or the step after the prompt if
    the correction of the alert completes the prompt. It is empty if a step was left out, because later steps
    have been done."""
    prompt = view["prompt"]
    mends = prompt is not None and _same(prompt, alert) and alert["code"] in MENDS.get(prompt["kind"], ())
    then: Then = None if alert["first"] else "next" if mends else "prompt"
    return _front("alert", "alert", alert["id"], alert["citation"], then)


def _prompted(view: Seen) -> Front:
    prompt = view["prompt"]
    if prompt is None:
        return _front("quiet", "off", None, None, None)
    icon = ICONS.get(prompt["kind"], "off")
    return _front(icon if icon in COLOURED_SHAPES else "quiet", icon, None, prompt["citation"], "next")


def _front(look: str, icon: str, alert: int | None, citation: str | None, then: Then) -> Front:
    """Return the front with the rhythm that belongs to `look`. `alert`: id of the alert in front, or None.
    `then`: content of the line under it."""
    return {
        "look": look, "icon": icon, "rhythm": RHYTHMS.get(look, "steady"),
        "alert": alert, "citation": citation, "then": then,
    }  # fmt: skip


# ------------------------------------------------------------------ beside the front


def _beside(view: Seen, lead: Alert | None) -> Beside:
    """Return the part beside the front: the gravest alert that is neither in front nor named by the prompt,
    with the number of further ones (`more`). Without such an alert: a card set aside that the dealer has to
    deal with, else the seats with `unfit` wagers before the close."""
    others = [
        alert for alert in view["alerts"] if alert is not lead and not _is_named_by(view["prompt"], alert)
    ]
    aside = bool(view["set_aside"]) and view["phase"] == Phase.DEALING
    return {
        "grade": others[0]["grade"] if others else "notice" if aside else None,
        "alert": others[0]["id"] if others else None,
        "more": max(0, len(others) - 1),
        "unfit": _unfit(view["seats"]) if view["phase"] == Phase.BETTING else [],
    }


def _is_named_by(prompt: Prompt | None, alert: Alert) -> bool:
    """Return whether the prompt to correct a wager already names the fault of the alert."""
    if prompt is None or prompt["kind"] != "fix_wagers":
        return False
    return (prompt["seat"], prompt["code"]) == (alert["seat"], alert["code"])


def _unfit(seats: Sequence[Seat]) -> list[int]:
    """Return the seats with a wager that would be refused if the bets were closed now, as the lamps show
    them."""
    return [
        seat["seat"]
        for seat in seats
        if any(circle["lamp"] == "refused" for circle in seat["circles"].values())
    ]


def _shines(view: Seen, key: Key, alert: Alert | None) -> bool:
    """Return whether a lit key is also highlighted. CONFIRM is not, while an alert requires the dealer to
    handle the chips first, if play goes on automatically, or beside an entry that it does not open.
    """
    prompt = view["prompt"]
    goes_on = prompt is not None and prompt["step"] == "goes_on"
    apart = prompt is not None and prompt["entry"] is not None and prompt["entry_key"] is None
    return view["keys"][key] and not (key is Key.CONFIRM and (alert is not None or goes_on or apart))


def _standing(view: Seen) -> Literal["on_the_way", "floor_called", "waiting", "change_due"] | None:
    """Return the most important pending matter that is not an alert, or None."""
    if view["on_the_way"] is not None:
        return "on_the_way"
    if view["floor_called"]:
        return "floor_called"
    if _waiting(view):
        return "waiting"
    return "change_due" if view["deck"]["change_due"] else None


def _waiting(view: Seen) -> list[Waiting]:
    """Return the items that a floorperson may sign: a step of the opening, amounts entered by hand, and
    differences that may stay unchanged, which have the text of their alert."""
    signatures: list[Waiting] = [
        {**item, "alert": None, "step": None, "back": None} for item in view["signatures"]
    ]
    differences: list[Waiting] = [
        {
            "what": "difference", "seat": alert["seat"], "wager": alert["wager"], "amount": None,
            "missing": alert["missing"], "alert": alert["id"], "step": None, "back": None,
            "about": alert["about"], "signs": alert["signs"],
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
        "step": prompt["step"], "back": view["deck"]["back"], "about": view["about"]["step"],
        "signs": [{"holder": "", "effects": [{"kind": "verified", "amount": 0, "counts": 0}]}],
    }  # fmt: skip
    return [nowhere]
