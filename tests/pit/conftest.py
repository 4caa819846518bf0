"""Fixtures: an empty store of each kind for each test, and a log without rate limits."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.floor.pit import serve
from controller.floor.pit.database import open_database
from tests.pit.postgres import Postgres


@pytest.fixture(autouse=True)
def unlimited_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """Switch off the log's rate limit, which a test of the whole service would leave behind for all later
    ones."""
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
    """Yield the URL of an empty store."""
    if request.param == "sqlite":
        yield str(tmp_path / "pit.db")
        return
    server: Postgres = request.getfixturevalue("postgres")
    yield server.url
    database = open_database(server.url, writing=False)
    database.rows("DROP SCHEMA public CASCADE")
    database.rows("CREATE SCHEMA public")
    database.close()
