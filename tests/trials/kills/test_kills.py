"""A power cut changes no round: the records equal those of a table without one."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from drivers.chips.kinds import FEIG
from tests.trials.kills.rounds import KINDS, Kind
from tests.trials.kills.wires import passed
from tests.trials.kills.writes import differences

WRITES = 60
"""Smallest number of writes that each kind of round makes."""


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_cut_at_a_write_changes_no_record(kind: Kind) -> None:
    """Only some of the writes are cut here, each in every way; `python -m tests.trials.kills` cuts every
    write."""
    some = random.Random(kind.name).sample(range(WRITES), 2)
    assert not list(differences(kind, some))


OVER_THE_WIRES = (KINDS[0], replace(KINDS[0], readers=FEIG), next(kind for kind in KINDS if kind.proofs))


@pytest.mark.serial
@pytest.mark.parametrize("kind", OVER_THE_WIRES, ids=lambda kind: f"{kind.name}, {kind.readers}")
def test_a_daemon_that_is_killed_changes_no_record(kind: Kind) -> None:
    """The daemon runs on wires and is killed at random instants. The table that is not killed has the default
    readers and chips without keys; the same acts give the same records."""
    done = passed(kind, rounds=4, times=1, seed=2)
    assert not done.wrong
    assert done.kills >= 1
