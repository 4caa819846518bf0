"""A journal whose first rows were archived verifies as complete only if the user also names its archives."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from shutil import copytree

import pytest

from controller.cli import main
from controller.common.files.account import account
from controller.record.audit.integrity import verify_journal
from controller.record.audit.proof.sealed import Trust
from controller.record.journal.files import reading
from controller.record.journal.history import ARCHIVED, FOUND, read_acts
from controller.record.journal.journal import Journal
from controller.record.journal.schema import JournalError
from tests.archives import opened
from tests.keeping.test_archive import cut
from tests.trials.edits.box import Box
from tests.trials.edits.play import played

pytestmark = pytest.mark.slow

FIXTURE = Path(__file__).with_name("fixtures") / "cut_without_history.tar.gz"


@pytest.fixture(scope="module")
def played_box(tmp_path_factory: pytest.TempPathFactory) -> Box:
    return played(tmp_path_factory.mktemp("before") / "box", 5, 4)


@pytest.fixture
def box(played_box: Box, tmp_path: Path) -> Box:
    return played_box.copy_journal(tmp_path / "box")


@pytest.fixture(scope="module")
def archived(played_box: Box, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Return the folder of a journal whose first rows were archived, and the file name of the archive in this
    folder."""
    folder = tmp_path_factory.mktemp("archived") / "box"
    return folder, cut(played_box.copy_journal(folder)).name


@pytest.fixture
def cut_box(archived: tuple[Path, str], tmp_path: Path) -> tuple[Box, Path]:
    """Return a copy of the journal of `archived`, and the path of its archive."""
    folder, name = archived
    copy = copytree(folder, tmp_path / "cut")
    return Box(copy), copy / name


def words(box: Box, *archives: Path) -> str:
    try:
        verify_journal(box.journal, Trust(archives=archives))
    except JournalError as error:
        return str(error)
    return ""


def first_row(file: Path) -> int:
    with reading(file) as db:
        return int(db.execute("SELECT min(seq) FROM events").fetchone()[0])


def test_a_cut_journal_without_its_archive_is_incomplete(
    cut_box: tuple[Box, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    box, file = cut_box
    last = first_row(box.journal) - 1
    capsys.readouterr()
    assert main(["verify", str(box.journal)]) == 1
    assert f"begins after row {last}; rows 1 to {last} must be shown with --archive (archived " in (
        capsys.readouterr().err
    )
    assert main(["verify", str(box.journal), "--archive", str(file)]) == 0
    output = capsys.readouterr().out
    assert f"{box.journal}: archived at row {last} " in output


def test_every_earlier_archive_is_required(box: Box) -> None:
    first, second = cut(box, 0.4), cut(box, 0.9)
    begun, last = first_row(second) - 1, first_row(box.journal) - 1
    with reading(first) as db:
        shown = db.execute("SELECT max(seq) FROM events").fetchone()[0]
    assert words(box, second, first) == ""
    assert f"rows {shown + 1} to {last} must be shown" in words(box, first)
    assert f"rows 1 to {begun} must be shown" in words(box, second)


def test_the_act_contains_digest_file_and_time_of_the_archive(cut_box: tuple[Box, Path]) -> None:
    box, file = cut_box
    with reading(box.journal) as db:
        (act,) = read_acts(db)
    assert (act.act, act.body["file"], len(act.body["sha256"])) == (ARCHIVED, file.name, 64)
    assert act.utc
    assert account()


def test_an_archive_of_another_history_is_not_accepted(box: Box, tmp_path: Path) -> None:
    other = played(tmp_path / "other", 5, 99)
    cut(box)
    assert "must be shown with --archive: the archives given are" in words(box, cut(other))


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE events SET utc = '2026-01-01T00:00:00.000Z' WHERE seq = 9",
        "UPDATE settings SET digest = 'sha256:0'", "DELETE FROM opened WHERE period = 0",
        "CREATE VIEW own AS SELECT 1", "DELETE FROM checkpoints WHERE number = 0",
    ],
)  # fmt: skip
def test_a_changed_archive_is_reported(cut_box: tuple[Box, Path], change: str) -> None:
    box, file = cut_box
    with closing(sqlite3.connect(file)) as db, db:
        db.execute(change)
    assert file.name in words(box, file)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE settings SET pack = replace(pack, '1', '2')", "UPDATE figures SET sums = '{}'",
        "UPDATE leaves SET hash = zeroblob(32) WHERE n = 0", "UPDATE base SET size = size + 1",
        "UPDATE base SET frontier = '0'", "UPDATE base SET seq = seq - 1", "DELETE FROM base",
    ],
)  # fmt: skip
def test_the_journal_s_copies_are_compared_with_the_archive(cut_box: tuple[Box, Path], change: str) -> None:
    box, file = cut_box
    with closing(sqlite3.connect(box.journal)) as db, db:
        for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            db.execute(f"DROP TRIGGER {name}")
        db.execute(change)
    assert words(box, file)


def test_an_archive_is_verified_only_with_the_option_archive(
    cut_box: tuple[Box, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    _, file = cut_box
    capsys.readouterr()
    assert main(["verify", str(file)]) == 1
    assert "it bears the mark of an archive" in capsys.readouterr().err
    assert main(["verify", "--archive", str(file)]) == 0
    with pytest.raises(JournalError, match="no table plays in one"):
        Journal(file)


def test_verify_without_a_file_is_refused_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_journal_cut_by_an_earlier_version_is_adopted_and_requires_its_archive(tmp_path: Path) -> None:
    """Journal, archive and keys are stored files of a version before acts on a journal were recorded, and are
    never regenerated."""
    with opened(FIXTURE) as packed:
        packed.extractall(tmp_path)  # `tests.archives.opened` sets the filter
    journal, (file,) = tmp_path / "journal.db", tmp_path.glob("journal-*.db")
    box = Box(tmp_path)
    last = first_row(journal) - 1
    for adopted in ([], [FOUND]):
        assert words(box).endswith(f"rows 1 to {last} must be shown with --archive")
        assert words(box, file) == ""
        with reading(journal) as db:
            assert [act.act for act in read_acts(db)] == adopted
        Journal(journal).close()


def test_the_start_refuses_a_beginning_that_contradicts_the_history(box: Box) -> None:
    cut(box)
    with closing(sqlite3.connect(box.journal)) as db, db:
        db.execute("UPDATE history SET act = ?", (FOUND,))
    with pytest.raises(JournalError, match="history"):
        Journal(box.journal)
