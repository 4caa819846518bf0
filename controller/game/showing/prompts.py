"""Prompts (instructions) for the dealer, now and next: one prompt, one step, as data.

The display's catalogue has the texts. Prompts are derived from the state by the checks that the handlers use,
so that the screen cannot ask for an act that a key would refuse. They must never name a hidden face.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from controller.game.books.dues import current_item, excess, needs_no_chips, uncollected, wager_at
from controller.game.model.chips import fewest_chips
from controller.game.model.hand import Hand
from controller.game.model.irregularities import Code
from controller.game.model.names import BONUS_PLACES, SEATS, Circle, Method, Phase, Wager, seat_of
from controller.game.model.plan import DealStep, Step, TurnBonusCards, TurnSeat
from controller.game.model.round import Round
from controller.game.model.state import Context, TableState
from controller.game.phases import (
    betting,
    deck,
    payout_proofs,
    people_entries,
    racking,
    settlement,
    voiding,
)  # fmt: skip
from controller.game.phases.decisions import DECISIONS, confirmed_at, laid_cents, to_turn, verify_bet
from controller.game.phases.stub import count_due, expected_stub
from controller.game.rulebook.wagers import allowed_bets


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt. `kind` selects the text, the other fields complete it. Amounts and `chips` in cents.
    `cards`: acts on cards beside the step (`racking.py`), without a key; `racked`: the seat whose cards go to
    the rack first; `too`: other pushes by the same hand, which CONFIRM of the screen covers too."""

    kind: str
    seat: int | None = None
    wager: Wager | None = None
    amount: int | None = None
    places: tuple[str, ...] = ()
    hand: Hand | None = None
    odds: int | None = None
    options: tuple[int, ...] = ()
    chips: tuple[int, ...] = ()
    code: str | None = None
    step: str | None = None
    citation: str | None = None
    cards: tuple[str, ...] = ()
    racked: int | None = None
    too: tuple[Wager, ...] = ()


CUTS = ("cut", "recut")
TURN_DUTIES = {
    Phase.ACROSS: "duties.turn_row",
    Phase.DOWN: "duties.turn_column",
    Phase.MIDDLE: "duties.turn_middle",
}


def prompt(state: TableState, context: Context) -> Prompt | None:
    """Return the prompt for the step that is due now, or None."""
    if state.hold is not None:
        hold = state.hold
        return Prompt("held", hold.seat, hold.wager, code=hold.code, citation=hold.citation)
    return _BY_PHASE[state.phase](state, context)


# ------------------------------------------------------------------ between rounds


def _closed(_state: TableState, _context: Context) -> Prompt:
    return Prompt("open_table")


def _opening(state: TableState, context: Context) -> Prompt:
    step = deck.next_step(state)
    if not state.deck.present or step is None:
        return Prompt("deck_needed", citation=context.pack.cite("opening"))
    if deck.awaits_signature(state):
        return Prompt("signature", step=step, citation=_step_section(state, step, context))
    return Prompt(
        "cut" if step in CUTS else "opening_step",
        step=step,
        amount=context.pack.cut_minimum if step in CUTS else None,
        citation=_step_section(state, step, context),
    )


def _step_section(state: TableState, step: str, context: Context) -> str:
    """Return the section of an opening step. A step that belongs to the procedures of both a new deck and an
    inactive table cites the current procedure."""
    if step in (*CUTS, "shuffle"):
        return context.pack.cite(f"duties.{step}")
    quiet = context.pack.no_activity
    if step in quiet and state.opening[: len(quiet)] == quiet:
        return context.pack.cite(f"no_activity.{step}")
    return context.pack.cite(f"opening.{step}")


def _shuffle(state: TableState, _context: Context) -> Prompt:
    by_hand = state.method is Method.HAND or state.deck.shuffle_refused
    return Prompt("load_deck" if by_hand else "shuffle_wait")


def _betting(state: TableState, context: Context) -> Prompt:
    if state.deck.uncovered and not state.closing:
        return Prompt("cover_device", citation=context.pack.rulings[Code.DEVICE_OUT_OF_ORDER].citation)
    if not state.closing:
        return Prompt("bets_open", citation=_cite(state, context, "no_more_bets"))
    circle = betting.to_enter(state, context)
    if not state.swept:
        return Prompt("reading_wait")
    if circle is not None:
        return Prompt("enter_amount", circle.seat, circle.wager)
    return next(_unfit(state, context), Prompt("reading_wait"))


