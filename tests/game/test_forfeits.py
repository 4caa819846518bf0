"""A player's violation forfeits the wagers that the pack names: 58 Pa. Code § 674a.7(b), Md. 11.A(5)."""

from __future__ import annotations

import pytest

from controller.game.model.events import FloorDecided
from controller.game.model.irregularities import FLOOR_CHOICES, OF_PLAYER
from controller.game.model.names import Phase
from tests.game.felt import Felt
from tests.game.test_irregularities import dealt, everywhere, held, settling


@everywhere
@pytest.mark.parametrize("what", OF_PLAYER)
def test_a_player_s_violation_is_held_at_the_seat(rules: str, what: str) -> None:
    felt = dealt(rules)
    felt.report(what, seat=2)
    hold = felt.table.state.hold
    assert hold is not None and (hold.code, hold.seat) == (what, 2)


@everywhere
@pytest.mark.parametrize("what", OF_PLAYER)
def test_forfeits_are_offered_as_the_pack_allows(rules: str, what: str) -> None:
    """Under PA .7(b), MGC § 6(b) and Md. 7.B(3) the wagers may be treated as losing. Md. 11.A(5) forfeits all
    wagers of the round."""
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


def test_a_forfeit_in_the_settlement_leaves_settled_wagers() -> None:
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


def test_a_forfeit_by_the_floor_is_recorded_with_its_violation() -> None:
    """Md. 11.A(5) names the penalty for (1) to (4). MGC § 10(a) names none, so no wager is taken for it in
    Massachusetts."""
    felt = dealt("maryland")
    felt.floor("forfeit", seat=2, code="hand_left", reason="A friend")
    entry = felt.round.irregularities[-1]
    cited = "Md. Standard Rules Criss Cross Poker 11.A(1), 11.A(5)"
    assert (entry.code, entry.seat, entry.citation, entry.resolved) == ("hand_left", 2, cited, True)
    assert (entry.reason, felt.round.seats[2].forfeited) == ("A friend", (Phase.ACROSS, "hand_left"))
    for rules, codes in (("massachusetts", OF_PLAYER[1:]), ("six_card_bonus", OF_PLAYER)):
        other = dealt(rules)
        for code in codes:
            refusal = other.refused(FloorDecided("B1", "forfeit", seat=2, code=code))
            assert refusal is not None
            assert (refusal.code, refusal.citation) == ("no_forfeit", other.pack.cite("forfeits"))


def test_every_box_of_the_patron_is_forfeited() -> None:
    """Md. 11.A(5) covers all wagers of the player on that round, and 58 Pa. Code § 674a.7(b) any wagers of
    the player."""
    for rules in ("maryland", "pennsylvania"):
        felt = Felt(rules)
        felt.floor("player", seats=(2, 3))
        felt.closed(2, 3, 5)
        felt.deal("2C 7D TH JS 4C", {2: "KD 9S", 3: "QD 8C", 5: "QS QH"})
        felt.decide(s2=None, s3=10, s5=10)
        if felt.phase is Phase.ACROSS:  # Maryland collects a fold before the next seat is asked
            felt.decide(s3=10, s5=10)
        felt.report("player_left", seat=3)
        felt.floor("forfeit", reason="Left the pit")
        felt.collect()
        taken = {seat: box.forfeited for seat, box in felt.round.seats.items()}
        assert taken == {2: (Phase.DOWN, "player_left"), 3: (Phase.DOWN, "player_left"), 5: None}
        assert felt.round.irregularities[-1].reason == "Left the pit"
        felt.decide(s5=10)
        felt.decide(s5=10)
        felt.settle()
        assert [seat["taken"] for seat in felt.records[-1]["seats"][:2]] == [2000, 3000]
        assert felt.records[-1]["irregularities"][0]["reason"] == "Left the pit"
