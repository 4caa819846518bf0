"""Rounds of a table from the store: the list, the page of a round, and people's decisions.

All data come from the table's events, which contain turned faces only. The texts are those of a table's own
pages (controller/pages/display/round_page_text.py). An event without a valid form, stored by an earlier
program, is left out.
"""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date
from typing import Any, TypeAlias, cast

from controller.common.files import zones
from controller.common.files.money import dollars
from controller.common.texts.catalogue import SEPARATOR, Catalogue, catalogue
from controller.floor.pit import streams
from controller.floor.pit.database import Database
from controller.floor.pit.figure_increments import ROUNDS, WIN
from controller.floor.pit.retention import is_gone, kept_since
from controller.floor.pit.store import StoredEvent, of_kinds, of_round
from controller.floor.uplink.stream_names import journal_of, row_before
from controller.floor.uplink.wire import InvalidPayload, read_event
from controller.game.model.naming import with_names
from controller.game.model.record import Correction, RoundRecord
from controller.pages.display import round_text as say
from controller.pages.display.round_page_text import render_list, render_round
from controller.record.journal.round_summary import RoundSummary, summary_of, with_corrections
from controller.record.journal.search import corpus
from controller.record.timeline.round_filters import Filters, as_csv, filter_rounds

EventData: TypeAlias = tuple[StoredEvent, Mapping[str, Any]]
"""A stored event and its parsed data."""
MAX_ROUNDS = 5000
DECISION_KINDS = ("alert_over", "hold_over", "signed", "floor_decided", "correction")
MAX_SHOWN = 40
MAX_DECISIONS = 20_000
"""Maximum number of decisions that a search reads, the newest; about four for each of `MAX_ROUNDS`."""
MAX_LATE_CORRECTIONS = 500
"""Maximum number of corrections in later streams that are read for the rounds of an earlier one."""
MAX_LAST = 12
"""Number of rounds and corrections on a table's own page."""
SHOWN_ELSEWHERE = ("record", "checkpoint", "correction")
"""Kinds of event left out of a round's list, because the page shows them elsewhere."""


def ended(database: Database, table: str, question: Mapping[str, Any], zone: str) -> dict[str, Any]:
    """Answer a request for past rounds: a list, a CSV file or one round (`DisplaySource.ended` of
    controller/pages/display/ports.py).

    `asked["stream"]`: the stream of the rounds, None for the current one or, for one round, for the only
    stream that has it. If several have it, the answer lists them under `choices`.
    """
    known, texts = streams.streams(database, table), catalogue(question["language"])
    if question["do"] == "round":
        number = question["number"]
        has = [each for each in known if streams.holds_round(database, table, each, number)]
        if question.get("stream") is None and len(has) > 1:
            return {"choices": [_journal(texts, each, known) for each in has]}
        stream = question.get("stream") or (has or [*known, ""])[0]
        return _round(database, table, (stream, number), texts, zone)
    stream = question.get("stream") or next(iter(known), "")
    lines = _lines(database, table, stream, zone)
    day = question["wanted"].get("day")
    wanted = Filters(**{**question["wanted"], "day": date.fromisoformat(day) if day else None})
    found = list(filter_rounds(lines, wanted, _decided(database, table, stream) if wanted.find else {}))
    if question["do"] == "csv":
        return {"csv": _with_stream(as_csv(found[::-1]), stream), "stream": stream}
    shown: dict[str, Any] = {
        "rounds": render_list(map(RoundSummary._asdict, found), texts.language, zone),
        "of": len(lines),
    }
    if len(known) > 1:
        shown["journals"] = [{**_journal(texts, each, known), "here": each == stream} for each in known]
    since = kept_since(database, table, stream)
    if since is not None:
        until = zones.at(since, zone).strftime("%Y-%m-%d %H:%M")
        shown["aged"] = texts.text("rounds_page.aged_until", {"until": until})
    mark = _mark(database, table, stream, texts, zone)
    return shown | ({"left": mark} if mark else {})


