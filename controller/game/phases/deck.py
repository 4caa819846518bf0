"""Deck between rounds: opening the table with a new deck, gathering the cards, the shuffle by the shoe or
by hand, the age of the deck.

Cards are never in play here. Sources: 58 Pa. Code § 674a.3 to .5, config/rules/RULES.md "The deal" (two
decks, opening, shuffle, cut).
"""

from __future__ import annotations

from dataclasses import replace

from controller.game.model.events import CommandDone, DeckBrought, KeyPressed
from controller.game.model.evolve import evolve
from controller.game.model.irregularities import WITH_DECK, Code
from controller.game.model.names import BEFORE_THE_DEAL, SEATS, Method, Phase
from controller.game.model.procedures import SUBJECTS_SINCE
from controller.game.model.round import Irregularity
from controller.game.model.state import Context, DeckState, TableState
from controller.game.model.transition import Transition
from controller.game.phases import betting
from controller.game.phases.deck_age import change_due, change_near, deck_name
from controller.game.phases.shoe import check_back, command_done, signs_itself
from controller.game.rulebook.wagers import Refusal

FLOOR_STEP = "verify"
"""Opening step that a floorperson signs (58 Pa. Code § 674a.4(a))."""


# ------------------------------------------------------------------ closed and opening


def open_table(play: Transition, _event: KeyPressed) -> None:
    """Open a closed table; a deck has to be brought next."""
    play.enter(Phase.OPENING)


def close_table(play: Transition) -> None:
    """Close the table: the cards are removed from shoe and rack, as without players (.5(f))."""
    play.state = evolve(play.state, round=None, sweep_since=None, opening=(), opening_done=())
    play.deck = evolve(play.deck, present=False, opened=0)
    play.shoe = evolve(play.shoe, ready=False)
    play.enter(Phase.CLOSED)


def verify_brought(state: TableState, context: Context, event: DeckBrought) -> Refusal | None:
    """Return why a deck may not be brought, or None. A deck that was removed or is due for a change must
    not come back; two decks must have two backs (58 Pa. Code § 674a.3(b))."""
    if event.same and (state.deck.after == "removed" or change_due(state, context)):
        return Refusal("deck_removed", context.pack.cite("opening"))
    second = state.deck.opened == 1 < context.settings.decks and next_step(state) is None
    if second and not event.same and event.back and event.back.lower() == other_back(state):
        return Refusal("same_back", context.pack.rulings[Code.WRONG_DECK].citation)
    return None


def other_back(state: TableState) -> str | None:
    """Return the back of the deck at the table while a second one has to be brought, or None if it is
    unknown."""
    deck = state.deck
    if deck.after != "removed" or state.procedures < SUBJECTS_SINCE:
        return deck.back
    left = [back for back in _pair(deck) if back != deck.removed]
    return left[0] if deck.removed and len(left) == 1 else None


def deck_brought(play: Transition, event: DeckBrought) -> None:
    """Handle a deck brought to the table: its opening steps follow, or only the cut if it is preshuffled
    (.4(e)). A deck put away while there were no players is washed and shuffled again (.5(f))."""
    decks = play.context.settings.decks
    if event.same:
        put_away = not play.state.deck.present and not play.context.settings.counting_device
        steps = play.context.pack.no_activity if put_away else ()
        play.state = evolve(play.state, opening=(*steps, *hand_shuffle_steps(play)), opening_done=())
        play.deck = evolve(play.deck, present=True, opened=decks)
        # an automated shoe shuffles a deck that is put in; a manual shoe sends READY itself
        if play.state.shoe.mode == "STACK":
            play.shoe = evolve(play.shoe, ready=False)
    else:
        skips = event.preshuffled and play.context.pack.preshuffled_skips_opening
        steps = ("cut",) if skips else (*play.context.pack.opening, *hand_shuffle_steps(play))
        play.state = evolve(play.state, opening=steps, opening_done=())
        back = event.back.lower() if event.back else None
        play.deck = evolve(
            play.deck,
            present=True,
            since=_since(play),
            last_back=None,
            backs=(),
            back=back,
            rounds_since_count=0,
            uncounted=_others(play, back),
            after="reshuffled",
            brought=_brought(play, back),
            opened=min(play.state.deck.opened + 1, decks),
            miscounted=(),
        )
        play.clear_alerts(WITH_DECK)
    if play.state.phase in BEFORE_THE_DEAL:
        play.state = evolve(play.state, round=None, sweep_since=None)
        play.enter(Phase.OPENING)


