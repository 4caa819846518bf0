"""The pit's pages on a real port, over a store that the test fills, for browser tests."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from starlette.applications import Starlette
from starlette.types import ASGIApp, Receive, Scope, Send

from controller.floor.pit.access.gate import Access, Proxy
from controller.floor.pit.access.users import UsersFile
from controller.floor.pit.app import make_app
from controller.floor.pit.audit.trail import AuditAct, AuditEntry, append_entries
from controller.floor.pit.counts import PitCounters
from controller.floor.pit.expected_win import shipped_odds
from controller.floor.pit.figures import Shifts
from controller.floor.pit.floor import PitFloor, Streams
from controller.floor.pit.ingest import Intake, Payload
from controller.floor.pit.opening import open_database
from controller.floor.pit.pages import PageSources
from controller.floor.pit.store import Store
from controller.floor.uplink.wire import OnMyWay, OnTheWay, read_felt, read_state
from tests.pit.published_tables import Table
from tests.serving import Serving

NOW = "2026-11-22T20:10:00.000Z"
POSIX = 1_795_378_200


class Served(Serving):
    """The pit's pages on a real port, over a store that the test fills. `wait` advances the pit's clock."""

    def __init__(self, folder: Path, users: Path | None = None, proxy: Proxy | None = None) -> None:
        url = str(folder / "pit.db")
        self.database = open_database(url, writing=True)
        self._store = Store(self.database)
        self.intake = Intake(self._store, "UTC", lambda: NOW, shipped_odds())
        self._seconds = 0.0
        self.counts = PitCounters()
        self.published: list[OnMyWay] = []
        self.floor = PitFloor(
            lambda: self._seconds, lambda: POSIX + self._seconds, "pit-1", self.published.append
        )
        shown = PageSources(
            self.floor, self._store.open_reader, self.counts, "UTC", Shifts(), lambda: NOW,
            lambda: POSIX + int(self._seconds),
        )  # fmt: skip
        self.acts: list[AuditEntry] = []
        """Entries of the audit trail, which are in the store as well."""

        def record(who: str, address: str, act: AuditAct, about: str) -> None:
            self.acts.append(AuditEntry(NOW, who, address, act, about))
            append_entries(self.database, self.acts[-1])

        def changed(words: str) -> None:
            record("file", "", "user_changed", words)

        access = Access(UsersFile(users, changed) if users else None, lambda: self._seconds, proxy, record)
        self.peer = ""
        """Client address that the pages see instead of the real one, or "" for the real one."""
        super().__init__(make_app(shown, access=access))
        self._seen_from_peer(self.app)

    def _seen_from_peer(self, app: Starlette) -> None:
        build = app.build_middleware_stack

        def built() -> ASGIApp:
            inner = build()

            async def seen(scope: Scope, receive: Receive, send: Send) -> None:
                if self.peer and scope["type"] == "http":
                    scope["client"] = (self.peer, 1)
                await inner(scope, receive, send)

            return seen

        app.build_middleware_stack = built  # type: ignore[method-assign]

    def receive(self, *tables: Table, felt: bytes | None = None) -> None:
        """Store all events of these tables, and their states and felts."""
        for table in tables:
            stand = self.intake.head_of(table.name)
            new = table.payloads[stand.upto if stand else 0 :]
            taken = self.intake.take([Payload(table.name, payload) for payload in new])
            self.counts.stored += len(taken.stored)
            stand = self.intake.head_of(table.name)
            tiles = {table.name: (self.intake.tiles[table.name], stand.upto if stand else 0)}
            self.do(partial(self.floor.events_stored, tiles))
            self.do(partial(self.floor.streams, Streams(table.name, table.stream)))
            self.set_state(table.state())
        if felt is not None:
            self.do(partial(self.floor.felt, read_felt(felt)))

    def set_state(self, state: bytes) -> None:
        self.do(partial(self.floor.state, read_state(state)))

    def answers(self, sent: OnMyWay, *, shown: bool) -> None:
        """Receive the table's answer to a request that this pit sent."""
        answer = OnTheWay(**sent.model_dump(), shown=shown)
        self.do(partial(self.floor.on_the_way, answer))

    def wait(self, seconds: float) -> None:
        self._seconds += seconds
        self.do(self.floor.check_connections)

    def stop(self) -> None:
        super().stop()
        self._store.close()
