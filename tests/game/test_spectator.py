"""A spectator gets the chips and the open cards of the table, but no prompts, alerts or holds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from controller.game.model.names import Wager
from controller.game.showing.spectator import spectator
from tests.display.test_view_schema import SCHEMA, fits, moments
from tests.game.felt import Felt
from tests.game.test_irregularities import dealt, settling

FELT = {"table", "rules_title", "round", "phase", "cross", "bonus_cards", "seats"}


def keys_of(node: Any) -> Iterator[str]:
    """Yield every key of the view, at any depth."""
    if isinstance(node, dict):
        for key, below in node.items():
            yield key
            yield from keys_of(below)
    elif isinstance(node, list):
        for below in node:
            yield from keys_of(below)


def seen(felt: Felt) -> dict[str, Any]:
    return json.loads(json.dumps(spectator(felt.table.view())))


@pytest.mark.parametrize("view", moments())
def test_the_view_has_exactly_its_declared_fields(view: Any) -> None:
    shown = spectator(view)
    assert set(shown) == FELT
    assert fits(json.loads(json.dumps(shown)), {"$ref": "#/$defs/Spectator"})
    keys = set(keys_of(shown)) - set(Wager)
    house = {"prompt", "next", "alerts", "hold", "keys", "dealer", "should", "due", "signatures", "waiting"}
    assert not keys & house
    assert "Spectator" in SCHEMA["$defs"]


def test_the_view_has_no_dealer_badge_alert_or_reason_of_a_stop() -> None:
    stopped = dealt()
    stopped.report("community_exposed", place="middle")
    shown = seen(stopped)
    assert shown["phase"] == "stopped"
    assert "community_exposed" not in json.dumps(shown)


def test_a_wager_s_result_is_shown_when_it_is_settled() -> None:
    """Seat 1 wins across: its ante and bet are paid and show their results. The wagers not yet settled show
    none."""
    circles = seen(settling())["seats"][0]["circles"]
    done = {wager: circle["result"] for wager, circle in circles.items() if circle["result"]}
    assert done == {"ante_across": "win", "across": "win"}


def test_the_view_shows_no_face_of_a_face_down_card() -> None:
    shown = seen(dealt())
    lying = [*shown["cross"].values(), *(card for seat in shown["seats"] for card in seat["cards"])]
    assert lying
    assert {card["face"] for card in lying if card["lies"] != "up"} == {None}
    assert not any(seat["hands"] for seat in shown["seats"])
