"""One round as frozen data, in the order of play: the deal, the decisions, the settlement, the ending.

Part of the state (`state.py`): never changed, only replaced. Times are ms of the table's clock, money is in
whole cents.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from controller.game.model.cards import Card
from controller.game.model.evolve import evolve
from controller.game.model.irregularities import Code
from controller.game.model.ledger import Ledger
from controller.game.model.names import BETS, Circle, Method, Phase, Wager
from controller.game.model.plan import DealStep, Item, Step, steps_by_circle


@dataclass(frozen=True, slots=True)
class Dealt:
    """Card that left the shoe or was dealt by hand. `face` is None until a device or a person has read it."""

    number: int
    face: Card | None = field(default=None, repr=False)
    said: bool = False
    """Whether a person entered the face; no device read it."""


@dataclass(frozen=True, slots=True)
class SettledPart:
    """A floorperson's choice between two sections of the text, for wagers settled before a forfeit."""

    does: Literal["kept", "taken"]
    citation: str
    approved_by: str
    """Badge of the floorperson."""


@dataclass(frozen=True)
class SeatState:
    """One box that takes part in the round. `player`: number of its patron. `wagers`: amounts that count, in
    cents. `folded_at`: decision at which it folded."""

    seat: int
    player: str
    wagers: dict[Wager, int]
    folded_at: Phase | None = None
    forfeited: tuple[Phase, Code] | None = None
    settled_part: SettledPart | None = None
    """Decision of a floorperson on wagers that were settled before the forfeit."""

    @property
    def playing(self) -> bool:
        return self.folded_at is None and self.forfeited is None


@dataclass(frozen=True, slots=True)
class Irregularity:
    """Irregularity as the round's record lists it. `phase`: phase of play when it was raised; `citation`:
    section that rules on it; `resolved`: whether it is over."""

    code: Code
    phase: Phase
    seat: int | None
    wager: Wager | None
    citation: str
    resolved: bool = False
    reason: str = ""
    """Reason given by a floorperson."""
    name: str = ""
    """More specific name than the code (`naming.py`), or ""."""
    before_turn: bool = False
    """Whether it was raised before the seat's turn to decide (`Round.awaits_turn`)."""


@dataclass(frozen=True, slots=True)
class ChipMovement:
    """Chips that came into a circle in place of others of the same total, or, with a `source`, from that
    circle. `since`: ms at which the old chips began to leave; `chips`, `replaced`: cents of each chip."""

    ms: int
    utc: str
    phase: Phase
    circle: Circle
    since: int
    chips: tuple[int, ...]
    replaced: tuple[int, ...] = ()
    source: Circle | None = None


@dataclass(frozen=True, slots=True)
class VoidRuling:
    code: Code
    citation: str
    approved_by: str
    remove_deck: bool


NO_MONEY = Ledger()


@dataclass(frozen=True)
class Deal:
    """Progress of the deal: planned deliveries, commands and cards of the shoe, the stub."""

    steps: tuple[DealStep, ...] = ()
    step: int = 0
    commanded: bool = False
    progress: int = 0
    """Time in ms at which the shoe last made progress in the deal."""
    doubt: bool = False
    """Whether the link was resumed and it is unknown whether the shoe is still executing the command."""
    resent: bool = False
    """Whether the command was sent a second time because of `doubt`."""
    exit: tuple[Dealt, ...] = ()
    stacked: bool = False
    out: int = 0
    set_aside: tuple[Card | None, ...] = field(default=(), repr=False)
    back_ups: int = 0
    exposed: tuple[str, ...] = ()
    """Place or seat (`seat_3`) of each card reported as exposed, unless a floorperson rejected it."""
    told_face_up: int = 0
    """Number of cards in `set_aside` that the shoe reported."""
    asked: tuple[int, ...] = ()
    """Holds that ask whether a card was face up; nothing was set aside for them."""
    stub_commanded: bool = False
    stub_out: bool = False
    stub_by_hand: bool = False
    """Whether the dealer takes the stub out by hand and confirms it, because the shoe does not deliver it."""
    stub_shoe: int | None = None
    stub_counted: int | None = None
    permitted: bool = False

    @property
    def delivery(self) -> DealStep | None:
        """Delivery in progress; None when all cards are dealt."""
        return self.steps[self.step] if self.step < len(self.steps) else None


