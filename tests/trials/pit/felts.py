"""Felts that real tables publish for each of their events, counted at a broker.

The tables play with their own daemons, followers and publishers, and a pit answers them.
"""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

from controller.floor.uplink import wire
from controller.mock.pit.broker import free_port
from tests.trials.pit import machine
from tests.trials.pit.fleet import name_of
from tests.trials.pit.floor import PAUSE
from tests.trials.pit.machine import Mosquitto, soon
from tests.trials.pit.plain_client import PlainClient
from tests.trials.pit.tables import Table, upto


def felts(tables: int, seconds: float, speed: int) -> Iterator[dict[str, Any]]:
    """Yield one result: the numbers of events and of felts that `tables` tables publish in `seconds` seconds.
    `speed`: multiple of people's pace."""
    with tempfile.TemporaryDirectory(prefix="crisscross-pit-") as name, ExitStack() as stack:
        folder = Path(name)
        broker = Mosquitto(folder, None)
        stack.callback(broker.stop)
        broker.start()
        pit = machine.pit(folder, broker, free_port(), str(folder / "pit.db"))
        stack.callback(pit.stop)
        pit.start()
        names = [name_of(n) for n in range(1, tables + 1)]
        at = {"broker": f"mqtt://{broker.host}:{broker.ports[0]}"}
        for n, each in enumerate(names, 1):
            table = Table(folder / each, each, at)
            for part in (table.playing(speed, n), table.tell, table.serve):
                stack.callback(part.stop)
                part.start()
        soon(lambda: all(upto(str(folder / "pit.db"), each) for each in names), "not every table publishes")
        published = _published((broker.host, broker.ports[0]), seconds)
    events, shown = published["events"], published["felt"]
    yield {
        "tables": tables, "speed": speed, "seconds": seconds, "load": os.getloadavg()[0], "events": events,
        "felts": shown, "felts_an_event": shown / events,
    }  # fmt: skip


def _published(broker: tuple[str, int], seconds: float) -> Counter[str]:
    """Return the number of different messages that the tables publish in `seconds` seconds, by kind."""
    with closing(PlainClient(broker)) as client:
        for kind in ("events", "felt"):
            client.subscribe(wire.topic("+", kind))
        PAUSE.wait(seconds)
        came = [client.came.get() for _ in range(client.came.qsize())]
    new = {(each.topic, bytes(each.payload)) for each in came if not each.retain}
    return Counter(wire.table_of(topic)[1] for topic, _payload in new)
