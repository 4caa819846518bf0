"""The FLOOR key calls a floorperson, whose screen then offers exactly the decisions that are possible.

House procedure: controller/game/phases/floor.py.
"""

from __future__ import annotations

from typing import Any

import pytest

from controller.game.model import events
from controller.game.model.cards import Card
from controller.game.model.irregularities import DealerReport
from controller.game.model.names import Key
from controller.game.phases import floor
from tests.game.felt import Felt
from tests.game.test_irregularities import dealt, settling
from tests.game.test_view import at_middle_prompt

FLOOR = events.KeyPressed(Key.FLOOR)


def test_a_second_press_does_not_withdraw_the_call() -> None:
    felt = Felt()
    felt.event(FLOOR)
    assert felt.refusal_code(FLOOR) == "floor_called"
    felt.table.handle(FLOOR, events.Stamp(felt.ms, ""))
    assert felt.table.view()["floor_called"]
    felt.floor("answer")
    assert not felt.table.view()["floor_called"]
    assert felt.refusal_code(events.FloorDecided("B1", "answer")) == "not_called"


@pytest.mark.parametrize("decision", ["recut", "shuffle", "close"])
def test_a_decision_answers_the_call(decision: str) -> None:
    felt = Felt()
    felt.event(FLOOR)
    felt.floor(decision)
    assert not felt.table.state.floor_called


def test_a_call_can_be_answered_while_play_is_held() -> None:
    felt = dealt()
    felt.event(FLOOR)
    felt.report("community_exposed", place="middle")
    felt.floor("answer")
    assert felt.table.state.hold is not None


@pytest.mark.parametrize("play", [Felt, dealt, settling])
def test_exactly_the_acceptable_decisions_are_offered(play: Any) -> None:
    felt = play()
    offered = felt.table.view()["floor"]
    for decision in ("recut", "shuffle", "close", "answer"):
        taken = felt.refused(events.FloorDecided("B1", decision)) is None
        assert (decision in offered["acts"]) is taken, decision
    for seat in range(1, 7):
        may = [
            felt.refused(events.FloorDecided("B1", "forfeit", seat=seat, code=code)) is None
            for code in felt.pack.forfeits
        ]
        assert (seat in offered["seats"]) is any(may), seat
    assert all(
        felt.refused(events.FloorDecided("B1", "outcome", outcome=each)) is None for each in offered["stops"]
    )
    assert ("stop" in offered["acts"]) is bool(offered["stops"])


def test_while_play_is_held_only_decisions_on_the_hold_are_offered() -> None:
    felt = dealt()
    felt.report("community_exposed", place="middle")
    assert set(felt.table.view()["floor"]["acts"]) <= {"correct"}


def test_every_key_of_a_hold_is_accepted_and_has_its_own_meaning() -> None:
    for rules in ("pennsylvania", "maryland"):
        for what in ("community_exposed", "player_left", "players_conferred", "wrong_count"):
            felt = dealt(rules)
            seat = felt.prompt["seat"]
            more = {"community_exposed": {"place": "middle"}, "wrong_count": {"seat": seat, "number": 1}}
            felt.report(what, **more.get(what, {"seat": seat}))
            keys = felt.table.view()["hold"]["decisions"]
            for key in keys:
                event = events.FloorDecided("B1", key["decision"], outcome=key["outcome"])
                assert felt.refused(event) is None, (rules, what, key)
            assert len({key["outcome"] or "not so" for key in keys}) == len(keys), (rules, what)


def test_both_readings_of_a_card_are_shown() -> None:
    felt = settling()
    felt.report("card_differs", place="middle", face=Card("9S"))
    read = felt.table.view()["cross"]["middle"]
    assert felt.table.view()["hold"]["readings"] == [
        {"place": "middle", "read": read, "said": {"lies": "up", "face": "9S"}}
    ]


def test_a_swap_with_a_turned_card_reveals_no_hidden_face() -> None:
    felt = at_middle_prompt()
    felt.event(events.CardsSwapped("across_left", "middle"))
    turned, down = felt.table.view()["hold"]["readings"]
    assert (turned["read"]["lies"], turned["said"]) == ("up", {"lies": "unknown", "face": None})
    assert down["read"] == down["said"] == {"lies": "down", "face": None}


def test_a_count_is_requested_again_before_play_is_held() -> None:
    felt = settling()
    due = 52 - felt.out
    once = events.Reported(DealerReport.STUB_COUNT, number=due - 1, once=True)
    refusal = felt.refused(once)
    assert refusal is not None
    assert (refusal.code, refusal.params) == ("count_again", {}), "no number: the second count is blind"
    assert felt.refused(events.Reported(DealerReport.STUB_COUNT, number=due, once=True)) is None
    felt.report("stub_count", number=due - 1)
    hold = felt.table.view()["hold"]
    assert hold["code"] == "deck_count"
    assert (hold["stub"]["counted"], hold["stub"]["expected"]) == (due - 1, due)


def test_a_jam_names_the_last_card() -> None:
    felt = Felt().closed(3)
    felt.card("2C")
    felt.card("7D")
    felt.event(events.ShoeFaulted("JAM"))
    hold = felt.table.view()["hold"]
    assert (hold["code"], hold["fault"], hold["number"]) == ("shoe_fault", "JAM", 2)


def test_the_hold_of_a_second_deck_names_its_number_and_forbidden_colour() -> None:
    felt = Felt(decks=2)
    felt.floor("close")
    felt.press("confirm")
    assert (felt.table.view()["deck"]["number"], felt.table.view()["deck"]["apart"]) == (1, None)
    felt.event(events.DeckBrought("RED", preshuffled=True))
    felt.press("confirm")
    assert (felt.table.view()["deck"]["number"], felt.table.view()["deck"]["apart"]) == (2, "red")


def test_a_deck_that_awaits_a_signature_is_listed_by_name() -> None:
    felt = Felt()
    felt.event(events.DeckBrought("BLUE"))
    while felt.refused(events.KeyPressed(Key.CONFIRM)) is None:
        felt.press("confirm")
    view = felt.table.view()
    assert (view["prompt"]["kind"], view["standing"]) == ("signature", "waiting")
    assert [item["step"] for item in view["waiting"]] == ["verify"]
    felt.floor("sign")
    assert felt.table.view()["waiting"] == []


def test_every_verified_decision_is_handled() -> None:
    assert set(floor.HANDLERS) == {"answer", *floor.VERIFIERS}
