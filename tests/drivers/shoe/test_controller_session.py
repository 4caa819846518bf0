"""The controller's end follows drivers/shoe/LINK.md sentence by sentence; the frames of the shoe are written
by hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from drivers.ports import ShoeReport
from drivers.shoe.session import ControllerSession
from tests.drivers.shoe.wire import frame, texts

WELCOME = "WELCOME,1,X1,0007,2.0,B1"
STATE = "STATE,READY,52,0,RED,STACK"


class Typist:
    """Stands in for the shoe with frames written by hand, as a technician at a serial terminal would."""

    def __init__(self, last: str | None = None, seed: int = 5) -> None:
        self.now = 1000.0
        self.session = ControllerSession("CC-01", last, Random(seed))
        self.session.opened(self.now)

    def type(self, *frames: str) -> None:
        for text in frames:
            self.session.receive(frame(text), self.now)

    def wire(self) -> list[str]:
        return texts(self.session.take_bytes())

    def wait(self, seconds: float) -> None:
        """Let `seconds` pass, handling each deadline in turn."""
        end = self.now + seconds
        while (due := self.session.next_deadline()) is not None and due <= end:
            self.now = max(due, self.now)
            self.session.tick(self.now)
        self.now = end

    def reports(self, accept: bool = True) -> list[ShoeReport]:
        found: list[ShoeReport] = []
        while reports := self.session.take_reports():
            for report in reports:
                found.append(report)
                if accept:
                    self.session.accept(report, self.now)
        return found

    def kinds(self) -> list[str]:
        return [report.kind for report in self.reports()]

    def hello(self) -> tuple[str, list[str]]:
        """Return number and fields of the HELLO just sent."""
        hellos = [text.split(",") for text in self.wire() if ",HELLO," in text]
        assert len(hellos) == 1
        return hellos[0][0], hellos[0][2:]

    def open(self, number: int = 0x10) -> Typist:
        """Return an open session; the shoe's next frame is `number` + 2."""
        self.type(f"{self.hello()[0]},ACK", f"{number:02X},{WELCOME}")
        assert self.kinds() == ["WELCOME"]
        self.type(f"{number + 1:02X},{STATE}")
        assert [report.resumed for report in self.reports()] == [True]
        self.session.take_bytes()
        assert self.session.up
        return self


def typed(frames: Sequence[str]) -> list[str]:
    """Return the texts of the sent frames without their numbers."""
    return [text.split(",", 1)[1] for text in frames]


# ------------------------------------------------------------------------- delivery


def test_a_frame_is_acknowledged_when_it_is_on_stable_storage_and_not_before() -> None:
    table = Typist().open()
    table.type("12,CARD,1,QH")
    (report,) = table.reports(accept=False)
    assert table.wire() == []
    table.session.accept(report, table.now)
    assert table.wire() == ["12,ACK"]


def test_repetitions_during_a_slow_write_are_neither_delivered_nor_acknowledged() -> None:
    table = Typist().open()
    table.type("12,CARD,1,QH", "12,CARD,1,QH", "12,CARD,1,QH")
    (report,) = table.reports(accept=False)
    assert table.wire() == []
    table.session.accept(report, table.now)
    table.type("12,CARD,1,QH")
    assert table.wire() == ["12,ACK", "12,ACK"]
    assert table.reports() == []


def test_a_controller_that_was_stopped_opens_a_new_session_without_losing_a_card() -> None:
    """The controller was stopped for half a minute, so its own timers could not detect the silent line."""
    table = Typist().open()
    table.now += 30
    table.type("12,CARD,1,QH", "13,KNOCK,b2")
    assert table.kinds() == ["LINK_LOST"]
    table.type(f"{table.hello()[0]},ACK", f"20,{WELCOME}")
    assert table.kinds() == ["WELCOME"]
    table.type("21,CARD,1,QH", f"22,{STATE}")
    assert table.kinds() == ["CARD"]


def test_the_next_number_after_ff_is_00() -> None:
    table = Typist().open(0xFD)
    table.type("FF,CARD,1,QH")
    assert table.kinds() == ["CARD"]
    table.type("00,CARD,2,QD")
    assert table.kinds() == ["CARD"]
    assert table.wire() == ["FF,ACK", "00,ACK"]


