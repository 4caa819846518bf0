"""Times (seen since, left at) of the chips in a table's circles: since when each is there, and when it
left. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice

from controller.common.clock import parse_utc
from controller.floor.uplink.wire import LEFT_S
from controller.game.model.state import TableState


@dataclass(frozen=True, slots=True)
class ChipTimes:
    """Times of the chips in a table's circles, UTC by UID. `chips`: since when each chip is present; `left`:
    when a reading no longer found a chip that had been there."""

    chips: Mapping[str, str] = field(default_factory=dict)
    left: Mapping[str, str] = field(default_factory=dict)

    def after(self, state: TableState, utc: str) -> ChipTimes:
        """Return the times after readings at `utc`. The chips of a circle that cannot be read count as
        absent, because it is unknown where they are."""
        held = (held for row in state.holdings.values() for held in row.values())
        there = {chip.uid for each in held if each.readable for chip in each.chips}
        now = parse_utc(utc)
        recent = {
            uid: at for uid, at in self.left.items() if uid not in there and now - parse_utc(at) <= LEFT_S
        }
        gone = dict.fromkeys(sorted(self.chips.keys() - there), utc)
        return ChipTimes({uid: self.chips.get(uid, utc) for uid in sorted(there)}, recent | gone)

    def newest(self, most: int) -> tuple[dict[str, str], dict[str, str]]:
        """Return the times of the present chips and those of the departed chips. Each of the two holds the
        latest `most` times."""
        return _newest(self.chips, most), _newest(self.left, most)


def _newest(times: Mapping[str, str], most: int) -> dict[str, str]:
    return dict(islice(sorted(times.items(), key=lambda one: one[1], reverse=True), most))
