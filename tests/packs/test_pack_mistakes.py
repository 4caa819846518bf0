"""An invalid pack is refused with all its mistakes at once, each with its line and the allowed values."""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from random import Random

import pytest
import yaml

from controller.common.files.mistakes import Mistakes
from controller.game.model.irregularities import Code, Outcome, SubRuling
from controller.game.model.rules import Ruling
from controller.rules.packs.loader import find_pack, load_pack

pytestmark = pytest.mark.slow

KEYS = ("pennsylvania", "massachusetts", "maryland", "six_card_bonus")


def refused(path: Path, overrides: dict[str, object] | None = None) -> tuple[str, ...]:
    with pytest.raises(Mistakes) as caught:
        load_pack(path, overrides)
    return caught.value.lines


def changed(tmp_path: Path, key: str, *changes: tuple[str, str]) -> tuple[Path, list[int]]:
    """Write a pack with parts of its text replaced; return its file and the line number of each replacement.
    `changes`: pairs of old and new text."""
    text = find_pack(key).read_text(encoding="utf-8")
    for old, _ in changes:
        assert old in text, old
    for old, new in changes:
        text = text.replace(old, new, 1)
    lines = [text[: text.index(new)].count("\n") + 1 if new else 0 for _, new in changes]
    path = tmp_path / "pack.yaml"
    path.write_text(text, encoding="utf-8")
    return path, lines


MUTATIONS = [
    # each row has the pack, the replaced text, the new text, the key named in the message, and the message
    ("pennsylvania", "minimum_ante: {value: 5,", "minimum_ante: {value: five,", "minimum_ante", "in dollars"),
    (
        "pennsylvania",
        "minimum_ante: {value: 5,",
        "minimum_ante: {value: 5.005,",
        "minimum_ante",
        "whole cents",
    ),
    ("pennsylvania", "minimum_ante: {value: 5,", "minimum_ante: {value: -5,", "minimum_ante", "not below 0"),
    ("pennsylvania", "minimum_ante: {value: 5,", "minimum_ante: {value: 0,", "minimum_ante", "more than $0"),
    (
        "pennsylvania",
        "minimum_ante: {value: 5,",
        "minimum_ante: {value: 500,",
        "minimum_ante",
        "maximum ante, $100",
    ),
    (
        "pennsylvania",
        "whole_multiples: {value: true",
        "whole_multiples: {value: 1",
        "whole_multiples",
        "true or false",
    ),
    (
        "pennsylvania",
        "[five_card_bonus], allowed",
        "[four_card_bonus], allowed",
        "bonuses",
        "five_card_bonus",
    ),
    (
        "pennsylvania",
        "minimum_ante:",
        "least_ante:",
        "least_ante",
        "unknown key; allowed: bonuses, minimum_ante",
    ),
    ("pennsylvania", 'citation: "58 Pa. Code § 674a.7(g)"', 'citation: ""', "adjacent_boxes", "citation"),
    (
        "pennsylvania",
        "value: 2, between: [1, 6]",
        "value: 7, between: [1, 6]",
        "adjacent_boxes",
        "from 1 to 6",
    ),
    ("massachusetts", "value: 1, between: [1, 1]", "value: 2, between: [1, 1]", "adjacent_boxes", "1 to 1"),
    ("pennsylvania", "flush: 8", "flsh: 8", "bet_pays", "royal_flush, straight_flush"),
    (
        "pennsylvania",
        "      full_house: 12\n",
        "      full_house: 0\n",
        "full_house",
        "from 1 to 100000, or push",
    ),
    ("pennsylvania", "      full_house: 12\n", "      full_house: 41\n", "full_house", "40 to 1"),
    ("pennsylvania", "kind: floor", "kind: flor", "payout_limit.kind", "floor, cap, fixed"),
    (
        "pennsylvania",
        "shoe_fault: {outcome: void",
        "shoe_fault: {outcome: avoid",
        "shoe_fault.outcome",
        "void, remove",
    ),
    (
        "maryland",
        "  deck_change_due: {",
        "  deck_change_due: {outcome: void, ",
        "deck_change_due.outcome",
        "unknown key",
    ),
    ("maryland", "  face_seen: {outcome: floor, ", "  face_seen: {", "face_seen", "outcome: missing"),
    ("pennsylvania", "[stack cross, stack seats]", "[stack cross]", "steps", "two cards to each seat"),
    ("pennsylvania", "[stack cross, stack seats]", "[stack cross, stack dealer]", "steps", "stack seats"),
    (
        "pennsylvania",
        'between: [1, 5], citation: "58 Pa. Code § 674a.10(d)"',
        "between: 5, citation: x",
        "between",
        "two",
    ),
    (
        "pennsylvania",
        "value: 8, between: [1, 8]",
        "value: 9, between: [1, 8]",
        "deck_hours",
        "1 to 8 (58 Pa. Code",
    ),
    ("pennsylvania", "cut_minimum: {value: 10", "cut_minimum: {value: 9", "cut_minimum", "10 to 42"),
    (
        "pennsylvania",
        "- do: [take, push, pay]",
        "- do: [take, pay]",
        "settlement",
        "push 0 times; allowed: once",
    ),
    ("pennsylvania", "- turn: seat", "- turn: nothing", "settlement", "turn: seat"),
    (
        "six_card_bonus",
        "equals_five: {value: true",
        "equals_five: {value: false",
        "equals_five",
        "true (House rules",
    ),
    (
        "six_card_bonus",
        "value: [five_card_bonus, six_card_bonus]",
        "value: [six_card_bonus]",
        "bonuses",
        "must equal",
    ),
    ("six_card_bonus", "maximum_ante: {value: 10,", "maximum_ante: {value: 25,", "maximum_ante", "$2 to $10"),
    ("six_card_bonus", "  value: 3000", "  value: 2999", "payout_limit", "$3,000 (House rules, Max Payout"),
    ("six_card_bonus", "  value: 3000", "  value: null", "payout_limit", "$3,000 (House rules, Max Payout"),
    (
        "six_card_bonus",
        "folded_turned_for: {value: [six_card_bonus]",
        "folded_turned_for: {value: []",
        "folded_turned_for",
        "six_card_bonus",
    ),
]


