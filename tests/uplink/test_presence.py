"""A table is present while its daemon runs or restarts, and is reported as gone later although its publisher
still runs.
"""

from __future__ import annotations

from controller.floor.uplink.presence import RESTART_S, Presence


def test_a_running_table_is_present_at_once_and_during_a_restart() -> None:
    runs = [True]
    presence = Presence(lambda: runs[0])
    assert presence.update(100.0)
    assert presence.plays
    runs[0] = False
    assert not presence.update(101.0)
    runs[0] = True
    assert not presence.update(100.0 + RESTART_S)
    assert presence.plays


def test_a_stopped_table_is_gone_after_the_restart_time_until_it_runs_again() -> None:
    runs = [True]
    presence = Presence(lambda: runs[0])
    presence.update(100.0)
    runs[0] = False
    assert presence.update(100.0 + RESTART_S)
    assert not presence.plays
    runs[0] = True
    assert presence.update(101.0 + RESTART_S)


def test_a_table_that_never_ran_is_not_present() -> None:
    presence = Presence(lambda: False)
    assert not presence.update(0.0)
    assert not presence.plays


def test_presence_is_polled_once_a_second() -> None:
    looks: list[None] = []
    presence = Presence(lambda: looks.append(None) is None)
    for tenth in range(20):
        presence.update(tenth / 10)
    assert len(looks) == 2
