"""A player is never paid with another player's chips, but the dealer may pay with chips that the house has
collected (controller/game/TABLE.md "When it is paid wrongly"; config/rules/RULES.md "Settlement")."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.game.model.events import Chip, CircleRead, KeyPressed
from controller.game.model.names import Circle, Key, Phase, Wager
from controller.game.model.procedures import PROCEDURES
from tests.game.felt import Felt
from tests.game.settlements import JACKS_DOWN, alerts, dealt, finish

TWO_JACKS = {2: "JH 3D", 5: "JD 3S"}
"""Cards of two seats that lose Across and win Down by a pair of jacks, 1 to 1."""


def settled_first() -> Felt:
    """Return a table at which seat 5 is settled and its winnings still lie in their circles. The payout of
    seat 2's Ante Down is due."""
    felt = dealt(JACKS_DOWN, TWO_JACKS)
    while (felt.prompt["kind"], felt.prompt["seat"], felt.prompt["wager"]) != ("pay", 2, "ante_down"):
        felt.settle_one()
    felt.stand()
    return felt


def move(felt: Felt, count: int) -> tuple[Chip, ...]:
    """Move the topmost `count` chips of seat 5's Down to seat 2's Ante Down."""
    theirs = felt.table.state.holding(5, Wager.DOWN).chips
    moved, left = theirs[len(theirs) - count :], theirs[: len(theirs) - count]
    felt.event(CircleRead(5, Wager.DOWN, left))
    mine = felt.table.state.holding(2, Wager.ANTE_DOWN).chips
    felt.event(CircleRead(2, Wager.ANTE_DOWN, (*mine, *moved)))
    return moved


def test_a_payout_with_a_neighbour_s_winnings_does_not_count() -> None:
    felt = settled_first()
    move(felt, 1)
    felt.stand()
    assert alerts(felt) == [("wrong_circle", 2, "ante_down")]
    assert (felt.prompt["kind"], felt.prompt["seat"], felt.prompt["wager"]) == ("hand_back", 2, "ante_down")
    assert felt.table.view()["alerts"][0]["should"] == 1000
    assert felt.prompt["amount"] == 1000


def test_the_alert_is_updated_when_more_chips_are_laid() -> None:
    felt = settled_first()
    move(felt, 1)
    felt.stand()
    before = felt.table.view()["alerts"][0]
    felt.pay(2, "ante_down", 500)
    after = felt.table.view()["alerts"][0]
    assert (after["id"], after["code"]) == (before["id"], "wrong_circle")
    assert (before["should"], after["should"]) == (1000, 1500)


def test_confirm_does_not_turn_a_neighbour_s_chips_into_a_payout() -> None:
    """Seat 2 has the right sum and is not underpaid, so the alert names the owner of the chips instead."""
    felt = settled_first()
    move(felt, 1)
    assert felt.refused(KeyPressed(Key.CONFIRM)) is not None
    felt.stand()
    assert felt.refused(KeyPressed(Key.CONFIRM)) is not None
    assert alerts(felt) == [("wrong_circle", 2, "ante_down")]
    assert felt.prompt["wager"] == "ante_down"


def test_the_alert_ends_when_the_payout_comes_from_the_tray() -> None:
    felt = settled_first()
    move(felt, 1)
    felt.stand()
    felt.lay(2, ante_down=10)
    felt.lay(5, down=20)
    assert felt.codes() == []
    finish(felt)
    assert felt.result(2, "ante_down")["verified"]


def test_chips_taken_by_the_house_may_be_paid_out_again() -> None:
    """The chips are those of seat 5's losing Ante Across, collected just before."""
    felt = dealt(JACKS_DOWN, TWO_JACKS)
    taken = felt.table.state.holding(5, Wager.ANTE_ACROSS).chips
    while (felt.prompt["kind"], felt.prompt["seat"], felt.prompt["wager"]) != ("pay", 2, "ante_down"):
        felt.settle_one()
    mine = felt.table.state.holding(2, Wager.ANTE_DOWN).chips
    felt.event(CircleRead(2, Wager.ANTE_DOWN, (*mine, *taken)))
    felt.stand()
    assert felt.codes() == []
    assert felt.prompt["wager"] == "down"


