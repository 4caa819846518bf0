"""The whole state of a table as frozen data, and the small questions that can be asked of it.

A state is never changed: handlers build the next one and the table assigns it once. Nothing here
decides a rule. Times are ms of the table's clock, money is whole cents.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from controller.game.model.cards import Card
from controller.game.model.events import Chip
from controller.game.model.irregularities import Code, Outcome
from controller.game.model.ledger import Row
from controller.game.model.names import Circle, Method, Phase, Place, Wager
from controller.game.model.round import Irregularity, Round
from controller.game.model.rules import RulePack

Reading = Literal["none", "ok", "silent", "unstable", "not_fitted"]
UNREADABLE = ("silent", "unstable", "not_fitted")


@dataclass(frozen=True, slots=True)
class TableSettings:
    """Settings of the table file that no text decides."""

    table: str = "CC-01"
    method: Method = Method.AUTOMATED_SHOE
    cross_order: tuple[Place, ...] = (
        Place.DOWN_FAR, Place.ACROSS_LEFT, Place.MIDDLE, Place.ACROSS_RIGHT, Place.DOWN_NEAR,
    )  # fmt: skip
    stack_first_out: Literal["top", "bottom"] = "top"
    shuffler: bool = True
    """The table has an automated shuffler."""
    decks: int = 1
    """Two: they play in turn."""
    deck_notice_minutes: int = 15
    """So long before it is due a change of the deck is announced."""
    counting_device: bool = False
    tells_face_up: bool = True
    """The shoe tells of a card that it finds face up; the plain dialect has no word for it."""
    payouts_beside: bool = False
    settle_ms: int | None = None
    """Time in ms that a bet that fits lies still before the next seat is asked; None: the dealer confirms
    each."""
    fitted: frozenset[Circle] = frozenset()
    floorpersons: tuple[str, ...] | None = ()
    """Badges that may decide. None: any badge, as in a journal of before a table file had to name them."""
    sign_on: bool = False
    """No touch of a dealer is taken before one has signed on; a journal of before knows no such thing."""
    shoe_serial: str | None = None
    """The one shoe that may be on the line; empty: the one that was last. None: any, as in a journal of
    before."""
    reasons: bool = False
    """A floorperson says why, whatever they decide but routine; a journal of before knows no such thing."""
    correction_limit: int | None = None
    """Cents by which a closed round may be corrected, at once and in all. None: by what its wagers could
    move."""
    chip_values: tuple[int, ...] = (100_000, 50_000, 10_000, 2_500, 500, 100)
    zone: str = ""
    """The IANA time zone of the house; empty: that of the machine. Nothing in the game asks for it: it tells
    whoever reads the journal what the clock on the wall said."""


@dataclass(frozen=True, slots=True)
class Holding:
    """Last reading of one circle."""

    chips: tuple[Chip, ...] = ()
    reading: Reading = "none"
    entered: int | None = None
    amount: int = field(init=False, default=0, compare=False)
    """Cents that count: what the dealer gave, else what was read; a chip without value counts nothing."""

    def __post_init__(self) -> None:
        cents = sum(chip.cents or 0 for chip in self.chips) if self.entered is None else self.entered
        object.__setattr__(self, "amount", cents)

    @property
    def readable(self) -> bool:
        return self.reading == "ok"

    @property
    def dead(self) -> bool:
        return self.reading in UNREADABLE


EMPTY = Holding()


@dataclass(frozen=True)
class ShoeState:
    """Last state of the shoe."""

    up: bool = False
    lost_at: int | None = None
    state: str = "UNKNOWN"
    left: int | None = None
    out: int = 0
    back: str | None = None
    mode: str | None = None
    boot: str | None = None
    serial: str | None = None
    """Serial number of the table's shoe; None in a journal of before."""
    stranger: str | None = None
    """Serial number of another shoe on the line, until a floorperson has given a reason."""
    unproven: Literal["", "asked", "allowed", "refused"] = ""
    """Decision of a floorperson on a shoe that speaks version 1 of the link instead of 2."""
    fault: str | None = None
    ready: bool = False
    """A READY (or a closing STATE that stands for one) came and no card has left since."""


