"""Rounds of a table out of the store: a line each, one of them told whole, and what was decided by whom.

Everything is made of what the table sent: faces that were turned, and no others. The words are those of a
table's own pages (controller/display/told_round.py).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Any

from controller.audit.story.lines import Wanted, as_csv, chosen
from controller.display import told as say
from controller.display.catalogue import SEPARATOR, catalogue
from controller.display.told_round import listed, whole
from controller.files import zones
from controller.game.model.record import Correction
from controller.journal.lines import Line, corrected_by, line
from controller.pit.ageing import is_gone, kept_since
from controller.pit.database import Database
from controller.pit.store import Kept, of_kinds, of_round

MOST_ROUNDS = 5000
SAID = ("alert_over", "hold_over", "signed", "floor_decided", "correction")
MOST_SAID = 40
MOST_LAST = 12
"""Ends of rounds and corrections that a table's own page is made of."""
NOT_TOLD = ("record", "checkpoint", "correction")
"""What has its own place on the page of a round."""


def ended(database: Database, table: str, asked: Mapping[str, Any], zone: str) -> dict[str, Any]:
    """The answer to a page of rounds (`DisplaySource.ended` of controller/display/ports.py)."""
    if asked["do"] == "round":
        return _round(database, table, asked["number"], asked["language"], zone)
    lines = _lines(database, table, zone)
    day = asked["wanted"].get("day")
    wanted = Wanted(**{**asked["wanted"], "day": date.fromisoformat(day) if day else None})
    found = list(chosen(lines, wanted))
    if asked["do"] == "csv":
        return {"csv": as_csv(found[::-1])}
    rounds = listed(map(Line._asdict, found), asked["language"], zone)
    told: dict[str, Any] = {"rounds": rounds, "of": len(lines)}
    since = kept_since(database, table)
    if since is not None:
        until = zones.at(since, zone).strftime("%Y-%m-%d %H:%M")
        told["aged"] = catalogue(asked["language"]).text("rounds_page.aged_until", {"until": until})
    return told


def last(database: Database, table: str, language: str, zone: str) -> list[dict[str, Any]]:
    """The rounds that ended last, the newest first, as `listed` of controller/display/told_round.py."""
    lines = _lines(database, table, zone, MOST_LAST)
    return listed(map(Line._asdict, lines), language, zone)


def _lines(database: Database, table: str, zone: str, most: int = MOST_ROUNDS) -> list[Line]:
    """The newest first, with the corrections that came after them."""
    found: list[Line] = []
    late: dict[int, list[Correction]] = defaultdict(list)
    for event in of_kinds(database, table, ("record", "correction"), most):
        data = event.data()
        if event.kind == "correction":
            late[data["round"]].append(data["correction"])
        else:
            found.append(corrected_by(line(data["record"], zone), late[event.round]))
    return found


def _round(database: Database, table: str, number: int, language: str, zone: str) -> dict[str, Any]:
    events = of_round(database, table, number)
    records = [event for event in events if event.kind == "record"]
    if not records:
        if is_gone(database, table, number):
            return {"missing": "aged"}
        return {"missing": "in_play" if events else "no_round"}
    return {"round": whole(_story(events, records[-1], zone), language, zone)}


# ------------------------------------------------------------------ a story


def _story(events: list[Kept], ended_by: Kept, zone: str) -> dict[str, Any]:
    """As `as_data` of controller/audit/story/public.py has it."""
    record = ended_by.data()["record"]
    told = [(event, event.data()) for event in events]
    corrections = [data["correction"] for event, data in told if event.kind == "correction"]
    began = next((data["ms"] for event, data in told if event.kind == "bets_closed"), told[0][1]["ms"])
    entries = [_entry(event, data, began) for event, data in told if event.kind not in NOT_TOLD]
    return {
        "record": {**record, "corrections": [*record["corrections"], *corrections]},
        "started": record["started"], "zone": zone, "entries": entries,
        "troubles": list(_troubles(record["irregularities"], entries)), "dealers": list(_dealers(record)),
        "hands": _hands(told), "lying": _lying(told),
    }  # fmt: skip


