"""Deal: cards that leave the shoe go to their planned places, or play is held for a card too many, too
early or too late.

A card is a fact and is recorded in every phase, even while play is held; only `advance` requests the next
card from the shoe. `deadline` is how long the table has to wait for a card from the shoe (timeout
`STALL_MS`). Sources: 58 Pa. Code § 674a.8 to .10 and .13, config/rules/RULES.md "The deal".
"""

from __future__ import annotations

from controller.game.model.events import CardLeftShoe, KeyPressed, StackCompleted, StackTaken
from controller.game.model.evolve import evolve
from controller.game.model.irregularities import Code, SubRuling
from controller.game.model.names import BETWEEN, Method, Phase
from controller.game.model.plan import DealStep
from controller.game.model.round import Deal, Dealt
from controller.game.model.rules import DealTemplate
from controller.game.model.state import Context, TableState
from controller.game.model.transition import Transition
from controller.game.phases import duplicates, face_up
from controller.game.phases.face_up import apply_ruling
from controller.game.phases.shoe import LINK_GRACE_MS
from controller.game.phases.stub import count_due
from controller.game.rulebook.deal import deals_stacks
from controller.game.rulebook.wagers import Refusal

STALL_MS = 20_000
"""Timeout in ms: how long the table waits for a card from the shoe. A shoe that took a command and delivered
nothing by then has stopped dealing (58 Pa. Code § 674a.13(f)).
"""
DOUBT_MS = 1_000
"""Time in ms within which the shoe must show, after its link has resumed, that it is working; else the
command is sent again.
"""


def template(play: Transition) -> DealTemplate:
    return play.context.pack.deals[play.state.method]


# ------------------------------------------------------------------ cards


def _left_the_shoe(play: Transition, event: CardLeftShoe) -> None:
    left = play.state.shoe.left
    play.shoe = evolve(
        play.shoe, out=event.number, ready=False, left=None if left is None else max(0, left - 1)
    )


def card(play: Transition, event: CardLeftShoe) -> None:
    """Handle a CARD in the deal: a card found face up is set aside; any other goes to its place in the
    plan."""
    follows = event.number == play.state.shoe.out + 1
    _left_the_shoe(play, event)
    play.deal = evolve(play.deal, out=play.deal.out + 1, progress=play.context.ms, doubt=False)
    if not follows:
        play.hold(Code.SHOE_LOST, play.rulings[SubRuling.CARDS_UNSEEN])
    if play.deal.delivery is None:
        _drawn_late(play, event)
    elif event.found == "face_up":
        face_up.set_aside(play)
    else:
        _check_face(play, event)
        _put(play, Dealt(event.number, event.face))


def _check_face(play: Transition, event: CardLeftShoe) -> None:
    """Hold play for a card that was dealt twice or that no deck contains. No rule text mentions this; house
    procedure, by analogy with 58 Pa. Code § 674a.10(f) (config/rules/RULES.md).
    """
    if event.found == "impossible":
        play.hold(Code.DUPLICATE_CARD, play.rulings[SubRuling.IMPOSSIBLE_CARD])
    elif duplicates.given_before(play.round, event.face):
        play.hold(Code.DUPLICATE_CARD)


def _put(play: Transition, dealt: Dealt) -> None:
    step = play.deal.delivery
    if step is None:
        raise RuntimeError("a card for a plan that is done")
    if step.kind == "stack" and not play.deal.commanded:
        play.round = evolve(play.round, cards=play.round.cards | {f"extra_{dealt.number}": dealt})
        play.hold(Code.WRONG_COUNT)
    elif step.kind == "stack":
        play.deal = evolve(play.deal, exit=(*play.deal.exit, dealt))
        if len(play.deal.exit) > len(step.places):
            _wrong_count(play, step)
    else:
        place = step.places[0]
        play.round = evolve(play.round, cards=play.round.cards | {place: dealt})
        play.deal = evolve(play.deal, step=play.deal.step + 1)


