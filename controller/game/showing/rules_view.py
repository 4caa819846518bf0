"""Public view of a table's rules: minimum and maximum of the wagers, payouts, reports and chips, which no
event of play changes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from controller.game.rulebook.hands import HAND_LINES
from controller.game.showing import report_forms

if TYPE_CHECKING:  # the page process needs only the form of the view
    from controller.game.model.rules import PayTable, RulePack
    from controller.game.model.state import TableSettings


class Limits(TypedDict):
    """Limits of wagers."""

    minimum_ante: int
    maximum_ante: int
    bonus_minimum: int
    bonus_maximum: int
    multiples: list[int]
    whole: bool


class Pay(TypedDict):
    """Line of a pay table. `hand`: lowest hand of the line; `odds`: payout of a win, to 1, null for a
    push."""

    hand: str
    odds: int | None


class Pays(TypedDict):
    """Pay tables, highest hand first. `side`: by offered side bet."""

    ante: list[Pay]
    bet: list[Pay]
    side: dict[str, list[Pay]]


class Rules(TypedDict):
    """Parts of the view that depend only on the rules and the table file."""

    limits: Limits
    pays: Pays
    forfeits: list[str]
    stopping: list[str]
    """Reports that stop play."""
    denominations: list[int]
    """Denominations of the house's chips, smallest first."""
    corrections: list[int]


def rules_view(pack: RulePack, settings: TableSettings) -> Rules:
    chips = sorted(settings.chip_values)
    return {
        "limits": _limits(pack), "pays": _pays(pack), "forfeits": list(pack.forfeits),
        "stopping": report_forms.stopping(pack), "denominations": chips, "corrections": chips[:3],
    }  # fmt: skip


def _limits(pack: RulePack) -> Limits:
    return {
        "minimum_ante": pack.minimum_ante, "maximum_ante": pack.maximum_ante,
        "bonus_minimum": pack.bonus_minimum, "bonus_maximum": pack.bonus_maximum,
        "multiples": list(pack.bet_multiples), "whole": pack.whole_multiples,
    }  # fmt: skip


def _pays(pack: RulePack) -> Pays:
    return {
        "ante": _lines(pack.ante_pays), "bet": _lines(pack.bet_pays),
        "side": {wager: _lines(pack.side_bets[wager]) for wager in pack.bonuses},
    }  # fmt: skip


def _lines(table: PayTable) -> list[Pay]:
    """Return the lines of a pay table, the highest hand first, in whatever order the pack was stored."""
    lines = ((hand, table[hand]) for hand in HAND_LINES if hand in table)
    return [{"hand": hand, "odds": None if odds == "push" else odds} for hand, odds in lines]
