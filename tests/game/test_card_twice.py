"""If the same card occurs twice, the table reports it at once if the shoe has read both, and otherwise when
the other card is turned.

config/rules/RULES.md, Irregularities; controller/game/IRREGULARITIES.md, "A card twice".
"""

from __future__ import annotations

from controller.game.model.events import KeyPressed, StackTaken, StubTaken
from controller.game.model.names import Circle, Key, Phase, Wager
from controller.game.rulebook.wagers import Refusal
from controller.game.showing.lamps import LampState
from tests.game.felt import Felt
from tests.game.test_irregularities import closed, held
from tests.recompute import differences


def mistyped() -> Felt:
    """Return a table at which the unread middle card was entered by mistake as a king that seat 1 holds; seat
    2 has been settled."""
    felt = closed()
    felt.stack(["2C", "7D", None, "JS", "4C"])
    felt.event(StackTaken())
    for hand in ("AS KD", "2H 3H"):
        felt.stack(hand.split())
        felt.event(StackTaken())
    felt.event(StubTaken(52 - felt.out))
    for _ in range(3):
        felt.decide(s1=10, s2=10)
    felt.enter("middle", "KD")
    while felt.prompt["kind"] != "turn_seat" or felt.prompt["seat"] != 1:
        felt.settle_one()
    assert (felt.phase, felt.codes()) == (Phase.SETTLEMENT, [])
    return felt


def test_a_wrongly_entered_face_is_held_when_the_other_card_is_turned() -> None:
    felt = mistyped()
    felt.press("confirm")
    assert held(felt) == ("duplicate_card", "remove_deck", ("remove_deck",))
    hold = felt.table.view()["hold"]
    assert hold is not None and (hold["place"], hold["seat"]) == ("middle", None)


def test_a_withdrawn_face_causes_a_new_settlement() -> None:
    felt = mistyped()
    paid = felt.round.ledger.of_seat(2)
    felt.press("confirm")
    felt.floor("refuse")
    assert felt.prompt == felt.prompt | {"kind": "enter_face", "places": ["middle"], "seat": None}
    assert felt.refused(KeyPressed(Key.CONFIRM)) == Refusal("enter_face", "")
    felt.stand(5_000)
    assert (felt.phase, felt.codes(), felt.round.ledger.of_seat(2)) == (Phase.SETTLEMENT, [], paid)
    assert not set(felt.table.lamps().values()) & {LampState.TAKE, LampState.PUSH, LampState.PAY}
    felt.enter("middle", "7C")
    while felt.phase is Phase.SETTLEMENT:
        prompt = felt.prompt
        if prompt["kind"] == "put_back":  # a pair of sevens pushes: the taken wager is back in the circle
            felt.pay(prompt["seat"], prompt["wager"], prompt["amount"])
        else:
            felt.settle_one()
    assert differences(felt.records[-1]) == []


def test_a_push_put_back_and_swept_again_is_not_the_player_s() -> None:
    felt = mistyped()
    felt.press("confirm")
    felt.floor("refuse")
    felt.enter("middle", "7C")
    while felt.prompt["kind"] != "put_back":
        felt.settle_one()
    seat, wager, amount = (felt.prompt[key] for key in ("seat", "wager", "amount"))
    felt.pay(seat, wager, amount)
    felt.lay(seat, **{wager: 0})
    felt.stand()
    assert [(alert["code"], alert["seat"], alert["wager"]) for alert in felt.table.view()["alerts"]] == [
        ("push_disturbed", seat, wager)
    ]
    row = felt.round.ledger.row(Circle(seat, Wager(wager)))
    assert (row.unexplained, row.player) == (amount, -amount)


def test_a_seat_forfeited_meanwhile_is_not_settled() -> None:
    felt = mistyped()
    felt.press("confirm")
    felt.floor("refuse")
    felt.floor("forfeit", seat=1, code="player_left")
    assert (felt.phase, felt.prompt["kind"]) == (Phase.SETTLEMENT, "enter_face")


def test_a_wrongly_entered_face_of_a_card_set_aside_is_taken_back() -> None:
    felt = closed()
    felt.card(None, "face_up")
    felt.enter("set_aside", "7D")
    felt.deal_all(["2C", "7D", "TH", "JS", "4C", "AS", "KD", "2H", "3H"])
    assert felt.phase is Phase.ACROSS
    felt.decide(s1=10, s2=10)
    assert held(felt)[0] == "duplicate_card"
    felt.floor("refuse")
    assert (felt.phase, felt.round.deal.set_aside) == (Phase.DOWN, (None,))
    felt.enter("set_aside", "3C")
    assert felt.round.deal.set_aside == ("3C",)