@pytest.mark.parametrize(("key", "old", "new", "named", "message"), MUTATIONS)
def test_a_mistake_names_file_line_key_and_allowed_values(
    tmp_path: Path, key: str, old: str, new: str, named: str, message: str
) -> None:
    path, (line,) = changed(tmp_path, key, (old, new))
    found = refused(path)
    assert any(one.startswith(f"{path}:") and named in one and message in one for one in found), found
    if named not in ("bet_pays", "settlement"):
        at = line + new.count("\n", 0, len(new) - 1)
        assert any(one.startswith(f"{path}:{at}: ") and named in one for one in found), (at, found)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("table", ["bet_pays", "five_card_bonus_pays"])
def test_a_hand_without_odds_is_reported(tmp_path: Path, key: str, table: str) -> None:
    whole = find_pack(key).read_text(encoding="utf-8")
    start = whole.index(f"  {table}:")
    path = tmp_path / "pack.yaml"
    path.write_text(whole[:start] + re.sub(r"\n +flush: \d+", "", whole[start:], count=1), encoding="utf-8")
    (found,) = refused(path)
    assert f"pays.{table}.value: a hand without odds: flush; allowed: odds for each" in found


def test_all_mistakes_are_reported_together(tmp_path: Path) -> None:
    path, lines = changed(
        tmp_path,
        "maryland",
        ("minimum_ante: {value: 5,", "minimum_ante: {value: lots,"),
        ("cut_minimum: {value: 10,", "cut_minimum: {value: ten,"),
        ("  hole_exposed: {outcome: floor,", "  hole_exposed: {outcome: gone,"),
    )
    found = refused(path)
    assert len(found) == 3
    assert sorted(int(one.split(":")[1]) for one in found) == sorted(lines)


