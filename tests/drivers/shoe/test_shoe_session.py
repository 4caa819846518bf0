"""The shoe's end serves a controller of another maker, and both ends resolve ambiguous cases in the same
way.
"""

from __future__ import annotations

from random import Random

import pytest

from drivers.shoe.sim.session import ShoeSession
from tests.drivers.shoe.wire import Wire, frame, texts

STATE = ("DEALING", "50", "2", "RED", "STACK")


class Controller:
    """Stands in for the controller with frames written by hand, as a technician at a serial terminal
    would."""

    def __init__(self) -> None:
        self.now = 50.0
        self.shoe = ShoeSession("B1", lambda: STATE, Random(9))
        self.shoe.opened(self.now)

    def type(self, *frames: str) -> None:
        for text in frames:
            self.shoe.receive(frame(text), self.now)

    def wire(self) -> list[str]:
        return texts(self.shoe.take_bytes())

    def wait(self, seconds: float) -> None:
        end = self.now + seconds
        while (due := self.shoe.next_deadline()) is not None and due <= end:
            self.now = max(due, self.now)
            self.shoe.tick(self.now)
        self.now = end

    def acknowledge_all(self) -> list[str]:
        """Acknowledge every frame; return the frames without their numbers."""
        taken: list[str] = []
        while sent := [text for text in self.wire() if text.split(",")[1] not in ("ACK", "ALIVE")]:
            for text in sent:
                taken.append(text.split(",", 1)[1])
                self.type(f"{text[:2]},ACK")
        return taken

    def open(self, last: str = "") -> list[str]:
        self.wire()
        self.type(f"20,HELLO,1,T,{last}")
        return self.acknowledge_all()


def opened() -> Controller:
    table = Controller()
    table.open()
    return table


CLOSING = "STATE,DEALING,50,2,RED,STACK"
WELCOME = "WELCOME,1,CCT-SIM,0001,1.0,B1"


def test_the_shoe_knocks_every_second_until_a_hello_arrives() -> None:
    table = Controller()
    assert [text.split(",")[1:] for text in table.wire()] == [["KNOCK", "B1"]]
    table.wait(2.05)
    assert len({text for text in table.wire() if "KNOCK" in text}) == 3
    assert table.open() == [WELCOME, CLOSING]
    table.wait(0.9)
    assert not [text for text in table.wire() if "KNOCK" in text]


def test_frames_from_before_the_hello_come_between_welcome_and_closing_state() -> None:
    table = Controller()
    table.shoe.emit("CARD", ("1", "QH"), table.now)
    table.shoe.emit("CARD", ("2", "QD"), table.now)
    assert table.open() == [WELCOME, "CARD,1,QH", "CARD,2,QD", CLOSING]


@pytest.mark.parametrize(
    ("typed", "sent_again"),
    [
        pytest.param(["21,HELLO,1,T,{card}"], [], id="its number is LAST"),
        pytest.param(["21,HELLO,1,T,{before}"], ["CARD,1,QH"], id="its number follows LAST"),
        # the controller's disk was slower than its HELLO
        pytest.param(["21,HELLO,1,T,", "{card},ACK"], [], id="its ACK arrives after the HELLO"),
    ],
)
def test_a_card_is_sent_again_only_if_it_was_lost(typed: list[str], sent_again: list[str]) -> None:
    table = opened()
    table.shoe.emit("CARD", ("1", "QH"), table.now)
    (card,) = table.wire()
    numbers = {"card": card[:2], "before": f"{int(card[:2], 16) - 1:02X}"}
    table.type(*(text.format_map(numbers) for text in typed))
    assert table.acknowledge_all() == [WELCOME, *sent_again, CLOSING]


def test_a_repeated_hello_is_only_acknowledged() -> None:
    table = opened()
    table.type("20,HELLO,1,T,")
    assert table.wire() == ["20,ACK"]


def test_a_repeated_command_reaches_the_device_once() -> None:
    table = opened()
    table.type("21,DEAL,5", "21,DEAL,5")
    assert table.wire() == ["21,ACK", "21,ACK"]
    assert table.shoe.take_commands() == [("DEAL", ("5",))]


def test_after_a_number_out_of_turn_the_session_ends_and_the_shoe_knocks() -> None:
    table = opened()
    table.type("23,DEAL,5")
    (knock,) = table.wire()
    assert knock.endswith("KNOCK,B1")
    assert table.shoe.take_commands() == []
    assert not table.shoe.up


