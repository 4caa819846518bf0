"""Threshold, page and export of the evidence, on a journal with a cheat who knows a card of the Down pair."""

from __future__ import annotations

import json
import re
from pathlib import Path
from stat import S_IMODE

import pytest

from controller.cli import main
from controller.evidence.threshold import Threshold
from controller.game.model.cards import DECK
from tests.evidence.conftest import CHEAT, ROUNDS

pytestmark = pytest.mark.slow


@pytest.fixture
def journal(cheated: Path) -> Path:
    return cheated


def test_a_threshold_is_the_cost_times_the_sittings_over_the_budget() -> None:
    assert Threshold(100_000, 1_000, 50).log10 == pytest.approx(3.69897)
    assert Threshold(1, 1_000, 1).log10 == 0
    assert Threshold(100_000, 1_000, 50).reached(3.7)
    assert not Threshold(100_000, 1_000, 50).reached(3.69)


def test_the_cheat_alone_is_above_the_threshold(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evidence", str(journal), "--cost", "100000", "--budget", "3000"]) == 0
    printed = capsys.readouterr().out
    assert "threshold 10^2.0 for the combined evidence: over 3 sittings" in printed
    above = [line for line in printed.splitlines() if line.endswith("ABOVE THE THRESHOLD")]
    assert [line.split(",")[0] for line in above] == [f"seat {CHEAT}"]
    assert "heaviest decisions for sees_down_far:" in printed
    options = ["--json", "--cost", "100000", "--budget", "3000", "--sittings", "3000000000"]
    assert main(["evidence", str(journal), *options]) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [each["above"] for each in found] == [False] * 3
    assert found[0]["threshold_log10"] == 11


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
    folder = tmp_path / "regulator"
    assert main(["evidence", str(journal), "--seat", str(CHEAT), "--export", str(folder)]) == 0
    printed = capsys.readouterr()
    (data,) = [json.loads(line) for line in (folder / "evidence.jsonl").read_text().splitlines()]
    assert data["seat"] == CHEAT
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
