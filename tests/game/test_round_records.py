"""The record of a round has the expected value in every field of controller/COMMANDS.md "Round record".

58 Pa. Code § 674a.11-.12 (settled), House rules "Irregularities" (void), Maryland 11.A(4)-(5) (forfeited).
"""

from __future__ import annotations

from typing import Any, cast

from controller.game.model.effects import WriteRecord
from controller.game.model.events import DealerSignedOn
from controller.game.model.record import RoundRecord
from tests.game.felt import Felt

CROSS = "JC 7D 2H 8S 4C"
ON_THE_FELT = {
    "down_far": "JC", "across_left": "7D", "middle": "2H", "across_right": "8S", "down_near": "4C",
}  # fmt: skip
NO_HANDS = dict.fromkeys(("across", "down", "five_card_bonus", "six_card_bonus"))


def wager(cents: int, result: str, *, odds: int | None = None, verified: bool = True) -> dict[str, Any]:
    won = cents * (odds or 0)
    return {
        "amount": cents, "result": result, "odds": odds, "payout": won, "uncut": won, "verified": verified,
    }  # fmt: skip


def box(seat: int, cards: list[str], **more: Any) -> dict[str, Any]:
    """Return a seat of the record that neither folded nor forfeited; `more` replaces single fields."""
    return {
        "seat": seat, "player": str(seat), "cards": cards, "folded_at": None, "forfeited": None,
        "hands": NO_HANDS, "paid": 0, "taken": 0,
    } | more  # fmt: skip


def head(felt: Felt, rules: str, method: str, **more: Any) -> dict[str, Any]:
    """Return the fields of a settled round of an undisturbed table; `more` replaces single fields."""
    return {
        "type": "round", "table": "CC-07", "round": 1, "rules": rules, "rules_digest": felt.pack.digest,
        "method": method, "dealer": "D7",
        "dealers": [{"number": "D7", "from": felt.round.started}],
        "deck": {"back": "red", "after": "reshuffled"},
        "outcome": "settled", "void": None, "cross": ON_THE_FELT, "bonus_cards": None,
        "set_aside": [], "irregularities": [], "corrections": [],
        "stacks": {str(box["seat"]): one_chip_each(box["wagers"]) for box in more["seats"]},
    } | more  # fmt: skip


def one_chip_each(wagers: dict[str, Any]) -> dict[str, list[list[int]]]:
    return {name: [[wager["amount"]]] for name, wager in wagers.items()}


def opened(rules: str) -> Felt:
    felt = Felt(rules, table="CC-07")
    felt.event(DealerSignedOn("D7"))
    return felt


def record(felt: Felt) -> dict[str, Any]:
    """Return the record without its start and end times."""
    found = dict(felt.records[-1])
    times = found.pop("started"), found.pop("ended")
    assert times == (felt.round.started, f"2026-11-20T20:00:{felt.ms:06}Z")
    return found


def test_the_record_of_a_settled_round_with_a_fold_and_its_bonus_is_complete() -> None:
    felt = opened("pennsylvania")
    felt.closed(2, 3, five_card_bonus=5)
    felt.deal(CROSS, {2: "AH 9D", 3: "JH 3D"})
    felt.decide(s2=10, s3=20)
    felt.decide(s2=None, s3=10)
    felt.decide(s3=30)
    felt.settle()
    board = NO_HANDS | {"five_card_bonus": "jack high"}
    two = {name: wager(1000, "forfeit") for name in ("ante_across", "ante_down", "across")}
    three = {
        "ante_across": wager(1000, "lose"),
        "ante_down": wager(1000, "win", odds=1),
        "across": wager(2000, "lose"),
        "down": wager(1000, "win", odds=1),
        "middle": wager(3000, "win", odds=1),
    }
    bonus = {"five_card_bonus": wager(500, "lose")}
    hands = board | {"across": "jack high", "down": "pair of jacks"}
    steps = ("ante_across", "across", "ante_down", "down", "middle", "five_card_bonus")
    assert record(felt) == head(
        felt, "pennsylvania", "automated_shoe",
        stub={"expected": 43, "shoe": 43, "counted": None},
        seats=[
            box(2, ["AH", "9D"], folded_at="down", hands=board, wagers=two | bonus, taken=3500),
            box(3, ["JH", "3D"], hands=hands, wagers=three | bonus, paid=5000, taken=3500),
        ],
        settlement_order=[*([3, step] for step in steps), [2, "five_card_bonus"]],
    )  # fmt: skip


