"""Reports of the shoe about itself: its lost connection, its state, its faults, such as a jam. `dealing.py`
handles cards.

A lost shoe raises an alert. If it does not return during the deal, play is held, because the positions of the
cards are then unknown. Source: drivers/shoe/LINK.md, config/rules/RULES.md "Irregularities".
"""

from __future__ import annotations

from controller.game.model import events
from controller.game.model.evolve import evolve
from controller.game.model.irregularities import FLOOR_CHOICES, Code, Outcome, Ruled, SubRuling
from controller.game.model.names import IN_PLAY, Method, Phase
from controller.game.model.state import TableState
from controller.game.model.transition import Transition
from controller.game.phases import shoe_trust

LINK_GRACE_MS = 1_200
"""Maximum time in ms that the link may be down in the deal before play is held: one HELLO and its answer."""

FULL_DECK = 52
SHUFFLE_FAULT = "SHUFFLE"
UNNAMED_FAULT = "SENSOR"
"""Fault assumed for a closing STATE,FAULT, which has no code (drivers/shoe/LINK.md)."""
PHASES_WITHOUT_SHUFFLER = (Phase.CLOSED, Phase.OPENING, Phase.BETTING, Phase.VOID, Phase.CLEARING)
"""Phases in which the shuffler is not needed."""


def link_opened(play: Transition, event: events.ShoeLinkOpened) -> None:
    """Handle WELCOME: the link is up. The closing STATE reports the changes in between."""
    if play.state.shoe.fault is not None and event.boot != play.state.shoe.boot:
        # a fault does not survive a power loss of the device: no CLEARED will come, and the closing STATE
        # reports a remaining fault
        fault_cleared(play, events.ShoeFaultCleared(play.state.shoe.fault))
    play.shoe = evolve(play.shoe, up=True, lost_at=None, boot=event.boot)
    shoe_trust.check_serial(play, event)
    if play.state.round is not None:
        # the shoe's response time starts again here, because it still has to report its acts while the link
        # was down
        play.deal = evolve(play.deal, progress=play.context.ms)
    play.clear_alert(Code.SHOE_LOST)


def link_lost(play: Transition, _event: events.ShoeLinkLost) -> None:
    """Handle the loss of the link."""
    if play.state.shoe.up or play.state.shoe.lost_at is None:
        play.shoe = evolve(play.shoe, up=False, lost_at=play.context.ms)
    if play.state.method is not Method.HAND:
        play.alert(Code.SHOE_LOST, noted=play.state.play_phase is Phase.DEALING)


def state_reported(play: Transition, event: events.ShoeStated) -> None:
    """Handle STATE. One that closes a resumption is compared with the recorded state."""
    known = play.state.shoe
    play.shoe = evolve(
        play.shoe, state=event.state, left=event.left, back=event.back or known.back, mode=event.mode
    )
    if event.state == "EMPTY":
        play.shoe = evolve(play.shoe, ready=False)
    if event.resumed:
        _resume(play, event, known.out)
    elif event.state == "EMPTY" and _owes_cards(play):
        play.hold(Code.SHOE_LOST, play.rulings[SubRuling.CARDS_UNSEEN])


def _owes_cards(play: Transition) -> bool:
    """Return whether the deal has begun and is not complete. Removing the deck now would take unseen cards
    with it."""
    if play.state.play_phase is not Phase.DEALING or play.state.method is Method.HAND:
        return False
    return play.deal.out > 0 and play.deal.step < len(play.deal.steps)


