"""Fixture with a journal of play, made once, for the tests of the uplink."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path

import pytest

from controller.floor.uplink.outbox import Outbox
from tests.uplink.broker import broker
from tests.uplink.night import played, tell_all

__all__ = ["broker"]


@pytest.fixture(scope="session")
def night(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a journal, its keys and its outbox; a test that changes one copies it first."""
    folder = tmp_path_factory.mktemp("night")
    journal = played(folder / "journal.db")
    with closing(Outbox(folder / "journal.db.uplink")) as outbox:
        tell_all(journal, outbox)
    return journal


@pytest.fixture
def own(night: Path, tmp_path: Path) -> Path:
    """Return a copy of `night` for one test."""
    shutil.copytree(night.parent, tmp_path / "own")
    return tmp_path / "own" / night.name
