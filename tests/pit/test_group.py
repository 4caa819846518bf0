"""Events of several sites reach a group by PostgreSQL's logical replication, even after a network cut."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from controller.cli import main
from controller.floor.pit import schema
from controller.floor.pit.copies import backup, restore_copy
from controller.floor.pit.database import StoreError
from controller.floor.pit.opening import open_database
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


def psql(url: str, file: str, **variables: str) -> None:
    given = [each for key, value in variables.items() for each in ("-v", f"{key}={value}")]
    command = ["psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", *given, "-f", str(RECIPE / file), url]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


class Site:
    """A pit's store in a separate server, and its table CC-01.

    `network`: folder with the socket through which the group reaches the server."""

    def __init__(self, name: str, server: Postgres, store: Store, network: Path) -> None:
        self.server, self.network = server, network
        self.take_into(store)
        self.table = Table(f"{name}.CC-01")
        network.mkdir()
        self.mend()

    def take_into(self, store: Store) -> None:
        self.store, self._intake = store, taking(store)

    def source(self, database: str = "postgres") -> str:
        return f"host={self.network} dbname={database} user={BY}"

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
            psql(servers[name].url, "site.sql")
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
        psql(group.url, "group.sql", site=name, **{"from": site.source()})
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
    psql(group.url, "group.sql", site="north", **{"from": north.source()})
    soon(lambda: has_all(group, north))
    with closing(open_database(north.server.url, writing=False)) as database:
        database.rows("DELETE FROM events WHERE sequence < 5")
        database.rows("ALTER TABLE events ADD COLUMN later TEXT")
    north.play()
    soon(lambda: has_all(group, north))


def test_the_group_continues_while_a_site_goes_back_by_two_versions_and_up_again(
    servers: dict[str, Postgres], sites: list[Site], capsys: pytest.CaptureFixture[str]
) -> None:
    group, (north, _), url = servers["group"], sites, servers["north"].url
    psql(group.url, "group.sql", site="north", **{"from": north.source()})
    north.play()
    soon(lambda: has_all(group, north))
    north.store.close()
    for _ in range(2):
        assert main(["pit", "downgrade", "--store", url]) == 0
    former = schema.SCHEMA_VERSION - 2
    assert f"the store is of version {former} now" in capsys.readouterr().out
    columns = "stream, sequence, kind, at, round, body"
    with closing(open_database(url, writing=False)) as database:
        # the statement of the former program; its row is another table's, and is removed again
        database.rows(f"INSERT INTO events (name, {columns}) SELECT 'north.CC-02', {columns} FROM events")  # noqa: S608  # of the test
    query = "SELECT count(*) FROM events WHERE name = 'north.CC-02'"
    with closing(open_database(group.url, writing=False)) as database:
        soon(lambda: database.rows(query) == [(len(north.table.payloads),)])
    with closing(open_database(url, writing=False)) as database:
        database.rows("DELETE FROM events WHERE name = 'north.CC-02'")
    with closing(Store(open_database(url, writing=True))) as store:
        assert schema.version_of(store._db) == schema.SCHEMA_VERSION
        north.take_into(store)
        north.play()
        soon(lambda: has_all(group, north))


def test_a_site_with_a_restored_store_continues_at_the_group(
    servers: dict[str, Postgres], sites: list[Site], tmp_path: Path
) -> None:
    """The copy is older than the group's events; the table sends the later ones to the site again."""
    group, (north, _), copy = servers["group"], sites, tmp_path / "copy.db"
    north.play()
    psql(group.url, "group.sql", site="north", **{"from": north.source()})
    backup(north.server.url, copy)
    copied = len(north.table.payloads)
    north.play()
    soon(lambda: has_all(group, north))
    with closing(open_database(north.server.url, writing=False)) as database:
        database.rows("CREATE DATABASE second")
    second = north.server.url.replace("/postgres?", "/second?")
    restore_copy(copy, second)
    psql(second, "site.sql")
    with closing(open_database(group.url, writing=False)) as database:
        for statement in ("DISABLE", "SET (slot_name = NONE)"):
            database.rows(f"ALTER SUBSCRIPTION north {statement}")
        database.rows("DROP SUBSCRIPTION north")
    with closing(open_database(north.server.url, writing=False)) as database:
        soon(lambda: database.rows("SELECT active FROM pg_replication_slots") == [(False,)])
        database.rows("SELECT pg_drop_replication_slot('north')")
    psql(group.url, "group.sql", site="north", **{"from": north.source("second")})
    with closing(Store(open_database(second, writing=True))) as store:
        north.take_into(store)
        take(north._intake, rooted(north.table, copied))
        north.play()
        soon(lambda: has_all(group, north))


def test_a_site_inserts_no_table_of_another_site(servers: dict[str, Postgres], sites: list[Site]) -> None:
    group, (north, south) = servers["group"], sites
    for site, name in ((north, "north"), (south, "south")):
        psql(group.url, "group.sql", site=name, **{"from": site.source()})
        site.play()
    for site in sites:
        soon(lambda site=site: has_all(group, site))  # type: ignore[misc]
    foreign = Table("east.CC-01")
    foreign.play()
    take(south._intake, rooted(foreign))
    log = group.folder / "log"
    soon(lambda: "table east.CC-01 is not of site south" in log.read_text(encoding="utf-8"))
    north.play()
    soon(lambda: has_all(group, north))
    with closing(open_database(group.url, writing=False)) as database:
        assert database.rows("SELECT DISTINCT name FROM events ORDER BY 1") == [
            ("north.CC-01",), ("south.CC-01",),
        ]  # fmt: skip


def test_the_group_skips_a_stored_event_and_refuses_other_content(
    servers: dict[str, Postgres], sites: list[Site]
) -> None:
    group, (north, _) = servers["group"], sites
    psql(group.url, "group.sql", site="north", **{"from": north.source()})
    north.play()
    soon(lambda: has_all(group, north))
    again = (
        "INSERT INTO events SELECT name, stream, sequence, kind, at, round, {} FROM events WHERE sequence = 1"
    )
    with closing(open_database(group.url, writing=False)) as database:
        database.rows(again.format("body"))
        with pytest.raises(StoreError, match=r"event 1 of table north.CC-01, stream .* other content"):
            database.rows(again.format("'{}'"))
    assert has_all(group, north)
