"""Open store and the intake that fills it, for tests that compute the figures again from the events."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from controller.floor.pit.ingest import Intake
from controller.floor.pit.opening import open_database
from controller.floor.pit.store import Store
from tests.pit.test_streams import AT


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    with closing(Store(open_database(url, writing=True))) as opened:
        opened.clock("UTC", "UTC")
        yield opened


def taking(store: Store) -> Intake:
    return Intake(store, "UTC", lambda: AT, {})
