"""Public view: the only module that decides which data a page may show.

A page may show all of the view and no other data. All data that leaves the table (page, API, log, message) is
made here, from the turned cards and the visible state of the felt. The view must never contain a face that
the rules have not turned, nor data that follows from such a face. Source: controller/ARCHITECTURE.md
"Principles".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from controller.game.books import dues
from controller.game.model.cards import Card
from controller.game.model.hand import Hand
from controller.game.model.names import (
    BONUS_PLACES,
    CIRCLES,
    CROSS,
    SEATS,
    Circle,
    Key,
    Phase,
    Place,
    Wager,
    cards_of,
)
from controller.game.model.plan import Result, Step
from controller.game.model.round import Round, SeatState
from controller.game.model.side_bets import BONUSES
from controller.game.model.state import EMPTY, Context, Holding, TableState
from controller.game.phases import corrections, settlement, subjects
from controller.game.phases.deck import next_back, other_back
from controller.game.phases.deck_age import change_due
from controller.game.rulebook.faces import hole_cards, open_faces, shown_places
from controller.game.rulebook.marked import marked
from controller.game.rulebook.settlement_plan import hands_of
from controller.game.rulebook.wagers import Refusal, allowed_bets
from controller.game.showing import alerts, floor_page, front, prompt_id, prompts, report_forms
from controller.game.showing import view as view_
from controller.game.showing.cards import public_cards
from controller.game.showing.dark_keys import reasons
from controller.game.showing.exam import exam_view
from controller.game.showing.lamps import LampState
from controller.game.showing.prompts import Prompt
from controller.game.showing.rules_view import Rules
from controller.game.showing.upcoming import upcoming
from controller.game.showing.view import Seen, View

CROSS_NAMES = tuple(place.value for place in CROSS)
BACKS = ("red", "blue")
_LAMPS = {lamp: lamp.value for lamp in LampState}
_NAMES = {wager: wager.value for wager in Wager}
HANDS = {"across": Wager.ACROSS, "down": Wager.DOWN, **{wager.value: wager for wager in BONUSES}}


def view(
    state: TableState, context: Context, rules: Rules, keys: Mapping[Key, Refusal | None],
    lamps: Mapping[Circle, LampState], *, exam: bool = False,
) -> View:  # fmt: skip
    """Return all data that a page may show. `rules`: the part that depends on the rules only; `keys`: the
    refusal of each key now, None if it would be accepted; `exam`: whether to withhold the answers that a
    dealer has to know."""
    seen: Seen = {
        **_table(state, context, rules), **_play(state, context, lamps),
        "keys": {str(key): refused is None for key, refused in keys.items()}, "dark": reasons(keys),
        "hold": floor_page.hold_view(state, context), "last": _last(state),
    }  # fmt: skip
    whole: View = {**seen, **front.drawn_parts(seen)}
    return exam_view(whole) if exam else whole


def _table(state: TableState, context: Context, rules: Rules) -> view_.Standing:
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
        **rules,
        **floor_page.call_view(state),
        "floor": floor_page.possible_directions(state, context),
        "about": subjects.counted_subjects(state),
    }  # fmt: skip


def _play(state: TableState, context: Context, lamps: Mapping[Circle, LampState]) -> view_.Play:
    """Return the part of the view that play changes: the prompt, the chips and cards on the felt, and the
    alerts."""
    due = settlement.due_step(state)
    prompt = prompts.prompt(state, context)
    signable = corrections.signable(state)
    round_ = state.round
    shown = shown_places(round_) if round_ else frozenset()
    bonus_cards = _bonus_cards(round_, shown)
    return {
        "prompt": _prompt(state, context, prompt),
        "next": _prompt(state, context, upcoming(state, context)),
        "reports": report_forms.possible_reports(state, bonus_cards is not None),
        "cross": dict(zip(CROSS_NAMES, public_cards(round_, CROSS, shown), strict=True)),
        "bonus_cards": bonus_cards,
        "set_aside": len(round_.deal.set_aside) if round_ else 0,
        "seats": _seats(state, context, lamps, due, shown),
        "alerts": front.ranked([alerts.alert(state, context, alert, signable) for alert in state.alerts]),
        "due": _due(due),
        "marked": _marked(state, prompt),
        "signatures": [
            floor_page.signature(state, context, item)
            for item in (*state.signatures, *corrections.without_alert(signable))
        ],
    }


def _last(state: TableState) -> view_.Undoable | None:
    """Return the act that UNDO would take back."""
    if not state.undo:
        return None
    last = state.undo[-1]
    return {"kind": str(last.key), "seat": last.seat, "wager": last.wager.value if last.wager else None}


# ------------------------------------------------------------------ cards


def _bonus_cards(round_: Round | None, shown: frozenset[str]) -> list[view_.Card] | None:
    if round_ is None or not any(BONUS_PLACES[0] in step.places for step in round_.deal.steps):
        return None
    return public_cards(round_, BONUS_PLACES, shown)


def _turned_cross(round_: Round | None) -> Mapping[Place, Card] | None:
    """Return the faces of the cross once all of it is turned."""
    if round_ is None or not round_.turned.issuperset(CROSS):
        return None
    dealt = ((place, round_.cards.get(place)) for place in CROSS)
    return {place: card.face for place, card in dealt if card is not None and card.face}


def _hands(
    round_: Round, seat: int, cross: Mapping[Place, Card], common: Mapping[Wager, Hand]
) -> dict[str, view_.Hand | None]:
    """Return the hands of a seat with turned cards. `cross`: the turned cards of all seats; `common`: the
    hands of a seat whose own cards are not turned."""
    named: dict[str, view_.Hand | None] = dict.fromkeys(HANDS)
    hole = hole_cards(round_, seat) if seat in round_.settlement.shown else None
    made = common if hole is None else hands_of(hole, cross, None)
    for name, wager in HANDS.items():
        step = dues.step_of(round_, CIRCLES[seat][wager]) if wager in BONUSES else None
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


def _seats(
    state: TableState, context: Context, lamps: Mapping[Circle, LampState], due: Step | None,
    shown: frozenset[str],
) -> list[view_.Seat]:  # fmt: skip
    cross, nowhere, round_ = _turned_cross(state.round), dict.fromkeys(HANDS), state.round
    common = {} if cross is None else hands_of(None, cross, None)
    settling = state.play_phase in (Phase.SETTLEMENT, Phase.CLEARING)
    offered = context.offered()
    seats: list[view_.Seat] = []
    for seat in SEATS:
        box = round_.seats.get(seat) if round_ else None
        # before the settlement, chips move only at a seat that has folded or forfeited
        moves = settling or (box is not None and not box.playing)
        seats.append({
            "seat": seat,
            "reportable": box is not None or state.phase is Phase.BETTING,
            "player": box.player if box else state.players.get(seat, str(seat)),
            "in_round": box is not None,
            "folded_at": box.folded_at.value if box and box.folded_at else None,
            "forfeited": bool(box and box.forfeited),
            "asked": bool(round_ and round_.decisions.asked == seat),
            "settled": _settled(state, seat),
            "cards": public_cards(round_, cards_of(seat), shown) if box else [],
            "hands": {**nowhere} if round_ is None or cross is None else _hands(round_, seat, cross, common),
            "circles": _circles(state, seat, offered, box, lamps, due, moves=moves),
        })  # fmt: skip
    return seats


def _settled(state: TableState, seat: int) -> bool:
    round_ = state.round
    if round_ is None or state.phase is not Phase.SETTLEMENT or not round_.settlement.plan:
        return False
    return seat in round_.seats and dues.seat_done(round_, seat)


_NOTHING: view_.Circle = {
    "amount": 0, "chips": [], "reading": "ok", "wager": None, "lamp": LampState.OFF.value, "due": None,
    "should": None, "result": None, "paid": None, "by_hand": False, "wrong": False, "signed": False,
    "about": None,
}  # fmt: skip
"""Circle that was read and is empty, in which no wager counts and to which no alert refers."""


def _circles(
    state: TableState, seat: int, offered: Iterable[Wager], box: SeatState | None,
    lamps: Mapping[Circle, LampState], due: Step | None, *, moves: bool,
) -> dict[str, view_.Circle]:  # fmt: skip
    """Return the view of each circle of a seat. `due`: the step that is due at the table; `moves`: whether a
    wager of the seat may have been taken or paid."""
    places, holdings, wagers = CIRCLES[seat], state.holdings.get(seat, {}), box.wagers if box else {}
    signs, alerted = state.round is not None and bool(state.round.ledger.signed), bool(state.alerts)
    circles: dict[str, view_.Circle] = {}
    for offer in offered:
        circle, holding, wager = places[offer], holdings.get(offer, EMPTY), wagers.get(offer)
        shown = circles[_NAMES[offer]] = {**_NOTHING, "chips": []}
        if circle in lamps:
            shown["lamp"] = _LAMPS[lamps[circle]]
        if holding.chips or holding.reading != "ok" or holding.entered is not None:
            _show_holding(shown, state, circle, holding)
        if wager is not None:
            shown["wager"] = wager
            if wager and moves:
                shown["result"], shown["paid"] = _settlement(state, circle)
        if due is not None and due.circle == circle:
            shown["due"] = due.verb
        if signs:
            shown["signed"] = _signed(state, circle)
        if alerted:
            shown["should"], shown["wrong"] = _accused(state, circle)
    return circles


def _show_holding(shown: view_.Circle, state: TableState, circle: Circle, holding: Holding) -> None:
    """Fill in the fields of a circle's view that follow from its last reading: the chips, or the amount that
    the dealer entered."""
    entered = holding.entered is not None
    by_hand = entered or holding.dead
    shown["amount"] = alerts.shown_amount(holding)
    shown["chips"] = [chip.cents for chip in holding.chips] if holding.readable else None
    shown["reading"] = "entered" if entered else holding.reading
    shown["by_hand"] = by_hand
    shown["about"] = subjects.of_circle(state, circle) if by_hand else None


def _accused(state: TableState, circle: Circle) -> tuple[int | None, bool]:
    """Return the cents due by the alerts of a circle, and whether one of them is more than a notice."""
    here = state.alerts_at(circle)
    should = next((alert.should for alert in here if alert.should is not None), None)
    return should, any(map(alerts.grave, here))


def _signed(state: TableState, circle: Circle) -> bool:
    """Return whether a signature covers the present chips; it ends when chips move."""
    if state.round is None or not state.round.ledger.signed:
        return False
    row = state.round.ledger.row(circle)
    return row.accepted is not None and row.accepted == row.balances


def _settlement(state: TableState, circle: Circle) -> tuple[Result | None, int | None]:
    """Return the result of a wager once its step is done and its cards are public, and its payout in cents,
    negative if it was taken."""
    where, step = dues.settled_stage(state, circle)
    if where == "done" and step is not None:
        return step.result, {"win": step.payout, "push": 0, "lose": -step.amount}[step.result]
    if where != "collect" or state.round is None:
        return None, None
    cents, row = dues.wager_at(state.round, circle), state.round.ledger.row(circle)
    return None, -cents if row.tray >= row.goal(cents) else None


def _due(step: Step | None) -> view_.Due | None:
    if step is None:
        return None
    amount = step.payout if step.result == "win" else step.amount
    return {"seat": step.seat, "wager": step.wager.value, "result": step.result, "amount": amount}


# ------------------------------------------------------------------ other parts


def _prompt(state: TableState, context: Context, prompt: Prompt | None) -> view_.Prompt | None:
    if prompt is None:
        return None
    entry = front.entry_panel(prompt.kind, state.dealer, context.settings.sign_on)
    content: view_.Asked = {
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
    return {"id": prompt_id.identity(state, prompt), **content}


def _quick(context: Context, prompt: Prompt) -> list[int] | None:
    """Return amounts that the screen offers for an entry by hand, in cents: the bets that fit, or for an ante
    the smallest ones. Returns None for a prompt that requests no amount."""
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
        "apart": other_back(state) if second else None,
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
