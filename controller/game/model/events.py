"""Events: what happened, in the past tense. The journal contains only events.

They are frozen plain data (strings, integers, tuples), so that the journal returns equal events. An event
never contains data that can be derived. Its `repr` is written to logs and therefore masks faces.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from controller.game.model.cards import Card
from controller.game.model.irregularities import Code, Reportable
from controller.game.model.names import Key, Method, Wager


@dataclass(frozen=True, slots=True)
class Stamp:
    """Time at which an event was written: `ms` of the table's own monotonic clock (logic), `utc` ISO 8601
    with milliseconds (records only)."""

    ms: int
    utc: str


# ------------------------------------------------------------------ the shoe (drivers/shoe/LINK.md)


@dataclass(frozen=True, slots=True)
class ShoeLinkOpened:
    """WELCOME message of the shoe. `version`: version of the shoe link; 2 if the shoe has authenticated
    itself."""

    model: str
    serial: str
    firmware: str
    boot: str
    version: str = "1"


@dataclass(frozen=True, slots=True)
class ShoeLinkLost:
    """End of the shoe link: the shoe is silent or unplugged."""


@dataclass(frozen=True, slots=True)
class ShoeStated:
    """STATE message of the shoe. `resumed`: it closes a resumption. `left` is None if the device does not
    count."""

    state: str
    left: int | None
    out: int
    back: str | None
    mode: str
    resumed: bool = False


@dataclass(frozen=True, slots=True)
class ShuffleFinished:
    """SHUFFLED message of the shoe. `count` is None if the device does not count."""

    count: int | None
    back: str | None


@dataclass(frozen=True, slots=True)
class DeckReady:
    """READY message of the shoe: the deck is in place and cards can be dealt."""

    left: int | None
    back: str | None


@dataclass(frozen=True, slots=True)
class CardLeftShoe:
    """CARD message of the shoe. `face` is None if the card was not read (`found` not_read), was found face
    up, or is not a card of a deck."""

    number: int
    face: Card | None = field(repr=False)
    found: Literal["face_down", "face_up", "not_read", "impossible"] = "face_down"


@dataclass(frozen=True, slots=True)
class StackCompleted:
    """STACK message of the shoe: a stack is complete. `count` leaves out cards found face up."""

    count: int


@dataclass(frozen=True, slots=True)
class StackTaken:
    """TAKEN message of the shoe: the stack has been lifted out of the exit."""


@dataclass(frozen=True, slots=True)
class StubTaken:
    """STUB message of the shoe: the stub has been taken out. `count` is None if the shoe does not count."""

    count: int | None


@dataclass(frozen=True, slots=True)
class ShoeFaulted:
    """FAULT message of the shoe: JAM, DOUBLE, EMPTY, DOOR, SHUFFLE or SENSOR."""

    fault: str


@dataclass(frozen=True, slots=True)
class ShoeFaultCleared:
    """CLEARED message of the shoe: the fault is over."""

    fault: str


@dataclass(frozen=True, slots=True)
class CommandDone:
    """DONE message of the shoe: the command has been carried out."""

    command: str


@dataclass(frozen=True, slots=True)
class CommandRefused:
    """REFUSED message of the shoe, with its reason as text."""

    command: str
    reason: str


# ------------------------------------------------------------------ the circles


@dataclass(frozen=True, slots=True)
class Chip:
    """One chip by the chip register. `cents`: None if the chip does not count; `note`: the reason (unknown,
    withdrawn or foreign). A chip that failed to prove itself is unproven; it counts until the floorperson has
    it removed."""

    uid: str
    cents: int | None
    note: Literal["", "unknown", "withdrawn", "foreign", "unproven"] = ""


Proofs: TypeAlias = Literal["", "pending", "decided"]
"""State of the proofs that a payout requires of the chips in a circle: "" if it requires none; decided if
each chip has proven itself or is unproven."""


@dataclass(frozen=True, slots=True)
class CircleRead:
    """Stable, complete reading that differs from the last one reported. `proofs`: always "" in older
    journals."""

    seat: int
    wager: Wager
    chips: tuple[Chip, ...]
    proofs: Proofs = ""


@dataclass(frozen=True, slots=True)
class CircleUnreadable:
    """Circle that cannot be read now. Its previous amount is no longer valid as a reading."""

    seat: int
    wager: Wager
    why: Literal["silent", "unstable", "not_fitted"]


@dataclass(frozen=True, slots=True)
class SweepCompleted:
    """End of a sweep: each circle has a stable, complete reading begun after `since` (ms), or is
    unreadable."""

    since: int


# ------------------------------------------------------------------ people
# `prompt`: id of the prompt that the event answers, so that it cannot act on a later one. `about`: subject on
# the screen with its revision, as the view names it (`phases/subjects.py`): a hold, an amount, a step or a
# round. Both are None in older journals, and `prompt` for the physical keys, which answer no screen.


@dataclass(frozen=True, slots=True)
class KeyPressed:
    """Press of one of the dealer's keys, or touch of the same key on the screen."""

    key: Key
    prompt: str | None = None
    screen: bool = field(default=False, compare=False)
    """Whether the key was touched on the screen, which a program could do; only a hand can press the physical
    key."""
    about: str | None = None
    """For UNDO, the key whose effect the screen offered to undo."""