def _resume(play: Transition, event: events.ShoeStated, recorded: int) -> None:
    """Compare the shoe with the record after a resumption. Another `out` means that cards moved unseen; but a
    device that shuffles may have reset its count."""
    fresh = event.state == "READY" and event.out == 0
    phase = play.state.play_phase
    if fresh and not (phase is Phase.DEALING and recorded):
        deck_ready(play, events.DeckReady(event.left, event.back))
    elif phase in (Phase.BETTING, *IN_PLAY) and event.out != recorded and event.state != "SHUFFLING":
        play.hold(Code.SHOE_LOST, play.rulings[SubRuling.CARDS_UNSEEN])
    play.shoe = evolve(play.shoe, out=event.out)
    if event.state == "FAULT" and play.state.shoe.fault is None:
        # the shoe failed before its power-up, so it sends no FAULT
        fault_reported(play, events.ShoeFaulted(UNNAMED_FAULT))
    _lock_again(play)
    play.deck = evolve(
        play.deck, shuffle_commanded=play.state.deck.shuffle_commanded and event.state == "SHUFFLING"
    )
    if play.state.round is not None:
        play.deal = evolve(play.deal, doubt=True, resent=False, progress=play.context.ms)


def _lock_again(play: Transition) -> None:
    """Send HOLD or RELEASE again: a resumption may have voided it, and a power loss of the device clears
    it."""
    hold, round_ = play.state.hold, play.state.round
    if hold is not None and hold.phase is Phase.DEALING:
        play.command("HOLD")
    elif round_ is not None and round_.irregularities and play.state.phase in (Phase.DEALING, Phase.VOID):
        play.command("RELEASE")


def shuffle_finished(play: Transition, event: events.ShuffleFinished) -> None:
    """Handle SHUFFLED: a counting device found the deck complete or not (58 Pa. Code § 674a.5(b)). A wrong
    count of the other deck has no effect until that deck is needed (`deck.advance_shuffle`)."""
    if event.count is None:
        return
    wrong = tuple(back for back in play.state.deck.miscounted if back != event.back)
    play.deck = evolve(play.deck, miscounted=wrong if event.count == FULL_DECK else (*wrong, event.back))
    if play.state.deck.miscounted:
        play.alert(Code.DECK_COUNT, noted=False)
    else:
        play.clear_alert(Code.DECK_COUNT)


def deck_ready(play: Transition, event: events.DeckReady) -> None:
    """Handle READY: a deck is in place. During a deal this means that cards moved without a report."""
    if play.state.play_phase is Phase.DEALING and play.deal.out:
        play.hold(Code.SHOE_LOST, play.rulings[SubRuling.CARDS_UNSEEN])
        return
    deck = play.state.deck
    back = event.back.lower() if event.back else None
    backs = deck.backs if back is None or back in deck.backs else (*deck.backs, back)
    play.shoe = evolve(play.shoe, ready=True, out=0, left=event.left, back=event.back, state="READY")
    play.deck = evolve(play.deck, shuffle_commanded=False, shuffle_refused=False, backs=backs)
    if play.state.shoe.fault is None:
        play.clear_alert(Code.SHOE_FAULT)
    if play.state.play_phase is Phase.BETTING:
        check_back(play)


def check_back(play: Transition) -> None:
    """Check the back of the deck to be played now; two decks play in turn (58 Pa. Code § 674a.3(b))."""
    deck, shoe = play.state.deck, play.state.shoe
    back = shoe.back.lower() if shoe.back and play.state.method is not Method.HAND else deck.back
    play.deck = evolve(play.deck, back=back)
    shoe_knows = shoe.back is not None and play.state.method is not Method.HAND
    two = len(deck.backs) > 1 or (shoe_knows and play.context.settings.decks > 1)
    if two and back == deck.last_back:
        play.alert(Code.WRONG_DECK, noted=False)
    else:
        play.clear_alert(Code.WRONG_DECK)


def fault_reported(play: Transition, event: events.ShoeFaulted) -> None:
    """Handle FAULT: an irregularity of the round once the bets are closed, even if no card is out. After
    the last card it voids nothing (OUR READING of 58 Pa. Code § 674a.13(f)) and is recorded."""
    play.shoe = evolve(play.shoe, fault=event.fault, state="FAULT")
    if event.fault == SHUFFLE_FAULT:
        shuffler_fault(play, standing=True)
    elif play.state.play_phase is Phase.DEALING and play.state.method is not Method.HAND:
        fault_in_play(play, event.fault)
    else:
        in_round = play.state.play_phase in IN_PLAY and play.state.method is not Method.HAND
        play.alert(Code.SHOE_FAULT, noted=in_round and bool(play.state.procedures))


