"""The public view as a declared type: what every page, log and tool is given of the table.

JSON as it leaves the process; `controller/pages/display/view_schema.py` prints it as a JSON schema and as
TypeScript. Amounts in cents. Names of phases, wagers, codes and places are those of `model/names.py` and
of the catalogue.
"""

from __future__ import annotations

from typing import Literal, TypedDict

from controller.game.model.plan import Result
from controller.game.showing.order_view import First
from controller.game.showing.rules_view import Limits, Pays
from controller.game.showing.signatures_view import Signature, SignatureKey, Waiting

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
    dealer is to do here. `should`: what ought to lie there, while an alert stands. `result`: what became of
    the wager, once it is settled; `paid`: its payout in cents then, negative if it was taken. `about`: the
    subject of an amount that is entered by hand."""

    amount: int | None
    chips: list[int | None] | None
    reading: Literal["none", "ok", "silent", "unstable", "not_fitted", "entered"]
    wager: int | None
    lamp: str
    due: Literal["take", "push", "pay"] | None
    should: int | None
    result: Result | None
    paid: int | None
    by_hand: bool
    wrong: bool
    about: str | None


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
    """Request of a prompt. `quick`: amounts that are likely; `entry`: the form that it opens."""

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
    too: list[str] | None
    entry: Literal["amount", "face", "stub", "deck", "sign_on"] | None
    quick: list[int] | None


class Prompt(Asked):
    """`id` is the same as long as the same is asked for."""

    id: str


class Place(TypedDict):
    """A circle, by its seat and its wager."""

    seat: int
    wager: str


class Alert(TypedDict):
    """`name`: key of its words, the code or finer. `push_hand`: the wager is a push, by this hand. `home`:
    the circle that chips in a wrong one were taken from. `due_at`: the circle that is due the amount of chips
    whose circle nobody saw. `first`: the step that comes before the one that was done. `minutes`: how long
    before it is due a change of the deck is announced. `missing`: cents of an open difference whose holder is
    asked for, 0 if none are missing. `about`: the subject of its signature; `signs`: its keys."""

    id: int
    code: str
    name: str
    grade: Grade
    seat: int | None
    wager: str | None
    place: str | None
    lies: int | None
    should: int | None
    citation: str
    signable: bool
    missing: int
    push_hand: Hand | None
    home: Place | None
    due_at: Place | None
    first: First | None
    minutes: int | None
    about: str | None
    signs: list[SignatureKey]


class Decision(TypedDict):
    """One key of the floor page."""

    decision: Literal["approve", "refuse", "outcome", "forfeit"]
    outcome: str | None
    section: str | None
    """Section of the text, without its name, where two sections give two outcomes."""


class HeldNext(TypedDict):
    """The decision that comes after this one."""

    code: str
    seat: int | None
    place: str | None


class Reading(TypedDict):
    """A card as the screen has it, and as a person says that it lies there."""

    place: str
    read: Card
    said: Card


class StubCount(TypedDict):
    """A stub that is wrong: what people counted, what it should have, what the shoe says."""

    counted: int | None
    expected: int
    shoe: int | None


class Hold(TypedDict):
    """Reason why play is stopped, and the decisions of a floorperson. `fault`: fault that the shoe reports;
    `number`: how many cards it had dealt; `serial`, `stranger`: of the table's shoe, of another one; `rows`:
    how many of the journal are lost; `about`: the subject that a decision names."""

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
    readings: list[Reading]
    stub: StubCount | None
    fault: str | None
    number: int | None
    serial: str | None
    stranger: str | None
    rows: int | None
    about: str


class Due(TypedDict):
    """The wager that is settled now."""

    seat: int
    wager: str
    result: Result
    amount: int


class Marked(TypedDict):
    """The cards of the hand that the prompt is about, by place. `five`: those in play for the wager;
    `making`: of these, what the hand is named after."""

    five: list[str]
    making: list[str]


class Undoable(TypedDict):
    """The key that UNDO would take back."""

    kind: str
    seat: int | None
    wager: str | None


class Shoe(TypedDict):
    """Last state of the shoe."""

    link: Literal["up", "down"]
    state: str
    mode: str | None
    left: int | None
    back: str | None
    fault: str | None
    ready: bool


class Deck(TypedDict):
    """The deck in play; `backs`: those that may be brought; `again`: the last one may come back. Of two:
    `number`, which has to come; `apart`, the back that it may not have; `next`, the back whose turn it is."""

    back: str | None
    decks: int
    number: int | None
    apart: str | None
    again: bool
    next: str | None
    rounds_since_count: int
    change_due: bool
    backs: list[str]


class Front(TypedDict):
    """Largest part of the screen: the hold, an alert (its id), or the prompt. `then`: the line under it."""

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


class Forfeited(TypedDict):
    """A seat and a violation for which settled wagers may be taken too."""

    seat: int
    code: str


class Floor(TypedDict):
    """Directions of a floorperson that are possible now, besides the decision on the hold and signatures.
    `stops`: how the round may be ended; `seats`: those that may forfeit; `both`: where the floorperson
    chooses whether settled wagers are taken; `folded`: whose fold may be taken back."""

    acts: list[str]
    stops: list[str]
    seats: list[int]
    both: list[Forfeited]
    folded: list[int]
    methods: list[str]


class OnTheWay(TypedDict):
    """A floorperson comes. `utc`: since when; `who`: their name, "" where `pit` sent it."""

    utc: str
    who: str
    pit: str


class Called(TypedDict):
    """A floorperson is wanted, or comes. `wanted`: the hold or call that "on my way" would answer now; None
    if there is none, or it has been answered."""

    floor_called: bool
    wanted: str | None
    on_the_way: OnTheWay | None


class Standing(Called):
    """Parts that stand whatever is played."""

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
    pays: Pays
    forfeits: list[str]
    stopping: list[str]
    """The reports that stop play."""
    denominations: list[int]
    """The house's chips, the smallest first."""
    corrections: list[int]
    floor: Floor
    about: dict[str, str]
    """Subject and revision by kind (`phases/subjects.py`): a touch copies the one that it is about."""


class Play(TypedDict):
    """The prompt, the chips and cards on the felt, and the alerts."""

    prompt: Prompt | None
    next: Prompt | None
    reports: list[str]
    cross: dict[str, Card]
    bonus_cards: list[Card] | None
    set_aside: int
    seats: list[Seat]
    alerts: list[Alert]
    due: Due | None
    marked: Marked | None
    signatures: list[Signature]


class Reason(TypedDict):
    """Reason why a key is dark: the code of the refusal, and what its words name. Amounts in cents."""

    code: str
    wager: str | None
    lies: int | None
    missing: int | None
    options: list[int] | None


class Seen(Standing, Play):
    """The table as it can be seen. `dark`: each key that would be refused now, with the reason."""

    keys: dict[str, bool]
    dark: dict[str, Reason]
    hold: Hold | None
    last: Undoable | None


class Answers(TypedDict):
    """Parts that the page draws without further questions (`front.py`)."""

    front: Front
    beside: Beside
    shines: list[str]
    standing: Literal["on_the_way", "floor_called", "waiting", "change_due"] | None
    waiting: list[Waiting]


class Room(TypedDict):
    """Brightness of screens and lamps, in percent, and whether the screens sound for a hold and a call."""

    screen: int
    lamps: int
    sound: bool


class View(Seen, Answers):
    """One whole view. `version` grows with every change."""


class Shown(View):
    """One whole view as a table's own pages are sent it. `room` is not of the game."""

    room: Room
