"""Data of the floorperson's page: possible directions, and the hold.

Only decisions that the checks of `phases/floor.py` would accept are offered.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from controller.game.model.events import FloorDecided
from controller.game.model.irregularities import FORFEIT, FORFEIT_ALL, Code
from controller.game.model.names import SEATS, Circle, Method
from controller.game.model.state import Context, Hold, Signature, TableState
from controller.game.phases import (
    corrections,
    floor,
    forfeits,
    missing_chips,
    on_the_way,
    reports,
    signature_effects,
    subjects,
)
from controller.game.phases.stub import expected_stub
from controller.game.rulebook.faces import shown_places
from controller.game.showing import signatures_view as signed_
from controller.game.showing import view as view_
from controller.game.showing.cards import public_card

_Decided = Literal["approve", "refuse", "outcome", "forfeit"]
_PARTS = {FORFEIT: "kept", FORFEIT_ALL: "taken"}
"""Effect of each forfeit on wagers settled before."""


_STOPS = {outcome: FloorDecided("", "outcome", outcome=outcome) for outcome in floor.ENDING_OUTCOMES}
_RESTORED = {seat: FloorDecided("", "restore", seat=seat) for seat in SEATS}
_METHODS = {method: FloorDecided("", "method", method=method) for method in Method}
_DECIDED = {
    **{name: FloorDecided("", name) for name in ("answer", "recut", "shuffle", "close")},
    "player": FloorDecided("", "player", seats=(1,)),
}
"""Decisions of a floorperson, without a badge, as arguments of the checks."""


def call_view(state: TableState) -> view_.Called:
    """Return whether a floorperson is called, and the floorperson who is on the way."""
    coming = state.on_the_way
    return {
        "floor_called": state.floor_called,
        "wanted": None if coming else next(on_the_way.subjects(state), None),
        "on_the_way": {"utc": coming.utc, "who": coming.who, "pit": coming.pit} if coming else None,
    }


def possible_directions(state: TableState, context: Context) -> view_.Floor:
    """Return all decisions that `verify` would accept from a badge that may decide here."""

    def may(decided: FloorDecided) -> bool:
        return floor.refusal(state, context, decided) is None

    stops = [str(outcome) for outcome, stop in _STOPS.items() if state.hold is None and may(stop)]
    seats = [
        n for n in SEATS if floor.may_forfeit(state, context, n) and forfeits.is_offered(state, context, n)
    ]
    boxes = state.round.seats.values() if state.round else ()
    folded = [box.seat for box in boxes if box.folded_at and may(_RESTORED[box.seat])]
    methods = [way.value for way, changed in _METHODS.items() if way is not state.method and may(changed)]
    acts = {
        "answer": may(_DECIDED["answer"]), "forfeit": bool(seats), "restore": bool(folded),
        "stop": bool(stops), "recut": may(_DECIDED["recut"]),
        "shuffle": may(_DECIDED["shuffle"]), "correct": corrections.closed_rounds(state) > 0,
        "player": may(_DECIDED["player"]), "method": bool(methods), "close": may(_DECIDED["close"]),
    }  # fmt: skip
    return {
        "acts": [act for act, can in acts.items() if can],
        "stops": stops,
        "seats": seats,
        "both": [
            {"seat": n, "code": code}
            for n in seats
            for code in context.pack.forfeits
            if forfeits.may_choose(state, context, n, code)
        ],
        "folded": folded,
        "methods": methods,
    }


# ------------------------------------------------------------------ items to sign


def signature(state: TableState, context: Context, item: Signature) -> signed_.Signature:
    """Return the item to sign for an entered amount, or for requested money without an alert."""
    circle = Circle(item.seat, item.wager) if item.seat and item.wager else None
    counted: signed_.SignatureEffect = {"kind": "entered", "amount": item.amount or 0, "counts": 0}
    entered = item.what == "amount" or circle is None
    known: list[signed_.SignatureKey] = [{"holder": "", "effects": [counted]}]
    return {
        "what": item.what, "seat": item.seat, "wager": item.wager.value if item.wager else None,
        "amount": item.amount,
        "missing": 0 if circle is None or entered else missing_chips.missing_cents(state, circle),
        "about": subjects.of_signature(state, context, item),
        "signs": known if circle is None or entered else signs(state, context, circle),
    }  # fmt: skip


def signs(state: TableState, context: Context, circle: Circle) -> list[signed_.SignatureKey]:
    """Return the keys that sign the differences at a circle, each with its effects."""
    return [
        {
            "holder": holder,
            "effects": [{"kind": e.kind, "amount": e.amount, "counts": e.counts} for e in effects],
        }
        for holder, effects in signature_effects.signature_choices(state, context, circle)
    ]


# ------------------------------------------------------------------ hold


def hold_view(state: TableState, context: Context) -> view_.Hold | None:
    hold = state.hold
    return None if hold is None else {
        "code": hold.code, "grade": "hold", "seat": hold.seat,
        "wager": hold.wager.value if hold.wager else None, "place": hold.place,
        "phase": hold.phase.value, "citation": hold.citation,
        "proposed": None if hold.proposed is None else str(hold.proposed),
        "outcomes": list(hold.outcomes), "refusable": hold.refusable, "decisions": _decisions(hold, context),
        "then": [{"code": other.code, "seat": other.seat, "place": other.place} for other in state.held_next],
        "readings": _readings(state, hold), "stub": _stub(state, hold), "fault": state.shoe.fault,
        "number": state.round.deal.out if state.round else None,
        "serial": state.shoe.serial, "stranger": state.shoe.stranger,
        "rows": state.rows_gone or None, "about": subjects.subject(state, subjects.HOLD),
    }  # fmt: skip


def _decisions(hold: Hold, context: Context) -> list[view_.Decision]:
    """Return the decisions that a floorperson may take, in the order of the keys: the proposal, its refusal,
    another outcome. No two of them have the same effect."""
    proposed = None if hold.proposed is None else str(hold.proposed)
    keys: list[view_.Decision] = [] if proposed is None else [_key("approve", proposed, hold, context)]
    if reports.is_rejectable(hold):
        keys.append(_key("refuse", None, hold, context))
    named = (outcome for outcome in hold.outcomes if outcome != proposed)
    taken = (FORFEIT, FORFEIT_ALL)
    decided: Iterator[tuple[_Decided, str]] = (
        ("forfeit" if outcome in taken else "outcome", outcome) for outcome in named
    )
    return [*keys, *(_key(decision, outcome, hold, context) for decision, outcome in decided)]


def _key(decision: _Decided, outcome: str | None, hold: Hold, context: Context) -> view_.Decision:
    """Return the key for a decision on a hold. If the text has two sections for a forfeit, with different
    outcomes, the key names its section."""
    part = _PARTS.get(outcome or "") if FORFEIT_ALL in hold.outcomes else None
    section = None if part is None else context.pack.cite(f"forfeits.{part}").rpartition(" ")[2]
    return {"decision": decision, "outcome": outcome, "section": section}


def _readings(state: TableState, hold: Hold) -> list[view_.Reading]:
    """Return, for each card that a report is about, the face that the table has read and the one that the
    person reports. A card that is not turned is face down in both."""
    round_, place = state.round, hold.place
    if round_ is None or hold.code is not Code.CARD_DIFFERS or place is None:
        return []
    shown = shown_places(round_)
    if hold.swap is None:
        by_hand: view_.Card = {"lies": "up", "face": hold.face}
        return [{"place": place, "read": public_card(round_, place, shown), "said": by_hand}]
    first, second = (public_card(round_, each, shown) for each in hold.swap)
    entered = _as_reported(first, second), _as_reported(second, first)
    read = zip(hold.swap, (first, second), entered, strict=True)
    return [{"place": str(at), "read": seen, "said": by_hand} for at, seen, by_hand in read]


def _as_reported(here: view_.Card, other: view_.Card) -> view_.Card:
    """Return the card that a report claims to lie at the place of `here`. `other`: the card at the place from
    which it should come; its face is shown only if both cards are turned."""
    if here["lies"] != "up":
        return {"lies": here["lies"], "face": None}
    return other if other["lies"] == "up" else {"lies": "unknown", "face": None}


def _stub(state: TableState, hold: Hold) -> view_.StubCount | None:
    """Return the counts of a wrong stub: the dealer's, the shoe's and the right one. Returns None if the hold
    is about anything else."""
    round_ = state.round
    if round_ is None or hold.code is not Code.DECK_COUNT or not round_.deal.stub_out:
        return None
    deal = round_.deal
    return {"counted": deal.stub_counted, "expected": expected_stub(round_), "shoe": deal.stub_shoe}
