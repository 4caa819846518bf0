"""The threshold, the page and the export name the cheat of a journal, who knows a card of the Down pair, and
nobody else.
"""

from __future__ import annotations

import json
import math
import random
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from stat import S_IMODE
from types import SimpleNamespace
from typing import Any, cast

import pytest

from controller.cli import main
from controller.common.files.program import digest, version
from controller.evidence.alerts import Alerts
from controller.evidence.board import Board
from controller.evidence.sitting import DealerEvidence, Sitting
from controller.evidence.sittings import Sittings
from controller.evidence.threshold import Threshold
from controller.game.model.cards import DECK
from tests.evidence.conftest import CHEAT, ROUNDS

pytestmark = pytest.mark.slow


@pytest.fixture
def journal(cheated: Path) -> Path:
    return cheated


def test_a_threshold_is_the_cost_times_the_sittings_over_the_budget() -> None:
    """A third of the budget belongs to the sittings, a third to the dealers and a third to the dealers'
    errors."""
    assert Threshold(100_000, 1_000, 50).bound(7) == pytest.approx(math.log10(15_000))
    assert Threshold(1, 1_000, 1).bound(1) == 0
    assert Threshold(100_000, 1_000, 50).reached(4.18, 1)
    assert not Threshold(100_000, 1_000, 50).reached(4.17, 1)
    assert Threshold(10**400, 1, 10).bound(1) == pytest.approx(401 + math.log10(3))
    assert Threshold(1, 10**400).bound(1) == 0


def test_the_bounds_of_any_number_of_sittings_keep_the_budget() -> None:
    """The worst sittings are martingales with two possible outcomes: they reach a bound exactly as often as a
    mean of one allows."""
    threshold = Threshold(10, 1)
    chances = [10 ** -threshold.bound(order) for order in range(1, 1001)]
    assert chances[:3] == pytest.approx([1 / 60, 1 / 180, 1 / 360])
    assert 3 * sum(chances) == pytest.approx(1 / 10 * (1 - 1 / 1001)), "three lists"


def test_the_alerts_of_honest_sittings_and_dealers_keep_the_budget() -> None:
    """The number of sittings, of dealers and of seats with a dealer's errors is not stated in advance. The
    evidence of all of them is the worst martingale: it either stops at its bound or is lost. The expected
    number of alerts is then the largest that the budget of a tenth allows."""
    dice, runs = random.Random(1), 400
    sent: list[object] = []
    for _ in range(runs):
        every = Sittings({})
        board = Board(cast("Any", SimpleNamespace(sittings=every)), (10, 1))
        alerts = Alerts(board, cast("Any", SimpleNamespace(send=sent.append)), lambda: "")
        for number in range(1, 60):
            sitting = every.lasting[0, 1] = Sitting(1, "1", rounds=[number], order=number)
            every.found.append(sitting)
            part = sitting.by_dealer[f"D{number}"] = Sitting(1, "1", rounds=[number])
            part.errors.order = number
            dealer = every.dealers[f"D{number}"] = DealerEvidence(f"D{number}", [part], order=number)
            bound = 10 ** board.threshold().bound(number)  # type: ignore[union-attr]
            for each in (sitting, dealer, part.errors):
                each.peak = math.log(bound) + 1e-9 if dice.random() < 1 / bound else 0.0
            record = {
                "seats": [{"seat": 1}], "ended": "", "table": "", "dealers": [{"number": dealer.number}],
            }  # fmt: skip
            alerts.check([(0, cast("Any", record))])
    assert 0.05 < len(sent) / runs < 0.14


