"""Events to and from the journal: a class name and a JSON body.

The names and fields of `game/model/events.py` are the file format: a class there may gain a field with a
default, and may never lose or rename one. What cannot be read back is an error that names the kind and
never the body, which may hold a card that nobody has seen.
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
from controller.rules.packs.flat import gathered, spread


class CodecError(Exception):
    """A row of the journal that this version cannot read."""


def _classes(union: Any) -> dict[str, type]:
    found: dict[str, type] = {}
    for member in typing.get_args(union):
        nested = _classes(member) if isinstance(member, types.UnionType) else {member.__name__: member}
        found.update(nested)
    return found


KINDS = _classes(events.Event)
"""Every event by its name in the journal."""


@cache
def adapter(kind: type) -> TypeAdapter[Any]:
    """Built when it is first needed: a start needs only a few of them."""
    return TypeAdapter(kind)


def encode(event: Event) -> tuple[str, str]:
    """(kind, body)."""
    kind: type = type(event)
    return kind.__name__, adapter(kind).dump_json(event).decode()


def plain_rules(pack: RulePack) -> dict[str, object]:
    """A rule pack as it is kept beside the events that were played by it."""
    return spread(adapter(RulePack).dump_python(pack, mode="json"))


def rules_of(text: str) -> RulePack:
    """The pack that this version or an earlier one kept. ValidationError where it is none."""
    pack: RulePack = adapter(RulePack).validate_python(
        gathered(adapter(dict[str, object]).validate_json(text))
    )
    return pack


def decode(kind: str, body: str) -> Event:
    """The event that `encode` wrote. CodecError names the kind and the fields at fault."""
    known = KINDS.get(kind)
    if known is None:
        raise CodecError(f"unknown kind of event {kind!r}; written by a newer version?")
    try:
        event: Event = adapter(known).validate_json(body, strict=True)
    except ValidationError as error:
        fields = ", ".join(sorted({".".join(map(str, each["loc"])) or "body" for each in error.errors()}))
        raise CodecError(f"{kind}: cannot be read back: {fields}") from None
    return event
