"""Texts of an ended round: timeline, irregularities, wagers and totals.

It takes a round's timeline as data (controller/record/timeline) and returns texts that a page or a printer
only lays out. Its caller has already removed faces that may not be shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from controller.common.files.money import dollars
from controller.common.files.zones import at
from controller.common.texts.catalogue import SEPARATOR, Catalogue
from controller.common.texts.catalogue import title as name_of
from controller.game.model.names import seat_of
from controller.game.model.naming import entry_name
from controller.pages.display import phrases
from controller.pages.display.signing import signed_words

Data = Mapping[str, Any]
SUITS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}


def card_text(face: str) -> str:
    """Return a card as people write it: 10♦."""
    return f"{'10' if face[0] == 'T' else face[0]}{SUITS[face[1]]}"


def since(ms: int) -> str:
    """Return the time since the round's start in minutes, seconds and tenths: +1:02.3."""
    tenths = (abs(ms) + 50) // 100
    minutes, rest = divmod(tenths, 600)
    return f"{'−' if ms < 0 and tenths else '+'}{minutes}:{rest // 10:02d}.{rest % 10}"


def clock(utc: str, zone: str) -> str:
    """Return the local time of `utc` to the tenth of a second."""
    there = at(utc, zone)
    return f"{there:%H:%M:%S}.{there.microsecond // 100_000}"


def day(utc: str, zone: str) -> str:
    return f"{at(utc, zone):%Y-%m-%d}"


def zone_of(utc: str, zone: str) -> str:
    """Return the name of the time zone with its offset from UTC at that time."""
    offset = f"{datetime.fromisoformat(utc).astimezone(at(utc, zone).tzinfo):%z}"
    return f"{zone} (UTC{offset[:3]}:{offset[3:]})"


# ------------------------------------------------------------------ values of an entry


def values(texts: Catalogue, raw: Data) -> dict[str, object]:
    """Return the placeholders' values for a text of the timeline. A segment of the text whose value is None
    is left out.
    """
    values: dict[str, object] = {name: _money(raw.get(name)) for name in ("amount", "was", "payout")}
    values |= {name: raw.get(name) for name in ("seat", "number", "odds", "reason", "strange", "who")}
    values["citation"] = phrases.citation(texts, raw.get("citation"))
    values |= {name: _amount(texts, raw.get(name)) for name in ("lies", "should")}
    if raw.get("kind") == "chips":
        values |= {"lies": _amount(texts, raw["amount"]), "was": _amount(texts, raw.get("was"))}
    values |= {name: _named(texts, kind, raw.get(name)) for name, kind in NAMED.items()}
    values["decision"] = decision(texts, raw.get("decision"))
    values["card"], values["read"] = _card(raw.get("said")), _card(raw.get("read"))
    values["key"] = _named(texts, "page", f"key_{raw['key']}" if raw.get("key") else None)
    values["places"] = places_text(texts, raw.get("places") or ([raw["place"]] if raw.get("place") else []))
    values["cards"] = cards_text(raw["faces"].values()) if any((raw.get("faces") or {}).values()) else None
    values["hand"] = phrases.hand(texts, raw["hand"]) if raw.get("hand") else None
    values["outcome"] = outcome(texts, raw.get("outcome") or raw.get("proposed"))
    values["trouble"] = title(texts, entry_name(raw)) if raw.get("code") else None
    values["stood"] = since(raw["stood"])[1:] if raw.get("stood") is not None else None
    values["fault"] = raw.get("fault")
    return values | _lists(texts, raw)


NAMED = {
    "wager": "wagers", "phase": "phases", "back": "backs", "over": "overs",
    "report": "reports",
}  # fmt: skip


def _named(texts: Catalogue, kind: str, name: str | None) -> str | None:
    return None if name is None else texts.plain(f"{kind}.{name}")


def _money(cents: int | None) -> str | None:
    return None if cents is None else dollars(cents)


