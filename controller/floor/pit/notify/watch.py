"""Selection of the reasons for which a notification is sent to a pit manager: each new one, from the state
of all tables and of the service. Pure.

A reason is a kind at a table with its marks: a hold or a call by its time, a fault by the code of the device
or the part of the service, a copy by the number of the chip. It contains no card and no hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from controller.common.notify.notification import NotificationKind

ReasonKey: TypeAlias = tuple[str, NotificationKind]
"""(table, kind) by which a reason is known; the table is "" for a reason of the pit itself."""
MIN_INTERVAL_S = 60.0
"""Minimum seconds between two notifications of one kind at one table; a reason that begins in between is
notified afterwards if it lasts.
"""


@dataclass(frozen=True, slots=True)
class NotifyReason:
    """Reason for a notification. `since`: its beginning by the table's clock (UTC), "" if unknown. `codes`:
    irregularities, or parts of the service. `marks`: identify its occurrences, so that a new one is
    distinguished from one that was notified."""

    since: str
    codes: tuple[str, ...]
    marks: frozenset[str]


Reasons: TypeAlias = Mapping[ReasonKey, NotifyReason]


@dataclass
class Watch:
    """Memory of a notifier: which occurrences were notified, and when a notification of each kind was last
    sent."""

    _known: dict[ReasonKey, frozenset[str]] = field(default_factory=dict)
    _sent: dict[ReasonKey, float] = field(default_factory=dict)

    def due(self, reasons: Reasons, now: float) -> Iterator[tuple[ReasonKey, NotifyReason]]:
        """Yield the reasons with a mark that has not been notified, and store the mark. `now`: monotonic
        seconds."""
        lasting = ((key, marks) for key, marks in self._known.items() if key in reasons)
        self._known = {key: marks & reasons[key].marks for key, marks in lasting}
        for key, reason in reasons.items():
            is_new = reason.marks - self._known.get(key, frozenset())
            last = self._sent.get(key)
            if is_new and (last is None or now - last >= MIN_INTERVAL_S):
                self._known[key], self._sent[key] = reason.marks, now
                yield key, reason
