"""State of the felt page as data: chips, cards, lamps and keys, as a person at the felt sees them.

It contains a card's face only if the rules have turned the card. The face is that of the actual card, even if
the screen shows another. The data must never contain the face of a card that lies face down.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from controller.common.texts.catalogue import catalogue, explanations
from controller.game.model.names import BONUS_PLACES, CROSS, SEATS, Key, Method
from controller.game.rulebook.deal import deals_stacks
from controller.game.showing.lamps import LANGUAGE
from controller.game.showing.view import View as PublicView
from controller.mock.bench.bench import Bench, ViewData
from controller.mock.bench.options import offered_wagers
from controller.mock.bench.shoes import BACKS
from controller.mock.people.dealer import shown
from controller.mock.people.players import circle_views
from controller.pages.display.words import render

NEXT: Mapping[str, str] = {
    "lift_stack": "lift",
    "deal_card": "draw",
    "deal_hand": "deal",
    "take_stub": "stub",
    "clear": "gather",
    "load_deck": "gather",
}
"""Act with cards for each kind of prompt."""
FACE_UP = ("up", "unknown")


def fixed(bench: Bench, seats: Sequence[int], language: str) -> dict[str, Any]:
    """Return the data that do not change while the table runs: circles, chips, keys, faults, and all texts of
    the page in a language."""
    words, lamps = catalogue(language).texts, explanations(language).texts["lamps"]
    pack = bench.pack
    return {
        **words["page"],
        **{name: words[name] for name in ("felt", "practice", "rows", "places", "phases", "backs")},
        "language": language,
        "wagers": {wager: words["wagers"][wager] for wager in offered_wagers(pack)},
        "seats": list(SEATS),
        "cross": list(CROSS),
        "bonus": len(BONUS_PLACES) if pack.lays_bonus_cards else 0,
        "lamps": {state: f"{lamps[state]['rhythm']}: {lamps[state]['meaning']}" for state in LANGUAGE},
        "chips": bench.felt.bank.values()[::-1],
        "keys": [key for key in Key if key is not Key.UNDO],
        "decks": [back.lower() for back in BACKS],
        "players": list(seats),
        "display": bench.port,
    }


@dataclass(slots=True)
class Prompts:
    """Texts of a bench's prompts. The texts in each language are rendered once per view."""

    bench: Bench
    _made: dict[str, tuple[int, str]] = field(default_factory=dict)

    def words(self, language: str) -> str:
        """Return the text of the table's prompt in a language, or "" if there is none."""
        view = self.bench.shown()
        made = self._made.get(language)
        if made is None or made[0] != view["version"]:
            words = render(cast("PublicView", view), language)
            made = self._made[language] = (view["version"], str(words.get("prompt") or ""))
        return made[1]


def moving(bench: Bench, faults: Mapping[str, str]) -> dict[str, Any]:
    """Return the data of the felt page that change while the table runs. They contain no text in any
    language. `faults`: fault of each broken device."""
    felt, view = bench.felt, bench.shown()
    circles = circle_views(view)
    return {
        "round": view["round"],
        "phase": view["phase"],
        "asked": _prompt_circle(view),
        "next": NEXT.get((view["prompt"] or {}).get("kind", "")),
        "chips": {circle.key: felt.chips(circle) for circle in circles if felt.circles.get(circle)},
        "lamps": {circle.key: there["lamp"] for circle, there in circles.items()},
        "lit": {circle.key: lit for circle in circles if (lit := bench.lamp(circle)) != "off"},
        "brightness": bench.brightness(),
        "cards": _cards(bench, view),
        "way": way(bench),
        "exit": bench.exit_holds(),
        "deck": bench.deck_in(),
        "faults": dict(faults),
    }


def way(bench: Bench) -> str:
    """Return the deal method: `stack` (lifted out of a shoe's exit), `single` (drawn from a shoe) or
    `hand`."""
    if bench.method is Method.HAND:
        return "hand"
    return "stack" if deals_stacks(bench.pack.deals[bench.method]) else "single"


def _prompt_circle(view: ViewData) -> str | None:
    """Return the circle to which the prompt refers, as `seat.wager`, or None."""
    prompt = view["prompt"] or {}
    return f"{prompt['seat']}.{prompt['wager']}" if prompt.get("seat") and prompt.get("wager") else None


def _cards(bench: Bench, view: ViewData) -> dict[str, dict[str, str | None]]:
    """Return state and face of the card at each place where a card lies; the face is None unless it is face
    up."""
    turned = {place for place, card in shown(view) if card["lies"] in FACE_UP}
    found: dict[str, dict[str, str | None]] = {}
    for place, face in bench.felt.cards.items():
        lies = "down" if place not in turned else "up" if face else "unknown"
        found[place] = {"lies": lies, "face": face if lies == "up" else None}
    return found
