"""The controller's end starts, resumes and sends heartbeats as drivers/shoe/LINK.md specifies, section by
section.
"""

from __future__ import annotations

from random import Random

import pytest

from drivers.ports import ShoeReport
from drivers.shoe.session import ControllerSession
from tests.drivers.shoe.test_controller_session import STATE, WELCOME, Typist, typed

# ------------------------------------------------------------------------- start and resumption


def test_hello_at_the_start_then_a_new_one_every_second_while_the_link_is_down() -> None:
    table = Typist()
    sent = table.wire()
    assert typed(sent) == ["HELLO,1,CC-01,"]
    table.wait(0.95)
    assert table.wire() == sent * 4
    table.wait(0.1)
    following = table.wire()
    assert int(following[0][:2], 16) == (int(sent[0][:2], 16) + 1) % 256
    assert table.reports() == []


def test_a_controller_that_lost_its_counter_begins_at_a_random_number() -> None:
    assert len({Typist(seed=seed).hello()[0] for seed in range(40)}) > 20


def test_last_is_the_number_on_stable_storage_or_empty() -> None:
    assert Typist(last="B1:2A").hello()[1] == ["1", "CC-01", "2A"]
    assert Typist(last="plain/10").hello()[1] == ["1", "CC-01", ""]
    table = Typist().open()
    table.type("12,CARD,1,QH")
    (report,) = table.reports()
    assert Typist(last=report.mark).hello()[1][-1] == "12"


def test_nothing_is_accepted_or_acknowledged_before_the_welcome() -> None:
    table = Typist(last="B1:2A")
    number, _ = table.hello()
    table.type("2B,CARD,3,QH", f"{number},ACK", "2B,CARD,3,QH", "2A,CARD,2,QD")
    assert (table.reports(), table.wire()) == ([], [])


def test_a_welcome_counts_only_after_the_newest_hello_was_acknowledged() -> None:
    table = Typist()
    old = table.hello()[0]
    table.wait(1.0)
    new = table.wire()[-1][:2]
    table.type(f"{old},ACK", f"10,{WELCOME}")
    assert table.reports() == []
    table.type(f"{new},ACK", f"11,{WELCOME}")
    assert table.kinds() == ["WELCOME"]


def test_a_welcome_repeated_after_a_lost_ack_is_only_acknowledged_again() -> None:
    table = Typist()
    table.type(f"{table.hello()[0]},ACK", f"10,{WELCOME}")
    assert table.kinds() == ["WELCOME"]
    table.type(f"10,{WELCOME}")
    assert table.wire() == ["10,ACK", "10,ACK"]
    assert table.reports() == []


def test_an_unrequested_welcome_ends_the_session() -> None:
    """The shoe has answered a delayed copy of an old HELLO. In that session it could resend frames that are
    already stored."""
    table = Typist().open()
    table.type("12,CARD,1,QH")
    table.reports()
    table.session.take_bytes()
    table.type(f"13,{WELCOME}")
    assert table.reports() == []
    assert table.hello()[1] == ["1", "CC-01", "12"]


def test_a_shoe_that_gives_every_welcome_the_same_number_can_resume() -> None:
    table = Typist()
    table.type(f"{table.hello()[0]},ACK", f"00,{WELCOME}")
    table.reports()
    table.type("01,KNOCK,B1")
    table.type(f"{table.hello()[0]},ACK", f"00,{WELCOME}")
    assert table.kinds() == ["WELCOME"]
    table.type(f"01,{STATE}")
    assert table.kinds() == ["STATE"]


def test_hello_is_sent_only_after_pending_reports_are_stored() -> None:
    """With pending reports `last` would be too low, and the shoe would send the card a second time."""
    table = Typist().open()
    table.type("12,CARD,1,QH")
    (report,) = table.reports(accept=False)
    table.type("13,KNOCK,B1")
    assert table.wire() == ["13,ACK"]
    table.session.accept(report, table.now)
    sent = table.wire()
    assert sent[0] == "12,ACK"
    assert sent[1].endswith("HELLO,1,CC-01,12")


