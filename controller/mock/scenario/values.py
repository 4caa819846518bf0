"""The values of a scenario file: cards, circles, amounts and times, validated by pydantic.

Every validator has an error text that names the allowed values. `steps.py` has the steps.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any, ClassVar, TypeAlias, TypeVar

from pydantic import BeforeValidator, Field, PlainValidator, TypeAdapter, create_model, model_validator

from controller.common.files.forms import Form, validation_error, whole_number
from controller.common.files.money import cents
from controller.game.model.cards import parse_card
from controller.game.model.names import SEATS, Place, Wager
from controller.mock.bench.device_requests import CardToken

STRANGE = ("unknown", "withdrawn", "copy", "forged")
"""Kinds of chip that are not wagers: not the house's, withdrawn, with the UID of another chip on the table,
or with the UID of a chip elsewhere and without its key.
"""
CARD_PLACES = (*Place, *(f"seat_{seat}_{number}" for seat in SEATS for number in (1, 2)))
ENTRY_PLACES = (*CARD_PLACES, "set_aside")

_TIMES = re.compile(r"(\d{1,6}(?:\.\d{1,6})?)x")
_DURATION = re.compile(r"(?P<sign>[+-]?)(?:(?P<d>\d+)d)?(?:(?P<h>\d+)h)?(?:(?P<m>\d+)m)?(?:(?P<s>\d+)s)?")
_Form = TypeVar("_Form", bound=Form)


@dataclass(frozen=True, slots=True)
class Amount:
    """Amount in a circle, in cents. `chips`: values of its chips in cents, if the file names them. `strange`:
    chips among them that are not wagers (STRANGE)."""

    cents: int
    chips: tuple[int, ...] | None = None
    strange: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Multiple:
    """Bet that a scenario gives as a multiple of the ante, such as ``1x``."""

    times: Decimal


@dataclass(frozen=True, slots=True)
class Fold:
    """Decision of a player to fold instead of betting."""


PlayerDecision: TypeAlias = Amount | Multiple | Fold

# ------------------------------------------------------------------------- words and numbers


def one_of(names: Iterable[str]) -> PlainValidator:
    """Return a validator that accepts one of `names` in upper or lower case and returns it as listed."""
    known = {str(name): name for name in names}

    def read(given: Any) -> str:
        if str(given).lower() not in known:
            raise ValueError(f"allowed: {', '.join(known)}")
        return known[str(given).lower()]

    return PlainValidator(read)


def _seconds(given: Any) -> float:
    if isinstance(given, bool) or not isinstance(given, int | Decimal) or not 0 <= given <= 3600:
        raise ValueError("allowed: from 0 to 3600 seconds")
    return float(given)


def _true(given: Any) -> bool:
    if str(given).lower() not in ("true", "on", "yes"):
        raise ValueError("allowed: true")
    return True


def _as_text(given: Any) -> Any:
    return str(given) if isinstance(given, int | Decimal) and not isinstance(given, bool) else given


Text = Annotated[str, BeforeValidator(_as_text), Field(min_length=1)]
OnlyTrue = Annotated[bool, PlainValidator(_true)]
"""Value of a key that may only be true."""
Seconds = Annotated[float, PlainValidator(_seconds)]
SeatNumber = Annotated[int, whole_number(SEATS[0], SEATS[-1])]
WagerName = Annotated[Wager, one_of(Wager)]


def _milliseconds(given: Any) -> int:
    """Return milliseconds, from text such as ``3h55m``, ``-1h`` or ``90s``."""
    found = _DURATION.fullmatch(str(given))
    if not found or not any(found[unit] for unit in "dhms"):
        raise ValueError("allowed: a time such as 3h55m, 90s or -1h")
    sizes = zip("dhms", (86400, 3600, 60, 1), strict=True)
    total = sum(int(found[unit] or 0) * size for unit, size in sizes)
    return total * (-1000 if found["sign"] == "-" else 1000)


Milliseconds = Annotated[int, PlainValidator(_milliseconds)]


class StrictForm(Form):
    """Form in which null is a mistake: a key has a value or is missing."""

    null: ClassVar[tuple[str, ...]] = ()
    """Keys that may be null."""

    @model_validator(mode="before")
    @classmethod
    def _no_null(cls, given: Any) -> Any:
        found = given.items() if isinstance(given, dict) else ()
        if empty := [key for key, value in found if value is None and key not in cls.null]:
            raise validation_error([((key,), "no value; give one or leave the key out") for key in empty])
        return given


def listed(kind: Any) -> PlainValidator:
    """Return a validator for a list of `kind`, or for its items as text with spaces between them."""
    one, many = TypeAdapter(kind), TypeAdapter(list[kind])

    def read(given: Any) -> list[Any]:
        if isinstance(given, list):
            return many.validate_python(given)
        return [one.validate_python(word) for word in str(given or "").split()]

    return PlainValidator(read)


def with_keys(form: type[_Form], kinds: Mapping[str, Any]) -> type[_Form]:
    """Return the form with optional further keys, such as circles or reports."""
    fields: dict[str, Any] = {key: (kind, None) for key, kind in kinds.items()}
    return create_model(form.__name__, __base__=form, **fields)


# ------------------------------------------------------------------------------------- cards


def _face(given: Any) -> str:
    try:
        return parse_card(str(given))
    except ValueError as error:
        raise ValueError(f"no card: {error}") from None


Face = Annotated[str, PlainValidator(_face)]
"""Face of a card in two letters, such as TD."""


def _card(given: Any, *, up_allowed: bool = False) -> CardToken:
    """Return a card from its text: ``TD``, or ``??`` for one that is not read, or ``^TD`` for one that is
    found face up, if that is allowed here."""
    word = str(given)
    if word == "??":
        return CardToken(None, read=False)
    up = word.startswith("^")
    if up and not up_allowed:
        raise ValueError("no card: one found face up (^TD) is put there with shoe:")
    try:
        return CardToken(parse_card(word.removeprefix("^")), up=up)
    except ValueError as error:
        forms = "?? is a card not read" + (", ^TD found face up" if up_allowed else "")
        raise ValueError(f"no card: {error}; {forms}") from None


def card_list(most: int, *, up_allowed: bool = False) -> PlainValidator:
    """Return a validator for at most `most` cards, ``TD 9S``, as text or as a list."""

    def read(given: Any) -> tuple[CardToken, ...]:
        words = given if isinstance(given, list) else str(given).split()
        if not 0 < len(words) <= most:
            raise ValueError(f"allowed: from 1 to {most} cards, each like TD")
        return tuple(_card(word, up_allowed=up_allowed) for word in words)

    return PlainValidator(read)


def cards_by_place(order: tuple[Place, ...]) -> PlainValidator:
    """Return a validator for the cards of all places, in this order as text, or of some places as a
    mapping."""
    some = TypeAdapter(dict[Annotated[Place, one_of(order)], Annotated[CardToken, PlainValidator(_card)]])

    def read(given: Any) -> Mapping[Place, CardToken]:
        if isinstance(given, dict):
            return some.validate_python(given)
        words = given if isinstance(given, list) else str(given).split()
        if len(words) != len(order):
            allowed = f"{len(order)} cards in the order {' '.join(order)}, or a mapping of places"
            raise ValueError(f"allowed: {allowed}")
        return {place: _card(word) for place, word in zip(order, words, strict=True)}

    return PlainValidator(read)


# ----------------------------------------------------------------------------------- amounts


def amount(given: Any) -> Amount:
    """Return an amount from dollars, or from the values of its chips: ``[25, 5]``, ``[25, unknown]``."""
    if not isinstance(given, list):
        return Amount(cents(given))
    try:
        chips = tuple(cents(chip) for chip in given if chip not in STRANGE)
    except ValueError as error:
        raise ValueError(f"{error}; as a chip also {', '.join(STRANGE)}") from None
    return Amount(sum(chips), chips, tuple(chip for chip in given if chip in STRANGE))


def _decision(given: Any) -> PlayerDecision:
    """Return a decision from ``1x``, dollars, the values of chips, or ``fold``."""
    if isinstance(given, list):
        return amount(given)
    word = str(given)
    if word.lower() == "fold":
        return Fold()
    if times := _TIMES.fullmatch(word):
        return Multiple(Decimal(times[1]))
    try:
        return amount(given)
    except ValueError:
        raise ValueError("allowed: 1x, 2x, 3x, an amount in dollars, fold") from None


Cents = Annotated[int, PlainValidator(cents)]
"""Amount in whole cents; the file has dollars."""
AmountLaid = Annotated[Amount, PlainValidator(amount)]
DecisionMade = Annotated[PlayerDecision, PlainValidator(_decision)]
