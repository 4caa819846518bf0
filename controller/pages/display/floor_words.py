"""Texts of the events listed on the floor page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from controller.common.texts.catalogue import Catalogue, catalogue
from controller.pages.display.fallback_text import code_text, render_or_code
from controller.pages.display.values import text_values


def floor_words(floor: Mapping[str, Any], language: str) -> dict[str, Any]:
    """Return the floor page's data with a text for each event. A face stays data: the page draws it as a
    card."""
    texts = catalogue(language)
    return {
        **floor,
        "events": [
            {**event, "text": render_or_code(code_text(event["kind"]), _event, texts, event)}
            for event in floor["events"]
        ],
    }


def _event(texts: Catalogue, event: Mapping[str, Any]) -> str:
    """Return the text of an event. `code` names a report, a decision or an irregularity, depending on the
    event."""
    kind, code = event["kind"], event.get("code")
    named = _EVENT_CODES.get(kind)
    values = text_values(texts, {**event, "code": None if named else code})
    if named and code is not None:
        values["trouble"] = texts.plain(f"{named}.{code}")
    if event.get("key") is not None:
        values["key"] = texts.plain(f"page.key_{event['key']}")
    if str(event.get("place")).startswith("seat_"):
        values["seat"] = None  # the text of the place already names the seat
    return texts.text(f"events.{kind}", values) or ""


_EVENT_CODES = {"reported": "reports", "floor_decided": "decisions"}
