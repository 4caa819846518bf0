"""A deck is opened, counted, changed and cut as the rule texts require: 58 Pa. Code § 674a.3 to .5, .8 to .10
and their counterparts; config/rules/RULES.md "The deal"."""

from __future__ import annotations

import pytest

from controller.game.model import events
from controller.game.model.names import Key, Method, Phase
from tests.game.felt import Felt
from tests.game.test_deal_methods import CROSS, HOUR_MS, new_commands, play_out

# ------------------------------------------------------------------ counting the stub


def rounds_until_count(felt: Felt, most: int = 6) -> int:
    for number in range(1, most + 1):
        felt.closed(1)
        felt.stack(CROSS.split())
        felt.event(events.StackTaken())
        felt.stack(["AS", "KD"])
        felt.event(events.StackTaken())
        felt.event(events.StubTaken(45))
        if felt.prompt["kind"] == "count_stub":
            return number
        play_out(felt)
        felt.next_round()
    return most + 1


def test_the_stub_is_counted_at_least_every_five_rounds() -> None:
    """The dealer counts the stub at least every five rounds (§ 674a.8(f), .9(d), .10(d)). The shoe's own
    count does not replace this count."""
    felt = Felt()
    assert rounds_until_count(felt) == 5
    assert felt.codes() == ["stub_count_due"]
    felt.report("stub_count", number=45)
    assert (felt.phase, felt.codes()) == (Phase.ACROSS, [])
    play_out(felt)
    assert felt.records[-1]["stub"]["counted"] == 45
    assert felt.records[-1]["irregularities"] == []  # a due count is not an irregularity
    felt.next_round()
    assert rounds_until_count(felt) == 5


def test_no_count_is_needed_with_a_device_that_counts_to_52() -> None:
    assert rounds_until_count(Felt(counting_device=True)) == 7


def test_a_void_round_counts_as_a_round_until_the_stub_was_counted_in_it() -> None:
    felt = Felt()
    assert rounds_until_count(felt) == 5
    felt.report("stub_count", number=40)
    felt.floor("approve")
    felt.clear()
    assert felt.table.state.deck.rounds_since_count == 0


# ------------------------------------------------------------------ two decks, the deck's age


def play_while_ready(felt: Felt, back: str) -> None:
    """Play a round in which every seat folds, while the device reports the deck with the back `back` as
    ready."""
    felt.closed(1)
    felt.deal(CROSS, {1: "AS KD"})
    felt.event(events.DeckReady(52, back))
    play_out(felt)


def two_decks() -> Felt:
    """Return a table whose red deck has been played and whose blue deck is ready."""
    felt = Felt()
    play_while_ready(felt, "BLUE")
    felt.out = 0
    felt.next_round()
    assert (felt.table.view()["deck"]["back"], new_commands(felt)[-1]) == ("blue", "STUBOUT")
    return felt


def test_two_decks_play_in_turn() -> None:
    """The two decks strictly alternate (§ 674a.3(b), MGC § 2(b), Md. 3.B)."""
    felt = two_decks()
    play_while_ready(felt, "RED")
    felt.next_round()
    assert (felt.table.view()["deck"]["back"], felt.codes()) == ("red", [])


def test_the_deck_just_played_is_refused_for_the_next_round() -> None:
    felt = two_decks()
    play_while_ready(felt, "BLUE")
    felt.next_round()
    assert felt.codes() == ["wrong_deck"]
    felt.antes(1)
    assert felt.refused(events.KeyPressed(Key.NO_MORE_BETS)) is not None
    felt.event(events.ShoeStated("EMPTY", None, 0, None, "STACK"))
    felt.event(events.DeckReady(52, "RED"))
    assert (felt.codes(), felt.table.view()["deck"]["back"]) == ([], "red")
    felt.close()
    assert felt.phase is Phase.DEALING
    assert felt.round.irregularities == ()  # no round was played with the wrong deck


@pytest.mark.parametrize(("decks", "codes"), [(1, []), (2, ["wrong_deck"])])
def test_a_table_with_two_decks_plays_none_twice_even_if_it_saw_only_one(
    decks: int, codes: list[str]
) -> None:
    felt = Felt(decks=decks)
    play_while_ready(felt, "RED")
    felt.next_round()
    assert felt.codes() == codes


