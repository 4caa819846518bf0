"""A table file may set values of its rule pack in dollars within the limits of the text, and each mistake is
reported with its line."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from controller.common.files.mistakes import Mistakes
from controller.common.files.yaml_lines import read_lines
from controller.game.model.names import Method, Wager
from controller.rules.packs.loader import OVERRIDES, find_pack, load_pack
from tests.packs.test_pack_mistakes import refused

pytestmark = pytest.mark.slow


def test_values_of_a_table_file_are_in_dollars() -> None:
    path = find_pack("pennsylvania")
    rules = load_pack(
        path,
        {
            "minimum_ante": 10, "maximum_ante": "250.50",
            "bonus_minimum": Decimal("2.5"), "bonus_maximum": 29.0,
            "whole_multiples": False, "bonuses": [], "payout_limit": 50_000, "adjacent_boxes": 3,
            "deck_hours": {"hand": 2}, "counts_stub_every": 3,
        },
    )  # fmt: skip
    assert (rules.minimum_ante, rules.maximum_ante, rules.bonus_minimum) == (1000, 25_050, 250)
    assert rules.bonus_maximum == 2900
    assert (rules.whole_multiples, rules.bonuses, rules.adjacent_boxes) == (False, (), 3)
    assert rules.payout_limit.cents == 5_000_000
    assert rules.deck_minutes[Method.HAND] == 120
    assert rules.deck_minutes[Method.MANUAL_SHOE] == 480
    assert {deal.counts_stub_every for deal in rules.deals.values()} == {3}
    assert rules.cite("minimum_ante") == "house procedure"


def test_only_maryland_antes_can_be_paid_by_the_pay_table() -> None:
    letter = load_pack(find_pack("maryland"), {"ante_pays": "pay_table"})
    assert letter.ante_pays == letter.bet_pays
    assert "even_money" in refused(find_pack("pennsylvania"), {"ante_pays": "pay_table"})[0]


@pytest.mark.parametrize(
    ("key", "overrides", "allowed"),
    [
        ("pennsylvania", {"payout_limit": "49999.99"}, "$50,000 or more, or null (58 Pa. Code § 674a.12(d))"),
        ("pennsylvania", {"payout_limit": 50_000}, None),
        ("pennsylvania", {"payout_limit": None}, None),
        ("pennsylvania", {"minimum_ante": 50, "payout_limit": 55_099}, "$65,600 or more"),
        ("pennsylvania", {"minimum_ante": 50, "payout_limit": 65_600}, None),
        ("massachusetts", {"minimum_ante": 50, "payout_limit": 55_109}, "$55,110 or more"),
        ("massachusetts", {"minimum_ante": 50, "payout_limit": 55_110}, None),
        ("massachusetts", {"minimum_ante": 50, "bonuses": [], "payout_limit": 55_100}, None),
        ("maryland", {"payout_limit": "50000.01"}, "$50,000 or less (Md. Standard Rules"),
        ("maryland", {"payout_limit": 50_000}, None),
        ("maryland", {"minimum_ante": 50, "payout_limit": 55_100}, None),
        ("maryland", {"minimum_ante": 50, "payout_limit": 55_101}, "$55,100 or less"),
        ("six_card_bonus", {"payout_limit": 50_000}, "$3,000 (House rules, Max Payout Aggregate)"),
        ("six_card_bonus", {"minimum_ante": 1}, "$2 to $10"),
        ("six_card_bonus", {"six_card_bonus_equals_five": False}, "true (House rules, 6 Card Bonus Wager)"),
        ("massachusetts", {"adjacent_boxes": 2}, "1 to 1 (MGC Criss-Cross Poker § 6(g))"),
        ("maryland", {"bonuses": ["five_card_bonus", "six_card_bonus"]}, "five_card_bonus (Md."),
        ("maryland", {"payout_limit": None}, "$50,000 or less (Md. Standard Rules Criss Cross Poker 12.B)"),
        ("maryland", {"payout_limit": 0}, "more than $0"),
        ("pennsylvania", {"adjacent_boxes": 6, "minimum_ante": 50, "payout_limit": 69_899}, "$69,900 or"),
        ("pennsylvania", {"adjacent_boxes": 6, "minimum_ante": 50, "payout_limit": 69_900}, None),
        # by the letter of the texts, players may bet from one to three antes
        ("pennsylvania", {"bet_multiples": [2, 3]}, "[1, 3] (58 Pa. Code § 674a.11(b), (d), (f))"),
        ("massachusetts", {"bet_multiples": [1, 2]}, "[1, 3] (MGC Criss-Cross Poker § 10(b), (d), (f))"),
        ("maryland", {"bet_multiples": [1, 1]}, "[1, 3] (Md."),
        ("six_card_bonus", {"bet_multiples": [3, 3]}, "[1, 3] (House rules, Round of Play)"),
        # the text names the reasons for a forfeit
        ("pennsylvania", {"forfeits": ["players_conferred"]}, "player_left (58 Pa. Code § 674a.7(b))"),
        ("pennsylvania", {"forfeits": []}, None),
        ("massachusetts", {"forfeits": ["player_left", "cards_touched"]}, "player_left (MGC"),
        ("maryland", {"forfeits": ["player_left"]}, "out_of_view, hand_left], [players_conferred"),
        (
            "maryland",
            {"forfeits": ["hand_left", "out_of_view", "cards_touched", "players_conferred"]},
            None,
        ),
        ("six_card_bonus", {"forfeits": ["player_left"]}, "none (house procedure)"),
        ("pennsylvania", {"folded_turned_for": ["five_card_bonus"]}, "only where the rule pack has it"),
        ("six_card_bonus", {"back_ups": 0}, "1 to 1 (House rules, Irregularities)"),
        ("six_card_bonus", {"two_decks": False}, "true (House rules, Equipment)"),
        ("pennsylvania", {"two_decks": False}, None),
        # a value that a text limits cannot be removed
        ("massachusetts", {"adjacent_boxes": None}, "1 to 1 (MGC Criss-Cross Poker § 6(g))"),
        ("pennsylvania", {"adjacent_boxes": None}, "1 to 6 (58 Pa. Code § 674a.7(g))"),
        ("maryland", {"adjacent_boxes": 2}, None),
        ("pennsylvania", {"counts_stub_every": None}, "1 to 5 (58 Pa. Code § 674a.10(d))"),
        ("maryland", {"deck_hours": {"hand": None}}, "1 to 4 (Md. Standard Rules Criss Cross Poker 3.C(1))"),
        ("six_card_bonus", {"deck_hours": {"hand": None}, "counts_stub_every": 3}, None),
        ("pennsylvania", {"bet_pays": {}}, "unknown key"),
        ("pennsylvania", {"deck_hours": {"hand": 5}}, "1 to 4"),
        ("pennsylvania", {"deck_hours": {"house_order": 4}}, "unknown key"),
        ("pennsylvania", {"deck_hours": 4}, "a mapping"),
        ("pennsylvania", {"counts_stub_every": 6}, "1 to 5"),
        ("pennsylvania", {"maximum_ante": True}, "in dollars"),
    ],
)
def test_values_of_a_table_file_must_keep_to_the_text(
    key: str, overrides: dict[str, object], allowed: str | None
) -> None:
    if allowed is None:
        load_pack(find_pack(key), overrides)
    else:
        assert any(allowed in line for line in refused(find_pack(key), overrides))


def test_a_mistake_in_a_table_file_names_that_file_and_its_line(tmp_path: Path) -> None:
    table = tmp_path / "table.yaml"
    table.write_text("table: CC-01\n\nminimum_ante: 1.001\npayout_limit: 10\n", encoding="utf-8")
    found = read_lines(table)
    overrides = {key: value for key, value in found.data.items() if key in OVERRIDES}
    with pytest.raises(Mistakes) as caught:
        load_pack(find_pack("pennsylvania"), overrides, found)
    assert caught.value.lines == (
        f"{table}:3: minimum_ante: allowed: an amount in dollars, whole cents, not below 0",
    )
    table.write_text("table: CC-01\n\npayout_limit: 10\n", encoding="utf-8")
    found = read_lines(table)
    with pytest.raises(Mistakes) as caught:
        load_pack(find_pack("pennsylvania"), {"payout_limit": 10}, found)
    assert caught.value.lines[0].startswith(f"{table}:3: payout_limit: allowed: $50,000 or more")


def test_amounts_are_read_exactly_from_the_text_of_the_file(tmp_path: Path) -> None:
    table = tmp_path / "table.yaml"
    table.write_text("maximum_ante: 1234567.89\nbonus_maximum: 0x10\n", encoding="utf-8")
    found = read_lines(table)
    with pytest.raises(Mistakes) as caught:
        load_pack(find_pack("pennsylvania"), found.data, found)
    assert len(caught.value.lines) == 1
    table.write_text("maximum_ante: 1234567.89\n", encoding="utf-8")
    found = read_lines(table)
    assert load_pack(find_pack("pennsylvania"), found.data, found).maximum_ante == 123_456_789


def test_a_table_file_can_switch_a_bonus_off() -> None:
    rules = load_pack(find_pack("six_card_bonus"), {"bonuses": ["five_card_bonus"]})
    assert rules.bonuses == (Wager.FIVE_CARD_BONUS,)