def last(
    database: Database, table: str, language: str, zone: str
) -> tuple[str | None, list[dict[str, Any]]]:  # fmt: skip
    """Return the current stream and its last rounds, the newest first.

    The rounds have the form of `render_list` of controller/pages/display/round_page_text.py.
    """
    stream = next(iter(streams.streams(database, table)), None)
    lines = _lines(database, table, stream, zone, MAX_LAST) if stream else []
    return stream, render_list(map(RoundSummary._asdict, lines), language, zone)


def _with_stream(text: str, stream: str) -> str:
    """Return a CSV with the stream as an additional last column: a round is identified by stream
    and number.
    """
    out = io.StringIO()
    rows = csv.reader(io.StringIO(text, newline=""))
    csv.writer(out).writerows([*row, stream if at else "stream"] for at, row in enumerate(rows))
    return out.getvalue()


def _journal(texts: Catalogue, stream: str, known: Mapping[str, int | None]) -> dict[str, Any]:
    """Return a stream as data for a link: its name, and a text that names it as the current or an earlier
    journal."""
    kind = "now" if stream == next(iter(known)) else "before"
    return {"stream": stream, "text": texts.text(f"pit.journal.{kind}", {"stream": streams.short(stream)})}


def _mark(database: Database, table: str, stream: str, texts: Catalogue, zone: str) -> str:
    """Return a sentence about the first round that the table's journal no longer has, because another stream
    was joined; "" if it has all."""
    cut = streams.streams(database, table).get(stream)
    if cut is None:
        return ""
    made = next(
        each for each in streams.joins_of(database, table)
        if each.stream != stream and journal_of(each.stream) == journal_of(stream)
    )  # fmt: skip
    facts = {
        "number": streams.round_at(database, table, stream, cut), "reason": made.reason, "who": made.who,
        "at": zones.at(made.at, zone).strftime("%Y-%m-%d %H:%M"), "stream": streams.short(made.stream),
    }  # fmt: skip
    return str(texts.text("pit.journal.left", facts))


def _lines(
    database: Database, table: str, stream: str, zone: str, most: int = MAX_ROUNDS
) -> list[RoundSummary]:  # fmt: skip
    """Return the rounds of a stream, the newest first, each with its later corrections. `most`: number of
    records and corrections that are read."""
    found: list[RoundSummary] = []
    late: dict[int, list[Correction]] = defaultdict(list)
    for event, data in _valid(_later_corrections(database, table, stream)):
        late[event.round].append(data["correction"])
    for event, data in _valid(of_kinds(database, table, stream, ("record", "correction"), most)):
        if event.kind == "correction":
            late[data["round"]].append(data["correction"])
        else:
            found.append(with_corrections(summary_of(_record(data), zone), late[event.round]))
    return found


def _decided(database: Database, table: str, stream: str) -> dict[int, str]:
    """Return by round the text in which a search looks for decisions: names and reasons of the people who
    decided."""
    found: dict[int, str] = defaultdict(str)
    for event, data in _valid(of_kinds(database, table, stream, DECISION_KINDS, MAX_DECISIONS)):
        if event.kind != "correction":
            who = data.get("who") or data.get("by") or ""
            found[event.round] += corpus(who, data.get("reason") or "")
    return found


def _later_corrections(database: Database, table: str, stream: str) -> Iterator[StoredEvent]:
    """Yield corrections of this stream's rounds that later streams of the same journal contain."""
    for other in streams.streams(database, table):
        if other != stream and journal_of(other) == journal_of(stream) and row_before(other):
            for event in of_kinds(database, table, other, ("correction",), MAX_LATE_CORRECTIONS):
                own = of_round(database, table, other, event.round)
                if all(each.kind != "record" for each in own):
                    yield event


