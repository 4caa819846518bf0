"""If all readers are lost at once, the table raises one alert with one cause, the supply or the hub
(`readers_lost`)."""

from __future__ import annotations

from controller.game.model.events import AmountEntered, CircleRead, CircleUnreadable, Started
from controller.game.model.irregularities import LOST_MS
from controller.game.model.names import SEATS, Circle, Phase, Wager
from tests.game.felt import Felt
from tests.game.settlements import JACKS_DOWN

EVERY = tuple(Circle(seat, wager) for seat in SEATS for wager in Wager)


def silence(felt: Felt, apart_ms: int = 1) -> None:
    """Report the readers of all circles as silent, one after another, `apart_ms` ms apart."""
    for circle in EVERY:
        felt.event(CircleUnreadable(*circle, "silent"), apart_ms)


def dealt() -> Felt:
    return Felt().dealt(JACKS_DOWN, {3: "JH 3D"})


def test_the_loss_of_all_readers_is_one_alert_and_one_entry() -> None:
    felt = dealt()
    silence(felt)
    felt.stand(LOST_MS)
    assert felt.codes() == ["readers_lost"]
    assert [entry.code for entry in felt.round.irregularities] == ["readers_lost"]


def test_readers_lost_one_after_another_are_still_one_alert() -> None:
    felt = dealt()
    silence(felt, apart_ms=60)
    assert felt.codes() == []
    felt.stand(LOST_MS)
    assert felt.codes() == ["readers_lost"]


def test_a_reader_lost_before_is_included_in_the_alert() -> None:
    felt = dealt()
    felt.event(CircleUnreadable(*EVERY[0], "silent"))
    felt.stand(LOST_MS)
    assert felt.codes() == ["reader_lost"]
    silence(felt)
    felt.stand(LOST_MS)
    assert felt.codes() == ["readers_lost"]


def test_the_loss_of_all_readers_but_one_is_reported_per_circle() -> None:
    felt = dealt()
    for circle in EVERY[1:]:
        felt.event(CircleUnreadable(*circle, "silent"))
    felt.stand(LOST_MS)
    assert felt.codes() == ["reader_lost"] * (len(EVERY) - 1)


def test_when_some_readers_return_the_others_are_reported_separately() -> None:
    felt = dealt()
    silence(felt)
    felt.stand(LOST_MS)
    for circle in EVERY[:-1]:
        felt.event(CircleRead(*circle, ()))
    assert "readers_lost" not in felt.codes()
    assert "reader_lost" not in felt.codes()
    felt.stand(LOST_MS)
    lost = [(a.seat, a.wager) for a in felt.table.state.alerts if a.code == "reader_lost"]
    assert lost == [EVERY[-1]]
    assert next(e.resolved for e in felt.round.irregularities if e.code == "readers_lost")


def test_the_alert_lasts_over_a_start_until_a_reader_answers() -> None:
    felt = dealt()
    silence(felt)
    felt.stand(LOST_MS)
    felt.event(Started(EVERY))
    assert felt.codes() == ["readers_lost"]
    felt.event(CircleRead(*EVERY[0], ()))
    assert "readers_lost" not in felt.codes()


def test_the_alert_leaves_no_deadline() -> None:
    """The table needs no further wake-up for readers that are already reported as lost."""
    felt = dealt()
    silence(felt)
    felt.stand(LOST_MS)
    due = felt.table.next_deadline()
    assert due is None or due > felt.ms


def test_successive_losses_do_not_delay_the_first_alert_for_ever() -> None:
    felt = dealt()
    for circle in EVERY[:5]:
        felt.event(CircleUnreadable(*circle, "silent"), LOST_MS // 2)
    felt.stand(1)
    assert [(a.seat, a.wager) for a in felt.table.state.alerts if a.code == "reader_lost"] == [EVERY[0]]


def test_a_seat_without_a_first_ante_is_asked_only_once() -> None:
    """At a table of six seats with one player, the dealer answers one question for each empty seat instead of
    two."""
    felt = Felt()
    silence(felt)
    felt.stand(LOST_MS)
    felt.close()
    questions = 0
    while felt.phase is Phase.BETTING:
        seat, wager = felt.prompt["seat"], Wager(felt.prompt["wager"])
        felt.event(AmountEntered(seat, wager, 1000 if seat == 3 and wager.value.startswith("ante") else 0))
        questions += 1
    bonuses = len(felt.pack.bonuses)
    assert (felt.phase, questions) == (Phase.DEALING, len(SEATS) + 1 + bonuses)
