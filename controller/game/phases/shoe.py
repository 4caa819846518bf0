"""What the shoe says of itself: its link, its state, its faults. Cards are `dealing.py`'s.

A shoe that is gone is an alert; in the deal it becomes a hold when it stays away, since then nobody
knows where the cards are. Source: drivers/shoe/LINK.md, config/rules/RULES.md "Irregularities".
"""

from __future__ import annotations

from controller.game.model.events import (
    CommandDone,
    CommandRefused,
    DeckReady,
    ShoeFaultCleared,
    ShoeFaulted,
    ShoeLinkLost,
    ShoeLinkOpened,
    ShoeStated,
    ShuffleFinished,
)  # fmt: skip
from controller.game.model.irregularities import FLOOR_CHOICES
from controller.game.model.names import Method, Phase
from controller.game.model.rules import Outcome
from controller.game.model.state import TableState
from controller.game.model.transition import Turn

LINK_GRACE_MS = 1_200
"""How long the link may be down in the deal before play is held: one HELLO and its answer."""

FULL_DECK = 52
DEALT = (Phase.BETTING, Phase.DEALING, Phase.ACROSS, Phase.DOWN, Phase.MIDDLE, Phase.SETTLEMENT)
SHUFFLE_FAULT = "SHUFFLE"
UNNAMED_FAULT = "SENSOR"
"""What a closing STATE,FAULT is taken for: it bears no code (drivers/shoe/LINK.md)."""
FREE = (Phase.CLOSED, Phase.OPENING, Phase.BETTING, Phase.VOID, Phase.CLEARING)
"""Where nothing hangs on the shuffler yet, or any more."""
NO_DEAL_YET = (Phase.CLOSED, Phase.OPENING, Phase.SHUFFLE, Phase.CLEARING)


def opened(turn: Turn, event: ShoeLinkOpened) -> None:
    """WELCOME: the link is there; what the shoe did meanwhile its closing STATE tells."""
    if turn.state.shoe.fault is not None and event.boot != turn.state.shoe.boot:
        # a device forgets its fault with its power: no CLEARED will come, and what is left of it the
        # closing STATE tells
        cleared(turn, ShoeFaultCleared(turn.state.shoe.fault))
    turn.set_shoe(up=True, lost_at=None, boot=event.boot)
    turn.clear_alert("shoe_lost")


def lost(turn: Turn, _event: ShoeLinkLost) -> None:
    """The link is down."""
    if turn.state.shoe.up or turn.state.shoe.lost_at is None:
        turn.set_shoe(up=False, lost_at=turn.context.ms)
    if turn.state.method is not Method.HAND:
        turn.alert("shoe_lost", noted=turn.state.stands is Phase.DEALING)


def stated(turn: Turn, event: ShoeStated) -> None:
    """STATE. One that closes a resumption is compared with what we have recorded."""
    known = turn.state.shoe
    turn.set_shoe(state=event.state, left=event.left, back=event.back or known.back, mode=event.mode)
    if event.state == "EMPTY":
        turn.set_shoe(ready=False)
    if event.resumed:
        _resume(turn, event, known.out)
    elif event.state == "EMPTY" and _owes_cards(turn):
        turn.hold("shoe_lost", turn.rulings["cards_unseen"])


def _owes_cards(turn: Turn) -> bool:
    """The deal has begun and is not complete: a deck that is lifted out now takes cards with it unseen."""
    if turn.state.stands is not Phase.DEALING or turn.state.method is Method.HAND:
        return False
    return turn.round.out > 0 and turn.round.step < len(turn.round.steps)


def _resume(turn: Turn, event: ShoeStated, recorded: int) -> None:
    """`out` that differs: cards moved unseen. A device that shuffles may have begun to count anew."""
    fresh = event.state == "READY" and event.out == 0
    phase = turn.state.stands
    if fresh and not (phase is Phase.DEALING and recorded):
        ready(turn, DeckReady(event.left, event.back))
    elif phase in DEALT and event.out != recorded and event.state != "SHUFFLING":
        turn.hold("shoe_lost", turn.rulings["cards_unseen"])
    turn.set_shoe(out=event.out)
    if event.state == "FAULT" and turn.state.shoe.fault is None:
        faulted(turn, ShoeFaulted(UNNAMED_FAULT))  # it broke down before its power-up: no FAULT will come
    _lock_again(turn)
    turn.set_deck(shuffle_commanded=turn.state.deck.shuffle_commanded and event.state == "SHUFFLING")
    if turn.state.round is not None:
        turn.set_round(doubt=True, resent=False, progress=turn.context.ms)


def _lock_again(turn: Turn) -> None:
    """HOLD and RELEASE are void where a resumption overtook them; a device forgets them with its power."""
    hold, round_ = turn.state.hold, turn.state.round
    if hold is not None and hold.phase is Phase.DEALING:
        turn.command("HOLD")
    elif round_ is not None and round_.irregularities and turn.state.phase in (Phase.DEALING, Phase.VOID):
        turn.command("RELEASE")


def shuffled(turn: Turn, event: ShuffleFinished) -> None:
    """SHUFFLED: a counting device found the deck whole, or not (58 Pa. Code § 674a.5(b)). That of the deck
    which is not in play stops nothing until it is wanted (`deck.advance_shuffle`)."""
    if event.count is None:
        return
    wrong = tuple(back for back in turn.state.deck.miscounted if back != event.back)
    turn.set_deck(miscounted=wrong if event.count == FULL_DECK else (*wrong, event.back))
    if turn.state.deck.miscounted:
        turn.alert("deck_count", noted=False)
    else:
        turn.clear_alert("deck_count")


