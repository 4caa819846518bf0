"""Across, Down and Middle: each seat is asked in turn, folds are collected, cards are turned.

The three decisions are one procedure with three rows of data. A decision is the dealer's to confirm;
until then the circle is a change of mind. Sources: 58 Pa. Code § 674a.11(b) to (g), config/rules/RULES.md
"The round"."""

from __future__ import annotations

from dataclasses import dataclass

from controller.game.books import dues, movements
from controller.game.books.dues import forfeit_goes, uncollected
from controller.game.model.events import KeyPressed
from controller.game.model.evolve import evolve
from controller.game.model.names import Circle, Phase, Place, Wager
from controller.game.model.round import Round
from controller.game.model.side_bets import BONUSES
from controller.game.model.state import Context, TableState
from controller.game.model.transition import Transition
from controller.game.rulebook import wagers
from controller.game.rulebook.wagers import Refusal


@dataclass(frozen=True, slots=True)
class Decision:
    """Which bet is asked for, which cards are turned when all have decided, and what follows."""

    wager: Wager
    turns: tuple[Place, ...]
    then: Phase


DECISIONS = {
    Phase.ACROSS: Decision(Wager.ACROSS, (Place.ACROSS_LEFT, Place.ACROSS_RIGHT), Phase.DOWN),
    Phase.DOWN: Decision(Wager.DOWN, (Place.DOWN_FAR, Place.DOWN_NEAR), Phase.MIDDLE),
    Phase.MIDDLE: Decision(Wager.MIDDLE, (Place.MIDDLE,), Phase.SETTLEMENT),
}
"""From the end of the deal to the last payout."""


def bonus_stands(round_: Round) -> bool:
    """Whether anybody still has a bonus to be settled."""
    return any(
        wager in BONUSES and not forfeit_goes(round_, seat, wager)
        for seat in round_.seats.values()
        for wager in seat.wagers
    )


def verify_bet(state: TableState, context: Context, seat: int) -> Refusal | None:
    """Whether what lies in the asked circle is a bet: one to three times the ante (.11(b), (d), (f))."""
    wager = DECISIONS[state.stands].wager
    if state.round is None:
        return Refusal("not_now", "")
    holding = state.holding(seat, wager)
    if holding.reading == "none":
        return Refusal("reading_wait", "")
    if holding.dead and holding.entered is None:
        return Refusal("amount_not_entered", "")
    ante = state.round.seats[seat].wagers[Wager.ANTE_ACROSS]
    if holding.amount == 0:
        return Refusal("no_bet", context.pack.cite("bet_multiples"))
    return wagers.verify_bet(context.pack, ante, wager, holding.amount)


def to_turn(state: TableState) -> tuple[str, ...]:
    """The cards that the dealer is to turn now, () while decisions or collections are open."""
    round_ = state.round
    if round_ is None or state.phase not in DECISIONS or not round_.decisions.decided or uncollected(round_):
        return ()
    return tuple(place for place in DECISIONS[state.phase].turns if place not in round_.turned)


def unread(round_: Round) -> str | None:
    """A turned card whose face nobody has read yet: the dealer enters it."""
    for place in Place:
        if place in round_.turned and (place not in round_.cards or round_.cards[place].face is None):
            return place
    return None


# ------------------------------------------------------------------ keys


def verify_confirm(state: TableState, context: Context) -> Refusal | None:
    round_ = state.round
    if round_ is None:
        return Refusal("not_now", "")
    if round_.decisions.asked is not None:
        return None if round_.decisions.folding else verify_bet(state, context, round_.decisions.asked)
    circle = uncollected(round_)
    if circle is not None:
        return verify_collected(state, circle)
    return None if to_turn(state) else Refusal("not_now", "")


def verify_collected(state: TableState, circle: Circle) -> Refusal | None:
    """CONFIRM says that the tray has what no reader can see: chips from a circle that cannot be read, or
    chips asked back from the player."""
    holding = state.holding(*circle)
    if holding.reading == "none":
        return Refusal("reading_wait", "")
    return None if holding.dead or not holding.chips else Refusal("chips_still_there", "")


