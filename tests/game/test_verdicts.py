"""`judge.judge` names the fault of a circle and the right amount in it, for every verdict.

58 Pa. Code § 674a.7(c) (wagers do not change after the close), .11(g)-(i) (each wager is settled in its
turn); tests/scenarios/FORMAT.md "Meaning of some steps".
"""

from __future__ import annotations

import pytest

from controller.game.model.events import Chip, CircleRead, CircleUnreadable, Stamp
from controller.game.model.evolve import evolve
from controller.game.model.names import Circle, Method, Wager
from controller.game.model.state import Holding, Reading
from controller.game.model.transition import Transition
from controller.game.table import NEXT
from controller.game.watching import watch
from controller.game.watching.judge import Verdict, duplicate_circles, judge
from tests.game.felt import Felt
from tests.game.settlements import dealt

LOSES_ACROSS = "JC 7D 2H 8S 4C"
"""Cross with which JH 3D loses Across and wins Down by a pair of jacks (1 to 1), so Middle wins."""
PUSHES_DOWN = "TC 7D 2H 8S 4C"
"""Cross with which TH 3D loses Across and pushes Down by a pair of 10s, so Middle pushes too."""
PUSHES = "2C 7D TH JS 4C"
"""Cross with which every wager of TD 9S pushes."""


def verdict_for(felt: Felt, seat: int, wager: str, dollars: float) -> tuple[str, int | None] | None:
    """Return the verdict for a circle that contains `dollars` while nothing else has moved."""
    circle = Circle(seat, Wager(wager))
    chips = (Chip("04FFFFFFFFFFFF", int(dollars * 100)),) if dollars else ()
    play = Transition(felt.table.state, felt.table.context(Stamp(felt.ms, "")), NEXT)
    watch.read(play, CircleRead(*circle, chips))
    verdict = judge(play.state, circle, duplicate_circles(play.state))
    return None if verdict is None else (verdict.code, verdict.should)


TAKE_DUE = [(0, None), (5, None), (10, None), (10.01, ("overpaid", 0)), (15, ("overpaid", 0))]
TAKE_LATER = [
    (0, ("settled_out_of_order", 1000)),
    (5, ("settled_out_of_order", 1000)),
    (10, None),
    (15, ("wrong_circle", 1000)),
    (20, ("wrong_circle", 1000)),
]
PAY_LATER = [
    (0, ("bet_changed", 1000)),
    (5, ("bet_changed", 1000)),
    (10, None),
    (15, ("wrong_circle", 1000)),
    (20, ("settled_out_of_order", 1000)),
    (25, ("wrong_circle", 1000)),
]
PAY_DUE = [
    (0, ("bet_changed", 1000)),
    (9.99, ("bet_changed", 1000)),
    (10, None),
    (15, None),
    (20, None),
    (20.01, ("overpaid", 2000)),
]
PAID = [(0, None), (10, None), (20, None), (20.01, ("overpaid", 2000))]
TAKEN = [(0, None), (0.01, ("wrong_circle", 0)), (10, ("wrong_circle", 0))]
PUSH_DUE = [
    (0, ("push_disturbed", 1000)),
    (9.99, ("push_disturbed", 1000)),
    (10, None),
    (10.01, ("overpaid", 1000)),
]
PUSH_LATER = [
    (0, ("push_disturbed", 1000)),
    (9.99, ("push_disturbed", 1000)),
    (10, None),
    (10.01, ("wrong_circle", 1000)),
    (20, ("wrong_circle", 1000)),
]
PUSHED = [
    (9.99, ("push_disturbed", 1000)),
    (10, None),
    (10.01, ("overpaid", 1000)),
]
Answers = list[tuple[float, tuple[str, int] | None]]


def check(felt: Felt, seat: int, wager: str, answers: Answers) -> None:
    assert [(dollars, verdict_for(felt, seat, wager, dollars)) for dollars, _ in answers] == answers


def test_a_take_is_judged_by_whether_it_is_due() -> None:
    felt = dealt(LOSES_ACROSS, {3: "JH 3D"})
    check(felt, 3, "ante_across", TAKE_DUE)
    check(felt, 3, "across", TAKE_LATER)
    felt.settle_one()
    check(felt, 3, "ante_across", TAKEN)
    check(felt, 3, "across", TAKE_DUE)


def test_a_payout_is_judged_before_at_and_after_its_step() -> None:
    felt = dealt(LOSES_ACROSS, {3: "JH 3D"})
    check(felt, 3, "ante_down", PAY_LATER)
    felt.settle_one()
    felt.settle_one()
    check(felt, 3, "ante_down", PAY_DUE)
    check(felt, 3, "down", PAY_LATER)
    felt.settle_one()
    check(felt, 3, "ante_down", PAID)


def test_a_push_must_not_move_until_its_seat_is_settled() -> None:
    felt = dealt(PUSHES_DOWN, {2: "AH 9D", 3: "TH 3D"})
    check(felt, 3, "ante_down", PUSH_LATER)
    felt.settle_one()
    felt.settle_one()
    check(felt, 3, "ante_down", PUSH_DUE)
    check(felt, 3, "down", PUSH_DUE)
    felt.settle_one()
    check(felt, 3, "ante_down", PUSHED)
    felt.settle_one()
    felt.settle_one()
    felt.stand()
    check(felt, 3, "ante_down", [(0, None), (9.99, None), (10, None), (10.01, ("overpaid", 1000))])


