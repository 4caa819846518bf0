"""A mock table with a cheat who knows a card of the Down pair."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.cli import main

CHEAT, ROUNDS = 2, 45


@pytest.fixture(scope="session")
def cheated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the journal of a mock table at which seat 2 knows the far card of the Down pair."""
    file = tmp_path_factory.mktemp("watched") / "journal.db"
    played = [
        "mock", "--no-wires", "--headless", "--json", "--rounds", str(ROUNDS), "--seed", "5", "--seats", "3",
        "--cheat", "down_far", "--seat", str(CHEAT), "--journal", str(file),
    ]  # fmt: skip
    assert main(played) == 0
    return file