def _unfit(state: TableState, context: Context) -> Iterator[Prompt]:
    """Yield a step for each seat at fault: the circle whose wager must be reduced and the cents that stay
    there."""
    for seat in SEATS:
        wrong = betting.refusals(state, context, seat)
        lower = betting.to_lower(state, context, seat) if wrong else {}
        for wager in [*(each for each in wrong if each in lower), *lower, *wrong][:1]:
            refusal = wrong.get(wager) or next(iter(wrong.values()))
            should = lower.get(wager, refusal.params.get("should"))
            yield Prompt("fix_wagers", seat, wager, should, code=refusal.code, citation=refusal.citation)


def _clearing(state: TableState, context: Context) -> Prompt:
    if settlement.verify_cleared(state, context) is not None:
        return _fix_wagers(state)
    removed, round_ = state.deck.after == "removed", state.round
    return Prompt(
        "clear",
        step=state.deck.after,
        citation=context.pack.cite("rulings.deck_count" if removed else "rack_cards"),
        cards=racking.at_the_end(context, round_, removed=removed),
        racked=racking.settled_before(context.pack, round_, len(round_.settlement.plan)) if round_ else None,
    )


# ------------------------------------------------------------------ deal


def _dealing(state: TableState, context: Context) -> Prompt:
    round_ = _round(state)
    step = round_.deal.delivery
    cited = context.pack.cite(f"deals.{state.method}.steps")
    if step is not None:
        return delivery(state, round_, step, cited)
    stub = expected_stub(round_)
    if not round_.deal.stub_out:
        return _take_stub(state, context, stub)
    if any(alert.code is Code.STUB_COUNT_DUE for alert in state.alerts):
        return Prompt("count_stub", amount=stub, citation=_cite(state, context, "count_stub"))
    racked = _racked(state, context)
    cited = _cite(state, context, "rack_counted_stub") if racked else context.pack.cite("permit_touch")
    return Prompt("permit_cards", citation=cited, cards=(*racked, *_covered(context)))


def _take_stub(state: TableState, context: Context, stub: int) -> Prompt:
    """Return the prompt for the stub: into the rack, but after the count if it is counted (58 Pa. Code §
    674a.8(e) to (g))."""
    counts = count_due(state, context)
    showing = ("cut_card_out",) if context.pack.cut_card_on_stub and not counts else ()
    return Prompt(
        "take_stub", amount=stub, step="count_first" if counts else "into_the_rack",
        citation=_cite(state, context, "rack_stub"), cards=(*showing, *_covered(context)),
    )  # fmt: skip


def _racked(state: TableState, context: Context) -> tuple[str, ...]:
    """Return the acts on a stub that was counted and is right: it goes to the rack now (58 Pa. Code §
    674a.8(g), .9(e), .10(e))."""
    if _round(state).deal.stub_counted is None:
        return ()
    return ("rack_stub", "cut_card_out") if context.pack.cut_card_on_stub else ("rack_stub",)


def _covered(context: Context) -> tuple[str, ...]:
    return ("cover_bonus",) if context.pack.cover_bonus else ()


def _cite(state: TableState, context: Context, duty: str) -> str:
    return context.pack.cite(f"duties.{duty}.{state.method}")


def delivery(state: TableState, round_: Round, step: DealStep, cited: str) -> Prompt:
    if state.method is Method.HAND:
        first = "cross_first" if round_.deal.steps[0].seat is None else "seats_first"
        return Prompt("deal_hand", step=first, citation=cited)
    kind = "deal_card" if step.kind == "card" else "lift_stack" if round_.deal.stacked else "cards_wait"
    return Prompt(kind, step.seat, places=step.places, citation=cited)


# ------------------------------------------------------------------ decisions


def _deciding(state: TableState, context: Context) -> Prompt | None:
    round_ = _round(state)
    if round_.decisions.asked is not None:
        return _decision_prompt(state, context, round_, round_.decisions.asked)
    taken = uncollected(round_)
    if taken is not None:
        return collect(state, round_, taken, context)
    place = people_entries.place_to_enter(state)
    if place is not None:
        return Prompt("enter_face", places=(place,))
    places, cards = to_turn(state), racking.lay_down_cards(context.pack, state, round_)
    return Prompt("turn", places=places, citation=context.pack.cite(TURN_DUTIES[state.phase]), cards=cards)


