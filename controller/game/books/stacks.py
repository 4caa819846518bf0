"""Stacks: chips of each circle by value and in order of arrival, and movements of chips as such.

Chips that a circle's reader first shows in one reading are one group: no reader can order them. Chips
changed for others of the same total, or carried from one circle to another, are one movement in any phase,
also while a player may change a wager freely. All follows from the readings in the journal. It must never
change an account, an alert or a wager. Source: config/rules/RULES.md "Business around a round".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from controller.game.books import former
from controller.game.model.evolve import evolve
from controller.game.model.ledger import Account
from controller.game.model.names import Circle
from controller.game.model.round import ChipMovement
from controller.game.model.state import Seen, TableState
from controller.game.model.transition import Transition

RECORDED_SINCE = 8
"""First revision of `PROCEDURES` in which a record has stacks and movements of chips."""
MAX_MOVEMENTS = 64
"""Maximum number of movements of a record: the last ones. The journal has them all."""


def stack_values(state: TableState, circle: Circle) -> tuple[tuple[int, ...], ...]:
    """Return the cents of the chips in a circle, in order of arrival: one group for each reading that showed
    new ones, the largest value of a group first. A chip without value is left out."""
    cents = {chip.uid: chip.cents for chip in state.holding(*circle).chips if chip.cents}
    groups = ([cents[uid] for uid in group if uid in cents] for group in _groups(state, circle))
    return tuple(tuple(sorted(group, reverse=True)) for group in groups if group)


def _groups(state: TableState, circle: Circle) -> tuple[tuple[str, ...], ...]:
    """Return the UIDs in order of arrival. In a state of an older program the order is unknown."""
    return state.arrivals.get(circle.key) or (former.uids_of(state.holding(*circle)),)


# ------------------------------------------------------------------ readings


def follow(play: Transition, before: TableState, circle: Circle) -> None:
    """Record the chips that came into a circle or left it with this reading. A circle that could not be read
    meanwhile keeps the order of the chips that are still there."""
    here = former.uids_of(play.state.holding(*circle))
    stayed = (tuple(uid for uid in group if uid in here) for group in _groups(before, circle))
    groups = [group for group in stayed if group]
    known = {uid for group in groups for uid in group}
    if came := tuple(uid for uid in here if uid not in known):
        groups.append(came)
    play.state = evolve(play.state, arrivals=before.arrivals | {circle.key: tuple(groups)})
    if play.state.procedures < RECORDED_SINCE:
        return
    for movement in (*_exchanged(play, circle), *_moved(play, before, circle, came)):
        kept = (*play.state.movements, movement)
        play.state = evolve(play.state, movements=kept[-MAX_MOVEMENTS:])


def _exchanged(play: Transition, circle: Circle) -> Iterator[ChipMovement]:
    """Yield the movement of chips changed for others of the same total, if this reading completes it."""
    old = former.replaced_content(play.state, circle)
    chips = play.state.holding(*circle).chips
    if old is None or not all(chip.cents for chip in chips):
        return
    was, now = Counter(old.values), Counter(former.values_of(play.state.holding(*circle)))
    at = (play.context.ms, play.context.utc, play.state.play_phase, circle)
    yield ChipMovement(*at, old.until, _largest_first(now - was), _largest_first(was - now))


def _largest_first(values: Counter[int]) -> tuple[int, ...]:
    return tuple(sorted(values.elements(), reverse=True))


# ------------------------------------------------------------------ from circle to circle


def _moved(
    play: Transition, before: TableState, circle: Circle, came: tuple[str, ...]
) -> Iterator[ChipMovement]:
    """Yield the movements of chips from another circle into this one, and, if the other was read first, from
    this circle into another."""
    state, ms = play.state, play.context.ms
    moves: dict[tuple[Circle, Circle, int], list[str]] = {}
    for uid in came:
        if source := _source(state, circle, uid, ms):
            moves.setdefault((source[0], circle, source[1]), []).append(uid)
    accused = any((alert.seat, alert.wager) == circle for alert in before.alerts)
    left = set(former.uids_of(before.holding(*circle))) - set(former.uids_of(state.holding(*circle)))
    for other in _circles(state) if left and not accused else ():
        if found := left & set(former.uids_of(state.holding(*other))):
            history = state.seen.get(other.key, ())
            moves[circle, other, history[-1].until if history else ms] = sorted(found)
    for (out_of, into, since), uids in moves.items():
        cents = {chip.uid: chip.cents or 0 for chip in state.holding(*into).chips}
        chips = tuple(sorted((cents[uid] for uid in uids), reverse=True))
        yield ChipMovement(ms, play.context.utc, state.play_phase, into, since, chips, source=out_of)


def _circles(state: TableState) -> Iterator[Circle]:
    for seat, row in state.holdings.items():
        for wager, holding in row.items():
            if holding.chips:
                yield Circle(seat, wager)


def _source(state: TableState, circle: Circle, uid: str, ms: int) -> tuple[Circle, int] | None:
    """Return the other circle in which a chip lay last, and the time in ms at which it left; None if it left
    for the tray, only passed over the circle, is still shown there, or left long ago."""
    found: list[tuple[int, Circle]] = []
    for key, history in state.seen.items():
        other, last = Circle.of(key), _last_with(history, uid)
        if last is None or other == circle or ms - last.until > former.EXCHANGE_MS:
            continue
        shown = any(chip.uid == uid for chip in state.holding(*other).chips)
        if not shown and not _went_to_tray(state, other, last):
            found.append((last.until, other))
    return (max(found)[1], max(found)[0]) if found else None


def _last_with(history: tuple[Seen, ...], uid: str) -> Seen | None:
    """Return the last content with a chip that lay there for `PASSING_MS` or longer, or None."""
    last, began = None, None
    for seen in history:
        if uid not in seen.chips:
            began = seen.until
        elif began is None or seen.until - began >= former.PASSING_MS:
            last = seen
    return last


def _went_to_tray(state: TableState, circle: Circle, last: Seen) -> bool:
    """Return whether the dealer took the chips that were in `circle`: as settled, or changed for others."""
    if former.replaced_content(state, circle) is not None:
        return True
    later = state.round.ledger.entries[last.posted :] if state.round else ()
    return any((e.seat, e.wager) == circle and e.to is Account.TRAY for e in later)


# ------------------------------------------------------------------ wagers


def keep_stacks(play: Transition, before: TableState) -> None:
    """Keep the stack of each wager as its circle was last read with the wager's amount before it was settled.
    A wager whose circle was never read so has none."""
    state = play.state
    round_, old = state.round, before.round
    if round_ is None or round_.ending.ended is not None:
        return
    kept = dict(round_.stacks)
    for number, seat in round_.seats.items():
        row = state.holdings.get(number, {})
        if row is before.holdings.get(number) and old is not None and seat is old.seats.get(number):
            continue
        for wager, cents in seat.wagers.items():
            circle = Circle(number, wager)
            placed = state.amount(*circle) == cents and round_.ledger.row(circle).settled is None
            if placed and (values := stack_values(state, circle)):
                kept[circle.key] = values
    if kept != round_.stacks:
        play.round = evolve(round_, stacks=kept)
