"""Closing the table, bringing another deck, directing a shuffle and changing the way of dealing have the
right effects on later rounds, and earlier key presses have none.

58 Pa. Code § 674a.4, .5 and .13(g); config/rules/RULES.md "The deal".
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.game.model import events
from controller.game.model.names import Key, Method, Phase
from controller.game.model.state import DeckState
from tests.game.felt import Felt

CROSS = "2C 7D TH JS 4C"


def drain_commands(felt: Felt) -> list[str]:
    words = [" ".join((c.command, *c.fields)) for c in felt.commands]
    felt.commands.clear()
    return words


def pressed(**settings: object) -> Felt:
    """Return a table at which NO MORE BETS was pressed and the bets are not closed yet. A restart could lose
    this state."""
    felt = Felt(**settings)
    felt.antes(3)
    felt.press("no_more_bets")
    assert felt.table.state.closing and felt.table.state.undo
    return felt


def forgotten(felt: Felt) -> bool:
    state = felt.table.state
    return not state.closing and not state.undo and state.round is None


def played(felt: Felt) -> None:
    felt.closed(3)
    felt.deal(CROSS, {3: "TD 9S"})
    felt.fold()
    felt.collect()


def test_a_closed_table_has_no_deck_and_no_undo() -> None:
    felt = pressed()
    felt.clear()
    felt.floor("close")
    state = felt.table.state
    assert (state.phase, forgotten(felt), state.opening, state.opening_done) == (Phase.CLOSED, True, (), ())
    assert (state.deck.present, state.deck.opened, state.shoe.ready) == (False, 0, False)


def test_a_table_closed_during_its_opening_repeats_all_opening_steps() -> None:
    felt = Felt()
    felt.event(events.DeckBrought("BLUE"))
    felt.press("confirm")
    assert felt.table.state.opening_done
    felt.floor("close")
    assert (felt.table.state.opening, felt.table.state.opening_done) == ((), ())


@pytest.mark.parametrize("decision", ["recut", "shuffle"])
def test_bets_open_again_after_a_directed_shuffle(decision: str) -> None:
    felt = pressed()
    felt.does_shuffle = False
    drain_commands(felt)
    felt.floor(decision)
    assert forgotten(felt)
    if decision == "recut":
        assert (felt.phase, felt.table.state.opening, drain_commands(felt)) == (Phase.OPENING, ("recut",), [])
    else:
        assert (felt.phase, felt.table.state.shoe.ready, drain_commands(felt)) == (
            Phase.SHUFFLE,
            False,
            ["SHUFFLE"],
        )


def test_a_replacement_deck_goes_through_all_steps_of_a_new_deck() -> None:
    felt = Felt()
    played(felt)
    felt.next_round()
    assert felt.table.state.deck.last_back == "red"
    felt.antes(3)
    felt.press("no_more_bets")
    felt.event(events.DeckBrought("BLUE"), 1_000)
    state = felt.table.state
    assert (state.phase, forgotten(felt), state.opening_done) == (Phase.OPENING, True, ())
    assert state.opening == felt.pack.opening
    assert state.deck == DeckState(present=True, back="blue", opened=1, since=felt.ms)
    felt.press("confirm")
    felt.event(events.DeckBrought("RED", preshuffled=True))
    skips = felt.pack.preshuffled_skips_opening
    assert (felt.table.state.opening, felt.table.state.opening_done) == (
        ("cut",) if skips else felt.pack.opening, (),
    )  # fmt: skip


def test_a_deck_without_a_reported_back_has_none() -> None:
    felt = Felt()
    felt.event(events.DeckBrought(None))
    assert felt.table.state.deck.back is None


@pytest.mark.parametrize(("mode", "ready"), [("STACK", False), ("SINGLE", True)])
def test_a_deck_put_in_again_is_shuffled_by_a_shuffling_device(mode: str, ready: bool) -> None:
    felt = Felt()
    felt.does_shuffle = False
    felt.event(events.ShoeStated("READY", 52, 0, "RED", mode))
    assert felt.table.state.shoe.ready
    felt.event(events.DeckBrought("RED", same=True))
    state = felt.table.state
    assert (state.shoe.ready, state.opening, state.opening_done) == (ready, (), ())


def test_without_a_shuffler_the_dealer_shuffles_and_cuts() -> None:
    felt = Felt(method=Method.MANUAL_SHOE, shuffler=False)
    felt.event(events.DeckBrought("RED", same=True))
    assert felt.table.state.opening == ("shuffle", "cut")
    felt.press("confirm")
    felt.press("confirm")
    felt.floor("shuffle")
    assert (felt.phase, felt.table.state.opening_done) == (Phase.OPENING, ())


def test_a_round_without_a_stub_count_adds_to_the_rounds_since_the_last() -> None:
    felt = Felt()
    counts = []
    for _ in range(3):
        played(felt)
        counts.append(felt.table.state.deck.rounds_since_count)
        felt.next_round()
    assert counts == [1, 2, 3]
    felt.closed(3)
    felt.deal(CROSS, {3: "TD 9S"})
    felt.report("stub_count", number=45)
    felt.fold()
    felt.collect()
    assert felt.table.state.deck.rounds_since_count == 0


def test_on_return_from_hand_dealing_the_deck_is_put_into_the_shoe_and_shuffled() -> None:
    """§ 674a.13(g) permits hand dealing while the shoe is out of order. The cards are outside the shoe then,
    so the shoe must shuffle them again."""
    felt = Felt()
    felt.event(events.ShoeStated("READY", 52, 0, "RED", "STACK"))
    felt.does_shuffle = False
    felt.floor("method", method=Method.HAND)
    assert (felt.phase, drain_commands(felt)[-1], felt.codes()) == (
        Phase.BETTING,
        "SIGN ON",
        ["device_out_of_order"],
    )
    assert felt.table.state.shoe.ready
    assert felt.refused(events.FloorDecided("B1", "method", method=Method.AUTOMATED_SHOE)) is None
    felt.floor("method", method=Method.AUTOMATED_SHOE)
    assert (felt.phase, drain_commands(felt), felt.codes()) == (Phase.SHUFFLE, ["SIGN OFF", "SHUFFLE"], [])
    assert (felt.table.state.shoe.ready, felt.table.state.deck.backs) == (False, ())
    assert felt.refused(events.KeyPressed(Key.CONFIRM)) is not None


def test_the_way_of_dealing_cannot_change_while_bets_are_being_closed() -> None:
    felt = pressed()
    assert felt.refusal_code(events.FloorDecided("B1", "method", method=Method.HAND)) == "not_now"


def test_the_list_of_the_next_round_names_each_device_once() -> None:
    felt = Felt()
    for method in (Method.HAND, Method.MANUAL_SHOE):
        felt.floor("method", method=method)
    (entry,) = felt.table.state.early
    cited = felt.pack.rulings["device_out_of_order"].citation
    assert (entry.code, entry.phase, entry.citation, entry.resolved) == (
        "device_out_of_order", Phase.BETTING, cited, False,
    )  # fmt: skip


def test_a_device_out_of_order_removes_no_other_entry_from_the_list() -> None:
    felt = Felt()
    felt.does_shuffle = False
    felt.floor("method", method=Method.HAND)
    (entry,) = felt.table.state.early
    other = replace(entry, code="shuffler_fault")
    felt.table.state = replace(felt.table.state, early=(other, entry))
    felt.floor("method", method=Method.MANUAL_SHOE)
    assert [each.code for each in felt.table.state.early] == ["shuffler_fault", "device_out_of_order"]
    felt.floor("method", method=Method.AUTOMATED_SHOE)
    assert [each.code for each in felt.table.state.early] == ["shuffler_fault"]


# ------------------------------------------------------------------ the shoe's own reports


def test_times_and_names_of_the_link_are_stored() -> None:
    felt = Felt()
    felt.event(events.ShoeLinkLost())
    first = felt.ms
    assert (felt.table.state.shoe.up, felt.table.state.shoe.lost_at) == (False, first)
    felt.event(events.ShoeLinkLost(), 50)
    assert felt.table.state.shoe.lost_at == first
    felt.event(events.ShoeLinkOpened("TEST", "1", "1", "another"))
    shoe = felt.table.state.shoe
    assert (shoe.up, shoe.lost_at, shoe.boot, felt.codes()) == (True, None, "another", [])


def test_a_reported_state_of_the_shoe_is_stored() -> None:
    felt = Felt()
    felt.event(events.ShoeStated("SHUFFLING", 40, 12, "BLUE", "SINGLE"))
    shoe = felt.table.state.shoe
    assert (shoe.state, shoe.left, shoe.back, shoe.mode, shoe.ready) == (
        "SHUFFLING",
        40,
        "BLUE",
        "SINGLE",
        True,
    )
    felt.event(events.ShoeStated("EMPTY", 0, 0, None, "STACK"))
    shoe = felt.table.state.shoe
    assert (shoe.state, shoe.left, shoe.back, shoe.mode, shoe.ready) == ("EMPTY", 0, "BLUE", "STACK", False)


@pytest.mark.parametrize(("out", "held"), [(0, False), (1, True), (3, True)])
def test_a_deck_lifted_out_during_the_deal_is_held_for_cards_moved_unseen(out: int, held: bool) -> None:
    felt = Felt().closed(3)
    for face in CROSS.split()[:out]:
        felt.card(face)
    felt.event(events.ShoeStated("DEALING", 52 - out, out, "RED", "STACK"))
    assert felt.phase is Phase.DEALING
    felt.event(events.ShoeStated("EMPTY", 0, out, "RED", "STACK"))
    hold = felt.table.state.hold
    assert (hold.code if hold else None) == ("shoe_lost" if held else None)
    assert hold is None or hold.citation == felt.pack.rulings["cards_unseen"].citation


def test_a_deck_lifted_out_between_rounds_has_no_consequence() -> None:
    felt = Felt()
    felt.event(events.ShoeStated("EMPTY", 0, 0, "RED", "STACK"))
    assert felt.table.state.hold is None


def test_a_ready_report_counts_its_deck_once() -> None:
    felt = Felt()
    before = felt.table.state.deck.backs
    for back in ("RED", "BLUE", "BLUE", None):
        felt.event(events.DeckReady(52, back))
    assert (before, felt.table.state.deck.backs) == (("red",), ("red", "blue"))


def test_a_fault_of_the_shoe_lasts_until_it_is_cleared() -> None:
    felt = Felt()
    felt.event(events.ShoeFaulted("JAM"))
    assert (felt.table.state.shoe.state, felt.table.state.shoe.fault) == ("FAULT", "JAM")
    felt.event(events.ShoeFaultCleared("JAM"))
    assert (felt.table.state.shoe.state, felt.table.state.shoe.fault) == ("READY", None)
    felt.event(events.ShoeStated("EMPTY", 0, 0, "RED", "STACK"))
    felt.event(events.ShoeFaulted("JAM"))
    felt.event(events.ShoeFaultCleared("JAM"))
    assert felt.table.state.shoe.state == "UNKNOWN"


def test_only_a_link_lost_during_the_deal_is_on_the_round_s_list() -> None:
    felt = Felt()
    felt.event(events.ShoeLinkLost())
    assert not felt.table.state.early
    felt.event(events.ShoeLinkOpened("TEST", "1", "1", "boot"))
    felt.closed(3)
    felt.event(events.ShoeLinkLost())
    assert [each.code for each in felt.round.irregularities] == ["shoe_lost"]


@pytest.mark.parametrize("decks", [1, 2])
def test_removing_one_deck_keeps_the_age_of_the_other(decks: int) -> None:
    felt = Felt(decks=decks)
    since = felt.table.state.deck.since
    played(felt)
    state = felt.table.state
    felt.table.state = replace(state, deck=replace(state.deck, after="removed"))
    felt.clear()
    felt.press("confirm")
    state = felt.table.state
    assert (state.phase, state.opening, state.opening_done) == (Phase.OPENING, (), ())
    assert (state.deck.present, state.shoe.ready, forgotten(felt)) == (False, False, True)
    assert state.deck.since == (None if decks == 1 else since)


@pytest.mark.parametrize(
    "leave",
    [events.FloorDecided("B1", "close"), events.FloorDecided("B1", "shuffle"), events.DeckBrought("BLUE")],
)
def test_no_round_is_shown_after_its_cards_were_taken_away(leave: events.Event) -> None:
    """While a deck is being shuffled, the prompt must not show cards and wagers of the last round beside
    it."""
    felt = Felt()
    played(felt)
    assert (felt.phase, felt.round is None) == (Phase.CLEARING, False)
    felt.does_shuffle = False
    felt.event(leave)
    assert felt.round is None