def test_the_cheat_alone_is_above_the_threshold(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evidence", str(journal), "--cost", "100000", "--budget", "3000"]) == 0
    printed = capsys.readouterr().out
    assert "threshold of the k-th sitting, in the order in which they began, for the combined" in printed
    above = [line for line in printed.splitlines() if line.endswith("ABOVE THE THRESHOLD")]
    assert [line.split(",")[0] for line in above] == [f"seat {CHEAT}"]
    assert "heaviest decisions for sees_down_far:" in printed
    options = ["--json", "--cost", "100000", "--budget", "3000", "--sittings", "3000000000"]
    assert main(["evidence", str(journal), *options]) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [each["above"] for each in found] == [False] * 3
    assert found[0]["threshold_log10"] == pytest.approx(11 + math.log10(3), abs=1e-4)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (
            "UPDATE results SET body = replace(body, '\"middle\":', '\"middle\": ') WHERE round = 3",
            "is not as it",
        ),
        ("DELETE FROM results WHERE round = 3", "is missing"),
        (
            "INSERT INTO results SELECT n + 9999999, seq, round, kind, body FROM results WHERE round = 3",
            "was not writ",
        ),
    ],
)
def test_results_that_differ_from_their_leaves_are_a_fault(
    journal: Path, change: str, fault: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "altered.db"
    copy.write_bytes(journal.read_bytes())
    with closing(sqlite3.connect(copy)) as db, db:
        assert db.execute(change).rowcount == 1
    assert main(["evidence", str(copy)]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert fault in printed.err
    assert f"crisscross verify {copy}" in printed.err


def test_the_page_names_rounds_and_no_card(
    journal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "evidence.html"
    options = ["--html", str(file), "--rounds-at", "http://table/rounds/", "--cost", "100", "--budget", "1"]
    assert main(["evidence", str(journal), *options]) == 0
    capsys.readouterr()
    html = file.read_text(encoding="utf-8")
    assert S_IMODE(file.stat().st_mode) == 0o600
    assert f"Seat {CHEAT}, rounds 1 to {ROUNDS}: above the threshold" in html
    assert html.index(f"Seat {CHEAT},") < html.index("Seat 1,")
    assert '<a href="http://table/rounds/7">7</a>' in html
    assert not re.search(rf"\b({'|'.join(DECK)})\b", html)
    assert "<script" not in html


def test_an_export_has_figures_and_a_proof_of_each_round(
    journal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, costs = tmp_path / "regulator", ["--cost", "100000", "--budget", "3000"]
    assert main(["evidence", str(journal), "--seat", str(CHEAT), "--export", str(folder), *costs]) == 0
    printed = capsys.readouterr()
    (data,) = [json.loads(line) for line in (folder / "evidence.jsonl").read_text().splitlines()]
    assert data["seat"] == CHEAT
    fixed = json.loads((folder / "values.json").read_text())["fixed"]
    assert (fixed["program"], fixed["program_digest"]) == (version(), digest())
    assert (fixed["journals"], fixed["cost"]) == ([journal.name], 100_000)
    assert data["round_numbers"] == list(range(1, ROUNDS + 1))
    proofs = {int(file.stem.split("-")[1]) for file in folder.glob("round-*.tlog-proof")}
    unsigned = {number for number in data["round_numbers"] if number not in proofs}
    assert len(printed.err.splitlines()) == len(unsigned) <= 1
    assert (folder / "round-1.tlog-proof").read_text().startswith("c2sp.org/tlog-proof@v1\n")
    assert S_IMODE(folder.stat().st_mode) == 0o700
    assert main(["evidence", str(journal), "--export", str(folder)]) == 2
    assert capsys.readouterr().err == f"{folder}: is not empty; name a new folder\n"


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (["--cost", "5"], "--cost and --budget go together: the threshold follows from both"),
        (["--sittings", "5"], "--sittings is for a threshold; add --cost and --budget"),
        (["--shoe", "--html", "x"], "--html: not with --shoe; allowed: with seats"),
        (["--shoe", "--seat", "2"], "--seat 2: not with --shoe, whose cards no seat chose"),
    ],
)
def test_contradictory_options_give_one_line(
    journal: Path, capsys: pytest.CaptureFixture[str], options: list[str], line: str
) -> None:
    assert main(["evidence", str(journal), *options]) == 2
    assert capsys.readouterr().err == f"crisscross evidence: {line}\n"