def patron_on_two_boxes(procedures: int) -> Felt:
    """Return a table with one patron on seats 2 and 3. Seat 3's Down is paid, and half of its chips were
    moved to seat 2's Ante Down, whose payout is due."""
    felt = Felt()
    felt.floor("player", seats=(2, 3))
    for seat in (2, 3):
        felt.antes(seat)
    felt.close()
    felt.deal(JACKS_DOWN, {2: "JH 3D", 3: "JD 3S"})
    felt.table.state = replace(felt.table.state, procedures=procedures)
    for _ in range(3):
        felt.decide(s2=10, s3=10)
    while (felt.prompt["kind"], felt.prompt["seat"], felt.prompt["wager"]) != ("pay", 2, "ante_down"):
        felt.settle_one()
    felt.stand()
    theirs = felt.table.state.holding(3, Wager.DOWN).chips
    felt.event(CircleRead(3, Wager.DOWN, theirs[:1]))
    mine = felt.table.state.holding(2, Wager.ANTE_DOWN).chips
    felt.event(CircleRead(2, Wager.ANTE_DOWN, (*mine, *theirs[1:])))
    felt.stand()
    return felt


def test_a_patron_s_winnings_pay_no_other_box_of_the_patron() -> None:
    felt = patron_on_two_boxes(PROCEDURES)
    assert alerts(felt) == [("wrong_circle", 2, "ante_down")]
    assert (felt.prompt["kind"], felt.prompt["wager"]) == ("hand_back", "ante_down")
    felt.lay(2, ante_down=10)
    felt.lay(3, down=20)
    assert felt.codes() == []
    finish(felt)
    assert felt.result(2, "ante_down")["verified"]


def test_an_older_journal_keeps_a_payout_with_winnings_of_the_same_patron() -> None:
    felt = patron_on_two_boxes(9)
    assert felt.codes() == []
    assert felt.round.ledger.row(Circle(2, Wager.ANTE_DOWN)).settled is not None


def paid_with_own_winnings() -> Felt:
    """Return a table at which seat 3's Down is to be paid. The chips of its paid Ante Down were moved to it
    instead."""
    felt = dealt(JACKS_DOWN, {3: "JH 3D"})
    while (felt.prompt["kind"], felt.prompt["wager"]) != ("pay", "down"):
        felt.settle_one()
    felt.stand()
    won, down = (felt.table.state.holding(3, wager).chips for wager in (Wager.ANTE_DOWN, Wager.DOWN))
    felt.event(CircleRead(3, Wager.ANTE_DOWN, won[:1]))
    felt.event(CircleRead(3, Wager.DOWN, (*down, *won[1:])))
    felt.stand()
    assert alerts(felt) == [("wrong_circle", 3, "down")]
    return felt


def test_a_player_s_own_winnings_are_signed_as_they_lie() -> None:
    felt = paid_with_own_winnings()
    felt.floor("sign", seat=3, wager=Wager.DOWN, reason="counted")
    assert felt.codes() == []
    finish(felt)
    assert felt.records[-1]["outcome"] == "settled"
    assert not felt.result(3, "down")["verified"]


def test_winnings_placed_on_a_settled_wager_s_empty_circle_are_the_player_s() -> None:
    """The player has taken up Ante Down and Down, and then lays chips of one wager in the circle of the
    other."""
    felt = dealt(JACKS_DOWN, {3: "JH 3D"})
    while (felt.prompt["kind"], felt.prompt["wager"]) != ("pay", "middle"):
        felt.settle_one()
    felt.stand()
    won = felt.table.state.holding(3, Wager.ANTE_DOWN).chips
    felt.event(CircleRead(3, Wager.DOWN, ()))
    felt.event(CircleRead(3, Wager.ANTE_DOWN, ()))
    felt.event(CircleRead(3, Wager.DOWN, won))
    felt.stand()
    assert felt.codes() == []


