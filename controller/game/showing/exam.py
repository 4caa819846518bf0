"""Public view of an exam: the facts that a trainee sees on the felt, and neutral values for all other fields.

This module names each field that remains: chips and cards on the felt, the trainee's own acts, and the state
of the devices. A field that is not named here is hidden, so a new field of the view is hidden until it is
added. The table still requests entries that no device can make. Only a mock table holds exams (`mock.exam` of
its table file).
"""

from __future__ import annotations

from collections.abc import Mapping

from controller.game.model.names import Phase
from controller.game.showing import front, report_forms
from controller.game.showing.view import Circle, Deck, Floor, Prompt, Seat, Seen, Shoe, View

ENTRY_PROMPTS = ("open_table", "deck_needed", "enter_amount", "enter_face", "count_stub")
"""Prompts for an entry; they name the entry and no amount due."""
EXAM = "exam"
"""Kind and id of each other prompt, and the subject that all touches of a trainee's page name."""
REMAINING_FIELDS = ("seat", "wager", "places", "entry")
"""Fields of an entry prompt that remain."""
NO_DIRECTIONS: Floor = {"acts": [], "stops": [], "seats": [], "both": [], "folded": [], "methods": []}


def exam_view(view: View) -> View:
    """Return the view for an exam."""
    phase = _phase(view)
    seen: Seen = {
        "table": view["table"], "rules": view["rules"], "rules_title": view["rules_title"],
        "limits": view["limits"], "pays": view["pays"], "forfeits": view["forfeits"],
        "stopping": view["stopping"], "denominations": view["denominations"],
        "corrections": view["corrections"],
        "method": view["method"], "round": view["round"], "dealer": view["dealer"],
        "version": view["version"], "phase": phase, "shoe": _shoe(view["shoe"]), "deck": _deck(view["deck"]),
        "floor_called": view["floor_called"], "wanted": None, "on_the_way": None,
        "floor": NO_DIRECTIONS, "about": dict.fromkeys(view["about"], EXAM),
        "prompt": _without_answer(view["prompt"]), "next": None, "due": None, "marked": None, "last": None,
        "reports": report_forms.possible(phase, bonus_cards=view["bonus_cards"] is not None),
        "cross": view["cross"], "bonus_cards": view["bonus_cards"], "set_aside": view["set_aside"],
        "seats": [_seat(seat, phase) for seat in view["seats"]],
        "alerts": [], "signatures": [], "hold": None,
        "keys": dict.fromkeys(view["keys"], True), "dark": {},
    }  # fmt: skip
    return {**seen, **front.drawn_parts(seen), "shines": []}


def _phase(view: View) -> str:
    """Return the phase of play. `held` would reveal that something is wrong, and `clearing` that all wagers
    are settled."""
    phase = view["hold"]["phase"] if view["phase"] == Phase.HELD and view["hold"] else view["phase"]
    return Phase.SETTLEMENT.value if phase == Phase.CLEARING else phase


def _shoe(shoe: Shoe) -> Shoe:
    """Return the state of the shoe without its fault, and without the number that the stub is counted for."""
    return {
        "link": shoe["link"], "state": "", "mode": shoe["mode"], "left": None, "back": shoe["back"],
        "fault": None, "ready": True,
    }  # fmt: skip


def _deck(deck: Deck) -> Deck:
    """Return the deck. `again` and `change_due` would reveal that it has to be changed, and the number of
    rounds that one has ended."""
    return {
        "back": deck["back"], "decks": deck["decks"], "number": deck["number"], "apart": deck["apart"],
        "again": bool(deck["back"]), "next": deck["next"], "rounds_since_count": 0,
        "change_due": False, "backs": deck["backs"],
    }  # fmt: skip


def _without_answer(prompt: Prompt | None) -> Prompt:
    """Return the prompt without its answer: amount, hand, chips, section, and the id that contains them."""
    kept: Mapping[str, object] = prompt if prompt and prompt["kind"] in ENTRY_PROMPTS else {}
    plain = {name: kept.get(name) if name in REMAINING_FIELDS else None for name in Prompt.__annotations__}
    kind = str(kept.get("kind", EXAM))
    made: Prompt = {**plain, "kind": kind, "id": _name(kind, plain)}  # type: ignore[typeddict-item]
    return made


def _name(kind: str, plain: Mapping[str, object]) -> str:
    return "/".join([kind, *(str(plain[name]) for name in REMAINING_FIELDS if plain[name] is not None)])


def _seat(seat: Seat, phase: str) -> Seat:
    return {
        "seat": seat["seat"], "player": seat["player"], "in_round": seat["in_round"],
        "reportable": seat["in_round"] or phase == Phase.BETTING,
        "folded_at": seat["folded_at"], "cards": seat["cards"],
        "forfeited": False, "asked": False, "settled": False, "hands": dict.fromkeys(seat["hands"]),
        "circles": {wager: _circle(circle) for wager, circle in seat["circles"].items()},
    }  # fmt: skip


def _circle(circle: Circle) -> Circle:
    return {
        "amount": circle["amount"], "chips": circle["chips"], "reading": circle["reading"],
        "by_hand": circle["by_hand"], "about": circle["about"],
        "wager": None, "lamp": "off", "due": None, "should": None, "result": None, "paid": None,
        "wrong": False, "signed": False,
    }  # fmt: skip
