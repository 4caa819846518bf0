"""Between rounds: opening the table, gathering the cards, the shuffle, the deck's age.

Cards are never in play here. Sources: 58 Pa. Code § 674a.3 to .5, config/rules/RULES.md "The deal" (two
decks, opening, shuffle, cut).
"""

from __future__ import annotations

from dataclasses import replace

from controller.game.model.events import CommandDone, DeckBrought, KeyPressed
from controller.game.model.names import SEATS, Method, Phase
from controller.game.model.state import Context, Irregularity, TableState
from controller.game.model.transition import Turn
from controller.game.phases import betting
from controller.game.phases.deck_age import change_due, change_near, deck_name
from controller.game.phases.shoe import check_back, done, signs_itself
from controller.game.rulebook.wagers import Refusal

FLOOR_STEP = "verify"
"""The opening step that a floorperson signs (58 Pa. Code § 674a.4(a))."""


# ------------------------------------------------------------------ closed and opening


def open_table(turn: Turn, _event: KeyPressed) -> None:
    """CONFIRM at a closed table: it is opened, and a deck has to come."""
    turn.enter(Phase.OPENING)


def close_table(turn: Turn) -> None:
    """A floorperson closes the table: the cards go out of shoe and rack, as when nobody plays (.5(f))."""
    turn.set(round=None, undo=None, sweep_since=None, opening=(), opening_done=())
    turn.set_deck(present=False, opened=0)
    turn.set_shoe(ready=False)
    turn.enter(Phase.CLOSED)


def verify_brought(state: TableState, context: Context, event: DeckBrought) -> Refusal | None:
    """A deck that was removed, or is due to be changed, may not come back; two decks have two backs
    (58 Pa. Code § 674a.3(b))."""
    if event.same and (state.deck.after == "removed" or change_due(state, context)):
        return Refusal("deck_removed", context.pack.cite("opening"))
    second = state.deck.opened == 1 < context.settings.decks and next_step(state) is None
    if second and not event.same and event.back and event.back.lower() == state.deck.back:
        return Refusal("same_back", context.pack.rulings["wrong_deck"].citation)
    return None


def brought(turn: Turn, event: DeckBrought) -> None:
    """A deck comes to the table: its opening steps, or the cut alone where it is preshuffled (.4(e)). The
    one that was put away while nobody played is washed and shuffled again (.5(f))."""
    decks = turn.context.settings.decks
    if event.same:
        put_away = not turn.state.deck.present and not turn.context.settings.counting_device
        steps = turn.context.pack.no_activity if put_away else ()
        turn.set(opening=(*steps, *by_hand(turn)), opening_done=())
        turn.set_deck(present=True, opened=decks)
        # an automated shoe shuffles anew what is put in; a manual one says READY itself
        if turn.state.shoe.mode == "STACK":
            turn.set_shoe(ready=False)
    else:
        skips = event.preshuffled and turn.context.pack.preshuffled_skips_opening
        steps = ("cut",) if skips else (*turn.context.pack.opening, *by_hand(turn))
        turn.set(opening=steps, opening_done=())
        back = event.back.lower() if event.back else None
        turn.set_deck(
            present=True, since=_since(turn), last_back=None, backs=(), back=back,
            rounds_since_count=0, uncounted=_others(turn, back), after="reshuffled",
            opened=min(turn.state.deck.opened + 1, decks), miscounted=(),
        )  # fmt: skip
        turn.clear_alerts(("deck_change_due", "wrong_deck", "deck_count"))
    if turn.state.phase in (Phase.BETTING, Phase.SHUFFLE, Phase.CLEARING):
        turn.set(round=None, undo=None, sweep_since=None)
        turn.enter(Phase.OPENING)


def _others(turn: Turn, back: str | None) -> dict[str, int]:
    """How long the stub of each deck has not been counted, but for the one that is new."""
    if turn.context.settings.decks == 1:
        return {}
    return {name: rounds for name, rounds in turn.state.deck.uncounted.items() if name != back}


