"""One round as frozen data, split along play: the deal, the decisions, the settlement, the ending.

Part of the state (`state.py`): never changed, only replaced. Times are ms of the table's clock, money is
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
from controller.game.model.names import Circle, Method, Phase, Wager
from controller.game.model.plan import DealStep, Item, Step, steps_by_circle


@dataclass(frozen=True, slots=True)
class Dealt:
    """A card that left the shoe. `face` None: nobody and nothing has read it yet."""

    number: int
    face: Card | None = field(default=None, repr=False)
    said: bool = False
    """A person gave the face; no device read it."""


@dataclass(frozen=True, slots=True)
class SettledPart:
    """The choice between two sections on wagers settled before a forfeit."""

    does: Literal["kept", "taken"]
    citation: str
    approved_by: str
    """Badge of the floorperson."""


@dataclass(frozen=True)
class SeatState:
    """One box in the round. `wagers`: the amounts that count."""

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
    """An entry of the round record's list."""

    code: Code
    phase: Phase
    seat: int | None
    wager: Wager | None
    citation: str
    resolved: bool = False
    reason: str = ""
    """Reason that a floorperson gave."""
    name: str = ""
    """Finer name than the code (`naming.py`)."""


@dataclass(frozen=True, slots=True)
class VoidRuling:
    code: Code
    citation: str
    approved_by: str
    remove_deck: bool


NO_MONEY = Ledger()


@dataclass(frozen=True)
class Deal:
    """Progress of the deal: the deliveries planned, the shoe's commands and cards, the stub."""

    steps: tuple[DealStep, ...] = ()
    step: int = 0
    commanded: bool = False
    progress: int = 0
    """Time of the shoe's last progress in the deal (ms)."""
    doubt: bool = False
    """The link came back: whether the shoe works on our command is not known."""
    resent: bool = False
    """In that doubt the command has been sent once more."""
    exit: tuple[Dealt, ...] = ()
    stacked: bool = False
    out: int = 0
    set_aside: tuple[Card | None, ...] = field(default=(), repr=False)
    back_ups: int = 0
    stub_commanded: bool = False
    stub_out: bool = False
    stub_by_hand: bool = False
    """The shoe does not give the stub out: the dealer takes it and says so."""
    stub_shoe: int | None = None
    stub_counted: int | None = None
    permitted: bool = False

    @property
    def delivery(self) -> DealStep | None:
        """The delivery that is on, None when all cards are dealt."""
        return self.steps[self.step] if self.step < len(self.steps) else None


@dataclass(frozen=True)
class Decisions:
    """The bet that is asked for."""

    asked: int | None = None
    folding: bool = False
    """FOLD was pressed for the seat that is asked, and is not confirmed yet."""
    decided: bool = False
    """Every seat has decided on this bet."""
    since: int | None = None
    """Time at which the seat was asked, or last changed its chips (ms); None: it waits for the dealer's
    word."""
    lying: dict[int, int] = field(default_factory=dict)
    """Seats whose bet lies and fits, and that the dealer did not confirm -> its cents. Until cards are turned
    they may change their minds."""


@dataclass(frozen=True)
class Settlement:
    """Progress of the settlement."""

    plan: tuple[Item, ...] = ()
    steps: Mapping[int, Mapping[Wager, Step]] = field(default_factory=dict)
    """The steps of the plan by seat and wager."""
    cursor: int = 0
    """The first item of the plan that is not done."""
    shown: frozenset[int] = frozenset()
    """Seats whose cards are face up."""
    bonus_shown: bool = False

    def planned(self, plan: tuple[Item, ...]) -> Settlement:
        """With another plan, gone through from its beginning."""
        return evolve(self, plan=plan, steps=steps_by_circle(plan), cursor=0)

    @property
    def current(self) -> Item | None:
        return self.plan[self.cursor] if self.cursor < len(self.plan) else None


@dataclass(frozen=True)
class Ending:
    """End of the round."""

    void: VoidRuling | None = None
    ended: int | None = None
    """Time of the end (ms); from then on its cards and winnings are gathered."""
    unsigned: tuple[tuple[int, Wager, int], ...] = ()
    """Seat, circle and cents of each amount that was entered by hand and that no floorperson signed."""


NOTHING_DECIDED, NOTHING_SETTLED, NOT_ENDED = Decisions(), Settlement(), Ending()


@dataclass(frozen=True)
class Round:
    """A round from the close of the bets (or what voided it before) to its record."""

    number: int
    started: str
    method: Method
    seats: dict[int, SeatState]
    """Seat 1 first."""
    deal: Deal
    decisions: Decisions = NOTHING_DECIDED
    settlement: Settlement = NOTHING_SETTLED
    ending: Ending = NOT_ENDED
    cards: dict[str, Dealt] = field(default_factory=dict)
    turned: frozenset[str] = frozenset()
    """Places of the cross and the bonus cards that the rules have turned."""
    dealers: tuple[tuple[str, str], ...] = ()
    """(number, since when in UTC) of everybody who dealt, the first one first."""
    irregularities: tuple[Irregularity, ...] = ()
    not_wagers: tuple[Circle, ...] = ()
    """Circles whose chips too many are no wager, by the dealer's word, until they are put aside."""
    ledger: Ledger = NO_MONEY

    def playing(self) -> list[SeatState]:
        """Seats neither folded nor forfeited, seat 1 first."""
        return [seat for seat in self.seats.values() if seat.playing]
