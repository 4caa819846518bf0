"""Tables that have reached the settlement, and queries of their alerts and records."""

from __future__ import annotations

from typing import Any, Literal

from controller.game.model.names import Phase
from tests.game.felt import Felt

JACKS_DOWN = "JC 7D 2H 8S 4C"
"""Cross with which JH 3D wins Down by a pair of jacks (1 to 1), loses Across, and wins Middle, which the
higher hand decides."""
Dead = Literal["silent", "unstable", "not_fitted"]


def dealt(cross: str, hands: dict[int, str], bonus: int = 0, **settings: Any) -> Felt:
    """Return a table with $10 on each wager of every seat. The cards of the first seat are turned, and its
    first step is due."""
    felt = Felt(**settings)
    for seat in hands:
        felt.antes(seat, five_card_bonus=bonus)
    felt.close()
    felt.deal(cross, hands)
    for _ in range(3):
        felt.decide(**dict.fromkeys((f"s{seat}" for seat in hands), 10))
    felt.settle_one()
    return felt


def jacks(**settings: Any) -> Felt:
    return dealt(JACKS_DOWN, {3: "JH 3D"}, **settings)


def tens(bonus: int = 5) -> Felt:
    """Return a settlement in which the bonus loses and all other wagers push."""
    return dealt("2C 7D TH JS 4C", {3: "TD 9S"}, bonus)


def alerts(felt: Felt) -> list[tuple[str, int | None, str | None]]:
    return [(a.code, a.seat, a.wager.value if a.wager else None) for a in felt.table.state.alerts]


def entry(felt: Felt, code: str) -> dict[str, Any]:
    """Return the last irregularity with this code in the newest record."""
    return dict([e for e in felt.records[-1]["irregularities"] if e["code"] == code][-1])


def finish(felt: Felt) -> None:
    while felt.phase is Phase.SETTLEMENT:
        felt.settle_one()


def paying() -> Felt:
    """Return a table that prompts the dealer to pay $10 on an Ante Down of $10."""
    felt = jacks()
    felt.settle_one()
    felt.settle_one()
    assert (felt.prompt["kind"], felt.prompt["wager"], felt.prompt["amount"]) == ("pay", "ante_down", 1000)
    return felt
