"""Forms of the dealer's reports: the details that each requires, and when it is offered.

`phases/reports.py` decides the meaning of a report, and whether it is possible.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from controller.game.model.irregularities import REPORTS, Asked, Code, Outcome

if TYPE_CHECKING:  # the page process needs only the tables
    from controller.game.model.rules import RulePack
    from controller.game.model.state import TableState

ASKS: Mapping[str, tuple[str, ...]] = {
    **{what: report.asks for what, report in REPORTS.items()},
    "swapped": ("first", "second"),
}
"""Details of each report, in the order of the menu. Two swapped cards are an event of their own."""

SEAT_REPORTS = tuple(what for what, asks in ASKS.items() if {"seat", "hand"} & set(asks))
"""Reports about one seat."""

TABLE_REPORTS = ("not_a_wager", "shuffler_fault", "no_activity")
PLAYERS = tuple(code.value for code in REPORTS if isinstance(code, Code) and code.kind.of_player)
GROUPS: Mapping[str, tuple[str, ...]] = {
    "cards": tuple(what for what in ASKS if what not in (*PLAYERS, *TABLE_REPORTS)),
    "players": PLAYERS,
    "table": TABLE_REPORTS,
}
"""Reports of the dealer's menu, by heading. Each report occurs once, in the order of `ASKS`."""

_CONDITIONS = (
    *((what, r.only_in, r.bonus_cards, Asked.CIRCLE in r.asks) for what, r in REPORTS.items()),
    ("swapped", None, False, False),
)
"""Conditions of each report, in the order of the menu: its only phase, whether it requires bonus cards,
whether it requires a circle with excess chips.
"""

CONTINUING_OUTCOMES = (Outcome.NOTICE, Outcome.SET_ASIDE, Outcome.NEXT_CARD, Outcome.GO_ON, Outcome.BACK_UP)
"""Outcomes after which play goes on."""


def stopping(pack: RulePack) -> list[str]:
    """Return the reports that stop play; the dealer is warned before sending one."""
    held = (code for code in Code if code in REPORTS and code.kind.grade == "hold")
    noted = (
        code for code in Code if code in pack.rulings and pack.rulings[code].outcome in CONTINUING_OUTCOMES
    )
    always = {code for code in Code if code.kind.of_player} | {Code.CARD_DIFFERS, Code.DUPLICATE_CARD}
    return [*sorted({*held} - ({*noted} - always)), "swapped"]


def possible_reports(state: TableState, bonus_cards: bool) -> list[str]:
    """Return the reports that are possible now."""
    too_many = any(alert.code.kind.money and state.has_excess(alert) for alert in state.alerts)
    return possible(state.phase.value, bonus_cards=bonus_cards, too_many=too_many)


def possible(phase: str, *, bonus_cards: bool, too_many: bool = False) -> list[str]:
    """Return the reports that the dealer may make in a phase. `bonus_cards`: whether bonus cards are dealt.
    `too_many`: whether a circle has excess chips."""
    phases = (None, phase)
    return [
        what
        for what, only_in, with_bonus_cards, of_circle in _CONDITIONS
        if only_in in phases and (bonus_cards or not with_bonus_cards) and (too_many or not of_circle)
    ]
