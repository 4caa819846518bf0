"""Checks that the timeline of a round agrees with its record, whatever went wrong in the round."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from controller.common.texts.catalogue import catalogue, languages
from controller.game.model.names import BONUS_PLACES, CROSS, cards_of
from controller.pages.display.round_page_text import render_round
from controller.pages.display.round_text import card_text
from controller.record.audit.printed import round_lines
from controller.record.journal.round_summary import summary_of
from controller.record.timeline.archive import Archive
from controller.record.timeline.entries import Kind, RoundTimeline
from controller.record.timeline.public import timeline_data, turned_only

Record = Mapping[str, Any]
ZONE = "America/New_York"


def check_timelines(journal: Path, records: list[Record]) -> None:
    """Compare every record with the timeline of its round, which is requested within the limits that apply to
    a reader."""
    archive = Archive(journal)
    with archive.rounds() as rounds:
        lines = list(rounds.lines())
        rebuilt = [json.loads(json.dumps(rounds.record(each.round))) for each in lines]
        assert rebuilt == [json.loads(json.dumps(each)) for each in records[::-1]]
        assert lines == [summary_of(record, each.zone) for record, each in zip(rebuilt, lines, strict=True)]
        assert len(rounds) == len(records)
    for record in records:
        story = archive.story(record["round"])
        assert story is not None
        assert json.loads(json.dumps(story.record)) == json.loads(json.dumps(record))
        _check_round(story)
        _names_hands(story)
        _shows_no_unturned_face(story)


def _check_round(story: RoundTimeline) -> None:
    record = story.record
    assert [entry.ms for entry in story.entries] == sorted(entry.ms for entry in story.entries)
    began = [entry for entry in story.entries if entry.kind is Kind.BETS_CLOSED]
    assert not began or (began[-1].ms, began[-1].utc) == (0, record["started"])
    ended = [entry for entry in story.entries if entry.kind is Kind.ENDED]
    assert [entry.utc for entry in ended] == [record["ended"]]
    assert _wagers(story) == {
        (seat["seat"], name): wager["amount"]
        for seat in record["seats"] for name, wager in seat["wagers"].items()
    }  # fmt: skip
    assert _folded(story) == {s["seat"]: s["folded_at"] for s in record["seats"] if s["folded_at"]}
    _settled(story)
    _cards(story)
    _wrong(story)
    signed = sum(entry.kind in (Kind.SIGNED, Kind.CORRECTED) for entry in story.entries)
    assert signed >= len(record["corrections"])


def _wagers(story: RoundTimeline) -> dict[tuple[int, str], int]:
    """Return the cents of the wagers that count, by seat and wager, according to the entries of the
    timeline."""
    found: dict[tuple[int, str], int] = {}
    for entry in story.entries:
        if entry.kind is Kind.BETS_CLOSED:
            found = {}
        elif entry.kind is Kind.LAID and entry.seat:
            found |= {(entry.seat, name): cents for name, cents in entry.facts["wagers"].items()}
        elif entry.kind is Kind.BET and entry.seat and entry.wager:
            found[entry.seat, entry.wager.value] = entry.facts["amount"]
        elif entry.kind is Kind.BET_BACK and entry.seat and entry.wager:
            del found[entry.seat, entry.wager.value]
    return found


def _folded(story: RoundTimeline) -> dict[int, str]:
    found: dict[int, str] = {}
    for entry in story.entries:
        if entry.kind is Kind.FOLDED and entry.seat:
            found[entry.seat] = entry.facts["phase"]
        elif entry.kind is Kind.FOLD_BACK and entry.seat:
            del found[entry.seat]
    return found


def _settled(story: RoundTimeline) -> None:
    if story.record["void"]:
        return
    last = {
        (entry.seat, entry.wager): entry
        for entry in story.entries if entry.kind in (Kind.SETTLED, Kind.REOPENED)
    }  # fmt: skip
    for seat in story.record["seats"]:
        for name, wager in seat["wagers"].items():
            if wager["result"] in ("win", "push", "lose"):
                facts = last[seat["seat"], name].facts
                settled = (facts["result"], facts["payout"], facts.get("odds"), facts["amount"])
                assert settled == (wager["result"], wager["payout"], wager["odds"], wager["amount"])


def _cards(story: RoundTimeline) -> None:
    lie: dict[str, str | None] = {}
    for entry in story.entries:
        if entry.kind is Kind.DEALT:
            lie |= entry.facts["faces"]
        elif entry.kind is Kind.CARD_CHANGED:
            lie[entry.facts["place"]] = entry.facts.get("said")
    for place, face in _recorded(story.record):
        if place in story.dealt:
            assert lie[place] == face


def _recorded(record: Record) -> Iterator[tuple[str, str | None]]:
    yield from ((place.value, record["cross"][place]) for place in CROSS)
    yield from zip(BONUS_PLACES, record["bonus_cards"] or (), strict=False)
    for seat in record["seats"]:
        yield from zip(cards_of(seat["seat"]), seat["cards"], strict=False)


def _wrong(story: RoundTimeline) -> None:
    listed = story.record["irregularities"]
    assert [(each.entry.code, each.entry.seat, each.entry.wager) for each in story.troubles] == [
        (entry["code"], entry["seat"], entry["wager"]) for entry in listed
    ]
    for each, entry in zip(story.troubles, listed, strict=True):
        assert each.came is not None, entry
        assert each.over is not None or not entry["resolved"], entry
        assert each.over != "mended" or entry["resolved"], entry
        assert each.over != "signed" or each.by, entry


def _names_hands(story: RoundTimeline) -> None:
    """Check that the printed round names the hands of the record, the deciders and every irregularity, and
    that its texts have no unfilled placeholder in any language."""
    hands = {hand for seat in story.record["seats"] for hand in seat["hands"].values() if hand}
    rendered = {language: render_round(timeline_data(story), language, ZONE) for language in languages()}
    words = rendered["en"]
    paper = "\n".join(round_lines(words, catalogue("en"), 10_000))
    assert all(hand in paper for hand in hands)
    assert all(each.by in paper for each in story.troubles if each.by)
    assert len(words["troubles"]) == len(story.record["irregularities"])
    for language, each in rendered.items():
        page = json.dumps(each, ensure_ascii=False)
        assert "‹" not in page, language
        assert "None" not in page


def _shows_no_unturned_face(story: RoundTimeline) -> None:
    """Check that the data of the page names only faces that were turned by the rules or entered by a
    person."""
    page = json.dumps(render_round(timeline_data(turned_only(story)), "en", ZONE), ensure_ascii=False)
    data = json.dumps(timeline_data(turned_only(story)), ensure_ascii=False)
    for place, face in _recorded(story.record):
        if face and place not in story.shown and face not in story.seen:
            assert f'"{face}"' not in data
            assert f'"{face}"' not in page
            assert card_text(face) not in page, place
