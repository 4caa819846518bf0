"""Exchanges: chips of a circle that are changed for others of the same total, and chips carried across a
reader.

A dealer changes a $25 chip for five of $5 in two or more readings, during which the circle is empty or holds
both. Once the circle holds the former total again, the former accounts are restored, and the entry of its
alert is renamed to an exchange. Chips that a reader saw for less than `earlier_contents.PASSING_MS` were
carried across it and settled nothing. A difference that still exists must never be cleared here. Source:
house procedure; config/rules/RULES.md "Business around a round".
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from controller.game.books import dues, earlier_contents
from controller.game.model.evolve import evolve
from controller.game.model.irregularities import Code
from controller.game.model.ledger import EMPTY_ROW, SIGNED, Account, LedgerEntry, LedgerRow
from controller.game.model.names import Circle, Phase
from controller.game.model.rules import citation_for
from controller.game.model.state import Holding, Seen, TableState
from controller.game.model.transition import Transition
from controller.game.phases import settlement, skipped_step

# ------------------------------------------------------------------ former contents


def follow(play: Transition, before: TableState, circle: Circle) -> None:
    """Record the content of the circle before this reading, and restore its accounts if the reading ends an
    exchange or shows that chips only passed."""
    was, now = before.holding(*circle), play.state.holding(*circle)
    if play.state.procedures < 2 or was.chips == now.chips:
        return
    history, ms = before.seen.get(circle.key, ()), play.context.ms
    recent = (seen for seen in history if ms - seen.until <= earlier_contents.EXCHANGE_MS)
    kept = (*recent, _seen(play, before, circle, was)) if was.readable else ()
    play.state = evolve(play.state, seen=before.seen | {circle.key: kept[-earlier_contents.MAX_SEEN :]})
    if play.state.round is None or play.state.round.ending.void is not None:
        return
    old = earlier_contents.passed_content(play.state, circle, ms)
    if old is None and dues.stage(before, circle)[0] != "collect":
        old = earlier_contents.replaced_content(play.state, circle)
        old = None if old is None or _pays(play, circle, old) else old
    if old is not None:
        _restore(play, circle, old)


def _pays(play: Transition, circle: Circle, old: Seen) -> bool:
    """Return whether the chips that came since `old` are the payout due in this circle. They are then no
    exchange, even if the total is that of an earlier content."""
    _, step = dues.stage(play.state, circle)
    row = play.round.ledger.row(circle)
    return step is not None and step.verb == "pay" and row.tray == row.goal(step.tray) != old.row.tray


def _seen(play: Transition, before: TableState, circle: Circle, was: Holding) -> Seen:
    ledger = before.round.ledger if before.round else None
    accused = bool(before.alerts_at(circle))
    return Seen(
        play.context.ms,
        earlier_contents.uids_of(was),
        earlier_contents.values_of(was),
        was.amount,
        ledger.row(circle) if ledger else EMPTY_ROW,
        len(ledger.entries) if ledger else 0,
        len(before.round.irregularities) if before.round else 0,
        not accused and circle.key not in before.suspects,
        before.play_phase,
        earlier_contents.is_to_be_taken(before, circle),
        earlier_contents.turned_count(before),
    )


# ------------------------------------------------------------------ former accounts


def _restore(play: Transition, circle: Circle, old: Seen) -> None:
    row = play.round.ledger.row(circle)
    if row.borrowed or (row.settled != old.row.settled and play.state.play_phase is not Phase.SETTLEMENT):
        return
    ledger = play.round.ledger
    for source, to, cents in _moves(row, old.row):
        ledger = ledger.post(
            LedgerEntry(play.context.ms, *circle, source, to, cents, "inferred", "exchanged")
        )
    lying = {chip.uid for chip in play.state.holding(*circle).chips}
    # the old chips are in the tray now and may be paid out elsewhere
    chips = {uid: home for uid, home in ledger.chips.items() if home != circle or uid in lying}
    play.round = evolve(play.round, ledger=evolve(ledger, chips=chips))
    if row.settled is not None and old.row.settled is None:
        settlement.reopen(play, circle)


def _moves(row: LedgerRow, old: LedgerRow) -> Iterator[tuple[Account, Account, int]]:
    """Yield the movements that turn the accounts of `row` into those of `old`: for each, the account that
    gives, the account that receives, and the cents."""
    books = (Account.PLAYER, Account.TRAY, Account.UNEXPLAINED)
    over = {book: getattr(row, book) - getattr(old, book) for book in books}
    for source in books:
        for to in books:
            if (cents := min(over[source], -over[to])) > 0:
                over[source] -= cents
                over[to] += cents
                yield source, to, cents


# ------------------------------------------------------------------ record


def merge_entries(play: Transition, circle: Circle) -> None:
    """Replace the entries about a circle since the start of an exchange by one entry CHIPS_EXCHANGED, because
    the same total is back and its alert is over. If the entries name an error of the dealer, they stay, and
    only `stacks.py` records the exchange."""
    old, accused = earlier_contents.replaced_content(play.state, circle), play.state.alerts
    if old is None or play.state.round is None or not any((a.seat, a.wager) == circle for a in accused):
        return
    early, later = play.round.irregularities[: old.noted], play.round.irregularities[old.noted :]
    since = [e for e in later if (e.seat, e.wager) == circle and e.code.kind.money]
    if not since or play.state.play_phase is Phase.CLEARING or _settled_since(play, old):
        return
    if _names_an_error(play, circle, old, {entry.code for entry in since}):
        return
    cited = citation_for(play.context.pack, Code.CHIPS_EXCHANGED, play.state.method)
    changed = replace(since[0], code=Code.CHIPS_EXCHANGED, citation=cited, resolved=True, reason="")
    others = (e for e in later if e not in since)
    play.round = evolve(play.round, irregularities=(*early, changed, *others))
    if any(entry.code is Code.SETTLED_OUT_OF_ORDER for entry in since):
        _not_left(play, old)


def _names_an_error(play: Transition, circle: Circle, old: Seen, codes: Collection[Code]) -> bool:
    """Return whether the entries since `old` are about an error of the dealer, which must stay in the record
    although the same total is back in the circle. Such errors are: a push or a wager out of turn was taken,
    or a wager was swept together with a collection. `codes`: codes of those entries."""
    if play.state.procedures < earlier_contents.IN_ONE_STEP_SINCE:
        return False
    if Code.SETTLED_OUT_OF_ORDER in codes:
        return True
    if earlier_contents.is_laid_first(play.state, circle, old):
        return False
    swept = Code.BET_CHANGED in codes and _left_with_a_collection(play.round.ledger.entries, circle, old)
    return swept or Code.PUSH_DISTURBED in codes


def _left_with_a_collection(entries: tuple[LedgerEntry, ...], circle: Circle, old: Seen) -> bool:
    """Return whether the dealer may have swept chips of this circle together with a collection: some left it
    since `old` within `dues.HANDS_AT_CHIPS_MS` of chips that the tray took from another circle. Either may
    come first, because readers report one motion in any order."""
    left = [e.ms for e in entries[old.posted :] if (e.seat, e.wager) == circle and _leaves(e)]
    return any(
        abs(entry.ms - ms) <= dues.HANDS_AT_CHIPS_MS
        for entry in entries
        if entry.to is Account.TRAY and _leaves(entry) and (entry.seat, entry.wager) != circle
        for ms in left
    )


def _leaves(entry: LedgerEntry) -> bool:
    return entry.source is Account.CIRCLE and entry.cents > 0 and entry.why != SIGNED


def _settled_since(play: Transition, old: Seen) -> bool:
    """Return whether any wager was settled since `old`. Then the dealer corrected a mistake, and the new
    chips are no change."""
    later = play.round.ledger.entries[old.posted :]
    return any(entry.source is entry.to and entry.why in ("take", "pay", "push") for entry in later)


def _not_left(play: Transition, old: Seen) -> None:
    """Withdraw the alert that a step was left undone, and its entry, if it was raised after `old` was
    exchanged: the dealer made change and left no step undone."""
    for alert in play.state.alerts:
        if alert.code.kind.left_undone and alert.since >= old.until:
            skipped_step.erase(play, alert, old.noted)
