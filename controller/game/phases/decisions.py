"""Across, Down and Middle: each seat is asked in turn, folds are collected, cards are turned.

The three decisions share one procedure. The next seat is asked when the dealer confirms a bet, or
automatically when the chips of an allowed bet have been at rest (unchanged) as long as
`bets.settle_seconds` of the table file states. An unconfirmed bet may be changed until the cards are
turned. A floorperson can give a folded hand back to the player (`verify_restore`). Sources: 58 Pa. Code §
674a.11(b) to (g), config/rules/RULES.md "The round".
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from controller.game.books import dues, movements, named_chips
from controller.game.books.dues import is_collected, uncollected
from controller.game.model.events import KeyPressed
from controller.game.model.evolve import evolve
from controller.game.model.names import CIRCLES, Circle, Key, Phase, Place, Wager
from controller.game.model.round import Round
from controller.game.model.side_bets import BONUSES
from controller.game.model.state import Context, TableState
from controller.game.model.transition import Transition
from controller.game.rulebook import wagers
from controller.game.rulebook.wagers import Refusal


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision: the bet, the cards to turn when all seats have decided, and the next phase."""

    wager: Wager
    turns: tuple[Place, ...]
    then: Phase


DECISIONS = {
    Phase.ACROSS: Decision(Wager.ACROSS, (Place.ACROSS_LEFT, Place.ACROSS_RIGHT), Phase.DOWN),
    Phase.DOWN: Decision(Wager.DOWN, (Place.DOWN_FAR, Place.DOWN_NEAR), Phase.MIDDLE),
    Phase.MIDDLE: Decision(Wager.MIDDLE, (Place.MIDDLE,), Phase.SETTLEMENT),
}


def has_open_bonus(round_: Round) -> bool:
    """Return whether a bonus wager is still to be settled."""
    return any(
        wager in BONUSES and not is_collected(round_, seat, wager)
        for seat in round_.seats.values()
        for wager in seat.wagers
    )


def verify_bet(state: TableState, context: Context, seat: int) -> Refusal | None:
    """Return why the chips in the asked circle are not a bet, or None: one to three times the ante (.11(b),
    (d), (f))."""
    wager = DECISIONS[state.play_phase].wager
    if state.round is None:
        return Refusal("not_now", "")
    holding = state.holding(seat, wager)
    if holding.reading == "none":
        return Refusal("reading_wait", "")
    if holding.dead and holding.entered is None:
        return Refusal("amount_not_entered", "")
    ante, cents = state.round.seats[seat].wagers[Wager.ANTE_ACROSS], laid_cents(state, seat)
    if cents == 0:
        return Refusal("no_bet", context.pack.cite("bet_multiples"))
    return wagers.verify_bet(context.pack, ante, wager, cents)


def laid_cents(state: TableState, seat: int) -> int:
    """Return the cents in the circle of the present decision, without chips that are no wager."""
    return named_chips.bet_cents(state, CIRCLES[seat][DECISIONS[state.play_phase].wager])


def to_turn(state: TableState) -> tuple[str, ...]:
    """Return the cards that the dealer has to turn now; () while decisions or collections are open."""
    round_ = state.round
    if round_ is None or state.phase not in DECISIONS or not round_.decisions.decided or uncollected(round_):
        return ()
    return tuple(place for place in DECISIONS[state.phase].turns if place not in round_.turned)


def unread_place(round_: Round) -> str | None:
    """Return the place of a turned card whose face is unknown, so that the dealer has to enter it; None if
    there is none.
    """
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
    """Return why CONFIRM may not report that a wager was collected, or None. It may report chips that no
    reader sees: from a circle that cannot be read, or requested back from the player.
    """
    holding = state.holding(*circle)
    if holding.reading == "none":
        return Refusal("reading_wait", "")
    return None if holding.dead or not holding.chips else Refusal("chips_still_there", "")


def confirm(play: Transition, event: KeyPressed) -> None:
    """Handle CONFIRM: record the decision, the collection of an unreadable circle, or the turn of the
    cards, which closes the decision for all."""
    round_ = play.round
    if round_.decisions.asked is not None:
        _decided(play, event.key, round_.decisions.asked)
        return
    circle = uncollected(round_)
    if circle is not None:
        collect_by_word(play, circle)
    else:
        turned = round_.turned | set(to_turn(play.state))
        count_lying(play, tuple(round_.decisions.lying))
        play.round = evolve(play.round, turned=turned)


