"""Fixtures: an empty store of each kind for each test, and a log without rate limits."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from controller.floor.pit import serve
from controller.floor.pit.ingest import Intake
from controller.floor.pit.opening import open_database
from controller.floor.pit.store import Store
from tests.pit.postgres import Postgres
from tests.pit.published_tables import AT
from tests.pit.served import Served
from tests.uplink.broker import broker

__all__ = ["broker"]


@pytest.fixture(autouse=True)
def unlimited_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """Switch off the log's rate limit for one test. A test of the whole service would otherwise leave it in
    force for all later tests."""
    monkeypatch.setattr(serve, "rate_limit", lambda *_names: None)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    server = Postgres()
    server.start()
    yield server
    server.stop()
    server.remove()


@pytest.fixture(params=("sqlite", "postgresql"))
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Yield the URL of an empty store. Each test runs once for each kind of database."""
    if request.param == "sqlite":
        yield str(tmp_path / "pit.db")
        return
    server: Postgres = request.getfixturevalue("postgres")
    yield server.url
    database = open_database(server.url, writing=False)
    database.rows("DROP SCHEMA public CASCADE")
    database.rows("CREATE SCHEMA public")
    database.close()


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    with closing(Store(open_database(url, writing=True))) as opened:
        yield opened


@pytest.fixture
def intake(store: Store) -> Intake:
    return Intake(store, "UTC", lambda: AT, {})


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    server = Served(tmp_path)
    yield server
    server.stop()
