"""Conversion of events to and from journal rows: a class name and a JSON body.

The names and fields of `game/model/events.py` are the file format: a class there may gain a field with a
default, and may never lose or rename one. An error about a row names its kind and never quotes the body,
which may hold a face-down card.
"""

from __future__ import annotations

import types
import typing
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from controller.game.model import events
from controller.game.model.events import Event
from controller.game.model.rules import RulePack
from controller.rules.packs.flat import flatten, unflatten


class CodecError(Exception):
    """Raised if this version cannot read a row of the journal."""


def _classes(union: Any) -> dict[str, type]:
    found: dict[str, type] = {}
    for member in typing.get_args(union):
        nested = _classes(member) if isinstance(member, types.UnionType) else {member.__name__: member}
        found.update(nested)
    return found


EVENT_CLASSES = _classes(events.Event)
"""Event classes by their names in the journal."""


@cache
def adapter(kind: type) -> TypeAdapter[Any]:
    """Return the adapter that converts values of a type to and from JSON. It is built at its first use,
    because a start needs only a few."""
    return TypeAdapter(kind)


def encode_event(event: Event) -> tuple[str, str]:
    """Return (class name, JSON body) of an event, as stored in a row."""
    kind: type = type(event)
    return kind.__name__, adapter(kind).dump_json(event).decode()


def plain_rules(pack: RulePack) -> dict[str, object]:
    """Return a rule pack in the form in which a journal stores it, beside the events that were played by
    it."""
    return flatten(adapter(RulePack).dump_python(pack, mode="json"))


def rules_of(text: str) -> RulePack:
    """Parse a rule pack stored by this version or an earlier one. Raises ValidationError if it is not a
    rule pack."""
    pack: RulePack = adapter(RulePack).validate_python(
        unflatten(adapter(dict[str, object]).validate_json(text))
    )
    return pack


def decode_event(kind: str, body: str) -> Event:
    """Parse an event written by `encode_event`. Raises CodecError, which names the kind and the invalid
    fields."""
    known = EVENT_CLASSES.get(kind)
    if known is None:
        raise CodecError(f"unknown kind of event {kind!r}; written by a newer version?")
    try:
        event: Event = adapter(known).validate_json(body, strict=True)
    except ValidationError as error:
        fields = ", ".join(sorted({".".join(map(str, each["loc"])) or "body" for each in error.errors()}))
        raise CodecError(f"{kind}: cannot be read back: {fields}") from None
    return event
