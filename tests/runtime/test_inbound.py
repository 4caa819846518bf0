"""A report of the shoe becomes an event or is refused with a FormError, and the error never contains a
face."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.game.model import events
from controller.game.model.events import CardLeftShoe, ShoeEvent
from controller.game.model.names import Circle, Wager
from controller.game.watching.circles import RawReading
from controller.table.engine.event_decoder import FormError, raw_readings, shoe_event
from drivers.ports import Inventory, ShoeReport

DECODED: list[tuple[ShoeReport, ShoeEvent]] = [
    (ShoeReport("WELCOME", ("1", "M", "S", "F", "B"), "m"), events.ShoeLinkOpened("M", "S", "F", "B")),
    (ShoeReport("LINK_LOST"), events.ShoeLinkLost()),
    (
        ShoeReport("STATE", ("READY", "52", "0", "RED", "STACK"), "m", resumed=True),
        events.ShoeStated("READY", 52, 0, "red", "STACK", True),
    ),
    (
        ShoeReport("STATE", ("EMPTY", "-", "7", "-", "SINGLE")),
        events.ShoeStated("EMPTY", None, 7, None, "SINGLE"),
    ),
    (ShoeReport("SHUFFLED", ("51", "BLUE")), events.ShuffleFinished(51, "blue")),
    (ShoeReport("SHUFFLED", ("-", "-")), events.ShuffleFinished(None, None)),
    (ShoeReport("READY", ("52", "RED")), events.DeckReady(52, "red")),
    (ShoeReport("CARD", ("7", "QH")), CardLeftShoe(7, "QH")),  # type: ignore[arg-type]
    (ShoeReport("CARD", ("7", "FU")), CardLeftShoe(7, None, "face_up")),
    (ShoeReport("CARD", ("7", "NR")), CardLeftShoe(7, None, "not_read")),
    (ShoeReport("CARD", ("7", "1H")), CardLeftShoe(7, None, "impossible")),
    (ShoeReport("CARD", ("7", "qh")), CardLeftShoe(7, None, "impossible")),
    (ShoeReport("STACK", ("5",)), events.StackCompleted(5)),
    (ShoeReport("TAKEN"), events.StackTaken()),
    (ShoeReport("STUB", ("33",)), events.StubTaken(33)),
    (ShoeReport("STUB", ("-",)), events.StubTaken(None)),
    (ShoeReport("FAULT", ("JAM",)), events.ShoeFaulted("JAM")),
    (ShoeReport("CLEARED", ("JAM",)), events.ShoeFaultCleared("JAM")),
    (ShoeReport("DONE", ("DEAL",)), events.CommandDone("DEAL")),
    (ShoeReport("REFUSED", ("DEAL", "no deck")), events.CommandRefused("DEAL", "no deck")),
]


@pytest.mark.parametrize(("report", "event"), DECODED, ids=lambda each: getattr(each, "kind", ""))
def test_each_frame_of_the_contract_becomes_its_event(report: ShoeReport, event: ShoeEvent) -> None:
    assert shoe_event(report) == event


@pytest.mark.parametrize(
    "report",
    [
        ShoeReport("GREETINGS", ("QH",)),
        ShoeReport("CARD", ("x", "QH")),
        ShoeReport("CARD", ("QH",)),
        ShoeReport("STATE"),
    ],
)
def test_the_error_of_an_invalid_report_names_its_kind_and_no_face(report: ShoeReport) -> None:
    with pytest.raises(FormError, match=report.kind) as caught:
        shoe_event(report)
    assert "QH" not in str(caught.value)


@given(
    st.sampled_from([report.kind for report, _ in DECODED] + ["X"]), st.lists(st.text(max_size=5), max_size=6)
)
def test_any_report_is_an_event_or_a_form_error(kind: str, fields: list[str]) -> None:
    try:
        shoe_event(ShoeReport(kind, tuple(fields)))
    except FormError as error:
        assert kind in str(error)  # noqa: PT017  # a valid report raises no error


def test_readings_use_the_table_s_own_clock() -> None:
    found = [
        Inventory((3, "across"), 1.5, 1.75, "chips", ("AA",), unproven=("AA",)),
        Inventory((3, "down"), 2.0, 2.5, "silent"),
    ]
    assert raw_readings(found, lambda seconds: round(seconds * 1000) + 7) == [
        RawReading(Circle(3, Wager.ACROSS), 1507, "chips", ("AA",), ("AA",)),
        RawReading(Circle(3, Wager.DOWN), 2007, "silent"),
    ]