def test_after_a_change_of_the_way_of_dealing_either_deck_may_come_first() -> None:
    """§ 674a.13(g): the decks have to be moved, so either may come first."""
    felt = two_decks()
    play_while_ready(felt, "BLUE")
    felt.next_round()
    assert felt.codes() == ["wrong_deck"]
    felt.floor("method", method=Method.HAND)
    assert felt.codes() == ["device_out_of_order"]


def test_a_deck_is_changed_after_eight_hours_but_never_during_a_round() -> None:
    """A deck is changed after eight hours (§ 674a.3(c)(2), MGC § 2(c), Md. 3.C)."""
    felt = Felt()
    since = felt.table.state.deck.since
    assert since is not None
    notice = since + 8 * HOUR_MS - 15 * 60_000
    assert felt.table.next_deadline() == notice
    felt.event(events.SweepCompleted(0), notice - felt.ms)
    assert (felt.codes(), felt.table.view()["alerts"][0]["grade"]) == (["deck_change_due"], "notice")
    assert not felt.table.view()["deck"]["change_due"]
    assert felt.table.next_deadline() == since + 8 * HOUR_MS
    felt.closed(1)
    felt.deal(CROSS, {1: "AS KD"})
    felt.stand(8 * HOUR_MS)
    assert (felt.phase, felt.codes()) == (Phase.ACROSS, ["deck_change_due"])
    play_out(felt)
    # a deck that reaches its age limit is not an irregularity
    assert felt.records[-1]["irregularities"] == []
    felt.next_round()
    felt.antes(1)
    assert felt.refused(events.KeyPressed(Key.NO_MORE_BETS)) is not None
    assert felt.table.view()["deck"]["change_due"]
    assert felt.refused(events.DeckBrought("RED", same=True)) is not None
    felt.event(events.DeckBrought("BLUE", preshuffled=True))
    assert felt.codes() == []


def test_a_deck_that_is_dealt_by_hand_is_changed_after_four_hours() -> None:
    """A deck dealt by hand is changed after four hours (§ 674a.3(c)(1)). If the table changes to another way
    of dealing, the same deck may be used longer."""
    felt = Felt(method=Method.HAND)
    felt.stand(4 * HOUR_MS)
    assert felt.codes() == ["deck_change_due"]
    felt.floor("method", method=Method.MANUAL_SHOE)
    assert felt.codes() == ["device_out_of_order"]


def test_a_due_deck_change_is_announced_at_any_event() -> None:
    felt = Felt()
    felt.event(events.SweepCompleted(0), 8 * HOUR_MS)
    assert felt.codes() == ["deck_change_due"]


def test_the_house_rules_have_no_change_by_the_clock() -> None:
    felt = Felt("six_card_bonus")
    felt.stand(100 * HOUR_MS)
    assert felt.codes() == []


@pytest.mark.parametrize("rules", ["pennsylvania", "massachusetts", "maryland"])
def test_cards_are_not_dealt_by_hand_without_a_shuffler(rules: str) -> None:
    """§ 674a.9(a)(1), MGC § 8(a)(1), Md. 9.A(1): cards are not dealt by hand if the table has no shuffler or
    while the shuffler is broken."""
    without = Felt(rules, shuffler=False)
    by_hand = events.FloorDecided("B1", "method", method=Method.HAND)
    assert without.refusal_code(by_hand) == "shuffler_needed"
    assert without.refused(events.FloorDecided("B1", "method", method=Method.MANUAL_SHOE)) is None
    felt = Felt(rules)
    assert felt.refused(by_hand) is None
    felt.event(events.ShoeFaulted("SHUFFLE"))
    assert felt.refused(by_hand) is not None
    felt.event(events.ShoeFaultCleared("SHUFFLE"))
    assert felt.refused(by_hand) is None


def test_the_house_rules_do_not_ask_for_a_shuffler() -> None:
    assert (
        Felt("six_card_bonus", shuffler=False).refused(
            events.FloorDecided("B1", "method", method=Method.HAND)
        )
        is None
    )


def test_replacing_one_of_two_decks_keeps_the_age_of_the_other() -> None:
    """§ 674a.3(c): both decks are changed when the older one reaches its age limit."""
    felt = Felt(decks=2)
    felt.stand(4 * HOUR_MS)
    felt.event(events.DeckBrought("BLUE", preshuffled=True))
    felt.stand(4 * HOUR_MS)
    assert felt.table.view()["deck"]["change_due"]
    felt.event(events.DeckBrought("RED", preshuffled=True))
    assert not felt.table.view()["deck"]["change_due"]


