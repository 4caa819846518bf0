"""Step that the dealer skipped by beginning a later one, as part of the public view."""

from __future__ import annotations

from typing import Literal, TypedDict


class First(TypedDict):
    """Step that the dealer skipped. `cents`: chips that it still has to move; 0 if none."""

    verb: Literal["take", "push", "pay", "add", "turn"]
    seat: int | None
    wager: str | None
    cents: int
