"""`report`, `enter` and `floor` of a scenario file, as the bodies that the dealer's screen and the
floor page send. Nothing is sent here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Self, TypeAlias

from pydantic import AfterValidator, Field, PlainValidator, model_validator

from controller.display.touches import HOLDERS
from controller.files.forms import Flag, whole, wrong
from controller.game.model.irregularities import FLOOR_CHOICES, OF_PLAYER, REPORTS
from controller.game.model.names import BONUS_PLACES, CROSS, Method
from controller.mock.scenario.values import (
    CARD_PLACES,
    ENTRY_PLACES,
    Face,
    Said,
    Seat,
    Text,
    Told,
    WagerName,
    one_of,
    with_keys,
)

Body: TypeAlias = Mapping[str, Any]
"""What a screen sends."""

# ---------------------------------------------------------------------------------- the dealer


class _Count(Said):
    """How many cards lie there: at a seat, or in the cross."""

    seat: Seat | None = None
    cards: Annotated[int, whole(0, 52)] | None = None
    cross: Annotated[int, whole(0, 52)] | None = None

    @model_validator(mode="after")
    def _of_one_hand(self) -> Self:
        if self.model_fields_set not in ({"cross"}, {"seat", "cards"}):
            raise ValueError("allowed: {seat: 2, cards: 3} or {cross: 4}")
        return self


def _count(count: _Count) -> Body:
    return {"number": count.cross} if count.seat is None else {"seat": count.seat, "number": count.cards}


def _face(faces: dict[str, str]) -> Body:
    if len(faces) != 1:
        raise ValueError("allowed: one place and its face, such as {middle: TH}")
    ((place, face),) = faces.items()
    return {"place": place, "face": face}


def _as(key: str, kind: Any) -> Any:
    return Annotated[kind, AfterValidator(lambda value: {key: value})]


_FaceAt = Annotated[dict[Annotated[str, one_of(ENTRY_PLACES)], Face], AfterValidator(_face)]
_ASKED: Mapping[tuple[str, ...], Any] = {
    (): Annotated[Told, AfterValidator(lambda _told: {})],
    ("seat",): _as("seat", Seat),
    ("cross_place",): _as("place", Annotated[str, one_of(CROSS)]),
    ("place",): _as("place", Annotated[str, one_of(CARD_PLACES)]),
    ("place", "face"): _FaceAt,
    ("hand", "count"): Annotated[_Count, AfterValidator(_count)],
    ("bonus",): _as("number", Annotated[int, whole(1, len(BONUS_PLACES))]),
    ("stub",): _as("number", Annotated[int, whole(0, 52)]),
}
"""What a report may ask for, as the menu of the screen has it."""
_Report = with_keys(Said, {str(what): _ASKED[report.asks] for what, report in REPORTS.items()})


def _report(report: Said) -> Body:
    if len(report.model_fields_set) != 1:
        raise ValueError(f"allowed: one of {', '.join(REPORTS)}")
    (what,) = report.model_fields_set
    return {"do": "report", "what": what, **getattr(report, what)}


Report = Annotated[Any, PlainValidator(_Report.model_validate), AfterValidator(_report)]
"""One report of those that the menu has, with what it asks for."""
Enter = Annotated[_FaceAt, AfterValidator(lambda face: {"do": "enter", **face})]


# ----------------------------------------------------------------------------------- the floor


class _Boxes(Said):
    """The boxes that one patron plays."""

    seats: list[Seat] = Field(min_length=1, description="a list of seats, such as [2, 3]")


DECISIONS: Mapping[str, Callable[[Any], Body]] = {
    "approve": lambda yes: {"decision": "approve" if yes else "refuse"},
    "outcome": lambda outcome: {"outcome": outcome},
    "forfeit": lambda seat: {"seat": seat},
    "recut": lambda _told: {},
    "shuffle": lambda _told: {},
    "player": lambda boxes: {"seats": boxes.seats},
    "method": lambda method: {"method": str(method)},
    "sign": lambda _told: {},
    "close": lambda _told: {},
}
_BESIDE = {"code": "forfeit", "seat": "sign", "wager": "sign", "holder": "sign"}
"""What stands beside one decision alone."""


class Floor(Said):
    """One decision, and what belongs to it. `seat`, `wager`: which circle is signed for, else all that
    waits; `holder`: who has the chips that left it unseen."""

    approve: Flag | None = None
    outcome: Annotated[str, one_of(FLOOR_CHOICES)] | None = None
    forfeit: Seat | None = None
    recut: Told = False
    shuffle: Told = False
    player: _Boxes | None = None
    method: Annotated[Method, one_of(Method)] | None = None
    sign: Told = False
    close: Told = False
    badge: Text = "B1"
    reason: Text | None = None
    code: Annotated[str, one_of(OF_PLAYER)] | None = None
    seat: Seat | None = None
    wager: WagerName | None = None
    holder: Annotated[str, one_of(HOLDERS)] | None = None

    @model_validator(mode="after")
    def _one_decision(self) -> Self:
        made = [name for name in DECISIONS if name in self.model_fields_set]
        if len(made) != 1:
            raise ValueError(f"allowed: one decision of {', '.join(DECISIONS)}")
        said = [((key,), f"allowed: beside {one}") for key, one in _BESIDE.items() if one not in made]
        if said := [(at, words) for at, words in said if at[0] in self.model_fields_set]:
            raise wrong(said)
        return self

    @property
    def body(self) -> Body:
        made = next(name for name in DECISIONS if name in self.model_fields_set)
        beside = {key: getattr(self, key) for key in ("badge", "reason", *_BESIDE)}
        given = {key: str(value) if key == "wager" else value for key, value in beside.items() if value}
        return {"do": "floor", "decision": made, **given, **DECISIONS[made](getattr(self, made))}
