"""Touches on the screen: the fields of each kind, the allowed values, and the resulting event.

A touch is one JSON object; `do` names its kind. Nothing about the game is decided here: the table verifies
whether a touch is allowed. Messages about mistakes repeat no value, because a refused body may contain a
face.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal, TypeAlias, get_args

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PlainValidator,
    TypeAdapter,
    ValidationError,
    model_validator,
)

from controller.common.files.strict_json import JsonError, parse_object
from controller.game.model import events
from controller.game.model.cards import Card, parse_card
from controller.game.model.irregularities import (
    FLOOR_CHOICES,
    FORFEIT,
    FORFEIT_ALL,
    OF_PLAYER,
    REPORTS,
    Code,
    Outcome,
    Reportable,
)
from controller.game.model.names import Key, Method, Place, Wager
from controller.pages.display.ports import MIN_LAMPS_PERCENT, MIN_SCREEN_PERCENT

MAXIMUM_CENTS = 100_000_000
HOLDERS = ("player", "house")
"""Possible holders of chips that left a circle while no reader saw it."""
FLOOR_DECISIONS = (
    "approve", "refuse", "outcome", "forfeit", "restore", "recut", "shuffle", "player", "method", "sign",
    "close", "answer",
)  # fmt: skip
OUTCOMES = (*FLOOR_CHOICES, Outcome.RESHUFFLE.value, FORFEIT, FORFEIT_ALL)
"""Outcomes that a touch of the floor page may name."""


class TouchError(ValueError):
    """Raised if a touch is not allowed. The message reads `key: what is allowed`."""


# ------------------------------------------------------------------ allowed values


def _one_of(names: tuple[str, ...]) -> PlainValidator:
    def check(value: object) -> str:
        if not isinstance(value, str) or value not in names:
            raise ValueError(f"one of {' '.join(names)}")
        return names[names.index(value)]

    return PlainValidator(check)


def _whole_number(least: int, most: int) -> PlainValidator:
    return PlainValidator(lambda value: _between(value, least, most))


def _between(value: object, least: int, most: int) -> int:
    if type(value) is not int or not least <= value <= most:
        raise ValueError(f"a whole number from {least} to {most}")
    return value


def _text(allowed: str, fits: Callable[[str], object]) -> PlainValidator:
    def check(value: object) -> str:
        if not isinstance(value, str) or not fits(value):
            raise ValueError(allowed)
        return value

    return PlainValidator(check)


def _place(*further: str) -> PlainValidator:
    named = (*(str(place) for place in Place), *further)
    allowed = f"one of {' '.join(named)} or seat_1_1 to seat_6_2"
    return _text(allowed, lambda text: text in named or re.fullmatch(r"seat_[1-6]_[12]", text))


def _face(value: object) -> Card:
    if not isinstance(value, str):
        raise ValueError("a card as two letters, for example TH")  # noqa: TRY004  # pydantic's kind of mistake
    return parse_card(value)


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError("true or false")  # noqa: TRY004
    return value


def _seats(value: object) -> tuple[int, ...]:
    if not isinstance(value, list | tuple) or len({str(seat) for seat in value}) != len(value):
        raise ValueError("a list of seats, each once")
    return tuple(_between(seat, 1, 6) for seat in value)


SeatField = Annotated[int, _whole_number(1, 6)]
CentsField = Annotated[int, _whole_number(0, MAXIMUM_CENTS)]
WagerField = Annotated[Wager, _one_of(tuple(Wager))]
FaceField = Annotated[Card, PlainValidator(_face)]
Badge = Annotated[
    str, _text("1 to 16 letters, digits or hyphens", re.compile(r"[A-Za-z0-9-]{1,16}").fullmatch)
]
PinField = Annotated[str, _text("4 to 12 digits", re.compile(r"[0-9]{4,12}").fullmatch)]
Back = Annotated[str, _text("a colour in small letters", re.compile(r"[a-z]{1,16}").fullmatch)]
MAX_REASON_CHARS = 200
"""Maximum number of characters of a reason; the floor page has the same limit (`static/sign.js`)."""
ReasonField = Annotated[
    str,
    _text(
        f"up to {MAX_REASON_CHARS} printable characters",
        lambda text: len(text) <= MAX_REASON_CHARS and text.isprintable(),
    ),
]
Flag = Annotated[bool, PlainValidator(_flag)]
Subject = Annotated[
    str, _text("the subject that stood on the screen", lambda text: len(text) <= 200 and text.isprintable())
]
PromptId = Annotated[str, _text("the id of a prompt", lambda text: len(text) <= 200 and text.isprintable())]

# ------------------------------------------------------------------ the touches


class _Touch(BaseModel):
    """Base of all touches. Unknown keys are a mistake. The mock builds its touches with these models as
    well.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True, defer_build=True)

    do: str

    def body(self) -> dict[str, Any]:
        """Return the request body that the screen sends."""
        return {"do": self.do, **self.model_dump(exclude_unset=True)}

    def missing(self) -> str:
        """Return the name of a key that this touch lacks although a screen must send it; "" if it has all."""
        return ""