@dataclass(frozen=True)
class Decisions:
    """Progress of the decisions on one bet. `asked`: the seat whose decision is requested."""

    asked: int | None = None
    folding: bool = False
    """Whether FOLD was pressed for the asked seat and is not confirmed yet."""
    decided: bool = False
    """Whether every seat has decided on this bet."""
    since: int | None = None
    """Time in ms at which the seat was asked or last changed its chips; None if only the dealer can confirm
    the decision.
    """
    lying: dict[int, int] = field(default_factory=dict)
    """Cents of valid unconfirmed bets by seat. Players may change them until cards are turned."""


@dataclass(frozen=True)
class Settlement:
    """Progress of the settlement: its plan, the items done so far, and the cards turned for it."""

    plan: tuple[Item, ...] = ()
    steps: Mapping[int, Mapping[Wager, Step]] = field(default_factory=dict)
    """Steps of the plan by seat and wager."""
    cursor: int = 0
    """Index of the first item of the plan that is not done."""
    shown: frozenset[int] = frozenset()
    """Seats with their cards face up."""
    bonus_shown: bool = False

    def with_plan(self, plan: tuple[Item, ...]) -> Settlement:
        """Return the settlement with a new plan, at its first item."""
        return evolve(self, plan=plan, steps=steps_by_circle(plan), cursor=0)

    @property
    def current(self) -> Item | None:
        return self.plan[self.cursor] if self.cursor < len(self.plan) else None


@dataclass(frozen=True)
class Ending:
    """Ending of the round: whether it is void, when it ended, and the amounts left without a signature."""

    void: VoidRuling | None = None
    ended: int | None = None
    """Time of the end (ms); from then on the dealer gathers cards and players their winnings."""
    unsigned: tuple[tuple[int, Wager, int], ...] = ()
    """Seat, circle and cents of each amount that was entered by hand and that no floorperson signed."""


NOTHING_DECIDED, NOTHING_SETTLED, NOT_ENDED = Decisions(), Settlement(), Ending()


@dataclass(frozen=True)
class NamedChips:
    """Chips of one circle that are no wager by the dealer's report (`books/named_chips.py`). `chips`: their
    UIDs; `cents`: their excess at the report; `swept`: cents of them that went to the tray with the wager;
    `signed`: cents of them that a floorperson signed."""

    chips: tuple[str, ...]
    cents: int
    swept: int = 0
    signed: int = 0


@dataclass(frozen=True)
class Round:
    """Round, from the close of the bets (or the act that voided it before) to its record."""

    number: int
    started: str
    method: Method
    seats: dict[int, SeatState]
    """Seats by number, seat 1 first."""
    deal: Deal
    decisions: Decisions = NOTHING_DECIDED
    settlement: Settlement = NOTHING_SETTLED
    ending: Ending = NOT_ENDED
    cards: dict[str, Dealt] = field(default_factory=dict)
    turned: frozenset[str] = frozenset()
    """Places of the cross and the bonus cards turned by the rules."""
    dealers: tuple[tuple[str, str], ...] = ()
    """Number of each dealer of the round and the UTC time from which they dealt, in order."""
    irregularities: tuple[Irregularity, ...] = ()
    not_wagers: tuple[Circle, ...] = ()
    """Circles whose excess chips are not a wager according to the dealer's report, until the chips are put
    aside. Empty since revision 10 of `PROCEDURES`."""
    named: Mapping[str, NamedChips] = field(default_factory=dict)
    """Chips that are not a wager according to the dealer's report, by "seat.wager"."""
    ledger: Ledger = NO_MONEY
    stacks: Mapping[str, tuple[tuple[int, ...], ...]] = field(default_factory=dict)
    """Chips of each wager by "seat.wager": cents in order of arrival (`books/stacks.py`)."""
    stood: tuple[str, ...] = ()
    """UIDs of the chips that failed their proof and whose wager stands by a floorperson's ruling
    (`books/unproven_chips.py`)."""

    def awaits_turn(self, seat: int | None, phase: Phase) -> bool:
        """Return whether a seat in play has still to be asked for its decision of this phase; during the
        deal, for the first decision."""
        box, asked = self.seats.get(seat or 0), self.decisions.asked
        if box is None or not box.playing:
            return False
        if phase is Phase.DEALING:
            return True
        if phase.value not in BETS or asked is None or asked >= box.seat:
            return False
        return Wager(phase.value) not in box.wagers and box.seat not in self.decisions.lying

    def playing(self) -> list[SeatState]:
        """Return the seats neither folded nor forfeited, seat 1 first."""
        return [seat for seat in self.seats.values() if seat.playing]
