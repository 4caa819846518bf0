"""The table attributes moved chips to the right owner in the smallest rounds in which the physical trial
found errors (config/rules/RULES.md "Who has the chips")."""

from __future__ import annotations

from controller.game.model.events import CircleUnreadable
from controller.game.model.names import Circle, Phase, Wager
from tests.game.felt import Felt

NOTHING = "2C 7D 9H JS 4C"
ANTE = Circle(3, Wager.ANTE_ACROSS)


def dealt(cross: str = NOTHING, *, ante: int = 10, **hands: str) -> Felt:
    """Deal cards to the seats named by keyword (`s3="TD 8S"`), up to the first decision; every ante is `ante`
    dollars."""
    felt = Felt()
    seats = {int(name[1:]): cards for name, cards in hands.items()}
    felt.closed(*seats, ante=ante)
    felt.deal(cross, seats)
    return felt


def play(felt: Felt, **seats: int | None) -> None:
    while felt.phase is not Phase.SETTLEMENT:
        felt.decide(**seats)


def test_the_due_amount_counts_as_taken_even_if_as_much_was_added() -> None:
    felt = dealt(s3="KD 3S")
    felt.decide(s3=10)
    felt.decide(s3=10)
    felt.pay(3, "ante_across", 1000)
    felt.decide(s3=10)
    felt.press("confirm")
    felt.lay(3, ante_across=10)
    assert felt.round.ledger.row(ANTE).tray == 1000
    assert felt.prompt["kind"] == "reading_wait"


def test_signed_chips_that_the_tray_has_early_are_not_requested_again() -> None:
    """The dealer swept the wager with a neighbour's fold, and a floorperson signed it. Then the wager loses,
    so nothing needs correction."""
    felt = dealt(s2="TD 8S", s3="KD 3S")
    felt.fold()
    felt.bet(10)
    felt.lay(3, ante_across=0)
    felt.stand()
    felt.floor("sign", seat=3, wager=Wager.ANTE_ACROSS, holder="house", reason="swept with the fold")
    felt.collect()
    felt.press("confirm")
    play(felt, s3=10)
    felt.settle()
    assert felt.records[-1]["corrections"][0]["cents"] == 0
    assert felt.result(3, "ante_across")["result"] == "lose"


def test_a_bet_signed_as_early_becomes_part_of_the_bet_in_its_turn() -> None:
    felt = dealt(s3="TD 8S")
    felt.lay(3, middle=5)
    felt.stand()
    felt.floor("sign", seat=3, wager=Wager.MIDDLE, reason="lies there")
    felt.decide(s3=10)
    felt.decide(s3=10)
    felt.lay(3, middle=10)
    felt.press("confirm")
    felt.stand()
    assert felt.codes() == []


def test_play_continues_after_a_partly_swept_and_signed_push() -> None:
    felt = dealt("2C 7D TH JS 4C", s3="TD 9S")
    play(felt, s3=10)
    felt.press("confirm")
    felt.lay(3, ante_across=4)
    felt.stand()
    felt.floor("sign", seat=3, wager=Wager.ANTE_ACROSS, holder="house", reason="in the tray")
    felt.settle()
    assert felt.records[-1]["corrections"][0]["cents"] == -600


def test_chips_returned_after_a_signed_pinch_reduce_the_correction() -> None:
    felt = dealt(s3="TD 8S")
    for lies in (5, 6):
        felt.lay(3, ante_across=lies)
        felt.stand()
        felt.floor("sign", seat=3, wager=Wager.ANTE_ACROSS, holder="player", reason="kept it")
    felt.fold()
    felt.collect()
    assert sum(entry["cents"] for entry in felt.records[-1]["corrections"]) == 400


def test_a_confirmed_take_at_a_dead_circle_does_not_include_missing_chips() -> None:
    """$1 of a $6 ante is missing, and its reader is lost. The dealer confirms TAKE $5, and TAKE $1 remains
    due."""
    felt = dealt(s3="KD 3S", ante=6)
    play(felt, s3=6)
    felt.lay(3, ante_across=5)
    felt.stand()
    felt.event(CircleUnreadable(3, Wager.ANTE_ACROSS, "silent"))
    felt.press("confirm")
    assert (felt.prompt["kind"], felt.prompt["amount"]) == ("take", 500)
    felt.press("confirm")
    assert felt.round.ledger.row(ANTE).tray == 500
    assert (felt.prompt["kind"], felt.prompt["wager"], felt.prompt["amount"]) == ("take", "ante_across", 100)
