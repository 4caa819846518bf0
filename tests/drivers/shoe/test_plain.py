"""A reader with the plain dialect can report cards without check sums and acknowledgements."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.ports import ShoeReport
from drivers.shoe.plain import PlainSession


def opened(last: str | None = None) -> PlainSession:
    session = PlainSession(last)
    session.opened(0.0)
    return session


def cards(session: PlainSession) -> list[tuple[str, ...]]:
    return [report.fields for report in session.take_reports() if report.kind == "CARD"]


def test_opening_reports_a_welcome_and_a_single_shoe_without_a_deck() -> None:
    welcome, state = opened().take_reports()
    assert welcome == ShoeReport("WELCOME", ("1", "plain reader", "-", "-", "-"))
    assert state == ShoeReport("STATE", ("EMPTY", "-", "0", "-", "SINGLE"), resumed=True)


def test_the_controller_s_shuffle_starts_a_new_deck() -> None:
    session = opened()
    session.take_reports()
    session.command("SHUFFLE", (), 1.0)
    assert [report.kind for report in session.take_reports()] == ["READY", "DONE"]
    session.receive(b"QH\r\n10D\r\n", 2.0)
    assert cards(session) == [("1", "QH"), ("2", "TD")]
    session.command("SHUFFLE", (), 3.0)
    session.receive(b"QH\r\n", 4.0)
    assert cards(session) == [("1", "QH")]


def test_the_count_survives_a_restart() -> None:
    session = opened()
    session.command("SHUFFLE", (), 1.0)
    session.receive(b"QH\r\n9S\r\n", 2.0)
    mark = session.take_reports()[-1].mark
    state = opened(mark).take_reports()[1]
    assert state.fields == ("DEALING", "-", "2", "-", "SINGLE")


@pytest.mark.parametrize(("gap", "count"), [(0.0, 1), (0.149, 1), (0.151, 2)])
def test_a_card_repeated_within_150_ms_counts_once(gap: float, count: int) -> None:
    session = opened()
    session.receive(b"QH\r\n", 8.0)
    session.receive(b"QH\r\n", 8.0 + gap)
    assert len(cards(session)) == count


def test_a_different_card_within_150_ms_counts() -> None:
    session = opened()
    session.receive(b"QH\r\nQD\r\nQH\r\n", 5.0)
    assert len(cards(session)) == 3


@pytest.mark.parametrize("line", [b"1H\r\n", b"QX\r\n", b"10\r\n", b"qh\r\n", b"QHQD\r\n", b"\xff\xfe\r\n"])
def test_an_invalid_line_is_counted_and_gives_no_card(line: bytes) -> None:
    session = opened()
    session.receive(line, 1.0)
    assert cards(session) == []
    assert session.counts() == {"malformed": 1}


def test_ten_thousand_bytes_count_as_one_line_that_is_too_long() -> None:
    session = opened()
    session.receive(b"Q" * 10_000 + b"\r\nQH\r\n", 1.0)
    assert session.counts()["too_long"] == 1
    assert cards(session) == [("1", "QH")]


@given(st.lists(st.integers(0, 20), max_size=8))
def test_cards_are_read_from_any_pieces(cuts: list[int]) -> None:
    stream, session = b"QH\r\n10D\r\n9S\r\nAC\r\n", opened()
    edges = sorted({0, len(stream), *(cut for cut in cuts if cut < len(stream))})
    for begin, end in pairwise(edges):
        session.receive(stream[begin:end], 1.0)
    assert [face for _, face in cards(session)] == ["QH", "TD", "9S", "AC"]


def test_other_commands_are_refused_and_a_closed_port_is_a_lost_link() -> None:
    session = opened()
    session.take_reports()
    session.command("HOLD", (), 1.0)
    assert session.take_reports()[0].fields[0] == "HOLD"
    session.closed(2.0)
    session.command("SHUFFLE", (), 3.0)
    assert [report.kind for report in session.take_reports()] == ["LINK_LOST"]
    assert session.counts()["commands_void"] == 1


def test_the_remark_lists_missing_features_and_the_trace_shows_no_face() -> None:
    session = opened()
    session.receive(b"QH\r\n", 1.0)
    assert "no check" in session.remark
    assert "no acknowledgement" in session.remark
    assert "QH" not in repr(session.trace.lines())
    assert "QH" not in repr(session.take_reports())
