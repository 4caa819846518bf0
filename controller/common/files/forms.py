"""Pydantic models that validate files, which report all mistakes at once, each as ``key: allowed values``.

A model derives from `Form`. The text of a mistake is the first available of these: the message of a
validator's ValueError (used unchanged: "allowed: an amount in dollars"), the `description` of the nearest
field ("allowed: 1 to 6"), or a general text. `fit` adds the line number. Models are used while a file is
read, never in play.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping
from functools import lru_cache
from typing import Annotated, Any, Self, TypeVar, cast

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ModelWrapValidatorHandler,
    TypeAdapter,
    ValidationError,
    model_validator,
)
from pydantic_core import ErrorDetails, InitErrorDetails, PydanticCustomError

from controller.common.files.money import cents
from controller.common.files.yaml_lines import Lines, Path_
from controller.game.model.names import Method, Place, Wager

_T = TypeVar("_T")
_FOR_PERSON = "said"
"""Type of an error whose message is already written for a person."""


class Form(BaseModel):
    """Strict model: a number in quotes is not a number, and an unknown key is a mistake.

    A tuple or an enum field accepts YAML's values with `Field(strict=False)`.
    """

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, defer_build=True)

    @model_validator(mode="wrap")
    @classmethod
    def _speak(cls, given: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        try:
            return handler(given)
        except ValidationError as error:
            mistakes = ((tuple(each["loc"]), cls._words(each)) for each in error.errors(include_url=False))
            raise validation_error(mistakes) from None

    @classmethod
    def _words(cls, error: ErrorDetails) -> str:
        loc, kind = error["loc"], error["type"]
        if kind in (_FOR_PERSON, "value_error") or not loc:
            return _general(error) if loc or kind != "model_type" else cls.allowed_keys()
        fields = {each.alias or name: each for name, each in cls.model_fields.items()}
        if kind == "extra_forbidden" and len(loc) == 1:
            return f"unknown key; {cls.allowed_keys()}"
        described = fields[str(loc[0])].description if loc[0] in fields else None
        words = f"allowed: {described}" if described else _general(error)
        if kind == "missing" and len(loc) == 1:
            return f"missing; {words if described else 'it must be given'}"
        return words

    @classmethod
    def allowed_keys(cls) -> str:
        """Return the part of the message about an unknown key that lists the allowed ones."""
        return f"allowed: {', '.join(each.alias or name for name, each in cls.model_fields.items())}"


def first_mistake(error: ValidationError, place: str = "") -> str:
    """Return the first mistake as ``key: words``, without the value. `place`: used if the mistake has no
    key."""
    first = error.errors(include_url=False, include_input=False)[0]
    return f"{'.'.join(map(str, first['loc'])) or place}: {first['msg']}"


def validation_error(mistakes: Iterable[tuple[Path_, str]]) -> ValidationError:
    """Return an error with several mistakes, for a validator that finds more than one or finds it inside its
    value. `mistakes`: pairs of the path in the value, and the allowed values as text."""
    errors = [
        InitErrorDetails(
            type=PydanticCustomError(_FOR_PERSON, "{words}", {"words": words}), loc=loc, input=None
        )
        for loc, words in mistakes
    ]
    return ValidationError.from_exception_data("form", errors)


_GENERAL = {
    "missing": "missing; it must be given",
    "extra_forbidden": "unknown key",
    "model_type": "allowed: keys and values",
    "dict_type": "allowed: keys and values",
    "list_type": "allowed: a list",
    "tuple_type": "allowed: a list",
    "string_type": "allowed: words",
    "string_too_short": "allowed: words",
    "int_type": "allowed: a whole number",
    "bool_type": "allowed: true or false",
    "none_required": "allowed: null",
}


def _general(error: ErrorDetails) -> str:
    context = error.get("ctx", {})
    if error["type"] == "value_error":
        return str(context["error"])
    if "expected" in context:
        return f"allowed: {str(context['expected']).replace(' or ', ', ').replace(chr(39), '')}"
    return _GENERAL.get(error["type"], error["msg"])


def fit(form: type[_T] | TypeAdapter[_T], found: Lines, context: Any = None) -> _T | None:
    """Return the content of a file as `form`, or None after adding every mistake to `found`. `context`:
    input of the validators (`info.context`). An unreadable file gets no further mistake."""
    if found.data is None:
        return None
    try:
        return _adapter(form).validate_python(found.data, context=context)
    except ValidationError as error:
        for each in error.errors(include_url=False):
            found.add(_place(found.data, each["loc"]), _general(each))
    return None


def _adapter(form: type[_T] | TypeAdapter[_T]) -> TypeAdapter[_T]:
    return form if isinstance(form, TypeAdapter) else _cached_adapter(cast("Hashable", form))


@lru_cache(maxsize=64)
def _cached_adapter(form: Hashable) -> TypeAdapter[Any]:
    """Return the adapter from the cache, since building it takes far longer than reading a file."""
    return TypeAdapter(cast("Any", form))


def _place(given: Any, loc: Path_) -> Path_:
    """Convert pydantic's location of an error to the path in the file: pydantic adds parts for keys and for
    the members of a union. `given`: content of the file."""
    if not loc or loc[0] == "[key]":
        return ()
    inside = _inside(given, loc[0])
    if inside is None:
        return _place(given, loc[1:]) if len(loc) > 1 else loc * isinstance(given, Mapping)
    path = (loc[0], *_place(inside[0], loc[1:]))
    tagged = _place(given, loc[1:])
    return tagged if tagged[-1:] == loc[-1:] != path[-1:] else path


def _inside(given: Any, part: str | int) -> tuple[Any] | None:
    if isinstance(given, Mapping) and part in given:
        return (given[part],)
    if isinstance(given, list) and isinstance(part, int) and part < len(given):
        return (given[part],)
    return None


Money = Annotated[int, BeforeValidator(cents)]
"""Whole cents, written in dollars."""


def whole_number(low: int, high: int, null: bool = False) -> BeforeValidator:
    """Return the validator of an int field: a whole number from `low` to `high`, or null if `null` is set."""

    def check(value: object) -> object:
        if (null and value is None) or (type(value) is int and low <= value <= high):
            return value
        raise ValueError(f"allowed: a whole number from {low} to {high}{', or null' * null}")

    return BeforeValidator(check)


def word(choices: Collection[str]) -> BeforeValidator:
    """Return the validator of a field that is one of `choices`; of an enum, its member."""

    def check(value: object) -> str:
        for choice in choices:
            if value == choice:
                return choice
        raise ValueError(f"allowed: {', '.join(choices)}")

    return BeforeValidator(check)


def word_list(choices: Collection[str]) -> BeforeValidator:
    """Return the validator of a tuple field with items of `word(choices)`: a list without duplicates."""

    def check(value: object) -> object:
        if not isinstance(value, list) or len(set(map(str, value))) < len(value):
            raise ValueError(f"allowed: a list of {', '.join(choices)}, each once")
        return tuple(value)

    return BeforeValidator(check)


def _flag(given: object) -> object:
    words = {"on": True, "yes": True, "off": False, "no": False}
    return words.get(given.lower(), given) if isinstance(given, str) else given


Flag = Annotated[bool, BeforeValidator(_flag)]
"""Boolean, written as true or false, on or off, yes or no."""
MethodName = Annotated[Method, Field(strict=False)]
PlaceName = Annotated[Place, Field(strict=False)]
WagerName = Annotated[Wager, Field(strict=False)]
