"""The dealer reads each refusal of a key in exactly these words (58 Pa. Code § 674a.7 to .11)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.game.model import events
from controller.game.model.irregularities import Code
from controller.game.model.names import Key, Phase, Wager
from controller.game.rulebook.wagers import Refusal
from tests.game.felt import Felt
from tests.game.test_irregularities import CROSS, HANDS, closed, dealt


def why(felt: Felt, key: Key) -> tuple[str, str] | None:
    refusal: Refusal | None = felt.refused(events.KeyPressed(key))
    return None if refusal is None else (refusal.code, refusal.citation)


def test_refusals_of_no_more_bets_state_the_reason() -> None:
    felt = Felt()
    felt.does_shuffle = False
    felt.antes(1)
    felt.event(events.ShoeStated("EMPTY", None, 0, None, "STACK"))
    assert why(felt, Key.NO_MORE_BETS) == ("shoe_not_ready", "")
    felt.event(events.ShoeStated("READY", 52, 0, "RED", "STACK", resumed=True))
    assert why(felt, Key.NO_MORE_BETS) is None
    felt.press("no_more_bets")
    assert why(felt, Key.NO_MORE_BETS) == ("not_now", "")
    felt.swept()
    assert why(felt, Key.NO_MORE_BETS) == ("not_now", "")


def test_refusals_of_fold_state_the_reason() -> None:
    felt = closed()
    assert why(felt, Key.FOLD) == ("not_now", "")
    felt = dealt()
    assert why(felt, Key.FOLD) is None
    felt.decide(s1=10, s2=10)
    felt.decide(s1=10, s2=10)
    felt.decide(s1=10, s2=10)
    assert why(felt, Key.FOLD) == ("not_now", "")


def test_confirm_is_refused_without_a_bet() -> None:
    felt = dealt()
    assert why(felt, Key.CONFIRM) == ("no_bet", felt.pack.cite("bet_multiples"))


def test_confirm_is_refused_while_a_fold_is_collected() -> None:
    """CONFIRM is refused while the reader still sees chips in the circle."""
    felt = dealt()
    felt.fold()
    felt.bet(10)
    assert (felt.prompt["kind"], why(felt, Key.CONFIRM)) == ("collect", ("chips_still_there", ""))
    felt.event(events.CircleUnreadable(1, Wager.ANTE_ACROSS, "silent"))
    assert why(felt, Key.CONFIRM) is None


def test_confirm_is_refused_while_the_shoe_deals() -> None:
    felt = closed()
    assert why(felt, Key.CONFIRM) == ("shoe_deals", "")
    felt.stacks(CROSS, HANDS)
    assert why(felt, Key.CONFIRM) == ("take_the_stub", "")


def test_confirm_is_refused_if_the_table_waits_for_no_one() -> None:
    felt = Felt()
    assert why(felt, Key.CONFIRM) == ("not_now", "")


@pytest.mark.parametrize("preshuffled", [True, False])
def test_each_opening_step_has_its_prompt_and_section(preshuffled: bool) -> None:
    felt = Felt()
    felt.floor("close")
    felt.press("confirm")
    assert (felt.prompt["kind"], felt.prompt["citation"]) == ("deck_needed", felt.pack.cite("opening"))
    felt.event(events.DeckBrought("BLUE", preshuffled=preshuffled))
    sections = {}
    while felt.phase is Phase.OPENING:
        sections[felt.prompt["step"]] = felt.prompt["citation"]
        felt.floor("sign") if felt.refused(events.KeyPressed(Key.CONFIRM)) else felt.press("confirm")
    steps = ("cut",) if preshuffled else felt.pack.opening
    cites = {step: f"duties.{step}" if step in ("cut", "shuffle") else f"opening.{step}" for step in steps}
    assert sections == {step: felt.pack.cite(cited) for step, cited in cites.items()}


def test_a_refused_touch_has_no_effect_although_it_was_journalled() -> None:
    """The touch was valid when it was checked, but another event may make it invalid before it takes
    effect."""
    felt = Felt()
    before = felt.table.state
    for event in (
        events.KeyPressed(Key.FOLD),
        events.FloorDecided("B1", "sign"),
        events.Reported(Code.HAND_LEFT, seat=3),
    ):
        assert felt.table.verify(event) is not None
        assert felt.table.handle(event, events.Stamp(felt.ms, "")) == []
        assert replace(felt.table.state, version=before.version) == before
