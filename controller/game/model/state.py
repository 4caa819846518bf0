"""Complete state of a table as frozen data, with simple queries.

A state is never changed: handlers build the next one, and the table assigns it once. Rules are decided
elsewhere. Times are ms of the table's clock, money is in whole cents.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from controller.game.model.cards import Card
from controller.game.model.events import Chip, Proofs
from controller.game.model.irregularities import Code, Outcome
from controller.game.model.ledger import LedgerRow
from controller.game.model.names import Circle, Method, Phase, Place, Wager
from controller.game.model.round import ChipMovement, Irregularity, Round
from controller.game.model.rules import RulePack

Reading = Literal["none", "ok", "silent", "unstable", "not_fitted"]
UNREADABLE = ("silent", "unstable", "not_fitted")


@dataclass(frozen=True, slots=True)
class TableSettings:
    """Settings of one table that the rule texts leave to the house."""

    table: str = "CC-01"
    method: Method = Method.AUTOMATED_SHOE
    cross_order: tuple[Place, ...] = (
        Place.DOWN_FAR, Place.ACROSS_LEFT, Place.MIDDLE, Place.ACROSS_RIGHT, Place.DOWN_NEAR,
    )  # fmt: skip
    stack_first_out: Literal["top", "bottom"] = "top"
    shuffler: bool = True
    """Whether the table has an automated shuffler."""
    decks: int = 1
    """Number of decks; two play in turn."""
    deck_notice_minutes: int = 15
    """Minutes before a deck change is due at which it is announced."""
    counting_device: bool = False
    tells_face_up: bool = True
    """Whether the shoe reports cards that it finds face up; the plain dialect cannot."""
    payouts_beside: bool = False
    payouts_proven_from: int | None = None
    """Smallest payout in cents before which the chips of the wager prove themselves; None for no payout, and
    in older journals."""
    settle_ms: int | None = None
    """Time in ms for which a valid bet must be unchanged before the next seat is asked (debounce); None if
    the dealer confirms each bet."""
    fitted: frozenset[Circle] = frozenset()
    floorpersons: tuple[str, ...] | None = ()
    """Badges of the people who may decide; None for any badge, as in journals older than this setting."""
    sign_on: bool = False
    """Whether touches of a dealer are rejected until one has signed on; False in older journals."""
    shoe_serial: str | None = None
    """Serial number of the only shoe allowed on the line; "" for the shoe used last; None for any shoe, as in
    older journals."""
    reasons: bool = False
    """Whether a floorperson gives a reason for each decision that is not routine; False in older journals."""
    correction_limit: int | None = None
    """Largest correction of a closed round in cents, for one correction and for their sum; None for the
    amount that its wagers could move."""
    chip_values: tuple[int, ...] = (100_000, 50_000, 10_000, 2_500, 500, 100)
    zone: str = ""
    """IANA time zone of the house; "" for the machine's. The game does not use it; readers of the journal
    need it for local times."""


@dataclass(frozen=True, slots=True)
class Holding:
    """Chips in one circle by its last reading, or the amount that the dealer `entered` for a circle that
    cannot be read."""

    chips: tuple[Chip, ...] = ()
    reading: Reading = "none"
    entered: int | None = None
    proofs: Proofs = ""
    amount: int = field(init=False, default=0, compare=False)
    """Cents that count: the amount entered by the dealer, else the amount read. A chip without value counts
    as 0."""

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
    """Last reported state of the shoe, its identity, and the permissions that a floorperson has given for
    it."""

    up: bool = False
    lost_at: int | None = None
    state: str = "UNKNOWN"
    left: int | None = None
    out: int = 0
    back: str | None = None
    mode: str | None = None
    boot: str | None = None
    serial: str | None = None
    """Serial number of the table's shoe; None in older journals."""
    stranger: str | None = None
    """Serial number of a shoe on the line that is not the table's, until a floorperson has accepted it with a
    reason.
    """
    unproven: Literal["", "asked", "allowed", "refused"] = ""
    """State of the permission for a shoe that uses version 1 of the link instead of 2: "" if it is not
    needed, else asked, allowed or refused by a floorperson.
    """
    fault: str | None = None
    ready: bool = False
    """Whether a deck is ready: the shoe sent READY, or an equivalent STATE at the end of a resumption, and no
    card has left since.
    """