def _decided(play: Transition, key: str, seat: int) -> None:
    """Record the decision of a seat. One UNDO takes back FOLD and its confirmation together, and the seat
    is asked again."""
    folds = play.decisions.folding
    if folds:
        play.drop_undo(Key.FOLD, seat)
        play.decisions = evolve(play.decisions, folding=False)
    play.keep_undo(Key.FOLD if folds else key, seat, DECISIONS[play.state.phase].wager)
    _record(play, seat, folds)


def _record(play: Transition, seat: int, folds: bool) -> None:
    if folds:
        play.set_seat(evolve(play.seat(seat), folded_at=play.state.phase))
    else:
        _count(play, seat, laid_cents(play.state, seat))
    play.decisions = evolve(play.decisions, asked=None)


def _count(play: Transition, seat: int, cents: int) -> None:
    """Count the chips of a seat's bet, `cents`, as a wager from now on, so that they can be lost."""
    wager, now = DECISIONS[play.state.play_phase].wager, play.seat(seat)
    play.set_seat(evolve(now, wagers=now.wagers | {wager: cents}))
    circle = Circle(seat, wager)
    beside = named_chips.signed_cents(play.state, circle)
    play.round = evolve(play.round, ledger=play.round.ledger.counted(circle, beside))


def count_lying(play: Transition, seats: Iterable[int]) -> None:
    """Count chips that were laid but not confirmed as wagers: the cards are turned now, or the seats forfeit
    them."""
    lying = play.decisions.lying
    for seat in seats:
        if seat in lying:
            _count(play, seat, lying[seat])
    left = {seat: cents for seat, cents in lying.items() if seat not in seats}
    play.decisions = evolve(play.decisions, lying=left)


def verify_fold(state: TableState, _context: Context) -> Refusal | None:
    """Return why FOLD may not be pressed, or None. A second press does nothing and must never fold the next
    seat."""
    if state.round is None or state.round.decisions.asked is None:
        return Refusal("not_now", "")
    return Refusal("already_folding", "") if state.round.decisions.folding else None


def fold(play: Transition, event: KeyPressed) -> None:
    """Handle FOLD: the asked seat folds once confirmed. A fold from the screen, which names the seat, is
    also confirmed if it is not taken back within the time for which a bet must not change."""
    play.keep_undo(event.key, play.decisions.asked, DECISIONS[play.state.phase].wager)
    play.decisions = evolve(play.decisions, folding=True, since=play.context.ms if event.prompt else None)


def change_of_mind(play: Transition, seat: int, wager: Wager, grew: bool) -> None:
    """Handle a player's change of mind, which a reader sees as a change of the chips in a circle. Chips
    placed between FOLD and CONFIRM mean that the player bets after all. If the bet was already passed, the
    new amount counts if it is valid; otherwise the seat is asked again.
    """
    if wager != DECISIONS[play.state.phase].wager:
        return
    if play.decisions.asked == seat:
        if play.decisions.folding and not grew:
            return
        if play.decisions.folding:
            play.drop_undo(Key.FOLD, seat)
        play.decisions = evolve(play.decisions, folding=False, since=play.context.ms)
    elif seat in play.decisions.lying and verify_bet(play.state, play.context, seat) is None:
        lying = play.decisions.lying | {seat: laid_cents(play.state, seat)}
        play.decisions = evolve(play.decisions, lying=lying)


# ------------------------------------------------------------------ decisions that time confirms


def confirmed_at(state: TableState, context: Context) -> int | None:
    """Return the time (ms) at which the bet or fold of the asked seat has been unchanged long enough to ask
    the next seat.

    Returns None if the next seat waits for the dealer: there is no decision yet, or a circle is wrong or
    unread.
    """
    round_, settle = state.round, context.settings.settle_ms
    if round_ is None or settle is None or state.phase not in DECISIONS:
        return None
    to_act, since = round_.decisions.asked, round_.decisions.since
    if to_act is None or since is None:
        return None
    rests = (
        _is_fold_undisputed(state, to_act)
        if round_.decisions.folding
        else _is_bet_undisputed(state, context, to_act)
    )
    return since + settle if rests else None


def _is_fold_undisputed(state: TableState, seat: int) -> bool:
    """Return whether the seat has no alert and no suspicion."""
    suspected = any(Circle.of(key).seat == seat for key in state.suspects)
    return not suspected and not any(alert.seat == seat for alert in state.alerts)


