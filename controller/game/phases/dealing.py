"""The deal: what leaves the shoe goes where the plan says, or play is held.

A card is a fact and is written down in every phase, held play included; only `advance` asks for the
next one. Sources: 58 Pa. Code § 674a.8 to .10 and .13, config/rules/RULES.md "The deal".
"""

from __future__ import annotations

from dataclasses import replace

from controller.game.model.cards import Card
from controller.game.model.events import CardLeftShoe, StackCompleted, StackTaken, StubTaken
from controller.game.model.irregularities import permitted
from controller.game.model.names import Method, Phase
from controller.game.model.rules import DealTemplate
from controller.game.model.state import Context, Dealt, Round, TableState
from controller.game.model.transition import Turn
from controller.game.phases import face_up
from controller.game.phases.deck_age import rounds_uncounted
from controller.game.phases.face_up import apply_ruling
from controller.game.phases.shoe import FULL_DECK, LINK_GRACE_MS, NO_DEAL_YET
from controller.game.rulebook.deal import DealStep, deals_stacks

STALL_MS = 20_000
"""A shoe that took a command and gives nothing for so long has stopped dealing (.13(f))."""
DOUBT_MS = 1_000
"""After a resumption: so long a shoe may take to show that it is at work; then the command is sent again."""


def template(turn: Turn) -> DealTemplate:
    return turn.context.pack.deals[turn.state.method]


def current(round_: Round) -> DealStep | None:
    """The delivery that is on, None when all cards are dealt."""
    return round_.steps[round_.step] if round_.step < len(round_.steps) else None


def expected_stub(round_: Round) -> int:
    """Cards that the stub must have: 52 less what left the shoe, the cover card not counted."""
    planned = sum(len(step.places) for step in round_.steps)
    out = round_.out if round_.method is not Method.HAND else planned + len(round_.set_aside)
    return FULL_DECK - out


# ------------------------------------------------------------------ cards


def _left_the_shoe(turn: Turn, event: CardLeftShoe) -> None:
    left = turn.state.shoe.left
    turn.set_shoe(out=event.number, ready=False, left=None if left is None else max(0, left - 1))


def card(turn: Turn, event: CardLeftShoe) -> None:
    """CARD in the deal: set aside when face up, else the next of the plan."""
    follows = event.number == turn.state.shoe.out + 1
    _left_the_shoe(turn, event)
    turn.set(undo=None)
    turn.set_round(out=turn.round.out + 1, progress=turn.context.ms, doubt=False)
    if not follows:
        turn.hold("shoe_lost", turn.rulings["cards_unseen"])
    if current(turn.round) is None:
        _drawn_late(turn, event)
    elif event.found == "face_up":
        face_up.found(turn)
    else:
        _check_face(turn, event)
        _put(turn, Dealt(event.number, event.face))


def faces_known(round_: Round) -> set[Card]:
    """Every face of this round that is known, turned or not."""
    faces = {dealt.face for dealt in (*round_.cards.values(), *round_.exit) if dealt.face}
    return faces | {face for face in round_.set_aside if face}


def _check_face(turn: Turn, event: CardLeftShoe) -> None:
    """No text: a card seen twice, or one that no deck holds, is held (config/rules/RULES.md, by analogy with
    .10(f))."""
    if event.found == "impossible":
        turn.hold("duplicate_card", turn.rulings["impossible_card"])
    elif event.face is not None and event.face in faces_known(turn.round):
        turn.hold("duplicate_card")


def _put(turn: Turn, dealt: Dealt) -> None:
    step = current(turn.round)
    if step is None:
        raise RuntimeError("a card for a plan that is done")
    if step.kind == "stack" and not turn.round.commanded:
        turn.set_round(cards=turn.round.cards | {f"extra_{dealt.number}": dealt})
        turn.hold("wrong_count")
    elif step.kind == "stack":
        turn.set_round(exit=(*turn.round.exit, dealt))
        if len(turn.round.exit) > len(step.places):
            _wrong_count(turn, step)
    else:
        place = step.places[0]
        turn.set_round(cards=turn.round.cards | {place: dealt}, step=turn.round.step + 1)


def _wrong_count(turn: Turn, step: DealStep) -> None:
    """58 Pa. Code § 674a.13(c)."""
    turn.hold("wrong_count", seat=step.seat, place=None if step.seat else "cross")


