"""Figures count each round once, whatever is restarted in between, and their sums of money are exact to the
cent."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.cli import main
from controller.game.model.names import Phase
from controller.game.model.state import TableState
from controller.record.journal.codec import adapter
from controller.record.journal.journal import Journal
from controller.record.journal.replay import Replayed, replayed_events, snapshot
from controller.table.display_source.periods import MAX_HOURS, figures
from controller.table.engine.tally import Tally, restore_tally, sums_of

pytestmark = pytest.mark.slow

ROUNDS = 6
NOW = "2026-11-21T02:30:00.000Z"
NEW_YORK = "America/New_York"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[dict[str, Any]]]:
    """Play a few rounds with a clumsy dealer; return the journal's path and its records."""
    folder = tmp_path_factory.mktemp("played")
    journal, output = folder / "journal.db", folder / "told.jsonl"
    options = ["--no-wires", "--speed", "max", "--json", "--seed", "11", "--clumsy", "0.3", "--voids", "0.2"]
    with output.open("w") as out, pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdout", out)
        assert main(["mock", *options, "--rounds", str(ROUNDS), "--journal", str(journal)]) == 0
    return journal, [json.loads(line) for line in output.read_text().splitlines()]


@pytest.fixture(scope="module")
def history(played: tuple[Path, object]) -> tuple[list[Replayed], int, dict[str, str]]:
    """Return every replayed row, and the figures that the journal stores."""
    journal = Journal(played[0])
    try:
        return list(replayed_events(journal.settings(), journal.rows(), None)), *journal.figures()
    finally:
        journal.close()


def followed(turns: Sequence[Replayed], tally: Tally | None = None) -> Tally:
    tally = tally or Tally()
    for turn in turns:
        tally.replayed(turn)
    return tally


@pytest.mark.complete
def test_every_state_of_a_round_is_read_back_from_a_snapshot(
    history: tuple[list[Replayed], int, dict[str, str]],
) -> None:
    for turn in history[0]:
        assert adapter(TableState).validate_json(snapshot(turn.after)) == turn.after


def test_a_shift_can_begin_after_a_snapshot_of_a_closed_table() -> None:
    tally = Tally(5, {"all": '{"since": "a", "sums": {}}', "shift": '{"since": "a", "sums": {"rounds": 3}}'})
    tally.restore_phase(TableState())
    tally.note_state(replace(TableState(), phase=Phase.OPENING), "b")
    assert tally.shift.since == "b"


def test_the_sums_equal_those_of_the_records(
    played: tuple[Path, list[dict[str, Any]]], history: tuple[list[Replayed], int, dict[str, str]]
) -> None:
    records = played[1]
    tally = followed(history[0])
    assert tally.all.sums["rounds"] == len(records) == ROUNDS
    seats = [seat for record in records for seat in record["seats"]]
    signed = sum(entry["cents"] for record in records for entry in record["corrections"])
    assert tally.all.sums["win"] == sum(seat["taken"] - seat["paid"] for seat in seats) - signed
    assert tally.all.since is not None
    by_the_hour: Counter[str] = Counter()
    for sums in tally.hours.values():
        by_the_hour.update(sums)
    assert by_the_hour == tally.all.sums


def test_a_start_counts_no_round_twice(history: tuple[list[Replayed], int, dict[str, str]]) -> None:
    """The figures continue from the stored ones, although the start replays the whole journal."""
    turns, seq, rows = history
    assert 0 < seq <= turns[-1].seq
    again, straight = followed(turns, Tally(seq, rows)), followed(turns)
    assert (again.all.plain(), again.shift.plain()) == (straight.all.plain(), straight.shift.plain())
    assert (again.hours, again.dealers) == (straight.hours, straight.dealers)


