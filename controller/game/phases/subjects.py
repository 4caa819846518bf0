"""Subjects of people's decisions, by which an outdated touch is refused, each with the identity and the
revision shown on the screen.

A touch names its subject as the view gave it (`about`) and acts on that subject only. If a hold was amended,
an amount has changed or a round was corrected meanwhile, a touch that names the former revision is refused. A
subject is written as its kind, a space and its identity. Most identities are numbers: `hold 7.31` is hold 7
at the 31st change of holds. Those of circles, alerts and signatures contain the cents displayed on the key
and the effect of the signature, that of a record its number of corrections. No subject contains a face.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from controller.game.books.unproven_chips import awaits_ruling
from controller.game.model import events
from controller.game.model.evolve import evolve
from controller.game.model.irregularities import REPORTS, Code
from controller.game.model.names import Circle, Key, Phase, Wager
from controller.game.model.procedures import OCCURRENCES_SINCE, SUBJECTS_SINCE
from controller.game.model.round import Deal
from controller.game.model.state import Context, Signature, TableState
from controller.game.phases import corrections, deck, missing_chips, on_the_way, signature_effects
from controller.game.rulebook.wagers import Refusal

HOLD: Final = "hold"
_OF_CARDS = (Code.CARD_DIFFERS, Code.DUPLICATE_CARD)
"""Holds for which the decision may change the places of cards."""
_REPORTED = frozenset(what for what in REPORTS if what is not Code.NOT_A_WAGER)
"""Irregularities that count as reports about cards, whether a person or a device reported them."""


# ------------------------------------------------------------------ counted subjects


def _number(state: TableState) -> int:
    return state.round.number if state.round else state.next_round


def _facts(state: TableState) -> dict[str, object]:
    """Return the facts that a person reads, by kind of subject. A subject gets a new revision when its facts
    change."""
    number, own, phase = _number(state), state.deck, state.play_phase
    since = state.procedures >= SUBJECTS_SINCE
    opening = state.phase is Phase.CLOSED, own.present, own.opened, own.since
    round_ = number, phase in (Phase.VOID, Phase.CLEARING), since and opening
    pack = (
        number, own.present, own.back, own.opened, own.since, own.after,
        state.opening, state.opening_done, since and phase is Phase.SHUFFLE,
    )  # fmt: skip
    seats = state.round.seats.values() if state.round else ()
    keys = [(last.key, last.phase, last.seat, last.wager) for last in state.undo]
    return {
        HOLD: state.hold and _held(state),
        "step": deck.awaits_signature(state) and pack,
        "round": round_,
        "forfeit": state.procedures >= OCCURRENCES_SINCE and (round_, _settled(state)),
        "cards": (number, _cards(state)),
        "deck": pack,
        "folds": (number, [(seat.seat, seat.folded_at) for seat in seats if seat.folded_at]),
        "boxes": (number, state.players),
        "dealer": state.dealer,
        "method": (state.method, number, opening) if since else state.method,
        "call": state.floor_called,
        "undo": keys and (number, keys),
    }


def _held(state: TableState) -> object:
    """Return all facts that a floorperson reads before a decision on held play: the hold, queued holds,
    counts of the stub and the state of the shoe."""
    deal, shoe = (state.round.deal if state.round else None), state.shoe
    stub = (deal.out, deal.stub_counted, deal.stub_shoe) if deal else None
    return (
        state.hold, state.held_next, stub, shoe.fault, shoe.serial, shoe.stranger, shoe.unproven,
        state.rows_gone,
    )  # fmt: skip


def _settled(state: TableState) -> object:
    """Return the circles of settled wagers, because a forfeit may take these too."""
    rows = state.round.ledger.rows if state.round else {}
    return [(seat, w) for seat, row in rows.items() for w, one in row.items() if one.settled is not None]


def _cards(state: TableState) -> object:
    """Return the reports about the cards of the round, the decisions on them, and the steps for a spread
    deck."""
    round_ = state.round
    entries = round_.irregularities if round_ else ()
    if state.procedures < SUBJECTS_SINCE:
        return [entry.resolved for entry in entries if entry.code in _OF_CARDS]
    noted = (*state.early, *entries)
    reported = [(each.code, each.seat, each.resolved) for each in noted if each.code in _REPORTED]
    deal = round_.deal if round_ else Deal()
    return reported, deal.set_aside, deal.back_ups, deal.exposed, deal.stub_counted, state.opening


COUNTED = tuple(_facts(TableState()))
"""Kinds of the counted subjects."""


def with_revisions(before: TableState, after: TableState) -> TableState:
    """Return the state after an event with a new revision of each subject that the event changed. For older
    journals the state is returned unchanged, so that a replay gives the states that were played."""
    if not after.procedures:
        return after
    read = _facts(before)
    changed = [kind for kind, facts in _facts(after).items() if facts != read[kind]]
    return with_raised(after, *changed) if changed else after


def with_raised(state: TableState, *keys: str) -> TableState:
    """Return the state with a new revision of each of these keys."""
    raised = {key: state.revisions.get(key, 0) + 1 for key in keys}
    return evolve(state, revisions=state.revisions | raised)


def subject(state: TableState, kind: str) -> str:
    """Return the counted subject of that kind at its present revision."""
    revision = state.revisions.get(kind, 0)
    return f"{kind} {state.hold.id}.{revision}" if kind == HOLD and state.hold else f"{kind} {revision}"


def counted_subjects(state: TableState) -> dict[str, str]:
    """Return all counted subjects except the hold, by kind; a touch copies its own."""
    return {kind: subject(state, kind) for kind in COUNTED if kind != HOLD}


# ------------------------------------------------------------------ subjects with an amount


def of_circle(state: TableState, circle: Circle) -> str:
    """Return the subject of an amount that the dealer enters for a circle. It contains the number of outages
    of the circle's reader and the amount entered before, so that a touch cannot refer to an earlier outage or
    amount."""
    entered = state.holding(*circle).entered
    outage = f".{state.revisions.get(circle.key, 0)}" if state.procedures >= OCCURRENCES_SINCE else ""
    amount = "none" if entered is None else entered
    return f"circle {_number(state)}.{circle.seat}.{circle.wager}{outage}.{amount}"


def with_outage(state: TableState, circle: Circle) -> TableState:
    """Return the state after the reader of a circle has failed once more."""
    return with_raised(state, circle.key) if state.procedures >= OCCURRENCES_SINCE else state


def of_signature(state: TableState, context: Context, item: Signature) -> str:
    """Return the subject of an item that a floorperson signs. It contains the cents that the signature covers
    and its effect, so that it changes with them."""
    if item.amount is not None or state.round is None or item.seat is None or item.wager is None:
        cents: object = item.amount
    else:
        circle = Circle(item.seat, item.wager)
        row = state.round.ledger.row(circle)
        cents = f"{row.player}.{row.tray}.{row.unexplained}{_effect(state, context, circle)}"
    return f"amount {_number(state)}.{item.what}.{item.seat}.{item.wager}.{cents}"


def of_difference(state: TableState, context: Context, circle: Circle) -> str:
    """Return the subject of all differences at one circle, which are signed together. It contains their
    alerts, the cents that are due, present and missing, and the effect of the signature."""
    here = [alert for alert in state.alerts_at(circle) if awaits_ruling(state, alert.code)]
    raised = "+".join(f"{alert.id}:{alert.should}" for alert in here)
    missing = missing_chips.missing_cents(state, circle)
    return f"alert {raised}.{state.amount(*circle)}.{missing}{_effect(state, context, circle)}"


def _effect(state: TableState, context: Context, circle: Circle) -> str:
    """Return, for the subject of a signature, the effect of each key that signs the differences at a circle,
    such as " more 1500 0". The same differences may have another effect after the next step of play. Returns
    "" for older journals."""
    if state.procedures < OCCURRENCES_SINCE:
        return ""
    keys = signature_effects.signature_choices(state, context, circle)
    texts = ((holder, *(f"{e.kind} {e.amount} {e.counts}" for e in found)) for holder, found in keys)
    return f" {'/'.join(' '.join(filter(None, text)) for text in texts)}"


# ------------------------------------------------------------------ subject of a touch


DIRECTED: Mapping[str, str] = {
    "answer": "call", "outcome": "round", "forfeit": "forfeit", "restore": "folds", "recut": "deck",
    "shuffle": "deck", "player": "boxes", "method": "method", "close": "round",
}  # fmt: skip
"""Subject of each decision while play is not held; a signature has its own."""
ENTERED: Mapping[type, str] = {
    events.DealerSignedOn: "dealer", events.DealerRelieved: "dealer", events.DeckBrought: "deck",
    events.Reported: "cards", events.CardsSwapped: "cards", events.FaceEntered: "cards",
}  # fmt: skip


def subjects_of(state: TableState, context: Context, event: events.Event) -> Iterator[str]:
    """Yield the current subjects that this event may concern."""
    if isinstance(event, events.FloorDecided):
        yield from _decided(state, context, event)
    elif isinstance(event, events.FloorOnTheWay):
        yield from on_the_way.subjects(state)
    elif isinstance(event, events.AmountEntered):
        yield of_circle(state, Circle(event.seat, event.wager))
    elif isinstance(event, events.KeyPressed) and event.key is Key.UNDO:
        yield subject(state, "undo")
    elif isinstance(event, events.Reported) and event.seat is not None and event.wager is not None:
        yield of_difference(state, context, Circle(event.seat, event.wager))
    elif kind := ENTERED.get(type(event)):
        yield subject(state, kind)


def _decided(state: TableState, context: Context, event: events.FloorDecided) -> Iterator[str]:
    if event.decision == "answer":
        yield subject(state, "call")
    elif state.hold is not None:
        yield subject(state, HOLD)
    elif event.decision in ("sign", "approve"):
        yield from (
            name for name, circle in items_to_sign(state, context) if corrections.covers(event, *circle)
        )
        if deck.awaits_signature(state):
            yield subject(state, "step")
    elif kind := DIRECTED.get(event.decision):
        counted = kind != "forfeit" or state.procedures >= OCCURRENCES_SINCE
        yield subject(state, kind if counted else "round")


def items_to_sign(
    state: TableState, context: Context
) -> Iterator[tuple[str, tuple[int | None, Wager | None]]]:
    """Yield the subject and the circle of each amount and difference that waits for a signature."""
    signable = corrections.signable(state)
    for item in (*state.signatures, *corrections.without_alert(signable)):
        yield of_signature(state, context, item), (item.seat, item.wager)
    for code, circle in signable:
        if code is not Code.NOT_RETURNED:
            yield of_difference(state, context, circle), circle


# ------------------------------------------------------------------ comparison


_REFUSED: Mapping[str, str] = {
    "step": "another_step", "amount": "another_amount", "alert": "another_amount", "circle": "another_amount",
    "call": "another_call", "dealer": "another_dealer", "round": "another_round", "undo": "another_undo",
}  # fmt: skip


def refusal(state: TableState, context: Context, event: events.Event) -> Refusal | None:
    """Return the refusal of an event with a subject that has changed, or None. A closed round is compared
    with its record (`corrections.verify_record`)."""
    about: str | None = getattr(event, "about", None)
    if about is None or isinstance(event, events.RoundCorrected):
        return None
    if about in subjects_of(state, context, event):
        return None
    if isinstance(event, events.FloorDecided) and event.decision != "answer":
        held, was = state.hold, about.startswith(f"{HOLD} ")
        if held is not None:
            same = about.startswith(f"{HOLD} {held.id}.")
            return Refusal("hold_changed" if same else "another_hold" if was else "held_meanwhile", "")
        if was:
            return Refusal("hold_decided", "")
    return Refusal(_REFUSED.get(about.partition(" ")[0], "another_state"), "")