def test_a_missing_value_section_or_ruling_is_reported(tmp_path: Path) -> None:
    path, _ = changed(
        tmp_path, "maryland", ("{value: 100, citation", "{citation"), ("\ndeck_hours:", "\nduck_hours:")
    )
    found = " ".join(refused(path))
    assert "wagers.maximum_ante.value: missing; it must be given" in found
    assert "duck_hours: unknown key" in found
    assert "deck_hours" in found
    text = find_pack("maryland").read_text(encoding="utf-8")
    path.write_text(re.sub(r"  face_seen: .*\n", "", text), encoding="utf-8")
    (one,) = refused(path)
    assert "rulings: face_seen: missing" in one


def test_a_pack_may_replace_the_house_procedure_of_an_irregularity(tmp_path: Path) -> None:
    """House procedure rules on such an irregularity under every pack. A ruling in the pack's own text has
    priority."""
    path, _ = changed(
        tmp_path, "maryland", ("rulings:\n", 'rulings:\n  shoe_lost: {outcome: void, citation: "1.A"}\n')
    )
    given, pack = load_pack(path), load_pack(find_pack("maryland"))
    assert (given.rulings[Code.SHOE_LOST].outcome, given.cite("rulings.shoe_lost")) == (Outcome.VOID, "1.A")
    assert pack.rulings[Code.SHOE_LOST] == Ruling(Outcome.FLOOR, "house procedure")
    assert pack.rulings[Code.READER_LOST] == Ruling(None, "house procedure")
    assert pack.rulings[SubRuling.STUB_BOTH] == Ruling(Outcome.REMOVE_DECK, "house procedure")


@pytest.mark.parametrize("text", ["", "- 1\n- 2\n", "key: [", "\t", "a: 1\na: 2\n", "\x00"])
def test_a_file_that_is_no_pack_is_refused_with_its_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / "pack.yaml"
    path.write_text(text, encoding="utf-8")
    assert all(re.match(rf"{re.escape(str(path))}:\d+: ", line) for line in refused(path))


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    assert refused(tmp_path / "none.yaml")[0].startswith(f"{tmp_path / 'none.yaml'}:1: cannot be read")
    with pytest.raises(Mistakes, match="allowed: maryland, massachusetts, pennsylvania, six_card_bonus"):
        find_pack("nevada")


def _paths(node: object, path: tuple[object, ...] = ()) -> Iterator[tuple[object, ...]]:
    yield path
    pairs = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in pairs:
        yield from _paths(value, (*path, key))


ODD = [None, True, -1, 10**30, 1.5, float("nan"), "", "x", "2026-11-20", [], [[]], {}, {"value": {}}, {1: 2}]


@pytest.mark.parametrize("key", KEYS)
def test_a_pack_with_a_random_value_is_loaded_or_refused_with_mistakes(tmp_path: Path, key: str) -> None:
    """One value of the pack is replaced by an arbitrary one. Loading then returns a pack or raises Mistakes,
    and never raises another exception."""
    random = Random(key)
    plain = yaml.safe_load(find_pack(key).read_text(encoding="utf-8"))
    dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    everywhere = [path for path in _paths(plain) if path]
    path = tmp_path / "pack.yaml"
    for place in random.sample(everywhere, 30):
        damaged = deepcopy(plain)
        spot = damaged
        for part in place[:-1]:
            spot = spot[part]
        spot[place[-1]] = random.choice(ODD)
        path.write_text(yaml.dump(damaged, Dumper=dumper, sort_keys=False), encoding="utf-8")
        try:
            load_pack(path)
        except Mistakes as mistakes:
            assert all(re.match(rf"{re.escape(str(path))}:\d+: ", line) for line in mistakes.lines)  # noqa: PT017
