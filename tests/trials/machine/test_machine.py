"""Whatever happens at one table and in whatever order, nothing is lost, shown wrongly, or shown too early."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.trials.machine.rules import TableMachine

pytestmark = pytest.mark.slow
SUITE = settings(
    max_examples=6, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
)


def test_no_order_of_acts_faults_and_power_cuts_breaks_an_invariant() -> None:
    run_state_machine_as_test(TableMachine, settings=SUITE)
