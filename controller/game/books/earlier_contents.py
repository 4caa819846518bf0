"""Earlier contents of a circle, to distinguish an exchange of chips of the same total (color change, making
change) from chips that a hand only carried across the reader.

Pure queries on the state; `watching/exchanges.py` records the contents and restores the accounts. They must
never explain a difference that still exists. Source: house procedure; config/rules/RULES.md "Business around
a round".
"""

from __future__ import annotations

from itertools import pairwise

from controller.game.books import dues
from controller.game.model.names import IN_PLAY, Circle, Phase
from controller.game.model.state import Holding, Seen, TableState

EXCHANGE_MS = 30_000
"""Maximum time that an exchange of chips may take, in ms of the table clock. It includes the time in which a
floorperson verifies the exchange."""
PASSING_MS = 400
"""Maximum time for which a reader sees a chip that is carried across it, in ms of the table clock; equal to
the time that a difference must last before it is announced."""
OVER_EMPTY_SINCE = 6
"""First revision of `PROCEDURES` in which chips carried across an empty settled circle do not change it."""
IN_ONE_STEP_SINCE = 10
"""First revision of `PROCEDURES` in which an exchange ends when a card is turned or the phase changes. From
it on, the record keeps the entries of errors that new chips of the same total correct: a push that was
disturbed, a settlement out of order, and a wager swept with a collection."""
MAX_SEEN = 8
"""Maximum number of former contents recorded per circle."""
READING_REASONS = ("laid", "taken", "exchanged")
"""`Entry.why` of movements that follow from readings."""


def uids_of(holding: Holding) -> tuple[str, ...]:
    """Return the UIDs in a circle, in order."""
    return tuple(sorted(chip.uid for chip in holding.chips))


def values_of(holding: Holding) -> tuple[int, ...]:
    """Return the denominations in a circle, in cents and in order."""
    return tuple(sorted(chip.cents or 0 for chip in holding.chips))


def replaced_content(state: TableState, circle: Circle) -> Seen | None:
    """Return the earlier content of a circle that was exchanged for its present chips: the same total in
    other denominations. Returns None if there is none.

    Since the earlier content was read, its chips may only have left and new chips may only have come, and no
    wager may have been settled, reported or signed. During play the phase must also be the same, with no card
    turned meanwhile, because a bet that is away at a turn was withdrawn (58 Pa. Code § 674a.11(c)). A chip
    replaced by one of the same value is not an exchange, so a late bet that is handed back keeps its code."""
    here, history = state.holding(*circle), state.seen.get(circle.key, ())
    if not here.amount:
        return None
    uids, values = uids_of(here), values_of(here)
    for index in reversed(range(len(history))):
        old = history[index]
        if not old.calm or old.cents != here.amount or old.values == values or not _in_one_step(state, old):
            continue
        steps = [*(seen.chips for seen in history[index:]), uids]
        if _replaces(steps) and not _moved_otherwise(state, circle, old, ()):
            return old
    return None


def turned_count(state: TableState) -> int:
    """Return the number of turns so far: places of the cross and bonus cards, and seats turned to settle."""
    round_ = state.round
    return len(round_.turned) + len(round_.settlement.shown) if round_ else 0


def _in_one_step(state: TableState, old: Seen) -> bool:
    """Return whether the earlier content and the present one belong to the same phase, with no card turned
    between them. Always True while the chips are the player's and may be changed: before the close, after the
    round and once the wager is settled."""
    free = state.play_phase not in (*IN_PLAY, Phase.VOID) or old.row.settled is not None
    if free or state.procedures < IN_ONE_STEP_SINCE:
        return True
    return old.phase is state.play_phase and old.turned == turned_count(state)


def is_laid_first(state: TableState, circle: Circle, old: Seen) -> bool:
    """Return whether the first new chips were laid while all chips of `old` were still in the circle. Such
    chips are change laid beside the wager, and the dealer did not sweep the wager."""
    history = state.seen.get(circle.key, ())
    later = history[history.index(old) + 1 :]
    chips = later[0].chips if later else uids_of(state.holding(*circle))
    return set(old.chips) < set(chips)


def _replaces(steps: list[tuple[str, ...]]) -> bool:
    """Return whether these successive contents describe an exchange: each chip that came after the first
    content is still there in all later ones. `steps`: UIDs of each content."""
    first = set(steps[0])
    return all(set(one) - first <= set(two) for one, two in pairwise(steps))


def is_to_be_taken(state: TableState, circle: Circle) -> bool:
    """Return whether the dealer has to take the content of a circle: a fold or a lost wager."""
    where, step = dues.stage(state, circle)
    return where == "collect" or (step is not None and step.verb == "take")


def passed_content(state: TableState, circle: Circle, ms: int) -> Seen | None:
    """Return the earlier content that is in the circle again, because other chips were only carried across
    the reader for at most `PASSING_MS`; None if there is none. The chips must be the same ones, in the same
    phase. Chips that left while the dealer had to take them count as taken. A settled circle may be empty
    before and after, because its player has taken up wager and winnings."""
    uids, collect = uids_of(state.holding(*circle)), is_to_be_taken(state, circle)
    settled = state.procedures >= OVER_EMPTY_SINCE and dues.stage(state, circle)[0] == "done"
    history = (old for old in state.seen.get(circle.key, ()) if old.collect or not collect)
    same = (old for old in history if old.chips == uids and old.phase is state.play_phase)
    recent = (old for old in same if old.calm and (old.cents or settled))
    verbs = ("take", "pay", "push")
    return next(
        (
            old
            for old in recent
            if ms - old.until <= PASSING_MS and not _moved_otherwise(state, circle, old, verbs)
        ),
        None,
    )


def _moved_otherwise(state: TableState, circle: Circle, old: Seen, seen_done: tuple[str, ...]) -> bool:
    """Return whether anything except readings has changed the accounts of the circle since `old`.
    `seen_done`: `Entry.why` values of settlements that follow from a reading and are not decisions of a
    person.
    """
    if state.round is None:
        return False
    row, rest = state.round.ledger.row(circle), old.row
    if (row.stake, row.house, row.held, row.accepted) != (rest.stake, rest.house, rest.held, rest.accepted):
        return True
    since = (e for e in state.round.ledger.entries[old.posted :] if (e.seat, e.wager) == circle)
    return any(
        e.evidence not in ("read", "inferred") or e.why not in (*READING_REASONS, *seen_done) for e in since
    )