def _brought(play: Transition, back: str | None) -> tuple[str, ...]:
    """Return the backs of the decks brought since the table was opened, with the new one. Returns () if the
    new deck replaces one of them or its back is unknown."""
    deck = play.state.deck
    known = back is not None and deck.opened < play.context.settings.decks
    return (*(deck.brought if deck.opened else ()), back) if known and back else ()


def _others(play: Transition, back: str | None) -> dict[str, int]:
    """Return the number of rounds since the last count of the stub for each deck other than the one with this
    back."""
    if play.context.settings.decks == 1:
        return {}
    return {name: rounds for name, rounds in play.state.deck.uncounted.items() if name != back}


def verify_no_activity(state: TableState, context: Context) -> Refusal | None:
    """Return why the inactivity of an open table may not be reported, or None. Such a report is not needed if
    an approved device shuffles and counts by itself (58 Pa. Code § 674a.5(g))."""
    if context.settings.counting_device:
        return Refusal("device_counts", context.pack.cite("no_activity"))
    if state.phase is not Phase.BETTING or state.closing:
        return Refusal("not_now", "")
    laid = any(state.amount(seat, wager) for seat in SEATS for wager in context.offered())
    return Refusal("chips_still_there", context.pack.cite("no_activity")) if laid else None


def no_activity(play: Transition) -> None:
    """Begin the steps of an inactive table: the cards are removed from shoe and rack and stay spread until
    a player has looked at them; then they are washed, stacked and shuffled again (58 Pa. Code §
    674a.5(f))."""
    play.state = evolve(
        play.state, opening=(*play.context.pack.no_activity, *hand_shuffle_steps(play)), opening_done=()
    )
    play.shoe = evolve(play.shoe, ready=False)
    play.deck = evolve(play.deck, shuffle_commanded=False, shuffle_refused=False)
    play.enter(Phase.OPENING)


def hand_shuffle_steps(play: Transition) -> tuple[str, ...]:
    """Return the steps of a shuffle by hand, with a cut, for a table without an automated shuffler
    (.5(c)(2), .5(d)); else ()."""
    device = play.context.settings.shuffler or play.state.method is Method.AUTOMATED_SHOE
    return () if device else ("shuffle", "cut")


def to_shuffle(play: Transition) -> None:
    """Begin the shuffle: by a device, or step by step by the dealer."""
    play.state = evolve(play.state, opening=hand_shuffle_steps(play), opening_done=())
    play.enter(Phase.OPENING if play.state.opening else Phase.SHUFFLE)


def shuffle_again(play: Transition) -> None:
    """Discard the ready deck and shuffle again, as long as no card is out (58 Pa. Code § 674a.13(e))."""
    play.state = evolve(play.state, round=None, sweep_since=None)
    play.shoe = evolve(play.shoe, ready=False)
    refused = play.state.deck.shuffle_refused and not play.state.procedures
    play.deck = evolve(play.deck, shuffle_commanded=False, shuffle_refused=refused)
    if play.state.hold is None:
        to_shuffle(play)
    else:
        play.amend(replace(play.state.hold, phase=Phase.SHUFFLE))


def _since(play: Transition) -> int:
    """Return the time (ms) at which the oldest deck at the table, including the new one, came into play. Both
    decks are changed together when a change is due; an earlier replacement of one does not change the age of
    the other.
    """
    deck, now = play.state.deck, play.context.ms
    alone = play.context.settings.decks == 1 or not deck.opened
    return now if alone or deck.since is None or change_due(play.state, play.context) else deck.since


