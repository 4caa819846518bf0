"""Skipped step in the public view: the dealer began a later one."""

from __future__ import annotations

from typing import Literal, TypedDict


class First(TypedDict):
    """Step that was left for a later one. `cents`: chips that it still moves; 0 if none."""

    verb: Literal["take", "push", "pay", "add", "turn"]
    seat: int | None
    wager: str | None
    cents: int