def collect(state: TableState, round_: Round, taken: Circle, context: Context) -> Prompt:
    """Return the prompt for a wager to collect: first chips in the circle, then chips that left unseen, then
    chips to ask back from the player. Chips that do not count are returned before."""
    row, cited = round_.ledger.row(taken), context.pack.cite("fold_collected")
    lacks = row.goal(wager_at(round_, taken)) - row.tray
    cards = racking.after_fold(context.pack, round_, taken.seat)
    alert = next((a for a in state.alerts if (a.seat, a.wager) == taken), None)
    if alert is not None and (extra := excess(round_, taken)) > 0:
        return Prompt("hand_back", *taken, max(0, row.circle - extra), code=alert.code)
    if lies := row.circle or max(0, row.unexplained):
        return Prompt("collect", *taken, min(lacks, lies), citation=cited, cards=cards)
    return Prompt("ask_back", *taken, lacks, citation=cited, cards=cards)


def _decision_prompt(state: TableState, context: Context, round_: Round, seat: int) -> Prompt:
    wager = DECISIONS[state.phase].wager
    box = round_.seats[seat]
    cited = context.pack.cite(f"duties.ask_{wager}")
    goes_on = "goes_on" if confirmed_at(state, context) is not None else None
    if round_.decisions.folding:
        amount = sum(box.wagers[w] for w in box.wagers if w not in context.pack.bonuses)
        return Prompt("confirm_fold", seat, wager, amount, step=goes_on, citation=cited)
    also = _racked(state, context) if _is_first_decision(state, round_) else ()
    holding = state.holding(seat, wager)
    options = allowed_bets(context.pack, box.wagers[Wager.ANTE_ACROSS])
    refusal, looked = verify_bet(state, context, seat), racking.look_duty(context.pack, state)
    if holding.dead and holding.entered is None:
        return Prompt("enter_amount", seat, wager, options=options, citation=cited)
    if holding.dead and holding.amount and refusal is not None:  # mistyped, so the amount is requested again
        return Prompt(
            "enter_amount", seat, wager, holding.amount, options=options, code=refusal.code, citation=cited
        )
    cards = (*also, looked) if looked else also
    if cards:  # cites the section of the act before the bet, the stub first
        cited = _cite(state, context, "rack_counted_stub" if also else str(looked))
    laid = laid_cents(state, seat)
    if refusal is None:
        return Prompt("confirm_bet", seat, wager, laid, step=goes_on, citation=cited, cards=cards)
    if laid:  # only the fault of this circle is shown
        return Prompt("ask", seat, wager, options=options, code=refusal.code, citation=cited)
    return Prompt("ask", seat, wager, options=options, citation=cited, cards=cards)


def _is_first_decision(state: TableState, round_: Round) -> bool:
    """Return whether no seat has decided and no permission was needed before."""
    decided = any(Wager.ACROSS in box.wagers or not box.playing for box in round_.seats.values())
    return state.phase is Phase.ACROSS and not decided and not round_.deal.permitted


# ------------------------------------------------------------------ settlement and void


def _settlement(state: TableState, context: Context) -> Prompt | None:
    round_ = _round(state)
    place = people_entries.place_to_enter(state)
    if place is not None:
        return Prompt("enter_face", seat_of(place), places=(place,))
    taken = uncollected(round_)
    if taken is not None:
        return collect(state, round_, taken, context)
    if current_item(round_) is None:
        return _fix_wagers(state)
    return item_of_plan(state, round_, round_.settlement.cursor, context)


def _fix_wagers(state: TableState) -> Prompt:
    for alert in state.alerts:
        if alert.seat is not None and alert.wager is not None:
            return Prompt("hand_back", alert.seat, alert.wager, alert.should, code=alert.code)
    return Prompt("reading_wait")


