"""The timeline of a round shows each signature with the effect that its key stated."""

from __future__ import annotations

import json

import pytest

from controller.common.texts.catalogue import catalogue
from controller.game.model.events import FloorDecided, Stamp
from controller.game.model.names import Wager
from controller.pages.display.round_text import values
from controller.pages.display.signing import sign_keys
from controller.record.journal.replay import Replayed
from controller.record.timeline.entries import Kind
from controller.record.timeline.troubles import trouble
from tests.game.test_signature_effects import STANDING, signable


@pytest.mark.parametrize("choice", [0, 1])
@pytest.mark.parametrize("name", STANDING)
def test_the_timeline_repeats_the_text_of_the_key(name: str, choice: int) -> None:
    felt, wager = STANDING[name]()
    felt.stand()
    [item] = signable(felt)
    key = (item["signs"] * 2)[choice]
    event = FloorDecided("B1", "sign", seat=3, wager=Wager(wager), holder=key["holder"])
    before, stamp = felt.table.state, Stamp(felt.ms + 1, "2026-11-24T20:00:00.000Z")
    effects = felt.table.handle(event, stamp)
    done = Replayed(1, event, before, felt.table.state, felt.table.context(stamp), effects)
    (data,) = (data for kind, data in trouble(done) if kind is Kind.SIGNED)
    entry = {key: value for key, value in json.loads(json.dumps(data)).items() if value is not None}
    [label] = sign_keys(catalogue("en"), {**item, "signs": [key]})
    assert values(catalogue("en"), entry)["kept"] == label.removeprefix("Sign: ")
