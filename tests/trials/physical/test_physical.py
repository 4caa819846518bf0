"""The records agree with an independent count that follows every movement of a chip (config/rules/RULES.md
"Who has the chips").
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.game.model.names import Method
from drivers.chips.kinds import READER_KINDS
from tests.game.test_properties import WAYS
from tests.trials.physical.play import play, played, unlike
from tests.trials.physical.readers import VirtualReaders

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("key", "method"), WAYS)
@settings(max_examples=2, deadline=None, derandomize=True)
@given(seed=st.integers(0, 2**32))
def test_records_agree_with_the_movements_of_real_chips(key: str, method: Method, seed: int) -> None:
    """The gains of purses, circles and tray equal the record with its corrections. A void round returns the
    wagers, and an amount that a person reports is not verified. From every state honest people reach the next
    betting."""
    assert play(key, method, seed, 8).wrong == []


@pytest.mark.serial
@pytest.mark.parametrize("kind", READER_KINDS)
def test_chips_read_by_any_kind_of_reader_give_the_same_records(kind: str) -> None:
    """The same hands also move the chips on a table without readers; `play` compares the records of both."""
    run = play("pennsylvania", Method.AUTOMATED_SHOE, 7, 8, kind)
    assert (run.wrong, len(run.records)) == ([], 6)


@pytest.mark.parametrize("cut_s", [0.05, 0.4])
def test_multiplexers_that_lose_their_supply_all_the_time_change_no_record(cut_s: float) -> None:
    """FEIG readers run in virtual time, and the multiplexers of all seats lose their supply at the same
    moments."""
    hands = ("pennsylvania", Method.AUTOMATED_SHOE, 7, 2)
    readers = VirtualReaders(cut_s)
    run = played(*hands, readers)
    assert run.wrong == []
    assert list(unlike(run, played(*hands, None))) == []
    assert readers.cuts >= 42