def next_step(state: TableState) -> str | None:
    """Return the opening step that is due, or None."""
    remaining = state.opening[len(state.opening_done) :]
    return remaining[0] if remaining else None


def awaits_signature(state: TableState) -> bool:
    """Return whether the deck waits for a floorperson's signature."""
    return state.phase is Phase.OPENING and state.deck.present and next_step(state) == FLOOR_STEP


def verify_step(state: TableState, _context: Context) -> Refusal | None:
    if not state.deck.present:
        return Refusal("deck_needed", "")
    return Refusal("floor_signs", "") if awaits_signature(state) else None


def next_back(state: TableState) -> str | None:
    """Return the back of the deck to be played next if two decks play in turn and one has just been played,
    else None."""
    deck = state.deck
    both = _pair(deck)
    others = [back for back in both if back != deck.last_back]
    return others[0] if deck.last_back in both and len(others) == 1 else None


def _pair(deck: DeckState) -> tuple[str, ...]:
    """Return the known backs of the decks in play: those seen, or else those reported when the decks were
    brought."""
    return deck.backs if len(deck.backs) > 1 else deck.brought


def step_done(play: Transition) -> None:
    """Complete one opening step after the dealer's CONFIRM or the floorperson's signature."""
    step = next_step(play.state)
    if step is not None:
        play.state = evolve(play.state, opening_done=(*play.state.opening_done, step))


def confirm_step(play: Transition, _event: KeyPressed) -> None:
    step_done(play)


def advance_opening(play: Transition) -> None:
    """Advance the opening. If two decks play in turn, each goes through all steps (58 Pa. Code §
    674a.4(d))."""
    if not play.state.deck.present or next_step(play.state) is not None:
        return
    if play.state.deck.opened < play.context.settings.decks:
        play.state = evolve(play.state, opening=(), opening_done=())
        play.deck = evolve(play.deck, present=False)
    else:
        play.enter(Phase.SHUFFLE)


# ------------------------------------------------------------------ clearing and shuffling


def cards_cleared(play: Transition, _event: KeyPressed) -> None:
    """Handle the dealer's CONFIRM that the cards are back in the device, or a removed deck off the table."""
    play.state = evolve(play.state, round=None)
    if play.state.deck.after == "removed":
        alone = play.context.settings.decks == 1
        play.deck = evolve(play.deck, present=False, since=None if alone else play.state.deck.since)
        if not alone and play.state.procedures >= SUBJECTS_SINCE:
            left, opened = other_back(play.state), max(0, play.state.deck.opened - 1)
            play.deck = evolve(play.deck, opened=opened, brought=(left,) if left else ())
        play.state = evolve(play.state, opening=(), opening_done=())
        play.shoe = evolve(play.shoe, ready=False)
        play.enter(Phase.OPENING)
    else:
        to_shuffle(play)


def advance_shuffle(play: Transition) -> None:
    """Open the betting on READY; before that, command the device to shuffle once. A deck that the device
    did not count to 52 is not played (58 Pa. Code § 674a.5(b))."""
    if any(alert.code is Code.DECK_COUNT for alert in play.state.alerts):
        play.clear_alert(Code.DECK_COUNT)
        wrong = play.state.deck.miscounted
        removed = wrong[0].lower() if len(wrong) == 1 and wrong[0] else None
        play.deck = evolve(play.deck, miscounted=(), removed=removed)
        play.hold(Code.DECK_COUNT)
        return
    state = play.state
    if state.method is Method.HAND:
        return
    if state.shoe.ready and state.shoe.fault is None:
        to_betting(play)
    elif state.shoe.up and state.shoe.fault is None and not _asked_to_shuffle(state):
        play.deck = evolve(play.deck, shuffle_commanded=True)
        play.command("SHUFFLE")


def _asked_to_shuffle(state: TableState) -> bool:
    return state.deck.shuffle_commanded or state.deck.shuffle_refused


