"""Play continues if the shoe's link is lost and resumed without a missing card, and is held otherwise:
drivers/shoe/LINK.md "Start and resumption", config/rules/RULES.md "Irregularities"."""

from __future__ import annotations

import pytest

from controller.game.model import events
from controller.game.model.names import SEATS, Phase, Wager
from controller.game.phases.dealing import DOUBT_MS, STALL_MS
from controller.game.phases.shoe import LINK_GRACE_MS
from tests.game.felt import Felt
from tests.game.test_deal_methods import CROSS, HANDS, closed, new_commands


def test_a_link_restored_within_the_grace_time_has_no_effect() -> None:
    felt = closed()
    felt.card("2C")
    felt.event(events.ShoeLinkLost())
    assert felt.codes() == ["shoe_lost"]
    felt.stand(LINK_GRACE_MS - 1)
    felt.event(events.ShoeLinkOpened("TEST", "1", "1", "boot"))
    felt.event(events.ShoeStated("DEALING", 51, 1, "RED", "STACK", resumed=True))
    assert (felt.phase, felt.codes()) == (Phase.DEALING, [])


def test_a_table_stopped_for_long_continues_with_the_resumed_link() -> None:
    """The shoe gets no answer for half a minute, and reports the events of that time when the link is
    back."""
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


def test_a_link_lost_in_the_deal_is_held_and_the_floor_may_continue() -> None:
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
    assert new_commands(felt)[-1] == "RELEASE"
    for face in CROSS.split()[1:]:
        felt.card(face)
    assert felt.phase is Phase.DEALING


def test_continuing_without_a_link_is_held_again() -> None:
    felt = closed()
    felt.event(events.ShoeLinkLost())
    felt.stand(LINK_GRACE_MS)
    felt.floor("outcome", outcome="go_on")
    assert felt.phase is Phase.DEALING
    felt.stand(STALL_MS + LINK_GRACE_MS)
    assert felt.phase is Phase.HELD


def test_a_link_lost_after_the_deal_causes_no_hold() -> None:
    felt = closed()
    felt.deal(CROSS, HANDS)
    felt.event(events.ShoeLinkLost())
    felt.stand(60_000)
    assert (felt.phase, felt.codes()) == (Phase.ACROSS, ["shoe_lost"])


@pytest.mark.parametrize("out", [0, 2, 7])
def test_a_shoe_that_resumes_with_another_count_is_held(out: int) -> None:
    """drivers/shoe/LINK.md, Start and resumption: if the counts differ, cards have moved unseen, and play is
    held for a floorperson (config/rules/RULES.md)."""
    felt = closed()
    felt.card("2C")
    felt.event(events.ShoeLinkOpened("TEST", "1", "1", "boot2"))
    felt.event(
        events.ShoeStated("READY" if out == 0 else "DEALING", 52 - out, out, "RED", "STACK", resumed=True)
    )
    hold = felt.table.state.hold
    assert hold is not None and (hold.code, hold.proposed) == ("shoe_lost", None)


def test_an_unacknowledged_command_is_repeated_once() -> None:
    """drivers/shoe/LINK.md: the shoe discards commands that it has not acknowledged before HELLO."""
    felt = closed()
    assert new_commands(felt) == ["DEAL 5"]
    felt.event(events.ShoeLinkOpened("TEST", "1", "1", "boot"))
    felt.event(events.ShoeStated("READY", 52, 0, "RED", "STACK", resumed=True))
    felt.stand(DOUBT_MS)
    assert new_commands(felt) == ["DEAL 5"]
    felt.event(events.CommandRefused("DEAL", "at work"))
    assert felt.phase is Phase.DEALING
    felt.stand(DOUBT_MS)
    assert new_commands(felt) == []
    felt.deal(CROSS, HANDS)
    assert felt.phase is Phase.ACROSS


def test_a_repeated_command_has_its_full_timeout() -> None:
    felt = closed()
    felt.event(events.ShoeLinkOpened("TEST", "1", "1", "boot"))
    felt.event(events.ShoeStated("READY", 52, 0, "RED", "STACK", resumed=True))
    felt.stand(DOUBT_MS)
    felt.stand(STALL_MS - 1)
    assert felt.phase is Phase.DEALING
    felt.stand(1)
    hold = felt.table.state.hold
    assert hold is not None and hold.code == "shoe_fault"


