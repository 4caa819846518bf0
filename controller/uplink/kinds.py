"""Which events a table sends, and what each may hold: the one list, by which events are made, read and
described (asyncapi.yaml).

A fact that is not listed for its kind is never sent. Faces stand in `faces`, `read` and `said` and in the
record of a round, nowhere else, and are those that lie open. Money is whole cents.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, reduce
from operator import or_
from types import UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    TypedDict,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from pydantic import BaseModel, ConfigDict, Field, create_model

from controller.game.model.record import Correction, Head, IrregularityRecord, SeatRecord

CLOSED = ConfigDict(extra="forbid", frozen=True)
Word = Annotated[str, Field(max_length=64)]
"""A name of the program's: a phase, a place, a code of the catalogue."""
Text = Annotated[str, Field(max_length=8192)]
"""What a person typed, or a text that stands elsewhere."""
Face = Annotated[str, Field(pattern="^[2-9TJQKA][SHDC]$")]
Cents = Annotated[int, Field(strict=True)]
Seat = Annotated[int, Field(ge=1, le=6, strict=True)]
Number = Annotated[int, Field(ge=0, strict=True)]


class PublicRecord(Head):
    """The record of a round as a screen may show it: null in place of a face that was not turned; `set_aside`
    counts cards. Source: `turned_record` of controller/game/showing/public.py."""

    cross: dict[str, Face | None]
    bonus_cards: list[Face | None] | None
    set_aside: int
    seats: list[SeatRecord]
    settlement_order: list[list[int | str]]
    irregularities: list[IrregularityRecord]
    corrections: list[Correction]


class Made(TypedDict):
    """The name of a hand, and the ranks that count, highest first."""

    category: Word
    ranks: list[Number]


FACTS: Mapping[str, Any] = {
    "amount": Cents, "back": Word, "by": Text, "cents": Cents, "citation": Text,
    "code": Word, "correction": Correction, "decision": Word, "faces": dict[Word, Face | None],
    "fault": Text, "hand": Made, "holder": Word, "id": Number, "lies": Cents, "method": Word,
    "note": Text, "number": Number, "odds": Number, "outcome": Word, "over": Word, "payout": Cents,
    "phase": Word, "place": Word, "places": list[Word], "proposed": Word, "read": Face, "reason": Text,
    "record": PublicRecord, "result": Literal["win", "push", "lose", "forfeit"], "said": Face, "same": bool,
    "seat": Seat, "seats": list[Seat], "should": Cents, "size": Number, "stood": Number, "wager": Word,
    "wagers": dict[Word, Cents], "was": Cents, "who": Text, "why": Word,
}  # fmt: skip
"""The type of each fact. `was`: the amount before; `stood`: milliseconds; `lies`, `should`: what lies in a
circle and ought to; `read`, `said`: the face that the table had, and the one that a person tells."""

KINDS: Mapping[str, tuple[str, str]] = {
    # the round
    "bets_closed": ("", ""),
    "bets_reopened": ("", ""),
    "laid": ("seat wagers", ""),
    "phase": ("phase", ""),
    "dealt": ("places number", ""),
    "turned": ("places faces", ""),
    "card_changed": ("place", "read said"),
    "bet": ("seat wager amount", "was"),
    "bet_back": ("seat wager", "amount"),
    "folded": ("seat phase", ""),
    "fold_back": ("seat", ""),
    "forfeited": ("seat code", ""),
    "settled": ("seat wager result", "amount odds payout hand"),
    "reopened": ("seat wager", ""),
    "voided": ("code", "citation who"),
    "record": ("record", ""),
    "correction": ("correction", ""),
    # what goes wrong, and the floor
    "alert": ("id code", "seat wager place should lies"),
    "alert_over": ("id code over", "seat wager place by reason stood"),
    "held": ("code", "citation seat wager place places proposed read said"),
    "hold_over": ("code over", "seat wager place by reason decision outcome"),
    "noted": ("code", "seat wager"),
    "signed": ("code", "seat wager who reason cents"),
    "floor_called": ("", "who"),
    "floor_answered": ("", ""),
    "floor_decided": ("decision", "who outcome reason code place seat wager seats method holder"),
    # people
    "signed_on": ("", "who"),
    "relieved": ("", "who"),
    "not_proven": ("", "who number"),
    # devices
    "deck_brought": ("", "back same"),
    "shuffled": ("", "number back"),
    "stub_out": ("", "number"),
    "shoe_fault": ("", "fault"),
    "shoe_cleared": ("", "fault"),
    "shoe_refused": ("", "fault"),
    "shoe_lost": ("", ""),
    "shoe_back": ("", ""),
    "no_reading": ("seat wager why", ""),
    "trouble": ("code", ""),
    "trouble_over": ("code", ""),
    "started": ("", ""),
    # the seal
    "checkpoint": ("note size", ""),
}
"""Each kind with the facts that it always has, and those that it may have. The words of most are those of a
round told afterwards (controller/audit/story/entries.py)."""


@cache
def form(kind: str) -> type[BaseModel]:
    """Of the data of that kind. `round`: the one on the table, else the one to come; `ms`: of the table's own
    clock, which never jumps while the machine is on. KeyError where there is no such kind."""
    always, maybe = (names.split() for names in KINDS[kind])
    fields: dict[str, Any] = {"round": (Number, ...), "ms": (int, ...)}
    fields |= {name: (_model(FACTS[name]), ...) for name in always}
    fields |= {name: (_model(FACTS[name]), None) for name in maybe}  # left out, and never null
    return create_model(kind, __config__=CLOSED, **fields)


@cache
def _form_of(typed: type) -> type[BaseModel]:
    """A record's form, made of its type: no list of its fields has to be kept here."""
    fields: dict[str, Any] = {}
    for name, hint in get_type_hints(typed, include_extras=True).items():
        optional = get_origin(hint) is NotRequired
        fields[name] = (_model(get_args(hint)[0] if optional else hint), None if optional else ...)
    return create_model(typed.__name__, __config__=CLOSED, **fields)


def _model(hint: Any) -> Any:  # noqa: ANN401  # any type, given back as one
    """The same type with a form in the place of each TypedDict in it."""
    if is_typeddict(hint):
        return _form_of(hint)
    inner, origin = get_args(hint), get_origin(hint)
    if not inner or origin in {Literal, Annotated}:
        return hint
    parts = tuple(map(_model, inner))
    return reduce(or_, parts) if origin in {Union, UnionType} else origin[parts]


def facts_of(kind: str) -> frozenset[str]:
    """The names of all facts that one of that kind may hold."""
    return frozenset(" ".join(KINDS[kind]).split())
