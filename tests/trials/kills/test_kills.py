"""A power cut changes no round: the records equal those of a table without one."""

from __future__ import annotations

import random

import pytest

from tests.trials.kills.rounds import KINDS, Kind
from tests.trials.kills.wires import passed
from tests.trials.kills.writes import differences

WRITES = 60
"""Number of writes in each kind of round, at least."""


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_cut_at_a_write_changes_no_record(kind: Kind) -> None:
    """Checks some writes, each in every way; `python -m tests.trials.kills` checks all."""
    some = random.Random(kind.name).sample(range(WRITES), 3)
    assert not list(differences(kind, some))


@pytest.mark.serial
def test_a_daemon_that_is_killed_changes_no_record() -> None:
    """The daemon runs on wires and is killed at random instants."""
    done = passed(KINDS[0], rounds=4, times=1, seed=2)
    assert not done.wrong
    assert done.kills >= 1
