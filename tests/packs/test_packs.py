"""Each of the four rule packs is complete, cites the section of each value, and has the values of its
text."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from controller.common.files.mistakes import Mistakes
from controller.common.files.packaged import data_dir
from controller.game.model.irregularities import Code
from controller.game.model.names import ANTES, BETS, CROSS, Method, Wager
from controller.game.model.rules import RulePack
from controller.rules.packs.form import DECIDED, OWN_RULINGS
from controller.rules.packs.loader import find_pack, load_pack, pack_files

KEYS = ("pennsylvania", "massachusetts", "maryland", "six_card_bonus")
TEXTS = {
    "pennsylvania": "58 Pa. Code § 674a.",
    "massachusetts": "MGC Criss-Cross Poker § ",
    "maryland": "Md. Standard Rules Criss Cross Poker ",
    "six_card_bonus": "House rules, ",
}
PACKS = {key: load_pack(find_pack(key)) for key in KEYS}

every_pack = pytest.mark.parametrize("rules", PACKS.values(), ids=KEYS)


def test_the_program_includes_four_packs() -> None:
    assert set(pack_files()) == set(KEYS)
    assert {key: rules.key for key, rules in PACKS.items()} == dict(zip(KEYS, KEYS, strict=True))


@every_pack
def test_every_value_has_its_section_or_is_house_procedure(rules: RulePack) -> None:
    assert rules.citations
    for name, citation in rules.citations.items():
        assert citation.startswith(TEXTS[rules.key]) or citation == "house procedure", name
    for code, ruling in rules.rulings.items():
        assert ruling.citation == rules.cite(f"rulings.{code}")


@every_pack
def test_every_code_has_a_ruling_and_every_wager_its_sections(rules: RulePack) -> None:
    assert set(Code) - set(OWN_RULINGS) <= set(rules.rulings)
    assert {code for code, ruling in rules.rulings.items() if ruling.outcome} <= set(DECIDED)
    for wager in (*ANTES, *BETS, *rules.bonuses):
        for result in ("lose", "push", "win"):
            assert rules.cite(f"results.{wager}.{result}")
    for method in rules.deals:
        assert rules.cite(f"deals.{method}.counts_stub_every")
        assert rules.cite(f"deck_hours.{method}")
        assert method in rules.deck_minutes


@every_pack
def test_a_part_without_a_section_has_that_of_its_value(rules: RulePack) -> None:
    assert rules.cite("bet_multiples.across")
    assert rules.cite("payout_limit.cents") == rules.cite("payout_limit")
    with pytest.raises(KeyError):
        rules.cite("nothing.of_the_kind")


# ------------------------------------------------------------------ values of the texts


@pytest.mark.parametrize(
    ("key", "ante", "bonus"),
    [
        ("pennsylvania", (500, 10_000), (100, 10_000)),
        ("massachusetts", (500, 10_000), (100, 10_000)),
        ("maryland", (500, 10_000), (100, 10_000)),
        ("six_card_bonus", (200, 1_000), (200, 1_000)),
    ],
)
def test_limits_of_each_text_are_in_cents(key: str, ante: tuple[int, int], bonus: tuple[int, int]) -> None:
    rules = PACKS[key]
    assert (rules.minimum_ante, rules.maximum_ante) == ante
    assert (rules.bonus_minimum, rules.bonus_maximum) == bonus
    assert rules.bet_multiples == (1, 3)
    assert rules.whole_multiples


def test_each_text_has_its_bonuses_boxes_and_limits() -> None:
    assert {key: rules.bonuses for key, rules in PACKS.items()} == dict.fromkeys(
        KEYS[:3], (Wager.FIVE_CARD_BONUS,)
    ) | {"six_card_bonus": (Wager.FIVE_CARD_BONUS, Wager.SIX_CARD_BONUS)}
    assert [PACKS[key].adjacent_boxes for key in KEYS] == [2, 1, None, None]
    limits = [PACKS[key].payout_limit for key in KEYS]
    assert [limit.kind for limit in limits] == ["floor", "floor", "cap", "fixed"]
    assert [limit.bonus_included for limit in limits] == [False, True, False, True]
    assert [limit.cents for limit in limits] == [None, None, 5_000_000, 300_000]


@pytest.mark.parametrize("key", KEYS[:3])
def test_the_three_codes_have_the_same_deals(key: str) -> None:
    deals = PACKS[key].deals
    assert set(deals) == {Method.AUTOMATED_SHOE, Method.MANUAL_SHOE, Method.HAND}
    assert deals[Method.AUTOMATED_SHOE].steps == ("stack cross", "stack seats")
    for method in (Method.MANUAL_SHOE, Method.HAND):
        assert deals[method].steps == ("cards cross", "cards seats", "cards seats")
    assert {deal.counts_stub_every for deal in deals.values()} == {5}
    assert [deal.needs_shuffler for deal in deals.values()] == [False, False, True]
    assert PACKS[key].deck_minutes == {
        Method.AUTOMATED_SHOE: 480, Method.MANUAL_SHOE: 480, Method.HAND: 240,
    }  # fmt: skip


def test_the_house_order_deals_the_bonus_cards_between_the_cross_cards() -> None:
    deals = PACKS["six_card_bonus"].deals
    assert Method.AUTOMATED_SHOE not in deals
    assert next(iter(deals)) is Method.HOUSE_ORDER
    for deal in deals.values():
        assert deal.steps == (
            "cards seats", "cards seats",
            "card down_near", "card bonus_1", "card across_left", "card bonus_2", "card down_far",
            "card bonus_3", "card across_right", "card bonus_4", "card middle",
        )  # fmt: skip
        assert {f"card {place}" for place in CROSS} <= set(deal.steps)


RULED = {
    # row: Pennsylvania, Massachusetts, Maryland, house rules (config/rules/RULES.md, Irregularities)
    "face_up_one": ("set_aside", "set_aside", "void", "back_up"),
    "drawn_in_error": ("next_card", "next_card", "next_card", "back_up"),
    "face_seen": ("floor", "floor", "floor", "back_up"),
    "hole_exposed": ("floor", "floor", "floor", "back_up"),
    "wrong_count": ("void", "void", "void", "void"),
    "community_exposed": ("void", "void", "floor", "floor"),
    "shuffler_fault": ("reshuffle", "reshuffle", "floor", "void"),
    "shoe_fault": ("void", "void", "void", "void"),
    "manual_shoe_fault": ("floor", "floor", "floor", "floor"),
    "cards_unseen": ("floor", "floor", "floor", "floor"),
    "shoe_lost": ("floor", "floor", "floor", "floor"),
    "duplicate_card": ("remove_deck", "remove_deck", "remove_deck", "remove_deck"),
    "impossible_card": ("remove_deck", "remove_deck", "remove_deck", "remove_deck"),
    "deck_count": ("remove_deck", "remove_deck", "remove_deck", "floor"),
    "stub_misdealt": ("void", "void", "void", "void"),
    "stub_short": ("remove_deck", "remove_deck", "remove_deck", "floor"),
    "stub_both": ("remove_deck", "remove_deck", "remove_deck", "remove_deck"),
    "player_left": ("floor", "floor", "floor", "floor"),
    "players_conferred": ("floor", "floor", "floor", "floor"),
}


@pytest.mark.parametrize("code", RULED)
def test_each_text_has_its_outcome_for_an_irregularity(code: str) -> None:
    assert tuple(PACKS[key].rulings[code].outcome for key in KEYS) == RULED[code]


def test_a_second_card_face_up_has_a_ruling_where_one_does_not_void_the_round() -> None:
    found = [PACKS[key].rulings.get("face_up_more") for key in KEYS]
    assert [ruling and ruling.outcome for ruling in found] == ["void", "void", None, "void"]


def test_only_the_pack_with_bonus_cards_has_a_ruling_on_them() -> None:
    assert [PACKS[key].rulings.get("bonus_exposed") is not None for key in KEYS] == [
        False,
        False,
        False,
        True,
    ]
    assert PACKS["six_card_bonus"].rulings["bonus_exposed"].outcome == "back_up"


SECTIONS = {
    "face_up_one": ("13(a)", "12(a)", "13.A"),
    "drawn_in_error": ("13(b)", "12(b)", "13.B"),
    "wrong_count": ("13(c)", "12(c)", "13.C"),
    "shoe_fault": ("13(f)", "12(f)", "13.D"),
    "device_out_of_order": ("13(g)", "12(g)", "13.E"),
    "deck_count": ("5(b)", "4(b)", "5.B"),
    "unequal_antes": ("7(d)", "6(d)", "7.E(1)"),
    "late_bet": ("7(c)", "6(c)", "7.D"),
    "player_left": ("7(b)", "6(b)", "7.B(3)"),
    "deck_change_due": ("3(c)", "2(c)", "3.C"),
    "wrong_deck": ("3(b)(3)", "2(b)(3)", "3.B(4)"),
    "cards_touched": ("11(a)(1)", "10(a)(1)", "11.A(2), 11.A(5)"),
}


@pytest.mark.parametrize("code", SECTIONS)
def test_an_irregularity_cites_its_section(code: str) -> None:
    for key, section in zip(KEYS, SECTIONS[code], strict=False):
        assert PACKS[key].rulings[code].citation == TEXTS[key] + section


def test_only_maryland_forfeits_for_forbidden_acts_of_players() -> None:
    own = ("players_conferred", "cards_touched", "out_of_view", "hand_left")
    assert PACKS["maryland"].forfeits == ("player_left", *own)
    assert PACKS["pennsylvania"].forfeits == PACKS["massachusetts"].forfeits == ("player_left",)
    assert PACKS["six_card_bonus"].forfeits == ()
    assert [PACKS[key].back_ups for key in KEYS] == [0, 0, 0, 1]


def test_each_text_has_its_rules_for_preinspected_decks_and_folded_cards() -> None:
    assert [PACKS[key].preshuffled_skips_opening for key in KEYS[:3]] == [True, False, True]
    assert [PACKS[key].folded_cards for key in KEYS] == [
        "rack",
        "rack",
        "stay_with_bonus",
        "tuck_under_bonus",
    ]
    assert [PACKS[key].fold_collected for key in KEYS[:3]] == ["before_turn", "before_turn", "at_once"]
    assert [PACKS[key].folded_turned_for for key in KEYS] == [(), (), (), (Wager.SIX_CARD_BONUS,)]
    assert {rules.cut_minimum for rules in PACKS.values()} == {10}


# ------------------------------------------------------------------ packs and code


def test_packs_are_found_by_key_and_by_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = tmp_path / "own.yaml"
    own.write_text(find_pack("maryland").read_text(encoding="utf-8"), encoding="utf-8")
    assert find_pack("maryland") == data_dir("config") / "rules" / "maryland.yaml"
    assert find_pack(str(own)) == own
    assert find_pack("own.yaml", [tmp_path]) == own
    monkeypatch.chdir(tmp_path)
    with pytest.raises(Mistakes):
        find_pack("own.yaml", [tmp_path / "table"])
    assert load_pack(own) == PACKS["maryland"]


def test_the_digest_depends_on_the_played_values() -> None:
    path = find_pack("pennsylvania")
    digests = {rules.digest for rules in PACKS.values()}
    assert len(digests) == 4
    assert all(digest.startswith("sha256:") and len(digest) == 71 for digest in digests)
    assert load_pack(path).digest == PACKS["pennsylvania"].digest
    assert load_pack(path, {"minimum_ante": 5}).digest == PACKS["pennsylvania"].digest
    assert load_pack(path, {"minimum_ante": 10}).digest != PACKS["pennsylvania"].digest


@pytest.mark.slow
def test_no_module_of_the_program_compares_the_name_of_a_pack() -> None:
    """No module may decide by the name of a pack. The name may occur in a comment or as a default, but never
    in a comparison."""
    root = Path(__file__).parents[2]
    for path in [*(root / "controller").rglob("*.py"), *(root / "drivers").rglob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Compare | ast.MatchValue):
                named = {each.value for each in ast.walk(node) if isinstance(each, ast.Constant)}
                compared = named & (set(KEYS) - {Wager.SIX_CARD_BONUS.value})
                assert not compared, f"{path}:{getattr(node, 'lineno', 0)}"


def test_a_changed_pack_file_is_read_again_and_other_settings_give_another_pack(tmp_path: Path) -> None:
    file = tmp_path / "own.yaml"
    text = find_pack("pennsylvania").read_text(encoding="utf-8")
    file.write_text(text, encoding="utf-8")
    before = load_pack(file)
    assert load_pack(file) is before
    assert load_pack(file, {"maximum_ante": 50}).digest != before.digest
    file.write_text(text.replace('title: "', 'title: "Our '), encoding="utf-8")
    assert load_pack(file).title == f"Our {before.title}"
    file.write_text("title: [", encoding="utf-8")
    with pytest.raises(Mistakes):
        load_pack(file)
