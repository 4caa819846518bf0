"""A paired table accepts no answer of version 1 until a floorperson orders it.

The rule is that of drivers/shoe/LINK.md, What is in clear, and what is refused.
"""

from __future__ import annotations

import pytest

from drivers.ports import ShoeReport
from drivers.shoe.forms import FALL_BACK
from tests.drivers.shoe.tapped import Tapped, busy
from tests.drivers.shoe.wire import frame


def old_shoe() -> Tapped:
    """Return a paired table and a shoe that supports version 1 alone."""
    wire = Tapped()
    wire.version = "1"
    wire.shoe = wire._new_shoe()
    wire.start()
    return wire


def test_a_shoe_of_version_1_opens_no_session_and_is_reported_once_in_ten_seconds() -> None:
    wire = old_shoe()
    wire.card()
    wire.run(9.0)
    assert not wire.controller.up
    assert wire.tamper_reports() == [ShoeReport("UNPROVEN", ("old_version",))]
    assert wire.disk.cards() == []
    wire.run(4.0)
    assert len(wire.tamper_reports()) == 2


@pytest.mark.parametrize("answer", ["WELCOME,1,CCT-SIM,0001,1.0,B1", "REFUSED,HELLO,version 1 only"])
def test_an_answer_of_version_1_is_ignored(answer: str) -> None:
    wire = Tapped()
    wire.stop = lambda way, _seen: way == ">"
    wire.controller.opened(wire.now)
    wire._flush()
    hello = next(seen for _, seen in wire.captured if seen.kind == "HELLO")
    wire.inject(frame(f"{hello.seq:02X},ACK"))
    wire.inject(frame(f"20,{answer}"))
    assert wire.tamper_reports() == [ShoeReport("UNPROVEN", ("old_version",))]
    assert not wire.controller.up


def test_version_1_is_used_from_a_floorperson_s_order_until_version_2_returns() -> None:
    wire = old_shoe()
    wire.card()
    wire.run(1.0)
    wire.controller.command(*FALL_BACK, wire.now)
    wire._flush()
    wire.run(3.0)
    assert (wire.controller.up, wire.controller.protocol) == (True, "v1")
    assert len(wire.disk.cards()) == 1
    wire.version = "2"
    wire.restart_shoe()
    wire.run(6.0)
    assert (wire.controller.up, wire.controller.protocol) == (True, "v2")


def test_a_paired_shoe_answers_no_hello_of_version_1_in_its_session() -> None:
    wire = busy()
    wire.inject(frame("50,HELLO,1,CC-01,"), ">")
    assert wire.shoe.up
    wire.play(1)
    wire.expect_whole()
