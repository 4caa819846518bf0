"""Public view: the only module that decides which data a page may show.

All data that leaves the table (screen page, API, log, message) is made here, from the turned cards and the
visible state of the felt. It must never contain a face that the rules have not turned, nor anything that
follows from one. Source: controller/ARCHITECTURE.md "Principles".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from controller.game.books import dues
from controller.game.model.names import (
    BONUS_PLACES,
    CROSS,
    SEATS,
    Circle,
    Key,
    Phase,
    Wager,
    cards_of,
)
from controller.game.model.plan import Result, Step
from controller.game.model.round import Round, SeatState
from controller.game.model.rules import PayTable
from controller.game.model.side_bets import BONUSES
from controller.game.model.state import Context, TableState
from controller.game.phases import corrections, settlement, subjects
from controller.game.phases.deck import next_back
from controller.game.phases.deck_age import change_due
from controller.game.rulebook.faces import hole_cards, open_faces
from controller.game.rulebook.hands import HAND_LINES
from controller.game.rulebook.marked import marked
from controller.game.rulebook.settlement_plan import hands_of
from controller.game.rulebook.wagers import Refusal, allowed_bets
from controller.game.showing import alerts, floor_page, front, prompt_id, prompts, report_forms
from controller.game.showing import view as view_
from controller.game.showing.cards import cards
from controller.game.showing.dark import reasons
from controller.game.showing.exam import exam_view
from controller.game.showing.lamps import LampState
from controller.game.showing.prompts import Prompt
from controller.game.showing.rules_view import Limits, Pay, Pays
from controller.game.showing.upcoming import upcoming
from controller.game.showing.view import Seen, View

CROSS_NAMES = tuple(place.value for place in CROSS)
BACKS = ("red", "blue")
HANDS = {"across": Wager.ACROSS, "down": Wager.DOWN, **{wager.value: wager for wager in BONUSES}}


def view(
    state: TableState, context: Context, keys: Mapping[Key, Refusal | None],
    lamps: Mapping[Circle, LampState], *, exam: bool = False,
) -> View:  # fmt: skip
    """Return all data that a page may show. `keys`: the refusal of each key now, None if it would be
    accepted; `exam`: withhold the answers that a dealer has to know.
    """
    seen: Seen = {
        **_table(state, context), **_play(state, context, lamps),
        "keys": {str(key): refused is None for key, refused in keys.items()}, "dark": reasons(keys),
        "hold": floor_page.hold_view(state, context), "last": _last(state),
    }  # fmt: skip
    whole: View = {**seen, **front.drawn_parts(seen)}
    return exam_view(whole) if exam else whole


def _table(state: TableState, context: Context) -> view_.Standing:
    """Return the part that does not depend on play: the table, its shoe, deck and limits."""
    return {
        "table": context.settings.table,
        "rules": context.pack.key,
        "rules_title": context.pack.title,
        "method": state.method.value,
        "round": state.round.number if state.round else state.next_round,
        "phase": state.phase.value,
        "dealer": state.dealer,
        "version": state.version,
        "shoe": _shoe(state),
        "deck": _deck(state, context),
        "limits": _limits(context), "pays": _pays(context),
        "forfeits": list(context.pack.forfeits), "stopping": report_forms.stopping(context.pack),
        "denominations": sorted(context.settings.chip_values),
        "corrections": sorted(context.settings.chip_values)[:3],
        **floor_page.call_view(state),
        "floor": floor_page.possible_directions(state, context),
        "about": subjects.counted_subjects(state),
    }  # fmt: skip


def _play(state: TableState, context: Context, lamps: Mapping[Circle, LampState]) -> view_.Play:
    """Return the prompt, the chips and cards on the felt, and the alerts."""
    due = settlement.due_step(state)
    asked = prompts.prompt(state, context)
    signable = set(corrections.signable(state))
    bonus_cards = _bonus_cards(state.round)
    return {
        "prompt": _prompt(state, context, asked),
        "next": _prompt(state, context, upcoming(state, context)),
        "reports": report_forms.offered(state, bonus_cards is not None),
        "cross": dict(zip(CROSS_NAMES, cards(state.round, CROSS), strict=True)),
        "bonus_cards": bonus_cards,
        "set_aside": len(state.round.deal.set_aside) if state.round else 0,
        "seats": [_seat(state, context, seat, lamps, due) for seat in SEATS],
        "alerts": front.ranked([alerts.alert(state, context, alert, signable) for alert in state.alerts]),
        "due": _due(due),
        "marked": _marked(state, asked),
        "signatures": [
            floor_page.signature(state, context, item)
            for item in (*state.signatures, *corrections.signatures_without_alert(state))
        ],
    }


def _last(state: TableState) -> view_.Undoable | None:
    """Return the act that UNDO would take back."""
    if not state.undo:
        return None
    last = state.undo[-1]
    return {"kind": str(last.key), "seat": last.seat, "wager": last.wager.value if last.wager else None}


# ------------------------------------------------------------------ cards


def _bonus_cards(round_: Round | None) -> list[view_.Card] | None:
    if round_ is None or not any(BONUS_PLACES[0] in step.places for step in round_.deal.steps):
        return None
    return cards(round_, BONUS_PLACES)


def _hands(state: TableState, seat: int) -> dict[str, view_.Hand | None]:
    """Return the hands of a seat with turned cards, once the whole cross is turned."""
    round_ = state.round
    named = dict.fromkeys(HANDS)
    if round_ is None or not all(place in round_.turned for place in CROSS):
        return named
    faces = {place: round_.cards[place].face for place in CROSS if place in round_.cards}
    cross = {place: face for place, face in faces.items() if face}
    hole = hole_cards(round_, seat) if seat in round_.settlement.shown else None
    made = hands_of(hole, cross, None)
    for name, wager in HANDS.items():
        step = dues.step_of(round_, Circle(seat, wager)) if wager in BONUSES else None
        if step is not None and dues.is_done(round_, step):
            named[name] = alerts.hand_view(step.hand)
        elif wager in made:
            named[name] = alerts.hand_view(made[wager])
    return named


def _marked(state: TableState, prompt: Prompt | None) -> view_.Marked | None:
    """Return the cards of the hand that a prompt names, all of them turned."""
    if prompt is None or state.round is None or not (prompt.hand and prompt.seat and prompt.wager):
        return None
    found = marked(prompt.wager, prompt.seat, open_faces(state.round))
    return {"five": list(found.five), "making": list(found.making)} if found else None


# ------------------------------------------------------------------ seats


def _seat(
    state: TableState, context: Context, seat: int, lamps: Mapping[Circle, LampState], due: Step | None
) -> view_.Seat:
    round_ = state.round
    box = round_.seats.get(seat) if round_ else None
    return {
        "seat": seat,
        "reportable": box is not None or state.phase is Phase.BETTING,
        "player": box.player if box else state.players.get(seat, str(seat)),
        "in_round": box is not None,
        "folded_at": box.folded_at.value if box and box.folded_at else None,
        "forfeited": bool(box and box.forfeited),
        "asked": bool(round_ and round_.decisions.asked == seat),
        "settled": _settled(state, seat),
        "cards": cards(round_, cards_of(seat)) if box else [],
        "hands": _hands(state, seat),
        "circles": {
            str(wager): _circle(state, Circle(seat, wager), box, lamps, due) for wager in context.offered()
        },
    }  # fmt: skip


def _settled(state: TableState, seat: int) -> bool:
    round_ = state.round
    if round_ is None or state.phase is not Phase.SETTLEMENT or not round_.settlement.plan:
        return False
    return seat in round_.seats and dues.seat_done(round_, seat)


def _circle(
    state: TableState,
    circle: Circle,
    box: SeatState | None,
    lamps: Mapping[Circle, LampState],
    due: Step | None,
) -> view_.Circle:
    holding = state.holding(*circle)
    entered = holding.entered is not None
    return {
        "amount": alerts.shown_amount(holding),
        "chips": [chip.cents for chip in holding.chips] if holding.readable else None,
        "reading": "entered" if entered else holding.reading,
        "wager": box.wagers.get(circle.wager) if box else None,
        "lamp": str(lamps.get(circle, LampState.OFF)),
        "due": due.verb if due and due.circle == circle else None,
        "should": _should(state, circle) if state.alerts else None,
        "result": _result(state, circle),
        "paid": _paid(state, circle),
        "by_hand": entered or holding.dead,
        "wrong": bool(state.alerts) and _wrong(state, circle),
        "signed": _signed(state, circle),
        "about": subjects.of_circle(state, circle) if entered or holding.dead else None,
    }


def _signed(state: TableState, circle: Circle) -> bool:
    """Return whether a signature covers the chips as they are; it ends when chips move."""
    row = state.round.ledger.row(circle) if state.round else None
    return row is not None and row.accepted is not None and row.accepted == row.balances


def _result(state: TableState, circle: Circle) -> Result | None:
    """Return the result of a wager once its step is done and its cards are public."""
    where, step = dues.stage(state, circle)
    return step.result if step is not None and where == "done" else None


def _paid(state: TableState, circle: Circle) -> int | None:
    """Return the payout of a settled wager in cents, negative if it was taken; None before."""
    where, step = dues.stage(state, circle)
    if where == "done" and step is not None:
        return {"win": step.payout, "push": 0, "lose": -step.amount}[step.result]
    if where != "collect" or state.round is None:
        return None
    cents, row = dues.wager_at(state.round, circle), state.round.ledger.row(circle)
    return -cents if row.tray >= row.goal(cents) else None


def _wrong(state: TableState, circle: Circle) -> bool:
    return any(alerts.grave(alert) for alert in state.alerts if (alert.seat, alert.wager) == circle)


def _should(state: TableState, circle: Circle) -> int | None:
    """Return the cents due in a circle with an alert, or None."""
    told = (alert.should for alert in state.alerts if (alert.seat, alert.wager) == circle)
    return next((cents for cents in told if cents is not None), None)


def _due(step: Step | None) -> view_.Due | None:
    if step is None:
        return None
    amount = step.payout if step.result == "win" else step.amount
    return {"seat": step.seat, "wager": step.wager.value, "result": step.result, "amount": amount}


# ------------------------------------------------------------------ other parts


def _prompt(state: TableState, context: Context, prompt: Prompt | None) -> view_.Prompt | None:
    if prompt is None:
        return None
    entry = front.entry(prompt.kind, state.dealer, context.settings.sign_on)
    asked: view_.Asked = {
        "kind": prompt.kind, "seat": prompt.seat,
        "wager": prompt.wager.value if prompt.wager else None, "amount": prompt.amount,
        "places": [str(place) for place in prompt.places] or None, "odds": prompt.odds,
        "hand": alerts.hand_view(prompt.hand) if prompt.hand else None,
        "options": list(prompt.options) or None, "chips": list(prompt.chips) or None, "code": prompt.code,
        "step": prompt.step, "citation": prompt.citation,
        "cards": list(prompt.cards) or None, "racked": prompt.racked,
        "too": [wager.value for wager in prompt.too] or None,
        "entry": entry, "entry_key": front.entry_key(entry), "quick": _quick(context, prompt),
    }  # fmt: skip
    return {"id": prompt_id.identity(state, prompt), **asked}


def _quick(context: Context, prompt: Prompt) -> list[int] | None:
    """Return likely amounts for an entry by hand: bets that fit, or for an ante the smallest."""
    if prompt.kind != "enter_amount":
        return None
    return list(prompt.options or allowed_bets(context.pack, context.pack.minimum_ante))


def _deck(state: TableState, context: Context) -> view_.Deck:
    deck, decks = state.deck, context.settings.decks
    second = not deck.present and 0 < deck.opened < decks
    due = change_due(state, context)
    return {
        "back": deck.back, "decks": decks, "next": next_back(state),
        "number": None if deck.present or decks == 1 else min(deck.opened + 1, decks),
        "apart": deck.back if second else None,
        "again": bool(deck.back) and not (second or due or deck.after == "removed"),
        "rounds_since_count": deck.rounds_since_count, "change_due": due, "backs": _backs(deck.back),
    }  # fmt: skip


def _backs(last: str | None) -> list[str]:
    """Return the backs of the decks that may be brought: the house's two, and that of the last deck."""
    return [*BACKS] if last is None or last in BACKS else [*BACKS, last]


