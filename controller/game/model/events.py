"""Events: what happened, in the past tense. The journal holds these and nothing else.

Frozen, plain data (strings, whole numbers, tuples), so that they go to disk and come back the same.
An event never carries what can be derived. `repr` masks faces: it ends up in logs.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

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
    """WELCOME; `version`: of the link, 2 where the shoe has proven itself."""

    model: str
    serial: str
    firmware: str
    boot: str
    version: str = "1"


@dataclass(frozen=True, slots=True)
class ShoeLinkLost:
    """No sign of life, or unplugged."""


@dataclass(frozen=True, slots=True)
class ShoeStated:
    """STATE; `resumed` where it closes a resumption. `left` None where the device does not know."""

    state: str
    left: int | None
    out: int
    back: str | None
    mode: str
    resumed: bool = False


@dataclass(frozen=True, slots=True)
class ShuffleFinished:
    """SHUFFLED; `count` None from a device that does not count."""

    count: int | None
    back: str | None


@dataclass(frozen=True, slots=True)
class DeckReady:
    """READY."""

    left: int | None
    back: str | None


@dataclass(frozen=True, slots=True)
class CardLeftShoe:
    """CARD; `face` None where it was not read (`found` not_read), found face up, or no card of a deck."""

    number: int
    face: Card | None = field(repr=False)
    found: Literal["face_down", "face_up", "not_read", "impossible"] = "face_down"


@dataclass(frozen=True, slots=True)
class StackCompleted:
    """STACK; face-up cards not among `count`."""

    count: int


@dataclass(frozen=True, slots=True)
class StackTaken:
    """TAKEN."""


@dataclass(frozen=True, slots=True)
class StubTaken:
    """STUB; `count` None where the shoe does not count."""

    count: int | None


@dataclass(frozen=True, slots=True)
class ShoeFaulted:
    """FAULT: JAM DOUBLE EMPTY DOOR SHUFFLE SENSOR."""

    fault: str


@dataclass(frozen=True, slots=True)
class ShoeFaultCleared:
    """CLEARED."""

    fault: str


@dataclass(frozen=True, slots=True)
class CommandDone:
    """DONE."""

    command: str


@dataclass(frozen=True, slots=True)
class CommandRefused:
    """REFUSED."""

    command: str
    reason: str


# ------------------------------------------------------------------ the circles


@dataclass(frozen=True, slots=True)
class Chip:
    """One chip as the register knows it: `cents` None where it is not counted, `note` says why:
    unknown, withdrawn or foreign."""

    uid: str
    cents: int | None
    note: Literal["", "unknown", "withdrawn", "foreign"] = ""


@dataclass(frozen=True, slots=True)
class CircleRead:
    """A stable complete reading that differs from what was told last."""

    seat: int
    wager: Wager
    chips: tuple[Chip, ...]


@dataclass(frozen=True, slots=True)
class CircleUnreadable:
    """The circle cannot be read now. The previous amount is no longer valid as a reading."""

    seat: int
    wager: Wager
    why: Literal["silent", "unstable", "not_fitted"]


@dataclass(frozen=True, slots=True)
class SweepCompleted:
    """Every circle has been read, stable and complete, from readings begun after `since` (ms), or
    is unreadable."""

    since: int


# ------------------------------------------------------------------ people
# `prompt`: the prompt that it answers, by its id, so that nothing acts on another that has come meanwhile.
# None: it answers none, as a key on the table, which knows no screen, and all of an older journal.
# `about`: the subject that was read, with its revision, as the view names it (`phases/subjects.py`): the
# hold, the amount, the step or the round that stood on the screen. None: all of an older journal.


@dataclass(frozen=True, slots=True)
class KeyPressed:
    """A dealer's key or its twin on the screen."""

    key: Key
    prompt: str | None = None
    screen: bool = field(default=False, compare=False)
    """It was the twin on the screen; nobody but a hand presses the other."""
    about: str | None = None
    """The key that UNDO takes back."""


@dataclass(frozen=True, slots=True)
class AmountEntered:
    """The dealer gives the amount in a circle that cannot be read, in cents."""

    seat: int
    wager: Wager
    cents: int
    prompt: str | None = None
    about: str | None = None


@dataclass(frozen=True, slots=True)
class FaceEntered:
    """The dealer enters a turned face. `place`: a Place, `seat_3_1`, `seat_3_2` or `set_aside`."""

    place: str
    face: Card = field(repr=False)
    prompt: str | None = None
    about: str | None = None