@pytest.mark.parametrize("number", ["10", "13", "92"])
def test_a_frame_with_any_other_number_ends_the_session(number: str) -> None:
    table = Typist().open()
    table.type(f"{number},CARD,1,QH")
    assert table.reports() == []
    sent = table.wire()
    assert len(sent) == 1
    assert sent[0].split(",")[1:] == ["HELLO", "1", "CC-01", "11"]


@pytest.mark.parametrize("forged", ["12,CARD,1,KS", "12,STACK,5", "12,CARD,2,QH"])
def test_the_last_number_with_other_bytes_is_from_another_sender(forged: str) -> None:
    """The frame is neither acknowledged nor carried out. It is reported, and a new session is requested."""
    table = Typist().open()
    table.type("12,CARD,1,QH")
    assert table.kinds() == ["CARD"]
    table.session.take_bytes()
    table.type(forged)
    assert table.reports() == [ShoeReport("TAMPERED", ("other_bytes",))]
    assert typed(table.wire()) == ["HELLO,1,CC-01,12"]
    assert table.session.counts()["other_bytes"] == 1
    assert not table.session.up


def test_other_bytes_with_the_number_being_stored_are_from_another_sender() -> None:
    """The first card is kept, and acknowledged before HELLO is sent."""
    table = Typist().open()
    table.type("12,CARD,1,QH")
    (card,) = table.reports(accept=False)
    table.type("12,CARD,1,KS")
    assert table.wire() == []
    assert table.session.take_reports() == [ShoeReport("TAMPERED", ("other_bytes",))]
    table.session.accept(card, table.now)
    assert typed(table.wire()) == ["ACK", "HELLO,1,CC-01,12"]


@pytest.mark.parametrize(("seconds", "reports"), [(8, 1), (11, 2)])
def test_a_persistent_foreign_sender_is_reported_once_in_ten_seconds(seconds: int, reports: int) -> None:
    table = Typist().open()
    table.type("11,TAKEN")
    found = table.reports()
    table.type(f"{table.hello()[0]},ACK", f"20,{WELCOME}")
    table.reports()
    table.type(f"21,{STATE}")
    table.reports()
    for _ in range(seconds):
        table.wait(1.0)
        table.type("21,ALIVE")
    table.type("21,TAKEN")
    found += table.reports()
    assert [report.kind for report in found] == ["TAMPERED"] * reports
    assert table.session.counts()["other_bytes"] == 2


def test_other_bytes_are_ignored_while_a_session_is_being_opened() -> None:
    table = Typist().open()
    table.type("12,CARD,1,QH", "44,TAKEN")
    table.reports()
    table.session.take_bytes()
    table.type("12,CARD,1,KS")
    assert (table.reports(), table.wire()) == ([], [])


def test_a_quick_resumption_is_not_reported_as_a_lost_link() -> None:
    table = Typist().open()
    table.type("44,CARD,1,QH")
    number, _ = table.hello()
    table.type(f"{number},ACK", f"45,{WELCOME}")
    assert table.kinds() == ["WELCOME"]
    table.type("46,CARD,1,QH")
    assert table.kinds() == ["CARD"]
    table.type("47,STATE,DEALING,51,1,RED,STACK")
    assert [(report.kind, report.resumed) for report in table.reports()] == [("STATE", True)]


@pytest.mark.parametrize(
    "bad",
    ["12,CARD,QH", "12,CARD,x,QH", "12,STATE,ASLEEP,52,0,RED,STACK", "12,TAKEN,1", "12,WELCOME,2,a,b,c,d"],
)
def test_a_malformed_frame_is_counted_and_dropped_without_an_answer(bad: str) -> None:
    table = Typist().open()
    table.type(bad)
    assert (table.reports(), table.wire()) == ([], [])
    assert table.session.counts()["malformed"] == 1


def test_a_maker_s_own_frame_is_acknowledged_and_ignored() -> None:
    table = Typist().open()
    table.type("12,TEMPERATURE,31", "13,CARD,1,QH")
    assert table.kinds() == ["CARD"]
    assert table.wire() == ["12,ACK", "13,ACK"]


def test_a_face_that_no_deck_has_is_delivered_unchanged() -> None:
    table = Typist().open()
    table.type("12,CARD,1,1X")
    assert table.reports()[0].fields == ("1", "1X")


# ------------------------------------------------------------------------- commands


