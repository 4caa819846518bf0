"""Counts in a file are read back as written; an impossible file is refused in one line."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from controller.common.files.mistakes import Mistakes
from controller.rules.odds import odds_files
from controller.rules.odds.odds_files import CountedOdds
from controller.rules.odds.pack import odds_of
from controller.rules.packs.loader import find_pack, load_pack
from tests.odds.packs import KEYS, LETTER, PENNSYLVANIA, paying

ODDS = odds_of(PENNSYLVANIA)


def made() -> CountedOdds:
    found = odds_files.find_odds(ODDS)
    assert found is not None
    return found


def test_every_pack_has_a_file_of_its_counts() -> None:
    packs = [LETTER, *(load_pack(find_pack(key)) for key in KEYS)]
    names = {odds_files.file_name(odds_of(pack)) for pack in packs}
    assert {file.name for file in odds_files.shipped_folder().glob("odds-*")} == names


def test_written_odds_are_read_back_unchanged(tmp_path: Path) -> None:
    file = odds_files.write_odds(tmp_path / "new", ODDS, made())
    assert odds_files.read_odds(file, ODDS) == replace(made(), file=file)
    assert file.read_bytes() == (odds_files.shipped_folder() / file.name).read_bytes()


def test_an_uncounted_pack_has_no_odds(tmp_path: Path) -> None:
    assert odds_files.find_odds(paying("flush", 7), [tmp_path]) is None


def test_odds_are_found_in_the_table_s_folder_and_in_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = paying("flush", 7)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for folder, folders in (
        (tmp_path / "table", [tmp_path / "table"]),
        (tmp_path / "cache/crisscross/odds", []),
    ):
        file = odds_files.write_odds(folder, other, made())
        found = odds_files.find_odds(other, folders)
        assert found is not None
        assert found.file == file
        file.unlink()


def test_the_cache_follows_home_and_xdg_cache_home() -> None:
    assert odds_files.user_cache({}) is None
    assert odds_files.user_cache({"HOME": "/home/ana"}) == Path("/home/ana/.cache/crisscross/odds")
    assert odds_files.user_cache(
        {"HOME": "/home/ana", "XDG_CACHE_HOME": "not/absolute"}
    ) == odds_files.user_cache({"HOME": "/home/ana"})


def spoilt(name: str, value: Any) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(
        (odds_files.shipped_folder() / odds_files.file_name(ODDS)).read_text(encoding="utf-8")
    )
    data[name] = value(data[name]) if callable(value) else value
    return data


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (spoilt("format", 2), "not the form"),
        (spoilt("odds", "sha256:0"), "other odds"),
        (spoilt("folded", lambda folded: [[bets, deals + 1] for bets, deals in folded]), "84,284,272,800"),
        (spoilt("played", lambda played: [[bets, grid[1:]] for bets, grid in played]), "84,284,272,800"),
        (spoilt("holes", lambda holes: holes[1:]), "1,326"),
        (spoilt("hands", {}), "five_card_bonus"),
        (spoilt("seen", []), "not the form"),
        ([], "not the form"),
    ],
    ids=[
        "format",
        "digest",
        "one deal more",
        "a class less",
        "a hole less",
        "no side bet",
        "nothing seen",
        "a list",
    ],
)
def test_an_impossible_odds_file_is_refused_in_one_line(data: object, words: str, tmp_path: Path) -> None:
    file = tmp_path / odds_files.file_name(ODDS)
    file.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(Mistakes, match=words) as refused:
        odds_files.read_odds(file, ODDS)
    assert len(refused.value.lines) == 1
    assert "crisscross par" in refused.value.lines[0]