@dataclass(frozen=True, slots=True)
class Reported:
    """The dealer reports what no device can see. The entry of `what` in the catalogue says which of the
    fields are asked for; `seat` None with a wrong count: the cross. `once`: a count that was typed once; one
    that is wrong is asked for again before anything is held."""

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
    """CARD DIFFERS: two places (Place or seat_3_1) hold each other's cards."""

    first: str
    second: str
    about: str | None = None


@dataclass(frozen=True, slots=True)
class DealerSignedOn:
    """A dealer takes the table; `number` identifies them."""

    number: str
    prompt: str | None = None
    about: str | None = None


@dataclass(frozen=True, slots=True)
class DealerRelieved:
    """The dealer goes. `by`: who said so; empty where nobody has to prove it, and in a journal of before."""

    by: str = ""
    about: str | None = None


@dataclass(frozen=True, slots=True)
class FloorDecided:
    """A floorperson decides. `decision`: approve (the proposed outcome), refuse, outcome (`outcome`
    names it; with nothing held it ends the round), forfeit (`seat`, for `code`;
    `outcome` ``forfeit_all`` takes settled wagers too), restore (`seat`, which had folded), recut, shuffle,
    player
    (`seats` are one patron's), method (`method`), sign (amounts entered, differences or a checklist step; of
    one `seat` or circle where named), close, answer (the call of FLOOR). `holder`: who has what is signed and
    nobody saw go, ``player`` or ``house``."""

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
    """A floorperson answers a call or a hold with "on my way"; nothing that is played changes. `about`: the
    call or hold, as the view names it. `badge`: the floorperson at the table; or `pit`: the pit that sent the
    answer, which identifies no person."""

    about: str
    badge: str = ""
    pit: str = ""


@dataclass(frozen=True, slots=True)
class RoundCorrected:
    """A mispay of a closed round, found later, is signed. `cents`: paid to the player since; negative if it
    was taken back."""

    badge: str
    round: int
    seat: int
    wager: Wager
    cents: int
    reason: str
    about: str | None = None


@dataclass(frozen=True, slots=True)
class DeckBrought:
    """A new deck comes to the table, or (`same`) the one just played is put in again."""

    back: str | None
    preshuffled: bool = False
    same: bool = False
    prompt: str | None = None
    about: str | None = None


@dataclass(frozen=True, slots=True)
class PersonTried:
    """A person typed a badge or number and a PIN, and the daemon judged them. `who`: the person's name as it
    is shown, or ``unknown``; never what they typed. `proven`: the PIN and the role fit. `unheard`: tries
    since the row before that have no row of their own. `early`: the try came during the wait, so the PIN was
    not compared and the wait is as it was. `padding` makes all rows of tries equally long."""

    who: str
    channel: str
    proven: bool
    unheard: int = 0
    early: bool = False
    padding: str = ""


# ------------------------------------------------------------------ the controller itself


PROCEDURES = 2
"""Revision of the table's own readings of the rules; a replay keeps to that of the journal. Since 1: chips
that leave right after a collection are unexplained, and a void asks who has each open difference; no wager
grows after NO MORE BETS; a shuffle reported unfinished before the close is done again; a jam after the last
card is noted. Since 2: a call and a hold have the time at which they began, by which "on my way" names
them; a floorperson may take wagers that were paid before a violation was found (Maryland 11.A(5)); chips
changed for others of the same total leave the books as they were, and so do chips that a reader saw for less
than 0.4 s."""


@dataclass(frozen=True, slots=True)
class Started:
    """The daemon began (again): no link is up and no circle has been read since. `digests`: of what it plays
    by, each "sha256:…" by its name, and ``whole`` of all. `folds_wait`: a fold that was resting waits for the
    dealer's word; in a journal of before it stood by the time that had passed. `rows_gone`: so many rows were
    written after the last one before this, and are lost. `procedures`: `PROCEDURES` of the program that
    played; 0 in a journal written before there were revisions."""

    fitted: tuple[tuple[int, Wager], ...]
    digests: dict[str, str] = field(default_factory=dict)
    folds_wait: bool = False
    rows_gone: int = 0
    procedures: int = 0


@dataclass(frozen=True, slots=True)
class SettingsChanged:
    """The table plays by other settings from here on. `changed`: the names of those digests; `signed`: a
    floorperson has to confirm it."""

    digests: dict[str, str]
    changed: tuple[str, ...]
    signed: bool


@dataclass(frozen=True, slots=True)
class TimePassed:
    """A deadline of the table came."""


@dataclass(frozen=True, slots=True)
class TroubleReported:
    """The controller's own trouble; `cleared` when it is over."""

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
"""Acts of people. `PersonTried` is the daemon's own judgement and never one of them."""
Event = (
    ShoeEvent | CircleEvent | PeopleEvent | PersonTried | Started | SettingsChanged | TimePassed
    | TroubleReported
)  # fmt: skip
