"""The outbox over a Unix socket, for the process with a network.

The client runs as a separate user and opens no file of the table: its settings, its TLS files, the events,
its cursor and whether the table plays all come over this socket. It may move its own cursor. It may report
that a pit has another history, after which the follower starts a new stream. It may ask the daemon to show
that a floorperson is on the way (`controller/table/daemon/pit_answers.py`). It can change nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from controller.common.files.file_lock import is_locked
from controller.common.ipc.rpc import BadRequest, Methods, RpcFailed, Values, failing_on, number, text_value
from controller.floor.uplink.cursor import FileCursor, keep, load_cursor
from controller.floor.uplink.outbox import Diverged, Outbox, OutboxError
from controller.table.daemon.pit_answers import show_at

MAX_EVENTS = 500
MAX_EVENT_BYTES = 8 * 2**20
"""Maximum bytes of events in one answer; an answer always has at least one event, however large."""


@dataclass(frozen=True, slots=True)
class OutboxServer:
    """Handler of the requests to one table's follower. `settings`: returns the settings of a publisher, as
    JSON data.
    """

    outbox: Path
    journal: Path
    cursor: FileCursor
    pits: frozenset[str]
    settings: Callable[[], dict[str, Any]]

    @contextmanager
    def opened(self) -> Iterator[Methods]:
        """Yield the methods that a client may call over one connection, by name. They use a database
        connection of their own."""
        try:
            outbox = Outbox(self.outbox)
        except OutboxError as error:
            raise RpcFailed(str(error)) from None
        with closing(outbox):
            yield {name: failing_on(OutboxError, work) for name, work in self._methods(outbox).items()}

    def _methods(self, outbox: Outbox) -> Methods:
        return {
            "settings": lambda _values: self.settings(),
            "head": lambda _values: _head(outbox),
            "events": lambda values: _events(outbox, number(values, "after"), number(values, "most")),
            "first": lambda _values: outbox.first(),
            "root": lambda values: _hex(outbox.root(number(values, "sequence"))),
            "felt": lambda _values: _text(outbox.felt()),
            "chips": lambda _values: _text(outbox.chips()),
            "plays": lambda _values: is_locked(self.journal),
            "kept": lambda values: load_cursor(self.cursor.path, text_value(values, "stream"), outbox.root),
            "keep": lambda values: self._keep(outbox, values),
            "forget": lambda values: outbox.forget(_known_sequence(outbox, values, "had")),
            "diverge": lambda values: _diverge(outbox, values),
            "on_my_way": self._on_my_way,
        }

    def _keep(self, outbox: Outbox, values: Values) -> None:
        """Store the cursor of a publisher. Raises BadRequest for a pit that the table file does not name,
        Failed for another stream.
        """
        had, head = values.get("had"), outbox.head()
        if not isinstance(had, dict) or not had.keys() <= self.pits:
            raise BadRequest("had names a pit that the table file does not name")
        if head is None or text_value(values, "stream") != head.stream:
            raise RpcFailed("the cursor is of another stream than the outbox")
        keep(
            self.cursor.path,
            head.stream,
            {pit: _known_sequence(outbox, had, pit) for pit in had},
            outbox.root,
        )

    def _on_my_way(self, values: Values) -> bool:
        """Ask the daemon to show a pit's "on my way". Raises BadRequest if the table file does not name the
        pit.
        """
        pit = text_value(values, "pit")
        if pit not in self.pits:
            raise BadRequest("pit is none that the table file names")
        return show_at(self.journal, pit, text_value(values, "about"))


def _known_sequence(outbox: Outbox, values: Values, name: str) -> int:
    """Return a sequence that the outbox contains or has contained. Raises BadRequest for a later one."""
    found, head = number(values, name), outbox.head()
    if found > (head.sequence if head else 0):
        raise BadRequest(f"{name} is beyond the last event")
    return found


def _diverge(outbox: Outbox, values: Values) -> None:
    """Note another history of the outbox's own stream, at one of its events."""
    head = outbox.head()
    if head is not None and text_value(values, "stream") == head.stream:
        found = Diverged(_known_sequence(outbox, values, "sequence"), _known_sequence(outbox, values, "low"))
        outbox.diverge(head.stream, found)


def _head(outbox: Outbox) -> dict[str, Any] | None:
    head = outbox.head()
    if head is None:
        return None
    return {
        "stream": head.stream, "name": head.name, "row": head.row, "sealed": head.sealed,
        "tree": head.tree.text(),
    }  # fmt: skip


def _events(outbox: Outbox, after: int, most: int) -> list[list[Any]]:
    found: list[list[Any]] = []
    size = 0
    for each in outbox.events(after, min(most, MAX_EVENTS)):
        size += len(each.payload)
        if found and size > MAX_EVENT_BYTES:
            break
        previous = _hex(each.previous)
        found.append([each.sequence, each.row, each.payload.decode(), each.root.hex(), previous])
    return found


def _hex(found: bytes | None) -> str | None:
    return None if found is None else found.hex()


def _text(found: bytes | None) -> str | None:
    return None if found is None else found.decode()
