"""The trial over millions of rounds computes the same factors and sums as the program."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from controller.evidence.hypotheses import Hypothesis, PackValues
from controller.evidence.tables import first_tables
from controller.rules.odds.subject import shipped
from tests.trials.evidence.values import Hands, Ints
from tests.trials.evidence.volume import late
from tests.trials.evidence.volume.batch import Trial
from tests.trials.evidence.volume.chances import chances_of
from tests.trials.evidence.volume.deals import deal
from tests.trials.evidence.volume.report import lines
from tests.trials.evidence.volume.run import SITTINGS, Run
from tests.trials.evidence.volume.store import Store
from tests.trials.evidence.volume.tally import NAMES, Tally, tally

pytestmark = pytest.mark.slow

ODDS = shipped("pennsylvania").odds
VALUES = PackValues(ODDS, first_tables(ODDS))
SEED, ROUNDS = 5, 6
SUMS = ("round_sums", "end_sums", "peaks")
CHOICES = ((0, 1, 1, 3, 3, 3), (1, 0, 3, 1, 3, 3), (1, 1, 0, 3, 1, 3))
"""Bets of six rounds at each decision: folds at each of them, and bets of both sizes."""


def bets(_hands: Hands, _dice: np.random.Generator) -> Ints:
    return np.array(CHOICES)


def kinds_dealt() -> Sequence[int]:
    deals = deal(np.random.default_rng([SEED]), ROUNDS, range(169))
    return [kind for kind, _ in deals.groups]


def test_the_factors_are_those_of_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(late, "LATE_SHARE", 0.5)
    kinds = kinds_dealt()
    trial = Trial(VALUES, kinds, chances_of(VALUES, kinds), {"bets": bets}, SEED, ROUNDS)
    found = trial.differences(1)
    assert set(found) == set(NAMES)
    assert max(found.values()) < 1e-4


def test_the_sums_of_two_batches_are_those_of_both_together() -> None:
    dice = np.random.default_rng(1)
    logs = {name: dice.normal(size=(3, 40)) for name in Hypothesis}
    one, two = ({name: each[:, half] for name, each in logs.items()} for half in (slice(20), slice(20, 40)))
    both, whole = tally(one, 10) + tally(two, 10), tally(logs, 10)
    assert (both.rounds, both.sittings) == (40, 4)
    np.testing.assert_allclose(both.round_sums, whole.round_sums)
    np.testing.assert_allclose(both.end_sums, whole.end_sums)
    np.testing.assert_array_equal(both.peaks, whole.peaks)


def test_a_run_continues_with_the_sums_of_its_file_and_refuses_those_of_another(tmp_path: Path) -> None:
    dice = np.random.default_rng(1)
    found = tally({name: dice.normal(size=(3, 20)) for name in Hypothesis}, 10)
    file = tmp_path / "sums.npz"
    store = Store(file, 1, 10, "pennsylvania", ["optimal"])
    assert store.read() == []
    store.write([found])
    (again,) = store.read()
    assert (again.rounds, again.sittings) == (20, 2)
    assert all(np.array_equal(getattr(again, name), getattr(found, name)) for name in SUMS)
    with pytest.raises(ValueError, match=r"sums of seed 1, .* name another file"):
        Store(file, 2, 10, "pennsylvania", ["optimal"]).read()


class Counted(Trial):
    """Trial that plays nothing: each sitting has one round, whose logarithm is a tenth of the batch's
    number."""

    def tallies(self, number: int, sittings: int) -> list[Tally]:
        return [tally({name: np.full((3, sittings), number / 10) for name in Hypothesis}, 1)]


def test_a_run_in_two_parts_has_the_sums_of_a_run_in_one(tmp_path: Path) -> None:
    trial = Counted(VALUES, (), chances_of(VALUES, ()), {"bets": bets}, SEED, 1)
    store = Store(tmp_path / "sums.npz", SEED, 1, "pennsylvania", ["bets"])
    Run(trial, 2 * SITTINGS, store).tallies(1)
    parts, whole = (Run(trial, 3 * SITTINGS, each).tallies(1)["bets"] for each in (store, None))
    assert parts.sittings == whole.sittings == 3 * SITTINGS
    assert all(np.array_equal(getattr(parts, name), getattr(whole, name)) for name in SUMS)
    assert whole.end_mean(0)[0] == pytest.approx(np.exp([0, 0.1, 0.2]).mean())


def test_a_peak_counts_even_if_the_evidence_falls_again() -> None:
    logs = {name: np.zeros((3, 4)) for name in Hypothesis}
    logs[Hypothesis.MIDDLE] = np.log([[1.0, 200.0, 0.001, 1.0]] * 3)
    found = tally(logs, 4)
    middle, combined = NAMES.index(Hypothesis.MIDDLE), NAMES.index("combined")
    assert found.peaks[middle].tolist() == [1, 1, 0, 0, 0]
    # one sitting reaches a mean over all hypotheses above the first bound, by the factor 200 alone
    assert found.peaks[combined].tolist() == [1, 0, 0, 0, 0]
    assert found.end_mean(middle)[0] == pytest.approx(0.2)
    assert found.round_mean(middle)[0] == pytest.approx(202.001 / 4)
    assert "player, sees_middle: round 50.500250" in "\n".join(lines({"player": found}, 4))
