"""Stub: the cards left after the deal. The dealer or a device counts it down against the cards dealt.

Sources: 58 Pa. Code § 674a.8(f), .9(d), .10(d) to (f); config/rules/RULES.md "The deal".
"""

from __future__ import annotations

from dataclasses import replace

from controller.game.model.events import StubTaken
from controller.game.model.evolve import evolve
from controller.game.model.irregularities import Code, SubRuling
from controller.game.model.names import PLAYING, Method, Phase
from controller.game.model.round import Round
from controller.game.model.rules import offered_outcomes
from controller.game.model.state import Context, TableState
from controller.game.model.transition import Transition
from controller.game.phases import face_up
from controller.game.phases.deck_age import rounds_uncounted
from controller.game.phases.shoe import FULL_DECK


def expected_stub(round_: Round) -> int:
    """Return the number of cards that the stub should have: 52 minus the cards that left the shoe. The cover
    card is not counted."""
    planned = sum(len(step.places) for step in round_.deal.steps)
    out = round_.deal.out if round_.method is not Method.HAND else planned + len(round_.deal.set_aside)
    return FULL_DECK - out


def taken(play: Transition, event: StubTaken) -> None:
    """Handle STUB, the shoe's message that the stub was taken out. Its count is always compared, but it
    replaces a count by the dealer only if the rule pack permits it."""
    play.shoe = evolve(play.shoe, left=0)
    play.deal = evolve(play.deal, stub_out=True, stub_shoe=event.count, progress=play.context.ms)
    if play.deal.delivery is not None:
        play.hold(Code.SHOE_FAULT)
    elif event.count is not None:
        judge_stub(play, event.count)


def taken_late(play: Transition, event: StubTaken) -> None:
    """Handle a STUB that arrives after the dealer has confirmed with CONFIRM that the stub is out: the key
    was faster than the link. The count is still compared. A second STUB in a round is a fault of the shoe."""
    if play.deal.stub_shoe is None:
        taken(play, event)
    else:
        play.alert(Code.SHOE_FAULT)


def counted_stub(round_: Round) -> int | None:
    """Return the number of cards counted in the stub, by the dealer or else by the shoe; None if it was not
    counted."""
    return round_.deal.stub_shoe if round_.deal.stub_counted is None else round_.deal.stub_counted


def judge_stub(play: Transition, count: int) -> None:
    """Rule on the stub after a count of `count` cards: it is right, one card short because a card was set
    aside, or wrong."""
    if count == expected_stub(play.round):
        return
    if count == expected_stub(play.round) - 1 and face_up.may_be_missing(play):
        face_up.record_missing(play)
    else:
        stub_wrong(play)


def stub_wrong(play: Transition) -> None:
    """Hold play because the cards in the stub and the cards dealt do not add up to 52 (58 Pa. Code §
    674a.10(e), (f))."""
    play.hold(Code.DECK_COUNT, play.rulings[SubRuling.STUB_SHORT])
    rule_misdeal(play)


def rule_misdeal(play: Transition) -> None:
    """Rule on a wrong stub and a wrong hand in the same round together. If the cards missing from one are in
    the other, the deck is complete and the misdeal only voids the round; otherwise the deck also leaves the
    table (config/rules/RULES.md, The deal)."""
    round_, hold = play.round, play.state.hold
    stub = counted_stub(round_)
    if hold is None or not hold.code.kind.misdeal or stub is None:
        return
    misdealt = hold.code is Code.WRONG_COUNT or hold.beyond is not None
    if stub == expected_stub(round_) or not misdealt:
        return
    whole = hold.beyond is not None and stub + hold.beyond == expected_stub(round_)
    ruling = play.rulings[_misdealt(play) if whole else SubRuling.STUB_BOTH]
    proposed, offered = offered_outcomes(ruling)
    cited = ruling.section(play.state.method)
    play.amend(replace(hold, citation=cited, proposed=proposed, outcomes=offered))


def _misdealt(play: Transition) -> SubRuling:
    """Return the key of the ruling for a misdeal that explains a wrong stub. Maryland rules on it in 13.C if
    only the cross was misdealt, and in 8.F(4) if any seat was."""
    waiting = (play.state.hold, *play.state.held_next)
    wrong = [hold for hold in waiting if hold is not None and hold.code is Code.WRONG_COUNT]
    cross = bool(wrong) and all(hold.place == "cross" for hold in wrong)
    return SubRuling.STUB_MISDEALT_CROSS if cross else SubRuling.STUB_MISDEALT


def taken_held(play: Transition, event: StubTaken) -> None:
    if play.state.play_phase is Phase.DEALING:
        taken(play, event)
    elif play.state.play_phase in PLAYING:
        taken_late(play, event)


def count_due(state: TableState, context: Context) -> bool:
    """Return whether the stub has to be counted in this round, because the pack requires a count after a
    number of rounds (58 Pa. Code § 674a.8(f), .9(d), .10(d))."""
    every = context.pack.deals[state.method].counts_stub_every
    if every is None or context.settings.counting_device or state.round is None:
        return False
    return state.round.deal.stub_counted is None and rounds_uncounted(state, context) + 1 >= every