def _shoe(state: TableState) -> view_.Shoe:
    shoe = state.shoe
    return {
        "link": "up" if shoe.up else "down", "state": shoe.state, "mode": shoe.mode, "left": shoe.left,
        "back": shoe.back.lower() if shoe.back else None, "fault": shoe.fault, "ready": shoe.ready,
    }  # fmt: skip


def _limits(context: Context) -> Limits:
    pack = context.pack
    return {
        "minimum_ante": pack.minimum_ante, "maximum_ante": pack.maximum_ante,
        "bonus_minimum": pack.bonus_minimum, "bonus_maximum": pack.bonus_maximum,
        "multiples": list(pack.bet_multiples), "whole": pack.whole_multiples,
    }  # fmt: skip


def _pays(context: Context) -> Pays:
    pack = context.pack
    return {
        "ante": _lines(pack.ante_pays), "bet": _lines(pack.bet_pays),
        "side": {wager: _lines(pack.side_bets[wager]) for wager in pack.bonuses},
    }  # fmt: skip


def _lines(table: PayTable) -> list[Pay]:
    """Return the lines of a payout table, the highest hand first, in whichever order the pack was stored."""
    lines = ((hand, table[hand]) for hand in HAND_LINES if hand in table)
    return [{"hand": hand, "odds": None if odds == "push" else odds} for hand, odds in lines]


def _turned_cards(seat: Mapping[str, Any], shown: frozenset[str]) -> list[str | None]:
    places = cards_of(seat["seat"])
    return [face if place in shown else None for place, face in zip(places, seat["cards"], strict=False)]


def turned_record(record: Mapping[str, Any], shown: frozenset[str]) -> dict[str, Any]:
    """Return a round record reduced to the turned faces, for recall on a screen. `shown`: the places."""
    seats = [seat | {"cards": _turned_cards(seat, shown)} for seat in record["seats"]]
    bonus = record["bonus_cards"]
    return dict(record) | {
        "cross": {place: face if place in shown else None for place, face in record["cross"].items()},
        "bonus_cards": bonus and [face if f"bonus_{n}" in shown else None for n, face in enumerate(bonus, 1)],
        "set_aside": len(record["set_aside"]),
        "seats": seats,
    }