def verify_no_activity(state: TableState, context: Context) -> Refusal | None:
    """Nobody plays at an open table: no wager lies there. Not asked for where an approved device shuffles and
    counts by itself (58 Pa. Code § 674a.5(g))."""
    if context.settings.counting_device:
        return Refusal("device_counts", context.pack.cite("no_activity"))
    if state.phase is not Phase.BETTING or state.closing:
        return Refusal("not_now", "")
    laid = any(state.amount(seat, wager) for seat in SEATS for wager in context.offered())
    return Refusal("chips_still_there", context.pack.cite("no_activity")) if laid else None


def no_activity(turn: Turn) -> None:
    """The cards go out of shoe and rack and lie spread until a player comes and has looked at them; then they
    are washed, stacked and shuffled again (58 Pa. Code § 674a.5(f))."""
    turn.set(opening=(*turn.context.pack.no_activity, *by_hand(turn)), opening_done=(), undo=None)
    turn.set_shoe(ready=False)
    turn.set_deck(shuffle_commanded=False, shuffle_refused=False)
    turn.enter(Phase.OPENING)


def by_hand(turn: Turn) -> tuple[str, ...]:
    """The steps of a shuffle where the table has no automated shuffler: a cut follows (.5(c)(2), .5(d))."""
    device = turn.context.settings.shuffler or turn.state.method is Method.AUTOMATED_SHOE
    return () if device else ("shuffle", "cut")


def to_shuffle(turn: Turn) -> None:
    """The deck is shuffled: by a device, or step by step by the dealer."""
    turn.set(opening=by_hand(turn), opening_done=())
    turn.enter(Phase.OPENING if turn.state.opening else Phase.SHUFFLE)


def _since(turn: Turn) -> int:
    """How old the oldest deck at the table is with this one. Two are changed together when that is due; one
    that is replaced before leaves the other its age."""
    deck, now = turn.state.deck, turn.context.ms
    alone = turn.context.settings.decks == 1 or not deck.opened
    return now if alone or deck.since is None or change_due(turn.state, turn.context) else deck.since


def next_step(state: TableState) -> str | None:
    """The opening step that is due."""
    remaining = state.opening[len(state.opening_done) :]
    return remaining[0] if remaining else None


def verify_step(state: TableState, _context: Context) -> Refusal | None:
    if not state.deck.present:
        return Refusal("deck_needed", "")
    return Refusal("floor_signs", "") if next_step(state) == FLOOR_STEP else None


def step_done(turn: Turn) -> None:
    """One opening step is done, by the dealer's CONFIRM or the floorperson's signature."""
    step = next_step(turn.state)
    if step is not None:
        turn.set(opening_done=(*turn.state.opening_done, step))


def confirm_step(turn: Turn, _event: KeyPressed) -> None:
    step_done(turn)


def advance_opening(turn: Turn) -> None:
    """Where two decks play in turn, each goes through all of it (58 Pa. Code § 674a.4(d))."""
    if not turn.state.deck.present or next_step(turn.state) is not None:
        return
    if turn.state.deck.opened < turn.context.settings.decks:
        turn.set(opening=(), opening_done=())
        turn.set_deck(present=False)
    else:
        turn.enter(Phase.SHUFFLE)


# ------------------------------------------------------------------ clearing and shuffle


def cleared(turn: Turn, _event: KeyPressed) -> None:
    """The dealer confirms that the cards are back in the device, or a removed deck off the table."""
    turn.set(undo=None, round=None)
    if turn.state.deck.after == "removed":
        alone = turn.context.settings.decks == 1
        turn.set_deck(present=False, since=None if alone else turn.state.deck.since)
        turn.set(opening=(), opening_done=())
        turn.set_shoe(ready=False)
        turn.enter(Phase.OPENING)
    else:
        to_shuffle(turn)


def advance_shuffle(turn: Turn) -> None:
    """A READY opens the betting; until it comes the device is told to shuffle, once. A deck that the device
    did not count to 52 is not played (58 Pa. Code § 674a.5(b))."""
    if any(alert.code == "deck_count" for alert in turn.state.alerts):
        turn.clear_alert("deck_count")
        turn.set_deck(miscounted=())
        turn.hold("deck_count")
        return
    state = turn.state
    if state.method is Method.HAND:
        return
    if state.shoe.ready and state.shoe.fault is None:
        to_betting(turn)
    elif state.shoe.up and state.shoe.fault is None and not _asked_to_shuffle(state):
        turn.set_deck(shuffle_commanded=True)
        turn.command("SHUFFLE")


