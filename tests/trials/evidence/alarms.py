"""False alarms as text: the guarantee beside the number of honest sittings that reach each bound."""

from __future__ import annotations

from collections.abc import Iterable


def guarantee(sittings: int, bounds: Iterable[int]) -> str:
    """Return as text the number of honest sittings that may reach each bound, on average at most."""
    return ", ".join(f"{bound:,}: {sittings / bound:g}" for bound in bounds)
