"""Start of the daemon, also after a power cut: no circle has been read yet, and no device is connected."""

from __future__ import annotations

from controller.game.model.events import SettingsChanged, Started
from controller.game.model.evolve import evolve
from controller.game.model.irregularities import Code, Outcome
from controller.game.model.names import SEATS, Phase, Wager
from controller.game.model.state import Holding
from controller.game.model.transition import Transition
from controller.game.phases import shoe_trust

BETWEEN_ROUNDS = (Phase.CLOSED, Phase.OPENING, Phase.SHUFFLE, Phase.BETTING)
START_GRACE_MS = 3_000
"""Time in ms within which a shoe must answer after a start; then the deal is held."""


def started(play: Transition, event: Started) -> None:
    fitted = set(event.fitted)
    holdings = {
        seat: {wager: _unread(play.state.holding(seat, wager), (seat, wager) in fitted) for wager in Wager}
        for seat in SEATS
    }
    since = play.context.ms + START_GRACE_MS
    play.state = evolve(play.state, holdings=holdings, suspects={})
    serial = play.context.settings.shoe_serial or play.state.shoe.serial
    play.shoe = evolve(play.shoe, up=False, lost_at=since, serial=serial, stranger=None)
    shoe_trust.started(play)
    play.state = evolve(play.state, digests=event.digests or play.state.digests, procedures=event.procedures)
    play.state = evolve(play.state, rows_gone=max(play.state.rows_gone, event.rows_gone))
    if event.folds_wait and play.state.round is not None and play.decisions.folding:
        # the dealer could not take the fold back while the screen was off, so time does not confirm it
        play.decisions = evolve(play.decisions, since=None)


def changed(play: Transition, event: SettingsChanged) -> None:
    """Record new settings. The change comes between rounds; a floorperson signs it then with a reason."""
    play.state = evolve(play.state, digests=event.digests)
    if event.signed and play.state.play_phase in BETWEEN_ROUNDS:
        play.hold(Code.SETTINGS_CHANGED, proposed=Outcome.GO_ON, outcomes=(Outcome.GO_ON,))


def _unread(known: Holding, fitted: bool) -> Holding:
    if fitted:
        return Holding()
    return Holding(reading="not_fitted", entered=known.entered)
