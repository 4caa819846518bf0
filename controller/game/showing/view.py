"""The public view as a declared type: what every page, log and tool is given of the table.

JSON as it leaves the process; `controller/display/view_schema.py` prints it as a JSON schema and as
TypeScript. Amounts in cents. Names of phases, wagers, codes and places are those of `model/names.py` and
of the catalogue.
"""

from __future__ import annotations

from typing import Literal, TypedDict

Grade = Literal["notice", "alert"]


class Card(TypedDict):
    """One place. `unknown`: it lies face up, and nobody has read it yet."""

    lies: Literal["none", "down", "up", "unknown"]
    face: str | None


class Hand(TypedDict):
    """A hand that may be named: its category (`pair`, `full_house`) and its ranks, 2 to 14, the most telling
    first."""

    category: str
    ranks: list[int]


class Circle(TypedDict):
    """`amount`: what lies there now, never an old amount. `wager`: what counts in this round. `due`: what the
    dealer is to do here. `should`: what ought to lie there, while an alert stands."""

    amount: int | None
    chips: list[int | None] | None
    reading: Literal["none", "ok", "silent", "unstable", "not_fitted", "entered"]
    wager: int | None
    lamp: str
    due: Literal["take", "push", "pay"] | None
    should: int | None
    by_hand: bool
    wrong: bool


class Seat(TypedDict):
    """One box. `reportable`: something may be reported of it."""

    seat: int
    reportable: bool
    player: str
    in_round: bool
    folded_at: str | None
    forfeited: bool
    asked: bool
    settled: bool
    cards: list[Card]
    hands: dict[str, Hand | None]
    """`across`, `down` and each side bet, as far as all their cards are turned."""
    circles: dict[str, Circle]


class Asked(TypedDict):
    """What a prompt asks for. `quick`: amounts that are likely; `entry`: the form that it opens."""

    kind: str
    seat: int | None
    wager: str | None
    amount: int | None
    places: list[str] | None
    hand: Hand | None
    odds: int | None
    options: list[int] | None
    chips: list[int] | None
    code: str | None
    step: str | None
    citation: str | None
    cards: list[str] | None
    racked: int | None
    entry: Literal["amount", "face", "stub", "deck", "sign_on"] | None
    quick: list[int] | None


class Prompt(Asked):
    """`id` is the same as long as the same is asked for."""

    id: str


class Alert(TypedDict):
    """`minutes`: how long before it is due a change of the deck is announced."""

    id: int
    code: str
    grade: Grade
    seat: int | None
    wager: str | None
    place: str | None
    lies: int | None
    should: int | None
    citation: str
    signable: bool
    unexplained: bool
    minutes: int | None


class Decision(TypedDict):
    """One key of the floor page."""

    decision: Literal["approve", "refuse", "outcome"]
    outcome: str | None


class HeldNext(TypedDict):
    """What is decided after this."""

    code: str
    seat: int | None
    place: str | None


class Hold(TypedDict):
    """What play is stopped for, and what a floorperson may decide."""

    code: str
    grade: Literal["hold"]
    seat: int | None
    wager: str | None
    place: str | None
    phase: str
    citation: str
    proposed: str | None
    outcomes: list[str]
    refusable: bool
    decisions: list[Decision]
    then: list[HeldNext]


class Due(TypedDict):
    """The wager that is settled now."""

    seat: int
    wager: str
    result: Literal["lose", "push", "win"]
    amount: int


class Signature(TypedDict):
    """What waits for a floorperson's signature."""

    what: str
    seat: int | None
    wager: str | None
    amount: int | None
    unexplained: bool


class Waiting(Signature):
    """The same, or a difference in the words of its alert (`alert` is its id)."""

    alert: int | None


class Undoable(TypedDict):
    """The key that UNDO would take back."""

    kind: str
    seat: int | None
    wager: str | None


class Shoe(TypedDict):
    """What the shoe last said."""

    link: Literal["up", "down"]
    state: str
    mode: str | None
    left: int | None
    back: str | None
    fault: str | None
    ready: bool


class Deck(TypedDict):
    """The deck in play; `backs`: those that may be brought."""

    back: str | None
    rounds_since_count: int
    change_due: bool
    backs: list[str]


class Limits(TypedDict):
    """What a wager may be."""

    minimum_ante: int
    maximum_ante: int
    bonus_minimum: int
    bonus_maximum: int
    multiples: list[int]
    whole: bool


class Front(TypedDict):
    """What is largest on the screen: the hold, an alert (its id), or the prompt. `then`: what stands under
    it."""

    look: str
    icon: str
    rhythm: Literal["quick", "even", "steady"]
    alert: int | None
    citation: str | None
    then: Literal["proposed", "next", "prompt"] | None


class Beside(TypedDict):
    """The gravest alert that is not in front, and how many more there are."""

    grade: Grade | None
    alert: int | None
    more: int
    unfit: list[int]


class Standing(TypedDict):
    """What stands whatever is played."""

    table: str
    rules: str
    rules_title: str
    method: str
    round: int
    phase: str
    dealer: str | None
    version: int
    shoe: Shoe
    deck: Deck
    limits: Limits
    forfeits: list[str]
    denominations: list[int]
    """The house's chips, the smallest first."""
    corrections: list[int]
    floor_called: bool


class Play(TypedDict):
    """What is to be done, what lies on the felt, what is wrong."""

    prompt: Prompt | None
    next: Prompt | None
    reports: list[str]
    cross: dict[str, Card]
    bonus_cards: list[Card] | None
    set_aside: int
    seats: list[Seat]
    alerts: list[Alert]
    due: Due | None
    signatures: list[Signature]


class Seen(Standing, Play):
    """The table as it can be seen."""

    keys: dict[str, bool]
    hold: Hold | None
    last: Undoable | None


class Answers(TypedDict):
    """What the page draws of it without asking anything of its own (`front.py`)."""

    front: Front
    beside: Beside
    shines: list[str]
    enter: str | None
    standing: Literal["floor_called", "waiting", "change_due"] | None
    waiting: list[Waiting]


class View(Seen, Answers):
    """One whole view. `version` grows with every change."""
