"""Forms of the dealer's reports: the details of each, and when it is offered.

`reports.py` decides the meaning of a report, and whether it is possible.
"""

from __future__ import annotations

from collections.abc import Mapping

from controller.game.model.irregularities import REPORTS, Asked, Code, Outcome
from controller.game.model.rules import RulePack
from controller.game.model.state import TableState

ASKS: Mapping[str, tuple[str, ...]] = {
    **{what: report.asks for what, report in REPORTS.items()},
    "swapped": ("first", "second"),
}
"""Details of each report, in the order of the menu. Two cards that changed places are an event of their
own."""

OF_SEAT = tuple(what for what, asks in ASKS.items() if {"seat", "hand"} & set(asks))
"""Reports about one seat."""

TABLE = ("not_a_wager", "shuffler_fault", "no_activity")
PLAYERS = tuple(code.value for code in REPORTS if isinstance(code, Code) and code.kind.of_player)
GROUPS: Mapping[str, tuple[str, ...]] = {
    "cards": tuple(what for what in ASKS if what not in (*PLAYERS, *TABLE)),
    "players": PLAYERS,
    "table": TABLE,
}
"""Menu of reports by heading: each report once, in the order of `ASKS`."""

NOTED = (Outcome.NOTICE, Outcome.SET_ASIDE, Outcome.NEXT_CARD, Outcome.GO_ON, Outcome.BACK_UP)
"""Outcomes after which play goes on."""


def stopping(pack: RulePack) -> list[str]:
    """Return the reports that stop play; the dealer is warned before sending one."""
    held = (code for code in Code if code in REPORTS and code.kind.grade == "hold")
    noted = (code for code in Code if code in pack.rulings and pack.rulings[code].outcome in NOTED)
    always = {code for code in Code if code.kind.of_player} | {Code.CARD_DIFFERS, Code.DUPLICATE_CARD}
    return [*sorted({*held} - ({*noted} - always)), "swapped"]


def offered(state: TableState, bonus_cards: bool) -> list[str]:
    """Return the reports that are possible now."""
    too_many = any(alert.code.kind.money and state.has_excess(alert) for alert in state.alerts)
    senseless = {
        what
        for what, report in REPORTS.items()
        if report.only_in not in (None, state.phase.value)
        or (report.bonus_cards and not bonus_cards)
        or (Asked.CIRCLE in report.asks and not too_many)
    }
    return [what for what in ASKS if what not in senseless]