@dataclass(frozen=True)
class DeckState:
    """Deck in play, the other decks at the table, and the acts on them that are still due."""

    present: bool = False
    back: str | None = None
    last_back: str | None = None
    backs: tuple[str, ...] = ()
    """Backs seen since the table was opened; two backs mean two decks in turn."""
    brought: tuple[str, ...] = ()
    """Backs reported by people when they brought the decks, except decks replaced since."""
    opened: int = 0
    """Number of decks brought since the table was opened; must reach the number of decks in play."""
    since: int | None = None
    rounds_since_count: int = 0
    uncounted: dict[str, int] = field(default_factory=dict)
    """Rounds that each deck (`deck_age.deck_name`) has played since its own stub was counted."""
    uncovered: bool = False
    """Whether a shoe or shuffler that is no longer used must still be covered or signed out of order."""
    miscounted: tuple[str | None, ...] = ()
    """Backs of the decks that the device did not count to 52 cards."""
    shuffle_commanded: bool = False
    shuffle_refused: bool = False
    after: Literal["reshuffled", "removed"] = "reshuffled"
    """Use of the deck that was last in play: shuffled again, or removed from the table."""
    removed: str | None = None
    """Back of the deck that is or would be removed; None if it is unknown."""


@dataclass(frozen=True, slots=True)
class Alert:
    """Alert to the dealer. `should`: cents due in the circle, None if unknown. `money`: accounts of the
    circle when the alert was raised; until they change, the alert keeps its name in every phase."""

    id: int
    code: Code
    seat: int | None = None
    wager: Wager | None = None
    place: str | None = None
    should: int | None = None
    since: int = 0
    money: tuple[int, int, int] | None = None
    name: str = ""
    """More specific name than the code (`naming.py`), or ""."""

    @property
    def circle(self) -> Circle | None:
        """Return the circle to which the alert refers, or None."""
        return None if self.seat is None or self.wager is None else Circle(self.seat, self.wager)


Proposed = Outcome | Literal["forfeit"]


@dataclass(frozen=True, slots=True)
class Hold:
    """One stop of play that a floorperson has to decide. `phase`: phase in which play stopped. `proposed` is
    one of `outcomes`.
    """

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
    """Face that the dealer reports at `place`, for card_differs."""
    beyond: int | None = None
    """Number of cards too many (negative: too few), for wrong_count, if reported."""
    said: bool = False
    """Whether a person reported it rather than a device, so that a floorperson may find the report wrong."""
    id: int = 0
    """Number of the hold in this journal, assigned when it is raised; 0 in older journals."""

    @property
    def refusable(self) -> bool:
        return self.said or Outcome.GO_ON in self.outcomes

    def same_as(self, other: Hold) -> bool:
        """Return whether both holds are about the same trouble: code, seat, wager, place and cards are
        equal."""
        mine, others = ((h.code, h.seat, h.wager, h.place, h.swap, h.face) for h in (self, other))
        return mine == others


@dataclass(frozen=True, slots=True)
class Signature:
    """Item that a floorperson signs while play goes on: an amount entered by hand (`amount`, in cents), or
    money that a player did not return. `what`: its kind."""

    what: str
    seat: int | None = None
    wager: Wager | None = None
    amount: int | None = None


@dataclass(frozen=True, slots=True)
class OnTheWay:
    """Answer "on my way" of a floorperson. `about`: the call or hold (`phases/on_the_way.py`); `utc`: time
    of the answer; `who`: the floorperson's name, or "" if the pit `pit` sent it, which identifies no
    person."""

    about: str
    utc: str
    who: str = ""
    pit: str = ""


@dataclass(frozen=True, slots=True)
class Undo:
    """Act that UNDO would take back, and the previous state of the round."""

    key: str
    phase: Phase
    round: Round | None
    seat: int | None = None
    wager: Wager | None = None


@dataclass(frozen=True, slots=True)
class Seen:
    """Earlier content of a circle, with the state of the table at that time; used to recognize exchanges and
    chips that only passed over the reader. `until`: ms of the reading that replaced it. `chips`: UIDs in
    order. `values`, `cents`: cents of each chip and of all. `row`: accounts of the circle. `posted`, `noted`:
    number of entries in the ledger and in the round's list. `calm`: whether the circle had no alert or
    suspicion. `phase`: phase of play. `collect`: whether the dealer had to take the chips. `turned`: number
    of turns so far."""

    until: int
    chips: tuple[str, ...]
    values: tuple[int, ...]
    cents: int
    row: LedgerRow
    posted: int
    noted: int
    calm: bool
    phase: Phase
    collect: bool = False
    turned: int = 0


@dataclass(frozen=True, slots=True)
class Tries:
    """Consecutive failed attempts at authentication, and the time (ms) until which further ones are
    rejected."""

    wrong: int = 0
    until: int = 0


