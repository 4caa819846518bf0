"""A floorperson can stop a round that is not held and end it in the same act (house procedure)."""

from __future__ import annotations

import pytest

from controller.game.model.events import DealerRelieved, DealerSignedOn, FloorDecided, StackTaken
from controller.game.model.names import Phase
from tests.game.felt import Felt
from tests.game.test_irregularities import closed, dealt, everywhere, settling


@everywhere
@pytest.mark.parametrize("outcome", ["void", "remove_deck"])
def test_a_round_is_stopped_and_voided_in_one_act(rules: str, outcome: str) -> None:
    felt = dealt(rules)
    felt.floor("outcome", outcome=outcome, reason="Fire alarm")
    assert felt.phase is Phase.VOID
    while felt.phase is Phase.VOID:
        felt.clear()
        if felt.phase is Phase.VOID:
            felt.press("confirm")
    record = felt.records[-1]
    assert record["void"] == {"code": "floor_stopped", "citation": "house procedure", "approved_by": "B1"}
    assert record["deck"]["after"] == ("removed" if outcome == "remove_deck" else "reshuffled")
    [entry] = [entry for entry in record["irregularities"] if entry["code"] == "floor_stopped"]
    assert (entry["resolved"], entry["reason"]) == (True, "Fire alarm")


def test_a_stop_in_the_deal_holds_and_releases_the_shoe() -> None:
    felt = closed()
    felt.stack(["2C", "7D", "TH", "JS", "4C"])
    felt.event(StackTaken())
    felt.floor("outcome", outcome="void")
    assert [command.command for command in felt.commands[-2:]] == ["HOLD", "RELEASE"]


def test_a_round_is_stopped_in_the_settlement() -> None:
    felt = settling()
    felt.floor("outcome", outcome="void")
    assert felt.phase is Phase.VOID


def test_a_stop_is_refused_between_rounds_and_go_on_without_a_hold() -> None:
    felt = dealt()
    for decision, outcome in (("outcome", "go_on"), ("outcome", None), ("approve", None), ("refuse", None)):
        assert felt.refusal_code(FloorDecided("B1", decision, outcome=outcome)) == "nothing_held"
    refusal = Felt().refused(FloorDecided("B1", "outcome", outcome="void"))
    assert refusal is not None and refusal.code == "nothing_held"


# ------------------------------------------------------------------ dealers of a round


def test_a_relief_in_mid_round_is_recorded() -> None:
    felt = Felt()
    felt.event(DealerSignedOn("D1"))
    felt.closed(1)
    felt.deal("2C 7D TH JS 4C", {1: "KD 9S"})
    felt.event(DealerRelieved())
    felt.event(DealerSignedOn("D2"))
    since = f"2026-11-20T20:00:{felt.ms:06}Z"
    felt.event(DealerSignedOn("D2"))
    felt.decide(s1=None)
    record = felt.records[-1]
    assert record["dealer"] == "D1"
    assert record["dealers"] == [
        {"number": "D1", "from": record["started"]}, {"number": "D2", "from": since},
    ]  # fmt: skip
    felt.event(DealerSignedOn("D3"))
    assert felt.round.dealers[-1][0] == "D2"


def test_the_first_dealer_to_sign_on_is_the_round_s_dealer() -> None:
    felt = dealt()
    felt.event(DealerSignedOn("D9"))
    assert [number for number, _ in felt.round.dealers] == ["D9"]
