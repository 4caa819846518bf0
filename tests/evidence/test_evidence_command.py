"""`crisscross evidence` finds only the player who knows the middle card, at a table with honest ones."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from controller.cli import main
from controller.common.texts.catalogue import catalogue
from controller.evidence.factor import KNOWING
from controller.evidence.hypotheses import Hypothesis
from controller.evidence.seat_rounds import seat_rounds
from controller.evidence.sittings import Sittings
from controller.evidence.words import sentence
from controller.game.model.cards import DECK
from controller.record.journal.files import NAMED_BY

pytestmark = pytest.mark.slow

ROUNDS = 36
CHEAT = 4


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the journal of a mock table at which seat 4 cheats."""
    file = tmp_path_factory.mktemp("cheated") / "journal.db"
    played = [
        "mock", "--no-wires", "--headless", "--json", "--rounds", str(ROUNDS), "--seed", "3",
        "--cheat", "middle", "--seat", str(CHEAT), "--journal", str(file),
    ]  # fmt: skip
    assert main(played) == 0
    return file


def evidence(journal: Path, capsys: pytest.CaptureFixture[str], *options: str) -> str:
    assert main(["evidence", str(journal), *options]) == 0
    return capsys.readouterr().out


@pytest.fixture(scope="module")
def found(journal: Path) -> list[Any]:
    """Return the sittings of the journal as the command prints them."""
    with redirect_stdout(StringIO()) as printed:
        assert main(["evidence", str(journal), "--json"]) == 0
    return [json.loads(line) for line in printed.getvalue().splitlines()]


def test_only_the_cheat_is_found(found: list[Any]) -> None:
    peaks = {each["seat"]: each["peak_log10"] for each in found}
    assert peaks.pop(CHEAT) > 6
    assert max(peaks.values()) < 3
    together = {each["seat"]: each["combined"]["peak_log10"] for each in found}
    assert together.pop(CHEAT) > 5
    assert max(together.values()) < 3
    assert all(each["rounds"] == ROUNDS for each in found)
    weights = [abs(each["log10"]) for each in found[0]["decisions"]]
    assert weights == sorted(weights, reverse=True)


def test_the_strongest_evidence_comes_first_with_a_sentence_for_each_decision(
    journal: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = evidence(journal, capsys).split("\n\n")
    assert lines[1].startswith(f"seat {CHEAT}, rounds 1 to {ROUNDS}: all hypotheses now 10^")
    assert "heaviest decisions for sees_middle:" in lines[1]
    assert "a player who knew the middle card, one of 36 cards, would" in lines[1]
    assert not any(card in "".join(lines) for card in DECK)


def test_output_can_be_limited_to_a_seat_a_dealer_or_later_days(
    journal: Path, found: list[Any], capsys: pytest.CaptureFixture[str]
) -> None:
    """If output is limited to one seat, the evidence is computed for that seat alone and equals the evidence
    among all seats."""
    (seat,) = evidence(journal, capsys, "--json", "--seat", "2").splitlines()
    expected = next(each for each in found if each["seat"] == 2)
    assert expected["earlier_seats"] == []
    assert json.loads(seat) == {**expected, "earlier_seats": None}, "no other seat was computed"
    assert "\nseat" not in evidence(journal, capsys, "--dealer", "none")
    assert "\nseat" not in evidence(journal, capsys, "--since", "2199-01-01")


@pytest.mark.parametrize("form", [(), ("--json",), ("--dealers",), ("--shoe",), ("--shoe", "--json")])
def test_a_choice_without_a_round_is_named(
    journal: Path, capsys: pytest.CaptureFixture[str], form: tuple[str, ...]
) -> None:
    chosen = ["--dealer", "none", "--since", "2025-01-31"]
    assert main(["evidence", str(journal), *chosen, *form]) == 0
    printed = capsys.readouterr()
    assert printed.err == (
        "no round that has ended fits --dealer none, --since 2025-01-31; "
        "crisscross rounds list shows the rounds of a journal\n"
    )
    assert form != ("--json",) or not printed.out


def damaged(file: Path, journal: Path, sort: str) -> None:
    """Write a file that is not a readable journal. `sort`: the way in which it is unreadable."""
    if sort == "folder":
        file.mkdir()
    elif sort == "cut off":
        file.write_bytes(journal.read_bytes()[:20_000])
    elif sort == "of another version":
        with closing(sqlite3.connect(journal)) as whole, closing(sqlite3.connect(file)) as other:
            whole.backup(other)
            other.execute("PRAGMA user_version = 999")
    elif sort != "missing":
        file.write_bytes(sort.encode())


@pytest.mark.parametrize("options", [(), ("--shoe",)])
@pytest.mark.parametrize(
    ("sort", "reason"),
    [
        (
            "missing",
            f"there is no such file; {NAMED_BY}",
        ),
        ("folder", f"is no file; {NAMED_BY}"),
        ("", "is empty; name another file"),
        ("a text that is longer than the header of a database" * 9, "is no journal (not an SQLite database)"),
        ("cut off", "is damaged; keep the file, put back a copy or name another file"),
        ("of another version", "has schema 999, this program reads 2; use the one that wrote it"),
    ],
)
def test_an_unreadable_input_is_reported_in_one_line(
    journal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], sort: str, reason: str,
    options: tuple[str, ...],
) -> None:  # fmt: skip
    file = tmp_path / "given.db"
    damaged(file, journal, sort)
    assert main(["evidence", str(file), *options]) == 2
    printed = capsys.readouterr()
    assert printed.err.startswith(f"journal {file}: {reason}")
    assert printed.err.count("\n") == 1
    assert not printed.out


