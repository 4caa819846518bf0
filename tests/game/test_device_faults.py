"""If a device fails, the table does what each of the four packs requires: 58 Pa. Code § 674a.13(d), (g) and
their counterparts; config/rules/RULES.md."""

from __future__ import annotations

import pytest

from controller.game.model import events
from controller.game.model.irregularities import FLOOR_CHOICES, Code, Outcome
from controller.game.model.names import Key, Method, Phase
from tests.game.felt import Felt, pack
from tests.game.test_irregularities import (
    PACKS,
    STACKS,
    closed,
    dealt,
    everywhere,
    held,
    must,
    noted,
    returned,
)


@pytest.mark.parametrize("rules", STACKS)
@pytest.mark.parametrize("out", [0, 3, 5, 7])
def test_the_automated_shoe_jams_after_the_close(rules: str, out: int) -> None:
    """§ 674a.13(f), MGC § 12(f), Md. 13.D: from the first card on, a jam ends the round. The cards in the
    shoe are removed and reshuffled together with the dealt ones."""
    felt = closed(rules)
    faces = ["2C", "7D", "TH", "JS", "4C", "AS", "KD"]
    for number, face in enumerate(faces[:out], 1):
        felt.card(face)
        if number == 5:
            felt.event(events.StackCompleted(5))
            felt.event(events.StackTaken())
    felt.event(events.ShoeFaulted("JAM"))
    assert held(felt) == ("shoe_fault", "void", ("void",))
    felt.floor("approve")
    assert returned(felt) == {1: 2500, 2: 2500}
    felt.event(events.ShoeFaultCleared("JAM"))
    felt.commands.clear()
    felt.does_shuffle = False
    felt.press("confirm")
    assert (felt.phase, [c.command for c in felt.commands]) == (Phase.SHUFFLE, ["SHUFFLE"])


@everywhere
def test_a_jam_before_the_close_is_not_an_irregularity(rules: str) -> None:
    felt = Felt(rules)
    felt.antes(1)
    felt.event(events.ShoeFaulted("JAM"))
    assert felt.phase is Phase.BETTING
    assert felt.refused(events.KeyPressed(Key.NO_MORE_BETS)) is not None
    felt.event(events.ShoeFaultCleared("JAM"))
    assert felt.codes() == []
    felt.close()
    assert (felt.phase, noted(felt)) == (Phase.DEALING, [])


@pytest.mark.parametrize("rules", STACKS)
def test_a_jam_between_the_press_and_the_close_belongs_to_the_round(rules: str) -> None:
    """§ 674a.13(f) applies, because the announcement of "no more bets" has begun the round."""
    felt = Felt(rules)
    felt.antes(1)
    felt.press("no_more_bets")
    felt.event(events.ShoeFaulted("JAM"))
    felt.swept()
    assert held(felt) == ("shoe_fault", "void", ("void",))
    assert not [c for c in felt.commands if c.command == "DEAL"]


@everywhere
def test_a_jam_after_the_deal_does_not_stop_the_round(rules: str) -> None:
    felt = dealt(rules)
    felt.event(events.ShoeFaulted("JAM"))
    assert (felt.phase, felt.codes()) == (Phase.ACROSS, ["shoe_fault"])


@everywhere
def test_a_failed_manual_shoe_is_held_for_the_floor(rules: str) -> None:
    felt = closed(rules, Method.MANUAL_SHOE)
    felt.card("2C")
    felt.event(events.ShoeFaulted("JAM"))
    assert held(felt) == ("shoe_fault", None, FLOOR_CHOICES)
    felt.floor("outcome", outcome="go_on")
    assert felt.phase is Phase.DEALING


@everywhere
@pytest.mark.parametrize("source", ["device", "dealer"])
def test_a_shuffler_fault_in_play_follows_the_pack(rules: str, source: str) -> None:
    """§ 674a.13(e), MGC § 12(e): play goes on if the deck in play is not in the device. Under MD the floor
    decides. Under HOUSE the deck in play is out of the machine, and the round may go on."""
    felt = dealt(rules)
    felt.event(events.ShoeFaulted("SHUFFLE")) if source == "device" else felt.report("shuffler_fault")
    outcome = felt.pack.rulings["shuffler_fault"].outcome
    if outcome is Outcome.RESHUFFLE:
        assert felt.phase is Phase.ACROSS
        assert [code for code, _ in noted(felt)] == ["shuffler_fault"]
    else:
        proposed = Outcome.GO_ON if outcome is Outcome.VOID else None
        assert held(felt) == ("shuffler_fault", proposed, FLOOR_CHOICES)
        felt.floor("outcome", outcome="go_on")
        assert felt.phase is Phase.ACROSS


