"""What a player did, and what he forfeits for it: 58 Pa. Code § 674a.7(b), Md. 11.A(5)."""

from __future__ import annotations

import pytest

from controller.game.events import FloorDecided
from controller.game.irregularities import FLOOR_CHOICES
from controller.game.names import Phase
from tests.game.test_irregularities import dealt, everywhere, held, settling


@everywhere
@pytest.mark.parametrize("what", ["player_left", "players_conferred", "cards_touched", "out_of_view"])
def test_what_a_player_did_is_held_at_his_seat(rules: str, what: str) -> None:
    felt = dealt(rules)
    felt.report(what, seat=2)
    hold = felt.table.state.hold
    assert hold is not None and (hold.code, hold.seat) == (what, 2)


@everywhere
@pytest.mark.parametrize("what", ["player_left", "players_conferred", "cards_touched", "out_of_view"])
def test_what_a_player_may_forfeit(rules: str, what: str) -> None:
    """PA 7(b), MA 6(b), MD 7.B(3): may be treated as losing. MD 11.A(5): all wagers of the round."""
    felt = dealt(rules)
    felt.report(what, seat=2)
    if what not in felt.pack.forfeits:
        assert held(felt) == (what, None, FLOOR_CHOICES)
        assert felt.refused(FloorDecided("B1", "forfeit", seat=2)) is not None
        return
    assert held(felt) == (what, None if what == "player_left" else "forfeit", ("go_on", "forfeit"))
    felt.floor("forfeit", seat=2)
    felt.bet(10)
    felt.collect()
    assert felt.round.seats[2].forfeited == (Phase.ACROSS, what)
    rows = felt.round.ledger.of_seat(2)
    assert [row.tray for row in rows.values()] == [-row.player for row in rows.values()] == [1000, 1000, 500]


def test_a_forfeit_is_recorded_and_settled_around() -> None:
    felt = dealt("maryland")
    felt.decide(s1=10, s2=20)
    felt.report("cards_touched", seat=2)
    felt.floor("approve")
    felt.collect()
    felt.decide(s1=10)
    felt.decide(s1=10)
    felt.settle()
    box = felt.records[-1]["seats"][1]
    assert box["forfeited"] == {"phase": "down", "code": "cards_touched"}
    assert {entry["result"] for entry in box["wagers"].values()} == {"forfeit"}
    assert box["taken"] == 1000 * 2 + 2000 + 500
    assert {seat for seat, _ in felt.records[-1]["settlement_order"]} == {1}


def test_a_forfeit_in_the_settlement_leaves_what_is_settled() -> None:
    felt = settling()
    felt.press("confirm")
    felt.report("player_left", seat=1)
    felt.floor("forfeit", seat=1)
    felt.collect()
    assert felt.phase is Phase.CLEARING
    results = {wager: entry["result"] for wager, entry in felt.records[-1]["seats"][0]["wagers"].items()}
    assert results == {
        "ante_across": "win", "across": "win", "ante_down": "forfeit", "down": "forfeit", "middle": "forfeit",
    }  # fmt: skip
    assert felt.records[-1]["settlement_order"] == [[1, "ante_across"], [1, "across"]]