def test_a_journal_that_is_named_twice_is_refused(
    journal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    again = tmp_path / "again.db"
    again.symlink_to(journal)
    assert main(["evidence", str(journal), str(again)]) == 2
    expected = f"crisscross evidence: {again}: is named twice; name each JOURNAL once\n"
    assert capsys.readouterr().err == expected


@pytest.mark.parametrize(
    ("option", "place", "reason"),
    [
        ("--html", "none/page.html", "No such file or directory; name a file in a folder that you may write"),
        ("--export", "file", "File exists; name a new folder in one that you may write"),
    ],
)
def test_a_place_that_cannot_be_written_is_named(
    journal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], option: str, place: str, reason: str
) -> None:
    (tmp_path / "file").touch()
    seat = ["--seat", "1"]
    assert main(["evidence", str(journal), *seat, option, str(tmp_path / place)]) == 2
    expected = f"crisscross evidence: {option} {tmp_path / place}: cannot be written: {reason}\n"
    assert capsys.readouterr().err == expected


def test_a_bet_of_one_ante_is_named_in_the_singular() -> None:
    decision = {"wager": "across", "antes": 1.0, "knowing_player": KNOWING[1], "cards": 36, "log10": 0.3}
    said = [sentence(catalogue(language), Hypothesis.MIDDLE, decision) for language in ("en", "es")]
    assert said[0].startswith("the seat bet 1 ante; a player who knew the middle card, one of 36 cards,")
    assert said[1].startswith("el puesto apostó una vez el ante; ")
    assert "bet 2 antes;" in sentence(catalogue("en"), Hypothesis.MIDDLE, {**decision, "antes": 2.0})


@pytest.mark.parametrize("options", [("--seat", "1"), ("--shoe",)])
def test_a_journal_without_its_end_is_named(
    journal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], options: tuple[str, ...]
) -> None:
    """The lock file beside the journal has the number of rows that were on the disk, so missing rows are
    noticed."""
    copy = tmp_path / "journal.db"
    with closing(sqlite3.connect(journal)) as whole, closing(sqlite3.connect(copy)) as other:
        whole.backup(other)
    Path(f"{copy}.lock").write_text("9999999", encoding="utf-8")
    assert main(["evidence", str(copy), *options]) == 0
    assert "rows that were there are gone" in capsys.readouterr().err


def test_a_cheat_at_an_empty_seat_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mock", "--cheat", "middle", "--seats", "2", "--seat", "3"]) == 2
    assert capsys.readouterr().err == "crisscross mock: --seat 3: allowed: 1 to 2, the seats of --seats\n"
    assert main(["mock", "--seat", "2"]) == 2
    assert capsys.readouterr().err == "crisscross mock: --seat is for --cheat; add --cheat middle\n"


# ---------------------------------------------------------------------- records


def record(**changes: Any) -> Any:
    """Return the record of a settled round of two seats; seat 2 folds at Down."""
    cross = dict(
        zip(("down_far", "across_left", "middle", "across_right", "down_near"), DECK[:5], strict=True)
    )
    return {
        "table": "CC-01", "dealers": [], "ended": "2026-11-20T20:00:00Z",
        "round": 1, "outcome": "settled", "rules_digest": "", "irregularities": [], "cross": cross,
        "method": "automated_shoe", "bonus_cards": None, "set_aside": [DECK[20]],
        "seats": [
            seat(1, DECK[10:12], across=1000, down=3000, middle=2500),
            seat(2, DECK[12:14], across=3000),
        ],
        **changes,
    }  # fmt: skip


def seat(number: int, cards: tuple[str, ...] | list[None], **bets: int) -> Any:
    wagers = {name: {"amount": cents} for name, cents in {"ante_across": 1000, **bets}.items()}
    return {
        "seat": number, "player": str(number), "cards": list(cards), "forfeited": None, "folded_at": None,
        "wagers": wagers,
    }  # fmt: skip


def test_bets_are_in_antes_and_a_fold_ends_them() -> None:
    found = seat_rounds(record())
    assert found[1].bets == (1.0, 3.0, 2.5)
    assert found[2].bets == (3.0, 0.0)


def test_a_card_that_was_dealt_elsewhere_cannot_lie_in_the_middle() -> None:
    one = seat_rounds(record())[1]
    assert set(one.candidates.tolist()) == set(range(52)) - {0, 1, 3, 4, 10, 11, 12, 13, 20}
    assert one.middle == 2


@pytest.mark.parametrize(
    "changes",
    [
        {"outcome": "void"},
        {"irregularities": [{"code": "community_exposed"}]},
        {"irregularities": [{"code": "face_seen"}]},
        {"cross": {**record()["cross"], "down_near": None}},
        {"cross": {**record()["cross"], "middle": None}},
    ],
)
def test_a_round_without_a_fair_question_gives_no_evidence(changes: Any) -> None:
    assert seat_rounds(record(**changes)) == {}


def test_a_forfeit_before_a_decision_or_an_unknown_hand_gives_no_evidence() -> None:
    forfeited = seat(3, DECK[14:16]) | {"forfeited": {"code": "hand_left"}}
    seats = [forfeited, seat(2, DECK[12:14])]
    assert list(seat_rounds(record(seats=seats))) == [2]
    assert seat_rounds(record(seats=[*seats, seat(1, [None, None], across=1000)])) == {}


def test_a_sitting_ends_with_another_player_or_after_rounds_that_were_sat_out() -> None:
    other = [seat(1, DECK[10:12]) | {"player": "9"}]
    played = [record(round=1), record(round=5), record(round=10), record(round=11, seats=other)]
    every = Sittings({})
    for each in played:
        every.add(each)
    assert [(each.seat, each.player, each.rounds) for each in every.found] == [
        (1, "1", [1, 5]), (2, "2", [1, 5]), (1, "1", [10]), (2, "2", [10]), (1, "9", [11]),
    ]  # fmt: skip
