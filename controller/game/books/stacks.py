"""Stacks: the chips of each circle by value and in order of arrival, and movements of chips.

Chips that a circle's reader first shows in one reading are one group, because no reader can order them. An
exchange of chips for others of the same total is one movement, and so is a transfer of chips from one circle
to another. This applies in every phase, even while a player may change a wager freely. Everything here
follows from the readings in the journal. This module must never change an account, an alert or a wager.

Source: config/rules/RULES.md "Business around a round".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from itertools import accumulate

from controller.game.books import earlier_contents
from controller.game.model.evolve import evolve
from controller.game.model.ledger import Account
from controller.game.model.names import Circle
from controller.game.model.round import ChipMovement
from controller.game.model.state import EMPTY, Seen, TableState
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
    return state.arrivals.get(circle.key) or (earlier_contents.uids_of(state.holding(*circle)),)


def latest_chips(state: TableState, circle: Circle, cents: int) -> tuple[str, ...]:
    """Return the UIDs of the chips in a circle that came last and that make up `cents`. If no such chips make
    up exactly that amount, the last ones that exceed it.
    """
    values = {chip.uid: chip.cents or 0 for chip in state.holding(*circle).chips}
    groups = reversed(_groups(state, circle))
    order = [
        uid
        for group in groups
        for uid in sorted(group, key=lambda each: values.get(each, 0), reverse=True)
        if uid in values
    ]
    chosen, open_cents = [], cents
    for uid in order:
        if 0 < values[uid] <= open_cents:
            chosen.append(uid)
            open_cents -= values[uid]
    if not open_cents:
        return tuple(chosen)
    less = sum(total < cents for total in accumulate(values[uid] for uid in order))
    return tuple(order[: less + 1])


# ------------------------------------------------------------------ readings


def follow(play: Transition, before: TableState, circle: Circle) -> None:
    """Record the chips that came into a circle or left it with this reading. A circle that could not be read
    meanwhile keeps the order of the chips that are still there."""
    was, here = _uids(before, circle), _uids(play.state, circle)
    groups = [stayed for group in _groups(before, circle) if (stayed := tuple(u for u in group if u in here))]
    if came := here.difference(*groups):
        groups.append(tuple(sorted(came)))
    play.state = evolve(play.state, arrivals=before.arrivals | {circle.key: tuple(groups)})
    movements = [
        *_exchanged(play, circle),
        *_moved_here(play, circle, came),
        *_moved_on(play, circle, was - here),
    ]
    if movements:
        kept = (*play.state.movements, *movements)
        play.state = evolve(play.state, movements=kept[-MAX_MOVEMENTS:])


def _uids(state: TableState, circle: Circle) -> set[str]:
    return {chip.uid for chip in state.holding(*circle).chips}


def _exchanged(play: Transition, circle: Circle) -> Iterator[ChipMovement]:
    """Yield the movement of chips changed for others of the same total, if this reading completes it."""
    holding = play.state.holding(*circle)
    old = earlier_contents.replaced_content(play.state, circle) if holding.chips else None
    if old is None or not all(chip.cents for chip in holding.chips):
        return
    was, now = Counter(old.values), Counter(earlier_contents.values_of(holding))
    came, left = sorted((now - was).elements(), reverse=True), sorted((was - now).elements(), reverse=True)
    yield _movement(play, circle, old.until, came, replaced=left)


def _movement(
    play: Transition,
    circle: Circle,
    since: int,
    cents: Iterable[int],
    *,
    replaced: Iterable[int] = (),
    source: Circle | None = None,
) -> ChipMovement:
    context, phase = play.context, play.state.play_phase
    return ChipMovement(context.ms, context.utc, phase, circle, since, tuple(cents), tuple(replaced), source)


# ------------------------------------------------------------------ from circle to circle


def _moved_here(play: Transition, circle: Circle, came: Collection[str]) -> Iterator[ChipMovement]:
    """Yield a movement for each circle from which chips came into this one. `came`: UIDs of the new chips."""
    sources: dict[tuple[int, str], set[str]] = {}
    for uid in sorted(came):
        if source := _source(play.state, uid, play.context.ms):
            sources.setdefault(source, set()).add(uid)
    for (since, key), uids in sources.items():
        cents = _cents(play.state, circle, uids)
        yield _movement(play, circle, since, cents, source=Circle.of(key))


def _moved_on(play: Transition, circle: Circle, left: Collection[str]) -> Iterator[ChipMovement]:
    """Yield a movement for each circle that already shows chips which this reading no longer finds in
    `circle`. `left`: UIDs of those chips. Yields none if `circle` has an alert, because a chip that two
    circles showed at the same time is a copy."""
    state = play.state
    if not left or state.alerts_at(circle):
        return
    for seat, row in state.holdings.items():
        for wager, holding in row.items():
            uids = {chip.uid for chip in holding.chips if chip.uid in left}
            if uids:
                into = Circle(seat, wager)
                history = state.seen.get(into.key, ())
                since = history[-1].until if history else play.context.ms
                yield _movement(play, into, since, _cents(state, into, uids), source=circle)


def _cents(state: TableState, circle: Circle, uids: Collection[str]) -> list[int]:
    chips = (chip for chip in state.holding(*circle).chips if chip.uid in uids)
    return sorted((chip.cents or 0 for chip in chips), reverse=True)


def _source(state: TableState, uid: str, ms: int) -> tuple[int, str] | None:
    """Return the time in ms at which a chip left the circle in which it lay last, and that circle's
    key; None if it left for the tray, only passed over the circle, is still shown there, or left long ago."""
    found: list[tuple[int, str]] = []
    for key, history in state.seen.items():
        last = _last_with(history, uid)
        if last is None or ms - last.until > earlier_contents.EXCHANGE_MS:
            continue
        other = Circle.of(key)
        if uid not in _uids(state, other) and not _went_to_tray(state, other, last):
            found.append((last.until, key))
    return max(found, default=None)


def _last_with(history: tuple[Seen, ...], uid: str) -> Seen | None:
    """Return the last of the former contents that had this chip, if the chip lay in the circle for
    `PASSING_MS` or longer; else None."""
    last, began = None, None
    for seen in history:
        if uid not in seen.chips:
            began = seen.until
        elif began is None or seen.until - began >= earlier_contents.PASSING_MS:
            last = seen
    return last


def _went_to_tray(state: TableState, circle: Circle, last: Seen) -> bool:
    """Return whether the dealer took the chips that were in `circle`, at its settlement or to change them for
    others. `last`: its last content with them."""
    if earlier_contents.replaced_content(state, circle) is not None:
        return True
    later = state.round.ledger.entries[last.posted :] if state.round else ()
    return any((e.seat, e.wager) == circle and e.to is Account.TRAY for e in later)


# ------------------------------------------------------------------ wagers


def keep_stacks(play: Transition, before: TableState) -> None:
    """Store the stack of each wager: the chips of its circle at the last reading before its settlement that
    showed the wager's amount. A wager without such a reading has no stack.
    """
    state = play.state
    round_, old = state.round, before.round
    if round_ is None:
        return
    kept = dict(round_.stacks)
    for number, seat in round_.seats.items():
        row = state.holdings.get(number, {})
        if row is before.holdings.get(number) and old is not None and seat is old.seats.get(number):
            continue
        for wager, cents in seat.wagers.items():
            if row.get(wager, EMPTY).amount != cents:
                continue
            circle = Circle(number, wager)
            if round_.ledger.row(circle).settled is None and (values := stack_values(state, circle)):
                kept[circle.key] = values
    if kept != round_.stacks:
        play.round = evolve(round_, stacks=kept)
