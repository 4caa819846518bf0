"""Refusals of a pit (messages of tables that it rejected): counted by table and reason, and reported once
an hour for each of these.

A sender whose messages are all refused cannot fill the log or the list on the page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

MAX_COUNTED = 10_000
"""Maximum number of pairs of table and reason with a counter of their own. Further ones are counted without a
table.
"""


class Refusals:
    """Counts refusals. `utc`: returns the time, ISO 8601; `counted`: the counter, by table and reason."""

    def __init__(self, utc: Callable[[], str], counted: Counter[tuple[str, str]] | None = None) -> None:
        self._utc = utc
        self._reported: dict[tuple[str, str], str] = {}
        self._counted: Counter[tuple[str, str]] = Counter() if counted is None else counted

    def add(self, table: str, reason: str, number: int = 1) -> bool:
        """Count refusals; return whether to report them now, which is at most once an hour for each pair."""
        pair = (table, reason)
        if pair not in self._counted and len(self._counted) >= MAX_COUNTED:
            pair = ("", reason)
        self._counted[pair] += number
        hour = self._utc()[:13]
        before, self._reported[pair] = self._reported.get(pair), hour
        return before != hour

    def over(self, table: str, reason: str) -> None:
        """Report the next refusal of a pair at once, because a person has removed the cause."""
        self._reported.pop((table, reason), None)
