"""A journal of some rounds with errors, and its outbox, made once for all tests of this folder."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from controller.cli import main
from controller.floor.uplink import journal_follower as teller_
from controller.floor.uplink.journal_follower import JournalFollower
from controller.floor.uplink.outbox import Outbox, Ready

NIGHT = (
    "--no-wires", "--rounds", "2", "--speed", "max", "--json", "--headless", "--seed", "10", "--seats", "3",
    "--clumsy", "0.4", "--mischief", "0.4", "--voids", "0.2",
)  # fmt: skip
NAME = "CC-01"


def played(path: Path) -> Path:
    """Return the journal of a table that has ended."""
    assert main(["mock", *NIGHT, "--journal", str(path)]) == 0
    return path


def teller(journal: Path, outbox: Outbox, name: str = NAME) -> JournalFollower:
    return JournalFollower(journal, journal.with_name(f"{journal.name}.keys"), name, outbox)


def tell_all(journal: Path, outbox: Outbox, name: str = NAME) -> None:
    following = teller(journal, outbox, name)
    while following.step():
        pass


def derived_messages(journal: Path, path: Path, name: str = NAME) -> list[Ready]:
    """Return every message that a new outbox derives from this journal."""
    with closing(Outbox(path)) as outbox:
        tell_all(journal, outbox, name)
        return outbox.events(0, 10**9)


ROWS_AT_ONCE = f"{teller_.__name__}.ROWS_AT_ONCE"