def item_of_plan(state: TableState, round_: Round, index: int, context: Context) -> Prompt:
    item, cards = round_.settlement.plan[index], racking.beside_item(context.pack, round_, index)
    racked = racking.settled_before(context.pack, round_, index)
    if isinstance(item, TurnSeat):
        cited = _cite(state, context, "turn_seat")
        return Prompt("turn_seat", item.seat, citation=cited, cards=cards, racked=racked)
    if isinstance(item, TurnBonusCards):
        cited = _cite(state, context, "turn_bonus")
        return Prompt("turn_bonus", places=BONUS_PLACES, citation=cited, cards=cards, racked=racked)
    kind, amount = _act(state, round_, item)
    if kind == "reading_wait":
        return Prompt(kind)
    due = index == round_.settlement.cursor
    if due and kind == "pay" and payout_proofs.awaits(state, context, item):
        return Prompt("proofs_wait", item.seat, item.wager)
    chips = _chips(amount, context.settings.chip_values) if kind in ("pay", "put_back") else ()
    too = tuple(step.wager for step in settlement.pushes_of_hand(state, round_)[1:]) if due else ()
    return Prompt(
        kind, item.seat, item.wager, amount, hand=item.hand, odds=item.odds, chips=chips,
        code="payout_limit" if item.cut else None, citation=item.citation, cards=cards, racked=racked,
        too=too,
    )  # fmt: skip


def _act(state: TableState, round_: Round, step: Step) -> tuple[str, int]:
    """Return the act that the prompt requests at a wager being settled, and the cents that still have to be
    moved. A fault with an alert is corrected before the wager is settled; a fault that is only suspected gets
    its alert a moment later."""
    circle = step.circle
    row = round_.ledger.row(circle)
    extra = settlement.excess_cents(round_, step)
    if state.alerts_at(circle) and (extra > 0 or (extra < 0 and step.verb == "pay")):
        return "hand_back", row.circle - extra
    if step.verb != "take" and (row.settled is None or needs_no_chips(round_, step)):
        return step.verb, step.payout if step.verb == "pay" else step.amount
    if cents := settlement.to_take(round_, step):
        return ("take" if step.verb == "take" else "take_back"), cents
    if cents := settlement.to_ask(round_, step):
        return "ask_back", cents
    if cents := settlement.to_give(round_, step):
        return ("pay" if step.verb == "pay" else "put_back"), cents
    lost = max(0, row.unexplained)
    return (step.verb, lost) if lost else ("reading_wait", 0)


def _chips(amount: int, values: Sequence[int]) -> tuple[int, ...]:
    """Return the chips for a payout, without a remainder smaller than the smallest chip, which is paid in
    another way."""
    chips, over = fewest_chips(amount - amount % min(values), values)
    return () if over else chips


def _void(state: TableState, _context: Context) -> Prompt | None:
    round_ = _round(state)
    cited = round_.ending.void.citation if round_.ending.void else None
    circle = voiding.to_return(state)
    if circle is not None:
        return give_back(round_, circle, cited)
    for kind, found in (("ask_back", voiding.to_ask(state)), ("refund", voiding.to_refund(state))):
        if found is not None:
            unseen = voiding.unattributed_cents(state, found[0]) if kind == "refund" else 0
            options = (min(unseen, found[1]),) if unseen else ()
            return Prompt(kind, found[0], amount=found[1], options=options, citation=cited)
    question = voiding.to_answer(state)
    missing = 0 if question is None else round_.ledger.row(question).asked
    return None if question is None else Prompt("who_has", *question, missing, citation=cited)


def give_back(round_: Round, circle: Circle, cited: str | None) -> Prompt:
    part, row = voiding.players_part(round_, circle), round_.ledger.row(circle)
    kind = "return_wager" if part or not row.circle else "take_back"
    return Prompt(kind, *circle, part or row.circle, citation=cited)


def _round(state: TableState) -> Round:
    if state.round is None:
        raise RuntimeError(f"no round in {state.phase}")
    return state.round


_BY_PHASE = {
    Phase.CLOSED: _closed,
    Phase.OPENING: _opening,
    Phase.SHUFFLE: _shuffle,
    Phase.BETTING: _betting,
    Phase.DEALING: _dealing,
    Phase.ACROSS: _deciding,
    Phase.DOWN: _deciding,
    Phase.MIDDLE: _deciding,
    Phase.SETTLEMENT: _settlement,
    Phase.CLEARING: _clearing,
    Phase.VOID: _void,
}
