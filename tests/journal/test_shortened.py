"""If a journal has lost its last rows, play continues only after a technician has confirmed the loss and a
floorperson has then decided (controller/COMMANDS.md, A journal that lost its end)."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from controller.cli import main
from controller.game.model.events import FloorDecided, KeyPressed, Stamp, Started
from controller.game.model.names import SEATS, Key, Phase, Wager
from controller.record.journal.journal import Journal, JournalEntry
from controller.record.journal.schema import NotOurJournal
from tests.game.felt import Felt
from tests.game.test_irregularities import dealt, held, noted, returned
from tests.runtime.child import run_arguments, started, table_file

STAMP = Stamp(0, "2026-11-22T20:00:00.000Z")
EVERY = tuple((seat, wager) for seat in SEATS for wager in Wager)


def cut(path: Path, kept: int) -> None:
    """Remove all rows after the first `kept`, although the disk had reported them as written."""
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("DROP TRIGGER IF EXISTS events_DELETE")
        first = "SELECT min(n) FROM leaves WHERE what = 'events' AND seq > ?"
        db.execute(f"DELETE FROM leaves WHERE n >= ({first})", (kept,))  # noqa: S608
        db.execute("DELETE FROM snapshots WHERE seq > ?", (kept,))
        db.execute("DELETE FROM events WHERE seq > ?", (kept,))


def shortened(folder: Path, kept: int = 3) -> Path:
    """Return a journal of five rows that has lost all rows after the first `kept`."""
    path = folder / "journal.db"
    with closing(Journal(path)) as journal:
        journal.append([JournalEntry(KeyPressed(Key.CONFIRM))] * 5, STAMP)
        journal.store_snapshot("{}")
    cut(path, kept)
    return path


# ------------------------------------------------------------------ the technician


def test_the_daemon_s_line_names_the_command_and_the_command_names_the_loss(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = shortened(tmp_path)
    with pytest.raises(NotOurJournal, match=f"lost for good, `crisscross journal shortened {path}` says so"):
        Journal(path)
    assert main(["journal", "shortened", str(path)]) == 0
    assert "2 rows are lost: it ends at row 3 and had 5" in capsys.readouterr().out
    with closing(Journal(path)) as journal:
        assert (journal.head, journal.lost_rows) == (3, 2)


def test_it_is_said_until_a_row_is_written_and_then_never_again(tmp_path: Path) -> None:
    path = shortened(tmp_path)
    main(["journal", "shortened", str(path)])
    for _ in range(2):
        with closing(Journal(path)) as journal:
            assert journal.lost_rows == 2
    with closing(Journal(path)) as journal:
        journal.append([JournalEntry(Started((), rows_gone=journal.lost_rows))], STAMP)
    with closing(Journal(path)) as journal:
        assert journal.lost_rows == 0


def test_a_confirmation_applies_only_to_its_loss(tmp_path: Path) -> None:
    path = shortened(tmp_path)
    main(["journal", "shortened", str(path)])
    cut(path, 2)
    with pytest.raises(NotOurJournal, match="ends at row 2 and had 5 rows"):
        Journal(path)


def test_a_missing_file_is_confirmed_in_the_same_way(tmp_path: Path) -> None:
    path = shortened(tmp_path)
    path.unlink()
    assert main(["journal", "shortened", str(path)]) == 0
    with closing(Journal(path)) as journal:
        assert (journal.head, journal.lost_rows) == (0, 5)


def test_without_a_loss_there_is_no_confirmation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = shortened(tmp_path, kept=5)
    assert main(["journal", "shortened", str(path)]) == 1
    assert "has all its 5 rows" in capsys.readouterr().err


def test_a_loss_cannot_be_confirmed_while_the_daemon_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = shortened(tmp_path, kept=5)
    with closing(Journal(path)):
        assert main(["journal", "shortened", str(path)]) == 2
    assert "another daemon holds it" in capsys.readouterr().err


# ------------------------------------------------------------------ the floorperson


def lost(felt: Felt, rows: int = 3) -> None:
    felt.event(Started(EVERY, rows_gone=rows))


def test_a_round_in_play_is_held_with_the_number_of_lost_rows() -> None:
    felt = dealt()
    lost(felt)
    assert held(felt) == ("journal_shortened", None, ("go_on", "void", "remove_deck"))
    hold = felt.table.view()["hold"]
    assert hold is not None
    assert hold["rows"] == 3


def test_going_on_as_it_stands_needs_a_reason_and_is_in_the_record() -> None:
    felt = dealt()
    lost(felt)
    refusal = felt.refused(FloorDecided("B1", "outcome", outcome="go_on"))
    assert refusal is not None
    assert refusal.code == "reason_needed"
    felt.floor("outcome", outcome="go_on", reason="felt and screen agree")
    assert (felt.phase, felt.table.state.rows_gone) == (Phase.ACROSS, 0)
    assert noted(felt) == [("journal_shortened", True)]
    assert felt.round.irregularities[-1].reason == "felt and screen agree"


def test_a_void_after_a_loss_returns_every_wager() -> None:
    felt = dealt()
    lost(felt)
    felt.floor("outcome", outcome="void", reason="nobody knows what was bet")
    assert felt.phase is Phase.VOID
    assert sum(returned(felt).values()) == 2 * 2500


@pytest.mark.parametrize("again", [1, 2])
def test_neither_a_start_nor_a_key_ends_the_hold(again: int) -> None:
    felt = dealt()
    lost(felt)
    for _ in range(again):
        felt.event(Started(EVERY))
    refusal = felt.refused(KeyPressed(Key.CONFIRM))
    assert refusal is not None
    assert held(felt)[0] == "journal_shortened"
    assert felt.table.state.rows_gone == 3


def test_between_rounds_the_only_decision_is_to_continue() -> None:
    felt = Felt()
    lost(felt)
    assert held(felt) == ("journal_shortened", "go_on", ("go_on",))
    felt.floor("approve", reason="nothing lies here")
    assert felt.phase is Phase.BETTING


def test_behind_another_hold_the_loss_waits_and_survives_a_void() -> None:
    """A void ends only the round; the decision about the lost rows still has to be made."""
    felt = dealt()
    felt.report("face_seen")
    lost(felt)
    assert held(felt)[0] == "face_seen"
    felt.floor("outcome", outcome="void")
    returned(felt)
    felt.stand()
    assert held(felt) == ("journal_shortened", "go_on", ("go_on",))


# ------------------------------------------------------------------ the daemon


@pytest.mark.serial
async def test_the_daemon_starts_with_a_hold_that_is_journalled(tmp_path: Path) -> None:
    file = table_file(tmp_path, method="hand", shoe=None)
    path = tmp_path / "journal.db"
    async with started(tmp_path, run_arguments(file)) as child:
        await child.ready()
        await child.touch(do="sign_on", number="D7")
        await child.end()
    cut(path, last(path) - 1)
    assert main(["journal", "shortened", str(path)]) == 0
    async with started(tmp_path, run_arguments(file)) as child:
        await child.ready()
        view = await child.get("/api/view")
        await child.end()
    assert (view["phase"], view["dealer"]) == ("held", None)
    assert (view["hold"]["code"], view["hold"]["rows"]) == ("journal_shortened", 1)
    with closing(Journal(path)) as journal:
        starts = [row.event() for row in journal.rows() if row.kind == "Started"]
    assert [start.rows_gone for start in starts if isinstance(start, Started)] == [0, 1]


def last(path: Path) -> int:
    with closing(Journal(path)) as journal:
        return journal.head
