"""Words of a practice: the results of a drill for the felt and for the terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from controller.common.files.money import dollars
from controller.common.texts.catalogue import FIRST_LANGUAGE, catalogue, explanations, title
from controller.common.texts.plurals import counted
from controller.pages.display.explain import section
from controller.practice.marks import DrillMarks, MarkedAlert

ERROR_NAMES: Mapping[str, str] = {
    "push_paid": "A push was paid",
    "push_swept": "A push was swept",
    "losing_left": "A losing wager was left",
    "short": "Paid too little",
    "over": "Paid too much",
    "wrong_circle": "Chips in a wrong circle",
    "out_of_order": "Settled out of order",
    "card_drawn": "A card was drawn in error",
    "card_early": "A card came before the close",
    "card_misplaced": "Cards were misplaced",
    "helped": "The floor had to help",
}
"""Text for each kind of error."""


def result(dealt: DrillMarks) -> dict[str, Any]:
    """Return the result of a drill for the page."""
    phases = catalogue(FIRST_LANGUAGE).texts["phases"]
    others = [item for item in dealt.noticed if item.kind is None]
    return {
        "drill": dealt.drill,
        "void": dealt.outcome == "void",
        "errors": [_item(item) for item in dealt.errors],
        "noticed": [_item(item) for item in others],
        "phases": [[title(phases[phase]), _seconds(ms)] for phase, ms in dealt.phases_ms.items()],
        "total": _seconds(dealt.total_ms),
        "touches": dealt.touches,
        "chips": dealt.chips,
    }


def _item(item: MarkedAlert) -> dict[str, str]:
    left = "" if item.resolved else ", not put right"
    return {
        "what": what(item),
        "where": where(item),
        "stood": f"{_seconds(item.stood_ms)}{left}",
        "section": item.citation,
        "why": why(item),
    }


def what(item: MarkedAlert) -> str:
    """Return the text of the error, or the display's title of the code, and the amount in excess or
    missing."""
    name = ERROR_NAMES[item.kind] if item.kind else title(catalogue(FIRST_LANGUAGE).texts["codes"][item.code])
    if not item.cents:
        return name
    return f"{name}: {dollars(abs(item.cents))} too {'much' if item.cents > 0 else 'little'}"


def why(item: MarkedAlert) -> str:
    """Return one sentence on the error, or on the code if it is not the trainee's error, and one on the
    section."""
    texts = explanations(FIRST_LANGUAGE)
    error = texts.plain(f"errors.{item.kind}" if item.kind else f"codes.{item.code}")
    return " ".join(filter(None, (error, section(texts, item.citation))))


def where(item: MarkedAlert) -> str:
    wagers = catalogue(FIRST_LANGUAGE).texts["wagers"]
    parts = [f"Seat {item.seat}" if item.seat else "", wagers[item.wager] if item.wager else ""]
    return " ".join(part for part in parts if part) or "The table"


def _seconds(ms: int) -> str:
    return f"{ms / 1000:.1f} s"


def line(number: int, of: int, dealt: DrillMarks) -> str:
    """Return the result of a drill in one line for the terminal."""
    errors = ", ".join(f"{where(item)}: {what(item)} ({item.citation})" for item in dealt.errors)
    found, touches = counted(len(dealt.errors), "error"), counted(dealt.touches, "touch")
    result = f"{number} of {of}  {dealt.drill}: {found}, {_seconds(dealt.total_ms)}, {touches}"
    return result + (f"; {errors}" if errors else "")
