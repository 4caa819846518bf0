"""In every round money is conserved seat by seat, and a void returns exactly the wagers.

The tests play random wagers, decisions, cards and misbehaviour under all four packs and every way of dealing,
and check invariants instead of expected results.
"""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.game.model.cards import DECK
from controller.game.model.events import CircleRead
from controller.game.model.names import SEATS, Method, Phase, Wager
from tests.game.felt import Felt, pack

pytestmark = pytest.mark.slow

PACKS = ("pennsylvania", "massachusetts", "maryland", "six_card_bonus")
WAYS = [(key, method) for key in PACKS for method in pack(key).deals]
seeds = st.integers(0, 2**32)


# ------------------------------------------------------------------ rounds of random players


CONFIRMED = ("confirm_bet", "confirm_fold", "turn", "push", "turn_seat", "turn_bonus", "permit_cards")
EMPTIED = ("collect", "take", "return_wager", "hand_back", "fix_wagers")


class Players:
    """Random wagers and decisions within the rules, one round after another."""

    def __init__(self, felt: Felt, dice: random.Random) -> None:
        self.felt = felt
        self.dice = dice
        self.laid: dict[tuple[int, str], int] = {}
        """Cents that players have put into each circle in this round."""

    def lay(self, seat: int, wager: str, dollars: int) -> None:
        self.laid[seat, wager] = self.laid.get((seat, wager), 0) + dollars * 100
        self.felt.lay(seat, **{wager: dollars})

    def bet(self) -> None:
        self.laid = {}
        for seat in self.dice.sample(list(SEATS), self.dice.randint(1, 6)):
            ante = self.dice.choice([5, 10])
            for wager in ("ante_across", "ante_down"):
                self.lay(seat, wager, ante)
            if self.dice.random() < 0.5:
                bonus = self.dice.choice([2, 5, 10])
                for name in self.felt.pack.bonuses[: self.dice.randint(1, 2)]:
                    self.lay(seat, name.value, bonus)

    def step(self) -> bool:
        """Carry out one step of the prompt. Return False when the round has its record."""
        felt, prompt = self.felt, self.felt.prompt
        kind, seat, wager = prompt["kind"], prompt["seat"], prompt["wager"]
        if kind == "ask":
            if self.dice.random() < 0.3:
                felt.press("fold")
            else:
                self.lay(seat, wager, self.dice.choice(prompt["options"]) // 100)
        elif kind in CONFIRMED:
            felt.press("confirm")
        elif kind in ("collect", "take"):
            felt.lay(seat, **{wager: 0})
        elif kind == "pay":
            felt.pay(seat, wager, prompt["amount"])
        elif kind == "enter_face":
            felt.enter(prompt["places"][0], felt.unused(1)[0])
        elif kind == "count_stub":
            felt.report("stub_count", number=prompt["amount"])
        else:
            assert kind == "clear", prompt
            return False
        return True

    def deal(self) -> None:
        deck = list(DECK)
        self.dice.shuffle(deck)
        self.felt.deal_all(deck)

    def play(self) -> None:
        self.bet()
        self.felt.close()
        self.deal()
        while self.step():
            pass


def check_money(felt: Felt, laid: dict[tuple[int, str], int]) -> None:
    """Check that the record has every wager laid, and that each cent was kept, taken or returned."""
    record = felt.records[-1]
    counted = {(s["seat"], w): e["amount"] for s in record["seats"] for w, e in s["wagers"].items()}
    assert counted == laid
    for seat in record["seats"]:
        lies = sum(felt.table.state.amount(seat["seat"], wager) for wager in Wager)
        entries = seat["wagers"].values()
        kept = sum(e["amount"] for e in entries if e["result"] in ("win", "push"))
        assert seat["paid"] == sum(e["payout"] for e in entries if e["result"] == "win")
        assert seat["taken"] == sum(e["amount"] for e in entries if e["result"] in ("lose", "forfeit"))
        assert lies == kept + seat["paid"]
        assert sum(e["amount"] for e in entries) == kept + seat["taken"]


@pytest.mark.parametrize(("key", "method"), WAYS)
@settings(max_examples=4, deadline=None)
@given(seed=seeds)
def test_money_is_conserved_seat_by_seat(key: str, method: Method, seed: int) -> None:
    felt = Felt(key, method)
    players = Players(felt, random.Random(seed))
    for _ in range(2):
        players.play()
        check_money(felt, players.laid)
        felt.next_round()


# ------------------------------------------------------------------ void at any moment


def void_now(felt: Felt) -> None:
    """Cause an irregularity for which a floorperson voids the round."""
    felt.report("wrong_count", number=9)
    if felt.phase is Phase.HELD:
        hold = felt.table.state.hold
        assert hold is not None
        felt.floor("outcome", outcome="void" if "void" in hold.outcomes else hold.outcomes[0])


@pytest.mark.parametrize("key", PACKS)
@settings(max_examples=12, deadline=None)
@given(seed=seeds, after=st.integers(0, 60))
def test_a_void_at_any_moment_returns_exactly_the_wagers(key: str, seed: int, after: int) -> None:
    """config/rules/RULES.md, Irregularities: every wager of every seat is returned, even of a folded seat,
    and nothing is paid or kept."""
    felt = Felt(key)
    players = Players(felt, random.Random(seed))
    players.bet()
    felt.close()
    players.deal()
    for _ in range(after):
        if (felt.phase is Phase.SETTLEMENT and felt.prompt["kind"] == "clear") or not players.step():
            return
    if felt.phase is Phase.CLEARING:
        return
    void_now(felt)
    back = give_back(felt)
    assert felt.phase is Phase.CLEARING
    record = felt.records[-1]
    assert (record["outcome"], record["settlement_order"]) == ("void", [])
    assert {e["result"] for s in record["seats"] for e in s["wagers"].values()} == {"returned"}
    assert all(s["paid"] == s["taken"] == 0 for s in record["seats"])
    for seat in SEATS:
        owed = sum(cents for (box, _), cents in players.laid.items() if box == seat)
        assert back.get(seat, 0) == owed


def give_back(felt: Felt) -> dict[int, int]:
    """Return, take and refund chips as the prompts ask; return the cents that each seat received."""
    back: dict[int, int] = {}
    while felt.phase is Phase.VOID:
        prompt = felt.prompt
        seat, wager, cents = prompt["seat"], prompt["wager"], prompt["amount"]
        if prompt["kind"] in ("return_wager", "take_back"):
            left = felt.table.state.amount(seat, Wager(wager)) - cents
            felt.event(CircleRead(seat, Wager(wager), (felt.chip(left),) if left else ()))
        else:
            assert prompt["kind"] in ("refund", "ask_back")
            felt.press("confirm")
        given = {"return_wager": cents, "refund": cents, "ask_back": -cents}.get(prompt["kind"], 0)
        back[seat] = back.get(seat, 0) + given
    return back
