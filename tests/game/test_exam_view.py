"""In an exam, an alert, a hold or a signature changes only those fields of the view that show chips or
cards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import zip_longest
from typing import Any, cast

import pytest

from controller.game.model.names import Phase
from controller.game.showing.exam import EXAM, exam_view
from controller.game.showing.view import View
from tests.game.every_phase import AT, across, dealing
from tests.game.felt import Felt
from tests.game.settlements import paying, tens

ON_THE_FELT = {"amount", "chips", "cards", "cross"}
"""Fields that show chips and cards."""


def shown(felt: Felt) -> dict[str, Any]:
    return {**felt.table.view(exam=True), "version": 0}


def differing(one: Any, other: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the path of each value in which the two views differ."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in one.keys() | other.keys():
            yield from differing(one.get(key), other.get(key), (*path, key))
    elif isinstance(one, list) and isinstance(other, list):
        for at, (each, beside) in enumerate(zip_longest(one, other)):
            yield from differing(each, beside, (*path, str(at)))
    elif one != other:
        yield path


def visible_differences(before: Felt, after: Felt) -> set[tuple[str, ...]]:
    return {path for path in differing(shown(before), shown(after)) if not ON_THE_FELT & set(path)}


def overpaid() -> Felt:
    """Return a table in settlement with $5 too much on an Ante Down that pushes."""
    felt = tens()
    felt.lay(3, ante_down=15)
    felt.stand(3000)
    assert "not_a_wager" in felt.table.view()["reports"]
    return felt


def signed() -> Felt:
    felt = overpaid()
    felt.floor("sign", seat=3, wager="ante_down")
    assert felt.table.view()["seats"][2]["circles"]["ante_down"]["signed"]
    return felt


def late_bet() -> Felt:
    felt = across()
    felt.lay(1, ante_across=10, ante_down=10, middle=5)
    felt.stand(3000)
    return felt


def reported(begin: Callable[[], Felt], what: str, **more: Any) -> Felt:
    felt = begin()
    felt.report(what, **more)
    assert felt.phase is Phase.HELD
    assert felt.table.view()["wanted"]
    return felt


def duplicate() -> Felt:
    felt = dealing()
    felt.card("2C")
    assert felt.phase is Phase.HELD
    return felt


def another() -> Felt:
    felt = dealing()
    felt.card("3C")
    return felt


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (tens, overpaid),
        (overpaid, signed),
        (across, late_bet),
        (another, duplicate),
        (across, lambda: reported(across, "cards_touched", seat=1)),
        (paying, lambda: reported(paying, "cards_touched", seat=3)),
    ],
)  # fmt: skip
def test_an_irregularity_changes_only_chips_and_cards(
    before: Callable[[], Felt], after: Callable[[], Felt]
) -> None:
    without, with_it = before(), after()
    state = with_it.table.state
    assert state.alerts or state.hold or any(state.round.ledger.signed if state.round else ())
    whole = set(differing(without.table.view(), with_it.table.view()))
    assert {path for path in whole if not ON_THE_FELT & set(path)} - {("version",)}
    assert visible_differences(without, with_it) == set()


def test_a_settled_table_does_not_say_so() -> None:
    """A visible payout, result or next phase would confirm to the candidate that the settlement was right."""
    felt = tens()
    before = felt.fork()
    while felt.phase is Phase.SETTLEMENT:
        felt.settle_one()
    assert felt.phase is Phase.CLEARING
    assert visible_differences(before, felt) == set()


@pytest.mark.parametrize("phase", list(Phase))
def test_a_field_that_no_one_has_named_is_hidden(phase: Phase) -> None:
    """A later version of the view may have new fields, which an exam hides until they are listed as shown."""
    view = AT[phase]().table.view()
    new = {"added": "an answer"}
    later = {
        **view, **new, "shoe": {**view["shoe"], **new}, "deck": {**view["deck"], **new},
        "prompt": view["prompt"] and {**view["prompt"], **new}, "floor": {**view["floor"], **new},
        "seats": [
            {**seat, **new, "circles": {name: {**each, **new} for name, each in seat["circles"].items()}}
            for seat in view["seats"]
        ],
    }  # fmt: skip
    assert exam_view(cast("View", later)) == exam_view(view)
    assert set(exam_view(view)) == set(view)
    assert set(exam_view(view)["about"].values()) == {EXAM}
