"""Explanations for the Help key: prompt, alerts, dark keys, lit lamps and cited sections of a view.

They are derived from the public view and the texts in `texts/help`, so an explanation contains no fact that
the view lacks. Nothing is sent to the table, and the table does not change.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any, TypedDict

import yaml

from controller.common.texts.catalogue import Catalogue, catalogue, explanations, languages, title
from controller.game.showing.lamps import LANGUAGE, LampState
from controller.game.showing.view import View
from controller.pages.display import phrases
from controller.pages.display.words import refusal_text, render

_LABELS = ("title", "close", "unanswered", "tour", "back", "next", "done")
READERS = {
    "dealer": "dealer", "floor": "floorperson", "figures": "floorperson", "rounds": "surveillance",
    "round": "surveillance", "devices": "technician", "pit": "pit_manager",
}  # fmt: skip
"""Role by page: the Help key of the page links to the first-day questions of this role."""


class ExplanationRow(TypedDict):
    """Entry of the Help panel. `icon`, `rhythm`: icon and rhythm of the lamp that the entry explains; None if
    it explains no lamp."""

    title: str
    text: str
    icon: str | None
    rhythm: str | None


class Group(TypedDict):
    """Explanations under one heading of the Help panel. `name`: text of the heading."""

    name: str
    rows: list[ExplanationRow]


def explain(view: View, language: str) -> list[Group]:
    """Return the groups of the Help panel for this view. The first group explains the largest line of the
    screen.
    """
    texts, words = explanations(language), render(view, language)
    groups = {
        "now": _now(texts, view, words), "wrong": _wrong(texts, view, words),
        "keys": _keys(texts, view, language), "lamps": _lamps(texts, view),
        "sections": _sections(texts, view, language),
    }  # fmt: skip
    first = "wrong" if view["front"]["alert"] is not None or view["hold"] else "now"
    order = sorted((name for name, rows in groups.items() if rows), key=lambda name: name != first)
    return [_group(texts, name, groups[name]) for name in order]


def of_page(page: str, language: str) -> dict[str, Any]:
    """Return the texts of a page's Help key: labels, the explanations of the page itself, and role and name
    of its link to the manuals (None if the page has no link).

    Rows are named by the texts of the screen.
    """
    texts, screen = explanations(language), catalogue(language)
    about: Mapping[str, str] = texts.texts["pages"][page]
    rows = [_row(title(screen.node(key)).format_map(_Blank()), text) for key, text in about.items()]
    labels = {name: texts.plain(name) for name in _LABELS}
    tour: Mapping[str, Mapping[str, str]] = texts.texts["tours"].get(page, {})
    steps = [{"step": step, **part} for step, part in tour.items()]
    names = {code: catalogue(code).plain("language") for code in languages()}
    role = READERS.get(page)
    manuals = {"role": role, "name": screen.plain("manuals.names.index")} if role else None
    page_texts = {"page": _group(texts, "page", rows), "steps": steps, "manuals": manuals}
    return {**labels, **page_texts, "languages": names}


class _Blank(dict[str, str]):
    """Placeholders of a title without values: each becomes "…"."""

    def __missing__(self, key: str) -> str:
        return "…"


@cache
def meanings() -> Mapping[str, str]:
    """Return for each section that a rule pack cites the key of its explanation."""
    file = resources.files("controller.common.texts") / "help" / "sections.yaml"
    listed: Mapping[str, Sequence[str]] = yaml.safe_load(file.read_text(encoding="utf-8"))
    return {citation: meaning for meaning, cited in listed.items() for citation in cited}


def section(texts: Catalogue, citation: str) -> str | None:
    """Return the explanation of a section as text, or None if there is none. `citation`: the section as a
    rule pack cites it."""
    meaning = meanings().get(citation)
    return None if meaning is None else texts.plain(f"sections.{meaning}")


# ------------------------------------------------------------------ groups


def _group(texts: Catalogue, name: str, rows: list[ExplanationRow]) -> Group:
    return {"name": texts.plain(f"groups.{name}"), "rows": rows}


def _row(named: str, text: str, icon: str | None = None, rhythm: str | None = None) -> ExplanationRow:
    return {"title": named, "text": text, "icon": icon, "rhythm": rhythm}


def _now(texts: Catalogue, view: View, words: Mapping[str, Any]) -> list[ExplanationRow]:
    prompt = view["prompt"]
    if prompt is None:
        return [_row(words["phase"], texts.plain("nothing_now"))]
    return [_row(str(words["parts"]["prompt"]["do"]), texts.plain(f"prompts.{prompt['kind']}"))]


def _wrong(texts: Catalogue, view: View, words: Mapping[str, Any]) -> list[ExplanationRow]:
    """Return a row for the hold and one for each alert. Without any, one row states that nothing is wrong."""
    rows = [
        _row(alert_words["text"], texts.plain(f"codes.{alert['code']}"))
        for alert, alert_words in zip(view["alerts"], words["alerts"], strict=True)
    ]
    hold = view["hold"]
    if hold is not None:
        rows.insert(0, _row(str(words["hold"]["text"]), texts.plain(f"codes.{hold['code']}")))
    return rows or [_row("", texts.plain("nothing_wrong"))]


def _keys(texts: Catalogue, view: View, language: str) -> list[ExplanationRow]:
    """Return a row for each dark key: its use, and the reason why it is dark.

    CONFIRM is left out if the prompt requests an entry, because the screen then shows it lit.
    """
    entry = view["prompt"] is not None and view["prompt"]["entry"]
    dark = {key: why for key, why in view["dark"].items() if not (key == "confirm" and entry)}
    screen = catalogue(language)
    rows = [
        _row(
            screen.plain(f"page.key_{key}"),
            f"{texts.plain(f'keys.{key}.for')} {_why(texts, key, why, language)}",
        )
        for key, why in dark.items()
    ]
    return rows or [_row("", texts.plain("no_dark_key"))]


def _why(texts: Catalogue, key: str, why: Mapping[str, Any], language: str) -> str:
    if why["code"] == "not_now":
        return texts.plain(f"keys.{key}.not_now")
    reason, code = refusal_text(why["code"], why, language), why["code"]
    return f"{reason}{'' if reason.endswith('.') else '.'} {texts.plain(f'reasons.{code}')}"


def _lamps(texts: Catalogue, view: View) -> list[ExplanationRow]:
    """Return a row for each lamp state that is shown now, in the order of the lamp language."""
    lit = {circle["lamp"] for seat in view["seats"] for circle in seat["circles"].values()}
    rows = [
        _row(
            texts.plain(f"lamps.{state}.rhythm"),
            texts.plain(f"lamps.{state}.meaning"),
            look.shape,
            look.rhythm,
        )
        for state, look in LANGUAGE.items()
        if state in lit and state is not LampState.OFF
    ]
    return rows or [_row("", texts.plain("no_lamp"))]


def _sections(texts: Catalogue, view: View, language: str) -> list[ExplanationRow]:
    """Return a row with the explanation of each section that the prompt, the hold or an alert cites."""
    cited = dict.fromkeys(citation for citation in _cited(view) if citation)
    meanings = {citation: section(texts, citation) for citation in cited}
    screen = catalogue(language)
    return [
        _row(phrases.citation(screen, name) or "", meaning)
        for name, meaning in meanings.items()
        if meaning is not None
    ]


def _cited(view: View) -> Iterator[str | None]:
    yield view["hold"]["citation"] if view["hold"] else None
    yield view["prompt"]["citation"] if view["prompt"] else None
    yield from (alert["citation"] for alert in view["alerts"])
