"""`/metrics` of a table, for this machine only: figures of the outbox and the felt.

It contains no card, no person and no amount. The publisher serves it even without a broker connection.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from controller.common.files.openmetrics import Family, exposition, family
from controller.floor.uplink.outbox import Events, Outbox, OutboxError
from controller.floor.uplink.publisher import Publisher

_REQUEST_TIMEOUT_S = 10.0


def families(publisher: Publisher, outbox: Events) -> list[Family]:
    """Return all figures. Raises OutboxError."""
    table = {"table": publisher.name}
    return [*_wire(publisher, outbox, table), *_felt(outbox, table)]


def _wire(publisher: Publisher, outbox: Events, table: dict[str, str]) -> Iterator[Family]:
    head, sender = outbox.head(), publisher.sender
    sequence, row = (head.sequence, head.row) if head else (0, 0)
    plays, again = int(publisher.presence.is_running()), sender.again if sender else 0
    yield _gauge("uplink_up", "Whether there is a line to the broker.", int(publisher.up), table)
    yield _gauge("table_up", "Whether the daemon and `uplink tell` run.", plays, table)
    yield family("uplink_events", "counter", "Public events of the journal.", [(table, sequence)])
    yield _gauge("journal_rows", "Rows of the journal whose events are in the outbox.", row, table)
    held = int(bool(publisher.held_back))
    yield _gauge("uplink_held_back", "Whether a pit's limit holds the events back.", held, table)
    yield family("uplink_resends", "counter", "How often it went back.", [(table, again)])
    had = sender.acknowledged if sender else {}
    pits = [({**table, "pit": pit}, had.get(pit, 0)) for pit in publisher.pits]
    yield family("uplink_had", "gauge", "Events that a pit has on its disk.", pits)


def _felt(outbox: Events, table: dict[str, str]) -> Iterator[Family]:
    payload = outbox.felt()
    if payload is None:
        return
    shown: dict[str, Any] = json.loads(payload)
    felt, floor = shown["felt"], shown["floor"]
    seats = sum(seat["in_round"] for seat in felt["seats"])
    yield _gauge("round", "The round on the table, or the one to come.", felt["round"], table)
    yield _gauge("seats", "Seats in the round.", seats, table)
    yield _gauge("alerts", "Alerts and notices that stand.", len(floor["alerts"]), table)
    yield _gauge("held", "Whether play is held.", int(floor["held"] is not None), table)
    yield _gauge("shoe_up", "Whether the shoe is there.", int(floor["link"] == "up"), table)
    yield _gauge("deck_due", "Whether the deck is to be changed.", int(floor["change_due"]), table)


def _gauge(name: str, words: str, value: int, labels: dict[str, str]) -> Family:
    return family(name, "gauge", words, [(labels, value)])


# ------------------------------------------------------------------ served


@contextmanager
def served(port: int, families: Callable[[], list[Family]]) -> Iterator[int]:
    """Serve `/metrics` at that port on this machine until the end of the block; yield the port. Raises
    OSError."""

    class Handler(BaseHTTPRequestHandler):
        timeout = _REQUEST_TIMEOUT_S

        def do_GET(self) -> None:
            if self.path != "/metrics":
                self.send_error(404)
                return
            try:
                body, kind = exposition(families(), self.headers.get("Accept", ""))
            except OutboxError:
                self.send_error(503)
                return
            self.send_response(200)
            self.send_header("Content-Type", kind)
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
            thread.join(_REQUEST_TIMEOUT_S)


def metrics_source(
    publisher: Publisher, opened: Callable[[], AbstractContextManager[Events]]
) -> Callable[[], list[Family]]:
    """Return a function for `served` that opens an outbox for each request, on the request's thread."""

    def source() -> list[Family]:
        with opened() as outbox:
            return families(publisher, outbox)

    return source


def of_file(publisher: Publisher) -> Callable[[], list[Family]]:
    """Return a function for `served` with the figures of a publisher whose outbox is a file."""
    return metrics_source(publisher, lambda: closing(Outbox(publisher.outbox.path)))
