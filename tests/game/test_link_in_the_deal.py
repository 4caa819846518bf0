"""The shoe's link lost and resumed in a round: drivers/shoe/LINK.md "Start and resumption",
config/rules/RULES.md "Irregularities".
"""

from __future__ import annotations

import pytest

from controller.game.model import events
from controller.game.model.names import SEATS, Phase, Wager
from controller.game.phases.dealing import DOUBT_MS, STALL_MS
from controller.game.phases.shoe import LINK_GRACE_MS
from tests.game.felt import Felt
from tests.game.test_deal_methods import CROSS, HANDS, closed, told


def test_a_link_that_is_back_within_the_grace_disturbs_nothing() -> None:
    felt = closed()
    felt.card("2C")
    felt.event(events.ShoeLinkLost())
    assert felt.codes() == ["shoe_lost"]
    felt.stand(LINK_GRACE_MS - 1)
    felt.event(events.ShoeLinkOpened("TEST", "1", "1", "boot"))
    felt.event(events.ShoeStated("DEALING", 51, 1, "RED", "STACK", resumed=True))
    assert (felt.phase, felt.codes()) == (Phase.DEALING, [])


def test_a_table_that_stood_still_for_long_goes_on_where_the_link_does() -> None:
    """The shoe had no answer for half a minute; it reports the events of that time when the link is back."""
    felt = closed()
    felt.card("2C")
    felt.event(events.ShoeLinkLost(), STALL_MS + 10_000)
    felt.event(events.ShoeLinkOpened("TEST", "1", "1", "boot"))
    felt.stand(1)
    assert felt.phase is Phase.DEALING
    for face in CROSS.split()[1:]:
        felt.card(face)
    felt.event(events.ShoeStated("DEALING", 47, 5, "RED", "STACK", resumed=True))
    assert (felt.phase, felt.codes()) == (Phase.DEALING, [])


def test_a_link_that_stays_away_in_the_deal_is_held_and_the_floor_may_go_on() -> None:
    felt = closed()
    felt.card("2C")
    felt.event(events.ShoeLinkLost())
    assert felt.table.next_deadline() == felt.ms + LINK_GRACE_MS
    felt.stand(LINK_GRACE_MS)
    hold = felt.table.state.hold
    assert hold is not None and (hold.code, hold.proposed) == ("shoe_lost", None)
    felt.event(events.ShoeLinkOpened("TEST", "1", "1", "boot"))
    felt.event(events.ShoeStated("DEALING", 51, 1, "RED", "STACK", resumed=True))
    felt.floor("outcome", outcome="go_on")
    assert told(felt)[-1] == "RELEASE"
    for face in CROSS.split()[1:]:
        felt.card(face)
    assert felt.phase is Phase.DEALING


def test_going_on_without_a_link_is_held_again() -> None:
    felt = closed()
    felt.event(events.ShoeLinkLost())
    felt.stand(LINK_GRACE_MS)
    felt.floor("outcome", outcome="go_on")
    assert felt.phase is Phase.DEALING
    felt.stand(STALL_MS + LINK_GRACE_MS)
    assert felt.phase is Phase.HELD


def test_a_link_that_is_lost_when_the_deal_is_complete_holds_nothing() -> None:
    felt = closed()
    felt.deal(CROSS, HANDS)
    felt.event(events.ShoeLinkLost())
    felt.stand(60_000)
    assert (felt.phase, felt.codes()) == (Phase.ACROSS, ["shoe_lost"])


@pytest.mark.parametrize("out", [0, 2, 7])
def test_a_shoe_that_comes_back_with_another_count_has_moved_cards_unseen(out: int) -> None:
    """drivers/shoe/LINK.md, Start and resumption: play is held for the floor (config/rules/RULES.md)."""
    felt = closed()
    felt.card("2C")
    felt.event(events.ShoeLinkOpened("TEST", "1", "1", "boot2"))
    felt.event(
        events.ShoeStated("READY" if out == 0 else "DEALING", 52 - out, out, "RED", "STACK", resumed=True)
    )
    hold = felt.table.state.hold
    assert hold is not None and (hold.code, hold.proposed) == ("shoe_lost", None)


def test_a_command_that_was_not_acknowledged_is_given_again_once() -> None:
    """drivers/shoe/LINK.md: commands not acknowledged before HELLO are void."""
    felt = closed()
    assert told(felt) == ["DEAL 5"]
    felt.event(events.ShoeLinkOpened("TEST", "1", "1", "boot"))
    felt.event(events.ShoeStated("READY", 52, 0, "RED", "STACK", resumed=True))
    felt.stand(DOUBT_MS)
    assert told(felt) == ["DEAL 5"]
    felt.event(events.CommandRefused("DEAL", "at work"))
    assert felt.phase is Phase.DEALING
    felt.stand(DOUBT_MS)
    assert told(felt) == []
    felt.deal(CROSS, HANDS)
    assert felt.phase is Phase.ACROSS