@dataclass(frozen=True, slots=True)
class AmountEntered:
    """Amount that the dealer enters for a circle that cannot be read, in cents."""

    seat: int
    wager: Wager
    cents: int
    prompt: str | None = None
    about: str | None = None


@dataclass(frozen=True, slots=True)
class FaceEntered:
    """Turned face that the dealer enters. `place`: a Place, `seat_3_1`, `seat_3_2` or `set_aside`."""

    place: str
    face: Card = field(repr=False)
    prompt: str | None = None
    about: str | None = None


@dataclass(frozen=True, slots=True)
class Reported:
    """Dealer's report of an event that no device can see. The catalogue entry of `what` names the required
    fields; for a wrong count, `seat` None means the cross. `once`: whether the count was typed once; a wrong
    count is asked for again before play is held."""

    what: Reportable
    seat: int | None = None
    place: str | None = None
    number: int | None = None
    face: Card | None = field(default=None, repr=False)
    prompt: str | None = None
    once: bool = False
    about: str | None = None
    wager: Wager | None = None


@dataclass(frozen=True, slots=True)
class CardsSwapped:
    """Report CARD DIFFERS for two places (Place or seat_3_1) that hold each other's cards."""

    first: str
    second: str
    about: str | None = None


@dataclass(frozen=True, slots=True)
class DealerSignedOn:
    """Sign-on of a dealer, identified by `number`."""

    number: str
    prompt: str | None = None
    about: str | None = None


@dataclass(frozen=True, slots=True)
class DealerRelieved:
    """Departure of the dealer. `by`: the person who reported it; empty if no proof is required, and in
    older journals."""

    by: str = ""
    about: str | None = None


@dataclass(frozen=True, slots=True)
class FloorDecided:
    """Decision of a floorperson. `decision`: approve (the proposed outcome), refuse, outcome (named by
    `outcome`; if play is not held, it ends the round), forfeit (the hand of `seat`, for `code`; `outcome`
    ``forfeit_all`` takes settled wagers too), restore (the hand of `seat`, which had folded), recut,
    shuffle, player (`seats` belong to one patron), method (deal by `method` from now on), sign (entered
    amounts, differences or a checklist step; only those of `seat` or the circle if given), close, answer
    (the call of FLOOR). `holder`: ``player`` or ``house``, the holder of signed chips that no reader saw
    leave."""

    badge: str
    decision: str
    outcome: str | None = None
    seat: int | None = None
    seats: tuple[int, ...] = ()
    method: Method | None = None
    reason: str = ""
    wager: Wager | None = None
    code: Code = Code.PLAYER_LEFT
    holder: Literal["", "player", "house"] = ""
    prompt: str | None = None
    about: str | None = None


