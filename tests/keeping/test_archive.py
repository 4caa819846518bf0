"""`crisscross archive` moves old rows from the journal to separate files without a gap."""

from __future__ import annotations

import json
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from controller.cli import main
from controller.common import clock
from controller.game.model.events import KeyPressed
from controller.game.model.names import Key
from controller.record.audit.integrity import verify_archives, verify_journal
from controller.record.audit.proof.sealed import Trust
from controller.record.backup import archive
from controller.record.backup.archive import MIN_DAYS, archive_rows, removable
from controller.record.journal.files import reading
from controller.record.journal.journal import Journal, JournalEntry
from controller.record.seal.keys import Keys, hand_over
from controller.record.timeline.archive import Archive
from tests.ended import read_rounds
from tests.trials.edits.box import Box
from tests.trials.edits.play import played

pytestmark = pytest.mark.slow

ROUNDS = 5


@pytest.fixture(scope="module")
def played_box(tmp_path_factory: pytest.TempPathFactory) -> Box:
    return played(tmp_path_factory.mktemp("archive") / "box", ROUNDS, 4)


@pytest.fixture
def box(played_box: Box, tmp_path: Path) -> Box:
    return played_box.copy_journal(tmp_path / "box")


def after(box: Box, days: int, share: float = 1.0) -> datetime:
    """Return the time `days` days after a row of the journal. `share`: place of this row, from 0 for the
    first to 1 for the last."""
    with reading(box.journal) as db:
        first, last = db.execute("SELECT min(seq), max(seq) FROM events").fetchone()
        row = first + int((last - first) * share)
        utc = db.execute("SELECT utc FROM events WHERE seq = ?", (row,)).fetchone()[0]
    return datetime.fromisoformat(utc) + timedelta(days=days)


def cut(box: Box, share: float = 0.6) -> Path:
    done = archive_rows(box.journal, box.journal.parent, after(box, MIN_DAYS, share), MIN_DAYS)
    assert done is not None
    return done[0]


def numbers(file: Path) -> list[int]:
    return [record["round"] for record in read_rounds(file)]


def test_no_round_is_lost_and_each_file_can_be_verified_by_itself(box: Box, played_box: Box) -> None:
    before = {record["round"]: record for record in read_rounds(played_box.journal)}
    file = cut(box)
    found = {record["round"]: record for each in (file, box.journal) for record in read_rounds(each)}
    assert json.dumps(found) == json.dumps(before)
    assert 0 < len(numbers(box.journal)) < ROUNDS
    with hand_over(box.keys) as first:
        trust = Trust(Keys.read(box.keys).signing.verifier(), bytes.fromhex(first), archives=[file])
    for whole in (verify_journal(box.journal, trust), *verify_archives(trust)):
        assert whole.proven is not None
        assert whole.proven.sealed
    for each in (file, box.journal):
        with reading(each) as db:
            kept = db.execute("SELECT n FROM results WHERE kind = 'record' ORDER BY n").fetchall()
            assert db.execute("SELECT n FROM lines ORDER BY n").fetchall() == kept


def test_archive_and_journal_overlap(box: Box) -> None:
    file = cut(box)
    with reading(file) as old, reading(box.journal) as new:
        last = old.execute("SELECT max(seq) FROM events").fetchone()[0]
        first = new.execute("SELECT min(seq) FROM events").fetchone()[0]
        end = old.execute("SELECT max(size) FROM checkpoints").fetchone()[0]
        assert end == old.execute("SELECT max(n) + 1 FROM leaves").fetchone()[0]
    assert 1 < first <= last


def test_a_second_archive_continues_the_first(box: Box) -> None:
    first = cut(box, 0.4)
    with closing(Journal(box.journal)) as journal:
        stamp = journal.last_stamp()
        assert stamp is not None
        journal.append([JournalEntry(KeyPressed(Key.FLOOR))], stamp)
    second = cut(box, 0.9)
    archived = [number for each in (first, second, box.journal) for number in numbers(each)]
    assert sorted(set(archived)) == list(range(1, ROUNDS + 1))
    assert main(["verify", str(box.journal), "--archive", str(second), str(first)]) == 0
    assert main(["verify", "--archive", str(first), str(second)]) == 0


def test_rounds_are_read_and_proven_from_archive_and_journal(box: Box, tmp_path: Path) -> None:
    file = cut(box)
    number = numbers(box.journal)[-1]
    for each, wanted in ((file, 1), (box.journal, number)):
        reader = Archive(each)
        assert reader.story(wanted) is not None
        to = tmp_path / f"{wanted}.proof"
        assert main(["rounds", "prove", str(wanted), "--journal", str(each), "--to", str(to)]) == 0


def test_a_start_after_the_archive_has_snapshots_and_figures(box: Box) -> None:
    cut(box)
    with closing(Journal(box.journal)) as journal:
        assert list(journal.snapshots())
        assert journal.figures()[1]


def test_the_last_days_stay_in_the_journal(box: Box) -> None:
    for days in (0, MIN_DAYS - 1):
        assert archive_rows(box.journal, box.journal.parent, after(box, days), 0) is None


def test_an_archive_interrupted_by_a_power_cut_is_completed_by_the_next_call(
    box: Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The power is cut after the archive is written and before its rows leave the journal. The next call
    removes these rows."""
    with monkeypatch.context() as patch:
        patch.setattr(archive, "_move_beginning", lambda *_: None)
        file = cut(box)
    before = file.stat().st_mtime_ns
    assert cut(box) == file
    assert file.stat().st_mtime_ns == before
    assert len(numbers(box.journal)) < ROUNDS


# ---------------------------------------------------------------------- retention


def test_archives_older_than_the_retention_are_removed(box: Box) -> None:
    file = cut(box)
    folder = box.journal.parent
    assert list(removable(box.journal, folder, after(box, 200), 400, 0)) == []
    assert list(removable(box.journal, folder, after(box, 200), MIN_DAYS, 0)) == [file]


def test_archives_except_the_last_days_are_removed_when_the_disk_is_full(box: Box) -> None:
    file = cut(box)
    folder, all_of_it = box.journal.parent, 2**60
    assert list(removable(box.journal, folder, after(box, 200), None, all_of_it)) == [file]
    assert list(removable(box.journal, folder, after(box, 200), None, 0)) == []
    assert list(removable(box.journal, folder, after(box, 1), MIN_DAYS, all_of_it)) == []


def test_the_command_archives_and_removes_by_its_options(
    box: Box, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ["archive", str(box.journal), "--to", str(box.journal.parent)]
    for days, words in ((1, "holds no day that is older than 90 days"), (200, "-0000000001-")):
        now = after(box, days)
        monkeypatch.setattr(clock, "utc_now", now.isoformat)
        capsys.readouterr()
        assert main(command) == 0
        assert words in capsys.readouterr().out
    assert main([*command, "--keep-days", "90"]) == 0
    assert "removed" in capsys.readouterr().out


@pytest.mark.parametrize("wrong", [["--days", "30"], ["--keep-days", "x"], ["--free-gib", "-1"]])
def test_options_out_of_range_are_refused(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["archive", "journal.db", "--to", "folder", *wrong])
    assert "a whole number from " in capsys.readouterr().err
