"""Clears the alert about a skipped step after it turns out that the later step was not done either.

To a reader, a rack or a buy-in placed on a later wager looks like that wager's payout. Once it is lifted, it
is clear that the dealer has skipped no step. An alert about a step that was begun, with chips paid or taken,
must never be cleared here. Source: house procedure; config/rules/RULES.md "Business around a round".
"""

from __future__ import annotations

from dataclasses import replace

from controller.game.model.evolve import evolve
from controller.game.model.irregularities import Code
from controller.game.model.naming import SINCE_PROCEDURES
from controller.game.model.state import Alert
from controller.game.model.transition import Transition


def withdraw(play: Transition, gone: Alert) -> None:
    """Clear the alerts about steps left undone that were raised because of `gone`, an alert about a step out
    of order whose chips have been removed since. They stay while another alert about the order is open."""
    for alert in _left(play, gone):
        if not _kept_with_another(play, alert):
            play.clear_alert(alert.code, alert.seat, alert.wager)


def disclaim(play: Transition, named: Alert) -> None:
    """Remove the alerts about steps left undone that were raised because of `named`, with their entries in
    the round's list. The dealer has reported the chips of `named` as no wager, so no later step was done."""
    for alert in _left(play, named):
        if not _kept_with_another(play, alert):
            erase(play, alert)


def erase(play: Transition, alert: Alert, noted: int = 0) -> None:
    """Remove an alert, and its latest entry from the round's list of irregularities. An entry with an index
    below `noted` stays."""
    entries = play.round.irregularities
    code, seat, wager = alert.code, alert.seat, alert.wager
    last = max(
        (n for n, e in enumerate(entries) if (e.code, e.seat, e.wager) == (code, seat, wager)), default=-1
    )
    play.state = evolve(play.state, alerts=tuple(a for a in play.state.alerts if a is not alert))
    if last >= noted:
        play.round = evolve(play.round, irregularities=(*entries[:last], *entries[last + 1 :]))


def _kept_with_another(play: Transition, alert: Alert) -> bool:
    """Return whether another alert about the order is open. If so, `alert` has to stay, and if it is older
    than all of them, it is dated from the oldest one."""
    others = [a.since for a in play.state.alerts if a.code is Code.SETTLED_OUT_OF_ORDER]
    if others and alert.since < min(others):
        dated = (replace(a, since=min(others)) if a is alert else a for a in play.state.alerts)
        play.state = evolve(play.state, alerts=tuple(dated))
    return bool(others)


def _left(play: Transition, first: Alert) -> list[Alert]:
    """Return the alerts raised since `first` about a step that the dealer left undone, except steps in which
    chips have moved already."""
    if play.state.procedures < SINCE_PROCEDURES or play.state.round is None:
        return []
    return [
        alert
        for alert in play.state.alerts
        if alert.code.kind.left_undone and alert.since >= first.since
        and alert.circle and not play.round.ledger.row(alert.circle).tray
    ]  # fmt: skip