class _SubjectTouch(_Touch):
    """Touch that concerns one subject, such as an alert. It names the subject that the person read, so that
    it never acts on another one that has taken its place (`game/phases/subjects.py`)."""

    about: Subject | None = None

    def missing(self) -> str:
        return "about" if self.about is None else ""


class _PromptTouch(_SubjectTouch):
    """Touch that answers a prompt. It names the prompt that the person read and acts on that one alone;
    without a prompt it names a subject."""

    prompt: PromptId | None = None

    def missing(self) -> str:
        return "" if self.prompt is not None else super().missing()


class Press(_PromptTouch):
    do: Literal["press"] = "press"
    key: Annotated[Key, _one_of(tuple(Key))]

    @model_validator(mode="after")
    def _answers(self) -> Press:
        if self.prompt is None and self.key is not Key.FLOOR:
            raise ValueError("prompt: must be given for press")
        return self

    def missing(self) -> str:
        return "about" if self.key is Key.UNDO and self.about is None else ""

    def event(self) -> events.KeyPressed:
        return events.KeyPressed(self.key, self.prompt, screen=True, about=self.about)


class Amount(_PromptTouch):
    do: Literal["amount"] = "amount"
    seat: SeatField
    wager: WagerField
    cents: CentsField

    def event(self) -> events.AmountEntered:
        return events.AmountEntered(self.seat, self.wager, self.cents, self.prompt, self.about)


class Enter(_PromptTouch):
    do: Literal["enter"] = "enter"
    place: Annotated[str, _place("set_aside")]
    face: FaceField = Field(repr=False)

    def event(self) -> events.FaceEntered:
        return events.FaceEntered(self.place, self.face, self.prompt, self.about)


class Report(_PromptTouch):
    do: Literal["report"] = "report"
    what: Annotated[Reportable, _one_of(tuple(REPORTS))]
    seat: SeatField | None = None
    place: Annotated[str, _place("cross")] | None = None
    number: Annotated[int, _whole_number(0, 60)] | None = None
    face: FaceField | None = Field(default=None, repr=False)
    once: Flag = False
    wager: WagerField | None = None

    def event(self) -> events.Reported:
        return events.Reported(
            self.what, self.seat, self.place, self.number, self.face, self.prompt, self.once, self.about,
            self.wager,
        )  # fmt: skip


class Swap(_SubjectTouch):
    do: Literal["swap"] = "swap"
    first: Annotated[str, _place()]
    second: Annotated[str, _place()]

    def event(self) -> events.CardsSwapped:
        return events.CardsSwapped(self.first, self.second, self.about)


class SignOn(_PromptTouch):
    do: Literal["sign_on"] = "sign_on"
    number: Badge
    pin: PinField | None = Field(default=None, repr=False)

    def event(self) -> events.DealerSignedOn:
        return events.DealerSignedOn(self.number, self.prompt, self.about)


class Relieve(_SubjectTouch):
    do: Literal["relieve"] = "relieve"
    number: Badge | None = None
    pin: PinField | None = Field(default=None, repr=False)

    def event(self) -> events.DealerRelieved:
        return events.DealerRelieved(self.number or "", self.about)


class FloorTouch(_PromptTouch):
    do: Literal["floor"] = "floor"
    badge: Badge
    decision: Annotated[str, _one_of(FLOOR_DECISIONS)]
    outcome: Annotated[str, _one_of(OUTCOMES)] | None = None
    """Outcome that the pressed key showed. With `approve` it is the proposed outcome, or null if none is
    proposed.
    """
    seat: SeatField | None = None
    seats: Annotated[tuple[int, ...], PlainValidator(_seats)] = ()
    method: Annotated[Method, _one_of(tuple(Method))] | None = None
    reason: ReasonField = ""
    wager: WagerField | None = None
    code: Annotated[Code, _one_of(OF_PLAYER)] = Code.PLAYER_LEFT
    holder: Annotated[Literal["", "player", "house"], _one_of(HOLDERS)] = ""

    pin: PinField | None = Field(default=None, repr=False)

    def missing(self) -> str:
        unread = self.decision == "approve" and "outcome" not in self.model_fields_set
        return "about" if self.about is None else "outcome" if unread else ""

    def event(self) -> events.FloorDecided:
        return events.FloorDecided(
            self.badge, self.decision, self.outcome, self.seat, self.seats, self.method, self.reason,
            self.wager, self.code, self.holder, self.prompt, self.about,
        )  # fmt: skip


