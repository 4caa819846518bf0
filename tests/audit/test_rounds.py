"""The records of rounds rebuilt from a journal equal those that were written when the rounds ended."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from controller.cli import main
from controller.common.files.money import dollars
from controller.game.model.events import RoundCorrected, Stamp
from controller.game.model.names import Wager
from controller.record.journal.journal import Journal, JournalEntry

ROUNDS = 4


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """Play a few rounds; return the journal's path and the records as lines."""
    folder = tmp_path_factory.mktemp("played")
    journal, output = folder / "journal.db", folder / "told.jsonl"
    with output.open("w") as out, pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdout", out)
        arguments = [
            "mock",
            "--no-wires",
            "--rounds",
            str(ROUNDS),
            "--seed",
            "11",
            "--speed",
            "max",
            "--json",
        ]
        assert main([*arguments, "--journal", str(journal)]) == 0
    return journal, output.read_text().splitlines()


def test_every_rebuilt_round_equals_its_record(
    played: tuple[Path, list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    journal, records = played
    assert main(["rounds", "export", "--journal", str(journal)]) == 0
    rebuilt = capsys.readouterr().out.splitlines()
    assert [json.loads(line) for line in rebuilt] == [json.loads(line) for line in records]
    assert len(rebuilt) == ROUNDS


def test_one_round_is_shown_in_words_and_as_its_record(
    played: tuple[Path, list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    journal, records = played
    assert main(["rounds", "show", "2", "--json", "--journal", str(journal)]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(records[1])
    assert main(["rounds", "show", "2", "--journal", str(journal)]) == 0
    words = capsys.readouterr().out
    assert words.startswith("Round 2 · Times: ")
    assert "Across ante" in words and "From beginning to end" in words


def test_a_correction_is_shown_with_its_round_everywhere(
    played: tuple[Path, list[str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The correction is an entry of its own in the journal; the round itself is unchanged."""
    file = tmp_path / "corrected.db"
    shutil.copy(played[0], file)
    shutil.copytree(f"{played[0]}.keys", f"{file}.keys")
    with closing(Journal(file)) as journal:
        last = journal.last_stamp()
        assert last is not None
        event = RoundCorrected("B1", 2, 3, Wager.ACROSS, -2500, "paid twice")
        journal.append([JournalEntry(event)], Stamp(last.ms + 1, "2026-11-20T21:00:00.000Z"))
    assert main(["rounds", "export", "--journal", str(file)]) == 0
    rebuilt = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    [entry] = rebuilt[1].pop("corrections")
    records = [json.loads(line) for line in played[1]]
    assert rebuilt == [
        records[0], {key: records[1][key] for key in records[1] if key != "corrections"}, *records[2:]
    ]  # fmt: skip
    assert (entry["cents"], entry["who"], entry["when"]) == (-2500, "B1", "2026-11-20T21:00:00.000Z")
    assert main(["rounds", "show", "2", "--journal", str(file)]) == 0
    out = capsys.readouterr().out
    assert "player has $25 less · paid twice" in out
    net = sum(seat["paid"] - seat["taken"] for seat in records[1]["seats"]) - 2500
    assert f"Result after corrections {dollars(net)}" in out
    assert main(["rounds", "list", "--journal", str(file)]) == 0
    listed = [line.split()[0] for line in capsys.readouterr().out.splitlines() if "corrected" in line]
    assert listed == ["2"]


def test_a_missing_round_is_reported(
    played: tuple[Path, list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rounds", "show", "99", "--journal", str(played[0])]) == 1
    assert capsys.readouterr().err == f"{played[0]}: has no round 99\n"


def test_verify_reports_an_intact_journal_as_complete(
    played: tuple[Path, list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", str(played[0])]) == 0
    assert re.search(rf" {ROUNDS} rounds replayed, until 20[\d-]+T[\d:.]+Z\n", capsys.readouterr().out)


def test_verify_finds_a_removed_row(
    played: tuple[Path, list[str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The row is removed with a tool that bypasses the triggers of the journal."""
    copy = tmp_path / "copy.db"
    source, target = sqlite3.connect(played[0]), sqlite3.connect(copy)
    source.backup(target)
    source.close()
    for name, _ in target.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall():
        target.execute(f"DROP TRIGGER {name}")
    last = target.execute("SELECT max(seq) FROM events").fetchone()[0]
    target.execute("DELETE FROM events WHERE seq = ?", (last - 3,))
    target.commit()
    target.close()
    assert main(["verify", str(copy)]) in (1, 2)
    assert str(last - 3) in capsys.readouterr().err


def test_a_file_other_than_a_journal_is_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "x.db").write_text("not a database")
    assert main(["verify", str(tmp_path / "x.db")]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert main(["rounds", "list", "--journal", str(tmp_path / "none.db")]) == 2
    assert "there is no such file" in capsys.readouterr().err


def test_the_printed_tables_name_every_phase_and_lamp(capsys: pytest.CaptureFixture[str]) -> None:
    from controller.game.model.names import Phase
    from controller.game.showing.lamps import LampState

    assert main(["states"]) == 0
    out = capsys.readouterr().out
    assert all(f"| `{phase}` |" in out for phase in Phase)
    assert all(f"| `{lamp}` |" in out for lamp in LampState)
