"""Forms (schema) of the events that a table publishes: the fields that each event must have. They make and
validate the events, and describe them in asyncapi.yaml.

The facts of each kind are listed at its entry in `Kind` (controller/record/timeline/entries.py); other facts
are never sent. Only `faces`, `read`, `said` and the record of a round contain faces, and only open ones.
Money is whole cents.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from functools import cache, reduce
from operator import or_
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    NotRequired,
    TypeAlias,
    TypedDict,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

import typing_extensions
from pydantic import AfterValidator, ConfigDict, Field, TypeAdapter
from typing_extensions import TypeAliasType

from controller.game.model.names import CROSS, Method, Phase, Wager
from controller.game.model.record import Correction, Head, IrregularityRecord, SeatRecord
from controller.record.timeline.entries import Fact, Kind, SentFacts

CLOSED = ConfigDict(extra="forbid", strict=True)
"""No other key, and no conversion: ``"2000"`` and ``17.0`` are not integers."""
_MAX_NUMBER: Final = 10**13
"""Largest number in an event: a sum of ten thousand rounds with such wagers fits in 64 bits."""


def _value_of(text: str) -> str:
    """Check a time. Returns the text unchanged; raises ValueError if it is not ISO 8601."""
    datetime.fromisoformat(text)
    return text


@cache
def _names(kind: type[StrEnum]) -> Any:  # noqa: ANN401  # a type
    """Return a string type that allows the values of an enumeration only, with the name of the
    enumeration."""
    return TypeAliasType(kind.__name__, Literal[tuple(each.value for each in kind)])


PRINTABLE = r"^[^\x00-\x1f\x7f]*$"
Word = Annotated[str, Field(max_length=64, pattern=PRINTABLE)]
"""Identifier of the program, such as a place or a code of the catalogue."""
Text = Annotated[str, Field(max_length=8192)]
"""Text of a person or of another document, not of this program."""
Face = Annotated[str, Field(pattern="^[2-9TJQKA][SHDC]$")]
Cents = Annotated[int, Field(ge=-_MAX_NUMBER, le=_MAX_NUMBER)]
SeatNumber = Annotated[int, Field(ge=1, le=6)]
Number = Annotated[int, Field(ge=0, le=_MAX_NUMBER)]
Utc = Annotated[
    str,
    Field(
        pattern=r"^(19[7-9][0-9]|2[0-9]{3})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
        r"T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,6})?(Z|[+-](0[0-9]|1[0-4]):[0-5][0-9])$"
    ),
    AfterValidator(_value_of),
]
"""Date and time as text: ISO 8601 with an offset or Z, from 1970 on."""
DealerName = Annotated[str, Field(min_length=1, max_length=64, pattern=PRINTABLE)]
Digest = Annotated[str, Field(max_length=80, pattern="^[0-9a-z:]*$")]
WagerName: Any = _names(Wager)
PhaseName: Any = _names(Phase)
CrossName: Any = Literal[tuple(place.value for place in CROSS)]


class PublicRecord(Head):
    """The record of a round as a screen may show it: null in place of a face that was not turned; `set_aside`
    counts cards. Source: `turned_record` of controller/game/showing/public.py."""

    cross: dict[str, str | None]
    bonus_cards: list[str | None] | None
    set_aside: int
    seats: list[SeatRecord]
    settlement_order: list[list[int | str]]
    irregularities: list[IrregularityRecord]
    corrections: list[Correction]


class Made(TypedDict):
    """Name of a hand, and the ranks that decide between two such hands, highest first."""

    category: Word
    ranks: list[Number]


FACT_TYPES: Mapping[Fact, Any] = {
    "amount": Number, "back": Word, "by": Text, "cents": Cents, "citation": Text,
    "code": Word, "correction": Correction, "decision": Word, "faces": dict[Word, Face | None],
    "fault": Text, "hand": Made, "holder": Word, "id": Number, "lies": Number, "method": Word,
    "note": Text, "number": Number, "odds": Number, "outcome": Word, "over": Word, "payout": Number,
    "phase": PhaseName, "place": Word, "places": Annotated[list[Word], Field(min_length=1, max_length=16)],
    "proposed": Word, "read": Face, "reason": Text, "record": PublicRecord,
    "result": Literal["win", "push", "lose", "forfeit"], "said": Face, "same": bool, "seat": SeatNumber,
    "seats": Annotated[list[SeatNumber], Field(max_length=6)], "should": Number, "size": Number,
    "stood": Number, "wager": WagerName, "wagers": dict[WagerName, Number], "was": Number,
    "who": Text, "why": Word,
}  # fmt: skip
"""Type of each fact.

