"""One leaf of a rule pack: a value, the section that it comes from, and the choice that the text leaves.

The module does not depend on the values of a pack.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Annotated, Any, Generic, Self, TypeVar

from pydantic import AfterValidator, BeforeValidator, Discriminator, Field, Tag, model_validator

from controller.common.files.forms import Form, MethodName, Money, validation_error
from controller.common.files.money import dollars

_V_co = TypeVar("_V_co", covariant=True)


def _cited(given: object) -> object:
    if not isinstance(given, str) or not given.strip():
        raise ValueError("missing citation; allowed: the section of the text, or house procedure")
    return given


def by_method(given: object) -> str:
    return "each" if isinstance(given, dict) else "one"


def require_keys(names: Collection[str]) -> AfterValidator:
    """Return a validator for a mapping that must have these keys."""

    def check(given: Mapping[str, Any]) -> Mapping[str, Any]:
        missing = [name for name in names if name not in given]
        if missing:
            raise validation_error(((), f"{name}: missing; it must be given") for name in missing)
        return given

    return AfterValidator(check)


Citation = Annotated[str, BeforeValidator(_cited)]
ByMethod = dict[MethodName, Citation]
Section = Annotated[
    Annotated[Citation, Tag("one")] | Annotated[ByMethod, Tag("each")], Discriminator(by_method)
]
"""Section of the rules that a value cites: one, or one for each way of dealing."""


# ---------------------------------------------------------------------- leaves


class Leaf(Form, Generic[_V_co]):
    """A value and the section it comes from. A value outside the choice that the text leaves is refused,
    and so is `null` if the text has bounds."""

    value: _V_co
    citation: Citation = Field(description="the section of the text, or house procedure")
    citations: dict[str, Citation] = Field(default={}, description="sections for parts of the value")
    between: tuple[int, int] = Field(
        default=(0, 0), strict=False, description="a list of two, the least and the most"
    )
    allowed: list[Any] = Field(default=[], description="a list of values; a list in it is a whole value")

    @model_validator(mode="after")
    def _within(self) -> Self:
        if outside := self._outside():
            raise validation_error([(("value",), f"allowed: {outside} ({self.citation})")])
        return self

    def _outside(self) -> str:
        """Return the allowed values if the value is outside the choice that the text leaves, else ""."""
        each = self.value if isinstance(self.value, tuple) else (self.value,)
        low, high = self.between
        fits = all(isinstance(one, int) and low <= one <= high for one in each)
        if "between" in self.model_fields_set and not fits:
            return f"{self._shown(low)} to {self._shown(high)}"
        if "allowed" in self.model_fields_set and not _one_of(self.allowed, each):
            return ", ".join(map(_shown, self.allowed)) or "none"
        return ""

    def _shown(self, end: int) -> str:
        return str(end)


class MoneyLeaf(Leaf[Money]):
    between: tuple[Money, Money] = Field(
        default=(0, 0), strict=False, description="a list of two amounts, the least and the most"
    )

    def _shown(self, end: int) -> str:
        return dollars(end)


def _one_of(choices: list[Any], each: tuple[Any, ...]) -> bool:
    """Return whether a value is allowed. If the choices are lists, the complete value must be one of them;
    otherwise each part of the value must be one of the choices.
    """
    wholes = [sorted(choice, key=str) for choice in choices if isinstance(choice, list)]
    return sorted(each, key=str) in wholes if wholes else all(one in choices for one in each)


def _shown(choice: object) -> str:
    if isinstance(choice, list):
        return f"[{', '.join(map(_shown, choice))}]"
    return str(choice).lower()


def default_leaf(value: object) -> Any:
    """Return the default of a leaf that a pack may leave out: the leaf with `value`."""
    return Field(default=Leaf.model_construct(value=value))