def confirm(play: Transition, event: KeyPressed) -> None:
    """CONFIRM: the decision stands, the unreadable circle is collected, or the cards are turned."""
    round_ = play.round
    if round_.decisions.asked is not None:
        play.keep_undo(event.key, round_.decisions.asked, DECISIONS[play.state.phase].wager)
        _stand(play, round_.decisions.asked)
        return
    circle = uncollected(round_)
    if circle is not None:
        collect_by_word(play, circle)
    else:
        play.round = evolve(play.round, turned=round_.turned | set(to_turn(play.state)))


def _stand(play: Transition, seat: int) -> None:
    round_, wager = play.round, DECISIONS[play.state.phase].wager
    now, ledger = round_.seats[seat], round_.ledger
    if round_.decisions.folding:
        now = evolve(now, folded_at=play.state.phase)
    else:
        now = evolve(now, wagers=now.wagers | {wager: play.state.amount(seat, wager)})
        ledger = ledger.counted(Circle(seat, wager))
    decided = evolve(round_.decisions, asked=None, folding=False)
    play.round = evolve(round_, seats=round_.seats | {seat: now}, ledger=ledger, decisions=decided)


def verify_fold(state: TableState, _context: Context) -> Refusal | None:
    """Only CONFIRM makes a fold final: pressing FOLD again does nothing, and never folds the next seat."""
    if state.round is None or state.round.decisions.asked is None:
        return Refusal("not_now", "")
    return Refusal("already_folding", "") if state.round.decisions.folding else None


def fold(play: Transition, event: KeyPressed) -> None:
    """FOLD: the asked seat folds, once confirmed."""
    play.keep_undo(event.key, play.decisions.asked, DECISIONS[play.state.phase].wager)
    play.decisions = evolve(play.decisions, folding=True)


def change_of_mind(play: Transition, seat: int, wager: Wager, grew: bool) -> None:
    """Chips laid after FOLD and before CONFIRM: the player bets after all."""
    round_ = play.round
    if (
        grew
        and round_.decisions.folding
        and round_.decisions.asked == seat
        and wager == DECISIONS[play.state.phase].wager
    ):
        play.decisions = evolve(play.decisions, folding=False)


# ------------------------------------------------------------------ what comes next


def advance(play: Transition) -> None:
    """Ask the next seat; when all have decided and folds are collected, turn; then the next decision."""
    if not play.decisions.decided:
        _ask_next(play)
    if not play.decisions.decided or uncollected(play.round):
        return
    if not play.round.playing() and not bonus_stands(play.round):
        play.enter(Phase.SETTLEMENT)
        return
    decision = DECISIONS[play.state.phase]
    if play.round.turned.issuperset(decision.turns) and unread(play.round) is None:
        play.decisions = evolve(play.decisions, asked=None, decided=False, folding=False)
        play.enter(decision.then)


def _ask_next(play: Transition) -> None:
    round_ = play.round
    if round_.decisions.asked is not None and not play.seat(round_.decisions.asked).playing:
        play.decisions = evolve(play.decisions, asked=None, folding=False)
    if play.decisions.asked is not None:
        return
    if play.context.pack.fold_collected == "at_once" and uncollected(play.round):
        return
    wager = DECISIONS[play.state.phase].wager
    waiting = [seat.seat for seat in play.round.playing() if wager not in seat.wagers]
    if waiting:
        play.decisions = evolve(play.decisions, asked=waiting[0])
    else:
        play.decisions = evolve(play.decisions, decided=True)


def collect_by_word(play: Transition, circle: Circle) -> None:
    """The dealer says that the tray has what was asked for: first chips that nobody can read, then
    unexplained ones, then the player's."""
    row = play.round.ledger.row(circle)
    due = row.goal(dues.wager_at(play.round, circle))
    if lies := row.circle or max(0, row.unexplained):
        due = min(due, row.tray + lies)
    movements.bring_to(play, circle, due, "collected")