def _wrong_count(play: Transition, step: DealStep) -> None:
    """Hold play because a delivery had too few or too many cards (58 Pa. Code § 674a.13(c)). `step`: the
    delivery."""
    play.hold(Code.WRONG_COUNT, seat=step.seat, place=None if step.seat else "cross")


def card_early(play: Transition, event: CardLeftShoe) -> None:
    """Hold play because a card left the shoe before "no more bets" or outside any deal."""
    _left_the_shoe(play, event)
    play.hold(Code.CARD_BEFORE_CLOSE)


def card_late(play: Transition, event: CardLeftShoe) -> None:
    """Handle a card that left the shoe after the deal was complete."""
    _left_the_shoe(play, event)
    play.deal = evolve(play.deal, out=play.deal.out + 1)
    _drawn_late(play, event)


def _drawn_late(play: Transition, event: CardLeftShoe) -> None:
    """Rule on a card that leaves the shoe after every hand is complete: it belongs to no hand and is drawn
    in error, with its face unseen (58 Pa. Code § 674a.13(b)). Face up it is not part of the deal."""
    if event.found == "face_up":
        play.deal = evolve(play.deal, set_aside=(*play.deal.set_aside, None))
        play.note(Code.CARD_FACE_UP, resolved=True)
    else:
        _check_face(play, event)
        extra = Dealt(event.number, event.face)
        play.round = evolve(play.round, cards=play.round.cards | {f"extra_{event.number}": extra})
        apply_ruling(play, Code.DRAWN_IN_ERROR, play.rulings[Code.DRAWN_IN_ERROR])


def card_held(play: Transition, event: CardLeftShoe) -> None:
    """Handle a card while play is held; it still belongs to the round."""
    phase = play.state.play_phase
    if phase is Phase.DEALING:
        card(play, event)
    elif phase in BETWEEN or play.state.round is None:
        card_early(play, event)
    else:
        card_late(play, event)


def card_in_void(play: Transition, event: CardLeftShoe) -> None:
    """Only count the card, because the round is already void."""
    _left_the_shoe(play, event)


# ------------------------------------------------------------------ stacks and the stub


def stack(play: Transition, event: StackCompleted) -> None:
    """Handle STACK: the count must match the plan and the cards that passed the reader."""
    step = play.deal.delivery
    play.deal = evolve(play.deal, stacked=True, progress=play.context.ms)
    if step is None or not event.count == len(step.places) == len(play.deal.exit):
        _wrong_count(play, step or play.deal.steps[-1])


def taken(play: Transition, _event: StackTaken) -> None:
    """Handle TAKEN: the dealer has the stack, and its cards are at their planned places."""
    step = play.deal.delivery
    if step is None or step.kind != "stack":
        return
    if not play.deal.stacked:
        _wrong_count(play, step)
    laid = dict(zip(step.places, play.deal.exit, strict=False))
    beyond = {f"extra_{dealt.number}": dealt for dealt in play.deal.exit[len(step.places) :]}
    play.round = evolve(play.round, cards=play.round.cards | laid | beyond)
    play.deal = evolve(
        play.deal,
        step=play.deal.step + 1,
        exit=(),
        stacked=False,
        commanded=False,
        progress=play.context.ms,
        doubt=False,
    )


def stack_held(play: Transition, event: StackCompleted) -> None:
    if play.state.play_phase is Phase.DEALING:
        stack(play, event)


def taken_held(play: Transition, event: StackTaken) -> None:
    if play.state.play_phase is Phase.DEALING:
        taken(play, event)


def ignore(_play: Transition, _event: object) -> None:
    """Ignore an event that changes nothing in the round; the journal records it."""


# ------------------------------------------------------------------ next step


