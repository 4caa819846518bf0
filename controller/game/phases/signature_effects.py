"""Effect of a signature on chips and bets, for the text of the key that signs.

`corrections.sign`, which handles signatures, is applied to a copy of the state, and the books before and
after it are compared. The text of a key thus cannot differ from the effect of the signature. Amounts in
cents.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from controller.game.books import dues, named_chips, unproven_chips
from controller.game.model.events import FloorDecided
from controller.game.model.ledger import LedgerRow
from controller.game.model.names import BETS, Circle, Phase
from controller.game.model.round import Round
from controller.game.model.state import Context, TableState
from controller.game.model.transition import Transition
from controller.game.phases import corrections, missing_chips, voiding
from controller.game.phases.decisions import DECISIONS

Holder = Literal["", "player", "house"]
SignatureKind = Literal[
    "nothing",
    "extra",
    "early",
    "kept",
    "short",
    "held",
    "more",
    "less",
    "refund",
    "no_refund",
    "owed",
    "spared",
    "stands",
]
ANY_WAY: Final = {phase: tuple(Phase) for phase in Phase}


@dataclass(frozen=True, slots=True)
class Effect:
    """Effect that a floorperson's signature has on chips or a bet, for the text of the key that signs.
    `amount`: cents concerned; `counts`: cents of the bet that count.

    Kinds: `extra`: chips stay and do not count, such as chips that were named no wager. `early`: they count
    in their turn. `kept`, `held`: the bet counts in full, and the player or the house has part of it.
    `short`: the same for a fold. `more`, `less`: the player has more or less than the settlement. `stands`:
    chips that failed their proof count as they lie. In a void, `refund` and `no_refund`: the tray refunds the
    amount or does not; `spared`: the player gives nothing back; `owed`: the player gets nothing more."""

    kind: SignatureKind
    amount: int = 0
    counts: int = 0


def choices(state: TableState, circle: Circle) -> tuple[Holder, ...]:
    """Return the holders among whom the signing floorperson chooses: ``player`` or ``house`` has the missing
    chips. Returns ("",) if no chips are missing."""
    return ("player", "house") if missing_chips.missing_cents(state, circle) else ("",)


def effects(state: TableState, context: Context, circle: Circle, holder: Holder) -> tuple[Effect, ...]:
    """Return the effects of signing the differences at a circle if `holder` has the missing chips. There is
    at least one; its kind is `nothing` if the signature changes nothing."""
    if state.round is None:
        return (Effect("nothing"),)
    play = Transition(state, context, ANY_WAY)
    corrections.sign(play, FloorDecided("", "sign", seat=circle.seat, wager=circle.wager, holder=holder))
    old, new = state.round.ledger.row(circle), play.round.ledger.row(circle)
    if state.phase is Phase.VOID:
        return (_in_void(state, play.state, circle, old, new),)
    stands = _stands(state, play.state, circle)
    found = stands, _settled(old, new), *_unsettled(state, state.round, circle, old, new)
    return tuple(each for each in found if each) or (Effect("nothing"),)


def _in_void(before: TableState, after: TableState, circle: Circle, old: LedgerRow, new: LedgerRow) -> Effect:
    lacked, lacks = voiding.owed_cents(before, circle), voiding.owed_cents(after, circle)
    signed = new.house - old.house
    if signed:
        return Effect("spared" if signed > 0 else "owed", abs(signed))
    lying = voiding.players_part(after.round, circle) if after.round else 0
    if lacks > lying:
        return Effect("refund", lacks - lying)
    given = max(0, lacked - lying) or old.asked
    return Effect("no_refund", given) if given else Effect("nothing")


def _stands(before: TableState, after: TableState, circle: Circle) -> Effect | None:
    failed = unproven_chips.failed_chips(before, circle)
    if not failed or unproven_chips.failed_chips(after, circle):
        return None
    return Effect("stands", sum(chip.cents or 0 for chip in failed))


def _settled(old: LedgerRow, new: LedgerRow) -> Effect | None:
    beyond = new.house - old.house
    return Effect("more" if beyond > 0 else "less", abs(beyond)) if beyond else None


def _unsettled(
    state: TableState, round_: Round, circle: Circle, old: LedgerRow, new: LedgerRow
) -> Iterator[Effect | None]:
    counts, held = dues.wager_at(round_, circle), new.held - old.held
    kept = max(0, new.stake) - max(0, old.stake)  # chips signed beyond the bet are not part of it
    if kept > 0 or held > 0:
        yield _parted(state, circle, Effect("held" if held > 0 else "kept", max(kept, held), counts))
    elif beyond := max(0, old.stake - new.stake):
        in_turn = _has_a_turn(state, round_, circle)
        named = min(beyond, named_chips.unsigned_cents(state, circle)) if in_turn else beyond
        yield Effect("extra", named, counts) if named else None
        yield Effect("early", beyond - named, counts) if beyond > named else None


def _parted(state: TableState, circle: Circle, part: Effect) -> Effect | None:
    """Return the effect that a kept or held part of a bet has on the result, once the cards of the bet are
    public; before that, `part` itself. Returns None if the part has no effect on that result."""
    where, step = dues.stage(state, circle)
    if where == "collect":
        return Effect("short", part.amount, part.counts) if part.kind == "kept" else None
    if step is None:
        return part
    if step.verb == "take":
        return Effect("more", part.amount) if part.kind == "kept" else None
    return Effect("less", part.amount) if part.kind == "held" else None


def _has_a_turn(state: TableState, round_: Round, circle: Circle) -> bool:
    """Return whether the seat will still be asked for a bet that was laid too early in `circle`, so that its
    chips will count then."""
    seat = round_.seats.get(circle.seat)
    if seat is None or not seat.playing or circle.wager not in BETS or circle.wager in seat.wagers:
        return False
    decision = DECISIONS.get(state.play_phase)
    reached = BETS.index(decision.wager) if decision else -1
    return state.play_phase is not Phase.SETTLEMENT and BETS.index(circle.wager) > reached


def signature_choices(
    state: TableState, context: Context, circle: Circle
) -> Iterator[tuple[Holder, tuple[Effect, ...]]]:
    """Yield the holder and the effects of each key that signs the differences at a circle."""
    for holder in choices(state, circle):
        yield holder, effects(state, context, circle, holder)