@dataclass(frozen=True)
class DeckState:
    """The deck in play and its duties."""

    present: bool = False
    back: str | None = None
    last_back: str | None = None
    backs: tuple[str, ...] = ()
    """The backs seen since the table was opened: two mean two decks in turn."""
    brought: tuple[str, ...] = ()
    """The backs that people said when they brought the decks, as far as nothing was replaced since."""
    opened: int = 0
    """Decks that came to the table since it was opened; as many as it plays with have to."""
    since: int | None = None
    rounds_since_count: int = 0
    uncounted: dict[str, int] = field(default_factory=dict)
    """By deck (`deck_age.deck_name`): the rounds that it has played since its own stub was counted."""
    uncovered: bool = False
    """A device that was given up is neither covered nor signed out of order yet."""
    miscounted: tuple[str | None, ...] = ()
    """The backs of the decks that the device did not count to 52."""
    shuffle_commanded: bool = False
    shuffle_refused: bool = False
    after: Literal["reshuffled", "removed"] = "reshuffled"
    """Further use of the deck that was last in play."""


@dataclass(frozen=True, slots=True)
class Alert:
    """Alert to the dealer. `should`: cents that ought to lie there, where that can be said. `money`: how the
    circle's books stood when it was raised; while they stand so it keeps its name in every phase."""

    id: int
    code: Code
    seat: int | None = None
    wager: Wager | None = None
    place: str | None = None
    should: int | None = None
    since: int = 0
    money: tuple[int, int, int] | None = None
    name: str = ""
    """Finer name than the code (`naming.py`)."""


Proposed = Outcome | Literal["forfeit"]


@dataclass(frozen=True, slots=True)
class Hold:
    """Play is stopped. `phase`: where it stopped. `proposed` is one of `outcomes`."""

    code: Code
    citation: str
    phase: Phase
    proposed: Proposed | None
    outcomes: tuple[str, ...]
    seat: int | None = None
    wager: Wager | None = None
    place: str | None = None
    swap: tuple[str, str] | None = None
    face: Card | None = field(default=None, repr=False)
    """card_differs: what the dealer says lies at `place`."""
    beyond: int | None = None
    """wrong_count: how many cards too many lie there (too few: negative), where that was said."""
    said: bool = False
    """A person said it and no device: a floorperson may find that it is not so."""
    id: int = 0
    """Number of the hold in this journal, given when it is raised; 0 in a journal of before."""

    @property
    def refusable(self) -> bool:
        return self.said or Outcome.GO_ON in self.outcomes

    def same_as(self, other: Hold) -> bool:
        """The same trouble once more."""
        mine, others = ((h.code, h.seat, h.wager, h.place, h.swap, h.face) for h in (self, other))
        return mine == others


@dataclass(frozen=True, slots=True)
class Signature:
    """An item that waits for a floorperson's signature without holding play."""

    what: str
    seat: int | None = None
    wager: Wager | None = None
    amount: int | None = None


@dataclass(frozen=True, slots=True)
class OnTheWay:
    """A floorperson said that they come. `about`: the call or hold (`phases/on_the_way.py`); `utc`: when they
    said so; `who`: their name, or "" where the pit `pit` sent it, which identifies no person."""

    about: str
    utc: str
    who: str = ""
    pit: str = ""


@dataclass(frozen=True, slots=True)
class Undo:
    """The act that UNDO would take back, and the state of the round before it."""

    key: str
    phase: Phase
    round: Round | None
    seat: int | None = None
    wager: Wager | None = None


@dataclass(frozen=True, slots=True)
class Seen:
    """Former content of a circle. `until`: ms of the reading that replaced it; `chips`: UIDs in order;
    `values`, `cents`: of each chip and of all; `row`: the accounts of the circle; `posted`, `noted`:
    entries in the books and in the list of the round; `calm`: nothing was wrong with it, or seemed so;
    `phase`: of the play; `collect`: whether the dealer was to take what lay there."""

    until: int
    chips: tuple[str, ...]
    values: tuple[int, ...]
    cents: int
    row: Row
    posted: int
    noted: int
    calm: bool
    phase: Phase
    collect: bool = False


@dataclass(frozen=True, slots=True)
class Tries:
    """Wrong tries in a row to prove who one is, and until when (ms) the next one is not heard."""

    wrong: int = 0
    until: int = 0


