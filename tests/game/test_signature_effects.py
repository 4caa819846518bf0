"""For every alert that can be signed, the key states the effect of a signature on chips and bets, and the
corrections of the round have this effect."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from controller.game.model.irregularities import MONEY
from controller.game.model.names import Phase, Wager
from tests.game.felt import Felt

NOTHING = "2C 7D 9H JS 4C"
Effects = list[dict[str, Any]]


def dealt(cross: str = NOTHING, **hands: str) -> Felt:
    felt = Felt()
    seats = {int(name[1:]): cards for name, cards in hands.items()}
    felt.closed(*seats)
    felt.deal(cross, seats)
    return felt


def decided(felt: Felt, **seats: int | None) -> Felt:
    while felt.phase is not Phase.SETTLEMENT:
        felt.decide(**seats)
    return felt


def due(felt: Felt, kind: str) -> dict[str, Any]:
    """Settle up to the first step of this kind and return its prompt."""
    while felt.prompt["kind"] != kind:
        felt.settle_one()
    return felt.prompt


# ------------------------------------------------------------------ alerts that can be signed


def cap() -> tuple[Felt, str]:
    felt = dealt(s3="KD 3S")
    felt.lay(3, ante_down=15)
    return felt, "ante_down"


def pinch() -> tuple[Felt, str]:
    felt = dealt(s3="KD 3S")
    felt.lay(3, ante_down=5)
    return felt, "ante_down"


def late_bonus() -> tuple[Felt, str]:
    felt = dealt(s3="KD 3S")
    felt.lay(3, five_card_bonus=5)
    return felt, "five_card_bonus"


def early_bet() -> tuple[Felt, str]:
    felt = dealt(s3="KD 3S")
    felt.lay(3, middle=10)
    return felt, "middle"


def loser_left() -> tuple[Felt, str]:
    felt = decided(dealt(s3="KD 3S"), s3=10)
    step = due(felt, "take")
    felt.press("confirm")
    return felt, step["wager"]


def underpaid() -> tuple[Felt, str]:
    felt = decided(dealt(s3="JD JC"), s3=10)
    step = due(felt, "pay")
    felt.pay(3, step["wager"], step["amount"] - 500)
    felt.press("confirm")
    return felt, step["wager"]


def overpaid() -> tuple[Felt, str]:
    felt = decided(dealt(s3="JD JC"), s3=10)
    step = due(felt, "pay")
    felt.pay(3, step["wager"], step["amount"] + 500)
    return felt, step["wager"]


def push_swept() -> tuple[Felt, str]:
    felt = decided(dealt("2C 7D TH JS 4C", s3="TD 8S"), s3=10)
    step = due(felt, "push")
    felt.lay(3, **{step["wager"]: 0})
    return felt, step["wager"]


STANDING: dict[str, Callable[[], tuple[Felt, str]]] = {
    each.__name__: each
    for each in (cap, pinch, late_bonus, early_bet, loser_left, underpaid, overpaid, push_swept)
}


def promised(effects: Effects, lost: bool) -> int:
    """Return the cents that the player gains from the signature beyond the recorded settlement, as the text
    of the key states it."""
    sign = {"more": 1, "less": -1, "kept": int(lost), "short": 1, "held": -int(not lost)}
    return sum(sign.get(each["kind"], 0) * each["amount"] for each in effects)


def signable(felt: Felt) -> list[dict[str, Any]]:
    return [dict(item) for item in felt.table.view()["waiting"]]


def played_out(felt: Felt) -> dict[str, Any]:
    """Carry out all remaining prompts and return the record of the round."""
    while felt.phase is not Phase.SETTLEMENT and not felt.records:
        felt.decide(s3=10)
    while felt.phase is Phase.SETTLEMENT:
        if felt.prompt["kind"] == "put_back":
            felt.pay(3, felt.prompt["wager"], felt.prompt["amount"])
        else:
            felt.settle_one()
    return felt.records[-1]


@pytest.mark.parametrize("holder", ["", "player", "house"])
@pytest.mark.parametrize("name", STANDING)
def test_the_record_agrees_with_the_text_of_the_key(name: str, holder: str) -> None:
    felt, wager = STANDING[name]()
    felt.stand()
    [item] = signable(felt)
    assert item["wager"] == wager
    keys = {key["holder"]: key["effects"] for key in item["signs"]}
    assert keys.keys() == ({"player", "house"} if item["missing"] else {""})
    if holder not in keys:
        return
    felt.floor("sign", seat=3, wager=Wager(wager), holder=holder, reason="as the key says")
    assert not any(code in MONEY for code in felt.codes())
    record = played_out(felt)
    [entry] = record["corrections"]
    lost = record["seats"][0]["wagers"].get(wager, {}).get("result") == "lose"
    assert entry["cents"] == promised(keys[holder], lost)
    if name == "early_bet":
        assert record["seats"][0]["wagers"]["middle"]["amount"] == 1000


EFFECTS = {
    "cap": {"": ("extra", 500)},
    "pinch": {"player": ("kept", 500), "house": ("held", 500)},
    "late_bonus": {"": ("extra", 500)},
    "early_bet": {"": ("early", 1000)},
    "loser_left": {"": ("more", 1000)},
    "underpaid": {"player": ("nothing", 0), "house": ("less", 500)},
    "overpaid": {"": ("more", 500)},
    "push_swept": {"player": ("nothing", 0), "house": ("less", 1000)},
}


@pytest.mark.parametrize("name", STANDING)
def test_each_key_states_its_effect(name: str) -> None:
    felt, _ = STANDING[name]()
    felt.stand()
    [item] = signable(felt)
    found = {key["holder"]: [(e["kind"], e["amount"]) for e in key["effects"]] for key in item["signs"]}
    assert found == {holder: [effect] for holder, effect in EFFECTS[name].items()}


@pytest.mark.parametrize(("holder", "kind"), [("player", "no_refund"), ("house", "refund")])
def test_in_a_void_round_the_key_states_the_refund(holder: str, kind: str) -> None:
    felt, _ = pinch()
    felt.stand()
    felt.floor("outcome", outcome="void", reason="stopped")
    listed = [item for item in signable(felt) if item["wager"] == "ante_down"]
    [key] = [key for key in listed[0]["signs"] if key["holder"] == holder]
    assert [(e["kind"], e["amount"]) for e in key["effects"]] == [(kind, 500)]
    felt.floor("sign", seat=3, wager=Wager.ANTE_DOWN, holder=holder, reason="as the key says")
    felt.clear()
    prompt = felt.table.view()["prompt"]
    refunded = prompt is not None and prompt["kind"] == "refund"
    assert refunded == (kind == "refund")


@pytest.mark.parametrize("made", [cap, late_bonus])
def test_a_signed_circle_is_marked_until_chips_move_there(
    made: Callable[[], tuple[Felt, str]],
) -> None:
    felt, wager = made()
    felt.stand()

    def signed() -> bool:
        return bool(felt.table.view()["seats"][2]["circles"][wager]["signed"])

    assert not signed()
    felt.floor("sign", seat=3, wager=Wager(wager))
    assert signed()
    felt.lay(3, **{wager: 0})
    assert not signed()


def test_signed_chips_swept_with_a_fold_are_not_part_of_the_bet() -> None:
    """The house receives the folded wager, whoever the chips laid above it are signed to."""
    felt, wager = cap()
    felt.stand()
    felt.floor("sign", seat=3, wager=Wager(wager), reason="stays")
    felt.fold()
    felt.lay(3, ante_across=0)
    felt.lay(3, ante_down=0)
    felt.stand()
    [item] = signable(felt)
    keys = {key["holder"]: [(e["kind"], e["amount"]) for e in key["effects"]] for key in item["signs"]}
    assert keys == {"player": [("nothing", 0)], "house": [("less", 500)]}
