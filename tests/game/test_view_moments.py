"""The view is right at the moments at which it has fields that it has at no other time.

controller/ARCHITECTURE.md "Principles", config/rules/RULES.md "Settlement" (house rules: the bonus cards come
last).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from controller.common.texts.catalogue import catalogue
from controller.game.model import events
from controller.game.model.irregularities import Outcome
from controller.game.model.names import Method, Wager
from controller.game.rulebook.hands import HAND_LINES
from controller.game.showing.public import turned_record
from controller.pages.display import phrases
from tests.game.felt import Felt, pack

CROSS = "JC 7D 2H 8S 4C"
BONUS = "9C KD 9H QC"
HIDDEN = {"lies": "down", "face": None}
NOTHING = {"lies": "none", "face": None}


def up(faces: str) -> list[dict[str, Any]]:
    return [{"lies": "up", "face": face} for face in faces.split()]


def seat(felt: Felt, number: int) -> dict[str, Any]:
    found: dict[str, Any] = felt.table.view()["seats"][number - 1]
    return found


def spoken(felt: Felt, number: int) -> dict[str, str | None]:
    """Return the hands of seat `number` as the dealer announces them."""
    named = seat(felt, number)["hands"].items()
    return {name: phrases.hand(catalogue("en"), hand) if hand else None for name, hand in named}


def hands(**known: str) -> dict[str, str | None]:
    return dict.fromkeys(("across", "down", "five_card_bonus", "six_card_bonus")) | known


def dues(felt: Felt) -> dict[tuple[int, str], str]:
    return {
        (box["seat"], name): circle["due"]
        for box in felt.table.view()["seats"]
        for name, circle in box["circles"].items()
        if circle["due"] is not None
    }


def due(number: int, wager: str, result: str, cents: int) -> dict[str, Any]:
    return {"seat": number, "wager": wager, "result": result, "amount": cents}


def at_settlement() -> Felt:
    """Return a table in settlement at which seat 3 has bet to the end, and seat 5 has folded and keeps its
    bonuses."""
    felt = Felt("six_card_bonus").closed(3, 5, five_card_bonus=5, six_card_bonus=5)
    assert felt.table.view()["cross"]["middle"] == NOTHING
    assert felt.table.view()["bonus_cards"] == [NOTHING] * 4
    felt.draw(CROSS, {3: "JH 3D", 5: "2S 9S"}, BONUS)
    felt.decide(s3=10, s5=None)
    felt.decide(s3=10)
    felt.decide(s3=10)
    return felt


def test_the_cards_of_the_announced_hand_are_marked() -> None:
    """The Five Card Bonus marks only cards of the cross. The hand of a seat is not marked before its cards
    are turned."""
    felt = at_settlement()
    found = {}
    while felt.prompt["kind"] != "turn_bonus":
        view = felt.table.view()
        marks = view["marked"]
        found[felt.prompt["seat"], felt.prompt["wager"]] = marks and (
            set(marks["making"]),
            len(marks["five"]),
        )
        felt.settle_one()
    pair = ({"seat_3_1", "down_far"}, 5)
    assert found[5, "five_card_bonus"] == ({"down_far"}, 5)
    assert found[3, None] is None, "the seat is to be turned"
    assert (found[3, "ante_across"], found[3, "ante_down"], found[3, "middle"]) == (
        ({"seat_3_1"}, 5),
        pair,
        pair,
    )


def test_the_steps_of_a_settlement_are_shown() -> None:
    felt = at_settlement()
    view = felt.table.view()
    assert (view["due"], dues(felt)) == (
        due(5, "five_card_bonus", "lose", 500),
        {(5, "five_card_bonus"): "take"},
    )
    assert (view["next"]["kind"], view["next"]["seat"]) == ("turn_seat", 3)
    assert view["bonus_cards"] == [HIDDEN] * 4
    assert (spoken(felt, 3), seat(felt, 3)["cards"]) == (
        hands(five_card_bonus="jack high"),
        [HIDDEN] * 2,
    )
    assert (seat(felt, 5)["folded_at"], seat(felt, 3)["folded_at"]) == ("across", None)
    felt.settle_one()
    assert (felt.table.view()["due"], dues(felt)) == (None, {})
    felt.settle_one()
    turned = hands(across="jack high", down="pair of jacks", five_card_bonus="jack high")
    assert (spoken(felt, 3), seat(felt, 3)["cards"]) == (turned, up("JH 3D"))
    assert seat(felt, 5)["cards"] == [HIDDEN] * 2
    assert felt.table.view()["next"]["wager"] == "across"
    felt.settle_one()
    felt.settle_one()
    assert felt.table.view()["due"] == due(3, "ante_down", "win", 1000)
    assert dues(felt) == {(3, "ante_down"): "pay"}
    while felt.prompt["kind"] != "turn_bonus":
        assert not seat(felt, 3)["settled"]
        felt.settle_one()
    assert felt.prompt["places"] == ["bonus_1", "bonus_2", "bonus_3", "bonus_4"]
    felt.settle_one()
    assert felt.table.view()["bonus_cards"] == up(BONUS)
    felt.settle_one()
    assert felt.table.view()["due"] == due(5, "six_card_bonus", "win", 2500)
    assert not seat(felt, 5)["settled"]
    felt.settle_one()
    assert (seat(felt, 3)["settled"], seat(felt, 5)["settled"], seat(felt, 1)["settled"]) == (
        False,
        True,
        False,
    )
    assert spoken(felt, 5)["six_card_bonus"] == "three of a kind"
    assert spoken(felt, 3)["six_card_bonus"] is None
    felt.settle_one()
    assert spoken(felt, 3) == turned | {"six_card_bonus": "pair of 9s"}


def test_a_record_is_recalled_with_its_turned_faces() -> None:
    felt = at_settlement()
    felt.settle()
    record = felt.records[-1]
    shown = frozenset({"middle", "down_far", "bonus_1", "bonus_4", "seat_3_1", "seat_3_2", "seat_5_2"})
    shown_record = turned_record(record, shown)
    assert shown_record["cross"] == {
        "down_far": "JC", "across_left": None, "middle": "2H", "across_right": None, "down_near": None,
    }  # fmt: skip
    assert (shown_record["bonus_cards"], shown_record["set_aside"]) == (["9C", None, None, "QC"], 0)
    assert [(box["seat"], box["cards"]) for box in shown_record["seats"]] == [
        (3, ["JH", "3D"]),
        (5, [None, "9S"]),
    ]
    same = set(record) - {"cross", "bonus_cards", "set_aside", "seats"}
    assert {key: shown_record[key] for key in same} == {key: record[key] for key in same}
    for box, whole in zip(shown_record["seats"], record["seats"], strict=True):
        assert {**box, "cards": None} == {**whole, "cards": None}
    bare = turned_record({**record, "bonus_cards": None, "set_aside": ["2C", "3C"]}, shown)
    assert (bare["bonus_cards"], bare["set_aside"]) == (None, 2)


def test_a_void_round_is_recalled_with_its_dealt_cards() -> None:
    felt = Felt(method=Method.MANUAL_SHOE).closed(1)
    for face in ("2C", "7D", "TH", "JS", "4C", "AS"):
        felt.card(face)
    felt.report("wrong_count", seat=1, number=3)
    felt.floor("outcome", outcome=Outcome.VOID)
    felt.clear()
    felt.press("confirm")
    shown_record = turned_record(felt.records[-1], frozenset())
    assert shown_record["seats"][0]["cards"] == [None]


def test_an_unread_card_is_shown_as_unknown_when_turned() -> None:
    felt = Felt().closed(3)
    felt.stack(["JC", None, "2H", "8S", "4C"])
    felt.event(events.StackTaken())
    assert felt.table.view()["bonus_cards"] is None
    assert felt.table.view()["cross"]["across_left"] == HIDDEN
    felt.stack(["JH", "3D"])
    felt.event(events.StackTaken())
    felt.event(events.StubTaken(45))
    felt.bet(10)
    felt.press("confirm")
    cross = felt.table.view()["cross"]
    assert (cross["across_left"], cross["across_right"]) == ({"lies": "unknown", "face": None}, *up("8S"))
    assert cross["middle"] == HIDDEN


def test_an_unread_circle_shows_no_old_amount() -> None:
    felt = Felt()
    felt.antes(3)
    felt.event(events.CircleUnreadable(3, Wager.ANTE_DOWN, "silent"))
    circle = seat(felt, 3)["circles"]["ante_down"]
    assert (circle["amount"], circle["chips"], circle["reading"]) == (None, None, "silent")
    felt.press("no_more_bets")
    felt.event(events.AmountEntered(3, Wager.ANTE_DOWN, 1000))
    circle = seat(felt, 3)["circles"]["ante_down"]
    assert (circle["amount"], circle["chips"], circle["reading"]) == (1000, None, "entered")


def test_the_state_of_the_shoe_s_link_is_shown() -> None:
    felt = Felt()
    assert felt.table.view()["shoe"]["link"] == "up"
    felt.event(events.ShoeLinkLost())
    assert felt.table.view()["shoe"]["link"] == "down"
    felt.event(events.ShoeLinkOpened("TEST", "1", "1", "boot"))
    felt.event(events.ShoeStated("READY", 52, 0, "BLUE", "STACK", resumed=True))
    shoe = felt.table.view()["shoe"]
    assert (shoe["link"], shoe["back"], shoe["mode"], shoe["left"]) == ("up", "blue", "STACK", 52)


def test_invalid_wagers_are_prompted_with_their_section() -> None:
    felt = Felt("six_card_bonus").closed(3, five_card_bonus=5, six_card_bonus=10)
    prompt = {key: value for key, value in felt.prompt.items() if value is not None}
    assert prompt == {
        "id": "1/fix_wagers/3/six_card_bonus/500//bonus_unequal/7", "kind": "fix_wagers", "seat": 3,
        "wager": "six_card_bonus", "amount": 500, "code": "bonus_unequal",
        "citation": felt.pack.cite("rulings.bonus_unequal"),
    }  # fmt: skip


def test_the_prompt_waits_for_the_shuffle_until_the_device_refuses() -> None:
    felt = Felt().dealt(CROSS, {3: "JH 3D"})
    felt.fold()
    felt.collect()
    felt.does_shuffle = False
    felt.press("confirm")
    assert felt.prompt["kind"] == "shuffle_wait"
    felt.event(events.CommandRefused("SHUFFLE", "a card lies in the exit"))
    assert felt.prompt["kind"] == "load_deck"
    felt.event(events.DeckReady(52, "RED"))
    assert felt.prompt["kind"] == "bets_open"


def test_payout_tables_are_shown_from_the_highest_hand_down() -> None:
    """A journal stores the lines of a pack in alphabetical order, and the view must sort them."""
    ordered = replace(pack(), bet_pays=dict(sorted(pack().bet_pays.items())))
    lines = [line["hand"] for line in Felt(ordered).table.view()["pays"]["bet"]]
    assert lines == [hand for hand in HAND_LINES if hand in ordered.bet_pays]
    assert lines[0] == "royal_flush"
