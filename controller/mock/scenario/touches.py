"""`report`, `enter` and `floor` of a scenario file, as the touches of the dealer's screen and the floor page.
Nothing is sent here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Self, TypeAlias

from pydantic import AfterValidator, Field, PlainValidator, TypeAdapter, model_validator

from controller.common.files.forms import Flag, validation_error, whole_number
from controller.game.model.irregularities import (
    FLOOR_CHOICES,
    FORFEIT,
    FORFEIT_ALL,
    OF_PLAYER,
    REPORTS,
    Asked,
)
from controller.game.model.names import BONUS_PLACES, CROSS, Method
from controller.mock.scenario.values import (
    CARD_PLACES,
    ENTRY_PLACES,
    Face,
    OnlyTrue,
    SeatNumber,
    StrictForm,
    Text,
    WagerName,
    one_of,
    with_keys,
)
from controller.pages.display import touches
from controller.pages.display.touches import HOLDERS

TouchKeys: TypeAlias = Mapping[str, Any]
"""Keys and values of a touch in a scenario file."""

# ---------------------------------------------------------------------------------- the dealer


class _Count(StrictForm):
    """Number of cards at a seat or in the cross."""

    seat: SeatNumber | None = None
    cards: Annotated[int, whole_number(0, 52)] | None = None
    cross: Annotated[int, whole_number(0, 52)] | None = None

    @model_validator(mode="after")
    def _of_one_hand(self) -> Self:
        if self.model_fields_set not in ({"cross"}, {"seat", "cards"}):
            raise ValueError("allowed: {seat: 2, cards: 3} or {cross: 4}")
        return self


def _count(count: _Count) -> TouchKeys:
    return {"number": count.cross} if count.seat is None else {"seat": count.seat, "number": count.cards}


def _face(faces: dict[str, str]) -> TouchKeys:
    if len(faces) != 1:
        raise ValueError("allowed: one place and its face, such as {middle: TH}")
    ((place, face),) = faces.items()
    return {"place": place, "face": face}


class _Circle(StrictForm):
    """A circle: its seat and its wager."""

    seat: SeatNumber
    wager: WagerName


def _as(key: str, kind: Any) -> Any:
    return Annotated[kind, AfterValidator(lambda value: {key: value})]


_FaceAt = Annotated[dict[Annotated[str, one_of(ENTRY_PLACES)], Face], AfterValidator(_face)]
_ASKED: Mapping[tuple[Asked, ...], Any] = {
    (): Annotated[OnlyTrue, AfterValidator(lambda _value: {})],
    (Asked.SEAT,): _as("seat", SeatNumber),
    (Asked.CROSS_PLACE,): _as("place", Annotated[str, one_of(CROSS)]),
    (Asked.PLACE,): _as("place", Annotated[str, one_of(CARD_PLACES)]),
    (Asked.PLACE, Asked.FACE): _FaceAt,
    (Asked.HAND, Asked.COUNT): Annotated[_Count, AfterValidator(_count)],
    (Asked.BONUS,): _as("number", Annotated[int, whole_number(1, len(BONUS_PLACES))]),
    (Asked.CIRCLE,): Annotated[_Circle, AfterValidator(lambda at: {"seat": at.seat, "wager": at.wager})],
    (Asked.STUB,): _as("number", Annotated[int, whole_number(0, 52)]),
}
"""Type of a report's details in a scenario file, for each combination of details that a report may ask
for."""
_Report = with_keys(StrictForm, {str(what): _ASKED[report.asks] for what, report in REPORTS.items()})


def _report(report: StrictForm) -> touches.Report:
    if len(report.model_fields_set) != 1:
        raise ValueError(f"allowed: one of {', '.join(REPORTS)}")
    (what,) = (code for code in REPORTS if code in report.model_fields_set)
    return touches.Report(what=what, **getattr(report, what))


ReportForm = Annotated[touches.Report, PlainValidator(_Report.model_validate), AfterValidator(_report)]
"""One report of the dealer's menu, with its details."""
Enter = Annotated[
    touches.Enter,
    PlainValidator(TypeAdapter(_FaceAt).validate_python),
    AfterValidator(lambda face: touches.Enter(**face)),
]


# ----------------------------------------------------------------------------------- the floor


class _Boxes(StrictForm):
    """Boxes that one patron plays."""

    seats: list[SeatNumber] = Field(min_length=1, description="a list of seats, such as [2, 3]")


DECISION_FORMS: Mapping[str, Callable[[Any], TouchKeys]] = {
    "approve": lambda yes: {"decision": "approve" if yes else "refuse"},
    "outcome": lambda outcome: {"outcome": outcome},
    "forfeit": lambda seat: {"seat": seat},
    "restore": lambda seat: {"seat": seat},
    "recut": lambda _value: {},
    "shuffle": lambda _value: {},
    "player": lambda boxes: {"seats": boxes.seats},
    "method": lambda method: {"method": method},
    "sign": lambda _value: {},
    "close": lambda _value: {},
    "answer": lambda _value: {},
}
_BESIDE = {"code": "forfeit", "settled": "forfeit", "seat": "sign", "wager": "sign", "holder": "sign"}
"""Keys of a step that belong to one kind of decision, each with that decision."""


class FloorForm(StrictForm):
    """One decision of a floorperson with its details. `seat`, `wager`: the circle to sign, by default all
    that wait for a signature. `holder`: ``player`` or ``house``, whichever has the chips that left the circle
    unseen.
    """

    approve: Flag | None = None
    outcome: Annotated[str, one_of(FLOOR_CHOICES)] | None = None
    forfeit: SeatNumber | None = None
    restore: SeatNumber | None = None
    recut: OnlyTrue = False
    shuffle: OnlyTrue = False
    player: _Boxes | None = None
    method: Annotated[Method, one_of(Method)] | None = None
    sign: OnlyTrue = False
    close: OnlyTrue = False
    answer: OnlyTrue = False
    badge: Text = "B1"
    reason: Text | None = None
    code: Annotated[str, one_of(OF_PLAYER)] | None = None
    settled: Annotated[str, one_of(("kept", "taken"))] | None = None
    seat: SeatNumber | None = None
    wager: WagerName | None = None
    holder: Annotated[str, one_of(HOLDERS)] | None = None

    @model_validator(mode="after")
    def _one_decision(self) -> Self:
        made = [name for name in DECISION_FORMS if name in self.model_fields_set]
        if len(made) != 1:
            raise ValueError(f"allowed: one decision of {', '.join(DECISION_FORMS)}")
        errors = [((key,), f"allowed: beside {one}") for key, one in _BESIDE.items() if one not in made]
        if errors := [(at, words) for at, words in errors if at[0] in self.model_fields_set]:
            raise validation_error(errors)
        _ = self.touch  # a touch that the floor page would refuse is a mistake of the file
        return self

    @property
    def touch(self) -> touches.FloorTouch:
        """Return the touch of the floor page."""
        made = next(name for name in DECISION_FORMS if name in self.model_fields_set)
        beside = {key: getattr(self, key) for key in ("badge", "reason", *_BESIDE) if key != "settled"}
        if self.settled:
            beside["outcome"] = FORFEIT_ALL if self.settled == "taken" else FORFEIT
        given = {key: value for key, value in beside.items() if value}
        return touches.FloorTouch(**{"decision": made, **given, **DECISION_FORMS[made](getattr(self, made))})
