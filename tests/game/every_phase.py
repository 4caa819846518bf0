"""Tables in each phase, which acts of people and devices have just brought there."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from controller.game.model.events import DeckBrought, KeyPressed, Started
from controller.game.model.names import Key, Method, Phase
from controller.game.table import Table
from tests.game.felt import Felt
from tests.game.settlements import paying
from tests.game.test_deal_methods import CROSS, HANDS, closed


def not_open(rules: str = "pennsylvania", method: Method | None = None) -> Felt:
    felt = Felt(rules, method)
    fitted = Started(tuple((circle.seat, circle.wager) for circle in felt.table.watch()))
    felt.table = Table(felt.pack, felt.table.settings)
    felt.event(fitted)
    felt.clear()
    return felt


def opening(rules: str = "pennsylvania", method: Method | None = None) -> Felt:
    felt = not_open(rules, method)
    felt.press("confirm")
    return felt


def shuffling(rules: str = "pennsylvania", method: Method | None = None) -> Felt:
    felt = opening(rules, method)
    felt.does_shuffle = False
    felt.event(DeckBrought("RED"))
    while felt.phase is Phase.OPENING:
        felt.floor("sign") if felt.refused(KeyPressed(Key.CONFIRM)) else felt.press("confirm")
    return felt


def betting() -> Felt:
    felt = Felt()
    felt.antes(3)
    return felt


def dealing() -> Felt:
    felt = closed()
    felt.card("2C")
    return felt


def across() -> Felt:
    felt = closed()
    felt.deal(CROSS, HANDS)
    return felt


def decided(rounds: int) -> Felt:
    """Return a table on which all players have made their bets in the first `rounds` decisions."""
    felt = across()
    for _ in range(rounds):
        felt.decide(s1=10, s2=10)
    return felt


def clearing() -> Felt:
    felt = paying()
    felt.settle()
    return felt


def held() -> Felt:
    felt = dealing()
    felt.card("2C")
    return felt


def void() -> Felt:
    felt = across()
    felt.floor("outcome", outcome="void")
    return felt


AT: Mapping[Phase, Callable[[], Felt]] = {
    Phase.CLOSED: not_open,
    Phase.OPENING: opening,
    Phase.SHUFFLE: shuffling,
    Phase.BETTING: betting,
    Phase.DEALING: dealing,
    Phase.ACROSS: across,
    Phase.DOWN: lambda: decided(1),
    Phase.MIDDLE: lambda: decided(2),
    Phase.SETTLEMENT: paying,
    Phase.CLEARING: clearing,
    Phase.HELD: held,
    Phase.VOID: void,
}
