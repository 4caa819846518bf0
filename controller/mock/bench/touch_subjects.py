"""Adds to a touch the prompt or the subject that the screen shows, as a page does.

Scenario files and simulated people name an act, but not the revision of its subject. A touch that already has
a subject is left unchanged.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from controller.game.phases.subjects import DIRECTED

_KINDS: Mapping[str, str] = {
    "sign_on": "dealer", "relieve": "dealer", "deck": "deck", "report": "cards", "swap": "cards",
    "enter": "cards",
}  # fmt: skip
"""Subject of each kind of touch on the dealer's screen that answers no prompt."""
NOTHING = "nothing"
"""Subject of a touch for which the screen shows none. The table refuses such a touch."""


def with_subject(view: Mapping[str, Any], body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the body of a touch with the prompt or subject that a page with `view` adds. A correction is not
    changed: its subject is in the record of the round.
    """
    do = body.get("do")
    if body.get("about") is not None or do == "correct":
        return dict(body)
    if do == "press":
        return _pressed(view, body)
    if body.get("prompt") is not None and do != "floor":
        return dict(body)
    if do == "amount":
        return {**body, "about": _circle(view, body) or NOTHING}
    if do == "report" and body.get("wager") is not None:
        named = (item["about"] for item in view["alerts"] if item["about"] and _at(item) == _at(body))
        return {**body, "about": next(named, NOTHING)}
    if do != "floor":
        return {**body, "about": view["about"].get(_KINDS.get(str(do), ""), NOTHING)}
    return _decided(view, body)


def _at(item: Mapping[str, Any]) -> tuple[object, object]:
    return item.get("seat"), item.get("wager")


def _pressed(view: Mapping[str, Any], body: Mapping[str, Any]) -> dict[str, Any]:
    if body.get("key") == "floor":
        return dict(body)
    prompt = view["prompt"]["id"] if view["prompt"] else "none"
    undone = {"about": view["about"]["undo"]} if body.get("key") == "undo" else {}
    return {"prompt": prompt, **body, **undone}


def _circle(view: Mapping[str, Any], body: Mapping[str, Any]) -> str | None:
    circles = (seat["circles"] for seat in view["seats"] if seat["seat"] == body.get("seat"))
    here: Mapping[Any, Any] = next(circles, {})
    found = here.get(body.get("wager"))
    return None if found is None else found["about"]


def _decided(view: Mapping[str, Any], body: Mapping[str, Any]) -> dict[str, Any]:
    decision, hold = body["decision"], view["hold"]
    if decision != "answer" and hold is not None:
        outcome = {"outcome": hold["proposed"]} if decision == "approve" else {}
        return {**body, "about": hold["about"], **outcome}
    if decision in ("sign", "approve"):
        item = next(signable(view, body), None)
        return {**body, "decision": "sign", **(circle_of(item) if item else {"about": NOTHING})}
    return {**body, "about": view["about"].get(DIRECTED.get(decision, ""), NOTHING)}


def circle_of(item: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a signature for one item to be signed: subject, seat and wager. One signature
    signs one circle."""
    return {key: item[key] for key in ("about", "seat", "wager")}


def signable(view: Mapping[str, Any], body: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the items to be signed for the seat and wager in the body; without these, all items."""
    for item in view["waiting"]:
        if all(body.get(key) in (None, item[key]) for key in ("seat", "wager")):
            yield item
