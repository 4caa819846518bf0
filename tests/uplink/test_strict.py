"""Payloads are read strictly: those of tables are accepted, one wrong value is refused in one line, and the
AsyncAPI document agrees.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from functools import cache
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from controller.common.files.json_text import json_text, read_json
from controller.common.files.strict_json import JsonError
from controller.common.tlog.note import COSIGNATURE, SigningKey
from controller.floor.uplink import asyncapi, wire
from controller.floor.uplink.kinds import SENT_KINDS
from controller.floor.uplink.wire import InvalidPayload
from tests.pit.published_tables import Table
from tests.uplink.mutating import mutations, old_payloads

pytestmark = pytest.mark.slow

READERS = {"event": wire.read_event, "state": wire.read_state, "felt": wire.read_felt, "have": wire.read_have}
KEYS = {"felt": "felt", "have": "upto", "state": "state"}
EACH = 20
"""Number of mutations of each payload."""


def kind_of(value: dict[str, Any]) -> str:
    return (
        "felt" if "felt" in value else "have" if "upto" in value else "state" if "state" in value else "event"
    )


def others() -> list[bytes]:
    """Return a state, a felt and an answer. The stored payloads have events of all kinds and further
    felts."""
    table = Table()
    table.play()
    answer = wire.have("pit-1", "CC-01", "ab" * 16, 7, b"\1" * 32)
    return [table.state(), table.felt(), wire.packed(answer)]


def corrected() -> bytes:
    table = Table()
    return table.add_event("correction", correction={
        "code": "mispaid", "seat": 3, "wager": "across", "cents": -500, "with": "house", "who": "F12",
        "when": table.utc(), "why": "chips fell",
    })  # fmt: skip


@cache
def validator(name: str) -> Draft202012Validator:
    document = asyncapi.document()
    resource: Resource[Any] = Resource.from_contents(document, default_specification=_draft())
    registry = Registry().with_resource("urn:it", resource)
    return Draft202012Validator({"$ref": f"urn:it#/components/schemas/{name}"}, registry=registry)


def _draft() -> Any:
    from referencing.jsonschema import DRAFT202012

    return DRAFT202012


def taken(payload: bytes, kind: str) -> str:
    """Return the reason for which the message is refused, in one word, or "" if it is accepted."""
    try:
        READERS[kind](payload)
    except InvalidPayload as error:
        return error.reason if "\n" not in str(error) and len(str(error)) < 400 else "no line"
    return ""


def test_payloads_of_earlier_tables_are_accepted() -> None:
    payloads = old_payloads()
    assert [line for line in payloads if taken(line, kind_of(json.loads(line)))] == []
    assert len(payloads) > 70


def test_an_accepted_payload_is_not_converted() -> None:
    for line in old_payloads():
        value = json.loads(line)
        if kind_of(value) == "event":
            assert wire.read_event(line).data == value["data"]


def schema_of(value: dict[str, Any], kind: str) -> str:
    if kind != "event":
        return kind.capitalize()
    name = str(value.get("type", "")).removeprefix(wire.TYPE)
    return f"event_{name}" if name in SENT_KINDS else "Event"


@pytest.mark.parametrize("seed", range(3))
def test_the_asyncapi_schema_and_the_reader_agree_on_every_mutation(seed: int) -> None:
    """Four things that no schema can express are left out: JSON that is not of this protocol, fields that
    contradict each other, the 30th of February, and an unknown kind."""
    lots, seen, differ = random.Random(seed), Counter[str](), []
    for payload in [*old_payloads(), *others(), corrected()]:
        kind = kind_of(json.loads(payload))
        for value in mutations(payload, EACH, lots):
            raw = json.dumps(value).encode()
            why = taken(raw, kind)
            if why in ("json", "contradiction", "kind", "size", "future") or b"02-30" in raw:
                seen[why] += 1
                continue
            allowed = validator(schema_of(value, kind)).is_valid(value)
            if allowed and value.get("subject") != f"round/{value.get('data', {}).get('round')}":
                continue
            seen[f"{kind} {'taken' if not why else 'refused'}"] += 1
            if allowed is bool(why):
                differ.append((why, raw[:400]))
    assert differ == []
    assert seen["event refused"] > 500 and seen["event taken"] > 20, seen


@pytest.mark.parametrize(
    "text",
    [
        "NaN", "-Infinity", "1e999", "17.0", '{"a":1,"a":2}', '"\\ud800"', '"a\\u0000b"', "[" * 5000,
        "9" * 5000, "\ufeff1", "'a'", "",
    ],
)  # fmt: skip
def test_json_that_only_python_accepts_is_refused(text: str) -> None:
    with pytest.raises(JsonError) as refused:
        read_json(text.encode())
    assert "\n" not in str(refused.value)


def test_a_surrogate_pair_in_escapes_is_one_character() -> None:
    assert read_json(b'"\\ud83c\\udca1"') == "\U0001f0a1"


def test_json_that_a_browser_cannot_read_is_not_written() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        json_text({"felt": float("nan")})


def test_every_mutated_acknowledgement_is_accepted_or_refused_in_one_line() -> None:
    key, lots = SigningKey.new("house.example/pit"), random.Random(2)
    answer = wire.packed(wire.have("pit-1", "CC-01", "ab" * 16, 7, b"\1" * 32, key, 1_790_000_000))
    every = [json.dumps(value).encode() for value in mutations(answer, 400, lots)]
    torn = [answer[: lots.randrange(len(answer))] + bytes([lots.randrange(256)]) for _ in range(200)]
    found = Counter(taken(each, "have") for each in [answer, *every, *torn])
    assert "no line" not in found and found["form"] > 100 and found["json"] > 100, found
    for each in every:
        if not taken(each, "have"):
            wire.proven(wire.read_have(each), key.verifier(COSIGNATURE))