`was`: the amount before. `stood`: milliseconds. `lies`, `should`: amount in a circle and amount due.
`read`, `said`: the face that the table had, and the one that a person reports.
"""

SENT_KINDS: Mapping[str, SentFacts] = {kind.value: kind.sent for kind in Kind if kind.sent is not None}
"""Facts of each kind that a table sends, by the kind's name (controller/record/timeline/entries.py)."""

BOUNDS: Mapping[str, Any] = {
    "amount": Number, "bonus_cards": Annotated[list[Face | None], Field(max_length=4)],
    "cards": Annotated[list[Face | None], Field(max_length=2)], "cross": dict[CrossName, Face | None],
    "dealer": DealerName, "ended": Utc, "folded_at": PhaseName, "from": Utc, "method": _names(Method),
    "number": DealerName, "odds": Number, "paid": Number, "payout": Number, "phase": PhaseName,
    "round": Number, "rules": Word, "rules_digest": Digest, "seat": SeatNumber,
    "set_aside": Number, "settings_digest": Digest,
    "settlement_order": list[Annotated[list[SeatNumber | WagerName], Field(min_length=2, max_length=2)]],
    "started": Utc, "taken": Number, "uncut": Number, "wager": WagerName, "when": Utc,
}  # fmt: skip
"""Limits of the fields of a record and of a correction, by name, where their type is wider. Other texts are
limited as `Text`, other numbers as `Cents`."""
DEFAULTS: Mapping[Any, Any] = {str: Text, int: Cents}
Bounds: TypeAlias = Literal["record", "felt"]


@cache
def form(kind: str) -> TypeAdapter[dict[str, Any]]:
    """Return the form of the data of an event of that kind. It validates to a new dict. Raises KeyError if
    the kind is unknown.

    Keys of every event: `round`: the round in play, else the next; `ms`: by the table's monotonic clock.
    """
    sent = SENT_KINDS[kind]
    fields: dict[str, Any] = {"round": Number, "ms": Number}
    fields |= {name: _model(FACT_TYPES[name]) for name in sent.always}
    fields |= {
        name: NotRequired[_model(FACT_TYPES[name])] for name in sent.maybe
    }  # the key is missing if the fact is unknown; it is never null
    return TypeAdapter(closed(kind, fields))


def closed(name: str, fields: Mapping[str, Any]) -> Any:  # noqa: ANN401  # a type
    """Return a TypedDict with these fields. Its validation accepts no other key and converts no value."""
    made = cast("Any", typing_extensions.TypedDict)(name, dict(fields))
    made.__pydantic_config__ = CLOSED
    return made


@cache
def form_of(typed: type, bounds: Bounds = "record", required: frozenset[str] | None = None) -> Any:  # noqa: ANN401  # a type
    """Return a copy of a TypedDict of the game that accepts no other key, so that its fields need not be
    listed here again.

    `bounds`: limits of its values. `required`: the only required keys; None: those that the type requires.
    """
    fields: dict[str, Any] = {}
    for name, hint in get_type_hints(typed, include_extras=True).items():
        optional = get_origin(hint) is NotRequired
        bounded = _bounded(name, get_args(hint)[0] if optional else hint, bounds)
        left_out = optional if required is None else name not in required
        fields[name] = NotRequired[bounded] if left_out else bounded
    return closed(typed.__name__, fields)


def _bounded(name: str, hint: Any, bounds: Bounds) -> Any:  # noqa: ANN401  # any type, given back as one
    bound = BOUNDS.get(name) if bounds == "record" else None
    if name == "wagers":
        return dict[WagerName, _model(get_args(hint)[1], bounds)]  # type: ignore[misc]
    if bound is None:
        return _model(hint, bounds)
    return bound | None if NoneType in get_args(hint) else bound


def _model(hint: Any, bounds: Bounds = "record") -> Any:  # noqa: ANN401  # any type, given back as one
    """Return the type by which a form checks a field.

    Values have the limits of `bounds`. Each TypedDict inside the type is replaced by its form, as in
    `form_of`."""
    if is_typeddict(hint):
        return form_of(hint, bounds)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return _names(hint)
    inner, origin = get_args(hint), get_origin(hint)
    if not inner or origin in {Literal, Annotated}:
        return DEFAULTS.get(getattr(hint, "__supertype__", hint), hint)
    parts = tuple(_model(each, bounds) for each in inner)
    return reduce(or_, parts) if origin in {Union, UnionType} else origin[parts]


def facts_of(kind: str) -> frozenset[str]:
    """Return the names of all facts that an event of that kind may have."""
    return frozenset((*SENT_KINDS[kind].always, *SENT_KINDS[kind].maybe))
