"""The practice with the real loop on wires: an honest trainee has no errors, a clumsy one is told each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from controller.game.model.irregularities import UNFIT
from controller.game.model.names import Circle, Wager
from controller.mock.bench.acts import Act, SetChips
from controller.mock.bench.layout import Felt
from controller.mock.people.dealer import Dealer, at
from controller.mock.people.erring_dealer import ErringDealer
from controller.mock.people.players import View
from controller.mock.practice.plot import sessions, svg
from controller.mock.practice.themes import of_theme, themes
from controller.mock.practice.words import KINDS
from tests.mock.practising import Folds, Ready, practise

pytestmark = pytest.mark.serial

SCRIPTED = {
    "A late ante at an empty box": {"late_bet"},
    "An ante taken back after the close": {"bet_changed"},
    "The shoe jams at a seat's stack": {"shoe_fault"},
    "A circle that cannot be read": {"reader_lost"},
    "Antes that are not equal": {"unequal_antes"},
    "A bonus at a seat without antes": {"bonus_without_antes"},
}
"""What the file of a drill does and stays until somebody puts it right, and what the table calls it."""
PACE = 24.0
"""A person's, twenty-four times: what players do has to be seen before the next key."""
MENDED = {"ante_down": 1000, "five_card_bonus": 0, "across": 1000}
"""What fits in the circles of those drills."""


class Honest(Dealer):
    """Who also puts right what players have laid and that does not fit: no amount says what should lie."""

    def mend(self, view: View, felt: Felt) -> Iterator[Act]:
        yield from super().mend(view, felt)
        for alert in view["alerts"]:
            if alert["code"] in UNFIT and alert["should"] is None and alert["wager"] in MENDED:
                yield SetChips(Circle(alert["seat"], Wager(alert["wager"])), MENDED[alert["wager"]])

    def ask(self, view: View, felt: Felt, prompt: View) -> Iterator[Act]:
        if prompt["code"] == "bet_out_of_range":
            yield SetChips(at(prompt), MENDED["across"])
        else:
            yield from super().ask(view, felt, prompt)


@pytest.mark.parametrize("theme", themes())
def test_an_honest_trainee_deals_every_drill_without_an_error(theme: str, tmp_path: Path) -> None:
    course = of_theme(theme, "pennsylvania", None, seed=1)
    pace = PACE if theme == "irregularities" else None
    book = practise(course, lambda folds, ready: Honest("honest", folds, ready), tmp_path, pace=pace)
    assert [entry.drill for entry in book.entries] == [drill.name for drill in course.drills]
    assert [(entry.drill, item) for entry in book.entries for item in entry.errors] == []
    for entry in book.entries:
        named = {item.code for item in entry.noticed}
        assert entry.drill not in SCRIPTED or SCRIPTED[entry.drill] & named, entry
        assert entry.outcome == ("void" if "jams" in entry.drill else "settled")
        assert entry.touches > 0
        assert entry.total_ms > 0
        assert set(entry.phases_ms) >= {"betting"}


def test_a_clumsy_trainee_is_told_each_error_with_seat_wager_section_and_amount(tmp_path: Path) -> None:
    course = of_theme("pushes", "pennsylvania", None, seed=1)
    clumsy: list[ErringDealer] = []

    def trainee(folds: Folds, ready: Ready) -> ErringDealer:
        clumsy.append(ErringDealer("clumsy", folds, ready, 0.5))
        return clumsy[0]

    book = practise(course, trainee, tmp_path, rounds=3)
    assert len(book.entries) == 3
    made = [error for error in clumsy[0].account.made() if error.circle is not None]
    told = [item for entry in book.entries for item in entry.errors]
    assert len(made) > 2
    where = Counter((item.seat, item.wager) for item in told)
    assert all(where[error.circle.seat, error.circle.wager] for error in made if error.circle), (made, told)
    assert {item.kind for item in told} <= set(KINDS)
    paid = [item for item in told if item.kind == "push_paid"]
    assert paid
    assert all((item.cents or 0) > 0 for item in paid)
    assert all(item.citation.startswith("58 Pa. Code") for item in paid)
    plot = ET.fromstring(svg(sessions(book.entries)))  # noqa: S314  # our own
    assert len([node for node in plot.iter() if node.tag.endswith("rect")]) == 1
