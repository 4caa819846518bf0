"""Keys are not accepted in the dead time after a new prompt (controller/pages/display/DISPLAY.md)."""

from __future__ import annotations

from typing import cast

import pytest

from controller.game.model.events import CardsSwapped, KeyPressed
from controller.game.model.names import Key
from controller.mock.bench.options import MockOptions
from controller.mock.run import make_bench
from controller.table.engine.dead_time import TOO_SOON, DeadTime
from controller.table.engine.ports import Game


class GameWithPrompt:
    """Stand-in for a table that only has a prompt."""

    def __init__(self) -> None:
        self.prompt = "1/turn_seat/3"

    def prompt_id(self) -> str:
        return self.prompt


def stands(ms: int = 400) -> tuple[GameWithPrompt, DeadTime]:
    """Return a table whose second prompt appeared at 1000 ms, and its dead time of `ms`."""
    table, dead = GameWithPrompt(), DeadTime(ms)
    dead.note_prompt(cast("Game", table), 0)
    table.prompt = "1/push/3"
    dead.note_prompt(cast("Game", table), 1000)
    return table, dead


@pytest.mark.parametrize("key", [Key.CONFIRM, Key.UNDO, Key.NO_MORE_BETS])
def test_no_key_is_accepted_right_after_a_new_prompt(key: Key) -> None:
    _, dead = stands()
    assert dead.check(KeyPressed(key), 1399) is TOO_SOON
    assert dead.check(KeyPressed(key), 1400) is None


def test_repeated_taps_on_fold_do_not_fold_the_next_seat() -> None:
    _, dead = stands()
    refusals = [dead.check(KeyPressed(Key.FOLD), at) for at in (1250, 1500, 1750, 2000, 2400)]
    assert refusals == [TOO_SOON] * 4 + [None]


def test_a_reading_that_keeps_the_prompt_starts_no_new_dead_time() -> None:
    table, dead = stands()
    dead.note_prompt(cast("Game", table), 1390)
    assert dead.check(KeyPressed(Key.CONFIRM), 1400) is None


def test_calls_to_the_floor_and_reports_are_accepted_at_any_time() -> None:
    _, dead = stands()
    assert dead.check(KeyPressed(Key.FLOOR), 1001) is None
    assert dead.check(CardsSwapped("middle", "down_far"), 1001) is None


def test_the_prompt_found_at_a_start_has_no_dead_time() -> None:
    table, dead = GameWithPrompt(), DeadTime(400)
    dead.note_prompt(cast("Game", table), 1000)
    assert dead.check(KeyPressed(Key.CONFIRM), 1001) is None


def test_a_dead_time_of_zero_switches_it_off() -> None:
    _, dead = stands(0)
    assert dead.check(KeyPressed(Key.CONFIRM), 1000) is None


async def test_a_double_press_acts_once_on_a_complete_table() -> None:
    bench = make_bench(MockOptions("pennsylvania", config={"dead_time_ms": 400}, seed=1, wires=False))
    await bench.start()
    try:
        codes = [(await bench.press_for_answer("confirm")).code for _ in range(2)]
        await bench.elapse(0.4)
        codes.append((await bench.press_for_answer("confirm")).code)
    finally:
        await bench.stop()
    assert codes == [None, "too_soon", "deck_needed"]
