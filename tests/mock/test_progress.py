"""While a mock table plays, it prints its progress and its rate in a suitable unit."""

from __future__ import annotations

import sys
import time

import pytest

from controller.mock.progress import RoundCounter
from controller.mock.run import pace_of


@pytest.mark.parametrize(
    ("seconds", "words"), [(100.0, "round 1, 0 void, 0.6 rounds a minute"), (0.5, "2.0 rounds a second")]
)
def test_the_rate_of_a_slow_table_is_given_in_rounds_a_minute(
    seconds: float, words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setattr(time, "monotonic", lambda: seconds)
    RoundCounter(_began=0.0).record({"outcome": "ended"})
    assert words in capsys.readouterr().err


def test_without_a_display_the_usual_duration_of_a_round_is_printed() -> None:
    assert pace_of(2.0) == "a round takes some 50 s at this pace; --speed max plays as fast as it goes"
