"""A pack under which a perfect player would win is refused, unless the pack states the reason together with
the figure."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from controller.cli import main
from controller.game.model.names import Wager
from controller.game.model.rules import PlayerAdvantage, RulePack
from controller.rules.odds import odds_files
from controller.rules.odds.advantage import advantages, refused_start
from controller.rules.odds.odds_files import CountedOdds
from controller.rules.odds.pack import odds_of
from controller.rules.packs.flat import flat, unflatten
from controller.rules.packs.loader import find_pack, load_pack, pack_files
from tests.odds.packs import LETTER, PENNSYLVANIA

TABLE = "table: T\nrules: maryland\nmethod: hand\njournal: j.db\nfloorpersons: ['7']\n"
LETTERS = TABLE + "ante_pays: pay_table\n"
REFUSED = (
    "rules: a perfect player would win 9.67 % of the two antes; allowed: player_advantage with a reason and "
    "percent: {antes: 9.67}, or odds that leave the house its edge"
)


def stating(percent: str, reason: str = "a promotion") -> str:
    return f"player_advantage: {{reason: {reason}, percent: {percent}}}\n"


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "table.yaml"


def checked(table: Path, text: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, list[str]]:
    """Return the exit status of `rules check` for a table file with this text, and each mistake without the
    file's name."""
    table.write_text(text, encoding="utf-8")
    status = main(["rules", "check", str(table)])
    return status, [line.removeprefix(f"{table}:") for line in capsys.readouterr().err.splitlines()]


@pytest.mark.parametrize("key", pack_files())
def test_each_included_pack_gives_the_house_an_edge(key: str) -> None:
    pack = load_pack(find_pack(key))
    made = odds_files.find_odds(odds_of(pack))
    assert made is not None
    assert advantages(pack, made) == {}


def test_a_pack_with_a_player_advantage_is_refused_with_the_figure(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert checked(table, LETTERS, capsys) == (1, [f"2: {REFUSED}"])


def test_a_player_advantage_is_allowed_with_a_reason_and_the_figure(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert checked(table, LETTERS + stating("{antes: 9.67}"), capsys) == (0, [])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (LETTERS + stating("{antes: 9.7}"), "7: player_advantage.percent.antes: allowed: 9.67, which"),
        (LETTERS + stating("{five_card_bonus: 2}"), "five_card_bonus: allowed: nothing, since"),
        (TABLE + stating("{antes: 9.67}"), "player_advantage.percent.antes: allowed: nothing, since"),
        (
            LETTERS + stating("{antes: 0}"),
            "percent.antes: allowed: what a perfect player would win, in percent",
        ),
        (
            LETTERS + stating("{across: 1}"),
            "player_advantage.percent.across: allowed: antes, five",
        ),
        (LETTERS + stating("{antes: 9.67}", "''"), "player_advantage.reason"),
        (LETTERS + "player_advantage: {percent: {antes: 9.67}}\n", "player_advantage.reason: missing"),
    ],
    ids=[
        "another figure",
        "of another bet",
        "none is there",
        "nothing",
        "no such wager",
        "an empty reason",
        "no reason",
    ],
)
def test_a_stated_advantage_must_equal_the_counted_one(
    text: str, words: str, table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, lines = checked(table, text, capsys)
    assert status == 1
    assert any(words in line for line in lines), lines


def test_a_side_bet_with_a_player_advantage_is_found() -> None:
    made = odds_files.find_odds(odds_of(PENNSYLVANIA))
    assert made is not None
    table = {**PENNSYLVANIA.side_bets[Wager.FIVE_CARD_BONUS], "two_pair": 5}
    rich = replace(PENNSYLVANIA, side_bets={Wager.FIVE_CARD_BONUS: table})
    known = CountedOdds(made.counts, made.hands)
    assert {name: round(float(won), 2) for name, won in advantages(rich, known).items()} == {
        "five_card_bonus": 5.97
    }
    assert advantages(replace(rich, bonuses=()), known) == {}


def test_a_pack_whose_odds_cannot_be_counted_is_refused(
    table: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    for name in ("solve", "base", "hands"):
        monkeypatch.delitem(sys.modules, f"controller.rules.odds.{name}", raising=False)
    text = find_pack("maryland").read_text(encoding="utf-8").replace("flush: 8", "flush: 7", 1)
    status, lines = checked(table, text, capsys)
    assert status == 1
    assert "whether a perfect player would win is not known" in lines[0]


# ---------------------------------------------------------------------- the start of a table


def test_no_daemon_starts_with_a_player_advantage(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table.write_text(LETTERS, encoding="utf-8")
    assert main(["run", "--config", str(table), "--mock"]) == 2
    assert capsys.readouterr().err == f"{table}:2: {REFUSED}\n"
    assert not table.with_name("j.db").exists()


def test_a_real_table_starts_only_with_known_odds(table: Path) -> None:
    table.write_text(TABLE, encoding="utf-8")
    own = replace(PENNSYLVANIA, bet_pays={**PENNSYLVANIA.bet_pays, "flush": 7})
    (line,) = refused_start(table, own, table.parent, needed=True)
    assert line.startswith(f"{table}:2: rules: the odds of these rules are not known; allowed: odds-")
    assert f"crisscross par {table.name}" in line
    assert refused_start(table, own, table.parent, needed=False) == []
    made = odds_files.find_odds(odds_of(PENNSYLVANIA))
    assert made is not None
    odds_files.write_odds(table.parent, odds_of(own), made)
    assert refused_start(table, own, table.parent, needed=True) == []


def test_an_invalid_odds_file_prevents_the_start(table: Path) -> None:
    own = replace(PENNSYLVANIA, bet_pays={**PENNSYLVANIA.bet_pays, "flush": 7})
    (table.parent / odds_files.file_name(odds_of(own))).write_text("{}", encoding="utf-8")
    (line,) = refused_start(table, own, table.parent, needed=False)
    assert "not the form that this version writes" in line


# ---------------------------------------------------------------------- the pack


def test_a_pack_without_a_stated_advantage_keeps_its_digest() -> None:
    assert "player_advantage" not in flat(LETTER)
    stated = load_pack(
        find_pack("maryland"),
        {"ante_pays": "pay_table", "player_advantage": {"reason": "a promotion", "percent": {"antes": 9.67}}},
    )
    assert stated.player_advantage == PlayerAdvantage("a promotion", {"antes": 9.67})
    assert stated.digest != LETTER.digest
    assert unflatten(flat(stated)).keys() >= {"player_advantage"}
    assert isinstance(stated, RulePack)