class OnTheWay(_SubjectTouch):
    """A floorperson's answer to the call or hold `about`."""

    do: Literal["on_the_way"] = "on_the_way"
    badge: Badge
    pin: PinField | None = Field(default=None, repr=False)

    def event(self) -> events.FloorOnTheWay:
        return events.FloorOnTheWay(self.about or "", self.badge)


class Correct(_SubjectTouch):
    do: Literal["correct"] = "correct"
    badge: Badge
    round: Annotated[int, _whole_number(1, 10**9)]
    seat: SeatField
    wager: WagerField
    cents: Annotated[int, _whole_number(-MAXIMUM_CENTS, MAXIMUM_CENTS)]
    reason: ReasonField
    pin: PinField | None = Field(default=None, repr=False)

    def event(self) -> events.RoundCorrected:
        return events.RoundCorrected(
            self.badge, self.round, self.seat, self.wager, self.cents, self.reason, self.about
        )


class Deck(_PromptTouch):
    do: Literal["deck"] = "deck"
    back: Back | None = None
    preshuffled: Flag = False
    same: Flag = False

    @model_validator(mode="after")
    def _named(self) -> Deck:
        if self.back is None and not self.same:
            raise ValueError("back: must be given unless same is true")
        return self

    def event(self) -> events.DeckBrought:
        return events.DeckBrought(self.back, self.preshuffled, self.same, self.prompt, self.about)


class Room(_Touch):
    """Brightness in percent, and sound, set by hand. It causes no event, because the game does not depend on
    it."""

    do: Literal["room"] = "room"
    screen: Annotated[int, _whole_number(MIN_SCREEN_PERCENT, 100)] | None = None
    lamps: Annotated[int, _whole_number(MIN_LAMPS_PERCENT, 100)] | None = None
    sound: Flag | None = None


Touch: TypeAlias = (
    Press | Amount | Enter | Report | Swap | SignOn | Relieve | FloorTouch | OnTheWay | Correct | Deck
)
_KINDS: Mapping[str, type[_Touch]] = {
    kind.model_fields["do"].default: kind for kind in (*get_args(Touch), Room)
}
_ANY: TypeAdapter[Touch | Room] = TypeAdapter(
    Annotated[Touch | Room, Field(discriminator="do")], config=ConfigDict(defer_build=True)
)

# ------------------------------------------------------------------ from JSON


def pin_of(touch: Touch) -> str | None:
    """Return the typed PIN. It must only be passed to the authenticator."""
    return touch.pin if isinstance(touch, FloorTouch | OnTheWay | Correct | SignOn | Relieve) else None


def parse(body: bytes) -> events.PeopleEvent:
    """Return the event of a body. Raises TouchError, whose message is one line with what is allowed."""
    touch = touch_of(body)
    if isinstance(touch, Room):
        raise TouchError("do: room is no event")
    return touch.event()


def touch_of(body: bytes) -> Touch | Room:
    """Return the touch in a body. Raises TouchError, whose message is one line with what is allowed."""
    try:
        touch = _ANY.validate_python(_decode(body))
    except ValidationError as error:
        mistakes = error.errors(include_input=False, include_url=False)
    else:
        if missing := touch.missing():
            raise TouchError(f"{missing}: must be given for {touch.do}")
        return touch
    raise TouchError(_line(mistakes[0]))


def _decode(body: bytes) -> dict[str, Any]:
    try:
        return parse_object(body)
    except JsonError as error:
        raise TouchError(f"body: {error}") from None


def _line(mistake: Mapping[str, Any]) -> str:
    """Return a mistake in one line that names the allowed values, which pydantic's own message does not."""
    where, kind = mistake["loc"], mistake["type"]
    if kind in ("union_tag_invalid", "union_tag_not_found"):
        return f"do: one of {' '.join(_KINDS)}"
    do, key = where[0], str(where[1]) if len(where) > 1 else ""
    if kind == "missing":
        return f"{key}: must be given for {do}"
    if kind in ("extra_forbidden", "string_unicode"):  # string_unicode: the key has half a surrogate pair
        keys = [name for name in _KINDS[do].model_fields if name != "do"]
        return f"{_shown(key)}: not a key of {do}; allowed are {' '.join(keys) or 'none'}"
    words = str(mistake["ctx"]["error"])
    return f"{key}: {words}" if key else words


def _shown(key: str) -> str:
    return key if re.fullmatch(r"[a-z_]{1,24}", key) else "unknown key"
