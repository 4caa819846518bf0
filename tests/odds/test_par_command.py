"""`crisscross par` prints the figures of a pack by key or by file. It stores the counted odds and needs no
NumPy for stored ones."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from controller.cli import main
from controller.rules.odds import odds_files, subject
from controller.rules.odds.odds_files import CountedOdds
from controller.rules.odds.pack import Odds, odds_of
from controller.rules.packs.loader import find_pack
from tests.odds.packs import PENNSYLVANIA

KEYS = {
    "house_edge_per_ante", "house_edge_per_two_antes", "element_of_risk", "average_wager",
    "standard_deviation", "hit_frequency", "decisions", "five_card_bonus", "six_card_bonus",
}  # fmt: skip


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """Replace the counting of odds by the counts of Pennsylvania; return the list of digests for which odds
    were counted."""
    found: list[str] = []
    made = odds_files.find_odds(odds_of(PENNSYLVANIA))
    assert made is not None

    def count(odds: Odds, report: object) -> CountedOdds:
        found.append(odds.digest)
        return CountedOdds(made.counts, made.hands)

    monkeypatch.setattr(subject, "count", count)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return found


def own_pack(folder: Path, old: str = "flush: 8", new: str = "flush: 7") -> Path:
    folder.mkdir(exist_ok=True)
    file = folder / "own.yaml"
    file.write_text(find_pack("maryland").read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")
    return file


def test_the_command_prints_the_figures_as_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["par", "pennsylvania"]) == 0
    output = capsys.readouterr().out
    for words in (
        "4.33 % of the two antes, 8.66 % of one",
        "1.48 % of all",
        "five card bonus: house edge 3.53 %",
    ):
        assert words in output
    assert max(map(len, output.splitlines())) <= 110


def test_the_command_prints_the_figures_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["par", "maryland", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures.keys() >= KEYS
    assert round(100 * figures["house_edge_per_two_antes"], 2) == 4.33


def test_a_changed_file_is_counted_once_and_its_counts_are_stored_beside_it(
    counted: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = own_pack(tmp_path / "house")
    assert [main(["par", str(file), "--json"]) for _ in range(2)] == [0, 0]
    assert len(counted) == 1
    kept = [each for each in file.parent.iterdir() if each != file]
    assert [each.name for each in kept] == [f"odds-{counted[0].removeprefix('sha256:')[:16]}.json"]
    assert capsys.readouterr().err == f"counts kept in {kept[0]}\n"


def test_the_figures_of_a_table_file_include_its_settings(
    counted: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "table.yaml"
    text = "table: T\nrules: maryland\nmethod: hand\njournal: j.db\nante_pays: pay_table\n"
    table.write_text(text, encoding="utf-8")
    assert main(["par", str(table), "--json"]) == 0
    assert round(100 * json.loads(capsys.readouterr().out)["house_edge_per_two_antes"], 2) == -9.67
    assert counted == []


def test_the_counts_can_be_written_into_a_table_s_folder(counted: list[str], tmp_path: Path) -> None:
    assert main(["par", "pennsylvania", "--write", str(tmp_path / "table")]) == 0
    assert [each.name for each in (tmp_path / "table").iterdir()] == [
        odds_files.file_name(odds_of(PENNSYLVANIA))
    ]


def test_an_unwritable_folder_is_reported_in_one_line(
    counted: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "no").write_text("a file", encoding="utf-8")
    assert main(["par", "pennsylvania", "--write", str(tmp_path / "no")]) == 1
    assert "cannot be kept" in capsys.readouterr().err


def test_without_numpy_the_package_to_install_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setitem(sys.modules, "numpy", None)
    for name in ("solve", "base", "hands"):
        monkeypatch.delitem(sys.modules, f"controller.rules.odds.{name}", raising=False)
    assert main(["par", str(own_pack(tmp_path))]) == 1
    output = capsys.readouterr().err
    assert output.count("\n") == 1
    assert "pip install 'numpy<" in output


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("flush: 8", "flush: 1000000000", "bet_pays.value.flush: allowed: what it pays to 1, a whole number"),
        ("  value: 50000\n", "  value: 0\n", "payout_limit.value: allowed: more than $0"),
        ("[1, 3]\n    allowed", "[3, 1]\n    allowed", "the smaller first"),
    ],
    ids=["odds of a billion", "a limit of nothing", "the most below the least"],
)
def test_an_inconsistent_pack_is_refused_in_one_line(
    old: str, new: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["par", str(own_pack(tmp_path, old, new))]) == 2
    output = capsys.readouterr().err
    assert output.count("\n") == 1
    assert words in output


def test_an_unknown_pack_is_reported_with_the_allowed_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["par", "atlantis"]) == 2
    assert "no such rule pack; allowed: maryland" in capsys.readouterr().err


@pytest.mark.serial
def test_known_odds_are_printed_without_importing_numpy() -> None:
    lines = (
        "import sys; from controller.cli import main; import controller.table.daemon.daemon",
        "assert main(['par', 'pennsylvania', '--json']) == 0",
        "assert 'numpy' not in sys.modules",
    )
    done = subprocess.run([sys.executable, "-c", "; ".join(lines)], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
