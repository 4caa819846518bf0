"""`crisscross backup` copies a journal to one complete file while play goes on, and `restore` restores it."""

from __future__ import annotations

import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from controller.cli import main
from controller.game.model.cards import DECK
from controller.game.model.events import CardLeftShoe, Stamp
from controller.record.journal.journal import Journal, JournalEntry
from tests.trials.edits.box import Box
from tests.trials.edits.play import played

STAMP = Stamp(10**12, "2030-01-01T00:00:00.000Z")


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Box:
    return played(tmp_path_factory.mktemp("copies") / "box", 3, 3)


def test_a_copy_is_one_private_file_with_every_round(
    box: Box, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    to = tmp_path / "copy.db"
    capsys.readouterr()
    assert main(["backup", str(box.journal), str(to)]) == 0
    assert "3 rounds" in capsys.readouterr().out
    assert sorted(tmp_path.iterdir()) == [to]
    assert stat.S_IMODE(to.stat().st_mode) == 0o600
    for command in (["rounds", "export", "--journal"], ["verify"]):
        assert main([*command, str(to)]) == 0
    assert capsys.readouterr().out.count('"type": "round"') == 3


def test_a_copy_made_during_play_shows_no_card_of_the_round_in_play(
    box: Box, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = box.copy_journal(tmp_path / "own")
    with closing(Journal(own.journal)) as journal:
        journal.append([JournalEntry(CardLeftShoe(1, DECK[5]))], STAMP)
        assert main(["backup", str(own.journal), str(tmp_path / "copy.db")]) == 0
    capsys.readouterr()
    assert main(["verify", str(tmp_path / "copy.db")]) == 0
    assert "the last 1 events belong to a round that has not ended, and are sealed" in capsys.readouterr().out


def test_a_restored_copy_is_a_usable_journal(box: Box, tmp_path: Path) -> None:
    own = box.copy_journal(tmp_path / "own")
    assert main(["backup", str(own.journal), str(tmp_path / "copy.db")]) == 0
    own.journal.unlink()
    assert main(["restore", str(tmp_path / "copy.db"), str(own.journal)]) == 0
    with closing(Journal(own.journal)) as journal:
        journal.append([JournalEntry(CardLeftShoe(1, DECK[5]))], STAMP)


@pytest.mark.parametrize("command", ["backup", "restore"])
def test_an_existing_file_is_not_overwritten(
    box: Box, tmp_path: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    to = tmp_path / "there.db"
    to.write_text("mine")
    capsys.readouterr()
    assert main([command, str(box.journal), str(to)]) == 2
    assert "is there already" in capsys.readouterr().err
    assert to.read_text() == "mine"


def test_a_damaged_copy_is_not_restored(box: Box, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy = box.copy_journal(tmp_path / "own").journal
    with closing(sqlite3.connect(copy)) as db, db:
        db.execute("UPDATE results SET round = 7 WHERE n = 1")
    capsys.readouterr()
    assert main(["restore", str(copy), str(tmp_path / "new.db")]) == 2
    assert "not as it was written" in capsys.readouterr().err
    assert not list(tmp_path.glob("*new.db*"))


def test_an_unwritable_destination_is_reported_in_one_line(
    box: Box, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    to = tmp_path / "none" / "copy.db"
    capsys.readouterr()
    assert main(["backup", str(box.journal), str(to)]) == 2
    assert capsys.readouterr().err == f"{to}: cannot be written: No such file or directory\n"
