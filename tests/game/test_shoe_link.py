"""The table continues correctly when a shoe loses its link or its power, or refuses a command
(drivers/shoe/LINK.md)."""

from __future__ import annotations

import pytest

from controller.game.model import events
from controller.game.model.cards import Card
from controller.game.model.names import Key, Phase
from tests.game.felt import Felt

CROSS = ["2C", "7D", "TH", "JS", "4C"]
HANDS = {3: "TD 9S"}


def closed() -> Felt:
    return Felt().closed(*HANDS)


def back(felt: Felt, state: str, out: int, boot: str = "boot") -> None:
    """Lose the link and restore it at once; the shoe then reports `state` with `out` cards dealt. Another
    `boot` means that the shoe has restarted."""
    felt.event(events.ShoeLinkLost())
    felt.event(events.ShoeLinkOpened("TEST", "1", "1", boot))
    felt.event(events.ShoeStated(state, 52 - out, out, "RED", "STACK", resumed=True))


def commands(felt: Felt) -> list[tuple[str, ...]]:
    sent = [(each.command, *each.fields) for each in felt.commands]
    felt.commands.clear()
    return sent


def deals(felt: Felt) -> list[tuple[str, ...]]:
    """Return the commands sent to the shoe except RELEASE, which may be repeated at any time."""
    return [command for command in commands(felt) if command != ("RELEASE",)]


def test_a_possibly_lost_command_is_repeated_if_the_shoe_shows_no_effect() -> None:
    felt = closed()
    assert deals(felt) == [("DEAL", "5")]
    back(felt, "READY", 0)
    felt.stand(500)
    assert deals(felt) == []
    felt.stand(600)
    assert deals(felt) == [("DEAL", "5")]
    assert felt.phase is Phase.DEALING


def test_a_working_shoe_gets_no_second_command() -> None:
    felt = closed()
    felt.card(CROSS[0])
    commands(felt)
    back(felt, "DEALING", 1)
    felt.stand(900)
    for face in CROSS[1:]:
        felt.card(face)
    felt.event(events.StackCompleted(5))
    felt.stand(2_000)
    assert deals(felt) == []
    felt.event(events.StackTaken())
    assert (deals(felt), felt.phase) == ([("DEAL", "2")], Phase.DEALING)


def test_a_working_shoe_may_refuse_the_repeated_command() -> None:
    felt = closed()
    back(felt, "DEALING", 0)
    felt.stand(1_100)
    felt.event(events.CommandRefused("DEAL", "busy"))
    assert felt.phase is Phase.DEALING
    felt.stack(CROSS)
    felt.event(events.StackTaken())
    assert felt.phase is Phase.DEALING


@pytest.mark.parametrize(("state", "out"), [("DEALING", 2), ("DEALING", 0), ("READY", 0), ("EMPTY", 0)])
def test_cards_that_moved_unseen_hold_the_deal(state: str, out: int) -> None:
    felt = closed()
    felt.card(CROSS[0])
    back(felt, state, out)
    assert (felt.phase, felt.table.state.hold.code if felt.table.state.hold else None) == (
        Phase.HELD, "shoe_lost",
    )  # fmt: skip


@pytest.mark.parametrize(("state", "out"), [("DEALING", 8), ("DEALING", 5), ("EMPTY", 0)])
def test_cards_that_moved_unseen_hold_the_round_after_the_deal(state: str, out: int) -> None:
    felt = closed()
    felt.deal(" ".join(CROSS), HANDS)
    assert felt.phase is Phase.ACROSS
    back(felt, state, out, "another")
    assert felt.phase is Phase.HELD


@pytest.mark.parametrize(("state", "out"), [("EMPTY", 7), ("SHUFFLING", 0), ("READY", 0)])
def test_a_resumed_shoe_with_an_equal_count_or_another_deck_causes_no_hold(state: str, out: int) -> None:
    felt = closed()
    felt.deal(" ".join(CROSS), HANDS)
    back(felt, state, out)
    assert felt.phase is Phase.ACROSS


