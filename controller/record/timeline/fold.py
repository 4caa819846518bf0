"""Folding of a round's events into its timeline, the list of its events in order of time: the entries of
each event and of its consequences, timed from the round's start. Pure: replayed events in, a
`RoundTimeline` out.

A round's own events begin when the previous round is cleared, so that entries before the close of bets are
included, and end when the round itself is cleared. Corrections may come at any time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from controller.game.model.effects import CorrectRecord, WriteRecord
from controller.game.model.events import RoundCorrected, Stamp
from controller.game.model.hand import Hand
from controller.game.model.names import Wager
from controller.game.model.record import NamedCorrection, RoundRecord
from controller.game.model.round import Irregularity, Round
from controller.game.model.state import TableState
from controller.game.phases import corrections
from controller.game.phases.record import settled_hands, with_correction
from controller.game.rulebook.faces import shown_places
from controller.record.journal.replay import Replayed
from controller.record.journal.rows import Row
from controller.record.timeline.changes import changes
from controller.record.timeline.entries import DealerPeriod, Kind, RoundTimeline, TimelineEntry
from controller.record.timeline.touches import EntryData, entry_of
from controller.record.timeline.troubles import carried_over, irregularities_of, trouble


def round_of(state: TableState) -> int:
    """Return the number of the round that an event at this state belongs to: the round on the table, else the
    next one."""
    return state.round.number if state.round is not None else state.next_round


@dataclass(slots=True)
class _Facts:
    """Facts collected about one round while its events are read. `began`: ms of the table clock at its start.
    `listed`: its irregularities. `seen`: faces that its timeline may show."""

    entries: list[TimelineEntry]
    seen: set[str]
    record: RoundRecord | None = None
    round: Round | None = None
    listed: tuple[Irregularity, ...] = ()
    began: int = 0
    last: int = 0
    """Number of the last row that belongs to the round itself."""
    dealer: str | None = None
    zone: str = ""


def story(number: int, replayed: Iterable[Replayed], later: Iterable[Row]) -> RoundTimeline | None:
    """Return the timeline of a round, or None if it has not ended.

    `replayed`: replayed events that include the round's; they are read only to the end of the round. `later`:
    rows of `RoundCorrected`, in order; those after the round's own rows are used.
    """
    found = _Facts([], set())
    for done in replayed:
        if round_of(done.before) > number:
            break
        if round_of(done.before) == number:
            _add_own(found, done)
        elif round_of(done.after) == number:
            stamp = Stamp(done.context.ms, done.context.utc)
            found.entries.extend(_entry(stamp, each) for each in carried_over(done))
    if found.record is None or found.round is None:
        return None
    for row in later:
        event = row.event()
        if row.seq > found.last and isinstance(event, RoundCorrected) and event.round == number:
            _correct(found, corrections.entry_of(event, row.stamp.utc), row.stamp)
    return _story(found, found.record, found.round)


def _correct(found: _Facts, entry: NamedCorrection, stamp: Stamp) -> None:
    if found.record is not None:
        found.record = with_correction(found.record, entry)
        found.entries.append(_entry(stamp, (Kind.CORRECTED, _correction(entry))))


def _correction(entry: NamedCorrection) -> dict[str, Any]:
    return {
        "seat": entry["seat"], "wager": Wager(entry["wager"]), "cents": entry["cents"], "who": entry["who"],
        "code": entry["code"], "name": entry.get("name"), "reason": entry["why"] or None,
    }  # fmt: skip


def _add_own(found: _Facts, done: Replayed) -> None:
    if not found.last:
        found.dealer, found.zone = done.before.dealer, done.context.settings.zone
    if done.before.round is None and done.after.round is not None:
        found.began = done.context.ms
    found.last, stamp = done.seq, Stamp(done.context.ms, done.context.utc)
    found.entries.extend(_entry(stamp, each) for each in _entries_of(done))
    found.seen |= _seen(done)
    for effect in done.effects:
        if isinstance(effect, WriteRecord):
            found.record = effect.record
            found.round = done.after.round or done.before.round
            found.listed = found.round.irregularities if found.round else ()
        elif isinstance(effect, CorrectRecord) and effect.round == round_of(done.before):
            _correct(found, effect.entry, stamp)


def _entries_of(done: Replayed) -> Iterator[EntryData]:
    data = entry_of(done)
    if data is not None:
        yield data
    yield from trouble(done)
    yield from changes(done)


def _entry(stamp: Stamp, data: EntryData) -> TimelineEntry:
    """Return an entry with the time of the table clock; `_story` converts it to the round's time."""
    kind, facts = data
    rest = {k: v for k, v in facts.items() if v is not None and k not in ("seat", "wager", "who")}
    return TimelineEntry(
        stamp.ms, stamp.utc, kind, facts.get("seat"), facts.get("wager"), facts.get("who"), rest
    )


