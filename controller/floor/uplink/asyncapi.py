"""The AsyncAPI 3 document of the uplink, generated from the forms that validate every payload.

`crisscross uplink asyncapi` prints `asyncapi.yaml`, which is beside this file; a test compares them.
"""

from __future__ import annotations

from typing import Any

import yaml
from pydantic import TypeAdapter

from controller.floor.uplink import wire
from controller.floor.uplink.kinds import SENT_KINDS, Cents, Face, Number, SeatNumber, Text, Utc, Word, form
from controller.floor.uplink.limit import LIMIT_PROPERTY
from controller.floor.uplink.previous import PREVIOUS

REF = "#/components/schemas/{model}"
TABLE_NAME_TEXT = (
    "What the table is called: letters, digits, - and _; of a site, SITE/TABLE here, SITE.TABLE in payloads."
)
TOPICS = {
    "events": ("The public events of a table, QoS 1, in the order of its journal.", ("Event",)),
    "state": ("Whether a table speaks. Retained; the table's will is one of these.", ("State",)),
    "felt": ("The table as its screens show it. Retained, QoS 0; only the newest counts.", ("Felt",)),
    "chips": ("The chips in a table's circles, if its file asks for it. QoS 0, not retained.", ("Chips",)),
    "have": ("A pit's durable answer. Retained, QoS 1. The table's cursor moves by it alone.", ("Have",)),
    "on_my_way": ("A pit's answer to a call or a hold. QoS 1, not retained.", ("OnMyWay",)),
    "on_the_way": ("The table's answer to that: whether its screens show it. QoS 1.", ("OnTheWay",)),
}
OF_PIT = wire.OF_PIT.split("|")
RECEIVED = ("have", "on_my_way")
"""Topics that a table reads."""
PAYLOADS = ("State", "Felt", "Chips", "Have", "OnMyWay", "OnTheWay")
RETAINED = ("state", "felt", "have")
"""Topics whose last message the broker retains."""

SHARED_TYPES = {
    "Number": Number, "Cents": Cents, "SeatNumber": SeatNumber, "Word": Word, "Text": Text, "Face": Face,
    "Utc": Utc,
}  # fmt: skip
"""Types with a schema of their own, to which every field of such a type refers."""
EVENT_HEADERS = {
    "type": "object",
    "description": "MQTT 5 user properties of an event. One without it is taken by its number alone.",
    "properties": {
        PREVIOUS: {
            "type": "string", "pattern": "^[A-Za-z0-9+/]{43}=$",
            "description": "Root of the stream's tree (RFC 9162) before this event, in base64.",
        },
    },
}  # fmt: skip

ANSWER_HEADERS = {
    "type": "object",
    "description": "MQTT 5 user properties of an answer. One without it sets no limit.",
    "properties": {
        LIMIT_PROPERTY: {
            "type": "string", "pattern": "^[1-9][0-9]{0,11}$",
            "description": "Bytes of events that may be sent and not answered yet.",
        },
    },
}  # fmt: skip


def document() -> dict[str, Any]:
    """Return the document as JSON data."""
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Criss-Cross Table: uplink",
            "version": f"{wire.FORMAT}.0.0",
            "description": "What a table tells the pit over MQTT 5 (controller/floor/uplink/UPLINK.md).",
            "license": {"name": "Apache-2.0"},
        },
        "defaultContentType": "application/json",
        "channels": {name: _channel(name) for name in TOPICS},
        "operations": {name: _operation(name) for name in TOPICS},
        "components": {"messages": _messages(), "schemas": _schemas()},
    }


def document_text() -> str:
    """Return the document as YAML."""
    return yaml.safe_dump(document(), sort_keys=False, width=110, allow_unicode=True)


def _channel(name: str) -> dict[str, Any]:
    words, messages = TOPICS[name]
    pit = {"pit": {"description": "What the pit is called."}} if name in OF_PIT else {}
    named = [f"event_{kind}" for kind in SENT_KINDS] if messages == ("Event",) else messages
    return {
        "address": f"{wire.ROOT}/{{table}}/{name}" + ("/{pit}" if pit else ""),
        "description": words,
        "parameters": {"table": {"description": TABLE_NAME_TEXT}, **pit},
        "messages": {each: {"$ref": f"#/components/messages/{each}"} for each in named},
    }


def _operation(name: str) -> dict[str, Any]:
    """Return the description of what the table does with a topic: receive or send, with its quality of
    service."""
    return {
        "action": "receive" if name in RECEIVED else "send",
        "channel": {"$ref": f"#/channels/{name}"},
        "bindings": {"mqtt": {"qos": 0 if name in ("felt", "chips") else 1, "retain": name in RETAINED}},
    }


def _messages() -> dict[str, Any]:
    events = {
        f"event_{kind}": {
            "contentType": wire.EVENTS_TYPE,
            "headers": {"$ref": "#/components/schemas/EventHeaders"},
            "payload": {"$ref": f"#/components/schemas/event_{kind}"},
        }
        for kind in SENT_KINDS
    }
    others = {name: {"payload": {"$ref": REF.format(model=name)}} for name in PAYLOADS}
    others["Have"] = {"headers": {"$ref": "#/components/schemas/AnswerHeaders"}, **others["Have"]}
    return events | others


def _schemas() -> dict[str, Any]:
    payloads = {name: TypeAdapter(getattr(wire, name)) for name in ("Event", *PAYLOADS)}
    forms: dict[str, TypeAdapter[Any]] = {**payloads, **{kind: form(kind) for kind in SENT_KINDS}}
    wanted = [(name, "validation", adapter) for name, adapter in forms.items()]
    _, generated = TypeAdapter.json_schemas(wanted, ref_template=REF)  # type: ignore[arg-type]
    shared = {name: _plain(TypeAdapter(kind).json_schema()) for name, kind in SHARED_TYPES.items()}
    found: dict[str, Any] = _referring(_plain(generated["$defs"]), shared)
    for name in payloads:
        # all properties, also `format`, which has a default but which a reader needs
        found[name]["required"] = list(found[name]["properties"])
    for kind in SENT_KINDS:
        own = {"type": {"const": f"{wire.TYPE}{kind}"}, "data": {"$ref": REF.format(model=kind)}}
        found[f"event_{kind}"] = {"allOf": [{"$ref": REF.format(model="Event")}, {"properties": own}]}
    found |= {"EventHeaders": EVENT_HEADERS, "AnswerHeaders": ANSWER_HEADERS, **shared}
    return found


def _plain(schema: Any) -> Any:  # noqa: ANN401  # a JSON schema, whatever is in it
    """Return a schema in a shorter form: without titles, and without the default null of optional facts,
    which are left out rather than null."""
    if isinstance(schema, list):
        return [_plain(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {
        key: value for key, value in schema.items()
        if not (key == "title" and isinstance(value, str)) and not (key == "default" and value is None)
    }  # fmt: skip
    return {key: _plain(value) for key, value in kept.items()}


def _referring(schema: Any, shared: dict[str, Any]) -> Any:  # noqa: ANN401  # a JSON schema, whatever is in it
    """Return a schema in which each part that equals a shared schema is replaced by a reference to it."""
    if isinstance(schema, list):
        return [_referring(each, shared) for each in schema]
    if not isinstance(schema, dict):
        return schema
    for name, each in shared.items():
        if schema == each:
            return {"$ref": REF.format(model=name)}
    return {key: _referring(value, shared) for key, value in schema.items()}
