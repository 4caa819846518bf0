"""Makes events from the devices' reports. It checks only the form; the table judges whether the event is
allowed now.

A report with a field that the driver should have refused makes no event. Its frame is still acknowledged,
because the shoe would otherwise resend it forever. A face that no deck has becomes an event with the fault
`impossible`, without its text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from controller.game.model import events
from controller.game.model.cards import parse_card
from controller.game.model.events import CardLeftShoe, ShoeEvent, TroubleReported
from controller.game.model.irregularities import Code
from controller.game.model.names import Circle, Wager
from controller.game.watching.circles import RawReading
from drivers.ports import Inventory, ShoeReport


class FormError(ValueError):
    """Raised if a report makes no event. The message names the kind of report, never its fields."""


def shoe_event(report: ShoeReport) -> ShoeEvent | TroubleReported:
    """Return the event of a report. Raises FormError if the report makes none."""
    try:
        return _BUILDERS[report.kind](report)
    except (KeyError, ValueError, IndexError):
        raise FormError(f"shoe: a {report.kind} that the table cannot use") from None


def _number(text: str) -> int | None:
    """Return the number, or None for ``-``, which a device sends for an unknown value."""
    return None if text == "-" else int(text)


def _back(text: str) -> str | None:
    return None if text in ("-", "") else text.lower()


def _welcome(report: ShoeReport) -> ShoeEvent:
    # fields: WELCOME,<version>,<model>,<serial>,<firmware>,<boot>
    version, model, serial, firmware, boot = report.fields
    return events.ShoeLinkOpened(model, serial, firmware, boot, version)


def _state(report: ShoeReport) -> ShoeEvent:
    state, left, out, back, mode = report.fields
    return events.ShoeStated(state, _number(left), int(out), _back(back), mode, report.resumed)


def _card(report: ShoeReport) -> ShoeEvent:
    number, face = report.fields
    if face == "FU":
        return CardLeftShoe(int(number), None, "face_up")
    if face == "NR":
        return CardLeftShoe(int(number), None, "not_read")
    try:
        return CardLeftShoe(int(number), parse_card(face))
    except ValueError:
        return CardLeftShoe(int(number), None, "impossible")


_BUILDERS: Mapping[str, Callable[[ShoeReport], ShoeEvent | TroubleReported]] = {
    "WELCOME": _welcome,
    "TAMPERED": lambda r: TroubleReported(Code.SHOE_TAMPERED, r.fields[0]),
    "UNPROVEN": lambda r: TroubleReported(Code.SHOE_UNPROVEN, r.fields[0]),
    "LINK_LOST": lambda _: events.ShoeLinkLost(),
    "STATE": _state,
    "SHUFFLED": lambda r: events.ShuffleFinished(_number(r.fields[0]), _back(r.fields[1])),
    "READY": lambda r: events.DeckReady(_number(r.fields[0]), _back(r.fields[1])),
    "CARD": _card,
    "STACK": lambda r: events.StackCompleted(int(r.fields[0])),
    "TAKEN": lambda _: events.StackTaken(),
    "STUB": lambda r: events.StubTaken(_number(r.fields[0])),
    "FAULT": lambda r: events.ShoeFaulted(r.fields[0]),
    "CLEARED": lambda r: events.ShoeFaultCleared(r.fields[0]),
    "DONE": lambda r: events.CommandDone(r.fields[0]),
    "REFUSED": lambda r: events.CommandRefused(r.fields[0], r.fields[1]),
}


def raw_readings(inventories: Iterable[Inventory], table_ms: Callable[[float], int]) -> list[RawReading]:
    """Return the drivers' inventories as readings for the tracker. `table_ms`: converts seconds of the
    drivers' clock to ms of the table clock."""
    return [
        RawReading(
            Circle(each.circle[0], Wager(each.circle[1])),
            table_ms(each.began),
            each.answer,
            each.uids,
            each.unproven,
            each.pending,
        )
        for each in inventories
    ]