def _seen(done: Replayed) -> set[str]:
    """Return the faces that the screen showed after this event, and those that a person entered."""
    named = {getattr(done.event, "face", None)} if _by_person(done) else set()
    round_ = done.after.round
    if round_ is not None:
        named |= {round_.cards[place].face for place in shown_places(round_) if place in round_.cards}
    return {face for face in named if face}


def _by_person(done: Replayed) -> bool:
    return type(done.event).__name__ in ("FaceEntered", "Reported")


def _story(found: _Facts, record: RoundRecord, round_: Round) -> RoundTimeline:
    entries = tuple(replace(entry, ms=entry.ms - found.began) for entry in _without_parts(found.entries))
    return RoundTimeline(
        record, record["started"], entries, tuple(irregularities_of(found.listed, entries)),
        tuple(_dealers(found.dealer, entries)), _hands(round_), frozenset(round_.cards), shown_places(round_),
        frozenset(found.seen), found.zone,
    )  # fmt: skip


def _without_parts(entries: list[TimelineEntry]) -> Iterator[TimelineEntry]:
    """Yield the entries without readings of chips that are parts of an exchange or a move, since that has an
    entry of its own."""
    parts: set[int] = set()
    for at, entry in enumerate(entries):
        if entry.kind is Kind.CHIPS_EXCHANGED:
            parts.update(_parts_of_exchange(entries[:at], entry))
        elif entry.kind is Kind.CHIPS_MOVED:
            parts.update(_parts_of_move(entries[:at], entry))
    return (entry for at, entry in enumerate(entries) if at not in parts)


def _readings(
    earlier: list[TimelineEntry], circle: tuple[int | None, str | None], move: TimelineEntry
) -> Iterator[int]:
    """Yield the indices in `earlier` of a circle's readings since the movement began, the last one first."""
    for at in reversed(range(len(earlier))):
        entry = earlier[at]
        if entry.ms < move.ms - move.facts["stood"]:
            return
        if entry.kind is Kind.CHIPS and (entry.seat, entry.wager) == circle:
            yield at


def _parts_of_exchange(earlier: list[TimelineEntry], move: TimelineEntry) -> Iterator[int]:
    """Yield the indices of the readings that belong to an exchange: from the last one back to the reading
    that had the same amount before it."""
    total = None
    for at in _readings(earlier, (move.seat, move.wager), move):
        if total == earlier[at].facts["amount"]:
            return
        total = earlier[at].facts["amount"] if total is None else total
        yield at


def _parts_of_move(earlier: list[TimelineEntry], move: TimelineEntry) -> Iterator[int]:
    """Yield the indices of the readings that belong to a move: the last one by which exactly these chips left
    one circle, and the last one by which they reached the other."""
    cents = sum(move.facts["chips"])
    for circle, change in ((move.facts["source"], -cents), ((move.seat, move.wager), cents)):
        for at in _readings(earlier, circle, move):
            facts = earlier[at].facts
            if facts["amount"] - facts.get("was", 0) == change:
                yield at
                break


def _hands(round_: Round) -> dict[int, dict[Wager, Hand]]:
    return {number: settled_hands(round_, seat) for number, seat in round_.seats.items()}


def _dealers(first: str | None, entries: Iterable[TimelineEntry]) -> Iterator[DealerPeriod]:
    """Yield the dealers of a round with their times, from sign-ons and reliefs. `first`: number of the dealer
    at the start, None if none had signed on."""
    number, since = first, None
    for entry in entries:
        if entry.kind not in (Kind.SIGNED_ON, Kind.RELIEVED):
            continue
        if number is not None and (entry.kind is Kind.RELIEVED or entry.who != number):
            yield DealerPeriod(number, since, entry.ms)
        if entry.kind is Kind.RELIEVED:
            number, since = None, None
        elif entry.who != number:
            number, since = entry.who, entry.ms
    if number is not None:
        yield DealerPeriod(number, since, None)
