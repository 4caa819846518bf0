"""`report`, `enter` and `floor` of a scenario file, as the bodies that the dealer's screen and the
floor page send. Nothing is sent here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Self, TypeAlias

from pydantic import Field, PlainValidator, TypeAdapter, model_validator

from controller.display.touches import FORFEITS, HOLDERS, OUTCOMES, REPORTS
from controller.files.forms import Flag, Form, wrong
from controller.game.model.names import BONUS_PLACES, CROSS, Method
from controller.game.showing.report_forms import ASKS
from controller.mock.scenario import values
from controller.mock.scenario.values import Seat, Text, Told, WagerName, one_of, whole, with_keys

Body: TypeAlias = Mapping[str, Any]
"""What a screen sends."""

# ---------------------------------------------------------------------------------- the dealer


class _Count(Form):
    """How many cards lie there: at a seat, or in the cross."""

    seat: Seat | None = None
    cards: Annotated[int | None, PlainValidator(whole(0, 52))] = None
    cross: Annotated[int | None, PlainValidator(whole(0, 52))] = None

    @model_validator(mode="after")
    def _of_one_hand(self) -> Self:
        if self.model_fields_set not in ({"cross"}, {"seat", "cards"}):
            raise ValueError("allowed: {seat: 2, cards: 3} or {cross: 4}")
        return self


def _count(given: Any) -> Body:
    count = _Count.model_validate(given)
    return {"number": count.cross} if count.seat is None else {"seat": count.seat, "number": count.cards}


_FACES = TypeAdapter(
    dict[
        Annotated[str, PlainValidator(one_of(values.ENTRY_PLACES))],
        Annotated[str, PlainValidator(values.face)],
    ]
)


def _face(given: Any) -> Body:
    found = _FACES.validate_python(given) if isinstance(given, dict) else {}
    if len(found) != 1:
        raise ValueError("allowed: one place and its face, such as {middle: TH}")
    ((place, face),) = found.items()
    return {"place": place, "face": face}


def _nothing(given: Any) -> Body:
    values.told(given)
    return {}


def _as(key: str, read: Callable[[Any], Any]) -> Callable[[Any], Body]:
    return lambda given: {key: read(given)}


_ASKED: Mapping[tuple[str, ...], Callable[[Any], Body]] = {
    (): _nothing,
    ("seat",): _as("seat", values.seat),
    ("cross_place",): _as("place", one_of(CROSS)),
    ("place",): _as("place", one_of(values.CARD_PLACES)),
    ("place", "face"): _face,
    ("hand", "count"): _count,
    ("bonus",): _as("number", whole(1, len(BONUS_PLACES))),
    ("stub",): _as("number", whole(0, 52)),
}
"""What a report may ask for, as the menu of the screen has it."""
_Report = with_keys(Form, {what: _ASKED[ASKS[what]] for what in REPORTS})


def report(given: Any) -> Body:
    """One report of those that the dealer's menu has, with what it asks for."""
    found = _Report.model_validate(given)
    if len(found.model_fields_set) != 1:
        raise ValueError(f"allowed: one of {', '.join(REPORTS)}")
    (what,) = found.model_fields_set
    return {"do": "report", "what": what, **getattr(found, what)}


def enter(given: Any) -> Body:
    return {"do": "enter", **_face(given)}


# ----------------------------------------------------------------------------------- the floor


class _Boxes(Form):
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


class Floor(Form):
    """One decision, and what belongs to it. `seat`, `wager`: which circle is signed for, else all that
    waits; `holder`: who has the chips that left it unseen."""

    approve: Flag | None = None
    outcome: Annotated[str | None, PlainValidator(one_of(OUTCOMES))] = None
    forfeit: Seat | None = None
    recut: Told = False
    shuffle: Told = False
    player: _Boxes | None = None
    method: Annotated[Method | None, PlainValidator(one_of(Method))] = None
    sign: Told = False
    close: Told = False
    badge: Text = "B1"
    reason: Text | None = None
    code: Annotated[str | None, PlainValidator(one_of(FORFEITS))] = None
    seat: Seat | None = None
    wager: WagerName | None = None
    holder: Annotated[str | None, PlainValidator(one_of(HOLDERS))] = None

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
