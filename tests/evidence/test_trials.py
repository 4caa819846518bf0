"""The trials of power that play no seat have the right bounds, and the list of all trials is complete."""

from __future__ import annotations

import re
from importlib.util import find_spec
from math import log
from pathlib import Path

import numpy as np
import pytest

from controller.evidence.hypotheses import PackValues
from controller.evidence.tables import first_tables
from controller.rules.odds.subject import shipped
from tests.trials.evidence.complete import commands, parsed
from tests.trials.evidence.dealer import FAVOURS, HONEST, LEVELS, bound, favoured, peaks
from tests.trials.evidence.following import COPIES, factors
from tests.trials.evidence.shoe import CARDS, MISSING, informations

ODDS = shipped("pennsylvania").odds
ONE_WAY = "too much first, too little after an alert of the round"
"""Name of the dealer whose first errors all have one direction, so that no pair has unequal directions."""


def test_the_bound_of_a_certain_dealer_is_one_bit_for_each_pair() -> None:
    """If one in six errors is at the seat, 5/18 of all pairs have one error there. The test therefore needs
    7.2 errors for each informative pair."""
    assert bound(1.0, 0.0) == pytest.approx(6 * log(10) / log(2) * 7.2)
    assert bound(1.0, 0.5) == pytest.approx(2 * bound(1.0, 0.0))


@pytest.mark.parametrize("chances", FAVOURS)
def test_a_favouring_dealer_is_found_in_about_the_errors_of_the_bound(chances: tuple[float, float]) -> None:
    dice = np.random.default_rng(3)
    found = np.array([favoured(ODDS, 0.01, chances, dice) for _ in range(9)])
    errors = np.median(found[:, LEVELS.index(6), 0])
    assert 0.8 < errors / bound(*chances) < 2


@pytest.mark.parametrize("name", HONEST)
def test_an_honest_dealer_has_no_evidence(name: str) -> None:
    found = peaks(ODDS, 0.2, name, 40, np.random.default_rng(3))
    assert (found > 0).any() == (name != ONE_WAY)
    assert (found >= 2).sum() <= 2


def test_a_player_who_copies_a_cheat_has_the_evidence_of_one() -> None:
    """The bound assumes that no player copies a player who knows the card."""
    values = PackValues(ODDS, first_tables(ODDS))
    found = factors(values, np.random.default_rng(1), 200)[COPIES]
    assert found.mean() > 1.1


def test_the_information_of_an_order_with_a_missing_card_is_that_of_each_of_its_cards() -> None:
    each = [log((52 - dealt) / (51 - dealt)) for dealt in range(CARDS)]
    assert informations()[MISSING] == pytest.approx(sum(each))


def test_the_information_of_a_first_card_that_stays_is_that_of_its_position() -> None:
    """Each card keeps the first position with a chance of 1/2; otherwise the shuffle is fair."""
    chances = np.array([1 / 2 + 1 / 104, *(51 * [1 / 104])])
    found = informations()["the first card stays in half of the orders"]
    assert found == pytest.approx(float(chances @ np.log(52 * chances)))


def test_all_trials_run_with_their_sizes_and_seeds() -> None:
    options = ["--seed", "5", "--rounds", "700", "--table-rounds", "250", "--plot", "power.svg"]
    every = {command[1]: command[2:] for command in commands(parsed(options))}
    assert {"hypotheses", "dealer", "shoe", "volume", "table"} == {name.rpartition(".")[2] for name in every}
    for name, given in every.items():
        spec = find_spec(f"{name}.run" if name.endswith("volume") else name)
        assert spec is not None and spec.origin is not None
        known = re.findall(r'add_argument\(\s*"(--[a-z]+)"', Path(spec.origin).read_text(encoding="utf-8"))
        assert {each for each in given if each.startswith("--")} <= {*known}, name
        assert ("--seed" in given) == (name != "tests.trials.evidence.table"), "a table's number is its seed"
    assert every["tests.trials.evidence.table"][:4] == ["--tables", "3", "--rounds", "100"]
    assert every["tests.trials.evidence.volume"][:4] == ["--rounds", "700", "--seed", "5"]
