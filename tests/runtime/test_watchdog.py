"""The watchdog is fed by progress alone: readers that read, a link that talks."""

from __future__ import annotations

import pytest

from controller.runtime.clock import ManualClock
from controller.runtime.daemon import STALLED_S, Progress, Watch
from drivers.ports import LinkStatistics


class Told:
    """Counts what systemd would hear."""

    def __init__(self) -> None:
        self.fed = 0

    def watchdog(self) -> None:
        self.fed += 1


def look(clock: ManualClock, watch: Watch, seconds: int, readings: int, link: LinkStatistics) -> None:
    """Once a second; `readings` come in each."""
    for second in range(seconds):
        clock.forward(1000)
        watch.look(readings * second, link)


UP = LinkStatistics({"frames_in": 7}, up=True)
DOWN = LinkStatistics({"frames_in": 7}, up=False)
PLAIN = LinkStatistics({"frames_in": 7}, up=True, protocol="plain")


@pytest.mark.parametrize(
    ("fitted", "readings", "link", "goes_on"),
    [
        (True, 1, DOWN, True),
        (True, 0, DOWN, False),
        (False, 0, DOWN, True),
        (False, 0, UP, False),
        (False, 0, PLAIN, True),
        (True, 1, UP, False),
    ],
)
def test_what_should_go_on_and_does_not_starves_it(
    fitted: bool, readings: int, link: LinkStatistics, goes_on: bool
) -> None:
    clock, told = ManualClock(), Told()
    watch = Watch(clock, told, fitted)
    enough = int(STALLED_S) + 2
    look(clock, watch, enough, readings, link)
    assert (told.fed == enough) is goes_on


def test_progress_is_a_count_that_moved_lately() -> None:
    clock = ManualClock()
    progress = Progress(clock)
    assert progress.made(1)
    clock.forward(int(STALLED_S * 1000))
    assert not progress.made(1)
    assert progress.made(2)