def test_a_tally_continued_from_any_point_gives_the_same_sums(
    history: tuple[list[Replayed], int, dict[str, str]],
) -> None:
    turns = history[0]
    straight = followed(turns)
    for at in range(0, len(turns), max(1, len(turns) // 25)):
        first = followed(turns[:at])
        then = followed(turns, Tally(turns[at - 1].seq if at else 0, first.unsaved()))
        assert (then.all.plain(), then.shift.plain()) == (straight.all.plain(), straight.shift.plain())
        assert (then.hours, then.dealers) == (straight.hours, straight.dealers)


def test_an_older_journal_without_figures_is_counted_from_its_start(
    played: tuple[Path, object], tmp_path: Path
) -> None:
    older = tmp_path / "older.db"
    with closing(sqlite3.connect(played[0])) as db, closing(sqlite3.connect(older)) as copy:
        db.backup(copy)
        for table in ("figures", "identity", "leaves", "results", "checkpoints", "opened"):
            copy.execute(f"DROP TABLE {table}")
        copy.execute("PRAGMA user_version = 1")
        copy.commit()
    journal = Journal(older)
    assert journal.figures() == (0, {})
    journal.close()


def test_figures_outdated_by_a_program_without_them_are_not_used(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.db")
    journal.store_snapshot("{}", {"all": "1"})
    assert journal.figures() == (0, {"all": "1"})
    journal.head = 7
    journal.store_snapshot("{}")
    assert journal.figures() == (0, {})
    journal.close()


def test_unreadable_figures_are_counted_again(caplog: pytest.LogCaptureFixture) -> None:
    """The figures can be derived again from the events, so damaged ones do not prevent a start."""
    for text in ("{", "[]", '{"since": 1}', '{"since": null, "sums": 7}'):
        assert restore_tally(5, {"all": text}).all.plain() == {"since": None, "sums": {}}
        assert "figures" in caplog.text


# ---------------------------------------------------------------------- one round


def record(number: int = 1, ended: str = "2026-11-20T20:40:00.000Z", **parts: Any) -> dict[str, Any]:
    lost, won = {"amount": 3000, "result": "lose"}, {"amount": 500, "result": "win"}
    seat = {"taken": 3000, "paid": 500, "wagers": {"across": lost, "ante_across": won}}
    return {
        "round": number, "outcome": "settled", "seats": [seat], "started": "2026-11-20T20:31:00.000Z",
        "ended": ended, "settlement_order": [[1, "across"], [1, "ante_across"]], "corrections": [],
        "irregularities": [], "dealers": [{"number": "7", "from": "2026-11-20T20:00:00.000Z"}], **parts,
    }  # fmt: skip


def test_one_round_is_counted_to_the_cent() -> None:
    sums = sums_of(record(corrections=[{"cents": 250}, {"cents": -100}]))
    assert (sums["wagered"], sums["win"]) == (3500, 2500 - 150)
    returned = {"taken": 0, "paid": 0, "wagers": {"across": {"amount": 3000, "result": "returned"}}}
    void = sums_of(record(outcome="void", seats=[returned]))
    assert (void["void"], void["wagered"], void["win"]) == (1, 0, 0)


def test_only_a_wrong_payout_counts_as_an_error() -> None:
    wrong = [{"code": "overpaid", "phase": "settlement"}, {"code": "late_bet", "phase": "across"}]
    sums = sums_of(record(irregularities=wrong))
    assert (sums["errors"], sums["code:overpaid"], sums["code:late_bet"]) == (1, 1, 1)


def test_a_dealer_s_shift_lasts_until_another_dealer_signs_on() -> None:
    tally = Tally()
    relief = {"number": "9", "from": "2026-11-20T20:50:00.000Z"}
    tally.record(record(1, "2026-11-20T20:40:00.000Z"))
    dealt = [*record()["dealers"], relief]
    tally.record(record(2, "2026-11-20T20:55:00.000Z", dealers=dealt))
    tally.record(record(3, "2026-11-20T21:05:00.000Z", dealers=[relief]))
    assert tally.dealers == [
        ["7", "2026-11-20T20:00:00.000Z", "2026-11-20T20:50:00.000Z"],
        ["9", "2026-11-20T20:50:00.000Z", "2026-11-20T21:05:00.000Z"],
    ]


# ---------------------------------------------------------------------- a period


def test_today_is_the_table_s_local_day() -> None:
    """23:40 in New York is already the next day in UTC. A round of the evening before counts for
    yesterday."""
    tally = Tally()
    tally.record(record(1, "2026-11-20T04:40:00.000Z"))
    tally.record(record(2, "2026-11-20T20:40:00.000Z"))
    today = figures(tally, "today", NOW, NEW_YORK)
    assert (today["rounds"], today["since"], today["minutes"]) == (1, "2026-11-20 00:00", 21 * 60 + 30)
    assert [hour["clock"] for hour in today["hours"]] == [f"{number:02d}:00" for number in range(22)]
    assert sum(hour["rounds"] for hour in today["hours"]) == 1
    assert [turn["clock"] for turn in today["dealers"]] == ["15:00"]


def test_a_correction_counts_when_it_is_signed() -> None:
    tally = Tally()
    tally.record(record(ended="2026-11-20T20:40:00.000Z"))
    tally.correct(1, {"cents": 700, "when": "2026-11-20T21:10:00.000Z"})
    wins = {hour: sums["win"] for hour, sums in tally.hours.items()}
    assert wins == {"2026-11-20T20": 2500, "2026-11-20T21": -700}


def test_an_unknown_figure_is_none() -> None:
    nothing = figures(Tally(), "shift", NOW, NEW_YORK)
    assert [nothing[key] for key in ("since", "minutes", "players_tenths", "hold_bp")] == [None] * 4
    assert nothing["hours"] == []


def test_the_newest_hours_are_plotted_and_all_are_summed() -> None:
    tally = Tally()
    tally.all.begin("2026-01-01T00:00:00.000Z")
    tally.record(record(1, "2026-01-01T00:40:00.000Z"))
    shown = figures(tally, "all", NOW, NEW_YORK)
    assert (shown["rounds"], len(shown["hours"])) == (1, MAX_HOURS)
    assert sum(hour["rounds"] for hour in shown["hours"]) == 0


@given(st.integers(-(10**9), 10**9), st.integers(1, 10**9))
def test_the_hold_is_the_nearest_basis_point(win: int, wagered: int) -> None:
    tally = Tally()
    tally.all.begin("2026-11-21T02:00:00.000Z")
    tally.all.sums.update({"rounds": 1, "win": win, "wagered": wagered})
    points = figures(tally, "all", NOW, "UTC")["hold_bp"]
    assert points is not None
    assert abs(points * wagered - 10_000 * win) * 2 <= wagered
