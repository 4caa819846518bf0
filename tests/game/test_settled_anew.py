"""After a card is corrected, the table settles the wagers again and takes into account the chips in the
circle, earlier signatures and the owner of the chips (config/rules/RULES.md "Who has the chips").

Journals of revision 4 and earlier replay as they were played.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from controller.game.model.events import KeyPressed, Started
from controller.game.model.names import SEATS, Circle, Key, Phase, Wager
from controller.game.model.procedures import PROCEDURES
from tests.game.felt import Felt
from tests.game.settlements import alerts, dealt, finish, jacks

ANTE = Circle(3, Wager.ANTE_DOWN)


def until(felt: Felt, kind: str, wager: str) -> Felt:
    """Settle until the screen prompts for this kind of step at this wager; return the table."""
    while (felt.prompt["kind"], felt.prompt["wager"]) != (kind, wager):
        felt.settle_one()
    return felt


def played_by(felt: Felt, procedures: int) -> Felt:
    felt.table.state = replace(felt.table.state, procedures=procedures)
    return felt


def corrected(felt: Felt, place: str, face: str) -> None:
    felt.report("card_differs", place=place, face=face)
    felt.floor("approve")


def entries(felt: Felt) -> list[dict[str, Any]]:
    return [dict(entry) for entry in felt.records[-1]["corrections"]]


# ------------------------------------------------------------------ signatures


def short_payout(procedures: int) -> Felt:
    """Return a table on which a pair of jacks was paid $5 instead of $10, which a floorperson signed. Then
    the jack was corrected to a nine, so that the ante loses."""
    felt = played_by(until(jacks(), "pay", "ante_down"), procedures)
    felt.pay(3, "ante_down", 500)
    felt.press("confirm")
    assert alerts(felt) == [("underpaid", 3, "ante_down")]
    felt.floor("sign", seat=3, wager=Wager.ANTE_DOWN, holder="house", reason="agreed")
    corrected(felt, "down_far", "9C")
    return until(felt, "take", "ante_down")


def test_a_signed_short_payout_is_not_requested_back_if_the_wager_then_loses() -> None:
    felt = short_payout(PROCEDURES)
    felt.settle()
    assert [(entry["code"], entry["cents"], entry["with"]) for entry in entries(felt)] == [
        ("underpaid", 0, None)
    ]
    assert (felt.result(3, "ante_down")["result"], felt.round.ledger.row(ANTE).tray) == ("lose", 1000)


def test_older_journals_request_it_from_the_player_as_played() -> None:
    felt = short_payout(4)
    felt.settle_one()
    assert (felt.prompt["kind"], felt.prompt["amount"]) == ("ask_back", 500)


def test_a_signed_part_of_a_lost_wager_is_not_a_payout_if_the_wager_then_wins() -> None:
    """The player keeps $4 of a lost wager of $10, as a floorperson has signed. After the correction this
    wager wins $10: the tray pays $10 and puts $6 back."""
    felt = until(dealt("9C 7D 2H 8S 4C", {3: "JH 3D"}), "take", "ante_down")
    felt.lay(3, ante_down=4)
    felt.press("confirm")
    felt.floor("sign", seat=3, wager=Wager.ANTE_DOWN, holder="player", reason="agreed")
    corrected(felt, "down_far", "JC")
    while felt.phase is Phase.SETTLEMENT:
        prompt = felt.prompt
        if prompt["kind"] == "put_back":
            felt.pay(prompt["seat"], prompt["wager"], prompt["amount"])
        else:
            felt.settle_one()
    assert [entry["cents"] for entry in entries(felt)] == [0]
    row = felt.round.ledger.row(ANTE)
    assert (row.circle + row.player, row.tray) == (1000, -1000)


def test_a_signed_part_of_the_wager_itself_stays_after_a_new_settlement() -> None:
    """The dealer swept the Down bet too early, and a floorperson signed it to the house. It wins with a jack,
    and loses after the card is corrected to a nine."""
    felt = jacks()
    felt.lay(3, down=0)
    felt.stand()
    felt.floor("sign", seat=3, wager=Wager.DOWN, holder="house", reason="agreed")
    until(felt, "pay", "middle")
    corrected(felt, "down_far", "9C")
    finish(felt)
    assert [(entry["wager"], entry["cents"]) for entry in entries(felt)] == [("down", 0)]


# ------------------------------------------------------------------ origin of the chips


def swept_after_a_payout(procedures: int) -> Felt:
    """Return a table on which a pair of jacks was paid and then corrected to tens. The dealer must take the
    payout back and is about to sweep the wager with it."""
    felt = played_by(until(jacks(), "pay", "down"), procedures)
    corrected(felt, "down_far", "TC")
    felt.report("card_differs", place="seat_3_1", face="TH")
    felt.floor("approve")
    return felt


@pytest.mark.parametrize(("procedures", "found"), [(PROCEDURES, "push_disturbed"), (4, None)])
def test_a_swept_push_that_had_been_paid_is_not_the_player_s(procedures: int, found: str | None) -> None:
    felt = swept_after_a_payout(procedures)
    assert (felt.prompt["kind"], felt.prompt["wager"]) == ("take_back", "ante_down")
    felt.lay(3, ante_down=10)
    felt.lay(3, ante_down=0)
    felt.stand()
    assert alerts(felt) == ([(found, 3, "ante_down")] if found else [])


@pytest.mark.parametrize(("procedures", "tray", "lost"), [(PROCEDURES, -1000, 1000), (4, 0, 0)])
def test_a_due_payout_precedes_an_unnamed_difference(procedures: int, tray: int, lost: int) -> None:
    """The wager left the circle, and then chips of the same amount came while the screen asked for the
    payout. They count as the payout, and the missing wager is a difference without a known cause."""
    felt = played_by(until(jacks(), "pay", "ante_down"), procedures)
    felt.lay(3, ante_down=0)
    felt.pay(3, "ante_down", 1000)
    row = felt.round.ledger.row(ANTE)
    assert (row.tray, row.unexplained) == (tray, lost)
    felt.stand()
    assert alerts(felt) == ([("bet_changed", 3, "ante_down")] if lost else [])


def test_a_named_difference_precedes_a_payout() -> None:
    felt = until(jacks(), "pay", "ante_down")
    felt.lay(3, ante_down=0)
    felt.stand()
    assert alerts(felt) == [("bet_changed", 3, "ante_down")]
    felt.pay(3, "ante_down", 1000)
    row = felt.round.ledger.row(ANTE)
    assert (row.tray, row.unexplained, alerts(felt)) == (0, 0, [])


# ------------------------------------------------------------------ readings up to the end of the round


@pytest.mark.parametrize(("procedures", "found"), [(PROCEDURES, None), (5, "overpaid")])
def test_chips_that_pass_over_an_empty_settled_circle_have_no_effect(
    procedures: int, found: str | None
) -> None:
    """The player has taken wager and winnings; a chip is carried across the circle within 0.4 s."""
    felt = played_by(until(jacks(), "pay", "down"), procedures)
    felt.lay(3, ante_down=0)
    felt.lay(3, ante_down=25)
    felt.stand(100)
    felt.lay(3, ante_down=0)
    felt.stand()
    assert alerts(felt) == ([(found, 3, "ante_down")] if found else [])


@pytest.mark.parametrize(("procedures", "ends"), [(PROCEDURES, False), (5, True)])
def test_the_round_waits_for_the_first_reading_of_each_circle_after_a_start(
    procedures: int, ends: bool
) -> None:
    """Chips that a player lays back into a lost ante during the last step are read before the round ends."""
    felt = dealt("9C 7D 2H 8S 4C", {3: "JH 3D"})
    felt = played_by(until(felt, "take", "middle"), procedures)
    felt.event(Started(tuple(product(SEATS, Wager)), procedures=procedures))
    felt.lay(3, middle=0)
    assert (felt.phase is not Phase.SETTLEMENT) == ends
    if not ends:
        refusal = felt.refused(KeyPressed(Key.CONFIRM))
        assert (felt.prompt["kind"], refusal and refusal.code) == ("reading_wait", "reading_wait")
    for seat, wager in product(SEATS, Wager):
        felt.lay(seat, **{wager: 0})
    assert felt.phase is not Phase.SETTLEMENT