def card_early(turn: Turn, event: CardLeftShoe) -> None:
    """A card before "no more bets", or outside any deal."""
    _left_the_shoe(turn, event)
    turn.hold("card_before_close")


def card_late(turn: Turn, event: CardLeftShoe) -> None:
    """A card after the deal is complete."""
    _left_the_shoe(turn, event)
    turn.set(undo=None)
    turn.set_round(out=turn.round.out + 1)
    _drawn_late(turn, event)


def _drawn_late(turn: Turn, event: CardLeftShoe) -> None:
    """A card that is let slip when every hand is complete goes to nobody: drawn in error, its face unseen
    (58 Pa. Code § 674a.13(b)). Face up it is none of the deal's."""
    if event.found == "face_up":
        turn.set_round(set_aside=(*turn.round.set_aside, None))
        turn.note("card_face_up", resolved=True)
    else:
        _check_face(turn, event)
        extra = Dealt(event.number, event.face)
        turn.set_round(cards=turn.round.cards | {f"extra_{event.number}": extra})
        apply_ruling(turn, "drawn_in_error", turn.rulings["drawn_in_error"])


def card_held(turn: Turn, event: CardLeftShoe) -> None:
    """A card while play is held is still a fact of the round."""
    phase = turn.state.stands
    if phase is Phase.DEALING:
        card(turn, event)
    elif phase in NO_DEAL_YET or turn.state.round is None:
        card_early(turn, event)
    else:
        card_late(turn, event)


def card_in_void(turn: Turn, event: CardLeftShoe) -> None:
    """The round is void already; the card is only counted."""
    _left_the_shoe(turn, event)


# ------------------------------------------------------------------ stacks and the stub


def stack(turn: Turn, event: StackCompleted) -> None:
    """STACK: the count must be that of the plan, and of the cards that passed the reader."""
    step = current(turn.round)
    turn.set_round(stacked=True, progress=turn.context.ms)
    if step is None or not event.count == len(step.places) == len(turn.round.exit):
        _wrong_count(turn, step or turn.round.steps[-1])


def taken(turn: Turn, _event: StackTaken) -> None:
    """TAKEN: the dealer has the stack; it lies where the plan says."""
    step = current(turn.round)
    if step is None or step.kind != "stack":
        return
    if not turn.round.stacked:
        _wrong_count(turn, step)
    laid = dict(zip(step.places, turn.round.exit, strict=False))
    beyond = {f"extra_{dealt.number}": dealt for dealt in turn.round.exit[len(step.places) :]}
    turn.set_round(
        cards=turn.round.cards | laid | beyond, step=turn.round.step + 1, exit=(), stacked=False,
        commanded=False, progress=turn.context.ms, doubt=False,
    )  # fmt: skip


def stub(turn: Turn, event: StubTaken) -> None:
    """STUB: the shoe's own count is compared, but fulfils the duty to count only where the pack says so."""
    turn.set_shoe(left=0)
    turn.set_round(stub_out=True, stub_shoe=event.count, progress=turn.context.ms)
    if current(turn.round) is not None:
        turn.hold("shoe_fault")
    elif event.count is not None:
        judge_stub(turn, event.count)


def stub_late(turn: Turn, event: StubTaken) -> None:
    """STUB after the dealer's CONFIRM that the stub is out: his hand was quicker than the link, and the count
    is compared all the same. A second stub there is none of."""
    if turn.round.stub_shoe is None:
        stub(turn, event)
    else:
        turn.alert("shoe_fault")


def stub_of(round_: Round) -> int | None:
    """How many cards the stub has, as far as anybody has counted it; the dealer's count stands."""
    return round_.stub_shoe if round_.stub_counted is None else round_.stub_counted


def judge_stub(turn: Turn, count: int) -> None:
    """A stub that was counted is right, or is short by the card that was set aside, or is wrong."""
    if count == expected_stub(turn.round):
        return
    if count == expected_stub(turn.round) - 1 and face_up.may_be_missing(turn):
        face_up.missing(turn)
    else:
        stub_wrong(turn)


def stub_wrong(turn: Turn) -> None:
    """The stub does not make 52 with what was dealt (58 Pa. Code § 674a.10(e), (f))."""
    turn.hold("deck_count", turn.rulings["stub_short"])
    rule_misdeal(turn)


MISDEAL = ("wrong_count", "deck_count")