@dataclass(frozen=True, slots=True)
class FloorOnTheWay:
    """Answer "on my way" of a floorperson to a call or a hold; play does not change. `about`: the call or
    hold, as the view names it. `badge`: the floorperson at the table. `pit`: the pit that sent the answer,
    which identifies no person."""

    about: str
    badge: str = ""
    pit: str = ""


@dataclass(frozen=True, slots=True)
class RoundCorrected:
    """Signed correction of a mispay that was found after its round closed. `cents`: paid to the player
    since; negative if taken back."""

    badge: str
    round: int
    seat: int
    wager: Wager
    cents: int
    reason: str
    about: str | None = None


@dataclass(frozen=True, slots=True)
class DeckBrought:
    """New deck on the table, or (`same`) the deck just played, put in again."""

    back: str | None
    preshuffled: bool = False
    same: bool = False
    prompt: str | None = None
    about: str | None = None


@dataclass(frozen=True, slots=True)
class PersonTried:
    """Result of a person's attempt with badge or number and PIN. `who`: the person's displayed name, or
    ``unknown``; never the text typed. `proven`: PIN and role are right. `unheard`: attempts since the last
    row that got no row. `early`: made during the waiting time (lockout), so the PIN was not compared.
    `padding` makes all rows of attempts equally long.
    """

    who: str
    channel: str
    proven: bool
    unheard: int = 0
    early: bool = False
    padding: str = ""


# ------------------------------------------------------------------ the controller itself


@dataclass(frozen=True, slots=True)
class Started:
    """Start of the daemon: all links are down and no circle has been read. `digests`: digests of the table's
    inputs, "sha256:…" by name, and ``whole`` over all of them. `folds_wait`: an unconfirmed fold waits for
    the dealer; in older journals a timeout confirmed it. `rows_gone`: number of journal rows lost before this
    one. `procedures`: revision of the program that played (`procedures.py`); 0 in older journals.
    """

    fitted: tuple[tuple[int, Wager], ...]
    digests: dict[str, str] = field(default_factory=dict)
    folds_wait: bool = False
    rows_gone: int = 0
    procedures: int = 0


@dataclass(frozen=True, slots=True)
class SettingsChanged:
    """Change of the table's settings. `changed`: names of the digests that changed; `signed`: a floorperson
    has to confirm the change."""

    digests: dict[str, str]
    changed: tuple[str, ...]
    signed: bool


@dataclass(frozen=True, slots=True)
class TimePassed:
    """A deadline of the table (`Table.next_deadline`) that has passed."""


@dataclass(frozen=True, slots=True)
class TroubleReported:
    """Trouble of the controller itself. `cleared`: the trouble is over."""

    code: Code
    words: str
    cleared: bool = False


ShoeEvent = (
    ShoeLinkOpened | ShoeLinkLost | ShoeStated | ShuffleFinished | DeckReady | CardLeftShoe | StackCompleted
    | StackTaken | StubTaken | ShoeFaulted | ShoeFaultCleared | CommandDone | CommandRefused
)  # fmt: skip
CircleEvent = CircleRead | CircleUnreadable | SweepCompleted
PeopleEvent = (
    KeyPressed | AmountEntered | FaceEntered | Reported | CardsSwapped | DealerSignedOn | DealerRelieved
    | FloorDecided | FloorOnTheWay | RoundCorrected | DeckBrought
)  # fmt: skip
"""Acts of people. `PersonTried` is not one of them: it is the daemon's own judgement."""
Event = (
    ShoeEvent | CircleEvent | PeopleEvent | PersonTried | Started | SettingsChanged | TimePassed
    | TroubleReported
)  # fmt: skip
