"""Each lamp signal can be told apart by its rhythm alone, quickly, and without colour vision."""

from __future__ import annotations

from itertools import combinations, groupby

import pytest

from controller.game.showing.lamps import LANGUAGE, RHYTHMS, LampState, Look
from controller.table.daemon.devices import SIGNALS
from drivers.ports import SLOT_S

LOOK = round(4 / SLOT_S)
"""Maximum time for recognising a rhythm, in slots."""
SAME_ACT = ({LampState.DEAL, LampState.CALL},)
"""Groups of states with the same instruction. Both states of this group mean that the dealer turns to the
seat, for its stack or for its decision; they never occur together."""
LIT = {state: look for state, look in LANGUAGE.items() if look.colour != "off"}


def unlike(one: str, other: str) -> int:
    """Return the minimum number of slots in which two rhythms differ, over all phase shifts."""
    return min(
        sum(one[(i + k) % len(one)] != other[(j + k) % len(other)] for k in range(LOOK))
        for i in range(len(one))
        for j in range(len(other))
    )


@pytest.mark.parametrize(("one", "other"), list(combinations(LIT, 2)))
def test_states_that_ask_for_different_acts_differ_without_colour(one: LampState, other: LampState) -> None:
    if {one, other} in SAME_ACT:
        assert LIT[one].rhythm == LIT[other].rhythm
    else:
        assert unlike(LIT[one].light, LIT[other].light) * SLOT_S >= 0.5


@pytest.mark.parametrize("light", list(RHYTHMS.values()))
def test_a_rhythm_starts_at_once_and_is_recognised_within_four_seconds(light: str) -> None:
    assert light[0] == "#"
    assert len(light) <= LOOK


@pytest.mark.parametrize("light", list(RHYTHMS.values()))
def test_no_rhythm_can_trigger_a_seizure(light: str) -> None:
    """WCAG 2.3.1 allows three flashes in any second. The rhythms have at most two."""
    long = light * 8
    starts = [i for i in range(1, len(long)) if long[i - 1 : i + 1] == ".#"]
    second = round(1 / SLOT_S)
    assert all(sum(first <= other < first + second for other in starts) <= 2 for first in starts)


def flashes(look: Look) -> list[str]:
    """Return the lit parts of one period."""
    return ["".join(part) for sign, part in groupby(look.light) if sign == "#"]


def test_the_rhythm_shows_the_direction_of_the_chips() -> None:
    """controller/game/TABLE.md gives the rule. A rhythm of short flashes alone means chips to the dealer; a
    rhythm that begins with a long flash means chips to the player."""
    assert flashes(LANGUAGE[LampState.TAKE]) == ["#", "#"]
    for state in (LampState.PAY, LampState.RETURN):
        assert flashes(LANGUAGE[state])[0] == "####"
    for state in (LampState.ACCEPTED, LampState.PUSH):  # the chips stay: lit except for one slot
        assert LANGUAGE[state].light.count(".") <= 1


def test_every_rhythm_is_used_and_every_state_has_its_signal() -> None:
    assert {look.rhythm for look in LANGUAGE.values()} == set(RHYTHMS)
    assert set(SIGNALS) == set(LIT)