def verify_shuffled(state: TableState, _context: Context) -> Refusal | None:
    """Return why the dealer may not confirm the deck as ready, or None: it must be dealt by hand, or the
    device refused to shuffle and the deck is in it now."""
    by_hand = state.method is Method.HAND or state.deck.shuffle_refused
    return None if by_hand else Refusal("shuffle_wait", "")


def shuffled_by_hand(play: Transition, _event: KeyPressed) -> None:
    """Handle the dealer's CONFIRM of a shuffle. A device that refused gets the command once more, because the
    cause, such as a card in its exit, may no longer exist."""
    if play.state.method is Method.HAND:
        to_betting(play)
    else:
        play.deck = evolve(play.deck, shuffle_commanded=False, shuffle_refused=False)


def to_betting(play: Transition) -> None:
    """Begin the betting and check the back of the deck."""
    since = play.state.deck.since
    play.deck = evolve(play.deck, present=True, since=play.context.ms if since is None else since)
    betting.enter(play)
    check_back(play)


def check_age(play: Transition) -> None:
    """Announce a change of the deck before it is due. The change is enforced before the next round, never
    during one. Another deal method may allow the deck more time."""
    if play.state.deck.present and change_near(play.state, play.context):
        play.alert(Code.DECK_CHANGE_DUE, noted=False)
    elif play.state.alerts:
        play.clear_alert(Code.DECK_CHANGE_DUE)


def sign_device(play: Transition, *, mended: bool, given_up: bool) -> None:
    """Record that the device is signed out of order, or in order again (58 Pa. Code § 674a.13(g)), in the
    list of the next round. `mended`: the table's own way of dealing is in use again. `given_up`: a device
    has just been taken out of use and has to be covered or signed first.
    """
    early = tuple(entry for entry in play.state.early if entry.code is not Code.DEVICE_OUT_OF_ORDER)
    uncovered = not mended and (given_up or play.state.deck.uncovered)
    play.deck = evolve(play.deck, uncovered=uncovered)
    if mended:
        play.clear_alert(Code.DEVICE_OUT_OF_ORDER)
    else:
        play.alert(Code.DEVICE_OUT_OF_ORDER, noted=False)
        cited = play.rulings[Code.DEVICE_OUT_OF_ORDER].citation
        resolved, phase = not uncovered, play.state.phase
        early += (Irregularity(Code.DEVICE_OUT_OF_ORDER, phase, None, None, cited, resolved),)
    play.state = evolve(play.state, early=early)


def verify_covered(state: TableState, _context: Context) -> Refusal | None:
    return None if state.deck.uncovered and not state.closing else Refusal("not_now", "")


def device_covered(play: Transition, _event: object) -> None:
    """Record that the abandoned device is covered or shows its sign, by the dealer's or the device's
    report."""
    play.deck = evolve(play.deck, uncovered=False)
    early = (replace(e, resolved=True) if e.code is Code.DEVICE_OUT_OF_ORDER else e for e in play.state.early)
    play.state = evolve(play.state, early=tuple(early))


def device_done(play: Transition, event: CommandDone) -> None:
    """Handle DONE, including DONE for a SIGN: a device that shows its sign needs no other confirmation."""
    command_done(play, event)
    if event.command == "SIGN" and signs_itself(play.state):
        device_covered(play, event)


def finish_round(play: Transition, *, removed: bool = False) -> None:
    """Record that a round with this deck has ended, settled or void: count it, and state whether the deck is
    shuffled again or was `removed` from the table."""
    deck = play.state.deck
    counted = play.state.round is not None and play.deal.stub_counted is not None
    name = deck_name(play.state, play.context)
    uncounted = deck.uncounted | {name: 0 if counted else deck.uncounted.get(name, 0) + 1}
    play.deck = evolve(
        play.deck,
        rounds_since_count=0 if counted else deck.rounds_since_count + 1,
        uncounted=uncounted,
        last_back=deck.back,
        after="removed" if removed else "reshuffled",
        removed=deck.back if removed else None,
        shuffle_commanded=False,
    )
    play.clear_alert(Code.CARD_FACE_UP)
