"""Events of several sites reach a group by PostgreSQL's logical replication, even after a network cut."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from controller.floor.pit.database import open_database
from controller.floor.pit.store import Store
from tests.pit.postgres import BY, Postgres
from tests.pit.published_tables import Table
from tests.pit.test_streams import rooted, take
from tests.pit.with_figures import taking
from tests.repository.house import ROOT
from tests.uplink.broker import soon

pytestmark = pytest.mark.serial
RECIPE = ROOT / "controller/floor/pit/group"
SOCKET = ".s.PGSQL.5432"


def psql(server: Postgres, file: str, **variables: str) -> None:
    given = [each for key, value in variables.items() for each in ("-v", f"{key}={value}")]
    command = ["psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", *given, "-f", str(RECIPE / file), server.url]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


class Site:
    """A pit's store in a separate server, and its table CC-01.

    `network`: folder with the socket through which the group reaches the server."""

    def __init__(self, name: str, server: Postgres, store: Store, network: Path) -> None:
        self.server, self.network = server, network
        self._intake = taking(store)
        self.table = Table(f"{name}.CC-01")
        network.mkdir()
        self.mend()

    def play(self) -> None:
        before = len(self.table.payloads)
        self.table.play()
        take(self._intake, rooted(self.table, before))

    def cut(self) -> None:
        """Cut the network to the group; the pit goes on writing."""
        (self.network / SOCKET).unlink()
        with closing(open_database(self.server.url, writing=False)) as database:
            database.rows("SELECT pg_terminate_backend(pid) FROM pg_stat_replication")

    def mend(self) -> None:
        (self.network / SOCKET).symlink_to(self.server.folder / SOCKET)


@pytest.fixture
def servers() -> Iterator[dict[str, Postgres]]:
    with ExitStack() as stack:
        found: dict[str, Postgres] = {}
        for name in ("group", "north", "south"):
            found[name] = server = Postgres(wal="logical")
            stack.callback(server.remove)
            server.start()
            stack.callback(server.stop)
        yield found


@pytest.fixture
def sites(servers: dict[str, Postgres]) -> Iterator[list[Site]]:
    group = servers["group"]
    with ExitStack() as stack:
        found = []
        for name in ("north", "south"):
            store = stack.enter_context(closing(Store(open_database(servers[name].url, writing=True))))
            store.clock("UTC", "UTC")
            found.append(Site(name, servers[name], store, group.folder / name))
            psql(servers[name], "site.sql")
        yield found


def at_group(group: Postgres, site: Site) -> list[tuple[int, bytes]]:
    query = "SELECT sequence, body FROM events WHERE name = ? AND stream = ? ORDER BY sequence"
    with closing(open_database(group.url, writing=False)) as database:
        rows = database.rows(query, (site.table.name, site.table.stream))
    return [(int(sequence), str(body).encode()) for sequence, body in rows]


def has_all(group: Postgres, site: Site) -> bool:
    return at_group(group, site) == list(enumerate(site.table.payloads, 1))


def test_the_group_has_each_event_once_and_in_order_even_after_a_cut(
    servers: dict[str, Postgres], sites: list[Site]
) -> None:
    """Both sites have a table CC-01 with streams of the same name."""
    group, (north, south) = servers["group"], sites
    north.play()
    for site, name in ((north, "north"), (south, "south")):
        source = f"host={site.network} dbname=postgres user={BY}"
        psql(group, "group.sql", site=name, **{"from": source})
    south.play()
    for site in sites:
        soon(lambda site=site: has_all(group, site))  # type: ignore[misc]

    north.cut()
    before = at_group(group, north)
    for site in sites:
        site.play()
    soon(lambda: has_all(group, south))
    assert at_group(group, north) == before, "the network was not cut"
    group.kill()  # its power fails as well
    for site in sites:
        site.play()
    group.start()
    soon(lambda: has_all(group, south))
    assert at_group(group, north) == before
    north.mend()
    soon(lambda: has_all(group, north))


def test_events_that_a_site_drops_stay_at_the_group(servers: dict[str, Postgres], sites: list[Site]) -> None:
    group, (north, _) = servers["group"], sites
    north.play()
    source = f"host={north.network} dbname=postgres user={BY}"
    psql(group, "group.sql", site="north", **{"from": source})
    soon(lambda: has_all(group, north))
    with closing(open_database(north.server.url, writing=False)) as database:
        database.rows("DELETE FROM events WHERE sequence < 5")
        database.rows("ALTER TABLE events ADD COLUMN later TEXT")
    north.play()
    soon(lambda: has_all(group, north))