@dataclass(frozen=True)
class TableState:
    """Complete state of the table."""

    phase: Phase = Phase.CLOSED
    next_round: int = 1
    round: Round | None = None
    method: Method = Method.AUTOMATED_SHOE
    holdings: dict[int, dict[Wager, Holding]] = field(default_factory=dict)
    suspects: dict[str, tuple[int, Code]] = field(default_factory=dict)
    """Suspicions that may become alerts, by "seat.wager": for each, the time in ms at which it began, and the
    code of the alert."""
    sweep_since: int | None = None
    """Time at which NO MORE BETS was pressed (ms): every circle is read again from then on."""
    swept: bool = False
    """Whether every circle has been read since `sweep_since`."""
    called: dict[int, dict[Wager, int]] = field(default_factory=dict)
    """Cents in the circles when NO MORE BETS was pressed, except circles that could not be read."""
    moved: tuple[Circle, ...] = ()
    """Circles whose amount has differed from `called` at any time since NO MORE BETS."""
    seen: dict[str, tuple[Seen, ...]] = field(default_factory=dict)
    """Former contents of circles by "seat.wager" (`watching/exchanges.py`), oldest first."""
    arrivals: dict[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)
    """UIDs in each circle by "seat.wager" in order of arrival, one group for each reading
    (`books/stacks.py`)."""
    movements: tuple[ChipMovement, ...] = ()
    """Movements of chips since the last round record, oldest first."""
    early: tuple[Irregularity, ...] = ()
    """Irregularities before the close of the bets; they move into the list of the round that begins."""
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
    """Holds raised while play was held, decided in order."""
    signatures: tuple[Signature, ...] = ()
    undo: tuple[Undo, ...] = ()
    """Acts that UNDO may take back, oldest first."""
    floor_called: bool = False
    wanted: dict[str, str] = field(default_factory=dict)
    """Open call and holds for which a floorperson is wanted, each with the UTC time at which it began
    (`phases/on_the_way.py`).
    """
    on_the_way: OnTheWay | None = None
    """Answer to an entry of `wanted`; removed with that entry."""
    tries: dict[str, Tries] = field(default_factory=dict)
    """Failed attempts by "name@channel"; the last person who authenticated has no entry."""
    digests: dict[str, str] = field(default_factory=dict)
    """Digests of the rules and settings (`Started`); empty in older journals."""
    rows_gone: int = 0
    """Number of lost rows of the journal on which no floorperson has decided."""
    procedures: int = 0
    """`Started.procedures` of the present run. A replay thus applies the readings of the rules by which the
    journal was played."""
    revisions: dict[str, int] = field(default_factory=dict)
    """Number of changes of each subject of decisions (`phases/subjects.py`) since the journal began."""
    asked: str = ""
    """Content of the present prompt (`showing/prompt_id.py`), whose changes `revisions` counts."""
    version: int = 0

    def holding(self, seat: int, wager: Wager) -> Holding:
        row = self.holdings.get(seat)
        return EMPTY if row is None else row.get(wager, EMPTY)

    @property
    def play_phase(self) -> Phase:
        """Present phase of play, or its phase when it was held."""
        return self.hold.phase if self.hold else self.phase

    @property
    def closing(self) -> bool:
        """Whether NO MORE BETS was pressed and the bets are not closed yet."""
        return self.sweep_since is not None

    def amount(self, seat: int, wager: Wager) -> int:
        return self.holding(seat, wager).amount

    def alerts_at(self, circle: Circle) -> list[Alert]:
        """Return the alerts that refer to a circle, in the order in which they were raised."""
        return [alert for alert in self.alerts if alert.circle == circle]

    def has_excess(self, alert: Alert) -> bool:
        """Return whether the circle of an alert holds more than the amount due."""
        if alert.circle is None or alert.should is None:
            return False
        return self.amount(*alert.circle) > alert.should


@dataclass(frozen=True, slots=True)
class Context:
    """Inputs of a handler besides the event: rules, table file and time."""

    pack: RulePack
    settings: TableSettings
    ms: int
    utc: str

    def may_decide(self, badge: str) -> bool:
        """Return whether the floorperson with this badge may decide at this table."""
        named = self.settings.floorpersons
        return bool(badge) and (named is None or badge in named)

    def offered(self) -> tuple[Wager, ...]:
        """Return the circles of each seat at this table, in the field's order."""
        return (
            Wager.ANTE_ACROSS, Wager.ANTE_DOWN, Wager.ACROSS, Wager.DOWN, Wager.MIDDLE, *self.pack.bonuses,
        )  # fmt: skip
