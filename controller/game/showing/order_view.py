"""The step that was left for a later one, as the public view has it."""

from __future__ import annotations

from typing import Literal, TypedDict


class First(TypedDict):
    """The step that was left for a later one. `cents`: the chips that it still moves; 0 if it moves none."""

    verb: Literal["take", "push", "pay", "add", "turn"]
    seat: int | None
    wager: str | None
    cents: int
