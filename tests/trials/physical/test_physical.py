"""Independent count of who holds the chips: every movement of a chip is recomputed (config/rules/RULES.md
"Who has the chips").
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.game.model.names import Method
from tests.game.test_properties import WAYS
from tests.trials.physical.play import play

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("key", "method"), WAYS)
@settings(max_examples=4, deadline=None, derandomize=True)
@given(seed=st.integers(0, 2**32))
def test_records_agree_with_the_movements_of_real_chips(key: str, method: Method, seed: int) -> None:
    """Gains of purses, circles and tray equal the record with its corrections. A void returns the wagers,
    nothing reported by a person counts as verified, and honest people reach the next betting from every
    state."""
    assert play(key, method, seed, 8).wrong == []
