"""`/metrics` of a table in OpenMetrics 1.0, for this machine only: figures of the outbox and the felt.

It contains no card, no person and no amount. The publisher serves it even without a broker connection.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from controller.floor.uplink.outbox import Events, Outbox, OutboxError
from controller.floor.uplink.publisher import Publisher

TYPE = "application/openmetrics-text; version=1.0.0; charset=utf-8"
PREFIX = "crisscross_"
WAIT_S = 10.0


def text(speaker: Publisher, outbox: Events) -> str:
    """Return the complete text. Raises OutboxError."""
    table = {"table": speaker.name}
    return "".join([*_wire(speaker, outbox, table), *_felt(outbox, table), "# EOF\n"])


def _wire(speaker: Publisher, outbox: Events, table: dict[str, str]) -> Iterator[str]:
    head, sender = outbox.head(), speaker.sender
    yield _one("uplink_up", "gauge", "Whether there is a line to the broker.", int(speaker.up), table)
    yield _one(
        "table_up",
        "gauge",
        "Whether the daemon and the teller run.",
        int(speaker.presence.is_running()),
        table,
    )
    events = head.sequence if head else 0
    yield _one("uplink_events", "counter", "Public events of the journal.", events, table)
    yield _one("journal_rows", "gauge", "Rows of the journal that were told.", head.row if head else 0, table)
    yield _one("uplink_resends", "counter", "How often it went back.", sender.again if sender else 0, table)
    had = sender.had if sender else {}
    yield _family("uplink_had", "gauge", "Events that a pit has on its disk.")
    for pit in speaker.pits:
        yield _sample("uplink_had", had.get(pit, 0), {**table, "pit": pit})


def _felt(outbox: Events, table: dict[str, str]) -> Iterator[str]:
    payload = outbox.felt()
    if payload is None:
        return
    shown: dict[str, Any] = json.loads(payload)
    felt, floor = shown["felt"], shown["floor"]
    seats = sum(seat["in_round"] for seat in felt["seats"])
    yield _one("round", "gauge", "The round on the table, or the one to come.", felt["round"], table)
    yield _one("seats", "gauge", "Seats in the round.", seats, table)
    yield _one("alerts", "gauge", "Alerts and notices that stand.", len(floor["alerts"]), table)
    yield _one("held", "gauge", "Whether play is held.", int(floor["held"] is not None), table)
    yield _one("shoe_up", "gauge", "Whether the shoe is there.", int(floor["link"] == "up"), table)
    yield _one("deck_due", "gauge", "Whether the deck is to be changed.", int(floor["change_due"]), table)


def _family(name: str, kind: str, words: str) -> str:
    return f"# TYPE {PREFIX}{name} {kind}\n# HELP {PREFIX}{name} {words}\n"


def _sample(name: str, value: int, labels: dict[str, str]) -> str:
    written = ",".join(f'{key}="{each}"' for key, each in labels.items())
    return f"{PREFIX}{name}{{{written}}} {value}\n"


def _one(name: str, kind: str, words: str, value: int, labels: dict[str, str]) -> str:
    ending = "_total" if kind == "counter" else ""
    return _family(name, kind, words) + _sample(f"{name}{ending}", value, labels)


# ------------------------------------------------------------------ served


@contextmanager
def served(port: int, told: Callable[[], str]) -> Iterator[int]:
    """Serve `/metrics` at that port on this machine until the end of the block; yield the port. Raises
    OSError."""

    class Handler(BaseHTTPRequestHandler):
        timeout = WAIT_S

        def do_GET(self) -> None:
            if self.path != "/metrics":
                self.send_error(404)
                return
            try:
                body = told().encode()
            except OutboxError:
                self.send_error(503)
                return
            self.send_response(200)
            self.send_header("Content-Type", TYPE)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_words: object) -> None:
            """Log nothing about requests."""

    with ThreadingHTTPServer(("127.0.0.1", port), Handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, name="metrics", daemon=True)
        thread.start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
            thread.join(WAIT_S)


def figures(speaker: Publisher, opened: Callable[[], AbstractContextManager[Events]]) -> Callable[[], str]:
    """Return a function for `served` that opens an outbox for each request, on the request's thread."""

    def told() -> str:
        with opened() as outbox:
            return text(speaker, outbox)

    return told


def of_file(speaker: Publisher) -> Callable[[], str]:
    """Return a function for `served` with the figures of a publisher whose outbox is a file."""
    return figures(speaker, lambda: closing(Outbox(speaker.outbox.path)))
