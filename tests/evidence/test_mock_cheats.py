"""A cheat of the mock table who acts before the deal or late is found by the evidence or by an alert."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from controller.cli import main

pytestmark = pytest.mark.slow
CHEAT = 2


def played(kind: str, rounds: int, folder: Path, capsys: pytest.CaptureFixture[str], *options: str) -> Any:
    """Return the records of a mock table with this cheat, and its journal."""
    journal = folder / "journal.db"
    command = [
        "mock", "--no-wires", "--headless", "--json", "--rounds", str(rounds), "--seed", "4", "--seats", "2",
        "--cheat", kind, "--seat", str(CHEAT), "--journal", str(journal), *options,
    ]  # fmt: skip
    assert main(command) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()], journal


@pytest.mark.parametrize(
    ("kind", "hypothesis", "options"),
    [
        ("bonus", "bonus_follows_cards", ()),
        ("bonus", "bonus_follows_cards", ("--rules", "six_card_bonus", "--method", "manual_shoe")),
        ("own_cards", "ante_follows_hand", ()),
    ],
)
def test_a_cheat_who_has_read_the_deck_is_found_by_their_hypothesis(
    kind: str, hypothesis: str, options: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    records, journal = played(kind, 40, tmp_path, capsys, *options)
    assert not any(record["irregularities"] for record in records)
    assert main(["evidence", str(journal), "--json"]) == 0
    found = {each["seat"]: each for each in map(json.loads, capsys.readouterr().out.splitlines())}
    assert found[CHEAT]["combined"]["peak_log10"] > 5
    peaks = {name: strand["peak_log10"] for name, strand in found[CHEAT]["hypotheses"].items()}
    assert max(peaks, key=peaks.__getitem__) == hypothesis
    assert found[1]["combined"]["peak_log10"] < 3


def test_a_cheat_who_knows_a_hand_is_found_with_its_seat(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    played("one_hand", 60, tmp_path, capsys, "--seats", "4", "--seed", "6")
    assert main(["evidence", str(tmp_path / "journal.db"), "--json", "--seat", str(CHEAT)]) == 0
    hypotheses = json.loads(capsys.readouterr().out)["hypotheses"]
    peaks = {name: strand["peak_log10"] for name, strand in hypotheses.items()}
    assert peaks["knows_one_hand"] > 2
    assert hypotheses["knows_one_hand"]["decisions"][0]["hand_of"] == CHEAT + 2


def test_a_cheat_who_knows_hands_needs_a_seat_behind(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mock", "--cheat", "one_hand", "--seats", "3", "--seat", "2"]) == 2
    assert "--cheat one_hand needs two seats after the cheat's, because one patron" in capsys.readouterr().err


def test_late_chips_are_alerts_of_that_seat_and_evidence_before_its_turn(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    records, journal = played("late_chips", 60, tmp_path, capsys)
    found = [{(each["code"], each["seat"]) for each in record["irregularities"]} for record in records]
    assert set().union(*found) == {("bet_changed", CHEAT)}
    assert 15 <= sum(map(bool, found)) < 60
    assert all(each["before_turn"] for record in records for each in record["irregularities"])
    assert {record["outcome"] for record in records} == {"settled"}
    assert main(["evidence", str(journal), "--seat", str(CHEAT), "--json"]) == 0
    (data,) = map(json.loads, capsys.readouterr().out.splitlines())
    peaks = {name: strand["peak_log10"] for name, strand in data["hypotheses"].items()}
    assert max(peaks, key=peaks.__getitem__) == "late_chips_follow_cards"
    assert data["hypotheses"]["late_chips_follow_cards"]["with_evidence"] == sum(map(bool, found))


def test_a_dealer_whose_errors_favour_a_seat_is_found_at_that_seat(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    records, journal = played("dealer_errors", 45, tmp_path, capsys, "--seats", "3", "--seed", "7")
    assert {each["number"] for record in records for each in record["dealers"]} == {"D1"}
    assert main(["evidence", str(journal), "--dealers", "--json"]) == 0
    (dealer,) = map(json.loads, capsys.readouterr().out.splitlines())
    errors = {part["seat"]: part["errors"] for part in dealer["parts"]}
    assert errors[CHEAT]["peak_log10"] > 2
    assert errors[CHEAT]["unequal"] == errors[CHEAT]["for_seat"] > 5
    assert max(each["peak_log10"] for seat, each in errors.items() if seat != CHEAT) < 1


def test_a_deck_in_the_hand_is_not_read(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mock", "--cheat", "bonus", "--method", "hand"]) == 2
    assert (
        "--cheat bonus needs a shoe, whose deck is read; leave --method hand out" in capsys.readouterr().err
    )
