"""Cost of the uplink for a card, and its load: `python -m tests.trials.bench.uplink [--cards N] [NAME ...]`.

The real daemon runs with both services of the uplink and a real Mosquitto, as in its units. The shoe and its
stopwatch are a separate process. A card without an ACK is counted.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from controller.common.clock import utc_now
from controller.common.tlog.merkle import Frontier
from controller.floor.uplink import cursor, wire
from controller.floor.uplink.mqtt_client import Broker
from controller.floor.uplink.outbox import Head, Outbox, Ready, outbox_path
from controller.floor.uplink.presence import Presence
from controller.floor.uplink.publisher import Publisher
from tests.runtime.child import ROOT, run_arguments, started, table_file
from tests.trials.bench.flood import CARDS, _line, draw
from tests.uplink.broker import Mosquitto, Pit, soon

WAYS = ("off", "on", "dead broker", "flooding broker")
NICE = 10
"""Nice value of the uplink's units."""
RUN = "import sys; from controller.cli import main; sys.exit(main())"
EVENTS = 3_000


@contextmanager
def services(file: Path) -> Iterator[None]:
    """Run `tell` and `serve` beside the daemon."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    made = [
        subprocess.Popen(
            ["nice", "-n", str(NICE), sys.executable, "-c", RUN, "uplink", act, "--config", str(file)],
            env=environment, stderr=subprocess.DEVNULL,
        )
        for act in ("tell", "serve")
    ]  # fmt: skip
    try:
        yield
    finally:
        for process in made:
            process.kill()
            process.wait()


def flood(port: int) -> None:
    """Send forged acknowledgements to the table as fast as the broker accepts them. Runs until the process is
    ended."""
    client = Client(CallbackAPIVersion.VERSION2, "flood", protocol=MQTTProtocolVersion.MQTTv5)
    client.connect("127.0.0.1", port)
    while True:
        client.publish(wire.topic("T-1", "have/pit-1"), b"x" * 2000, 0)
        client.loop(0)


async def measure(way: str, cards: int) -> str:
    """Measure the time from a card to its ACK while the uplink runs as `way` says. Returns one line in the
    form that the trial of flooded pages prints."""
    context = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory(prefix="uplink-") as name, ExitStack() as stack:
        folder = Path(name)
        broker = stack.enter_context(closing(Mosquitto(folder)))
        pit = stack.enter_context(closing(Pit(broker.port)))
        pit.open()
        uplink = {"broker": f"mqtt://127.0.0.1:{broker.port}", "pits": [{"name": "pit-1"}]}
        file = table_file(folder, uplink=uplink)
        near, far = context.Pipe()
        shoe = context.Process(target=draw, args=(far, folder / "shoe", cards), daemon=True)
        shoe.start()
        async with started(folder, run_arguments(file)) as child:
            await child.ready()
            await asyncio.to_thread(near.recv)
            if way != "off":
                stack.enter_context(services(file))
                await asyncio.to_thread(soon, lambda: bool(pit.states))
            flooding = context.Process(target=flood, args=(broker.port,), daemon=True)
            if way == "dead broker":
                broker.kill()
            if way == "flooding broker":
                flooding.start()
                for pid in (flooding.pid or 0, broker.pid):
                    # both are limited to one processor, because in reality they run on other machines
                    os.sched_setaffinity(pid, {0})
            await asyncio.sleep(1.0)
            near.send("go")
            took, counts = await asyncio.to_thread(near.recv)
            if flooding.pid is not None:
                flooding.kill()
                flooding.join()
            shoe.join()
            await child.end()
            log_bytes = len(await child.words())
        return f"{_line(took, counts, log_bytes)}, {len(pit.events)} events at the pit"


# ------------------------------------------------------------------ load of a full outbox


def carried(events: int = EVENTS) -> str:
    """Publish a full outbox to a pit until all events have arrived there. Returns a line with events per
    second."""
    with tempfile.TemporaryDirectory(prefix="uplink-") as name, ExitStack() as stack:
        journal = Path(name) / "journal.db"
        outbox = stack.enter_context(closing(Outbox(outbox_path(journal))))
        _fill(outbox, events)
        broker = stack.enter_context(closing(Mosquitto(Path(name))))
        pit = stack.enter_context(closing(Pit(broker.port)))
        pit.open()
        ended = threading.Event()
        thread = threading.Thread(target=_publish, args=(journal, broker.port, ended))
        thread.start()
        soon(lambda: bool(pit.events))
        began, first = time.monotonic(), len(pit.events)
        soon(lambda: len(pit.events) == events)
        took = time.monotonic() - began
        ended.set()
        thread.join()
    return f"{(events - first) / took:.0f} events a second, {took:.1f} s for {events - first}"


def _fill(outbox: Outbox, events: int) -> None:
    head, ready, stream = Head("ab" * 16, "T-1", 0, 0, Frontier()), [], "ab" * 16
    data = {"round": 1, "ms": 1, "seat": 3, "wager": "across", "amount": 500}
    for number in range(1, events + 1):
        event = wire.event("T-1", stream, number, kind="bet", row=number, part="1", utc=utc_now(), data=data)
        tree = head.tree.add(wire.leaf_of(wire.packed(event)))
        ready.append(Ready(number, number, wire.packed(event), tree.root()))
        head = Head(stream, "T-1", number, 0, tree)
    outbox.add(head, ready, None)


def _publish(journal: Path, port: int, ended: threading.Event) -> None:
    with closing(Outbox(outbox_path(journal))) as outbox:
        at, file = Broker("127.0.0.1", port), cursor.FileCursor(cursor.cursor_path(journal))
        Publisher(
            at, outbox, "T-1", {"pit-1": None}, file, 5000, "bench", time.monotonic, utc_now,
            Presence(lambda: True),
        ).run(ended)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.trials.bench.uplink", description=__doc__)
    parser.add_argument("--cards", type=int, default=CARDS)
    parser.add_argument("ways", nargs="*", choices=[*WAYS, "carried", []], default=[])
    args = parser.parse_args()
    for way in args.ways or (*WAYS, "carried"):
        figures = carried() if way == "carried" else asyncio.run(measure(way, args.cards))
        print(f"{way}: {figures}", flush=True)


if __name__ == "__main__":
    main()