def test_the_step_after_pushes_may_be_done_at_once() -> None:
    felt = dealt(PUSHES, {3: "TD 9S"}, bonus=5)
    assert felt.prompt["kind"] == "push"
    check(felt, 3, "five_card_bonus", [(0, None), (5, None), (5.01, ("overpaid", 0))])
    check(felt, 3, "middle", PUSH_DUE)


def test_a_circle_without_a_wager_must_be_empty() -> None:
    felt = dealt(LOSES_ACROSS, {3: "JH 3D"})
    for wager in ("five_card_bonus", "six_card_bonus"):
        check(felt, 3, wager, [(0, None), (0.01, ("wrong_circle", 0))])
    check(felt, 5, "across", [(0, None), (0.01, ("wrong_circle", 0))])
    check(felt, 5, "ante_across", [(0, None), (0.01, ("late_bet", 0))])
    check(felt, 5, "five_card_bonus", [(0, None), (0.01, ("late_bet", 0))])


def test_with_unknown_cards_the_wager_must_not_change() -> None:
    felt = Felt(method=Method.HAND).closed(2, 3)
    felt.deal_all([])
    faces = iter(("7D", "8S", "JC", "4C", "2H", "JH", "3D", "AH", "9D"))
    while felt.prompt["kind"] != "take":
        prompt = felt.prompt
        if prompt["kind"] == "ask":
            felt.bet(10)
        elif prompt["kind"] == "enter_face":
            felt.enter(prompt["places"][0], next(faces))
        else:
            felt.press("confirm")
    before = [(0, ("settled_out_of_order", 1000)), (9.99, ("bet_changed", 1000)), (10, None)]
    check(felt, 2, "ante_across", [*before, (10.01, ("settled_out_of_order", 1000))])
    check(felt, 2, "middle", [*before, (20, ("settled_out_of_order", 1000))])


def test_wagers_of_a_fold_may_shrink_until_taken() -> None:
    felt = Felt().dealt(LOSES_ACROSS, {2: "AH 9D", 3: "JH 3D"}, five_card_bonus=5)
    felt.bet(10)
    felt.fold()
    more = [(0, None), (10, None), (10.01, ("bet_changed", 1000))]
    check(felt, 3, "ante_across", more)
    check(felt, 3, "five_card_bonus", [(0, ("bet_changed", 500)), (5, None), (5.01, ("bet_changed", 500))])
    check(felt, 3, "across", [(0, None), (0.01, ("bet_out_of_turn", 0))])
    felt.lay(3, ante_across=0)
    check(felt, 3, "ante_across", [(0, None), (0.01, ("late_bet", 0))])
    check(felt, 3, "ante_down", more)


def test_wagers_must_not_change_from_the_close_to_the_settlement() -> None:
    felt = Felt().dealt(LOSES_ACROSS, {2: "AH 9D", 3: "JH 3D"})
    changed = [(0, ("bet_changed", 1000)), (9.99, ("bet_changed", 1000)), (10, None)]
    check(felt, 2, "ante_down", [*changed, (10.01, ("bet_changed", 1000))])
    check(felt, 2, "five_card_bonus", [(0, None), (5, ("late_bet", 0))])
    check(felt, 2, "across", [(0, None), (0.01, None), (20, None)])
    check(felt, 2, "down", [(0, None), (0.01, ("bet_out_of_turn", 0))])
    check(felt, 5, "across", [(0, None), (10, ("bet_out_of_turn", 0))])
    check(felt, 5, "ante_down", [(0, None), (10, ("late_bet", 0))])
    felt.bet(10)
    check(felt, 2, "across", [*changed, (10.01, ("bet_out_of_turn", 1000))])
    felt.bet(10)
    check(felt, 3, "across", [*changed, (10.01, ("bet_out_of_turn", 1000))])
    check(felt, 3, "down", [(0, None), (10, ("bet_out_of_turn", 0))])


@pytest.mark.parametrize(
    ("reading", "code"),
    [("none", None), ("not_fitted", None), ("silent", "reader_lost"), ("unstable", "reading_unstable")],
)
def test_an_unread_circle_is_judged_only_by_its_reader(reading: Reading, code: str | None) -> None:
    felt = dealt(LOSES_ACROSS, {3: "JH 3D"})
    state = felt.table.state
    row = state.holdings[3] | {Wager.DOWN: Holding((), reading)}
    state = evolve(state, holdings=state.holdings | {3: row})
    verdict = judge(state, Circle(3, Wager.DOWN), duplicate_circles(state))
    assert verdict == (None if code is None else Verdict(code))


def test_a_difference_is_read_again_before_an_alert() -> None:
    """A single reading of a stack that was touched may be wrong, so the table waits for the next one."""
    felt = dealt(LOSES_ACROSS, {3: "JH 3D"})
    away = Circle(3, Wager.FIVE_CARD_BONUS)
    assert away not in felt.table.watch()
    felt.event(CircleRead(*away, (Chip("04AA", 500),)))
    assert (away in felt.table.watch(), felt.codes()) == (True, [])
    felt.event(CircleRead(*away, ()))
    assert away not in felt.table.watch()


def test_an_unreadable_circle_does_not_delay_the_others() -> None:
    felt = dealt(LOSES_ACROSS, {3: "JH 3D"})
    felt.event(CircleUnreadable(5, Wager.DOWN, "silent"))
    assert Circle(5, Wager.DOWN) not in felt.table.watch()
