"""One function decides whether a journal is complete, and the start and every command use it.

It compares the journal with the number of rows in `.lock`, the number of checkpoints in the ratchet and the
signed sizes in `.cosigned`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from controller.cli import main
from controller.common.tlog.note import NoteSignature
from controller.game.model.events import KeyPressed, Stamp
from controller.game.model.names import Key
from controller.record.journal.completeness import read_counts
from controller.record.journal.files import reading
from controller.record.journal.journal import Journal, JournalEntry
from controller.record.journal.schema import NotOurJournal
from controller.record.seal.cosigned import CosignedLine, append_line, cosignatures_path
from tests.trials.edits.box import Box
from tests.trials.edits.play import played

STAMP = Stamp(10**12, "2030-01-01T00:00:00.000Z")
GONE = "rows that were there are gone: journal shortened"


@pytest.fixture(scope="module")
def played_box(tmp_path_factory: pytest.TempPathFactory) -> Box:
    return played(tmp_path_factory.mktemp("complete") / "box", 2, 8)


@pytest.fixture
def box(played_box: Box, tmp_path: Path) -> Box:
    return played_box.copy_journal(tmp_path / "box")


def in_the_log(box: Box) -> Path:
    """Return a journal whose last rounds are only in its -wal file, as after a power cut."""
    other = box.copy_journal(box.journal.parent / "other")
    with closing(Journal(box.journal)) as journal:
        for _ in range(9):
            journal.append([JournalEntry(KeyPressed(Key.FLOOR))], STAMP)
        for file in box.journal.parent.glob("journal.db*"):
            if file.is_file() and not file.name.endswith("-shm"):
                (other.journal.parent / file.name).write_bytes(file.read_bytes())
    return other.journal


def flipped(journal: Path) -> Path:
    """Flip one bit of the -wal file, so that SQLite drops everything after it; return the journal."""
    log = Path(f"{journal}-wal")
    content = bytearray(log.read_bytes())
    content[len(content) // 2] ^= 4
    log.write_bytes(bytes(content))
    return journal


def run_all_commands(path: Path, to: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, tuple[int, str]]:
    results = {}
    for name, command in {
        "verify": ["verify", str(path)],
        "backup": ["backup", str(path), str(to / "copy.db")],
        "archive": ["archive", str(path), "--to", str(to)],
        "rounds": ["rounds", "list", "--journal", str(path)],
        "export": ["rounds", "export", "--journal", str(path)],
        "shortened": ["journal", "shortened", str(path)],
    }.items():
        capsys.readouterr()
        status = main(command)
        captured = capsys.readouterr()
        results[name] = status, captured.out if name == "shortened" else captured.err
    return results


def test_a_flipped_bit_of_the_log_is_reported_alike_by_all_commands(
    box: Box, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = flipped(in_the_log(box))
    with pytest.raises(NotOurJournal, match=GONE) as start:
        Journal(path)
    found = re.search(r"(\d+) rows that were there", str(start.value))
    assert found is not None
    results = run_all_commands(path, tmp_path, capsys)
    assert {name: status for name, (status, _) in results.items()} == {
        "verify": 1, "backup": 2, "archive": 2, "rounds": 0, "export": 0, "shortened": 0,
    }  # fmt: skip
    for name in ("verify", "backup", "archive", "rounds", "export"):
        assert f"{found[1]} {GONE}" in results[name][1], name
    assert f"{found[1]} rows are lost" in results["shortened"][1]
    assert not (tmp_path / "copy.db").exists()


def test_a_journal_with_all_its_rows_is_complete_for_all(
    box: Box, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = in_the_log(box)
    results = run_all_commands(path, tmp_path, capsys)
    assert {name: status for name, (status, _) in results.items()} == {
        "verify": 0, "backup": 0, "archive": 0, "rounds": 0, "export": 0, "shortened": 1,
    }  # fmt: skip
    assert not [words for _, words in results.values() if "gone" in words]


def test_a_single_copy_is_reported_with_its_last_row(
    box: Box, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["backup", str(box.journal), str(tmp_path / "copy.db")]) == 0
    with reading(box.journal) as db:
        last = db.execute("SELECT max(seq) FROM events").fetchone()[0]
    capsys.readouterr()
    assert main(["verify", str(tmp_path / "copy.db")]) == 0
    assert (
        f"it ends at row {last}, and no .lock beside it says whether it had more" in capsys.readouterr().out
    )


def fewer_checkpoints(box: Box) -> None:
    key = box.keys / "ratchet.key"
    number, secret = key.read_text(encoding="ascii").split()
    key.write_text(f"{int(number) + 2} {secret}\n", encoding="ascii")


def fewer_leaves(box: Box) -> None:
    line = "— surveillance.example/w BBBBBQ" + "A" * 98
    append_line(cosignatures_path(box.journal), CosignedLine(99_999, NoteSignature.parse(line)))


@pytest.mark.parametrize(
    ("lose", "words"),
    [(fewer_checkpoints, "2 checkpoints that were there"), (fewer_leaves, "leaves that were there")],
)
def test_ratchet_and_witness_also_detect_a_loss(
    box: Box, tmp_path: Path, capsys: pytest.CaptureFixture[str], lose: Callable[[Box], None], words: str
) -> None:
    lose(box)
    with pytest.raises(NotOurJournal, match=words):
        Journal(box.journal)
    results = run_all_commands(box.journal, tmp_path, capsys)
    assert [name for name in ("verify", "backup", "archive", "rounds") if words not in results[name][1]] == []
    with closing(Journal(box.journal)) as journal:
        assert journal.lost_rows == 0, "a technician has confirmed it, and no row is lost"
        journal.append([JournalEntry(KeyPressed(Key.FLOOR))], STAMP)
    with closing(Journal(box.journal)):
        pass


def test_a_journal_without_other_files_has_no_loss(tmp_path: Path) -> None:
    noted = read_counts(tmp_path / "journal.db")
    assert (noted.rows, noted.checkpoints, noted.leaves, noted.accepted) == (None, 0, 0, "")


def test_a_restore_without_all_rows_is_reported(
    box: Box, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "copy.db"
    with closing(Journal(box.journal)) as journal:
        assert main(["backup", str(box.journal), str(copy)]) == 0
        journal.append([JournalEntry(KeyPressed(Key.FLOOR))], STAMP)
    box.journal.unlink()
    capsys.readouterr()
    assert main(["restore", str(copy), str(box.journal)]) == 0
    assert f"1 {GONE}" in capsys.readouterr().err
    assert main(["verify", str(box.journal)]) == 1