def test_the_record_of_a_void_round_has_bonus_cards_and_refunds() -> None:
    felt = opened("six_card_bonus")
    felt.closed(2, 3, five_card_bonus=5, six_card_bonus=5)
    felt.draw(CROSS, {2: "AH 9D", 3: "JH 3D"}, "9C KD 9H 9S")
    felt.fold()
    felt.lay(2, ante_across=0)
    felt.report("wrong_count", number=9)
    felt.floor("approve")
    while felt.prompt["kind"] == "return_wager":
        felt.lay(felt.prompt["seat"], **{felt.prompt["wager"]: 0})
    felt.press("confirm")
    wagers = {name: wager(1000, "returned") for name in ("ante_across", "ante_down")}
    wagers |= {name: wager(500, "returned") for name in ("five_card_bonus", "six_card_bonus")}
    by_hand = wagers | {"ante_across": wagers["ante_across"] | {"verified": False}}
    section = "House rules, Irregularities"
    assert record(felt) == head(
        felt, "six_card_bonus", "house_order",
        stub={"expected": 39, "shoe": 39, "counted": None},
        outcome="void",
        void={"code": "wrong_count", "citation": section, "approved_by": "B1"},
        bonus_cards=["9C", "KD", "9H", "9S"],
        seats=[
            box(2, ["AH", "9D"], folded_at="across", wagers=by_hand),
            box(3, ["JH", "3D"], wagers=wagers),
        ],
        settlement_order=[],
        irregularities=[
            {
                "code": "wrong_count", "phase": "across", "seat": None, "wager": None, "citation": section,
                "resolved": True,
            },
        ],
    )  # fmt: skip


def test_the_record_of_a_round_with_a_forfeit_is_complete() -> None:
    felt = opened("maryland")
    felt.closed(2, 3, five_card_bonus=5)
    felt.deal(CROSS, {2: "AH 9D", 3: "JH 3D"})
    felt.decide(s2=10, s3=20)
    felt.report("players_conferred", seat=2)
    felt.floor("forfeit", seat=2)
    felt.collect()
    felt.decide(s3=10)
    felt.decide(s3=10)
    felt.settle()
    two = {name: wager(1000, "forfeit") for name in ("ante_across", "ante_down", "across")}
    three = {
        "ante_across": wager(1000, "lose"),
        "ante_down": wager(1000, "win", odds=1),
        "across": wager(2000, "lose"),
        "down": wager(1000, "win", odds=1),
        "middle": wager(1000, "win", odds=1),
        "five_card_bonus": wager(500, "lose"),
    }
    hands = NO_HANDS | {"across": "jack high", "down": "pair of jacks", "five_card_bonus": "jack high"}
    gone = {"phase": "down", "code": "players_conferred"}
    steps = ("five_card_bonus", "ante_across", "across", "ante_down", "down", "middle")
    assert record(felt) == head(
        felt, "maryland", "automated_shoe",
        stub={"expected": 43, "shoe": 43, "counted": None},
        seats=[
            box(
                2, ["AH", "9D"], forfeited=gone, wagers=two | {"five_card_bonus": wager(500, "forfeit")},
                taken=3500,
            ),
            box(3, ["JH", "3D"], hands=hands, wagers=three, paid=3000, taken=3500),
        ],
        settlement_order=[[3, step] for step in steps],
        irregularities=[
            {
                "code": "players_conferred", "phase": "down", "seat": 2, "wager": None,
                "citation": "Md. Standard Rules Criss Cross Poker 11.A(4), 11.A(5)", "resolved": True,
            },
        ],
    )  # fmt: skip


def test_the_record_of_a_round_voided_in_its_deal_names_dealt_cards_and_removed_deck() -> None:
    felt = opened("pennsylvania")
    felt.closed(3)
    felt.card("AS")
    felt.card("AS")
    hold = felt.table.state.hold
    assert hold is not None
    felt.floor("approve")
    while felt.prompt["kind"] == "return_wager":
        felt.lay(3, **{felt.prompt["wager"]: 0})
    found = record(felt)
    assert (found["outcome"], found["deck"]) == ("void", {"back": "red", "after": "removed"})
    assert found["stub"] == {"expected": 50, "shoe": None, "counted": None}
    assert found["cross"] == dict.fromkeys(ON_THE_FELT) | {"down_far": "AS", "across_left": "AS"}
    assert found["seats"][0]["cards"] == []


def test_the_repr_of_a_record_shows_no_card() -> None:
    """The record can contain cards that were never turned."""
    assert "KS" not in repr(WriteRecord(cast("RoundRecord", {"cross": {"middle": "KS"}})))