def _asked_to_shuffle(state: TableState) -> bool:
    return state.deck.shuffle_commanded or state.deck.shuffle_refused


def verify_shuffled(state: TableState, _context: Context) -> Refusal | None:
    """From the hand no device says that the deck is ready: the dealer does. Where the device would not
    shuffle, he says that the deck lies in it now."""
    by_hand = state.method is Method.HAND or state.deck.shuffle_refused
    return None if by_hand else Refusal("shuffle_wait", "")


def shuffled_by_hand(turn: Turn, _event: KeyPressed) -> None:
    """A device that refused is told once more: what hindered it, a card in its exit say, may be gone."""
    if turn.state.method is Method.HAND:
        to_betting(turn)
    else:
        turn.set_deck(shuffle_commanded=False, shuffle_refused=False)


def to_betting(turn: Turn) -> None:
    """A new round: the deck must be the right one, and not too old."""
    since = turn.state.deck.since
    turn.set_deck(present=True, since=turn.context.ms if since is None else since)
    betting.enter(turn)
    check_back(turn)


def check_age(turn: Turn) -> None:
    """Announced before it is due, enforced before the next round, never in one. Another way of dealing may
    allow the deck more time."""
    if turn.state.deck.present and change_near(turn.state, turn.context):
        turn.alert("deck_change_due", noted=False)
    else:
        turn.clear_alert("deck_change_due")


OUT_OF_ORDER = "device_out_of_order"


def sign_device(turn: Turn, *, mended: bool, given_up: bool) -> None:
    """The table's own way of dealing is given up, or taken up again (58 Pa. Code § 674a.13(g)). It is entered
    in the list of the round to come, whatever phase the table is in. `given_up`: a device has been just now,
    and has to be covered or signed first."""
    early = tuple(entry for entry in turn.state.early if entry.code != OUT_OF_ORDER)
    uncovered = not mended and (given_up or turn.state.deck.uncovered)
    turn.set_deck(uncovered=uncovered)
    if mended:
        turn.clear_alert(OUT_OF_ORDER)
    else:
        turn.alert(OUT_OF_ORDER, noted=False)
        cited = turn.rulings[OUT_OF_ORDER].citation
        early += (Irregularity(OUT_OF_ORDER, turn.state.phase, None, None, cited, resolved=not uncovered),)
    turn.set(early=early)


def verify_covered(state: TableState, _context: Context) -> Refusal | None:
    return None if state.deck.uncovered and not state.closing else Refusal("not_now", "")


def covered(turn: Turn, _event: object) -> None:
    """The device that was given up is covered or bears its sign, on the dealer's word or its own."""
    turn.set_deck(uncovered=False)
    early = (replace(e, resolved=True) if e.code == OUT_OF_ORDER else e for e in turn.state.early)
    turn.set(early=tuple(early))


def device_done(turn: Turn, event: CommandDone) -> None:
    """DONE, of its sign too: on a device that bears it nobody else need confirm it."""
    done(turn, event)
    if event.command == "SIGN" and signs_itself(turn.state):
        covered(turn, event)


def played(turn: Turn, *, removed: bool = False) -> None:
    """A round has ended with this deck, void or settled."""
    deck = turn.state.deck
    counted = turn.state.round is not None and turn.round.stub_counted is not None
    name = deck_name(turn.state, turn.context)
    uncounted = deck.uncounted | {name: 0 if counted else deck.uncounted.get(name, 0) + 1}
    turn.set_deck(
        rounds_since_count=0 if counted else deck.rounds_since_count + 1, uncounted=uncounted,
        last_back=deck.back, after="removed" if removed else "reshuffled", shuffle_commanded=False,
    )  # fmt: skip
    turn.clear_alert("card_face_up")
