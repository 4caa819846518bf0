"""Texts of a practice in the language of a page: courses, drills, and the results of a drill.

The line for each drill on the terminal is in English.
"""

from __future__ import annotations

import re
from typing import Any

from controller.common.files.money import dollars
from controller.common.texts.catalogue import FIRST_LANGUAGE, Catalogue, catalogue, explanations, title
from controller.common.texts.plurals import counted
from controller.pages.display.explain import section
from controller.pages.display.phrases import citation
from controller.practice.marks import DrillMarks, MarkedAlert
from controller.practice.themes import Course


def course_title(course: Course, texts: Catalogue) -> str:
    """Return the title of a theme, or the name of the scenario file without its ending."""
    return course.theme if course.file else texts.plain(f"practice.themes.{course.theme}.title")


def course_about(course: Course, texts: Catalogue) -> str:
    """Return one line about the theme or the scenario file."""
    if course.file:
        return texts.text("practice.own_file", {"file": course.file}) or ""
    return texts.plain(f"practice.themes.{course.theme}.about")


def drill_key(name: str) -> str:
    """Return the key of a shipped drill's name under `practice.drills`."""
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")


def drill_name(name: str, texts: Catalogue) -> str:
    """Return the name of a shipped drill in the language of the texts; a user's own drill keeps its name."""
    key = f"practice.drills.{drill_key(name)}"
    return name if texts.node(key) is None else texts.plain(key)


def cited(sections: tuple[str, ...], texts: Catalogue) -> list[str]:
    """Return the sections of a drill; house procedure is named in the language of the texts."""
    return [citation(texts, each) or "" for each in sections]


def result(dealt: DrillMarks, texts: Catalogue) -> dict[str, Any]:
    """Return the result of a drill as data for the page, in the language of `texts`."""
    phases = texts.texts["phases"]
    others = [item for item in dealt.noticed if item.kind is None]
    return {
        "drill": drill_name(dealt.drill, texts),
        "void": dealt.outcome == "void",
        "errors": [_item(item, texts) for item in dealt.errors],
        "noticed": [_item(item, texts) for item in others],
        "phases": [[title(phases[phase]), _seconds(ms, texts)] for phase, ms in dealt.phases_ms.items()],
        "total": _seconds(dealt.total_ms, texts),
        "touches": dealt.touches,
        "chips": dealt.chips,
    }


def _item(item: MarkedAlert, texts: Catalogue) -> dict[str, str]:
    stood = _seconds(item.stood_ms, texts)
    left = texts.text("practice.not_put_right", {"stood": stood}) or ""
    return {
        "what": what(item, texts),
        "where": where(item, texts),
        "stood": stood if item.resolved else left,
        "section": citation(texts, item.citation) or "",
        "why": why(item, texts),
    }


def what(item: MarkedAlert, texts: Catalogue) -> str:
    """Return the text of the error, or else the display's title of the code, and the amount in excess or
    missing."""
    key = f"practice.error_names.{item.kind}"
    name = texts.plain(key) if item.kind else title(texts.texts["codes"][item.code])
    if not item.cents:
        return name
    way = "too_much" if item.cents > 0 else "too_little"
    return texts.text(f"practice.{way}", {"error": name, "amount": dollars(abs(item.cents))}) or name


def why(item: MarkedAlert, texts: Catalogue) -> str:
    """Return one sentence about the error, or about the code if the trainee is not at fault, and one about
    the section."""
    explained = explanations(texts.language)
    error = explained.plain(f"errors.{item.kind}" if item.kind else f"codes.{item.code}")
    return " ".join(filter(None, (error, section(explained, item.citation))))


def where(item: MarkedAlert, texts: Catalogue) -> str:
    """Return the seat and the wager of an alert as text, or the text for the whole table."""
    wager = texts.plain(f"wagers.{item.wager}") if item.wager else None
    return texts.text("practice.where", {"seat": item.seat, "wager": wager}) or ""


def _seconds(ms: int, texts: Catalogue) -> str:
    return texts.text("practice.seconds", {"number": f"{ms / 1000:.1f}"}) or ""


def line(number: int, of: int, dealt: DrillMarks) -> str:
    """Return the result of a drill in one line for the terminal."""
    texts = catalogue(FIRST_LANGUAGE)
    errors = ", ".join(
        f"{where(item, texts)}: {what(item, texts)} ({item.citation})" for item in dealt.errors
    )
    found, touches = counted(len(dealt.errors), "error"), counted(dealt.touches, "touch")
    summary = f"{number} of {of}  {dealt.drill}: {found}, {_seconds(dealt.total_ms, texts)}, {touches}"
    return summary + (f"; {errors}" if errors else "")
