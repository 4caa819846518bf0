"""Tables in each phase, for each rule pack and way of dealing, which have just been brought there by
following the prompts."""

from __future__ import annotations

import random
from functools import cache

from controller.game.model.cards import DECK
from controller.game.model.names import Method, Phase
from tests.game.every_phase import not_open, opening, shuffling
from tests.game.felt import Felt
from tests.game.test_properties import Players

SEATS_PLAYING = (1, 2)


class _Betting(random.Random):
    """Source of random numbers for players that never fold."""

    def random(self) -> float:
        return 0.9


def reached(phase: Phase, rules: str, method: Method) -> Felt:
    """Return a table that has just entered `phase`: HELD after a player has left during the deal, VOID after
    a voided decision. Each table is played once, and each call returns a copy."""
    return _reached(phase, rules, method).fork()


@cache
def _reached(phase: Phase, rules: str, method: Method) -> Felt:
    early = {Phase.CLOSED: not_open, Phase.OPENING: opening, Phase.SHUFFLE: shuffling}
    if phase in early:
        felt = early[phase](rules, method)
    elif phase in (Phase.HELD, Phase.VOID):
        felt = reached(Phase.DEALING if phase is Phase.HELD else Phase.ACROSS, rules, method)
        felt.report("player_left", seat=2) if phase is Phase.HELD else felt.floor("outcome", outcome="void")
    else:
        felt = _played(phase, rules, method)
    assert felt.phase is phase
    return felt


def _played(phase: Phase, rules: str, method: Method) -> Felt:
    felt = Felt(rules, method)
    felt.antes(*SEATS_PLAYING)
    if phase is Phase.BETTING:
        return felt
    felt.close()
    if phase is Phase.DEALING:
        return felt
    felt.deal_all(list(DECK[::-1]))
    while felt.phase is Phase.DEALING:
        felt.press("confirm")
    players = Players(felt, _Betting(1))
    while felt.phase is not phase:
        players.step()
    return felt