def _is_bet_undisputed(state: TableState, context: Context, seat: int) -> bool:
    """Return whether a reader shows a valid bet of the seat at the present decision, without any alert or
    suspicion about its circle."""
    circle = Circle(seat, DECISIONS[state.phase].wager)
    holding = state.holding(*circle)
    wrong = circle.key in state.suspects or any((a.seat, a.wager) == circle for a in state.alerts)
    unread = not holding.readable or any(chip.note for chip in holding.chips)
    return not wrong and not unread and verify_bet(state, context, seat) is None


def _still_fits(play: Transition, seat: int) -> bool:
    """Return whether a bet that was laid but not confirmed is still valid, now that a later seat is asked. A
    bet that cannot be read counts as unchanged."""
    holding = play.state.holding(seat, DECISIONS[play.state.phase].wager)
    if seat not in play.decisions.lying:
        return False
    known = holding.readable or holding.entered is not None
    return not known or verify_bet(play.state, play.context, seat) is None


# ------------------------------------------------------------------ folds that the floor takes back


def verify_restore(state: TableState, seat: int | None) -> Refusal | None:
    """Return why a folded hand cannot be given back to the player of a seat, or None if it can be: the wagers
    must be as before the fold, and no card turned since.
    """
    round_ = state.round
    box = round_.seats.get(seat) if round_ and seat else None
    if round_ is None or box is None or box.folded_at is None or box.forfeited is not None:
        return Refusal("not_folded", "")
    lies = all(
        round_.ledger.row(Circle(box.seat, wager)).is_untouched(cents) for wager, cents in box.wagers.items()
    )
    turned = state.phase not in DECISIONS or round_.turned.intersection(DECISIONS[state.phase].turns)
    return None if lies and not turned and box.folded_at is state.phase else Refusal("fold_stands", "")


def restore_hand(play: Transition, seat: int) -> None:
    """Restore the hand of a seat, which is asked again in its turn. UNDO cannot take back a decision of the
    floor."""
    play.set_seat(evolve(play.seat(seat), folded_at=None))
    play.decisions = evolve(play.decisions, asked=None, folding=False, decided=False)
    play.state = evolve(play.state, undo=())


# ------------------------------------------------------------------ next step


def advance(play: Transition) -> None:
    """Ask the next seat; when all have decided and folds are collected, turn the cards and begin the next
    decision."""
    if not play.decisions.decided or not all(_still_fits(play, seat) for seat in play.decisions.lying):
        _ask_next(play)
    if not play.decisions.decided or uncollected(play.round):
        return
    if not play.round.playing() and not has_open_bonus(play.round):
        play.enter(Phase.SETTLEMENT)
        return
    decision = DECISIONS[play.state.phase]
    if play.round.turned.issuperset(decision.turns) and unread_place(play.round) is None:
        play.decisions = evolve(play.decisions, asked=None, decided=False, folding=False)
        play.enter(decision.then)


def _ask_next(play: Transition) -> None:
    round_ = play.round
    if round_.decisions.asked is not None and not play.seat(round_.decisions.asked).playing:
        play.decisions = evolve(play.decisions, asked=None, folding=False)
    _pass_by(play)
    if play.decisions.asked is not None:
        return
    if play.context.pack.fold_collected == "at_once" and uncollected(play.round):
        return
    wager = DECISIONS[play.state.phase].wager
    lying = {seat: cents for seat, cents in play.decisions.lying.items() if _still_fits(play, seat)}
    playing = [seat for seat in play.round.playing() if wager not in seat.wagers]
    to_act = next((seat.seat for seat in playing if seat.seat not in lying), None)
    play.decisions = evolve(
        play.decisions, asked=to_act, decided=to_act is None, since=play.context.ms, lying=lying
    )


def _pass_by(play: Transition) -> None:
    """Ask the next seat if the bet or fold of the asked seat has been unchanged for the time after which it
    counts as confirmed."""
    settled, to_act = confirmed_at(play.state, play.context), play.decisions.asked
    if settled is None or to_act is None or play.context.ms < settled:
        return
    if play.decisions.folding:
        _decided(play, Key.FOLD, to_act)
        return
    cents = laid_cents(play.state, to_act)
    play.decisions = evolve(play.decisions, asked=None, lying={**play.decisions.lying, to_act: cents})


def collect_by_word(play: Transition, circle: Circle) -> None:
    """Post the dealer's report that the tray has the chips due. They are taken first from an unreadable
    circle, then from unexplained chips, then from the player."""
    row = play.round.ledger.row(circle)
    due = row.goal(dues.wager_at(play.round, circle))
    if lies := row.circle or max(0, row.unexplained):
        due = min(due, row.tray + lies)
    movements.post_tray_amount(play, circle, due, "collected")