@pytest.mark.parametrize(
    ("method", "decks", "in_it"),
    [(None, 1, True), (None, 2, False), (Method.HAND, 1, False), (Method.MANUAL_SHOE, 1, True)],
)
def test_a_shuffler_fault_in_the_deal_voids_if_it_has_the_deck_in_play(
    method: Method | None, decks: int, in_it: bool
) -> None:
    """HOUSE, Irregularities 2; config/rules/RULES.md: a failing shuffler voids the round only if it contains
    the deck in play."""
    felt = closed("six_card_bonus", method, decks=decks)
    felt.report("shuffler_fault")
    if in_it:
        assert held(felt) == ("shuffler_fault", *must(Outcome.VOID))
    else:
        assert held(felt) == ("shuffler_fault", Outcome.GO_ON, FLOOR_CHOICES)


@pytest.mark.parametrize(("rules", "method"), [(key, m) for key in PACKS for m in pack(key).deals])
@pytest.mark.parametrize("closing", [False, True])
def test_an_incomplete_shuffle_reported_before_the_close_is_repeated(
    rules: str, method: Method, closing: bool
) -> None:
    """§ 674a.13(e), MGC § 12(e): "the cards shall be reshuffled". The report becomes part of the next round's
    record."""
    felt = Felt(rules, method=method)
    felt.antes(1)
    if closing:
        felt.lay(3, ante_across=10)
        felt.close()
    felt.does_shuffle = False
    felt.commands.clear()
    felt.report("shuffler_fault")
    assert felt.phase is Phase.SHUFFLE
    assert [c.command for c in felt.commands] == ([] if method is Method.HAND else ["SHUFFLE"])
    noted_early = [(e.code, e.resolved) for e in felt.table.state.early]
    assert (Code.SHUFFLER_FAULT, True) in noted_early


@everywhere
def test_a_shuffler_fault_reported_while_play_is_held_causes_a_shuffle(rules: str) -> None:
    felt = Felt(rules)
    felt.antes(1)
    felt.card("2C")
    assert felt.phase is Phase.HELD
    felt.does_shuffle = False
    felt.report("shuffler_fault")
    assert felt.phase is Phase.HELD
    felt.floor("outcome", outcome="go_on")
    assert felt.phase is Phase.SHUFFLE


@everywhere
def test_a_jam_after_the_last_card_is_recorded_without_a_void(rules: str) -> None:
    """§ 674a.13(f), MGC § 12(f) and Md. 13.D apply, in our reading, to cards that are still to be dealt."""
    felt = dealt(rules)
    felt.event(events.ShoeFaulted("JAM"))
    assert felt.phase is Phase.ACROSS
    felt.event(events.ShoeFaultCleared("JAM"))
    assert [(e.code, e.resolved) for e in felt.round.irregularities] == [(Code.SHOE_FAULT, True)]


@everywhere
def test_a_shuffler_that_fails_before_the_close_stops_no_round(rules: str) -> None:
    felt = Felt(rules)
    felt.antes(1)
    felt.event(events.ShoeFaulted("SHUFFLE"))
    assert felt.phase is Phase.BETTING


@everywhere
def test_a_shuffler_fault_between_rounds_follows_the_pack(rules: str) -> None:
    """§ 674a.13(e): the cards are reshuffled when the device works again. Under MD and HOUSE the floor
    decides."""
    felt = Felt(rules)
    felt.does_shuffle = False
    felt.floor("shuffle")
    felt.event(events.ShoeFaulted("SHUFFLE"))
    if felt.pack.rulings["shuffler_fault"].outcome is not Outcome.RESHUFFLE:
        assert held(felt)[0] == "shuffler_fault"
        return
    felt.commands.clear()
    felt.event(events.ShoeFaultCleared("SHUFFLE"))
    assert [c.command for c in felt.commands] == ["SHUFFLE"]


@everywhere
def test_a_wrong_deck_counted_by_the_shuffler_follows_the_pack(rules: str) -> None:
    """§ 674a.5(b), MGC § 4(b), Md. 5.B: the deck is removed. Under HOUSE the floor decides."""
    felt = Felt(rules)
    felt.does_shuffle = False
    felt.floor("shuffle")
    felt.event(events.ShuffleFinished(51, "RED"))
    assert held(felt) == ("deck_count", *must(felt.pack.rulings["deck_count"].outcome))
    assert felt.codes() == []  # play is held, without a separate alert
    felt.floor("outcome", outcome="remove_deck")
    felt.press("confirm")
    assert felt.prompt["kind"] == "deck_needed"


def test_a_wrong_deck_counted_during_play_with_the_other_is_held_at_its_turn() -> None:
    """§ 674a.5(b): the wrong deck raises an alert at once. Play goes on with the other deck and is held when
    the wrong deck comes to its turn."""
    felt = dealt()
    felt.event(events.ShuffleFinished(51, "BLUE"))
    assert (felt.phase, felt.codes()) == (Phase.ACROSS, ["deck_count"])
    felt.decide(s1=None, s2=None)
    while felt.phase is not Phase.CLEARING:
        felt.press("confirm") if felt.phase is not Phase.SETTLEMENT else felt.settle_one()
    felt.press("confirm")
    assert held(felt)[0] == "deck_count"
