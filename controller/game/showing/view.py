"""Public view as a declared type: the data of the table for pages, logs and tools.

The view leaves the process as JSON of this type; `controller/pages/display/view_schema.py` prints it as a
JSON schema and as TypeScript. Amounts in cents. Names of phases, wagers, codes and places are those of
`model/names.py` and of the catalogue.
"""

from __future__ import annotations

from typing import Literal, TypedDict

from controller.game.model.plan import Result
from controller.game.showing.order_view import First
from controller.game.showing.rules_view import Rules
from controller.game.showing.signatures_view import Signature, SignatureKey, Waiting

Grade = Literal["notice", "alert"]


class Card(TypedDict):
    """Card at one place. `unknown`: it is face up and its face has not been read or entered yet."""

    lies: Literal["none", "down", "up", "unknown"]
    face: str | None


class Hand(TypedDict):
    """Public hand: its category (`pair`, `full_house`) and its ranks, 2 to 14, most significant first."""

    category: str
    ranks: list[int]


class Circle(TypedDict):
    """One circle. Amounts in cents. `amount`: chips there now, never an earlier amount. `wager`: amount that
    counts in this round. `due`: next act of the dealer. `should`: correct amount while an alert is open.
    `result`: result of a settled wager; `paid`: its payout, negative if the wager was taken. `signed`: a
    floorperson signed the chips as they are. `about`: subject of an amount that is entered by hand."""

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
    signed: bool
    about: str | None


class Seat(TypedDict):
    """One box. `reportable`: a report on it is possible."""

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
    """Hands `across`, `down` and of each side bet, once all their cards are turned."""
    circles: dict[str, Circle]


class Asked(TypedDict):
    """Request of a prompt. `quick`: likely amounts; `entry`: the form that it opens."""

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
    entry_key: Literal["confirm"] | None
    quick: list[int] | None


class Prompt(Asked):
    """Prompt with its `id`, which is equal while the request is the same."""

    id: str


class Place(TypedDict):
    """Circle by seat and wager."""

    seat: int
    wager: str


class Alert(TypedDict):
    """One alert. `name`: key of its text: the code, or a more specific name. `push_hand`: hand by which the
    wager is a push. `home`: circle from which chips in a wrong one were taken. `due_at`: circle that is due
    the amount of chips of unknown origin. `first`: step that comes before the one that was done. `minutes`:
    time before a change of the deck at which it is announced. `missing`: cents of an open difference for
    which the holder is asked, 0 if none. `about`: subject of its signature; `signs`: its keys.
    """

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
    """Section of the text, without the text's name, if two sections give two outcomes."""


class HeldNext(TypedDict):
    """Irregularity queued behind the one being decided."""

    code: str
    seat: int | None
    place: str | None


class Reading(TypedDict):
    """Card on the screen, and the card that a person reports at the same place."""

    place: str
    read: Card
    said: Card


class StubCount(TypedDict):
    """Wrong stub: the dealer's count, the expected count, the shoe's count."""

    counted: int | None
    expected: int
    shoe: int | None


class Hold(TypedDict):
    """Reason for the stop of play, and the decisions of a floorperson. `fault`: fault reported by the shoe;
    `number`: cards that it had dealt; `serial`, `stranger`: serial numbers of the table's shoe and of
    another one; `rows`: lost rows of the journal; `about`: subject that a decision names."""

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
    """Wager that is settled now."""

    seat: int
    wager: str
    result: Result
    amount: int


class Marked(TypedDict):
    """Cards of the hand named by the prompt, by place. `five`: those in play for the wager; `making`: those
    that the hand is named after."""

    five: list[str]
    making: list[str]


class Undoable(TypedDict):
    """Key that UNDO would take back."""

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
    """Deck in play. `backs`: decks that may be brought; `again`: the last one may come back. With two
    decks: `number` of the one to bring; `apart`, the back that it must not have; `next`, the back to be
    played next."""

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
    """Gravest alert that is not in front, and the number of further ones."""

    grade: Grade | None
    alert: int | None
    more: int
    unfit: list[int]


class Forfeited(TypedDict):
    """Seat and violation for which settled wagers may be taken too."""

    seat: int
    code: str


class Floor(TypedDict):
    """Directions of a floorperson that are possible now, besides the decision on the hold and signatures.
    `stops`: outcomes that end the round; `seats`: seats that may forfeit; `both`: forfeits for which the
    floorperson chooses whether settled wagers are taken; `folded`: seats with a fold that may be taken
    back."""

    acts: list[str]
    stops: list[str]
    seats: list[int]
    both: list[Forfeited]
    folded: list[int]
    methods: list[str]


class OnTheWay(TypedDict):
    """Floorperson on the way. `utc`: time of the answer; `who`: their name, "" if `pit` sent it."""

    utc: str
    who: str
    pit: str


class Called(TypedDict):
    """Call of a floorperson. `wanted`: the hold or call that "on my way" would answer now; None if there is
    none, or it has been answered."""

    floor_called: bool
    wanted: str | None
    on_the_way: OnTheWay | None


class Standing(Called, Rules):
    """Parts that do not depend on play."""

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
    floor: Floor
    about: dict[str, str]
    """Subject and revision by kind (`phases/subjects.py`); a touch copies its own."""


class Play(TypedDict):
    """Prompt, chips and cards on the felt, and alerts."""

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
    """Reason why a key is dark: the code of the refusal, and the values for its words. Amounts in cents."""

    code: str
    wager: str | None
    lies: int | None
    missing: int | None
    options: list[int] | None


class Seen(Standing, Play):
    """Visible state of the table. `dark`: the reason for each key that would be refused now."""

    keys: dict[str, bool]
    dark: dict[str, Reason]
    hold: Hold | None
    last: Undoable | None


class Answers(TypedDict):
    """Parts of the page that are drawn exactly as given here (`front.py`)."""

    front: Front
    beside: Beside
    shines: list[str]
    standing: Literal["on_the_way", "floor_called", "waiting", "change_due"] | None
    waiting: list[Waiting]


class Room(TypedDict):
    """Brightness of screens and lamps in percent, and whether the screens sound for a hold and a call."""

    screen: int
    lamps: int
    sound: bool


class View(Seen, Answers):
    """Complete public view. `version` grows with every change."""


class Shown(View):
    """Complete public view for a table's own pages. `room` is not part of the game."""

    room: Room
