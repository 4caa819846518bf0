"""The log of a table with faults names no card at level DEBUG, including asyncio's log, and the search finds
a planted card."""

from __future__ import annotations

import logging

import pytest

from controller.cli import main
from controller.game.model.cards import DECK, Card
from controller.game.model.effects import Effect
from controller.game.model.events import Event, Stamp
from controller.game.table import Table
from tests.trials.two_worlds.search import faces_in_text

NIGHT = (
    "--no-wires", "--rounds", "3", "--speed", "max", "--json", "--headless", "--seed", "5", "--clumsy", "0.4",
    "--mischief", "0.4", "--voids", "0.2",
)  # fmt: skip


def logged(caplog: pytest.LogCaptureFixture) -> set[Card]:
    with caplog.at_level(logging.DEBUG):
        logging.getLogger("crisscross").debug("a night begins")
        assert main(["mock", *NIGHT]) == 0
    assert "a night begins" in caplog.text
    return faces_in_text(caplog.text, DECK)


def test_the_log_contains_no_card(caplog: pytest.LogCaptureFixture) -> None:
    assert logged(caplog) == set()


@pytest.mark.slow
def test_a_planted_face_is_found(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    handle, log = Table.handle, logging.getLogger("crisscross")

    def handle_and_log(table: Table, event: Event, at: Stamp) -> list[Effect]:
        log.debug("%s %s", event, getattr(event, "face", None))
        return handle(table, event, at)

    monkeypatch.setattr(Table, "handle", handle_and_log)
    assert logged(caplog)
