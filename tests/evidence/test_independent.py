"""An export is verified by a program that shares no code with the controller; an altered export is
refused."""

from __future__ import annotations

import ast
import json
import shutil
import sys
from base64 import b64decode, b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from controller.cli import main
from controller.evidence.shuffle import HYPOTHESES, ShuffleEvidence
from tests.evidence.independent import __main__ as verifier
from tests.evidence.independent.__main__ import faults
from tests.evidence.independent.fixed import threshold_faults
from tests.evidence.independent.shoe import Shoe
from tests.evidence.independent.values import differences
from tests.trials.evidence.shoe import riffles

pytestmark = pytest.mark.slow
SEAT, ROUNDS = 2, 5
MAIN = Path(verifier.__file__)


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of an export of one seat, with the table's key beside it."""
    return export_of("cross", tmp_path_factory.mktemp("regulator"))


def export_of(kind: str, folder: Path) -> Path:
    """Return the folder of an export of a cheat's seat."""
    journal = str(folder / "journal.db")
    play = ["mock", "--no-wires", "--headless", "--json", "--rounds", str(ROUNDS), "--seed", "8"]
    assert main([*play, "--seats", "4", "--cheat", kind, "--seat", str(SEAT), "--journal", journal]) == 0
    assert main(["evidence", journal, "--seat", str(SEAT), "--export", str(folder / "export")]) == 0
    return folder / "export"


@pytest.fixture
def key(exported: Path, capsys: pytest.CaptureFixture[str]) -> str:
    return key_of(exported, capsys)