def _round(
    database: Database, table: str, name: tuple[str, int], texts: Catalogue, zone: str
) -> dict[str, Any]:  # fmt: skip
    stream, number = name
    events = list(_valid(of_round(database, table, stream, number)))
    records = [(event, _record(data)) for event, data in events if event.kind == "record"]
    if not records:
        if is_gone(database, table, stream, number):
            return {"missing": "aged"}
        return {"missing": "in_play" if events else "no_round"}
    later = _valid(_later_corrections(database, table, stream))
    events += [each for each in later if each[0].round == number]
    last_record, record = records[-1]
    story = render_round(_story(events, record, zone), texts.language, zone)
    cut = streams.streams(database, table).get(stream)
    mark = _mark(database, table, stream, texts, zone) if cut and last_record.sequence >= cut else ""
    text = SEPARATOR.join(each for each in (streams.short(stream), mark) if each)
    story["head"].append({"label": texts.text("pit.journal.label"), "text": text})
    return {"round": story}


def _record(data: Mapping[str, Any]) -> RoundRecord:
    return cast("RoundRecord", with_names(data["record"]))


# ------------------------------------------------------------------ one round


def _valid(events: Iterable[StoredEvent]) -> Iterator[EventData]:
    """Yield each event whose form is valid, with its data."""
    for event in events:
        with suppress(InvalidPayload):
            yield event, read_event(event.body.encode()).data


def _story(events: Sequence[EventData], record: Mapping[str, Any], zone: str) -> dict[str, Any]:
    """Return the data of a round in the form of `timeline_data` of controller/record/timeline/public.py."""
    corrections = [data["correction"] for event, data in events if event.kind == "correction"]
    began = next((data["ms"] for event, data in events if event.kind == "bets_closed"), events[0][1]["ms"])
    names = {_coded(each): each["name"] for each in record["irregularities"] if "name" in each}
    entries = [
        {"name": names.get(_coded(data)), **_entry(event, data, began)}
        for event, data in events
        if event.kind not in SHOWN_ELSEWHERE
    ]
    return {
        "record": {**record, "corrections": [*record["corrections"], *corrections]},
        "started": record["started"], "zone": zone, "entries": entries,
        "troubles": list(_troubles(record["irregularities"], entries)), "dealers": list(_dealers(record)),
        "hands": _hands(events), "lying": _lying(events),
    }  # fmt: skip


def _coded(entry: Mapping[str, Any]) -> tuple[str | None, int | None, str | None]:
    """Return code, seat and wager of an entry, which identify its irregularity; each None if missing."""
    return entry.get("code"), entry.get("seat"), entry.get("wager")


def _entry(event: StoredEvent, data: Mapping[str, Any], began: int) -> dict[str, Any]:
    facts = {name: value for name, value in data.items() if name not in ("round", "ms")}
    who = data.get("who") or data.get("by")
    own = {"ms": data["ms"] - began, "utc": event.at, "kind": event.kind, "who": who}
    return {"seat": None, "wager": None, **facts, **own}