def fault_in_play(play: Transition, fault: str) -> None:
    """Hold play for a fault of the dealing shoe after the close. For a manual shoe a floorperson decides."""
    if fault == SHUFFLE_FAULT:
        return
    key: Ruled = SubRuling.MANUAL_SHOE_FAULT if play.state.method is Method.MANUAL_SHOE else Code.SHOE_FAULT
    play.hold(Code.SHOE_FAULT, play.rulings[key])


def shuffler_fault(play: Transition, *, standing: bool) -> None:
    """Handle a fault of the shuffler. Play goes on before the close, and if the text only requires another
    shuffle; else play is held. `standing`: the device will report when it works again."""
    ruling = play.rulings[Code.SHUFFLER_FAULT]
    if ruling.outcome is not Outcome.RESHUFFLE and play.state.play_phase not in PHASES_WITHOUT_SHUFFLER:
        _hold_shuffler(play)
    elif standing:
        play.alert(Code.SHUFFLER_FAULT, noted=play.state.round is not None)
    else:
        play.note(Code.SHUFFLER_FAULT, resolved=True)
        play.deck = evolve(play.deck, shuffle_commanded=False)


def _hold_shuffler(play: Transition) -> None:
    """Hold play by the ruling if the deck in play is in the machine. A deck dealt by hand, already on the
    table, or playing while the other is shuffled is not affected, and the round goes on."""
    round_ = play.state.round
    out = round_ is not None and round_.deal.stub_out
    if play.state.method is Method.HAND or play.context.settings.decks > 1 or out:
        proposed = Outcome.GO_ON if play.rulings[Code.SHUFFLER_FAULT].outcome is not Outcome.FLOOR else None
        play.hold(Code.SHUFFLER_FAULT, proposed=proposed, outcomes=FLOOR_CHOICES)
    else:
        play.hold(Code.SHUFFLER_FAULT)


def fault_cleared(play: Transition, _event: events.ShoeFaultCleared) -> None:
    """Handle CLEARED: the device works again. An interrupted shuffle starts over (58 Pa. Code §
    674a.13(e))."""
    play.shoe = evolve(play.shoe, fault=None, state="READY" if play.state.shoe.ready else "UNKNOWN")
    play.clear_alert(Code.SHOE_FAULT)
    play.clear_alert(Code.SHUFFLER_FAULT)
    play.deck = evolve(play.deck, shuffle_commanded=False, shuffle_refused=False)


def command_done(play: Transition, event: events.CommandDone) -> None:
    """Handle DONE: the shoe has carried out the command; the frames before it reported the result."""
    if play.state.round is not None:
        doubt = play.deal.doubt and event.command not in ("DEAL", "STUBOUT")
        play.deal = evolve(play.deal, progress=play.context.ms, doubt=doubt)


def signs_itself(state: TableState) -> bool:
    """Return whether the DONE of a SIGN came from the abandoned device and not from its replacement."""
    return state.deck.uncovered and state.method is Method.HAND


def command_refused(play: Transition, event: events.CommandRefused) -> None:
    """Handle REFUSED. After a resumption it only means that the shoe is already working."""
    if event.command == "SHUFFLE":
        # in other phases the command has crossed a READY that the device sent by itself: no deck has to be
        # loaded
        play.deck = evolve(play.deck, shuffle_refused=play.state.play_phase is Phase.SHUFFLE)
    elif event.command == "STUBOUT" and play.state.play_phase is Phase.DEALING and not play.deal.doubt:
        play.deal = evolve(play.deal, stub_by_hand=True)
    elif event.command == "DEAL" and play.state.play_phase is Phase.DEALING and not play.deal.doubt:
        play.hold(Code.SHOE_FAULT)