@pytest.mark.parametrize("forged", ["21,DEAL,6", "21,SHUFFLE"])
def test_after_other_bytes_with_the_last_number_the_session_ends_and_the_shoe_knocks(forged: str) -> None:
    table = opened()
    table.type("21,DEAL,5", forged)
    acknowledged, knock = table.wire()
    assert acknowledged == "21,ACK"
    assert knock.endswith("KNOCK,B1")
    assert table.shoe.take_commands() == [("DEAL", ("5",))]
    assert not table.shoe.up


def test_no_command_is_accepted_without_a_session() -> None:
    table = Controller()
    table.wire()
    table.type("21,DEAL,5")
    assert table.wire() == []
    assert table.shoe.take_commands() == []


def test_an_unsupported_version_is_refused() -> None:
    table = Controller()
    table.wire()
    table.type("20,HELLO,2,T,")
    sent = table.wire()
    assert sent[0] == "20,ACK"
    assert sent[1].split(",")[1:3] == ["REFUSED", "HELLO"]
    assert not table.shoe.up


def test_after_five_sendings_the_shoe_knocks_and_keeps_the_frame() -> None:
    table = opened()
    table.shoe.emit("CARD", ("1", "QH"), table.now)
    table.wait(0.45)
    assert len(table.wire()) == 5
    table.wait(0.1)
    assert table.wire()[-1].endswith("KNOCK,B1")
    assert table.shoe.backlog == 1


def test_a_second_hello_during_the_resumption_gives_one_closing_state() -> None:
    table = Controller()
    table.shoe.emit("CARD", ("1", "QH"), table.now)
    table.wire()
    table.type("20,HELLO,1,T,")
    table.wire()
    table.type("21,HELLO,1,T,")
    assert table.acknowledge_all() == [WELCOME, "CARD,1,QH", CLOSING]


# ------------------------------------------------------------------------- both ends


def test_a_card_with_a_lost_ack_is_not_doubled_if_the_daemon_is_killed_after_storing_it() -> None:
    lost: list[bytes] = []

    def no_acks(way: str, data: bytes) -> list[tuple[float, bytes]]:
        if way == ">" and b",ACK" in data and wire.disk.cards():
            lost.append(data)
            return []
        return [(0.0, data)]

    wire = Wire(no_acks)
    wire.start()
    wire.run(0.1)
    wire.card()
    wire.run(0.15)
    assert lost
    wire.mangle = lambda _way, data: [(0.0, data)]
    wire.restart_controller()
    wire.card()
    wire.run(2.0)
    assert wire.disk.cards() == [("1", "QH"), ("2", "QH")]
    assert wire.controller.up


def started(commit: float = 0.0) -> Wire:
    wire = Wire(commit=commit)
    wire.start()
    wire.run(0.5)
    return wire


def test_a_card_is_sent_again_if_the_daemon_is_killed_before_storing_it() -> None:
    wire = started(0.02)
    wire.card()
    wire.run(0.01)
    wire.restart_controller()
    wire.run(2.0)
    assert wire.disk.cards() == [("1", "QH")]


def test_cards_dealt_while_the_daemon_restarts_arrive_afterwards() -> None:
    wire = started(0.001)
    for _ in range(30):
        wire.card()
        wire.run(0.0007)
        wire.restart_controller()
    wire.run(5.0)
    assert wire.disk.cards() == [(str(n), "QH") for n in range(1, 31)]


def test_after_a_power_cut_of_the_shoe_the_closing_state_has_no_cards_out() -> None:
    wire = started()
    wire.card()
    wire.run(0.1)
    wire.restart_shoe()
    wire.run(1.0)
    kinds = [(report.kind, report.resumed) for report in wire.disk.reports]
    assert kinds[-2:] == [("WELCOME", False), ("STATE", True)]
    assert wire.disk.reports[-1].fields[2] == "0"
    assert "LINK_LOST" not in [kind for kind, _ in kinds]


def test_a_cut_line_is_one_lost_link_and_one_resumption() -> None:
    wire = started()
    wire.mangle = lambda _way, _data: []
    wire.card()
    wire.run(60.0)
    wire.mangle = lambda _way, data: [(0.0, data)]
    wire.run(3.0)
    kinds = [report.kind for report in wire.disk.reports]
    assert kinds == ["WELCOME", "STATE", "LINK_LOST", "WELCOME", "CARD", "STATE"]
    assert wire.controller.up
    assert wire.shoe.up


def test_a_quiet_link_stays_up_for_an_hour() -> None:
    wire = Wire()
    wire.start()
    wire.run(3600.0)
    assert [report.kind for report in wire.disk.reports] == ["WELCOME", "STATE"]
