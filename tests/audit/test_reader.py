"""The process that reads rounds returns to a page all data that the page needs and none that it must not
get."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
from collections import Counter
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from controller.cli import main
from controller.record.journal.files import reading
from controller.record.journal.journal import Journal, JournalEntry
from controller.record.journal.round_summary import SHAPE
from controller.record.journal.rows import ResultHead, read_rows
from controller.record.timeline import archive, luck, reader
from controller.record.timeline.archive import Archive
from controller.table.display_source.round_reader_client import ENDED, RoundReaderClient
from tests.audit.timeline_checks import check_timelines

ROUNDS = 6


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[dict[str, Any]]]:
    """Play with a clumsy dealer and ill-behaved players; return the journal's path and its records."""
    folder = tmp_path_factory.mktemp("played")
    journal, output = folder / "journal.db", folder / "told.jsonl"
    people = ["--clumsy", "0.4", "--mischief", "0.4", "--voids", "0.2", "--seed", "5"]
    with output.open("w") as out, pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdout", out)
        arguments = ["mock", "--no-wires", "--rounds", str(ROUNDS), "--speed", "max", "--json", *people]
        assert main([*arguments, "--journal", str(journal)]) == 0
    return journal, [json.loads(line) for line in output.read_text().splitlines()]


def ask_reader(journal: Path, **question: Any) -> Mapping[str, Any]:
    return reader.answer_request(Archive(journal), {"language": "en", **question})


def cut(journal: Path, to: Path, rows: int) -> Path:
    """Return a copy of the journal with only its first `rows` rows."""
    with reading(journal) as db:
        kept = list(read_rows(db))[:rows]
        settings = db.execute("SELECT * FROM settings").fetchall()
    opened = Journal(to)
    opened._db.executemany("INSERT INTO settings VALUES (?, ?, ?, ?, ?)", settings)
    for row in kept:
        opened.append([JournalEntry(row.event(), row.mark)], row.stamp)
    opened.close()
    return to


def changed(journal: Path, to: Path, *changes: str) -> Path:
    """Return a copy of the journal on which these SQL statements were run."""
    shutil.copy(journal, to)
    with closing(sqlite3.connect(to)) as db, db:
        for change in changes:
            db.execute(change)
    return to


@pytest.mark.complete
def test_timelines_of_a_night_with_errors_agree_with_the_records(
    played: tuple[Path, list[dict[str, Any]]],
) -> None:
    check_timelines(*played)