def _amount(texts: Catalogue, cents: int | None) -> str | None:
    return texts.plain("joins.nothing") if cents == 0 else _money(cents)


def _card(face: str | None) -> str | None:
    return card_text(face) if face else None


def cards_text(faces: Iterable[str | None]) -> str:
    """Return cards side by side, with a dash for an unknown card."""
    return " ".join(card_text(face) if face else "–" for face in faces)


def places_text(texts: Catalogue, names: Sequence[str]) -> str | None:
    words = [phrases.place(texts, name) for name in names]
    return phrases.joined(words, texts.plain("joins.and")) or None


def title(texts: Catalogue, code: str) -> str:
    """Return the name of an irregularity, without values."""
    what = texts.node(f"codes.{code}.what")
    if what is None:
        return texts.plain(f"reports.{code}")
    return name_of(what)


def decision(texts: Catalogue, name: str | None) -> str | None:
    """Return a floorperson's decision as text, or None for a named outcome, which has its own name."""
    return None if name in (None, "outcome") else texts.plain(f"decisions.{name}")


def outcome(texts: Catalogue, name: str | None) -> str | None:
    if name is None:
        return None
    kind = "outcomes" if texts.node(f"outcomes.{name}") is not None else "decisions"
    return texts.plain(f"{kind}.{name}")


def holder_words(texts: Catalogue, cents: int | None) -> str | None:
    """Return a text that names the holder of a difference after a signature. `cents`: the players' gain, None
    if nothing was signed."""
    if cents is None:
        return None
    who = "player" if cents > 0 else "house" if cents < 0 else "none"
    return texts.text(f"kept.{who}", {"amount": dollars(abs(cents))})


def _kept_by_signature(texts: Catalogue, raw: Data) -> str | None:
    """Return the effect of a signature, in the words of the key that the floorperson pressed. Old journals
    have no effects but only an amount in cents; its sign decides whether the text names the player or the
    house. Returns None if there is neither. `raw`: data of the journalled event."""
    if effects := raw.get("effects"):
        return signed_words(texts, raw.get("holder"), effects)
    return holder_words(texts, raw.get("cents"))


def _lists(texts: Catalogue, raw: Data) -> dict[str, object]:
    laid = [
        f"{texts.plain(f'wagers.{name}')} {dollars(cents)}" for name, cents in raw.get("wagers", {}).items()
    ]
    way = "came" if raw.get("amount", 0) > (raw.get("was") or 0) else "went"
    hands = [texts.plain(f"{way}.{name}") for name in raw.get("hands", ())]
    return {
        "laid": ", ".join(laid) or None,
        "chips": _chips(texts, raw),
        "swap_out": phrases.chips(texts, raw["replaced"]) if raw.get("replaced") else None,
        "home": _circle(texts, *raw["source"]) if raw.get("source") else None,
        "moved": ", ".join(hands) or None,
        "kept": _kept_by_signature(texts, raw),
        "step": _confirmed(texts, raw),
        "undone": _undone(texts, raw),
        "why": _named(texts, "page", f"reading_{raw['why']}" if raw.get("why") else None),
    }


def _circle(texts: Catalogue, seat: int, wager: str) -> str:
    return where(texts, {"seat": seat, "wager": wager})


def _chips(texts: Catalogue, raw: Data) -> str | None:
    """Return the chips of an entry as text, those in a circle in order of arrival."""
    if raw.get("stack"):
        return phrases.stack(texts, raw["stack"])
    return phrases.chips(texts, raw["chips"]) if raw.get("chips") else None


def _confirmed(texts: Catalogue, raw: Data) -> str | None:
    """Return the act that a touch of CONFIRM confirmed, in the words of the key at that time; None if the
    prompt has no such text."""
    key = f"prompts.{raw.get('prompt')}.confirm"
    if texts.node(key) is None:
        return None
    values = {"amount": _money(raw.get("amount")), "seat": raw.get("seat")}
    values |= {"leaves": values["amount"] if raw.get("amount") else None}
    return texts.text(key, values | {"places": places_text(texts, raw.get("places") or [])})


