"""If a network to PostgreSQL stalls or breaks, no statement waits for ever, and `/readyz` names the store.

The pit then goes on by itself, although the server still has its former session.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import closing, suppress

import pytest

from controller.floor.pit import postgresql as postgresql_
from controller.floor.pit.database import StoreError, StoreTaken
from controller.floor.pit.opening import open_database
from controller.floor.pit.postgresql import APPLICATION_NAME, OF_CLIENT, OF_SERVER, PostgreSQL
from controller.floor.pit.store import Store
from tests.pit.postgres import BY, Postgres
from tests.pit.published_tables import Table
from tests.pit.stored import play, quick, serving
from tests.uplink.broker import soon

__all__ = ["quick"]
pytestmark = pytest.mark.serial
CHUNK = 65_536


class Relay:
    """A TCP relay to a server's Unix socket. While it is stalled, it accepts connections and forwards
    nothing."""

    def __init__(self, to: str) -> None:
        self._to = to
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._socket.getsockname()[1])
        self._flowing = threading.Event()
        self._flowing.set()
        self._clients: list[socket.socket] = []
        self._servers: list[socket.socket] = []
        self._lost: set[socket.socket] = set()
        threading.Thread(target=self._accept, daemon=True).start()

    def stall(self) -> None:
        """Forward nothing from now on."""
        self._flowing.clear()

    def flow(self) -> None:
        self._flowing.set()

    def cut_clients(self) -> None:
        """End the clients' side of every connection. What they have sent since the stall is lost, and the
        server's side stays open, as after a cut network."""
        self._lost.update(self._clients)
        for client in self._clients:
            with suppress(OSError):
                client.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self.flow()
        for each in (*self._clients, *self._servers, self._socket):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._socket.accept()
                server = socket.socket(socket.AF_UNIX)
                server.connect(self._to)
                self._clients.append(client)
                self._servers.append(server)
                for pair in ((client, server), (server, client)):
                    threading.Thread(target=self._forward, args=pair, daemon=True).start()

    def _forward(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(CHUNK):
                self._flowing.wait()
                if source in self._lost:
                    return
                target.sendall(data)


@pytest.fixture
def relay(postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> Iterator[Relay]:
    monkeypatch.setattr(postgresql_, "ANSWER_S", 0.3)
    monkeypatch.setattr(postgresql_, "CONNECT_S", 2)
    with closing(Relay(str(postgres.folder / ".s.PGSQL.5432"))) as made:
        yield made
    with closing(open_database(postgres.url, writing=False)) as database:
        database.rows(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = ?"
            " AND pid <> pg_backend_pid()",
            (APPLICATION_NAME,),
        )
        database.rows("DROP SCHEMA public CASCADE")
        database.rows("CREATE SCHEMA public")


def address(relay: Relay) -> str:
    return f"postgresql://{BY}@127.0.0.1:{relay.port}/postgres"


@pytest.mark.parametrize("closes", [False, True])
def test_a_stalled_connection_is_named_and_given_up_and_everything_is_stored_once(
    relay: Relay, quick: None, *, closes: bool
) -> None:
    """The server keeps the former session, and with it the lock of the writing pit."""
    table = play(Table(), 1)
    with serving(address(relay)) as service:
        service.send(table)
        service.catches_up(table)
        relay.stall()
        play(table, 2)
        service.send(table, service.acknowledged)
        soon(lambda: service.get_page("/readyz")[0] == 503)
        assert service.get_page("/readyz")[1].startswith("writer: ok\nstore: ")
        soon(lambda: service.metric("crisscross_pit_store_failures_total") > 0)
        assert service.get_page("/readyz") == (503, "writer: ok\nstore: cannot be written\n")
        if closes:
            relay.cut_clients()
        relay.flow()
        service.catches_up(table)


def test_a_page_of_past_events_ends_with_an_error_while_the_connection_is_stalled(
    relay: Relay, quick: None
) -> None:
    with closing(Store(open_database(address(relay), writing=True))) as store:
        reader = store.open_reader()
        relay.stall()
        with pytest.raises(StoreError, match="the server has not answered for"):
            reader.rows("SELECT 1")
        reader.close()
        relay.flow()


def test_a_session_of_another_pit_is_not_ended(
    postgres: Postgres, relay: Relay, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgresql_, "LOCK_MS", 50)
    with closing(Store(open_database(postgres.url, writing=True))) as store:
        with pytest.raises(StoreTaken, match="another pit writes to it"):
            open_database(address(relay), writing=True)
        store.check()


def test_server_and_client_have_the_limits_of_a_session(postgres: Postgres) -> None:
    """Without these limits a server keeps a session, and its lock, for hours after a network cut."""
    query = "SELECT name FROM pg_settings WHERE source = 'client'"
    with closing(PostgreSQL(postgres.url, writing=False)) as database:
        assert {name for (name,) in database.rows(query)} >= OF_SERVER.keys()
        parameters = database._db.info.get_parameters()
    assert {name: int(parameters[name]) for name in OF_CLIENT} == OF_CLIENT