def test_a_command_is_resent_unchanged_and_the_link_ends_after_five_sendings() -> None:
    table = Typist().open()
    table.session.command("DEAL", ("5",), table.now)
    first = table.session.take_bytes()
    assert typed(texts(first)) == ["DEAL,5"]
    table.wait(0.099)
    assert table.session.take_bytes() == b""
    for _ in range(4):
        table.wait(0.1)
        assert table.session.take_bytes() == first
    assert table.session.up
    table.wait(0.1)
    assert table.kinds() == ["LINK_LOST"]
    assert table.hello()[1] == ["1", "CC-01", "11"]


def test_the_next_command_waits_for_done_except_hold() -> None:
    table = Typist().open()
    for command in (("DEAL", "5"), ("DEAL", "2"), ("HOLD",)):
        table.session.command(command[0], command[1:], table.now)
    (deal,) = table.wire()
    assert deal.endswith("DEAL,5")
    table.type(f"{deal[:2]},ACK")
    (hold,) = table.wire()
    assert hold.endswith("HOLD")
    table.type(f"{hold[:2]},ACK", "12,DONE,HOLD")
    assert table.kinds() == ["DONE"]
    assert table.wire() == ["12,ACK"]
    table.type("13,DONE,DEAL")
    assert table.kinds() == ["DONE"]
    sent = table.wire()
    assert sent[0] == "13,ACK"
    assert typed(sent[1:]) == ["DEAL,2"]


def test_only_one_numbered_frame_is_unacknowledged_at_a_time() -> None:
    table = Typist().open()
    table.session.command("HOLD", (), table.now)
    table.session.command("SIGN", ("ON",), table.now)
    (hold,) = table.wire()
    table.wait(0.1)
    assert table.wire() == [hold]
    table.type(f"{hold[:2]},ACK")
    assert typed(table.wire()) == ["SIGN,ON"]


def test_done_received_before_a_lost_ack_also_ends_the_command() -> None:
    table = Typist().open()
    table.session.command("SHUFFLE", (), table.now)
    table.session.command("DEAL", ("5",), table.now)
    (shuffle,) = table.wire()
    table.type("12,DONE,SHUFFLE")
    assert table.kinds() == ["DONE"]
    table.wait(0.1)
    assert shuffle in table.wire()
    table.type(f"{shuffle[:2]},ACK")
    assert typed(table.wire()) == ["DEAL,5"]


def test_commands_not_acknowledged_before_hello_are_void() -> None:
    table = Typist().open()
    table.session.command("DEAL", ("5",), table.now)
    table.session.command("STUBOUT", (), table.now)
    table.session.take_bytes()
    table.type("44,CARD,1,QH")
    number, _ = table.hello()
    table.session.command("SHUFFLE", (), table.now)
    table.type(f"{number},ACK", f"45,{WELCOME}")
    table.reports()
    table.type(f"46,{STATE}")
    table.reports()
    table.wait(0.5)
    assert not [text for text in table.wire() if "DEAL" in text or "STUBOUT" in text or "SHUFFLE" in text]
    assert table.session.counts()["commands_void"] == 3


def test_a_running_command_still_blocks_the_next_after_a_resumption() -> None:
    table = Typist().open()
    table.session.command("DEAL", ("5",), table.now)
    table.type(f"{table.wire()[0][:2]},ACK", "44,CARD,1,QH")
    table.type(f"{table.hello()[0]},ACK", f"45,{WELCOME}")
    table.reports()
    table.type("46,STATE,DEALING,51,1,RED,STACK")
    table.reports()
    table.session.command("DEAL", ("2",), table.now)
    assert not [text for text in table.wire() if "DEAL" in text]
    table.type("47,DONE,DEAL")
    table.reports()
    assert typed(table.wire()) == ["ACK", "DEAL,2"]


def test_no_command_survives_a_power_cut_of_the_shoe() -> None:
    table = Typist().open()
    table.session.command("DEAL", ("5",), table.now)
    table.type(f"{table.wire()[0][:2]},ACK", "00,KNOCK,B2")
    table.type(f"{table.hello()[0]},ACK", "01,WELCOME,1,X1,0007,2.0,B2")
    table.reports()
    table.type(f"02,{STATE}")
    table.reports()
    table.session.take_bytes()
    table.session.command("DEAL", ("2",), table.now)
    assert typed(table.wire()) == ["DEAL,2"]


def test_an_unknown_command_raises_value_error() -> None:
    table = Typist().open()
    for command in (("DEAL",), ("DEAL", "0"), ("SIGN", "UP"), ("HELLO", "1", "a", ""), ("X",)):
        with pytest.raises(ValueError, match="DEAL n"):
            table.session.command(command[0], command[1:], table.now)
