"""Public view of an exam: the visible state of the felt, which hides all hints: the prompts, alerts and
results with which the table would help a trainee.

The table withholds every prompt of amounts due, every alert, hold and result, the names of hands, the circle
that is due, the effects of keys and the state of the lamps. It still requests entries that no device can
make. Only a mock table holds exams (`mock.exam` of its table file).
"""

from __future__ import annotations

from collections.abc import Mapping

from controller.game.model.names import Phase
from controller.game.showing import front
from controller.game.showing.view import Circle, Prompt, Seat, View

ENTRY_PROMPTS = ("open_table", "deck_needed", "enter_amount", "enter_face", "count_stub")
"""Prompts for an entry; they name the entry and no amount due."""
EXAM = "exam"
REMAINING_FIELDS = ("seat", "wager", "places", "entry")
"""Fields of such a prompt that remain."""


def exam_view(view: View) -> View:
    """Return the view for an exam."""
    prompt = view["prompt"]
    seen: View = {
        **view,
        "phase": _phase(view),
        "prompt": None if prompt is None else _without_answer(prompt),
        "next": None, "alerts": [], "hold": None, "due": None, "marked": None, "signatures": [], "last": None,
        "seats": [_seat(seat) for seat in view["seats"]],
        "deck": {**view["deck"], "change_due": False},
        "keys": dict.fromkeys(view["keys"], True), "dark": {},
    }  # fmt: skip
    return {**seen, **front.drawn_parts(seen), "shines": []}


def _phase(view: View) -> str:
    """Return the phase of play; `held` would reveal that something is wrong."""
    return view["hold"]["phase"] if view["phase"] == Phase.HELD and view["hold"] else view["phase"]


def _without_answer(prompt: Prompt) -> Prompt:
    """Return the prompt without its answer: amount, hand, chips, section, and the id that contains them."""
    is_entry = prompt["kind"] in ENTRY_PROMPTS
    kept: Mapping[str, object] = prompt
    plain = {name: kept[name] if is_entry and name in REMAINING_FIELDS else None for name in prompt}
    kind = prompt["kind"] if is_entry else EXAM
    made: Prompt = {**prompt, **plain, "kind": kind, "id": _name(kind, plain)}  # type: ignore[typeddict-item]
    return made


def _name(kind: str, plain: Mapping[str, object]) -> str:
    return "/".join([kind, *(str(plain[name]) for name in REMAINING_FIELDS if plain[name] is not None)])


def _seat(seat: Seat) -> Seat:
    return {
        **seat, "asked": False, "settled": False, "hands": dict.fromkeys(seat["hands"]),
        "circles": {wager: _circle(circle) for wager, circle in seat["circles"].items()},
    }  # fmt: skip


def _circle(circle: Circle) -> Circle:
    return {**circle, "lamp": "off", "due": None, "should": None, "result": None, "wrong": False}
