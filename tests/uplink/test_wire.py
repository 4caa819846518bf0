"""Payloads are read back unchanged, and refused completely if they are not of this format."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from controller.common.tlog.merkle import Frontier
from controller.common.tlog.note import COSIGNATURE, SigningKey
from controller.floor.uplink import asyncapi, wire
from controller.floor.uplink.kinds import FACT_TYPES, SENT_KINDS, facts_of
from controller.floor.uplink.wire import InvalidPayload, LaterFormat

STREAM = "ab" * 16
BET = {"round": 7, "ms": 5, "seat": 3, "wager": "across", "amount": 500}


def event(**data: Any) -> wire.Event:
    utc = "2026-11-22T21:00:00.123Z"
    return wire.event("CC-01", STREAM, 1, kind="bet", row=9, part="1", utc=utc, data={**BET, **data})


def changed(payload: bytes, **fields: Any) -> bytes:
    return json.dumps(json.loads(payload) | fields).encode()


def test_an_event_is_a_cloud_event_and_is_read_back_unchanged() -> None:
    packed = wire.packed(event())
    plain = json.loads(packed)
    required = {"specversion": "1.0", "source": "/tables/CC-01", "type": "crisscross.table.bet"}
    assert {key: plain[key] for key in required} == required
    assert plain["id"] == f"{STREAM}/9/1"
    assert plain["sequence"] == "000000000001"
    assert wire.read_event(packed, "CC-01") == event()
    assert wire.packed(wire.read_event(packed)) == packed, "one text for one event: it is a leaf of the tree"


@pytest.mark.parametrize(
    ("payload", "words"),
    [
        (b"\xff\x00", "no JSON"),
        (b"[" * 100_000, "no JSON"),
        (b"[1]", "no JSON object"),
        (b"{}", "without its format"),
        (changed(wire.packed(event()), format=True), "without its format"),
        (changed(wire.packed(event()), sequence="1"), "sequence"),
        (changed(wire.packed(event()), data=BET | {"seat": 7}), "event 1, bet: seat"),
        (changed(wire.packed(event()), data=BET | {"face": "QH"}), "a key that is not known"),
        (changed(wire.packed(event()), data={**BET, "seat": None}), "seat"),
        (changed(wire.packed(event()), type="crisscross.table.peek"), "of a kind that format 1 has not"),
        (b" " * (wire.MAX_PAYLOAD_BYTES + 1), "allowed: 262144"),
    ],
)
def test_an_invalid_payload_is_refused_in_one_line_without_its_content(payload: bytes, words: str) -> None:
    with pytest.raises(InvalidPayload) as refused:
        wire.read_event(payload)
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)
    assert "QH" not in str(refused.value)


def test_a_later_format_is_distinguished_from_an_invalid_payload() -> None:
    with pytest.raises(LaterFormat, match="format 2; this program knows 1"):
        wire.read_event(changed(wire.packed(event()), format=2))


def test_a_payload_of_another_table_than_its_topic_is_refused() -> None:
    with pytest.raises(InvalidPayload, match="another table than its topic"):
        wire.read_event(wire.packed(event()), "CC-02")


def test_a_topic_contains_table_and_message_type() -> None:
    assert wire.table_of(wire.topic("CC-01", "events")) == ("CC-01", "events")
    assert wire.table_of(wire.topic("CC-01", "have/pit-1")) == ("CC-01", "have/pit-1")
    for foreign in ("crisscross/2/CC-01/events", "crisscross/1/CC.01/events", "crisscross/1/CC-01/peek"):
        with pytest.raises(InvalidPayload):
            wire.table_of(foreign)


def test_a_topic_of_a_table_of_a_site_has_one_more_level() -> None:
    for leaf in ("events", "state", "felt", "have/pit-1", "on_my_way/pit-1", "on_the_way/pit-1"):
        topic = f"crisscross/1/north/CC-01/{leaf}"
        assert wire.topic("north.CC-01", leaf) == topic
        assert (wire.table_of(topic), wire.sender_of(topic)) == (("north.CC-01", leaf), "north.CC-01")
    for name in ("have", "events", "on_my_way"):
        assert wire.table_of(f"crisscross/1/{name}/events") == (name, "events")
        assert wire.table_of(f"crisscross/1/CC-01/have/{name}") == ("CC-01", f"have/{name}")
    for foreign in ("crisscross/1/a/north/CC-01/events", "crisscross/1/north/CC-01/peek"):
        with pytest.raises(InvalidPayload, match="crisscross/1/SITE/TABLE"):
            wire.table_of(foreign)
        assert wire.sender_of(foreign) == foreign.split("/")[2]


def test_an_acknowledgement_is_authenticated_by_its_signature() -> None:
    key, other = SigningKey.new("house.example/pit"), SigningKey.new("house.example/pit")
    root = Frontier().add(wire.leaf_of(wire.packed(event()))).root()
    answer = wire.have("pit-1", "CC-01", STREAM, 1, root, key, 1_790_000_000)
    assert wire.read_have(wire.packed(answer), "CC-01") == answer
    assert wire.proven(answer, key.verifier(COSIGNATURE))
    assert not wire.proven(answer, other.verifier(COSIGNATURE))
    assert not wire.proven(answer.model_copy(update={"upto": 2}), key.verifier(COSIGNATURE))
    assert not wire.proven(wire.have("pit-1", "CC-01", STREAM, 1, root), key.verifier(COSIGNATURE))


def test_the_facts_of_all_kinds_are_the_known_facts() -> None:
    assert set().union(*map(facts_of, SENT_KINDS)) == FACT_TYPES.keys()


def test_the_stored_asyncapi_document_equals_the_generated_one() -> None:
    kept = (Path(asyncapi.__file__).with_name("asyncapi.yaml")).read_text(encoding="utf-8")
    assert kept == asyncapi.document_text(), (
        "crisscross uplink asyncapi > controller/floor/uplink/asyncapi.yaml"
    )
