"""The page of a round and `crisscross rounds show` present stacks and movements of chips in both
languages."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from controller.cli import main
from controller.mock.scenario.file import load
from controller.mock.scenario.runner import Reporter, options_of, play_one
from controller.pages.display.round_page_text import render_round
from controller.record.timeline.archive import Archive
from controller.record.timeline.public import timeline_data, turned_only

BUSINESS = Path(__file__).parents[1] / "scenarios/business/stacks.yaml"
WORDS = {
    "en": (
        "Chips, in order of arrival", "five $5", "two $5; then one $25",
        "chips changed: one $25 for five $5 · within 0:00.", "one $25 moved here from Seat 3 · Across ante",
    ),
    "es": (
        "Fichas, por orden de llegada", "cinco de $5", "dos de $5; luego una de $25",
        "cambio de fichas: una de $25 por cinco de $5 · en 0:00.",
        "una de $25 movidas aquí desde Puesto 3 · Ante Across",
    ),
}  # fmt: skip


def journal_of(name: str, folder: Path) -> Path:
    """Play the scenario of that name and return its journal."""
    scenario = next(each for each in load(BUSINESS) if each.name.startswith(name))
    journal = folder / "journal.db"
    options = replace(options_of(scenario, speed=None, wires=False), journal=journal)
    assert asyncio.run(play_one(scenario, options, lambda _words: None, Reporter(as_json=False))).passed
    return journal


def page_of(journal: Path, language: str) -> Mapping[str, Any]:
    story = Archive(journal).story(1)
    assert story is not None
    return render_round(timeline_data(turned_only(story)), language, "Etc/UTC")


def at_ante_across(page: Mapping[str, Any]) -> list[str]:
    where = next(name for name in ("Seat 3 · Across ante", "Puesto 3 · Ante Across") if name in str(page))
    return [each["text"] for each in page["entries"] if each["where"] == where]


@pytest.mark.parametrize("language", WORDS)
def test_change_before_the_close_is_one_line_and_not_a_withdrawn_wager(language: str, tmp_path: Path) -> None:
    journal, words = journal_of("Before the cards a player's", tmp_path), WORDS[language]
    page = page_of(journal, language)
    assert page["seats"][0]["wagers"][0]["chips"] == words[1]
    lines = at_ante_across(page)
    assert [line.startswith(words[3]) for line in lines] == [False, False, True, False]
    assert lines[1].endswith(("one $25 · before nothing", "una de $25 · había $0"))
    assert page["troubles"] == []


@pytest.mark.parametrize("language", WORDS)
def test_a_carried_chip_is_shown_in_one_line(language: str, tmp_path: Path) -> None:
    page = page_of(journal_of("Both antes", tmp_path), language)
    moves = [each for each in page["entries"] if each["text"] == WORDS[language][4]]
    assert len(moves) == 1
    assert moves[0]["where"].endswith(("Down ante", "Ante Down"))
    assert len(at_ante_across(page)) == 3, "the first reading, the chips laid, the chips taken"


@pytest.mark.parametrize("language", WORDS)
def test_the_command_prints_the_stacks(
    language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal = journal_of("The chips of a wager", tmp_path)
    capsys.readouterr()
    assert main(["rounds", "show", "1", "--lang", language, "--journal", str(journal)]) == 0
    printed = capsys.readouterr().out
    assert WORDS[language][0] in printed
    assert WORDS[language][2] in printed