def test_a_knock_is_acknowledged_with_any_number_and_changes_no_counter() -> None:
    table = Typist()
    number, _ = table.hello()
    table.type("77,KNOCK,B1")
    assert table.wire() == ["77,ACK"]
    table.type(f"{number},ACK", f"10,{WELCOME}")
    table.reports()
    table.session.take_bytes()
    table.type("99,KNOCK,B1")
    assert typed(table.wire()) == ["ACK", "HELLO,1,CC-01,10"]


def test_after_a_knock_of_another_power_up_last_is_empty() -> None:
    table = Typist(last="B1:2A")
    table.type(f"{table.hello()[0]},ACK", "00,KNOCK,B2")
    assert table.hello()[1][-1] == ""


def test_repeated_knocks_cause_no_further_hello() -> None:
    table = Typist()
    table.session.take_bytes()
    table.type("77,KNOCK,B1", "77,KNOCK,B1", "77,KNOCK,B1")
    assert table.wire() == ["77,ACK"] * 3


def test_a_refused_hello_opens_no_session_and_is_reported_once() -> None:
    table = Typist()
    table.type(f"{table.hello()[0]},ACK", "00,REFUSED,HELLO,version 3 only")
    (report,) = table.reports()
    assert (report.kind, report.mark) == ("REFUSED", None)
    assert table.wire() == ["00,ACK"]
    assert not table.session.up
    table.wait(1.0)
    table.type(f"{table.wire()[-1][:2]},ACK", "01,REFUSED,HELLO,version 3 only")
    assert table.reports() == []
    assert table.wire()[-1] == "01,ACK"


# ------------------------------------------------------------------------- heartbeats


def test_alive_is_sent_after_a_second_of_silence_with_the_last_number() -> None:
    table = Typist().open()
    table.session.command("HOLD", (), table.now)
    number = table.wire()[0][:2]
    table.type(f"{number},ACK")
    table.wait(1.0)
    assert table.wire() == [f"{number},ALIVE"]


def test_the_link_is_lost_once_after_three_seconds_without_a_valid_frame() -> None:
    table = Typist().open()
    table.wait(2.9)
    table.type("11,ALIVE")
    table.wait(2.9)
    assert table.reports() == []
    table.session.receive(b"$11,ALIVE*0000\r\n", table.now)
    table.wait(0.2)
    assert table.kinds() == ["LINK_LOST"]
    table.wait(30)
    assert table.reports() == []


def test_an_unplugged_port_is_a_lost_link_and_a_new_port_gets_a_new_hello() -> None:
    table = Typist().open()
    table.session.closed(table.now)
    assert table.kinds() == ["LINK_LOST"]
    assert table.session.next_deadline() is None
    table.session.opened(table.now)
    assert table.hello()[1][-1] == "11"


def test_a_card_accepted_while_the_port_was_unplugged_is_in_the_next_hello() -> None:
    table = Typist().open()
    table.type("12,CARD,1,QH")
    (report,) = table.reports(accept=False)
    table.session.closed(table.now)
    table.session.accept(report, table.now)
    table.reports()
    assert table.wire() == []
    table.session.opened(table.now)
    assert table.hello()[1][-1] == "12"


def test_a_card_accepted_after_a_new_power_up_is_not_counted_in_last() -> None:
    table = Typist().open()
    table.type("12,CARD,1,QH")
    (report,) = table.reports(accept=False)
    table.type("00,KNOCK,B2")
    table.session.accept(report, table.now)
    assert table.hello()[1][-1] == ""


def test_an_echo_of_the_controller_s_own_frames_is_ignored() -> None:
    table = Typist().open()
    table.type("12,DEAL,5", "13,HELLO,1,CC-01,")
    assert (table.reports(), table.wire()) == ([], [])
    assert table.session.counts()["own_kind"] == 2


def test_a_table_name_that_no_frame_can_carry_is_refused_at_once() -> None:
    with pytest.raises(ValueError, match="printable"):
        ControllerSession("CC,01", None, Random(1))


def test_a_report_that_is_not_pending_cannot_be_accepted() -> None:
    with pytest.raises(ValueError, match="no CARD waits"):
        Typist().open().session.accept(ShoeReport("CARD", ("1", "QH"), "B1:12"), 0.0)
