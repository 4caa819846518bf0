"""After NO MORE BETS only what did not fit may move: 58 Pa. Code § 674a.7(c), MGC § 6(c), Md. 7.C and 7.D."""

from __future__ import annotations

from controller.game.model.events import AmountEntered, CircleUnreadable
from controller.game.model.names import Circle, Phase, Wager
from controller.game.showing.lamps import LampState
from tests.game.felt import Felt
from tests.game.test_closed_loop import alerts


def called_off(rules: str = "pennsylvania") -> Felt:
    """Seat 1 is right, seat 3 has unequal antes, the bets have been called off."""
    felt = Felt(rules)
    felt.antes(1)
    felt.lay(3, ante_across=10, ante_down=15)
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


def test_what_does_not_fit_at_a_late_seat_holds_nobody_up() -> None:
    felt = called_off()
    felt.lay(5, ante_across=100)
    put_right(felt)
    felt.stand()
    assert alerts(felt) == [("late_bet", 5, "ante_across")]


def test_chips_added_where_all_was_right_are_a_changed_bet() -> None:
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


def test_a_chip_taken_where_all_was_right_is_a_changed_bet() -> None:
    felt = called_off()
    felt.lay(1, ante_across=5)
    put_right(felt)
    felt.stand()
    assert alerts(felt) == [("bet_changed", 1, "ante_across")]


def test_a_seat_that_takes_everything_back_is_out_of_the_round() -> None:
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


def test_where_nobody_was_in_time_the_bets_are_open_again() -> None:
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


def test_an_amount_that_the_dealer_gives_is_what_lay_there() -> None:
    felt = Felt()
    felt.antes(1)
    felt.lay(3, ante_across=10)
    felt.event(CircleUnreadable(3, Wager.ANTE_DOWN, "silent"))
    felt.close()
    felt.lay(1, ante_across=20, ante_down=20)
    felt.event(AmountEntered(3, Wager.ANTE_DOWN, 1000))
    assert felt.round.seats[3].wagers == {Wager.ANTE_ACROSS: 1000, Wager.ANTE_DOWN: 1000}
    assert felt.round.seats[1].wagers[Wager.ANTE_DOWN] == 1000


def test_a_reader_that_goes_after_the_press_is_not_asked_for() -> None:
    felt = called_off()
    felt.event(CircleUnreadable(1, Wager.ANTE_DOWN, "silent"))
    put_right(felt)
    assert felt.round.seats[1].wagers[Wager.ANTE_DOWN] == 1000