def _entry(event: Kept, data: Mapping[str, Any], began: int) -> dict[str, Any]:
    facts = {name: value for name, value in data.items() if name not in ("round", "ms")}
    who = data.get("who") or data.get("by")
    own = {"ms": data["ms"] - began, "utc": event.at, "kind": event.kind, "who": who}
    return {"seat": None, "wager": None, **facts, **own}


def _dealers(record: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for turn in record["dealers"]:
        yield {"number": turn["number"], "since": None, "until": None}


def _hands(told: Iterable[tuple[Kept, Mapping[str, Any]]]) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for event, data in told:
        if event.kind == "settled" and data.get("hand"):
            found.setdefault(str(data["seat"]), {})[data["wager"]] = data["hand"]
    return found


def _lying(told: Iterable[tuple[Kept, Mapping[str, Any]]]) -> dict[str, str]:
    found: dict[str, str] = {}
    for event, data in told:
        if event.kind in ("dealt", "turned"):
            lies = "up" if event.kind == "turned" else "down"
            found |= {place: lies for place in data["places"] if found.get(place) != "up"}
    return found


def _troubles(
    listed_: Iterable[Mapping[str, Any]], entries: list[dict[str, Any]]
) -> Iterator[dict[str, Any]]:
    """Each of the record's list with its beginning and its end, where they were told."""
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
            **facts, "code": each["code"], "phase": each["phase"], "seat": each["seat"],
            "wager": each["wager"], "citation": each["citation"], "resolved": each["resolved"], "over": over,
            "came": begun["ms"] if begun else None, "went": end["ms"] if begun and end else None,
            "who": end["who"] if end else None, "reason": facts.get("reason") or each.get("reason"),
        }  # fmt: skip


def _taken(entries: list[dict[str, Any]], each: Mapping[str, Any]) -> dict[str, Any] | None:
    """The first of that name, which goes."""
    for at, entry in enumerate(entries):
        if (entry["code"], entry["seat"], entry["wager"]) == (each["code"], each["seat"], each["wager"]):
            return entries.pop(at)
    return None


# ------------------------------------------------------------------ what was decided


def said(database: Database, table: str, language: str, zone: str) -> list[dict[str, str]]:
    """What people did about what stood, the newest first, by the clock of the pit. A decision and the hold
    that it ended are one thing."""
    texts = catalogue(language)
    told = []
    found = [(event, event.data()) for event in of_kinds(database, table, SAID, MOST_SAID)]
    ended_by = {(event.at, data.get("by")) for event, data in found if event.kind == "hold_over"}
    for event, data in found:
        if event.kind == "floor_decided" and (event.at, data.get("who")) in ended_by:
            continue
        facts = data["correction"] if event.kind == "correction" else data
        who = facts.get("who") or facts.get("by")
        if who:
            at = zones.at(event.at, zone).strftime("%Y-%m-%d %H:%M:%S")
            told.append({"at": at, **_said(texts, event, facts, who)})
    return told


def _said(texts: Any, event: Kept, facts: Mapping[str, Any], who: str) -> dict[str, str]:  # noqa: ANN401
    how = [
        say.decision(texts, facts.get("decision")), say.outcome(texts, facts.get("outcome")),
        texts.plain(f"overs.{facts['over']}") if facts.get("over") else None,
        say.kept(texts, facts.get("cents")), facts.get("reason") or facts.get("why"),
    ]  # fmt: skip
    code = facts.get("code")
    known = texts.node(f"codes.{code}") is not None
    what = say.title(texts, str(code)) if known else texts.plain(f"pit.kinds.{event.kind}")
    return {
        "what": what,
        "where": say.where(texts, facts), "how": SEPARATOR.join(each for each in how if each), "who": who,
    }  # fmt: skip
