"""Requests of the page process to the daemon: one strict JSON object per line, in one of these forms.

The page process parses input from the network, so the daemon does not trust it. A request cannot contain an
event, channel, role or proof: a touch is the body that the browser sent, which the daemon parses again.
"""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from controller.common.files.strict_json import JsonError, parse_object
from controller.common.http.admitted import BODY_LIMIT
from controller.common.texts.catalogue import languages
from controller.game.model.names import SEATS
from controller.pages.display.figures_view import Period
from controller.pages.display.ports import MAX_FIND_CHARS, MAX_LISTED, MAX_ROUND, ROUND_KINDS

MAX_REQUEST_BYTES = 64 * 2**10
MAX_ID = 2**53
MAX_CENTS = 10**14
"""Largest amount that `controller.common.files.money.cents` accepts."""


class InvalidRequest(ValueError):
    """Raised if a line is not a request. The message gives the reason, never the content."""


def _language(name: str) -> str:
    if name not in languages():
        raise ValueError("a language of the texts")
    return name


def _kind(name: str) -> str:
    if name not in ROUND_KINDS:
        raise ValueError("any, void, corrected or a code")
    return name


def _day(text: str) -> str:
    return date.fromisoformat(text).isoformat()


def _body(text: str) -> str:
    if len(text.encode()) > BODY_LIMIT:  # encode() raises a ValueError for half a surrogate pair
        raise ValueError(f"{BODY_LIMIT} bytes at most")
    return text


class _Form(BaseModel):
    """Base of all requests: types are not converted, and unknown keys are a mistake."""

    model_config = ConfigDict(
        extra="forbid", strict=True, frozen=True, hide_input_in_errors=True, defer_build=True
    )


Language = Annotated[str, Field(max_length=16), AfterValidator(_language)]


class Wanted(_Form):
    """Filter of ended rounds. `amount`: cents. `last`: maximum number of rounds."""

    last: int = Field(ge=1, le=MAX_LISTED)
    day: Annotated[str, Field(max_length=10), AfterValidator(_day)] | None = None
    dealer: str | None = Field(default=None, pattern=r"^[A-Za-z0-9-]{1,16}$")
    seat: int | None = Field(default=None, ge=SEATS[0], le=SEATS[-1])
    irregularity: Annotated[str, Field(max_length=64), AfterValidator(_kind)] | None = None
    amount: int | None = Field(default=None, ge=0, le=MAX_CENTS)
    find: str | None = Field(default=None, min_length=1, max_length=MAX_FIND_CHARS)


class OneRound(_Form):
    """Question for one ended round by its number."""

    do: Literal["round"]
    number: int = Field(ge=0, le=MAX_ROUND)
    language: Language


class Rounds(_Form):
    """Question for the ended rounds that match the filters `wanted`, as a list or as CSV."""

    do: Literal["list", "csv"]
    wanted: Wanted
    language: Language


class Luck(_Form):
    """Question for the house's win of the ended rounds, compared with the expected win."""

    do: Literal["luck"]
    language: Language


class _Request(_Form):
    id: int = Field(ge=1, le=MAX_ID)


class TouchRequest(_Request):
    """A touch. `body`: the JSON that the browser sent."""

    ask: Literal["touch"]
    body: Annotated[str, AfterValidator(_body)] = Field(repr=False)

    @property
    def touch(self) -> bytes:
        """Return the body as received over the network."""
        return self.body.encode()


class PlainRequest(_Request):
    """A request without parameters."""

    ask: Literal["recall", "floor", "devices"]


class FiguresRequest(_Request):
    """A request for the figures of a period."""

    ask: Literal["figures"]
    period: Period


class EndedRequest(_Request):
    """A request for rounds that have ended."""

    ask: Literal["ended"]
    asked: OneRound | Rounds | Luck = Field(discriminator="do")


class Up(_Form):
    """Message of the page process that it accepts connections now. It needs no answer."""

    up: Literal[True]


Request: TypeAlias = TouchRequest | PlainRequest | FiguresRequest | EndedRequest
_REQUEST: TypeAdapter[Request] = TypeAdapter(
    Annotated[Request, Field(discriminator="ask")], config=ConfigDict(defer_build=True)
)


def parse_request(line: bytes) -> Request | Up:
    """Return the request in a line. Raises InvalidRequest if the line has none of the forms."""
    try:
        data = parse_object(line)
        return Up.model_validate(data) if "up" in data else _REQUEST.validate_python(data)
    except JsonError:
        reason = "a line that is not one JSON object in UTF-8"
    except ValidationError:
        reason = "a request of an unknown form"
    raise InvalidRequest(reason)


def plain(question: OneRound | Rounds | Luck) -> dict[str, Any]:
    """Return a request as data for the process that reads rounds. Keys that the page did not give are left
    out."""
    return question.model_dump(exclude_unset=True)