@dataclass(frozen=True)
class TableState:
    """Whole state of the table."""

    phase: Phase = Phase.CLOSED
    next_round: int = 1
    round: Round | None = None
    method: Method = Method.AUTOMATED_SHOE
    holdings: dict[int, dict[Wager, Holding]] = field(default_factory=dict)
    suspects: dict[str, tuple[int, Code]] = field(default_factory=dict)
    """Suspicions that may become alerts: "seat.wager" -> (since ms, code)."""
    sweep_since: int | None = None
    """Time at which NO MORE BETS was pressed (ms): from then on every circle is read once more."""
    swept: bool = False
    """Every circle has been."""
    called: dict[int, dict[Wager, int]] = field(default_factory=dict)
    """Cents in the circles then, except those that could not be read."""
    moved: tuple[Circle, ...] = ()
    """Circles whose amount has differed from that in `called` since the press."""
    seen: dict[str, tuple[Seen, ...]] = field(default_factory=dict)
    """Former contents of circles by "seat.wager" (`watching/exchanges.py`), the last one last."""
    early: tuple[Irregularity, ...] = ()
    """Irregularities before the close: they go into the round's list."""
    shoe: ShoeState = ShoeState()
    deck: DeckState = DeckState()
    opening: tuple[str, ...] = ()
    opening_done: tuple[str, ...] = ()
    dealer: str | None = None
    players: dict[int, str] = field(default_factory=dict)
    alerts: tuple[Alert, ...] = ()
    next_alert: int = 1
    next_hold: int = 1
    hold: Hold | None = None
    held_next: tuple[Hold, ...] = ()
    """Holds that came up while play was held, decided in their turn."""
    signatures: tuple[Signature, ...] = ()
    undo: tuple[Undo, ...] = ()
    """The keys that may be taken back, the last one last."""
    floor_called: bool = False
    wanted: dict[str, str] = field(default_factory=dict)
    """Call and holds that stand, each with the UTC time at which it began (`phases/on_the_way.py`)."""
    on_the_way: OnTheWay | None = None
    """Answer to one of `wanted`, kept while that one stands."""
    tries: dict[str, Tries] = field(default_factory=dict)
    """Tries of each person on each channel: "name@channel"; the last who authenticated is not among them."""
    digests: dict[str, str] = field(default_factory=dict)
    """Digests of the rules and settings (`Started`); empty in a journal of before."""
    rows_gone: int = 0
    """Rows of the journal that are lost and that no floorperson has decided on."""
    procedures: int = 0
    """`Started.procedures` of the present run: a replay keeps to the readings of the journal."""
    revisions: dict[str, int] = field(default_factory=dict)
    """Changes of each subject that a person may decide on (`phases/subjects.py`) since the journal began."""
    version: int = 0

    def holding(self, seat: int, wager: Wager) -> Holding:
        row = self.holdings.get(seat)
        return EMPTY if row is None else row.get(wager, EMPTY)

    @property
    def stands(self) -> Phase:
        """The phase that play is in, or was held in."""
        return self.hold.phase if self.hold else self.phase

    @property
    def closing(self) -> bool:
        """NO MORE BETS was pressed, and the bets are not closed yet."""
        return self.sweep_since is not None

    def amount(self, seat: int, wager: Wager) -> int:
        return self.holding(seat, wager).amount

    def grew(self, alert: Alert) -> bool:
        """More lies in the circle of an alert than should."""
        if alert.seat is None or alert.wager is None or alert.should is None:
            return False
        return self.amount(alert.seat, alert.wager) > alert.should


@dataclass(frozen=True, slots=True)
class Context:
    """Inputs of a handler beside the event: the rules, the table file, and the time."""

    pack: RulePack
    settings: TableSettings
    ms: int
    utc: str

    def knows(self, badge: str) -> bool:
        """Whether this floorperson may decide here."""
        named = self.settings.floorpersons
        return bool(badge) and (named is None or badge in named)

    def offered(self) -> tuple[Wager, ...]:
        """The circles that this table has, in the field's order."""
        return (
            Wager.ANTE_ACROSS, Wager.ANTE_DOWN, Wager.ACROSS, Wager.DOWN, Wager.MIDDLE, *self.pack.bonuses,
        )  # fmt: skip
