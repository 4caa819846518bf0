"""Round record (result of a round) of controller/COMMANDS.md, made from the state when a round has ended.

It may hold faces that were never turned: it goes to the journal and to people who reconstruct a hand, and
must never go to the dealer's screen; `public.turned_record` gives the part that a screen may show.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Literal

from controller.game.books import dues
from controller.game.books.stacks import RECORDED_SINCE
from controller.game.model.cards import Card
from controller.game.model.effects import WriteRecord
from controller.game.model.evolve import evolve
from controller.game.model.hand import Hand
from controller.game.model.irregularities import Code
from controller.game.model.ledger import Signed
from controller.game.model.names import BONUS_PLACES, CROSS, Circle, Method, Wager, cards_of
from controller.game.model.naming import SINCE_PROCEDURES
from controller.game.model.plan import Step
from controller.game.model.record import (
    Cards,
    ChipMovementRecord,
    ForfeitRecord,
    Head,
    NamedCorrection,
    NamedIrregularity,
    RoundRecord,
    SeatRecord,
    WagerRecord,
    round_record,
    seat_record,
    wager_record,
)
from controller.game.model.round import ChipMovement, Irregularity, Round, SeatState
from controller.game.model.state import Context, TableState
from controller.game.model.transition import Transition
from controller.game.phases.stub import expected_stub
from controller.game.rulebook.faces import ASIDE

ENTERED_SINCE = 9
"""First revision of `PROCEDURES` whose records have `entered_faces`."""


def record_of(state: TableState, context: Context) -> RoundRecord:
    """Return the record, ready for JSON. `ended` is the time of the event that ended the round. Raises
    RuntimeError without a round."""
    if state.round is None:
        raise RuntimeError("a record needs a round")
    round_ = _with_exit(state.round)
    unverified = round_.ledger.unverified_circles()
    record = round_record(
        _head(state, context, round_),
        _cards(round_),
        [_seat(round_, seat, unverified) for _, seat in sorted(round_.seats.items())],
        () if round_.ending.void else round_.settlement.plan,
        [_irregularity(entry) for entry in round_.irregularities],
        [as_entry(round_, signed) for signed in round_.ledger.signed],
        round_.ending.unsigned,
    )
    if state.procedures >= RECORDED_SINCE:
        record["stacks"] = _stacks(round_)
        if state.movements:
            record["chip_movements"] = [_movement(each) for each in state.movements]
    if entered := _entered_faces(state.procedures, round_):
        record["entered_faces"] = entered
    return record


def write_record(play: Transition) -> None:
    """Write the record of the round. The next record has the movements of chips from now on."""
    play.effects.append(WriteRecord(record_of(play.state, play.context)))
    play.state = evolve(play.state, movements=())


def _entered_faces(procedures: int, round_: Round) -> list[str]:
    if procedures < ENTERED_SINCE or round_.method is Method.HAND:
        return []
    return sorted(place for place, dealt in round_.cards.items() if dealt.said)


def _stacks(round_: Round) -> dict[str, dict[str, list[list[int]]]]:
    found: dict[str, dict[str, list[list[int]]]] = {}
    for number, seat in sorted(round_.seats.items()):
        for wager in seat.wagers:
            if groups := round_.stacks.get(Circle(number, wager).key):
                found.setdefault(str(number), {})[wager.value] = [list(group) for group in groups]
    return found


def _movement(each: ChipMovement) -> ChipMovementRecord:
    record: ChipMovementRecord = {
        "code": "chips_moved" if each.source else "chips_exchanged", "phase": each.phase.value,
        "seat": each.circle.seat, "wager": each.circle.wager.value, "at": each.utc, "in": list(each.chips),
    }  # fmt: skip
    if each.source:
        record["from"] = [each.source.seat, each.source.wager.value]
    else:
        record["out"] = list(each.replaced)
    return record


def unsigned_amounts(state: TableState) -> tuple[tuple[int, Wager, int], ...]:
    """Return seat, circle and cents of each amount that was entered by hand and has no signature; () in a
    replay of a journal whose records do not contain them."""
    if state.procedures < SINCE_PROCEDURES:
        return ()
    return tuple(
        (item.seat, item.wager, item.amount)
        for item in state.signatures
        if item.what == "amount" and item.seat and item.wager and item.amount is not None
    )


def _head(state: TableState, context: Context, round_: Round) -> Head:
    void = round_.ending.void
    removed = void is not None and void.remove_deck
    head: Head = {
        "type": "round",
        "table": context.settings.table,
        "round": round_.number,
        "rules": context.pack.key,
        "rules_digest": context.pack.digest,
        "method": round_.method.value,
        "dealer": round_.dealers[0][0] if round_.dealers else None,
        "dealers": [{"number": number, "from": since} for number, since in round_.dealers],
        "started": round_.started,
        "ended": context.utc,
        "deck": {"back": state.deck.back, "after": "removed" if removed else "reshuffled"},
        "stub": {
            "expected": expected_stub(round_) if round_.deal.steps else None,
            "shoe": round_.deal.stub_shoe,
            "counted": round_.deal.stub_counted,
        },
        "outcome": "void" if void else "settled",
        "void": None if void is None else {
            "code": void.code, "citation": void.citation, "approved_by": void.approved_by,
        },
    }  # fmt: skip
    if whole := state.digests.get("whole"):
        head["settings_digest"] = whole
    return head


def _with_exit(round_: Round) -> Round:
    """Return the round as if a stack that was never taken out of the shoe's exit lay at its planned
    places."""
    step = round_.deal.delivery
    if step is None:
        return round_
    return replace(round_, cards=round_.cards | dict(zip(step.places, round_.deal.exit, strict=False)))


def _cards(round_: Round) -> Cards:
    return {
        "cross": {place.value: _face(round_, place) for place in CROSS},
        "bonus_cards": _bonus_cards(round_),
        "set_aside": [
            face or _face(round_, f"{ASIDE}_{number}") for number, face in enumerate(round_.deal.set_aside)
        ],
    }


def _irregularity(entry: Irregularity) -> NamedIrregularity:
    record: NamedIrregularity = {
        "code": entry.code, "phase": entry.phase.value, "seat": entry.seat,
        "wager": entry.wager.value if entry.wager else None, "citation": entry.citation,
        "resolved": entry.resolved,
    }  # fmt: skip
    if entry.reason:
        record["reason"] = entry.reason
    if entry.name:
        record["name"] = entry.name
    if entry.before_turn:
        record["before_turn"] = True
    return record


def as_entry(round_: Round, signed: Signed) -> NamedCorrection:
    """Return a signature as an entry of the record. The part of a lost wager that the player kept adds to the
    record's settlement; the tray's part of a wager that was not lost reduces it."""
    circle = Circle(signed.seat, signed.wager)
    cents = signed.house
    if round_.ending.void is None:
        cents += signed.stake if _lost(round_, circle) else -signed.held
    entry = correction(signed.code, circle, cents, signed.who, signed.when, signed.why)
    return {**entry, "name": signed.name} if signed.name else entry


def correction(
    code: Code | Literal["mispaid"], circle: Circle, cents: int, who: str, when: str, why: str
) -> NamedCorrection:
    return {
        "code": code, "seat": circle.seat, "wager": circle.wager.value, "cents": cents,
        "with": "player" if cents > 0 else "house" if cents < 0 else None,
        "who": who, "when": when, "why": why,
    }  # fmt: skip


def _lost(round_: Round, circle: Circle) -> bool:
    seat = round_.seats.get(circle.seat)
    if seat is None or circle.wager not in seat.wagers:
        return False
    step = _step(round_, circle)
    return dues.is_collected(round_, seat, circle.wager) or (step is not None and step.verb == "take")


def _step(round_: Round, circle: Circle) -> Step | None:
    """Return the step by which a wager was settled, or None."""
    step = dues.planned_step(round_, circle)
    return step if step is not None and dues.is_done(round_, step) else None


def with_correction(record: RoundRecord, entry: NamedCorrection) -> RoundRecord:
    """Return a record with one more correction. The recorded round itself stays unchanged."""
    return {**record, "corrections": [*record["corrections"], entry]}


def _face(round_: Round, place: str) -> Card | None:
    dealt = round_.cards.get(place)
    return dealt.face if dealt else None


def _bonus_cards(round_: Round) -> list[Card | None] | None:
    places = {place for step in round_.deal.steps for place in step.places}
    if BONUS_PLACES[0] not in places:
        return None
    return [_face(round_, place) for place in BONUS_PLACES]


def _seat(round_: Round, seat: SeatState, unverified: Collection[Circle]) -> SeatRecord:
    return seat_record(
        seat.seat,
        seat.player,
        [_face(round_, place) for place in cards_of(seat.seat) if place in round_.cards],
        seat.folded_at.value if seat.folded_at else None,
        {wager: _wager(round_, seat, wager, unverified) for wager in seat.wagers},
        settled_hands(round_, seat),
        _forfeit(seat),
    )


def _forfeit(seat: SeatState) -> ForfeitRecord | None:
    if seat.forfeited is None:
        return None
    record: ForfeitRecord = {"phase": seat.forfeited[0].value, "code": seat.forfeited[1]}
    if (part := seat.settled_part) is not None:
        record["settled"] = {
            "does": part.does, "citation": part.citation, "approved_by": part.approved_by,
        }  # fmt: skip
    return record


def _wager(round_: Round, seat: SeatState, wager: Wager, unverified: Collection[Circle]) -> WagerRecord:
    circle = Circle(seat.seat, wager)
    amount, verified = seat.wagers[wager], circle not in unverified
    step = None if round_.ending.void else _step(round_, circle)
    if round_.ending.void is None and dues.is_collected(round_, seat, wager):
        return wager_record(amount, "forfeit", verified=verified)
    if step is None:
        return wager_record(amount, verified=verified)
    return wager_record(
        amount, step.result, odds=step.odds, payout=step.payout, uncut=step.uncut, verified=verified
    )


def settled_hands(round_: Round, seat: SeatState) -> dict[Wager, Hand]:
    """Return the hand on which each wager of a seat was settled."""
    if round_.ending.void is not None:
        return {}
    steps = {wager: _step(round_, Circle(seat.seat, wager)) for wager in Wager if wager in seat.wagers}
    return {wager: step.hand for wager, step in steps.items() if step is not None}
