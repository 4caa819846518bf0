"""An abandoned device is covered or marked as out of order before another way of dealing is used (58 Pa. Code
§ 674a.13(g)).

The tests also cover an open table without players (§ 674a.5(f)) and the count of each of two decks (§
674a.10(d)).
"""

from __future__ import annotations

import pytest

from controller.game.model.events import CommandDone, KeyPressed, Reported
from controller.game.model.irregularities import DealerReport
from controller.game.model.names import Key, Method, Phase
from tests.game.felt import Felt, pack
from tests.game.test_irregularities import everywhere


def given_up(rules: str = "pennsylvania", method: Method = Method.HAND) -> Felt:
    felt = Felt(rules)
    felt.floor("method", method=method)
    felt.method = method
    return felt


@everywhere
def test_bets_cannot_close_before_the_cover_is_confirmed(rules: str) -> None:
    felt = given_up(rules)
    felt.antes(1)
    assert (felt.phase, felt.prompt["kind"]) == (Phase.BETTING, "cover_device")
    assert felt.refusal_code(KeyPressed(Key.NO_MORE_BETS)) == "cover_device"
    assert [entry.resolved for entry in felt.table.state.early] == [False]
    felt.press("confirm")
    assert [entry.resolved for entry in felt.table.state.early] == [True]
    assert felt.refused(KeyPressed(Key.CONFIRM)) is not None
    felt.close()
    assert felt.phase is Phase.DEALING


def test_a_device_with_its_sign_needs_no_cover() -> None:
    felt = given_up()
    felt.event(CommandDone("SIGN"))
    assert felt.prompt["kind"] == "bets_open"
    assert [entry.resolved for entry in felt.table.state.early] == [True]


def test_the_sign_of_the_replacement_shoe_does_not_count_for_the_device() -> None:
    felt = given_up(method=Method.MANUAL_SHOE)
    felt.event(CommandDone("SIGN"))
    assert felt.table.state.deck.uncovered


def test_a_device_that_is_taken_up_again_needs_no_cover() -> None:
    felt = given_up()
    felt.floor("method", method=Method.AUTOMATED_SHOE)
    assert not felt.table.state.deck.uncovered


def test_changing_from_hand_to_shoe_needs_no_cover() -> None:
    felt = given_up()
    felt.press("confirm")
    felt.does_shuffle = False
    felt.floor("method", method=Method.MANUAL_SHOE)
    assert not felt.table.state.deck.uncovered
    assert [entry.resolved for entry in felt.table.state.early] == [True]


# ------------------------------------------------------------------ a table without players


@everywhere
def test_at_a_table_without_players_the_first_player_inspects_the_cards(rules: str) -> None:
    """§ 674a.5(f) requires these steps, so the prompts cite it and not .4(c), which is for a new deck."""
    felt = Felt(rules)
    since = felt.table.state.deck.since
    felt.report("no_activity")
    steps = []
    while felt.phase is Phase.OPENING:
        steps.append(felt.prompt["step"])
        assert felt.prompt["citation"] == felt.pack.cite("no_activity")
        felt.floor("sign") if felt.refused(KeyPressed(Key.CONFIRM)) else felt.press("confirm")
    assert tuple(steps) == felt.pack.no_activity
    assert steps[2] == "look"
    assert (felt.phase, felt.table.state.deck.since) == (Phase.BETTING, since)


def test_a_shuffle_by_hand_ends_with_the_cut() -> None:
    """§ 674a.5(c)(2) requires the cut after the shuffle."""
    felt = Felt(method=Method.MANUAL_SHOE, shuffler=False)
    felt.report("no_activity")
    assert felt.table.state.opening[-2:] == ("shuffle", "cut")


def refused(felt: Felt) -> str | None:
    refusal = felt.refused(Reported(DealerReport.NO_ACTIVITY))
    return refusal and refusal.code


def test_wagers_and_a_counting_device_end_that_procedure() -> None:
    """§ 674a.5(g): a device that counts the cards makes this procedure unnecessary, and it starts only while
    no wager lies on the table."""
    assert refused(Felt(counting_device=True)) == "device_counts"
    felt = Felt()
    assert refused(felt) is None
    felt.lay(3, ante_across=10)
    assert refused(felt) == "chips_still_there"
    felt.closed(3)
    assert refused(felt) == "not_now"


# ------------------------------------------------------------------ counts of two decks


def counted(felt: Felt, rounds: int, decks: int) -> list[int]:
    """Return the numbers of the rounds in which the dealer counted the stub, at a table that uses `decks`
    decks in turn."""
    found = []
    felt.does_shuffle = False
    for number in range(1, rounds + 1):
        felt.closed(1)
        felt.deal_all(list(felt.unused(7)))
        if felt.prompt["kind"] == "count_stub":
            felt.report("stub_count", number=45)
            found.append(number)
        felt.fold()
        felt.collect()
        felt.clear()
        felt.press("confirm")
        if felt.method is Method.HAND:
            felt.press("confirm")
        else:
            felt.shuffled("BLUE" if decks == 2 and number % 2 else "RED")
    return found


@pytest.mark.parametrize(
    ("every", "decks", "rounds"),
    [(5, 1, [5, 10, 15]), (5, 2, [5, 10, 15]), (2, 2, [2, 3, 5, 6, 8, 9, 11, 12, 14, 15]), (2, 1, [2, 4, 6])],
)
@pytest.mark.parametrize("method", [None, Method.HAND])
def test_each_of_two_decks_is_counted_in_its_own_rounds(
    every: int, decks: int, rounds: list[int], method: Method | None
) -> None:
    rules = pack()
    deals = {name: type(deal)(deal.steps, every, deal.needs_shuffler) for name, deal in rules.deals.items()}
    felt = Felt(Felt(rules).with_pack(deals=deals), method, decks=decks)
    assert counted(felt, rounds[-1], decks) == rounds