def test_a_command_in_progress_is_not_repeated() -> None:
    felt = closed()
    new_commands(felt)
    felt.event(events.ShoeLinkOpened("TEST", "1", "1", "boot"))
    felt.event(events.ShoeStated("DEALING", 52, 0, "RED", "STACK", resumed=True))
    felt.card("2C")
    felt.stand(DOUBT_MS)
    assert new_commands(felt) == []


def test_a_command_done_after_a_resumption_is_not_repeated() -> None:
    felt = closed()
    for face in CROSS.split():
        felt.card(face)
    felt.event(events.StackCompleted(5))
    felt.event(events.ShoeLinkOpened("TEST", "1", "1", "boot"))
    felt.event(events.ShoeStated("DEALING", 47, 5, "RED", "STACK", resumed=True))
    felt.event(events.CommandDone("DEAL"))
    new_commands(felt)
    felt.stand(DOUBT_MS)
    assert new_commands(felt) == []
    assert not felt.round.deal.doubt


def test_the_stub_is_requested_again_after_a_resumption() -> None:
    felt = closed()
    felt.stacks(CROSS, HANDS)
    assert new_commands(felt)[-1] == "STUBOUT"
    felt.event(events.ShoeLinkOpened("TEST", "1", "1", "boot"))
    felt.event(events.ShoeStated("READY", 43, 9, "RED", "STACK", resumed=True))
    felt.stand(DOUBT_MS)
    assert new_commands(felt) == ["STUBOUT"]


def test_the_shuffle_is_requested_again_after_a_resumption() -> None:
    felt = Felt()
    felt.does_shuffle = False
    felt.floor("shuffle")
    assert new_commands(felt) == ["SHUFFLE"]
    felt.event(events.ShoeLinkOpened("TEST", "1", "1", "boot"))
    felt.event(events.ShoeStated("EMPTY", None, 0, "RED", "STACK", resumed=True))
    assert new_commands(felt) == ["SHUFFLE"]
    felt.event(events.CommandRefused("SHUFFLE", "no shuffler"))
    assert felt.prompt["kind"] == "load_deck"
    felt.event(events.DeckReady(52, "RED"))
    assert felt.phase is Phase.BETTING


def test_a_daemon_restarted_in_the_deal_waits_for_the_shoe() -> None:
    felt = closed()
    felt.card("2C")
    felt.event(events.Started(tuple((seat, wager) for seat in SEATS for wager in Wager)))
    felt.stand(3_000)
    assert felt.phase is Phase.DEALING
    felt.stand(LINK_GRACE_MS)
    assert felt.phase is Phase.HELD


def test_an_alert_from_before_a_start_ends_with_a_reading() -> None:
    felt = closed()
    felt.deal(CROSS, HANDS)
    felt.lay(1, ante_across=15)
    felt.stand()
    felt.event(events.Started(tuple((seat, wager) for seat in SEATS for wager in Wager)))
    felt.stand(5_000)
    assert felt.codes() == ["bet_changed"]
    felt.lay(1, ante_across=10)
    assert felt.codes() == []


def test_a_shoe_that_stops_during_a_stack_after_a_resumption_is_held() -> None:
    """Cards of the stack are already out, so the table does not repeat the command; the timeout of the
    command still runs."""
    felt = closed()
    felt.card("2C")
    felt.event(events.ShoeLinkOpened("TEST", "1", "1", "boot"))
    felt.event(events.ShoeStated("DEALING", 51, 1, "RED", "STACK", resumed=True))
    new_commands(felt)
    felt.stand(DOUBT_MS)
    assert new_commands(felt) == []
    felt.stand(STALL_MS)
    hold = felt.table.state.hold
    assert hold is not None and hold.code == "shoe_fault"


def test_a_deck_lifted_out_in_the_deal_is_held() -> None:
    felt = closed()
    felt.card("2C")
    felt.event(events.ShoeStated("EMPTY", None, 1, None, "STACK"))
    hold = felt.table.state.hold
    assert hold is not None and hold.code == "shoe_lost"


def test_a_stub_during_the_deal_is_held_as_a_fault_of_the_shoe() -> None:
    felt = closed()
    felt.card("2C")
    felt.event(events.StubTaken(51))
    hold = felt.table.state.hold
    assert hold is not None and hold.code == "shoe_fault"