@pytest.mark.parametrize(("back", "refused"), [("Red", "same_back"), ("BLUE", None), (None, None)])
def test_the_second_of_two_decks_has_another_back(back: str | None, refused: str | None) -> None:
    """The backs of two decks must differ (§ 674a.3(b), MGC § 2(b), Md. 3.B)."""
    felt = Felt(decks=2)
    felt.floor("close")
    felt.press("confirm")
    felt.event(events.DeckBrought("RED", preshuffled=True))
    # a deck that was just brought may be replaced by another
    assert felt.refused(events.DeckBrought("RED", preshuffled=True)) is None
    felt.press("confirm")
    refusal = felt.refused(events.DeckBrought(back, preshuffled=True))
    assert (refusal and refusal.code) == refused


def test_a_miscounted_deck_is_not_cleared_by_the_other_deck_s_count() -> None:
    """A miscounted deck is removed, whatever the count of the other deck (§ 674a.5(b), MGC § 4(b), Md.
    5.B)."""
    felt = Felt(decks=2)
    felt.event(events.ShuffleFinished(51, "RED"))
    felt.event(events.ShuffleFinished(52, "BLUE"))
    assert felt.codes() == ["deck_count"]
    felt.event(events.ShuffleFinished(52, "RED"))
    assert felt.codes() == []


# ------------------------------------------------------------------ opening, closing, cutting


@pytest.mark.parametrize("rules", ["pennsylvania", "massachusetts", "maryland", "six_card_bonus"])
def test_a_new_deck_goes_through_every_step_and_a_floorperson_verifies(rules: str) -> None:
    """§ 674a.4, MGC § 3 and Md. 4 list the steps for a new deck. A preshuffled deck is only cut if the text
    has that exception (.4(e), Md. 4.F)."""
    felt = Felt(rules)
    felt.event(events.DeckBrought("GREEN"))
    steps = []
    while felt.phase is Phase.OPENING:
        steps.append(felt.prompt["step"])
        if felt.prompt["step"] == "verify":
            assert felt.refused(events.KeyPressed(Key.CONFIRM)) is not None
            felt.floor("sign")
        else:
            felt.press("confirm")
    assert tuple(steps) == felt.pack.opening
    felt.event(events.DeckBrought("GREEN", preshuffled=True))
    skips = felt.pack.preshuffled_skips_opening
    assert felt.prompt["kind"] == ("cut" if skips else "opening_step")


def test_no_opening_step_is_signed_without_a_deck() -> None:
    felt = Felt()
    felt.floor("close")
    felt.press("confirm")
    assert felt.prompt["kind"] == "deck_needed"
    assert felt.refused(events.KeyPressed(Key.CONFIRM)) is not None
    assert felt.refused(events.FloorDecided("B1", "sign")) is not None


@pytest.mark.parametrize("rules", ["pennsylvania", "maryland"])
def test_a_deck_that_was_put_away_is_washed_and_shuffled_again(rules: str) -> None:
    """§ 674a.5(f) requires no new inspection; Md. 5.F requires every step of Chapter 4 again. The age of the
    deck is kept."""
    felt = Felt(rules)
    since = felt.table.state.deck.since
    felt.floor("close")
    assert felt.phase is Phase.CLOSED
    felt.press("confirm")
    felt.event(events.DeckBrought("RED", same=True))
    assert felt.table.state.opening == felt.pack.no_activity
    while felt.phase is Phase.OPENING:
        felt.floor("sign") if felt.refused(events.KeyPressed(Key.CONFIRM)) else felt.press("confirm")
    assert felt.phase is Phase.BETTING
    assert felt.table.state.deck.since == since


def test_a_floorperson_orders_a_recut_before_the_deal() -> None:
    """A floorperson may order another cut (§ 674a.5(e), MGC § 4(e), Md. 5.E)."""
    felt = Felt()
    felt.floor("recut")
    assert felt.prompt["kind"] == "cut"
    felt.press("confirm")
    assert felt.phase is Phase.BETTING
    felt.closed(1)
    assert felt.refused(events.FloorDecided("B1", "recut")) is not None


def test_a_floorperson_directs_a_shuffle() -> None:
    """A floorperson may order a shuffle (§ 674a.5(a), MGC § 4(a), Md. 5.A)."""
    felt = Felt()
    felt.does_shuffle = False
    felt.floor("shuffle")
    assert (felt.phase, new_commands(felt)) == (Phase.SHUFFLE, ["SHUFFLE"])
    felt.shuffled()
    assert felt.phase is Phase.BETTING
