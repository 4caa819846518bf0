"""Journal of a mock table with a cheat who knows a card of the Down pair, and its evidence."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

import pytest

from controller.cli import main
from controller.evidence.running_evidence import Chosen, Ended, RunningEvidence
from controller.evidence.running_shoes import RunningShoes

CHEAT, ROUNDS = 2, 45


@pytest.fixture(scope="session")
def cheated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the journal of a mock table at which seat 2 knows the far card of the Down pair. All workers
    share the journal; the first worker that needs it plays it."""
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "watched"
    folder.mkdir(exist_ok=True)
    file, whole = folder / "journal.db", folder / "whole"
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not whole.exists():
            _play(file)
            whole.touch()
    return file


def _play(file: Path) -> None:
    played = [
        "mock", "--no-wires", "--headless", "--json", "--rounds", str(ROUNDS), "--seed", "5", "--seats", "3",
        "--cheat", "down_far", "--seat", str(CHEAT), "--journal", str(file),
    ]  # fmt: skip
    assert main(played) == 0


@pytest.fixture(scope="session")
def ended(cheated: Path) -> list[Ended]:
    """Return the rounds of the journal of `cheated`."""
    return RunningEvidence(Chosen([cheated])).read()


@pytest.fixture(scope="session")
def evidence(cheated: Path) -> RunningEvidence:
    """Return the evidence of all rounds of the journal of `cheated`."""
    found = RunningEvidence(Chosen([cheated]))
    found.read_all()
    return found


@pytest.fixture(scope="session")
def shoes(cheated: Path, ended: list[Ended]) -> RunningShoes:
    """Return the evidence of the shoe of that table, which got the rounds in two parts."""
    found = RunningShoes([cheated])
    found.add(ended[:20])
    found.add(ended[20:])
    return found
