"""The mock prints the right text at its start and, at its end, states where the rounds are kept."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from controller.cli import main
from controller.mock.bench.bench import Hands
from controller.mock.run import Mock, closing_line, welcome

ONE_ROUND = ["mock", "--no-wires", "--headless", "--seats", "1", "--rounds", "1", "--seed", "1"]


def test_the_last_line_names_the_option_that_keeps_the_rounds() -> None:
    assert "gone" in closing_line(None) and "--journal FILE" in closing_line(None)


def test_the_last_line_names_no_journal_that_was_deleted_meanwhile(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    journal, play = tmp_path / "journal.db", Mock._rounds

    async def then_deleted(mock: Mock, hands: Hands) -> int:
        status = await play(mock, hands)
        journal.unlink()
        return status

    monkeypatch.setattr(Mock, "_rounds", then_deleted)
    assert main([*ONE_ROUND, "--journal", str(journal)]) == 0
    assert f"Its last rounds are not in {journal}: " in capsys.readouterr().err.splitlines()[-1]


def test_only_at_a_closed_table_the_welcome_asks_to_open_it() -> None:
    assert "OPEN THE TABLE" in welcome("http://127.0.0.1:1/", "closed")
    goes_on = welcome("http://127.0.0.1:1/", "settlement")
    assert "OPEN THE TABLE" not in goes_on and "Ctrl-C" in goes_on


def test_the_command_in_the_last_line_lists_the_rounds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal = tmp_path / "a night.db"
    assert main([*ONE_ROUND, "--journal", str(journal)]) == 0
    named = capsys.readouterr().err.strip().splitlines()[-1].partition(": crisscross ")[2]
    assert main(shlex.split(named)) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2  # the two printed lines are the head and the round


def test_a_second_run_continues_the_journal_of_the_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The clock continues as well, so no row is earlier than the row before it."""
    journal = tmp_path / "journal.db"
    for _ in range(2):
        assert main([*ONE_ROUND, "--journal", str(journal)]) == 0
    assert main(["verify", str(journal)]) == 0
    assert "2 rounds replayed" in capsys.readouterr().out