def ready(turn: Turn, event: DeckReady) -> None:
    """READY: a deck is in place. In the middle of a deal that means that cards moved unseen."""
    if turn.state.stands is Phase.DEALING and turn.round.out:
        turn.hold("shoe_lost", turn.rulings["cards_unseen"])
        return
    deck = turn.state.deck
    back = event.back.lower() if event.back else None
    backs = deck.backs if back is None or back in deck.backs else (*deck.backs, back)
    turn.set_shoe(ready=True, out=0, left=event.left, back=event.back, state="READY")
    turn.set_deck(shuffle_commanded=False, shuffle_refused=False, backs=backs)
    if turn.state.shoe.fault is None:
        turn.clear_alert("shoe_fault")
    if turn.state.stands is Phase.BETTING:
        check_back(turn)


def check_back(turn: Turn) -> None:
    """The deck that is to be played now; two decks play in turn (58 Pa. Code § 674a.3(b))."""
    deck, shoe = turn.state.deck, turn.state.shoe
    back = shoe.back.lower() if shoe.back and turn.state.method is not Method.HAND else deck.back
    turn.set_deck(back=back)
    told = shoe.back is not None and turn.state.method is not Method.HAND
    two = len(deck.backs) > 1 or (told and turn.context.settings.decks > 1)
    if two and back == deck.last_back:
        turn.alert("wrong_deck", noted=False)
    else:
        turn.clear_alert("wrong_deck")


def faulted(turn: Turn, event: ShoeFaulted) -> None:
    """FAULT: after the close an irregularity of the round, even with no card out."""
    turn.set_shoe(fault=event.fault, state="FAULT")
    if event.fault == SHUFFLE_FAULT:
        shuffler_fault(turn, standing=True)
    elif turn.state.stands is Phase.DEALING and turn.state.method is not Method.HAND:
        fault_in_play(turn, event.fault)
    else:
        turn.alert("shoe_fault", noted=False)


def fault_in_play(turn: Turn, fault: str) -> None:
    """The dealing shoe has failed after the close. A manual shoe's failure is for the floor to judge."""
    if fault == SHUFFLE_FAULT:
        return
    key = "manual_shoe_fault" if turn.state.method is Method.MANUAL_SHOE else "shoe_fault"
    turn.hold("shoe_fault", turn.rulings[key])


def shuffler_fault(turn: Turn, *, standing: bool) -> None:
    """The shuffler has failed. Where the text only has it shuffle anew play goes on, and so it does before
    the close; else play is held. `standing`: the device will say when it works again."""
    ruling = turn.rulings["shuffler_fault"]
    if ruling.outcome is not Outcome.RESHUFFLE and turn.state.stands not in FREE:
        _hold_shuffler(turn)
    elif standing:
        turn.alert("shuffler_fault", noted=turn.state.round is not None)
    else:
        turn.note("shuffler_fault", resolved=True)
        turn.set_deck(shuffle_commanded=False)


def _hold_shuffler(turn: Turn) -> None:
    """Where the deck in play is in the machine the ruling stands. One dealt from the hand, lying on the
    table already, or playing while the other is shuffled, is not touched by it: the round may go on."""
    round_ = turn.state.round
    out = round_ is not None and round_.stub_out
    if turn.state.method is Method.HAND or turn.context.settings.decks > 1 or out:
        proposed = Outcome.GO_ON if turn.rulings["shuffler_fault"].outcome is not Outcome.FLOOR else None
        turn.hold("shuffler_fault", proposed=proposed, outcomes=FLOOR_CHOICES)
    else:
        turn.hold("shuffler_fault")


def cleared(turn: Turn, _event: ShoeFaultCleared) -> None:
    """CLEARED: the device works again. A shuffle that broke off is begun anew (58 Pa. Code § 674a.13(e))."""
    turn.set_shoe(fault=None, state="READY" if turn.state.shoe.ready else "UNKNOWN")
    turn.clear_alert("shoe_fault")
    turn.clear_alert("shuffler_fault")
    turn.set_deck(shuffle_commanded=False, shuffle_refused=False)


def done(turn: Turn, event: CommandDone) -> None:
    """DONE: the shoe has carried out the command; the frames before it said what came of it."""
    if turn.state.round is not None:
        doubt = turn.round.doubt and event.command not in ("DEAL", "STUBOUT")
        turn.set_round(progress=turn.context.ms, doubt=doubt)


def signs_itself(state: TableState) -> bool:
    """Whether the DONE of a SIGN is that of the device that was given up, and of no other in its place."""
    return state.deck.uncovered and state.method is Method.HAND


def refused(turn: Turn, event: CommandRefused) -> None:
    """REFUSED. After a resumption it only says that the shoe is at work already."""
    if event.command == "SHUFFLE":
        # elsewhere a READY of the device's own accord has crossed it: there is nothing to load
        turn.set_deck(shuffle_refused=turn.state.stands is Phase.SHUFFLE)
    elif event.command == "STUBOUT" and turn.state.stands is Phase.DEALING and not turn.round.doubt:
        turn.set_round(stub_by_hand=True)
    elif event.command == "DEAL" and turn.state.stands is Phase.DEALING and not turn.round.doubt:
        turn.hold("shoe_fault")
