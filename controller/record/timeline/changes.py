"""Changes caused by an event, from the table before and after it: cards dealt and turned, bets, folds,
settlements, phases. Irregularities and their ends are in `troubles.py`.

It compares states only, so its entries do not depend on the key or event that caused the change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from controller.game.books import dues
from controller.game.model.effects import WriteRecord
from controller.game.model.names import BONUS_PLACES, CROSS, SEATS, Circle, Phase, cards_of
from controller.game.model.round import Round, SeatState
from controller.game.rulebook.faces import shown_places
from controller.record.journal.replay import Replayed
from controller.record.timeline.entries import Kind
from controller.record.timeline.touches import EntryData


def changes(done: Replayed) -> Iterator[EntryData]:
    """Yield the entries of the timeline (kind, data) for what an event changed, in the order in which a
    person would tell them. `done`: the event with the states before and after it."""
    yield from _calls(done)
    yield from _moved(done)
    before, after = done.before.round, done.after.round
    if before is None and after is not None:
        yield Kind.BETS_CLOSED, {"number": after.number}
        yield from _laid(after)
    elif before is not None and after is None and done.before.phase is not Phase.CLEARING:
        yield Kind.BETS_REOPENED, {}
    if after is not None:
        for look in LOOKS:
            yield from look(before or _nothing(after), after)
    if done.before.play_phase is not done.after.play_phase:
        yield Kind.PHASE, {"phase": done.after.play_phase.value}
    yield from _written(done)


def _nothing(round_: Round) -> Round:
    """Return the round as it was at its start, without cards, bets and results. It takes the place of the
    state before a round began."""
    return Round(round_.number, round_.started, round_.method, round_.seats, type(round_.deal)())


def _calls(done: Replayed) -> Iterator[EntryData]:
    if done.after.floor_called and not done.before.floor_called:
        yield Kind.FLOOR_CALLED, {"who": done.before.dealer}
    elif done.before.floor_called and not done.after.floor_called:
        yield Kind.FLOOR_ANSWERED, {}


def _moved(done: Replayed) -> Iterator[EntryData]:
    """Yield movements of chips: exchanged for others of the same total, or carried from another circle."""
    for each in done.after.movements:
        if each not in done.before.movements:
            kind = Kind.CHIPS_MOVED if each.source else Kind.CHIPS_EXCHANGED
            yield kind, {
                "seat": each.circle.seat, "wager": each.circle.wager, "chips": list(each.chips),
                "replaced": list(each.replaced) or None, "source": each.source, "stood": each.ms - each.since,
            }  # fmt: skip


def _laid(round_: Round) -> Iterator[EntryData]:
    """Yield the wagers laid at each seat, which are final once bets are closed."""
    for number, seat in sorted(round_.seats.items()):
        laid = {wager.value: cents for wager, cents in seat.wagers.items()}
        yield Kind.LAID, {"seat": number, "wagers": laid}


# ------------------------------------------------------------------ cards


def _dealt(before: Round, after: Round) -> Iterator[EntryData]:
    """Yield cards at places that were empty before, each with the face that the shoe read, or None."""
    new = [place for place in after.cards if place not in before.cards]
    groups = (CROSS, BONUS_PLACES, *(cards_of(seat) for seat in SEATS))
    for group in groups:
        here = {str(place): after.cards[place].face for place in group if place in new}
        if here:
            yield Kind.DEALT, {"places": list(here), "faces": here, "number": len(here)}


def _card_changed(before: Round, after: Round) -> Iterator[EntryData]:
    """Yield places whose accepted face has changed, because a face was entered or approved or two cards were
    swapped."""
    for place, dealt in after.cards.items():
        was = before.cards.get(place)
        if was is not None and was.face != dealt.face:
            yield Kind.CARD_CHANGED, {"place": place, "read": was.face, "said": dealt.face}


def _turned(before: Round, after: Round) -> Iterator[EntryData]:
    new = shown_places(after) - shown_places(before)
    for group in (CROSS, BONUS_PLACES, *(cards_of(seat) for seat in SEATS)):
        here = {str(p): after.cards[p].face if p in after.cards else None for p in group if p in new}
        if here:
            yield Kind.TURNED, {"places": list(here), "faces": here}


# ------------------------------------------------------------------ decisions


def _decided(before: Round, after: Round) -> Iterator[EntryData]:
    for number, seat in sorted(after.seats.items()):
        was = before.seats.get(number)
        if was is not None and was is not seat:
            yield from _bets(was, seat)
            yield from _folds(was, seat)


def _bets(was: SeatState, seat: SeatState) -> Iterator[EntryData]:
    for wager in sorted(was.wagers.keys() | seat.wagers.keys()):
        old, new = was.wagers.get(wager), seat.wagers.get(wager)
        if new is not None and old != new:
            yield Kind.BET, {"seat": seat.seat, "wager": wager, "amount": new, "was": old}
        elif new is None:
            yield Kind.BET_BACK, {"seat": seat.seat, "wager": wager, "amount": old}


def _folds(was: SeatState, seat: SeatState) -> Iterator[EntryData]:
    if seat.folded_at and not was.folded_at:
        yield Kind.FOLDED, {"seat": seat.seat, "phase": seat.folded_at.value}
    elif was.folded_at and not seat.folded_at:
        yield Kind.FOLD_BACK, {"seat": seat.seat}
    if seat.forfeited and not was.forfeited:
        yield Kind.FORFEITED, {"seat": seat.seat, "code": seat.forfeited[1]}


# ------------------------------------------------------------------ settlement


def _settled(before: Round, after: Round) -> Iterator[EntryData]:
    for circle in after.ledger.circles():
        was, now = before.ledger.row(circle).settled, after.ledger.row(circle).settled
        if now is not None and was != now:
            yield _settlement(after, circle)
        elif was is not None and now is None:
            yield Kind.REOPENED, {"seat": circle.seat, "wager": circle.wager}


def _settlement(round_: Round, circle: Circle) -> EntryData:
    step = dues.planned_step(round_, circle)
    facts = {"seat": circle.seat, "wager": circle.wager, "amount": dues.wager_at(round_, circle)}
    if step is None:
        return Kind.SETTLED, {**facts, "result": "forfeit"}
    hand = {"category": step.hand.category.name.lower(), "ranks": list(step.hand.ranks)}
    return Kind.SETTLED, {
        **facts, "result": step.result, "odds": step.odds, "payout": step.payout, "hand": hand
    }  # fmt: skip


def _voided(before: Round, after: Round) -> Iterator[EntryData]:
    void = after.ending.void
    if void is not None and before.ending.void is None:
        yield Kind.VOIDED, {"code": void.code, "citation": void.citation, "who": void.approved_by}


LOOKS: tuple[Callable[[Round, Round], Iterator[EntryData]], ...] = (
    _dealt, _card_changed, _turned, _decided, _settled, _voided,
)  # fmt: skip


# ------------------------------------------------------------------ the record


def _written(done: Replayed) -> Iterator[EntryData]:
    for effect in done.effects:
        if isinstance(effect, WriteRecord):
            yield Kind.ENDED, {"number": effect.record["round"]}
