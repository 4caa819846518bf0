"""After NO MORE BETS only invalid wagers may change: 58 Pa. Code § 674a.7(c), MGC § 6(c), Md. 7.C and 7.D."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import pytest

from controller.game.model.events import AmountEntered, CircleUnreadable
from controller.game.model.names import Circle, Method, Phase, Wager
from controller.game.model.procedures import PROCEDURES
from controller.game.showing.lamps import LampState
from controller.pages.display.words import render
from tests.game.felt import Felt
from tests.game.settlements import alerts
from tests.game.test_properties import WAYS


def called_off(rules: str = "pennsylvania", method: Method | None = None, ante: int = 10) -> Felt:
    """Return a table after NO MORE BETS whose bets cannot close: the antes of seat 1 are right, those of seat
    3 unequal."""
    felt = Felt(rules, method)
    felt.antes(1)
    felt.lay(3, ante_across=ante, ante_down=ante + 5)
    felt.close()
    assert felt.phase is Phase.BETTING
    return felt


def put_right(felt: Felt) -> None:
    felt.lay(3, ante_down=10)
    assert felt.phase is Phase.DEALING


def test_antes_that_another_player_lays_meanwhile_are_late() -> None:
    felt = called_off()
    felt.antes(5, ante=100)
    assert felt.table.lamps()[Circle(5, Wager.ANTE_DOWN)] is LampState.REFUSED
    put_right(felt)
    felt.stand()
    assert sorted(felt.round.seats) == [1, 3]
    assert alerts(felt) == [("late_bet", 5, "ante_across"), ("late_bet", 5, "ante_down")]
    felt.lay(5, ante_across=0, ante_down=0)
    assert alerts(felt) == []


def test_an_invalid_wager_of_a_late_seat_does_not_delay_the_close() -> None:
    felt = called_off()
    felt.lay(5, ante_across=100)
    put_right(felt)
    felt.stand()
    assert alerts(felt) == [("late_bet", 5, "ante_across")]


def test_chips_added_to_a_valid_wager_are_a_changed_bet() -> None:
    felt = called_off()
    felt.lay(1, ante_across=50, ante_down=50, five_card_bonus=5)
    put_right(felt)
    felt.stand()
    assert felt.round.seats[1].wagers == {Wager.ANTE_ACROSS: 1000, Wager.ANTE_DOWN: 1000}
    assert alerts(felt) == [
        ("bet_changed", 1, "ante_across"),
        ("bet_changed", 1, "ante_down"),
        ("late_bet", 1, "five_card_bonus"),
    ]


def test_a_chip_taken_from_a_valid_wager_is_a_changed_bet() -> None:
    felt = called_off()
    felt.lay(1, ante_across=5)
    put_right(felt)
    felt.stand()
    assert alerts(felt) == [("bet_changed", 1, "ante_across")]


def test_a_seat_that_withdraws_all_wagers_is_out_of_the_round() -> None:
    felt = called_off()
    felt.lay(1, ante_across=0, ante_down=0)
    put_right(felt)
    felt.stand()
    assert (sorted(felt.round.seats), alerts(felt)) == ([3], [])
    felt = called_off()
    felt.lay(3, ante_across=0, ante_down=0)
    assert (felt.phase, sorted(felt.round.seats)) == (Phase.DEALING, [1])


def test_a_second_ante_laid_after_the_press_is_late() -> None:
    felt = Felt()
    felt.antes(1)
    felt.lay(4, ante_across=10)
    felt.close()
    assert alerts(felt) == [("unequal_antes", 4, "ante_across")]
    felt.lay(4, ante_down=10)
    felt.stand()
    assert sorted(felt.round.seats) == [1]
    assert alerts(felt) == [("late_bet", 4, "ante_across"), ("late_bet", 4, "ante_down")]


RAISED = (Wager.ANTE_ACROSS, Wager.ANTE_DOWN, Wager.FIVE_CARD_BONUS)


@pytest.mark.parametrize(("rules", "method"), WAYS)
@pytest.mark.parametrize("order", list(permutations(RAISED)))
def test_chips_laid_after_the_press_never_count(rules: str, method: Method, order: tuple[Wager, ...]) -> None:
    """§ 674a.7(c), MGC § 6(c), Md. 7.D: no wager is made or increased after "no more bets". The same applies
    under HOUSE."""
    felt = called_off(rules, method, ante=5)
    for wager in order:
        felt.lay(3, **{wager.value: 10})
    assert felt.phase is Phase.DEALING
    felt.stand()
    assert felt.round.seats[3].wagers == {Wager.ANTE_ACROSS: 500, Wager.ANTE_DOWN: 500}
    stand = {alert.wager: alert.should for alert in felt.table.state.alerts}
    assert stand == {Wager.ANTE_ACROSS: 500, Wager.ANTE_DOWN: 500, Wager.FIVE_CARD_BONUS: 0}


def test_antes_below_the_minimum_cannot_be_raised_after_the_press() -> None:
    felt = Felt()
    felt.antes(1)
    felt.lay(3, ante_across=3, ante_down=3)
    felt.close()
    assert {code for code, *_ in alerts(felt)} == {"bet_out_of_range"}
    felt.lay(3, ante_across=10, ante_down=10)
    felt.stand()
    assert sorted(felt.round.seats) == [1]
    assert {code for code, *_ in alerts(felt)} == {"late_bet"}


@pytest.mark.parametrize(("rules", "method"), WAYS)
def test_valid_wagers_withdrawn_after_the_press_are_recorded(rules: str, method: Method) -> None:
    """Md. 7.D forbids the withdrawal. The other texts are silent, but the record names the withdrawal under
    every text."""
    resolved = rules != "maryland"
    felt = called_off(rules, method)
    felt.lay(1, ante_across=0, ante_down=0)
    put_right(felt)
    entries = [(e.code, e.seat, e.wager, e.resolved) for e in felt.round.irregularities if e.seat == 1]
    assert entries == [("bet_changed", 1, None, resolved)]
    (entry,) = (e for e in felt.round.irregularities if e.seat == 1)
    assert ("7.D" in entry.citation) == (rules == "maryland")


def test_chips_laid_and_removed_between_press_and_close_are_recorded() -> None:
    felt = called_off()
    felt.lay(1, five_card_bonus=5)
    felt.lay(1, five_card_bonus=0)
    felt.lay(1, ante_down=5)
    felt.lay(1, ante_down=10)
    felt.lay(5, ante_across=5)
    felt.lay(5, ante_across=0)
    put_right(felt)
    entries = {(e.code, e.seat, e.wager) for e in felt.round.irregularities if e.seat != 3 and e.resolved}
    assert entries == {
        ("late_bet", 1, Wager.FIVE_CARD_BONUS),
        ("bet_changed", 1, Wager.ANTE_DOWN),
        ("late_bet", 5, Wager.ANTE_ACROSS),
    }
    assert felt.round.seats[1].wagers == {Wager.ANTE_ACROSS: 1000, Wager.ANTE_DOWN: 1000}


def test_bets_open_again_if_no_wager_was_in_time() -> None:
    felt = Felt()
    felt.lay(4, ante_across=10)
    felt.close()
    felt.lay(4, ante_down=10)
    assert (felt.phase, felt.table.state.closing, felt.codes()) == (Phase.BETTING, False, [])
    felt.close()
    assert sorted(felt.round.seats) == [4]


def test_undo_opens_the_bets_to_all() -> None:
    felt = called_off()
    felt.antes(5)
    felt.press("undo")
    felt.lay(3, ante_down=10)
    felt.close()
    assert sorted(felt.round.seats) == [1, 3, 5]


def test_an_amount_entered_by_the_dealer_counts_as_laid_before_the_press() -> None:
    felt = Felt()
    felt.antes(1)
    felt.lay(3, ante_across=10)
    felt.event(CircleUnreadable(3, Wager.ANTE_DOWN, "silent"))
    felt.close()
    felt.lay(1, ante_across=20, ante_down=20)
    felt.event(AmountEntered(3, Wager.ANTE_DOWN, 1000))
    assert felt.round.seats[3].wagers == {Wager.ANTE_ACROSS: 1000, Wager.ANTE_DOWN: 1000}
    assert felt.round.seats[1].wagers[Wager.ANTE_DOWN] == 1000


def test_no_amount_is_requested_for_a_reader_lost_after_the_press() -> None:
    felt = called_off()
    felt.event(CircleUnreadable(1, Wager.ANTE_DOWN, "silent"))
    put_right(felt)
    assert felt.round.seats[1].wagers[Wager.ANTE_DOWN] == 1000


@pytest.mark.parametrize(
    ("across", "down", "due"),
    [(10, 5, ("ante_across", 500)), (5, 10, ("ante_down", 500)), (10, 0, ("ante_across", 0))],
)
def test_an_invalid_wager_after_the_press_must_be_reduced(
    across: int, down: int, due: tuple[str, int]
) -> None:
    """If the prompt asked for more chips, they would have to be returned as a late bet."""
    felt = Felt()
    felt.lay(3, ante_across=across, ante_down=down)
    felt.close()
    assert felt.prompt["kind"] == "fix_wagers"
    assert (felt.prompt["wager"], felt.prompt["amount"]) == due
    prompt = render(felt.table.view(), "en")["parts"]["prompt"]
    assert prompt["do"].startswith(f"Hand back ${max(across, down) - due[1] // 100}")


FIVE, SIX = Wager.FIVE_CARD_BONUS, Wager.SIX_CARD_BONUS


def bonuses(five: int, six: int, procedures: int = PROCEDURES) -> Felt:
    """Return a table after NO MORE BETS at which seat 3 has antes of $10 and bonuses of `five` and `six`
    dollars, which must differ."""
    felt = Felt("six_card_bonus")
    felt.table.state = replace(felt.table.state, procedures=procedures)
    felt.closed(3, five_card_bonus=five, six_card_bonus=six)
    return felt


@pytest.mark.parametrize(("five", "six", "stays"), [(10, 5, 0), (5, 10, 5), (0, 5, 0)])
def test_a_bonus_that_differs_comes_down_to_the_five_card_bonus_or_off(
    five: int, six: int, stays: int
) -> None:
    """HOUSE, Game and Bonus wagers: "Must be equal to 5 Card Bonus in order to play". The Six Card Bonus may
    no longer grow, and the Five Card Bonus was right."""
    felt = bonuses(five, six)
    prompt = render(felt.table.view(), "en")["parts"]["prompt"]
    assert (felt.prompt["wager"], felt.prompt["amount"]) == (SIX, stays * 100)
    assert prompt["do"].startswith(f"Hand back ${six - stays}")
    felt.lay(3, six_card_bonus=stays)
    felt.stand()
    assert (felt.phase, felt.codes()) == (Phase.DEALING, [])


def test_the_player_may_reduce_the_five_card_bonus_instead() -> None:
    felt = bonuses(10, 5)
    felt.lay(3, five_card_bonus=5)
    felt.stand()
    assert (felt.phase, felt.codes()) == (Phase.DEALING, [])
    assert [felt.round.seats[3].wagers[bonus] for bonus in (FIVE, SIX)] == [500, 500]


@pytest.mark.parametrize(("procedures", "plays"), [(3, 500), (PROCEDURES, None)])
def test_a_bonus_made_equal_by_adding_chips_does_not_play(procedures: int, plays: int | None) -> None:
    """Journals of earlier revisions replay with unequal bonuses, as they were played."""
    felt = bonuses(10, 5, procedures)
    felt.lay(3, six_card_bonus=10)
    felt.stand()
    assert (felt.round.seats[3].wagers[FIVE], felt.round.seats[3].wagers.get(SIX)) == (1000, plays)
    assert felt.table.state.alerts[0].should == (plays or 0)