def test_a_fault_ends_with_a_power_cut() -> None:
    """A device that has restarted sends no CLEARED, so the restart itself ends the fault."""
    felt = Felt()
    felt.event(events.ShoeFaulted("JAM"))
    assert felt.codes() == ["shoe_fault"]
    back(felt, "READY", 0)
    assert felt.codes() == ["shoe_fault"]
    back(felt, "READY", 0, "another")
    assert (felt.codes(), felt.table.state.shoe.fault) == ([], None)


def test_a_fault_that_remains_after_a_power_cut_is_reported() -> None:
    felt = Felt()
    back(felt, "FAULT", 0, "another")
    assert felt.codes() == ["shoe_fault"]
    felt.event(events.ShoeFaultCleared("JAM"))
    assert felt.codes() == []


def test_a_shoe_that_returns_with_a_fault_ends_the_deal() -> None:
    """§ 674a.13(f) applies although the shoe sends no FAULT for the time before its restart."""
    felt = closed()
    back(felt, "FAULT", 0, "another")
    hold = felt.table.state.hold
    assert hold is not None
    assert (hold.code, hold.proposed) == ("shoe_fault", "void")


def test_hold_and_release_are_sent_again_after_a_resumption() -> None:
    felt = closed()
    felt.card(CROSS[0])
    felt.event(events.CardLeftShoe(3, Card(CROSS[1])))
    assert commands(felt)[-1] == ("HOLD",)
    back(felt, "DEALING", 3)
    assert commands(felt) == [("HOLD",)]
    felt.floor("outcome", outcome="go_on")
    assert commands(felt) == [("RELEASE",)]
    back(felt, "DEALING", 3)
    assert commands(felt) == [("RELEASE",)]


def test_a_refused_shuffle_is_commanded_again_after_the_dealer_s_confirm() -> None:
    felt = closed()
    felt.deal(" ".join(CROSS), HANDS)
    felt.fold()
    felt.collect()
    felt.does_shuffle = False
    commands(felt)
    felt.press("confirm")
    assert commands(felt) == [("SHUFFLE",)]
    assert felt.refused(events.KeyPressed(Key.CONFIRM)) is not None
    felt.event(events.CommandRefused("SHUFFLE", "a card lies in the exit"))
    assert felt.prompt["kind"] == "load_deck"
    felt.press("confirm")
    assert commands(felt) == [("SHUFFLE",)]
    felt.shuffled()
    assert felt.phase is Phase.BETTING


def test_cards_dealt_before_the_shoe_stopped_are_in_the_record() -> None:
    """Every card that left the shoe is in the record, whether its stack was taken or not
    (controller/COMMANDS.md, Round record)."""
    felt = closed()
    for face in CROSS[:3]:
        felt.card(face)
    felt.event(events.ShoeFaulted("JAM"))
    felt.floor("approve")
    felt.clear()
    assert list(felt.records[-1]["cross"].values()) == [*CROSS[:3], None, None]


def test_a_ready_report_that_crosses_a_shuffle_command_counts() -> None:
    """A device with two decks refuses to shuffle the deck that it has just reported as ready. That deck
    counts as shuffled for the next round."""
    felt = closed()
    felt.does_shuffle = False
    for back_, other in (("BLUE", "RED"), ("RED", "BLUE")):
        felt.deal(" ".join(CROSS), HANDS)
        felt.fold()
        felt.collect()
        commands(felt)
        felt.press("confirm")
        assert commands(felt) == [("SHUFFLE",)]
        felt.out = 0
        felt.event(events.DeckReady(52, back_))
        felt.event(events.CommandRefused("SHUFFLE", "a shuffled deck lies ready"))
        assert (felt.phase, felt.table.state.deck.last_back) == (Phase.BETTING, other.lower())
        felt.closed(*HANDS)
