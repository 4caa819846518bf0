"""The page of a pack is complete, needs no network or script, and has the figures of the sheet."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from controller.cli import main
from controller.rules.odds import odds_files, subject
from controller.rules.odds.cards import kinds
from controller.rules.odds.cli import all_figures
from controller.rules.odds.odds_files import CountedOdds
from controller.rules.odds.pack import odds_of
from controller.rules.odds.page import odds_page
from controller.rules.odds.plots import Bar, bars
from controller.rules.odds.subject import SEEN, Subject
from tests.odds.packs import PENNSYLVANIA, SIX_CARD_BONUS

VOID = ("meta", "br", "line", "rect")


class Reader(HTMLParser):
    """Parser that checks that every tag is closed, and collects addresses and scripts."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.reaches: list[str] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        names = {name for name, _ in attrs} & {"src", "href", "action", "data"}
        if tag in ("script", "link", "iframe", "img") or names:
            self.reaches.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in VOID

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data.strip())


def made(pack: Subject, seen: dict[str, float] | None = None) -> CountedOdds:
    found = odds_files.find_odds(pack.odds)
    assert found is not None
    return replace(found, seen=seen or {})


def read(text: str) -> Reader:
    reader = Reader()
    reader.feed(text)
    assert reader.open == []
    return reader


def test_the_page_has_no_script_and_no_external_address() -> None:
    pack = Subject("six_card_bonus", SIX_CARD_BONUS)
    text = odds_page(all_figures(pack, made(pack)))
    assert read(text).reaches == []
    assert "url(" not in text
    assert "@import" not in text


def test_the_page_has_the_figures_and_every_hole() -> None:
    pack = Subject("six_card_bonus", SIX_CARD_BONUS)
    texts = read(odds_page(all_figures(pack, made(pack)))).texts
    assert {kind.name for kind in kinds()} <= set(texts)
    for words in (
        "5.83 % of the two antes, 11.66 % of one",
        "Six card bonus",
        "84,284,272,800",
        "fold",
        "bet 3",
    ):
        assert words in texts, words


def test_the_page_has_the_value_of_seen_cards_if_it_is_known() -> None:
    pack = Subject("pennsylvania", PENNSYLVANIA)
    assert "before their time" not in odds_page(all_figures(pack, made(pack)))
    texts = read(odds_page(all_figures(pack, made(pack, {"middle": 0.9874, "across_left": 0.125})))).texts
    assert texts.index("across left") < texts.index("middle", texts.index("across left"))
    assert {"+0.987", "+0.125", "-0.087"} <= set(texts)


def test_the_title_of_a_pack_is_escaped() -> None:
    pack = Subject("own", replace(PENNSYLVANIA, title="<script>alert(1)</script> & Sons"))
    assert read(odds_page(all_figures(pack, made(pack)))).reaches == []


def test_the_longest_bar_has_the_full_width() -> None:
    drawn = bars([Bar("a", 0.5, "half"), Bar("b", -0.25, "less"), Bar("c", 0.0, "none")], "three")
    wide = [float(each) for each in re.findall(r'width="([\d.]+)" height', drawn)]
    assert wide == [300.0, 150.0, 0.0]


def test_the_command_writes_the_page_with_the_value_of_seen_cards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    counted: list[set[str]] = []

    def with_seen(odds: object, found: CountedOdds, report: object) -> CountedOdds:
        counted.append(set(SEEN))
        return replace(found, seen=dict.fromkeys(SEEN, 0.25))

    monkeypatch.setattr(subject, "with_seen", with_seen)
    file = tmp_path / "own.html"
    assert main(["par", "pennsylvania", "--html", str(file)]) == 0
    assert "+0.250" in file.read_text(encoding="utf-8")
    assert "4.33 %" in capsys.readouterr().out
    assert main(["par", "pennsylvania", "--html", str(tmp_path / "none" / "x.html")]) == 1
    assert "cannot be written: No such file or directory" in capsys.readouterr().err
    assert odds_of(PENNSYLVANIA).multiples == (1, 3)
    assert len(counted) == 2