def test_a_void_asks_for_winnings_once_that_lie_on_another_wager() -> None:
    """The tray has paid $10 for Ante Down, and these chips lie on Down. The tray gets back what it has paid,
    and the player gets five wagers of $10."""
    felt = paid_with_own_winnings()
    felt.report("wrong_count", seat=3, number=3)
    felt.floor("approve")
    gain = 0
    while felt.phase is Phase.VOID:
        prompt = felt.prompt
        kind, cents = prompt["kind"], prompt["amount"]
        gain += {"return_wager": cents, "refund": cents, "ask_back": -cents}.get(kind, 0)
        if kind in ("refund", "ask_back"):
            felt.press("confirm")
            continue
        rest = felt.table.state.amount(3, Wager(prompt["wager"])) - cents
        felt.lay(3, **{prompt["wager"]: rest // 100})
    assert gain == 5 * 1000


def test_chips_taken_from_a_live_wager_are_named_before_the_next_step() -> None:
    """The payout is right, but the wager from which its chips were taken is now short. The prompt waits until
    an alert has named this wager."""
    felt = dealt(JACKS_DOWN, {2: "JH 3D", 5: "JD 3S"})
    while (felt.prompt["kind"], felt.prompt["seat"], felt.prompt["wager"]) != ("pay", 5, "ante_down"):
        felt.settle_one()
    theirs = felt.table.state.holding(2, Wager.MIDDLE).chips
    mine = felt.table.state.holding(5, Wager.ANTE_DOWN).chips
    felt.event(CircleRead(5, Wager.ANTE_DOWN, (*mine, *theirs)))
    assert felt.prompt["wager"] == "ante_down"
    felt.event(CircleRead(2, Wager.MIDDLE, ()))
    assert (felt.prompt["wager"], felt.codes()) == ("ante_down", [])
    felt.stand()
    assert alerts(felt) == [("settled_out_of_order", 2, "middle"), ("wrong_circle", 5, "ante_down")]
    assert felt.prompt["wager"] == "ante_down"


def test_a_payout_with_a_losing_wager_still_to_be_taken_does_not_count() -> None:
    """The losing wager is the next to be taken. If the payout counted, its missing chips would never be
    noticed."""
    felt = dealt(JACKS_DOWN, TWO_JACKS)
    while (felt.prompt["kind"], felt.prompt["seat"], felt.prompt["wager"]) != ("pay", 5, "middle"):
        felt.settle_one()
    theirs = felt.table.state.holding(2, Wager.ANTE_ACROSS).chips
    mine = felt.table.state.holding(5, Wager.MIDDLE).chips
    felt.event(CircleRead(2, Wager.ANTE_ACROSS, theirs[1:]))
    felt.event(CircleRead(5, Wager.MIDDLE, (*mine, *theirs[:1])))
    felt.stand()
    assert ("wrong_circle", 5, "middle") in alerts(felt)
    assert felt.prompt["seat"] == 5


def test_a_step_done_early_raises_no_alert_for_later_steps() -> None:
    """Only the early step raises an alert; later steps in the right order raise none."""
    felt = dealt(JACKS_DOWN, {2: "JH 3D", 5: "JD 3S"})
    felt.lay(2, ante_across=0)
    felt.stand()
    assert ("settled_out_of_order", 2, "ante_across") in alerts(felt)
    felt.settle_one()
    felt.settle_one()
    felt.stand()
    assert alerts(felt) == [("settled_out_of_order", 2, "ante_across")]


def test_a_payout_with_the_player_s_own_unsettled_wager_does_not_count() -> None:
    """The chips come from the Down wager of the same seat, which is still to be paid."""
    felt = settled_first()
    theirs = felt.table.state.holding(2, Wager.DOWN).chips
    felt.event(CircleRead(2, Wager.DOWN, ()))
    mine = felt.table.state.holding(2, Wager.ANTE_DOWN).chips
    felt.event(CircleRead(2, Wager.ANTE_DOWN, (*mine, *theirs)))
    felt.stand()
    assert ("wrong_circle", 2, "ante_down") in alerts(felt)


def test_a_swept_wager_replaced_by_other_chips_is_the_player_s_when_signed() -> None:
    """The wager was swept by mistake and replaced by the house, so no part of it is a payout."""
    felt = dealt(JACKS_DOWN, TWO_JACKS)
    theirs = felt.table.state.holding(5, Wager.ANTE_DOWN).chips
    felt.lay(2, ante_down=0)
    felt.stand()
    felt.event(CircleRead(5, Wager.ANTE_DOWN, ()))
    felt.event(CircleRead(2, Wager.ANTE_DOWN, theirs))
    felt.stand()
    assert ("wrong_circle", 2, "ante_down") in alerts(felt)
    felt.floor("sign", seat=2, wager=Wager.ANTE_DOWN, reason="counted")
    row = felt.round.ledger.row(Circle(2, Wager.ANTE_DOWN))
    assert (row.circle, row.player, row.tray, row.house) == (1000, -1000, 0, 0)


def test_a_void_does_not_refund_chips_returned_with_another_wager() -> None:
    """The dealer takes Middle and pays Down with its chip, and the round is voided before this is corrected.
    The chip is returned with Down, so the tray must not refund Middle a second time."""
    felt = dealt(JACKS_DOWN, {3: "JH 3D"})
    while (felt.prompt["kind"], felt.prompt["wager"]) != ("pay", "down"):
        felt.settle_one()
    middle, down = (felt.table.state.holding(3, wager).chips for wager in (Wager.MIDDLE, Wager.DOWN))
    felt.event(CircleRead(3, Wager.MIDDLE, ()))
    felt.event(CircleRead(3, Wager.DOWN, (*down, *middle)))
    felt.stand()
    assert ("wrong_circle", 3, "down") in alerts(felt)
    felt.report("wrong_count", seat=3, number=3)
    felt.floor("approve")
    given = 0
    while felt.phase is Phase.VOID:
        prompt = felt.prompt
        given += 0 if prompt["kind"] == "take_back" else prompt["amount"]
        if prompt["kind"] == "refund":
            felt.press("confirm")
        else:
            rest = felt.table.state.amount(3, Wager(prompt["wager"])) - prompt["amount"]
            felt.lay(3, **{prompt["wager"]: rest // 100})
    assert given == 5 * 1000


def void_gains(felt: Felt) -> dict[int, int]:
    """Void the round and follow the prompts; return the cents that each seat receives from the void on."""
    felt.report("wrong_count", seat=2, number=3)
    felt.floor("approve")
    gains = dict.fromkeys(TWO_JACKS, 0)
    while felt.phase is Phase.VOID:
        prompt = felt.prompt
        kind, seat, cents = prompt["kind"], prompt["seat"], prompt["amount"]
        if kind in ("refund", "ask_back"):
            gains[seat] += cents if kind == "refund" else -cents
            felt.press("confirm")
            continue
        gains[seat] += cents if kind == "return_wager" else 0
        rest = felt.table.state.amount(seat, Wager(prompt["wager"])) - cents
        felt.lay(seat, **{prompt["wager"]: rest // 100})
    return gains


@pytest.mark.parametrize(("procedures", "fifth"), [(PROCEDURES, 5000), (6, 6000)])
def test_a_void_returns_a_neighbour_s_wager_to_the_neighbour(procedures: int, fifth: int) -> None:
    """The dealer pays seat 5's Ante Down with seat 2's Middle, and the round is voided before that is
    corrected. Each player gets five wagers of $10 back, whichever chips are handed over first."""
    felt = dealt(JACKS_DOWN, TWO_JACKS)
    felt.table.state = replace(felt.table.state, procedures=procedures)
    while (felt.prompt["kind"], felt.prompt["seat"], felt.prompt["wager"]) != ("pay", 5, "ante_down"):
        felt.settle_one()
    theirs = felt.table.state.holding(2, Wager.MIDDLE).chips
    felt.event(CircleRead(2, Wager.MIDDLE, ()))
    mine = felt.table.state.holding(5, Wager.ANTE_DOWN).chips
    felt.event(CircleRead(5, Wager.ANTE_DOWN, (*mine, *theirs)))
    felt.stand()
    assert ("wrong_circle", 5, "ante_down") in alerts(felt)
    assert void_gains(felt) == {2: 5000, 5: fifth}


def test_a_void_does_not_request_winnings_that_lie_in_a_neighbour_s_circle() -> None:
    """Seat 5 has taken up its three winnings of $10 each, and one of these chips pays seat 2. The tray takes
    that chip back and asks seat 5 for the two others."""
    felt = settled_first()
    move(felt, 1)
    for wager in ("ante_down", "down", "middle"):
        felt.lay(5, **{wager: 0})
    felt.stand()
    assert ("wrong_circle", 2, "ante_down") in alerts(felt)
    gains = void_gains(felt)
    assert gains[2] == 5000
    assert gains[5] == 2 * 1000 - 2 * 1000  # two lost antes and bets, less the winnings that the player has


def test_replaced_chips_may_be_paid_out_again() -> None:
    """The dealer takes a wager by mistake, lays other chips in its circle, and pays a neighbour with the
    chips taken first."""
    felt = dealt(JACKS_DOWN, TWO_JACKS)
    first = felt.table.state.holding(5, Wager.MIDDLE).chips
    felt.lay(5, middle=0)
    felt.lay(5, middle=10)
    while (felt.prompt["kind"], felt.prompt["seat"], felt.prompt["wager"]) != ("pay", 2, "ante_down"):
        felt.settle_one()
    mine = felt.table.state.holding(2, Wager.ANTE_DOWN).chips
    felt.event(CircleRead(2, Wager.ANTE_DOWN, (*mine, *first)))
    felt.stand()
    assert felt.codes() == []
    assert felt.prompt["wager"] == "down"