def test_a_command_given_again_has_all_its_time_again() -> None:
    felt = closed()
    felt.event(events.ShoeLinkOpened("TEST", "1", "1", "boot"))
    felt.event(events.ShoeStated("READY", 52, 0, "RED", "STACK", resumed=True))
    felt.stand(DOUBT_MS)
    felt.stand(STALL_MS - 1)
    assert felt.phase is Phase.DEALING
    felt.stand(1)
    hold = felt.table.state.hold
    assert hold is not None and hold.code == "shoe_fault"


def test_a_command_that_is_being_carried_out_is_not_given_again() -> None:
    felt = closed()
    told(felt)
    felt.event(events.ShoeLinkOpened("TEST", "1", "1", "boot"))
    felt.event(events.ShoeStated("DEALING", 52, 0, "RED", "STACK", resumed=True))
    felt.card("2C")
    felt.stand(DOUBT_MS)
    assert told(felt) == []


def test_a_command_that_is_done_after_a_resumption_is_not_given_again() -> None:
    felt = closed()
    for face in CROSS.split():
        felt.card(face)
    felt.event(events.StackCompleted(5))
    felt.event(events.ShoeLinkOpened("TEST", "1", "1", "boot"))
    felt.event(events.ShoeStated("DEALING", 47, 5, "RED", "STACK", resumed=True))
    felt.event(events.CommandDone("DEAL"))
    told(felt)
    felt.stand(DOUBT_MS)
    assert told(felt) == []
    assert not felt.round.deal.doubt


def test_the_stub_is_asked_for_again_after_a_resumption() -> None:
    felt = closed()
    felt.stacks(CROSS, HANDS)
    assert told(felt)[-1] == "STUBOUT"
    felt.event(events.ShoeLinkOpened("TEST", "1", "1", "boot"))
    felt.event(events.ShoeStated("READY", 43, 9, "RED", "STACK", resumed=True))
    felt.stand(DOUBT_MS)
    assert told(felt) == ["STUBOUT"]


def test_the_shuffle_is_asked_for_again_after_a_resumption() -> None:
    felt = Felt()
    felt.does_shuffle = False
    felt.floor("shuffle")
    assert told(felt) == ["SHUFFLE"]
    felt.event(events.ShoeLinkOpened("TEST", "1", "1", "boot"))
    felt.event(events.ShoeStated("EMPTY", None, 0, "RED", "STACK", resumed=True))
    assert told(felt) == ["SHUFFLE"]
    felt.event(events.CommandRefused("SHUFFLE", "no shuffler"))
    assert felt.prompt["kind"] == "load_deck"
    felt.event(events.DeckReady(52, "RED"))
    assert felt.phase is Phase.BETTING


def test_a_daemon_that_starts_again_in_the_deal_waits_for_the_shoe() -> None:
    felt = closed()
    felt.card("2C")
    felt.event(events.Started(tuple((seat, wager) for seat in SEATS for wager in Wager)))
    felt.stand(3_000)
    assert felt.phase is Phase.DEALING
    felt.stand(LINK_GRACE_MS)
    assert felt.phase is Phase.HELD


def test_an_alert_that_stood_at_a_start_is_taken_back_by_a_reading() -> None:
    felt = closed()
    felt.deal(CROSS, HANDS)
    felt.lay(1, ante_across=15)
    felt.stand()
    felt.event(events.Started(tuple((seat, wager) for seat in SEATS for wager in Wager)))
    felt.stand(5_000)
    assert felt.codes() == ["bet_changed"]
    felt.lay(1, ante_across=10)
    assert felt.codes() == []


def test_a_shoe_that_stops_in_the_middle_of_a_stack_after_a_resumption_has_stopped() -> None:
    """The command is not repeated, because cards of the stack are out; its timeout runs nevertheless."""
    felt = closed()
    felt.card("2C")
    felt.event(events.ShoeLinkOpened("TEST", "1", "1", "boot"))
    felt.event(events.ShoeStated("DEALING", 51, 1, "RED", "STACK", resumed=True))
    told(felt)
    felt.stand(DOUBT_MS)
    assert told(felt) == []
    felt.stand(STALL_MS)
    hold = felt.table.state.hold
    assert hold is not None and hold.code == "shoe_fault"


def test_a_deck_lifted_out_in_the_deal_took_cards_with_it_unseen() -> None:
    felt = closed()
    felt.card("2C")
    felt.event(events.ShoeStated("EMPTY", None, 1, None, "STACK"))
    hold = felt.table.state.hold
    assert hold is not None and hold.code == "shoe_lost"


def test_a_stub_in_the_middle_of_the_deal_is_the_shoes_fault() -> None:
    felt = closed()
    felt.card("2C")
    felt.event(events.StubTaken(51))
    hold = felt.table.state.hold
    assert hold is not None and hold.code == "shoe_fault"