def _dealers(record: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for turn in record["dealers"]:
        yield {"number": turn["number"], "since": None, "until": None}


def _hands(events: Iterable[EventData]) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for event, data in events:
        if event.kind == "settled" and data.get("hand"):
            found.setdefault(str(data["seat"]), {})[data["wager"]] = data["hand"]
    return found


def _lying(events: Iterable[EventData]) -> dict[str, str]:
    found: dict[str, str] = {}
    for event, data in events:
        if event.kind in ("dealt", "turned"):
            lies = "up" if event.kind == "turned" else "down"
            found |= {place: lies for place in data["places"] if found.get(place) != "up"}
    return found


def _troubles(
    listed_: Iterable[Mapping[str, Any]], entries: list[dict[str, Any]]
) -> Iterator[dict[str, Any]]:
    """Yield each irregularity of the record, with the times of its beginning and end if its events are
    stored."""
    came = [each for each in entries if each["kind"] in ("alert", "held", "noted")]
    went = [each for each in entries if each["kind"] in ("alert_over", "hold_over")]
    for each in listed_:
        begun = _taken(came, each)
        end = _taken(went, each) if begun and begun["kind"] != "noted" else None
        facts = {
            name: value for part in (begun, end) if part for name, value in part.items() if value is not None
        }
        over = end["over"] if end else ("mended" if each["resolved"] else None)
        yield {
            **facts, "code": each["code"], "name": each.get("name"), "phase": each["phase"],
            "seat": each["seat"], "wager": each["wager"], "citation": each["citation"],
            "resolved": each["resolved"], "over": over,
            "came": begun["ms"] if begun else None, "went": end["ms"] if begun and end else None,
            "who": end["who"] if end else None, "reason": facts.get("reason") or each.get("reason"),
        }  # fmt: skip


def _taken(entries: list[dict[str, Any]], each: Mapping[str, Any]) -> dict[str, Any] | None:
    """Remove the first entry of the irregularity `each` from `entries` and return it; None if there is
    none."""
    for at, entry in enumerate(entries):
        if (entry["code"], entry["seat"], entry["wager"]) == (each["code"], each["seat"], each["wager"]):
            return entries.pop(at)
    return None


# ------------------------------------------------------------------ decisions


def decisions_of(database: Database, table: str, language: str, zone: str) -> list[dict[str, str]]:
    """Return people's decisions about holds and alerts, the newest first, in the pit's time zone.

    A decision and the hold that it ended are one entry.
    """
    texts = catalogue(language)
    stream = next(iter(streams.streams(database, table)), "")
    lines = [_join_line(texts, each) for each in streams.joins_of(database, table)[:MAX_SHOWN]]
    found = list(_valid(of_kinds(database, table, stream, DECISION_KINDS, MAX_SHOWN)))
    ended_by = {(event.at, data.get("by")) for event, data in found if event.kind == "hold_over"}
    for event, data in found:
        if event.kind == "floor_decided" and (event.at, data.get("who")) in ended_by:
            continue
        facts = data["correction"] if event.kind == "correction" else data
        who = facts.get("who") or facts.get("by")
        if who:
            lines.append({"at": event.at, **_decision_line(texts, event, facts, who)})
    lines.sort(key=lambda each: each["at"], reverse=True)
    return [{**each, "at": zones.at(each["at"], zone).strftime("%Y-%m-%d %H:%M:%S")} for each in lines]


def _join_line(texts: Catalogue, join: streams.Join) -> dict[str, str]:
    """Return a line for the list of decisions: a person joined two streams."""
    rounds, win = join.taken_out.get(ROUNDS, 0), join.taken_out.get(WIN, 0)
    facts = {"rounds": rounds, "win": f"{'−' if win < 0 else ''}{dollars(abs(win))}"}
    out = texts.text("pit.journal.taken_out", facts) if rounds else ""
    names = {"stream": streams.short(join.stream), "previous": streams.short(join.previous)}
    return {
        "at": join.at, "what": str(texts.text("pit.journal.joined", names)), "where": "",
        "how": SEPARATOR.join(each for each in (join.reason, out) if each), "who": join.who,
    }  # fmt: skip


def _decision_line(texts: Any, event: StoredEvent, facts: Mapping[str, Any], who: str) -> dict[str, str]:  # noqa: ANN401
    how = [
        say.decision(texts, facts.get("decision")), say.outcome(texts, facts.get("outcome")),
        texts.plain(f"overs.{facts['over']}") if facts.get("over") else None,
        say.holder_words(texts, facts.get("cents")), facts.get("reason") or facts.get("why"),
    ]  # fmt: skip
    code = facts.get("code")
    known = texts.node(f"codes.{code}") is not None
    what = say.title(texts, str(code)) if known else texts.plain(f"pit.kinds.{event.kind}")
    return {
        "what": what,
        "where": say.where(texts, facts), "how": SEPARATOR.join(each for each in how if each), "who": who,
    }  # fmt: skip
