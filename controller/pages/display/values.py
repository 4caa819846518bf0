"""Values of a text's placeholders, from public data: money, places, hands, chips as text.

Pure. A value that is not in the data is None, and the catalogue leaves out its segment. Money is whole cents.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from controller.common.files.money import dollars
from controller.common.texts.catalogue import Catalogue
from controller.game.model.names import ANTES
from controller.game.model.side_bets import BONUSES
from controller.pages.display import phrases


def text_values(texts: Catalogue, raw: Mapping[str, Any]) -> dict[str, object]:
    """Return the values of a text's placeholders. A segment of the text whose value is None is left out."""
    values: dict[str, object] = {
        name: None if raw.get(name) is None else dollars(raw[name]) for name in _MONEY
    }
    values |= {name: raw.get(name) for name in _PLAIN}
    values |= {name: phrases.face(texts, raw[name]) if raw.get(name) else None for name in ("read", "said")}
    values |= {name: texts.plain("joins.nothing") for name in ("lies", "should") if raw.get(name) == 0}
    values["badge"] = raw.get("by")
    values |= {"leaves": values["amount"] if raw.get("amount") else None}
    values |= {name: _named(texts, kind, raw.get(name)) for name, kind in _NAMED.items()}
    values["next"] = None if raw.get("next") is None else texts.plain(f"backs.{raw['next']}").upper()
    values |= _places(texts, raw)
    values |= _cut(texts, raw)
    values |= _sums(texts, raw)
    code = raw.get("code")
    values["trouble"] = None if code is None else texts.text(f"codes.{code}.what", values)
    values["remedy"], values["chips_aside"] = (
        (None, None) if code is None else headline(texts, f"codes.{code}.do", values)
    )
    return values


MAX_HEADLINE_WORDS = 9
"""Maximum number of words in a large line: as many as a dealer reads in half a second."""


def headline(texts: Catalogue, key: str, values: Mapping[str, object]) -> tuple[str | None, str | None]:
    """Return (large line, chips that do not fit into it) from the texts under `key`; each may be None."""
    line, chips = texts.text(key, values), values.get("chips")
    if line is None or len(line.split()) <= MAX_HEADLINE_WORDS:
        return line, None
    short = texts.text(key, {**values, "chips": None, "swap_out": None})
    return short, str(chips) if chips else line


_PLAIN = (
    "seat", "odds", "table", "number", "key", "minutes", "racked", "decks", "counted", "expected", "shoe",
    "serial", "stranger", "rows", "section",
)  # fmt: skip
_HANDS = ("hand", "push_hand", "across_hand", "down_hand")
_MONEY = (
    "amount", "lies", "should", "missing", "uneven", "least", "most",
    *(wager.value for wager in (*ANTES, *BONUSES)),
)  # fmt: skip
_NAMED = {
    "wager": "wagers", "step": "steps", "proposed": "outcomes", "phase": "phases", "fault": "faults",
    "back": "backs", "apart": "backs", "nth": "ordinals",
}  # fmt: skip


def _named(texts: Catalogue, kind: str, name: str | None) -> str | None:
    return None if name is None else texts.plain(f"{kind}.{name}")


def _places(texts: Catalogue, raw: Mapping[str, Any]) -> dict[str, str | None]:
    names = raw.get("places") or ([raw["place"]] if raw.get("place") else [])
    if len(names) == 5:  # the five cards of the cross together have a name of their own
        return {"places": texts.plain("places.cross")}
    words = [phrases.place(texts, name) for name in names]
    return {"places": phrases.joined(words, texts.plain("joins.and")) or None}


def _cut(texts: Catalogue, raw: Mapping[str, Any]) -> dict[str, str | None]:
    """Return the placeholder `count` of a prompt to cut: the minimum number of cards above the cover card, as
    a word if the language has one."""
    cut = raw.get("amount") if raw.get("kind") == "cut" else None
    return {"count": None if cut is None else str(texts.node(f"card_counts.{cut}") or cut)}


def _sums(texts: Catalogue, raw: Mapping[str, Any]) -> dict[str, str | None]:
    """Return placeholders for hand, options and chips, and for the excess or shortage in a circle. The
    difference is also given as chips, or as an exchange of chips, if the chips make it."""
    options, made = raw.get("options"), raw.get("chips")
    found: dict[str, str | None] = {
        **{name: phrases.hand(texts, raw[name]) if raw.get(name) else None for name in _HANDS},
        "options": phrases.joined([dollars(c) for c in options or ()], texts.plain("joins.or")) or None,
        "chips": phrases.chips(texts, made) if made else None,
        "over": None, "under": None, "swap_out": None, "swap_in": None,
    }  # fmt: skip
    if raw.get("lies") is not None and raw.get("should") is not None and raw["lies"] != raw["should"]:
        gap = raw["lies"] - raw["should"]
        found["over" if gap > 0 else "under"] = dollars(abs(gap))
        lying = raw.get("lying") if gap > 0 else None
        known = [cents for cents in lying or () if cents is not None]
        there = known if lying and sum(known) == raw["lies"] else None
        coins = phrases.made_of(abs(gap), raw.get("denominations", ()), there)
        found["chips"] = phrases.chips(texts, coins) if coins else None
        if known and not coins and (swap := phrases.exchange(gap, raw.get("denominations", ()), known)):
            found["swap_out"], found["swap_in"] = (phrases.chips(texts, side) for side in swap)
    return found
