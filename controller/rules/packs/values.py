"""Checks of a whole pay table and of the steps of a whole deal, for any pack."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from controller.common.files.forms import validation_error
from controller.game.model.names import BONUS_PLACES, CROSS
from controller.game.model.rules import Odds
from controller.game.rulebook.hands import HAND_LINES

DEAL_STEPS = (
    "stack cross", "stack seats", "cards cross", "cards seats",
    *(f"card {place}" for place in (*CROSS, *BONUS_PLACES)),
)  # fmt: skip


def non_increasing_pays(least: str) -> Callable[[dict[str, Odds]], dict[str, Odds]]:
    """Return a check that a table has odds for every hand from a royal flush down to at least `least`, and
    that no hand pays more than a higher one."""

    def check(given: dict[str, Odds]) -> dict[str, Odds]:
        table = {line: given[line] for line in HAND_LINES if line in given}
        last = max(HAND_LINES.index(line) for line in (*table, least))
        missing = [line for line in HAND_LINES[: last + 1] if line not in table]
        if missing:
            words = f"a hand without odds: {', '.join(missing)}; allowed: odds for each, or push"
            raise ValueError(words)
        worth = [(line, 0 if odds == "push" else odds) for line, odds in table.items()]
        for (_, above), (line, below) in pairwise(worth):
            if below > above:
                words = f"allowed: no more than the next higher hand pays, {above} to 1"
                raise validation_error([((line,), words)])
        return table

    return check


def verify_deal_steps(steps: list[str]) -> list[str]:
    """Check that a deal has two cards to each seat, one to each box of the cross, and one to each bonus
    place or none."""
    to_seats = steps.count("cards seats") + 2 * steps.count("stack seats")
    cross = steps.count("cards cross") + steps.count("stack cross")
    boxes = [steps.count(f"card {place}") + cross for place in CROSS]
    bonus = [steps.count(f"card {place}") for place in BONUS_PLACES]
    if to_seats != 2 or set(boxes) != {1} or set(bonus) not in ({0}, {1}):
        raise ValueError(
            "allowed: two cards to each seat, one to each of the five boxes, one to each bonus place or none"
        )
    return steps
