"""The public events of one journal event, from its replay: nothing else of what happens in the game leaves
the table for a pit. Pure.

No other module sends data of the game to a pit. Kinds and facts are those of the timeline of a past round
(controller/record/timeline); `kinds.py` lists the facts of each kind. A face is published only if
`open_faces` of the rule book contains it before or after the event. This module must never take a face from
another source.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from controller.floor.uplink.kinds import SENT_KINDS, PublicRecord, facts_of
from controller.game.model.effects import CorrectRecord, WriteRecord
from controller.game.model.events import Stamp
from controller.game.model.naming import as_code
from controller.game.model.record import RoundRecord
from controller.game.rulebook.faces import open_faces, shown_places
from controller.game.showing.public import turned_record
from controller.game.showing.view import View
from controller.game.table import Table
from controller.record.journal.replay import Replayed
from controller.record.timeline.changes import changes
from controller.record.timeline.entries import Kind
from controller.record.timeline.fold import round_of
from controller.record.timeline.touches import entry_of
from controller.record.timeline.troubles import trouble

Public: TypeAlias = tuple[str, dict[str, Any]]
"""Public event, as (kind, data). It has no face of a card that lies face down."""
Open: TypeAlias = frozenset[tuple[str, str]]
"""Place and face of each open card."""


def public_events(done: Replayed) -> Iterator[Public]:
    """Yield the public events of one journal event, in the order of the timeline, then the records."""
    lies_open = _open(done)
    number, ms = round_of(done.before), done.context.ms
    for kind, facts in _events_of(done):
        if kind in SENT_KINDS:
            shown = _made(done, facts) if kind is Kind.SETTLED else as_code(facts)
            yield kind.value, {"round": number, "ms": ms, **_allowed(kind.value, shown, lies_open)}
    for effect in done.effects:
        if isinstance(effect, WriteRecord):
            record = _record(done, effect.record)
            yield "record", {"round": effect.record["round"], "ms": ms, "record": record}
        elif isinstance(effect, CorrectRecord):
            yield "correction", {"round": effect.round, "ms": ms, "correction": as_code(effect.entry)}


def _events_of(done: Replayed) -> Iterator[tuple[Kind, Mapping[str, Any]]]:
    entry = entry_of(done)
    if entry is not None:
        yield entry
    yield from trouble(done)
    yield from changes(done)


def view_of(done: Replayed) -> View:
    """Return the view that the screens show after an event."""
    context = done.context
    return Table(context.pack, context.settings, done.after, Stamp(context.ms, context.utc)).view()


# ------------------------------------------------------------------ open faces


def _open(done: Replayed) -> Open:
    rounds = (state.round for state in (done.before, done.after))
    return frozenset(item for each in rounds if each is not None for item in open_faces(each).items())


def _allowed(kind: str, facts: Mapping[str, Any], lies_open: Open) -> dict[str, Any]:
    """Return the facts that `kinds.py` lists for that kind, with open faces only."""
    allowed = {key: value for key, value in facts.items() if key in facts_of(kind) and value is not None}
    if "faces" in allowed:
        allowed["faces"] = {
            at: face if (at, face) in lies_open else None for at, face in allowed["faces"].items()
        }
    for name in ("read", "said"):
        if name in allowed and (allowed.get("place"), allowed[name]) not in lies_open:
            del allowed[name]
    return allowed


def _made(done: Replayed, facts: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the facts with the name of the hand that settled a wager, if the screens show it."""
    box = next(seat for seat in view_of(done)["seats"] if seat["seat"] == facts["seat"])
    return {**facts, "hand": box["hands"].get(str(facts["wager"]))}


def _record(done: Replayed, record: RoundRecord) -> dict[str, Any]:
    """Return the record of a round as a screen shows it: with the faces that had been turned when the round
    ended.
    """
    before = done.before.round
    turned = turned_record(record, shown_places(before) if before is not None else frozenset())
    coded = {part: [as_code(entry) for entry in turned[part]] for part in ("irregularities", "corrections")}
    return {name: value for name, value in (turned | coded).items() if name in PublicRecord.__annotations__}
