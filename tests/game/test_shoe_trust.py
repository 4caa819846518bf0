"""A shoe that is not the table's own, or a sender that is not a shoe, is reported and holds play until a
floorperson decides (drivers/shoe/LINK.md, Security)."""

from __future__ import annotations

import pytest

from controller.game.model import events
from controller.game.model.irregularities import Code
from controller.game.model.names import Phase
from tests.game.felt import Felt


def welcome(felt: Felt, serial: str, boot: str = "boot") -> None:
    """Open a new link to the shoe with this serial number; no card has moved."""
    out = felt.table.state.shoe.out
    felt.event(events.ShoeLinkLost())
    felt.event(events.ShoeLinkOpened("TEST", serial, "1", boot))
    felt.event(events.ShoeStated("DEALING" if out else "READY", 52 - out, out, "RED", "STACK", resumed=True))


def held(felt: Felt) -> str | None:
    return felt.table.state.hold.code if felt.table.state.hold else None


def in_play(serial: str | None = "") -> Felt:
    return Felt(shoe_serial=serial).dealt("2C 7D TH JS 4C", {3: "TD 9S"})


def test_the_same_shoe_may_resume_any_number_of_times() -> None:
    felt = in_play()
    for boot in ("a", "b"):
        welcome(felt, "1", boot)
    assert felt.phase is not Phase.HELD


def test_another_shoe_in_mid_round_is_held_and_both_serials_are_named() -> None:
    felt = in_play()
    phase = felt.phase
    welcome(felt, "2")
    assert (felt.phase, held(felt)) == (Phase.HELD, Code.SHOE_CHANGED)
    hold = felt.table.view()["hold"]
    assert hold is not None
    assert (hold["serial"], hold["stranger"]) == ("1", "2")
    assert felt.refusal_code(events.FloorDecided("B1", "outcome", outcome="go_on")) == "reason_needed"
    felt.floor("outcome", outcome="go_on", reason="the old one is broken")
    assert (felt.phase, felt.table.state.shoe.serial) == (phase, "2")
    welcome(felt, "2", "b")
    assert felt.phase is phase


def test_another_shoe_between_rounds_is_held_until_the_floor_gives_a_reason() -> None:
    felt = Felt(shoe_serial="")
    welcome(felt, "2")
    assert (felt.phase, held(felt)) == (Phase.HELD, Code.SHOE_CHANGED)
    assert felt.table.view()["hold"]["outcomes"] == ["go_on"]
    felt.floor("approve", reason="exchanged for service")
    assert felt.phase is Phase.BETTING


def test_an_unknown_shoe_in_a_void_round_is_held_after_the_round() -> None:
    felt = in_play()
    felt.floor("outcome", outcome="void")
    welcome(felt, "2")
    assert felt.phase is Phase.VOID
    felt.clear()
    assert felt.phase is Phase.CLEARING
    felt.press("confirm")
    assert held(felt) == Code.SHOE_CHANGED


def test_the_return_of_the_known_shoe_does_not_end_the_hold() -> None:
    felt = in_play()
    welcome(felt, "2")
    welcome(felt, "1")
    assert held(felt) == Code.SHOE_CHANGED
    felt.floor("outcome", outcome="go_on", reason="it was the wrong cable")
    assert (felt.table.state.shoe.serial, felt.phase is Phase.HELD) == ("1", False)


def test_a_floorperson_may_accept_another_serial_until_the_next_start() -> None:
    felt = in_play("1")
    welcome(felt, "2")
    felt.floor("outcome", outcome="go_on", reason="the other one is away")
    welcome(felt, "2", "b")
    assert held(felt) is None
    felt.event(events.Started(()))
    welcome(felt, "2", "c")
    assert held(felt) == Code.SHOE_CHANGED


def test_serials_are_not_compared_in_an_older_journal() -> None:
    felt = in_play(None)
    welcome(felt, "2")
    assert felt.phase is not Phase.HELD


@pytest.mark.parametrize("serial", ["", "-"])
def test_a_table_without_a_serial_accepts_the_first_one(serial: str) -> None:
    felt = Felt(shoe_serial="")
    welcome(felt, serial)
    felt.floor("approve", reason="a reader without a number")
    welcome(felt, "3")
    assert (held(felt), felt.table.state.shoe.serial) == (None, "3")


def unproven(felt: Felt) -> None:
    felt.event(events.ShoeLinkLost())
    felt.event(events.TroubleReported(Code.SHOE_UNPROVEN, "old_version"))


def drain_version_commands(felt: Felt) -> list[str]:
    sent = [each.command for each in felt.commands if each.command == "VERSION"]
    felt.commands.clear()
    return sent


def test_an_unauthenticated_shoe_is_held_and_version_1_needs_a_floorperson_and_a_reason() -> None:
    felt = in_play()
    phase = felt.phase
    unproven(felt)
    unproven(felt)
    assert (held(felt), drain_version_commands(felt)) == (Code.SHOE_UNPROVEN, [])
    assert felt.refused(events.FloorDecided("B1", "approve")) is not None
    felt.floor("approve", reason="the new shoe is away for repair")
    assert (felt.phase, drain_version_commands(felt)) == (phase, ["VERSION"])
    assert [entry.code for entry in felt.round.irregularities if entry.reason] == [Code.SHOE_UNPROVEN]


def test_permission_for_version_1_lasts_until_version_2_returns() -> None:
    felt = Felt(shoe_serial="")
    unproven(felt)
    felt.floor("approve", reason="the new shoe is away for repair")
    drain_version_commands(felt)
    unproven(felt)
    assert (held(felt), drain_version_commands(felt)) == (None, ["VERSION"])
    felt.event(events.ShoeLinkOpened("TEST", "1", "1", "c", "2"))
    unproven(felt)
    assert (held(felt), drain_version_commands(felt)) == (Code.SHOE_UNPROVEN, [])


def test_permission_for_version_1_lasts_until_the_next_start() -> None:
    felt = Felt(shoe_serial="")
    unproven(felt)
    felt.floor("approve", reason="the new shoe is away for repair")
    felt.event(events.Started(()))
    unproven(felt)
    assert held(felt) == Code.SHOE_UNPROVEN


def test_after_a_void_the_floor_decides_on_the_shoe_again() -> None:
    felt = in_play()
    unproven(felt)
    felt.floor("outcome", outcome="void", reason="nobody knows this shoe")
    assert drain_version_commands(felt) == []
    felt.clear()
    felt.press("confirm")
    assert held(felt) == Code.SHOE_UNPROVEN


def test_a_refusal_by_the_floor_continues_without_the_shoe() -> None:
    felt = Felt(shoe_serial="")
    unproven(felt)
    felt.floor("refuse", reason="we deal by hand")
    unproven(felt)
    assert (held(felt), drain_version_commands(felt)) == (None, [])
    assert Code.SHOE_LOST in felt.codes()


def test_tampering_with_the_line_is_an_alert_until_the_floor_answers() -> None:
    felt = in_play()
    phase = felt.phase
    felt.event(events.TroubleReported(Code.SHOE_TAMPERED, "other_bytes"))
    assert felt.phase is phase
    assert [alert.code for alert in felt.table.state.alerts] == [Code.SHOE_TAMPERED]
    assert felt.table.state.floor_called
    assert [entry.code for entry in felt.round.irregularities] == [Code.SHOE_TAMPERED]
    felt.floor("answer")
    assert felt.table.state.alerts == ()
    assert all(entry.resolved for entry in felt.round.irregularities)
