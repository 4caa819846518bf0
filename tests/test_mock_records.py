"""The records of the mock table agree with their recomputation and are equal for equal seeds, for every way
of dealing in every text.

The rounds are a sample of the long run of `make soak`. With wires the command is a separate process.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from io import StringIO
from itertools import islice

import pytest

from controller.cli import main
from tests.mocked import Mocked, Record
from tests.recompute import differences
from tests.trials.soak import ways

pytestmark = pytest.mark.slow

WAYS = [pytest.param(pack, method) for pack, methods in ways().items() for method in methods]
ONE_OF_EACH = [next(way for way in WAYS if way.values[0] == pack) for pack in ways()]
ROUNDS, QUIET, AGAIN, OVER_WIRES = 5, 15, 2, 3
TROUBLE = ("--mischief", "0.3", "--clumsy", "0.1")
TIMES = ("started", "ended", "at", "when")


def mock_options(pack: str, method: str, rounds: int, seed: int = 11) -> tuple[str, ...]:
    return "--rules", pack, "--method", method, "--rounds", str(rounds), "--seed", str(seed)


def records(pack: str, method: str, rounds: int, *more: str, seed: int = 11) -> list[Record]:
    """Run the command without wires and return its records. It runs in this process, which saves the start of
    a program."""
    with redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()) as errors:
        status = main(
            ["mock", *mock_options(pack, method, rounds, seed), "--no-wires", *more, *Mocked.SILENT]
        )
    assert status == 0, errors.getvalue()
    return [json.loads(line) for line in out.getvalue().splitlines()]


@cache
def troubled(pack: str, method: str) -> list[Record]:
    """Return the records of a run in which players and dealer make errors."""
    return records(pack, method, ROUNDS, *TROUBLE)


@cache
def quiet() -> list[Record]:
    """Return the records of a run without errors."""
    return records("pennsylvania", "automated_shoe", QUIET)


def timeless(value: object) -> object:
    """Return a record without its times."""
    if isinstance(value, dict):
        return {key: timeless(entry) for key, entry in value.items() if key not in TIMES}
    return [timeless(entry) for entry in value] if isinstance(value, list) else value


def wagers(played: list[Record]) -> Iterator[tuple[str, Record]]:
    for record in played:
        for seat in record["seats"]:
            yield from seat["wagers"].items()


@pytest.mark.parametrize(("pack", "method"), WAYS)
def test_every_record_agrees_with_its_recomputation(pack: str, method: str) -> None:
    played = troubled(pack, method)
    assert [record["round"] for record in played] == list(range(1, ROUNDS + 1))
    assert {(record["rules"], record["method"]) for record in played} == {(pack, method)}
    assert [words for record in played for words in differences(record)] == []
    assert any(record["irregularities"] for record in played)


@pytest.mark.parametrize(("pack", "method"), ONE_OF_EACH)
def test_the_same_seed_gives_the_same_records_but_for_times(pack: str, method: str) -> None:
    again = records(pack, method, AGAIN, *TROUBLE)
    assert timeless(again) == timeless(list(islice(troubled(pack, method), AGAIN)))


def test_another_seed_gives_other_records() -> None:
    other = records("pennsylvania", "automated_shoe", 1, seed=12)
    assert timeless(other) != timeless(quiet()[:1])


def test_folds_bonuses_pushes_and_rounds_in_which_all_fold_occur() -> None:
    played = quiet()
    assert {record["outcome"] for record in played} == {"settled"}
    assert not any(record["irregularities"] for record in played)
    assert {"win", "push", "lose", "forfeit"} <= {wager["result"] for _, wager in wagers(played)}
    assert "five_card_bonus" in {name for name, _ in wagers(played)}
    folded = [[seat["folded_at"] is not None for seat in record["seats"]] for record in played]
    assert any(all(seats) for seats in folded)
    assert any(any(seats) and not all(seats) for seats in folded)


def test_wires_change_nothing_in_a_record() -> None:
    with Mocked(*mock_options("pennsylvania", "automated_shoe", OVER_WIRES)) as mock:
        played = list(mock.records())
    assert [words for record in played for words in differences(record)] == []
    assert timeless(played) == timeless(quiet()[:OVER_WIRES])