@pytest.mark.slow
def test_a_search_finds_a_decider_whom_no_record_names(
    played: tuple[Path, list[dict[str, Any]]], capsys: pytest.CaptureFixture[str]
) -> None:
    journal, records = played
    decided = {1 + n for n, record in enumerate(records) if "B1" in json.dumps(record)}
    with Archive(journal).rounds() as rounds:
        by_round = {number for number, words in rounds.decision_words().items() if " b1 " in words}
    assert by_round > decided, "each decision of a hold is found, also one that ended no round"
    rows = ask_reader(journal, do="list", wanted={"last": 50, "find": "b1"})["rounds"]
    assert {row["number"] for row in rows} == by_round
    assert main(["rounds", "list", "--journal", str(journal), "--find", "b1"]) == 0
    assert len(capsys.readouterr().out.splitlines()) >= 1 + len(by_round)
    assert main(["rounds", "export", "--journal", str(journal), "--find", "b1"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(by_round)


def test_a_blank_search_is_refused_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["rounds", "list", "--find", "  "])
    assert "argument --find: 1 to 100 characters, not blank" in capsys.readouterr().err


def test_a_round_has_a_timeline_in_words(played: tuple[Path, list[dict[str, Any]]]) -> None:
    page = ask_reader(played[0], do="round", number=3)["round"]
    assert page["title"] == "Round 3"
    assert [seat["seat"] for seat in page["seats"]] == [seat["seat"] for seat in played[1][2]["seats"]]
    assert ask_reader(played[0], do="round", number=3, language="es")["round"]["title"] == "Ronda 3"


def test_a_round_in_play_is_never_returned(played: tuple[Path, list[dict[str, Any]]], tmp_path: Path) -> None:
    """The journal is cut at each row of the second round before its end; the reader returns no data of this
    round."""
    with reading(played[0]) as db:
        stamps = [row.stamp.utc for row in read_rows(db)]
    on, over = (played[1][1][name] for name in ("started", "ended"))
    first, last = stamps.index(on), stamps.index(over)
    journal = cut(played[0], tmp_path / "first.db", (first + last) // 2)
    assert ask_reader(journal, do="round", number=2) == {"missing": "in_play"}
    assert ask_reader(journal, do="round", number=3) == {"missing": "no_round"}
    assert [line["number"] for line in ask_reader(journal, do="list", wanted={"last": 9})["rounds"]] == [1]


def test_a_list_reads_only_the_requested_records(
    played: tuple[Path, list[dict[str, Any]]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []
    body = archive.read_body

    def counted(db: sqlite3.Connection, kept: ResultHead) -> Any:
        read.append(kept.round)
        return body(db, kept)

    monkeypatch.setattr(archive, "read_body", counted)
    listed = ask_reader(played[0], do="list", wanted={"last": 2})
    assert ([line["number"] for line in listed["rounds"]], read) == ([ROUNDS, ROUNDS - 1], [])
    assert listed["of"] == ROUNDS
    changes = {"UPDATE lines SET line = '[0]'": 0, "DELETE FROM lines": 1, "DROP TABLE lines": 1}
    for change, status in changes.items():  # the first journal is that of a program with other summary lines
        journal = changed(played[0], tmp_path / "journal.db", change)
        read.clear()
        assert (ask_reader(journal, do="list", wanted={"last": 2}), read) == (listed, [ROUNDS, ROUNDS - 1])
        assert main(["verify", str(journal)]) == status


@pytest.mark.complete
def test_rounds_without_stored_lines_are_read_by_a_replay(
    played: tuple[Path, list[dict[str, Any]]], tmp_path: Path
) -> None:
    """Rounds have no stored lines in a journal older than the seal, and if the power was cut between the end
    of a round and its signature."""
    for gone in ("n <= 2", "n > 3", "n <= 2 OR n > 3", "n > 0"):
        change = f"DELETE FROM results WHERE {gone}"  # noqa: S608  # the words above
        check_timelines(changed(played[0], tmp_path / "journal.db", change), played[1])


def test_an_unreadable_journal_is_reported_in_one_line(tmp_path: Path) -> None:
    fault = ask_reader(tmp_path / "none.db", do="round", number=1)["fault"]
    assert "there is no such file" in fault and "\n" not in fault


@pytest.mark.parametrize(
    "line",
    [
        f"'[{SHAPE},'",
        f"'[{SHAPE},2]'",
        f"'[{SHAPE},{{}}]'",
        "replace(line, ',1,', ',2,')",
        "replace(line, ':', ';')",
        "json_set(line, '$[19]', 5)",
        "json_set(line, '$[20]', 5)",
        "json_set(line, '$[21]', 5)",
    ],
)
def test_an_invalid_line_is_reported_as_damaged(
    played: tuple[Path, list[dict[str, Any]]], tmp_path: Path, line: str
) -> None:
    change = f"UPDATE lines SET line = {line} WHERE n = 1"  # noqa: S608  # the words above
    journal = changed(played[0], tmp_path / "journal.db", change)
    fault = ask_reader(journal, do="list", wanted={"last": 9})["fault"]
    assert "is damaged" in fault and "\n" not in fault
    assert main(["verify", str(journal)]) == 1


@pytest.mark.parametrize("kept", ["", "[]", '{"zone": "America/New_Yorl"}'])
def test_invalid_settings_are_reported_as_damaged(
    played: tuple[Path, list[dict[str, Any]]], tmp_path: Path, kept: str
) -> None:
    change = f"UPDATE settings SET settings = '{kept}'"  # noqa: S608  # the words above
    journal = changed(played[0], tmp_path / "journal.db", "DROP TRIGGER settings_UPDATE", change)
    fault = ask_reader(journal, do="list", wanted={"last": 9})["fault"]
    assert "is damaged: the settings from row" in fault and "\n" not in fault


# ------------------------------------------------------------------ its own process


@pytest.mark.serial
async def test_the_reader_process_is_started_on_request_and_restarted_when_dead(
    played: tuple[Path, list[dict[str, Any]]],
) -> None:
    question = {"do": "round", "number": 1, "language": "en"}
    archivist = RoundReaderClient(played[0])
    try:
        first = await archivist.ask(question)
        assert archivist._process is not None
        os.kill(archivist._process.pid, signal.SIGKILL)
        second, third = await archivist.ask(question), await archivist.ask(question)
    finally:
        await archivist.stop()
    assert first["round"]["title"] == "Round 1"
    assert second in (ENDED, first)
    assert third == first


def test_win_is_compared_with_expectation_a_few_rounds_at_a_time(
    played: tuple[Path, list[dict[str, Any]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    journal, records = played
    opened, request = Archive(journal), {"do": "luck", "language": "en"}
    settled = [record for record in records if record["outcome"] == "settled"]
    first = reader.answer_request(opened, request)["luck"]
    assert first["waiting"] == (len(records) > luck.MAX_CONCURRENT)
    monkeypatch.setattr(luck, "expected_of_round", lambda _figures, _record: luck.Expected(250.0, 0.0, 1.0))
    figures = reader.answer_request(opened, request)["luck"]
    assert not figures["waiting"]
    counted = figures["all"]["rounds"] + sum(figures["all"]["unknown"].values())
    assert counted == len(settled) == sum(day["rounds"] + len(day["unknown"]) for day in figures["days"])
    assert figures["all"]["z_hundredths"] is None, "of so few rounds nothing is told"


def test_a_pack_without_odds_is_named_and_never_counts_as_zero(
    played: tuple[Path, list[dict[str, Any]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(luck.odds_files, "find_odds", lambda _odds, _folders: None)
    monkeypatch.setattr(luck, "MAX_CONCURRENT", ROUNDS)
    figures = ask_reader(played[0], do="luck")["luck"]["all"]
    assert figures["rounds"] == 0 and figures["expected"] is None and figures["z_hundredths"] is None
    assert set(figures["unknown"]) == {"no_odds"}


def test_a_correction_moves_win_and_expectation_alike(
    played: tuple[Path, list[dict[str, Any]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(luck, "MAX_CONCURRENT", ROUNDS)
    monkeypatch.setattr(luck, "expected_of_round", lambda _figures, _record: luck.Expected(0.0, 0.0, 1.0))
    before = ask_reader(played[0], do="luck")["luck"]["all"]
    number = max(r["round"] for r in played[1] if r["outcome"] == "settled")
    monkeypatch.setattr(luck, "_later_corrections", lambda _db: Counter({number: 700}))
    after = ask_reader(played[0], do="luck")["luck"]["all"]
    assert (after["win"], after["expected"]) == (before["win"] - 700, before["expected"] - 700)
