"""A RabbitMQ cluster as broker of a floor: the statements of controller/floor/uplink/UPLINK.md, and dying
nodes.

The pit decides which events a table may delete. A quorum queue also receives all events, and the trial
reports whether it has them all. The uplink does not promise that.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from tests.trials.pit.cutting import Wire
from tests.trials.pit.fleet import name_of
from tests.trials.pit.floor import Floor
from tests.trials.pit.rabbit import Rabbit
from tests.trials.pit.statements import tried
from tests.trials.pit.watching import published
from tests.uplink.papers import papers

TABLE, PIT = "CC-01", "pit-1"


def statements() -> Iterator[dict[str, Any]]:
    """Start a cluster without tables, check each of `statements.STATEMENTS` on it and yield the results."""
    with tempfile.TemporaryDirectory(prefix="crisscross-rabbit-") as name, ExitStack() as stack:
        folder, wire = Path(name), Wire()
        stack.callback(wire.remove)
        house = papers(folder, TABLE, PIT, wire.host)
        rabbit = Rabbit(folder, wire, stack, house)
        stack.callback(rabbit.stop)
        rabbit.start()
        yield from tried(rabbit, house)


class Queue:
    """Check of the quorum queue: each call counts the events that it has lost, and those that it has twice,
    since the last call."""

    def __init__(self) -> None:
        self._checked: dict[str, int] = {}

    def __call__(self, made: Floor) -> dict[str, int]:
        assert isinstance(made.broker, Rabbit)
        wanted = frozenset(self._published(made))
        came = made.broker.drained(wanted)
        return {"queue_lost": len(wanted - set(came)), "queue_again": len(came) - len(set(came))}

    def _published(self, made: Floor) -> Iterator[bytes]:
        for name in map(name_of, range(1, made.plan.tables + 1)):
            after = self._checked.get(name, 0)
            events = published(made.outboxes, name, after)
            self._checked[name] = after + len(events)
            yield from events
