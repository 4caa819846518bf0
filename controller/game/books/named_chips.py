"""Chips that the dealer has named a tip, a bet for the dealer or change, and that are no wager.

The name belongs to the chips and not to their circle. Chips that come later have no part in it, and a named
chip that leaves loses it. Named chips never count as a bet, even if a floorperson has signed that they stay:
the player is asked. Sources: 58 Pa. Code § 674a.11(b), (d), (f) ("ask each player"); config/rules/RULES.md
"Business around a round", Tips (OUR READING).
"""

from __future__ import annotations

from collections.abc import Iterable

from controller.game.books import stacks
from controller.game.model.evolve import evolve
from controller.game.model.names import Circle
from controller.game.model.round import NamedChips
from controller.game.model.state import Holding, TableState
from controller.game.model.transition import Transition

NAMED_SINCE = 10
"""First revision of `PROCEDURES` in which the name belongs to the chips, and named chips never count as a
bet. Before it belonged to the circle."""


def named_at(state: TableState, circle: Circle) -> NamedChips | None:
    """Return the named chips of a circle, or None."""
    return None if state.round is None else state.round.named.get(circle.key)


def named_cents(state: TableState, circle: Circle) -> int:
    """Return the cents of the named chips that are in a circle now."""
    named = named_at(state, circle)
    return 0 if named is None else min(named.cents, _cents_of(state.holding(*circle), named.chips))


def bet_cents(state: TableState, circle: Circle) -> int:
    """Return the cents in a circle without the named chips."""
    return max(0, state.amount(*circle) - named_cents(state, circle))


def signed_cents(state: TableState, circle: Circle) -> int:
    """Return the cents of named chips in a circle that a floorperson signed."""
    named = named_at(state, circle)
    return 0 if named is None else min(named.signed, named_cents(state, circle))


def unsigned_cents(state: TableState, circle: Circle) -> int:
    """Return the cents of named chips in a circle that are still to be put aside or signed."""
    return named_cents(state, circle) - signed_cents(state, circle)


def covers_difference(state: TableState, circle: Circle, should: int) -> bool:
    """Return whether named chips that no floorperson has signed are the whole difference between a circle
    and `should`: excess chips in it, or chips that the tray took with the wager."""
    named, over = named_at(state, circle), state.amount(*circle) - should
    if named is None:
        return False
    return 0 < over <= unsigned_cents(state, circle) or (over < 0 and -over == named.swept)


def name_excess(play: Transition, circle: Circle, cents: int) -> None:
    """Name the chips of a circle that came last, `cents` of them, beside those that are signed already."""
    chips, signed = stacks.latest_chips(play.state, circle, cents), signed_cents(play.state, circle)
    before = named_at(play.state, circle)
    if before is not None and signed:
        chips = tuple(dict.fromkeys((*before.chips, *chips)))
    _put(play, circle, NamedChips(chips, cents + signed, signed=signed))


def sign(play: Transition, circle: Circle) -> None:
    """Mark the named chips of a circle as signed by a floorperson."""
    named = named_at(play.state, circle)
    if named is not None:
        _put(play, circle, evolve(named, signed=named_cents(play.state, circle)))


def forget_settled(play: Transition, circle: Circle) -> None:
    """Remove the name of a circle without a difference, unless the chips are there with a signature."""
    if named_at(play.state, circle) is not None and not signed_cents(play.state, circle):
        _put(play, circle, None)


def follow(play: Transition, before: TableState, circle: Circle) -> None:
    """Follow the named chips through a reading of their circle. Chips of the same total that replace them are
    named in their place. Named chips that the dealer took with the wager keep the name until they are
    returned."""
    named = named_at(play.state, circle)
    was, now = before.holding(*circle), play.state.holding(*circle)
    if named is None or before.round is None or not was.readable:
        return
    here = {chip.uid for chip in now.chips}
    came = tuple(sorted(here - {chip.uid for chip in was.chips}))
    kept = tuple(uid for uid in named.chips if uid in here)
    gone = _cents_of(was, set(named.chips) - here)
    rows = before.round.ledger.row(circle), play.round.ledger.row(circle)
    if came and _cents_of(now, came) == gone + named.swept:
        _put(play, circle, evolve(named, chips=(*kept, *came), swept=0))
        return
    swept = named.swept + (gone if rows[1].tray > rows[0].tray and not named.signed else 0)
    lies = evolve(named, chips=kept, cents=min(named.cents, _cents_of(now, kept) + swept), swept=swept)
    _put(play, circle, lies if kept or swept else None)


def _cents_of(holding: Holding, uids: Iterable[str]) -> int:
    wanted = set(uids)
    return sum(chip.cents or 0 for chip in holding.chips if chip.uid in wanted)


def _put(play: Transition, circle: Circle, named: NamedChips | None) -> None:
    others = {key: chips for key, chips in play.round.named.items() if key != circle.key}
    play.round = evolve(play.round, named=others if named is None else others | {circle.key: named})