def key_of(exported: Path, capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    assert main(["seal", "key", str(exported.parent / "journal.db")]) == 0
    return capsys.readouterr().out.strip()


@pytest.fixture
def copied(exported: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(exported, tmp_path / "copy"))


def alter(folder: Path, change: Callable[[dict[str, Any]], object], name: str = "evidence.jsonl") -> None:
    """Change the JSON object of a file."""
    file = folder / name
    data = json.loads(file.read_text(encoding="utf-8"))
    change(data)
    file.write_text(json.dumps(data), encoding="utf-8")


def without(data: dict[str, Any], *numbers: int) -> None:
    """Remove rounds from a sitting, with their decisions."""
    data["round_numbers"] = [each for each in data["round_numbers"] if each not in numbers]
    data["first_round"], data["rounds"] = data["round_numbers"][0], len(data["round_numbers"])
    for strand in data["hypotheses"].values():
        strand["decisions"] = [each for each in strand["decisions"] if each["round"] not in numbers]


def test_every_figure_follows_from_the_proven_records(
    exported: Path, key: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The independent program finds no fault. Without --values it states that the values were not
    verified."""
    monkeypatch.setattr(sys, "argv", ["", str(exported), key])
    assert verifier.main() == 2
    printed = capsys.readouterr().out
    assert verifier.RIGHT not in printed
    assert "not verified: these values (`holes` and `worth`); --values counts them again" in printed
    assert "not verified: the sentences, evidence.html and README.txt" in printed
    data = json.loads((exported / "evidence.jsonl").read_text(encoding="utf-8"))
    given = {name for name, strand in data["hypotheses"].items() if strand["with_evidence"]}
    assert given == set(data["hypotheses"]) - {"late_chips_follow_cards"}
    assert data["combined"]["peak_log10"] > 1


def test_the_figures_of_late_chips_follow_from_the_proven_records(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    exported = export_of("late_chips", tmp_path)
    assert [*faults(exported, key_of(exported, capsys))] == []
    data = json.loads((exported / "evidence.jsonl").read_text(encoding="utf-8"))
    assert data["hypotheses"]["late_chips_follow_cards"]["with_evidence"] > 1


def test_the_verifier_shares_no_code_with_the_controller() -> None:
    for file in MAIN.parent.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert all(name.split(".")[0] not in {"controller", "drivers", "numpy"} for name in names), file


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda data: without(data, 4), "round 4 was left out"),
        (lambda data: without(data, 1, 2, 3), "round 3 was left out"),
        (lambda data: data.update(player="7"), "round 1: the player did not sit there"),
        (lambda data: data.update(table="CC-99"), "round 1: is of table CC-01, not CC-99"),
        (
            lambda data: data.update(round_numbers=[1, 1, *data["round_numbers"]]),
            "its rounds are not in orde",
        ),
        (lambda data: data.update(log10=9.0), "log10: is not that of sees_middle"),
        (lambda data: data.update(hypothesis="sees_cross"), "hypothesis: is sees_cross, not sees_middle"),
        (lambda data: data.pop("above"), "above: is missing"),
        (lambda data: data.update(threshold_log10=9.0, above=True), "above: is True, and the evidence is at"),
        (lambda data: data.update(threshold_log10=9.0, above=False), "threshold_log10: is 9.0, and the cost"),
        (lambda data: data.update(earlier_seats=[{"seat": 1}]), "earlier_seats: are not those of the other"),
    ],
)
def test_an_altered_sitting_is_refused(copied: Path, key: str, change: Any, fault: str) -> None:
    alter(copied, change)
    assert any(f"to {ROUNDS}: {fault}" in line for line in faults(copied, key))


def test_each_altered_figure_and_decision_is_named(copied: Path, key: str) -> None:
    """All alterations are made in one sitting, because the program compares each figure by itself, and
    computing a sitting takes seconds."""

    def change(data: dict[str, Any]) -> None:
        data["combined"].update(peak_log10=9.0)
        cross, far, near = (data["hypotheses"][f"sees_{at}"] for at in ("cross", "down_far", "down_near"))
        cross.update(with_evidence=3)
        cross["decisions"][0].update(antes=7.0)
        far["decisions"][0].update(log10=0.5)
        near["decisions"].pop()

    alter(copied, change)
    found = [line.partition(f"to {ROUNDS}: ")[2] for line in faults(copied, key)]
    expected = [
        "sees_down_far: round ", "sees_down_near: its decisions ",
        f"sees_cross: {ROUNDS} rounds give evidence, not 3", "sees_cross: round ",
        "combined: peak_log10 is ",
    ]  # fmt: skip
    assert len(found) == len(expected)
    assert all(map(str.startswith, found, expected)), found


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda pack: pack["bonuses"]["five_card_bonus"].update(chance=0.3), "bonuses: is not that of "),
        (lambda pack: pack["bonuses"].clear(), "bonuses: is not that of the rules"),
        (lambda pack: pack.update(bets=[1, *pack["bets"][1:]]), "bets: is not that of the rules"),
        (lambda pack: pack.update(antes=[1, *pack["antes"][1:]]), "antes: is not that of the rules"),
        (lambda pack: pack.update(multiples=[1, 2]), "multiples: is not that of the rules"),
        (lambda pack: pack["rules"].update(bet_multiples=[1, 2]), "its rules have another digest"),
        (lambda pack: pack.pop("rules"), "has no rules, so no pay table is bound to the records"),
        (
            lambda pack: [each["middle"].update({card: [9.0, 9.0] for card in each["middle"]})
                          for each in pack["holes"].values()],
            "sees_middle: ",
        ),
    ],
)  # fmt: skip
def test_an_altered_pack_is_refused(copied: Path, key: str, change: Any, fault: str) -> None:
    alter(copied, lambda data: [change(pack) for pack in data["packs"].values()], "values.json")
    assert any(fault in line for line in faults(copied, key))


def test_a_choice_that_was_not_made_before_play_is_refused(copied: Path, key: str) -> None:
    """The house stated other costs, another start and other strengths than those of the export."""

    def change(data: dict[str, Any]) -> None:
        data["fixed"].update(since="2026-01-01", cost=1000, budget=1, sittings=10)
        data["fixed"]["strengths"]["cards"][0] = 0.25

    alter(copied, change, "values.json")
    found = [*faults(copied, key)]
    assert "values.json: fixed: the strengths of cards are [0.5, 2.0, 8.0]" in found
    assert "values.json: fixed: since is None, not 2026-01-01" in found
    assert any(line.endswith("threshold_log10: is None, and the cost is 1000") for line in found)


def test_the_bound_of_a_sitting_follows_from_the_costs() -> None:
    fixed = {"cost": 1000, "budget": 1, "sittings": 10}
    assert [*threshold_faults({"threshold_log10": 4.4771}, fixed)] == []
    assert len([*threshold_faults({"threshold_log10": 4.4}, fixed)]) == 1
    assert len([*threshold_faults({"threshold_log10": 4.6}, fixed)]) == 1
    third = {**fixed, "sittings": None}
    assert [*threshold_faults({"threshold_log10": 4.5563}, third)] == []
    assert len([*threshold_faults({"threshold_log10": 3.5}, third)]) == 1


def test_a_round_whose_pack_is_missing_is_a_fault(copied: Path, key: str) -> None:
    alter(copied, lambda data: data["packs"].clear(), "values.json")
    assert any("round 1: values.json has no pack with the digest of its rules" in line
               for line in faults(copied, key))  # fmt: skip


@pytest.mark.parametrize("dealer", ["D1", None])
def test_a_choice_that_the_records_contradict_is_refused(copied: Path, key: str, dealer: str | None) -> None:
    """A choice by dealer is right only if the dealer began every listed round. A choice by day is right only
    if the journal has the day."""
    since = None if dealer else "2199-01-01"
    choice = {"dealer": dealer, "since": since, "zone": "UTC"}
    alter(copied, lambda data: data.update(choice=choice), "values.json")
    assert any(f"to {ROUNDS}: round 1: is not of the dealer or the days that `choice` names" in line
               for line in faults(copied, key))  # fmt: skip


def test_a_day_that_leaves_no_round_out_explains_no_later_beginning(copied: Path, key: str) -> None:
    alter(copied, lambda data: data["choice"].update(since="1999-01-01", zone="UTC"), "values.json")
    alter(copied, lambda data: without(data, 1, 2, 3))
    assert any("round 3 was left out" in line for line in faults(copied, key))
    (copied / "round-3.tlog-proof").unlink()
    assert any("round 3 has no proof" in line for line in faults(copied, key))


def test_every_value_is_counted_again(copied: Path) -> None:
    """Only one hole and one kind are counted, because each count takes seconds."""
    (pack,) = json.loads((copied / "values.json").read_text(encoding="utf-8"))["packs"].values()
    name, tables = next(iter(pack["holes"].items()))
    pack["holes"] = {name: tables}
    for table in ("middle", "across", "down"):
        card = next(iter(tables[table]))
        tables[table][card] = [tables[table][card][0] + 0.001, tables[table][card][1]]
    pack["worth"]["72o"] += 0.001
    found = [*differences(pack, [(0, 13 + 5), (0, 5)])]
    assert [line.partition(":")[0] for line in found] == [
        *(f"{name} with {next(iter(tables[at]))} known, {at}" for at in ("across", "down", "middle")),
        "the worth of 72o",
    ]  # fmt: skip


def test_an_altered_card_and_a_missing_round_are_refused(copied: Path, key: str) -> None:
    (copied / "round-2.tlog-proof").unlink()
    proof = copied / "round-4.tlog-proof"
    magic, extra, rest = proof.read_text(encoding="utf-8").split("\n", 2)
    _, _, _, _, body = leaf = json.loads(b64decode(extra.removeprefix("extra ")))
    record = json.loads(body)
    record["cross"]["middle"] = "2S" if record["cross"]["middle"] != "2S" else "3S"
    leaf[4] = json.dumps(record)
    changed = b64encode(json.dumps(leaf).encode()).decode()
    proof.write_text(f"{magic}\nextra {changed}\n{rest}", encoding="utf-8")
    found = [*faults(copied, key)]
    assert found[0] == "round-4.tlog-proof: its record is in no tree that the table signed"
    assert [line.rpartition(": ")[2] for line in found[1:]] == [
        "round 2 has no proof", "round 4 has no proof",
    ]  # fmt: skip


# ---------------------------------------------------------------------- dealers


@pytest.fixture(scope="module")
def dealers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of an export of a dealer who favours a seat, with the table's journal beside it."""
    folder = tmp_path_factory.mktemp("dealers")
    journal = str(folder / "journal.db")
    play = ["mock", "--no-wires", "--headless", "--json", "--rounds", "12", "--seed", "7", "--seats", "3"]
    assert main([*play, "--cheat", "dealer_errors", "--seat", str(SEAT), "--journal", journal]) == 0
    assert main(["evidence", journal, "--dealers", "--export", str(folder / "export")]) == 0
    return folder / "export"


def test_every_figure_of_a_dealer_s_errors_follows_from_the_proven_records(
    dealers: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    key = key_of(dealers, capsys)
    assert [*faults(dealers, key)] == []
    monkeypatch.setattr(sys, "argv", ["", str(dealers), key])
    assert verifier.main() == 2
    assert "not verified: the evidence of the sittings" in capsys.readouterr().out
    (dealer,) = json.loads((dealers / "dealers.json").read_text(encoding="utf-8"))["dealers"]
    assert any(part["errors"]["unequal"] for part in dealer["parts"])
    changes: list[tuple[Callable[[dict[str, Any]], object], str]] = [
        (lambda part: part["errors"].update(for_seat=99), "for_seat is "),
        (lambda part: part["errors"].update(peak_log10=4.0), "peak_log10 is "),
        (lambda part: part["round_numbers"].pop(), "is not that of the records"),
    ]
    for at, (change, fault) in enumerate(changes):
        copy = Path(shutil.copytree(dealers, tmp_path / str(at)))
        alter(copy, lambda data, change=change: change(data["dealers"][0]["parts"][0]), "dealers.json")
        found = [*faults(copy, key)]
        assert len(found) == 1
        assert fault in found[0]


# ---------------------------------------------------------------------- the shoe


@pytest.fixture(scope="module")
def shoe(exported: Path) -> Path:
    """Return the folder of an export of the same table's shoe."""
    folder = exported.parent / "shoe"
    assert main(["evidence", str(exported.parent / "journal.db"), "--shoe", "--export", str(folder)]) == 0
    return folder


def test_every_figure_of_the_shoe_follows_from_the_proven_records(
    shoe: Path, key: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert [*faults(shoe, key)] == []
    monkeypatch.setattr(sys, "argv", ["", str(shoe), key])
    assert verifier.main() == 2
    assert "not verified: the order of the places" in capsys.readouterr().out
    data = json.loads((shoe / "shoe.json").read_text(encoding="utf-8"))
    assert data["figures"]["orders"] + sum(data["figures"]["left_out"].values()) == ROUNDS
    assert data["figures"]["orders"] > 2
    assert shoe.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda data: data["figures"].update(log10=3.0), "all: log10 is "),
        (
            lambda data: data["figures"]["hypotheses"]["keeps_positions"].update(peak_log10=2.0),
            "keeps_positions",
        ),
        (lambda data: data["deals"][0]["rounds"].pop(), "its rounds are not the proven ones"),
        (lambda data: data["deals"][0]["places"].pop(), "its places are not those of the record"),
        (
            lambda data: (
                data["left_out_rounds"].setdefault("void", []).append(data["deals"][0]["rounds"].pop())
            ),
            "is left out as 'void', not ''",
        ),
    ],
)
def test_an_altered_export_of_the_shoe_is_refused(
    shoe: Path, key: str, tmp_path: Path, change: Any, fault: str
) -> None:
    copy = Path(shutil.copytree(shoe, tmp_path / "shoe"))
    alter(copy, change, "shoe.json")
    assert any(fault in line for line in faults(copy, key))


def test_both_programs_count_the_same_evidence_of_a_shoe() -> None:
    """Two decks are dealt, each with three riffles between its orders. One of them lacks a card, so that
    every hypothesis has evidence."""
    dice, one, two = np.random.default_rng(4), ShuffleEvidence(), Shoe()
    decks = [np.arange(52)[None], np.arange(51)[None]]
    for number in range(14):
        deck = number % 2
        decks[deck] = riffles(3)(decks[deck], dice)
        one.add(decks[deck][:, :17], deck)
        two.add(decks[deck][0, :17].tolist(), deck)
        assert [two.logs[name] for name in HYPOTHESES] == pytest.approx(one.logs[:, 0].tolist())
    assert [two.peaks[name] for name in HYPOTHESES] == pytest.approx(one.peaks[:, 0].tolist())
    assert two.logs[""] == pytest.approx(float(one.combined()[0]))
    assert len({round(two.logs[name], 6) for name in HYPOTHESES}) == len(HYPOTHESES)


def test_another_table_s_key_proves_nothing(exported: Path, key: str) -> None:
    other = key[:-8] + ("AAAAAAA=" if not key.endswith("AAAAAAA=") else "BBBBBBA=")
    assert sum("in no tree" in line for line in faults(exported, other)) == ROUNDS
