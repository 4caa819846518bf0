"""Screen, lamps and scanner get alerts with their grade, faults and the circles to read first without
delay."""

from __future__ import annotations

import pytest

from controller.game.model import events
from controller.game.model.names import BETS, Circle, Key, Phase, Wager
from controller.game.showing.lamps import LampState
from tests.game.felt import Felt
from tests.game.settlements import jacks, tens
from tests.game.test_irregularities import dealt

HOUR_MS = 3_600_000


def alert(felt: Felt, code: str) -> dict[str, object]:
    return next(dict(each) for each in felt.table.view()["alerts"] if each["code"] == code)


def test_an_alert_shows_whether_it_may_be_signed() -> None:
    felt = jacks()
    felt.press("confirm")
    shown = alert(felt, "losing_bet_left")
    assert (shown["grade"], shown["signable"], shown["minutes"]) == ("alert", True, None)
    felt.event(events.CircleUnreadable(3, Wager.MIDDLE, "silent"))
    felt.stand(5_000)
    assert not alert(felt, "reader_lost")["signable"]


def test_a_deck_change_is_announced_in_minutes_until_it_is_due() -> None:
    felt = Felt()
    felt.stand(8 * HOUR_MS - 15 * 60_000)
    shown = alert(felt, "deck_change_due")
    assert (shown["grade"], shown["minutes"]) == ("notice", 15)
    felt.stand(15 * 60_000)
    shown = alert(felt, "deck_change_due")
    assert (shown["grade"], shown["minutes"]) == ("alert", None)


def test_a_new_deck_ends_alerts_about_the_old_one() -> None:
    felt = Felt()
    felt.stand(8 * HOUR_MS)
    felt.event(events.ShuffleFinished(51, "RED"))
    assert felt.codes() == ["deck_change_due", "deck_count"]
    felt.event(events.DeckBrought("BLUE", preshuffled=True))
    assert (felt.codes(), felt.table.state.deck.miscounted) == ([], ())
    assert (felt.table.state.deck.after, felt.table.state.deck.present) == ("reshuffled", True)


@pytest.mark.parametrize("why", ["silent", "unstable"])
def test_an_unreadable_circle_shows_a_fault(why: str) -> None:
    felt = dealt()
    felt.event(events.CircleUnreadable(1, Wager.MIDDLE, why))  # type: ignore[arg-type]
    assert felt.table.lamps()[Circle(1, Wager.MIDDLE)] is LampState.FAULT


def test_a_circle_without_a_reader_shows_no_fault() -> None:
    felt = dealt()
    felt.event(events.CircleUnreadable(1, Wager.MIDDLE, "not_fitted"))
    assert felt.table.lamps().get(Circle(1, Wager.MIDDLE)) is not LampState.FAULT


def test_due_circles_are_read_first() -> None:
    felt = Felt()
    assert felt.table.watch() == ()
    felt.lay(1, ante_across=10)
    assert felt.table.watch() == ()
    felt.press("no_more_bets")
    assert felt.table.watch() == ((1, Wager.ANTE_ACROSS),)
    felt = dealt()
    assert felt.table.watch() == ((1, Wager.ACROSS), (2, Wager.ACROSS))
    felt.bet(10)
    assert felt.table.watch() == ((2, Wager.ACROSS),)
    felt.fold()
    assert felt.table.watch() == ((2, Wager.ANTE_ACROSS),)


def test_in_a_void_round_the_circle_to_be_emptied_is_read_first() -> None:
    felt = dealt()
    felt.report("community_exposed", place="middle")
    felt.floor("approve")
    assert (felt.phase, felt.table.watch()) == (Phase.VOID, ((1, Wager.ANTE_ACROSS),))


def test_pushes_and_the_step_after_them_are_read_together() -> None:
    assert tens().table.watch() == tuple((3, wager) for wager in (
        Wager.ANTE_ACROSS, Wager.ACROSS, Wager.ANTE_DOWN, Wager.DOWN, Wager.MIDDLE, Wager.FIVE_CARD_BONUS,
    ))  # fmt: skip


@pytest.mark.parametrize("before", [True, False])
def test_an_entered_amount_stays_unverified_when_its_reader_returns(before: bool) -> None:
    """The amount is either an ante entered before the close or a bet entered after it."""
    felt = Felt()
    felt.antes(3)
    wager = Wager.ANTE_ACROSS if before else Wager.ACROSS
    if before:
        felt.event(events.CircleUnreadable(3, wager, "silent"))
        felt.event(events.AmountEntered(3, wager, 1000))
    felt.close()
    felt.deal("JC 7D 2H 8S 4C", {3: "JH 3D"})
    if not before:
        felt.event(events.CircleUnreadable(3, wager, "silent"))
        felt.event(events.AmountEntered(3, wager, 1000))
    felt.press("confirm") if not before else felt.bet(10)
    felt.press("confirm")
    felt.event(events.CircleRead(3, wager, (felt.chip(1000),)))
    assert felt.table.state.signatures == (), "the reading takes the place of the signature"
    while felt.phase in BETS:
        felt.bet(10) if felt.prompt["kind"] == "ask" else felt.press("confirm")
    felt.settle()
    assert not felt.result(3, str(wager))["verified"]


def test_a_forfeited_seat_is_shown_as_forfeited() -> None:
    felt = dealt()
    felt.floor("forfeit", seat=1)
    assert [box["forfeited"] for box in felt.table.view()["seats"][:2]] == [True, False]


def test_the_cause_of_a_hold_is_also_an_alert() -> None:
    felt = Felt()
    felt.event(events.ShoeLinkLost())
    felt.event(events.TimePassed(), 5_000)
    assert [(each["code"], each["grade"]) for each in felt.table.view()["alerts"]] == [("shoe_lost", "alert")]


def test_a_call_lasts_until_a_floorperson_answers() -> None:
    felt = Felt()
    felt.press("floor")
    assert felt.table.state.floor_called
    assert felt.refusal_code(events.KeyPressed(Key.FLOOR)) == "floor_called"
    felt.floor("answer")
    assert not felt.table.state.floor_called


def test_a_shuffler_that_fails_before_the_close_shuffles_again() -> None:
    """§ 674a.13(e): the cards are reshuffled. The failure is recorded, and no step waits for it."""
    felt = Felt()
    felt.report("shuffler_fault")
    assert [(e.code, e.resolved) for e in felt.table.state.early] == [("shuffler_fault", True)]
    assert not felt.table.state.deck.shuffle_commanded