def _undone(texts: Catalogue, raw: Data) -> str | None:
    if raw.get("undone") is None or texts.node(f"last.{raw['undone']}") is None:
        return None
    return texts.text(
        f"last.{raw['undone']}", {"seat": raw.get("seat"), "wager": _named(texts, "wagers", raw.get("wager"))}
    )


# ------------------------------------------------------------------ one entry


def where(texts: Catalogue, raw: Data) -> str:
    """Return a text for the place of an entry: seat and circle, or the seat of its cards; "" if it has
    none."""
    seat = raw.get("seat") or _seat_of(raw.get("places") or ([raw["place"]] if raw.get("place") else []))
    named = [texts.text("rounds_page.seat", {"seat": seat})] if seat else []
    if raw.get("wager"):
        named.append(texts.plain(f"wagers.{raw['wager']}"))
    return SEPARATOR.join(str(each) for each in named)


def _seat_of(names: Sequence[str]) -> int | None:
    seats = {seat_of(name) for name in names}
    return seats.pop() if len(seats) == 1 else None


ENTRY_GRADES = {
    "held": "hold", "hold_over": "hold", "voided": "hold", "alert": "alert", "alert_over": "mended",
    "noted": "alert", "signed": "floor", "floor_decided": "floor", "corrected": "floor",
    "bets_closed": "mark", "phase": "mark", "ended": "mark", "chips": "quiet", "pressed": "quiet",
}  # fmt: skip
"""Grade of an entry by kind, for its look on the page."""


def entry_text(texts: Catalogue, raw: Data, zone: str) -> dict[str, str]:
    """Return the texts of one entry of the timeline by column. `zone`: time zone of the clock."""
    kind = raw["kind"]
    key = f"told.{kind}.{raw['result']}" if kind == "settled" else f"told.{kind}"
    named = {**raw, "report": raw.get("what") if kind == "reported" else None}
    if kind == "corrected" and raw["code"] == "mispaid":
        named["code"] = None
    return {
        "since": since(raw["ms"]), "clock": clock(raw["utc"], zone), "who": raw.get("who") or "",
        "where": where(texts, raw), "text": texts.text(key, values(texts, named)) or "",
        "grade": ENTRY_GRADES.get(kind, ""),
    }  # fmt: skip


# ------------------------------------------------------------------ irregularities


def trouble(texts: Catalogue, raw: Data) -> dict[str, str]:
    """Return the texts of one irregularity of the round by column: when, where, what, and how it ended."""
    named = raw.get("places") or ([raw["place"]] if raw.get("place") else [])
    what = (title(texts, entry_name(raw)), places_text(texts, named), _differs(texts, raw))
    how = [texts.plain(f"overs.{raw['over'] or 'stands'}")]
    if raw["over"] == "decided":
        how = [
            decision(texts, raw.get("decision")) or "",
            outcome(texts, raw.get("outcome")) or "",
        ]
    return {
        "since": since(raw["came"]) if raw["came"] is not None else "",
        "where": where(texts, {"seat": raw.get("seat"), "wager": raw.get("wager")}),
        "text": SEPARATOR.join(each for each in what if each),
        "lies": _amount(texts, raw.get("lies")) or "",
        "should": _amount(texts, raw.get("should")) or "",
        "stood": since(raw["went"] - raw["came"])[1:] if raw["went"] is not None else "",
        "end": SEPARATOR.join(each for each in (*how, raw.get("reason") or "") if each),
        "who": raw.get("who") or "",
        "citation": phrases.citation(texts, raw["citation"]) or "",
    }


def _differs(texts: Catalogue, raw: Data) -> str | None:
    """Return the face that the shoe read and the face reported instead, or None if there is no such
    difference.
    """
    read, entered = _card(raw.get("read")), _card(raw.get("said"))
    return texts.text("told.differs", {"read": read, "card": entered}) if read or entered else None
