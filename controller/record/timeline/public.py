"""Timeline as data, and for a screen with turned faces only.

Readers of the journal may see every card of an ended round. A page of the table may not: a folded hand was
never turned, and its faces are on no screen (controller/pages/display/DISPLAY.md, Rules). Nor does a page
name a person who entered a wrong PIN: that would reveal which badges exist.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from controller.game.showing.public import turned_record
from controller.record.timeline.entries import Kind, RoundTimeline, TimelineEntry, Trouble

FACES = ("read", "said")


def turned_only(story: RoundTimeline) -> RoundTimeline:
    """Return the timeline without faces that were neither turned by a rule nor entered by a person, and
    without the names of people who did not authenticate."""
    return replace(
        story,
        record=turned_record(story.record, story.shown),
        entries=tuple(
            replace(each, facts=_facts(story, each.facts), who=_named(each)) for each in story.entries
        ),
        troubles=tuple(replace(each, facts=_facts(story, each.facts)) for each in story.troubles),
    )


def _named(entry: TimelineEntry) -> str | None:
    return None if entry.kind is Kind.NOT_PROVEN else entry.who


def _facts(story: RoundTimeline, facts: Mapping[str, Any]) -> Mapping[str, Any]:
    kept = dict(facts)
    if "faces" in kept:
        kept["faces"] = {p: face if _is_public(story, p, face) else None for p, face in kept["faces"].items()}
    for name in FACES:
        if name in kept and not _is_public(story, kept.get("place"), kept[name]):
            del kept[name]
    return kept


def _is_public(story: RoundTimeline, place: str | None, face: str | None) -> bool:
    """Return whether a screen may show a face at a place: it was shown or entered by a person, and the place
    had no card or one that was turned."""
    return face in story.seen and (place in story.shown or place not in story.dealt)


# ------------------------------------------------------------------ as data


def timeline_data(story: RoundTimeline) -> dict[str, Any]:
    """Return the timeline as data for JSON, for a page or a printer."""
    return {
        "record": story.record,
        "started": story.started,
        "zone": story.zone,
        "entries": [_entry(entry) for entry in story.entries],
        "troubles": [_trouble(trouble) for trouble in story.troubles],
        "dealers": [
            {"number": each.number, "since": each.since, "until": each.until} for each in story.dealers
        ],
        "hands": {
            str(seat): {
                wager.value: {"category": hand.category.name.lower(), "ranks": list(hand.ranks)}
                for wager, hand in hands.items()
            }
            for seat, hands in story.hands.items()
        },
        "lying": {place: "up" if place in story.shown else "down" for place in sorted(story.dealt)},
    }


def _entry(entry: TimelineEntry) -> dict[str, Any]:
    return {
        **entry.facts, "ms": entry.ms, "utc": entry.utc, "kind": entry.kind.value, "seat": entry.seat,
        "wager": entry.wager, "who": entry.who,
    }  # fmt: skip


def _trouble(trouble: Trouble) -> dict[str, Any]:
    entry = trouble.entry
    return {
        **trouble.facts, "code": entry.code, "name": entry.name or None, "phase": entry.phase.value,
        "seat": entry.seat, "wager": entry.wager, "citation": entry.citation, "resolved": entry.resolved,
        "came": trouble.came, "went": trouble.went, "over": trouble.over, "who": trouble.by,
    }  # fmt: skip
