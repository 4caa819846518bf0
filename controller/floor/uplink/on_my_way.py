"""A pit's answer "on my way", from the broker to the table's screens, and the table's reply.

The table file names the pits that may answer. A request is bound to the stream of the table and to one call
or hold by its starting time; any other is refused in one line. A request must never affect play: the daemon
is only asked to show that a floorperson is on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from controller.common.ipc.rpc import NoAnswer, RpcFailed
from controller.floor.uplink import wire
from controller.floor.uplink.wire import InvalidPayload

MIN_INTERVAL_S = 0.5
"""Minimum seconds between two requests of a pit that reach the daemon. A pit repeats its request until the
table answers.
"""
LEAF = "on_my_way/"


@dataclass(slots=True)
class OnMyWay:
    """Handler of the "on my way" requests to one table.

    `ask`: shows the answer of a pit on the table's screens and returns whether they show it. It raises
    NoAnswer or Failed if the daemon does not answer.
    """

    table: str
    pits: Collection[str]
    ask: Callable[[str, str], bool]
    _requested_at: dict[str, float] = field(default_factory=dict)

    def reply(self, leaf: str, payload: bytes, stream: str, now: float) -> tuple[str, bytes] | None:
        """Handle a request; return topic and payload of the table's reply.

        Returns None if the pit sends too many requests or the daemon does not answer. `now`: monotonic
        seconds. Raises InvalidPayload.
        """
        pit = leaf.removeprefix(LEAF)
        found = wire.read_on_my_way(payload, self.table, pit)
        if pit not in self.pits:
            raise InvalidPayload(f"pit {pit}: the table file does not name it (uplink.pits)", "pit")
        if found.stream != stream:
            raise InvalidPayload(
                f"pit {pit}: answers a call of another journal of a table named {self.table}", "stream"
            )
        if now - self._requested_at.get(pit, float("-inf")) < MIN_INTERVAL_S:
            return None
        self._requested_at[pit] = now
        try:
            shown = self.ask(pit, found.about)
        except (NoAnswer, RpcFailed):
            return None
        answer = wire.OnTheWay(pit=pit, table=self.table, stream=stream, about=found.about, shown=shown)
        return wire.topic(self.table, f"on_the_way/{pit}"), wire.packed(answer)