def advance(play: Transition) -> None:
    """Request the next delivery, the stub, the count or the permission to look; then begin the decisions."""
    _watch_the_shoe(play)
    if play.state.phase is not Phase.DEALING:
        return
    step = play.deal.delivery
    if step is not None:
        _ask_for(play, step)
    elif not play.deal.stub_out:
        _ask_for_stub(play)
    elif count_due(play.state, play.context):
        play.alert(Code.STUB_COUNT_DUE, noted=False)
    else:
        play.clear_alert(Code.STUB_COUNT_DUE)
        if play.deal.permitted or not play.context.pack.permit_touch:
            play.decisions = evolve(play.decisions, asked=None, decided=False)
            play.enter(Phase.ACROSS)


def _ask_for(play: Transition, step: DealStep) -> None:
    if step.kind == "stack" and not play.deal.commanded and play.state.shoe.up:
        play.deal = evolve(play.deal, commanded=True, progress=play.context.ms)
        play.command("DEAL", str(len(step.places)))


def _ask_for_stub(play: Transition) -> None:
    if not play.deal.stub_commanded and play.state.shoe.up and deals_stacks(template(play)):
        play.deal = evolve(play.deal, stub_commanded=True, progress=play.context.ms)
        play.command("STUBOUT")


def _waits_for_shoe(deal: Deal) -> bool:
    """Return whether the result of a command to the shoe is still outstanding. A stack in the exit waits for
    the dealer, not for the shoe.
    """
    if deal.delivery is not None:
        return deal.commanded and not deal.stacked
    return deal.stub_commanded and not deal.stub_out


def deadline(play: Transition) -> int | None:
    """Return the time by which the shoe must have responded (ms); None if it need not respond. The dealer
    takes the stub without a deadline."""
    shoe, deal = play.state.shoe, play.deal
    if deal.delivery is None and deal.stub_out:
        return None
    if not shoe.up:
        if shoe.lost_at is None or play.state.method is Method.HAND:
            return None
        return shoe.lost_at + LINK_GRACE_MS
    if not _waits_for_shoe(deal):
        return None
    if deal.doubt and not deal.resent:
        return deal.progress + DOUBT_MS
    return deal.progress + STALL_MS if deal.delivery is not None else None


def _watch_the_shoe(play: Transition) -> None:
    due = deadline(play)
    if due is None or play.context.ms < due:
        return
    if not play.state.shoe.up:
        play.hold(Code.SHOE_LOST)
    elif play.deal.doubt and not play.deal.resent:
        again = not play.deal.exit
        play.deal = evolve(play.deal, resent=True, progress=play.context.ms)
        if again:
            play.deal = evolve(play.deal, commanded=False, stub_commanded=False)
    else:
        play.hold(Code.SHOE_FAULT)


# ------------------------------------------------------------------ CONFIRM


def verify_confirm(state: TableState, context: Context) -> Refusal | None:
    """Return why CONFIRM does nothing in the deal, or None. It confirms that all cards are dealt by hand,
    that the stub is taken if the shoe does not report it, or the permission to look."""
    round_ = state.round
    if round_ is None:
        return Refusal("not_now", "")
    if round_.deal.delivery is not None:
        return None if state.method is Method.HAND else Refusal("shoe_deals", "")
    if not round_.deal.stub_out:
        shoe_gives_stub = deals_stacks(context.pack.deals[state.method]) and not round_.deal.stub_by_hand
        return Refusal("take_the_stub", "") if shoe_gives_stub else None
    return None if context.pack.permit_touch and not round_.deal.permitted else Refusal("not_now", "")


def confirm(play: Transition, _event: KeyPressed) -> None:
    round_ = play.round
    if round_.deal.delivery is not None:
        places = [place for step in round_.deal.steps for place in step.places]
        cards = {place: Dealt(number) for number, place in enumerate(places, 1)}
        play.round = evolve(play.round, cards=cards)
        play.deal = evolve(play.deal, step=len(round_.deal.steps))
    elif not round_.deal.stub_out:
        play.deal = evolve(play.deal, stub_out=True)
    else:
        play.deal = evolve(play.deal, permitted=True)