def rule_misdeal(turn: Turn) -> None:
    """A wrong stub and a wrong hand together: misdealt, the deck whole, is void; misdealt and not 52 takes
    the deck off the table too (config/rules/RULES.md, The deal)."""
    round_, hold = turn.round, turn.state.hold
    stub = stub_of(round_)
    if hold is None or hold.code not in MISDEAL or stub is None:
        return
    misdealt = hold.code == "wrong_count" or hold.beyond is not None
    if stub == expected_stub(round_) or not misdealt:
        return
    whole = hold.beyond is not None and stub + hold.beyond == expected_stub(round_)
    ruling = turn.rulings[_misdealt(turn) if whole else "stub_both"]
    proposed, offered = permitted(ruling)
    cited = ruling.cited(turn.state.method)
    turn.set(hold=replace(hold, citation=cited, proposed=proposed, outcomes=offered))


def _misdealt(turn: Turn) -> str:
    """Which misdeal explains the stub: of a seat, or of the cross alone (Maryland's 8.F(4) has the seats
    only, 13.C the cross)."""
    waiting = (turn.state.hold, *turn.state.held_next)
    wrong = [hold for hold in waiting if hold is not None and hold.code == "wrong_count"]
    cross = bool(wrong) and all(hold.place == "cross" for hold in wrong)
    return "stub_misdealt_cross" if cross else "stub_misdealt"


def ignore(_turn: Turn, _event: object) -> None:
    """Nothing of the round hangs on it here; the runtime has written it down."""


def count_due(state: TableState, context: Context) -> bool:
    """Whether the stub must be counted in this round (58 Pa. Code § 674a.8(f), .9(d), .10(d))."""
    every = context.pack.deals[state.method].counts_stub_every
    if every is None or context.settings.counting_device or state.round is None:
        return False
    return state.round.stub_counted is None and rounds_uncounted(state, context) + 1 >= every


# ------------------------------------------------------------------ what comes next


def advance(turn: Turn) -> None:
    """Ask for the next delivery, the stub, the count, the permission; then the decisions begin."""
    _watch_the_shoe(turn)
    if turn.state.phase is not Phase.DEALING:
        return
    step = current(turn.round)
    if step is not None:
        _ask_for(turn, step)
    elif not turn.round.stub_out:
        _ask_for_stub(turn)
    elif count_due(turn.state, turn.context):
        turn.alert("stub_count_due", noted=False)
    else:
        turn.clear_alert("stub_count_due")
        if turn.round.permitted or not turn.context.pack.permit_touch:
            turn.set_round(asked=None, decided=False)
            turn.enter(Phase.ACROSS)


def _ask_for(turn: Turn, step: DealStep) -> None:
    if step.kind == "stack" and not turn.round.commanded and turn.state.shoe.up:
        turn.set_round(commanded=True, progress=turn.context.ms)
        turn.command("DEAL", str(len(step.places)))


def _ask_for_stub(turn: Turn) -> None:
    if not turn.round.stub_commanded and turn.state.shoe.up and deals_stacks(template(turn)):
        turn.set_round(stub_commanded=True, progress=turn.context.ms)
        turn.command("STUBOUT")


def _waits_for_shoe(turn: Turn) -> bool:
    """A command is out and nothing has come of it; a stack in the exit waits for the dealer."""
    round_ = turn.round
    if current(round_) is not None:
        return round_.commanded and not round_.stacked
    return round_.stub_commanded and not round_.stub_out


def deadline(turn: Turn) -> int | None:
    """When the shoe must have shown itself (ms), None where nothing is waited for. For the stub it waits
    on the dealer, who has all the time that he needs."""
    shoe, round_ = turn.state.shoe, turn.round
    if current(round_) is None and round_.stub_out:
        return None
    if not shoe.up:
        if shoe.lost_at is None or turn.state.method is Method.HAND:
            return None
        return shoe.lost_at + LINK_GRACE_MS
    if not _waits_for_shoe(turn):
        return None
    if round_.doubt and not round_.resent:
        return round_.progress + DOUBT_MS
    return round_.progress + STALL_MS if current(round_) is not None else None


def _watch_the_shoe(turn: Turn) -> None:
    due = deadline(turn)
    if due is None or turn.context.ms < due:
        return
    if not turn.state.shoe.up:
        turn.hold("shoe_lost")
    elif turn.round.doubt and not turn.round.resent:
        again = not turn.round.exit
        turn.set_round(resent=True, progress=turn.context.ms)
        if again:
            turn.set_round(commanded=False, stub_commanded=False)
    else:
        turn.hold("shoe_fault")
