"""Keys of an expected record that no record has: a misspelt key would be compared with nothing.

The keys are those of the record's types (controller/game/model/record.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints, is_typeddict

from controller.game.model.names import CROSS, Wager
from controller.game.model.record import HAND_OF, RoundRecord

_NAMES: Mapping[str, Sequence[str]] = {
    "cross": CROSS,
    "hands": tuple(dict.fromkeys(HAND_OF.values())),
    "wagers": tuple(Wager),
}
"""Allowed names of the mappings that a record fills by name."""

Mistake = tuple[tuple[Any, ...], str]
"""Path of a key, and a text that names the allowed keys."""
_forms = cache(get_type_hints)
"""Function that returns the keys of a typed dictionary, each with its type. Results are cached."""


def unknown_keys(given: Any, form: Any = RoundRecord, at: tuple[Any, ...] = ()) -> Iterator[Mistake]:
    """Yield each key of `given` that the type `form` does not have, with the path `at` before it. Seats and
    other lists may be given as a mapping by number."""
    for each in get_args(form) if isinstance(form, UnionType) else (form,):
        if is_typeddict(each) and isinstance(given, Mapping):
            yield from _unknown(given, hints := _forms(each), at)
            yield from _inside(((key, value, hints[key]) for key, value in given.items() if key in hints), at)
        elif get_origin(each) is list and isinstance(given, list | Mapping):
            items = given.items() if isinstance(given, Mapping) else enumerate(given, 1)
            yield from _inside(((key, value, get_args(each)[0]) for key, value in items), at)
        elif get_origin(each) is dict and isinstance(given, Mapping):
            yield from _unknown(given, _NAMES.get(at[-1], given), at)
            yield from _inside(((key, value, get_args(each)[1]) for key, value in given.items()), at)


def _unknown(given: Mapping[Any, Any], allowed: Iterable[str], at: tuple[Any, ...]) -> Iterator[Mistake]:
    for key in given:
        if key not in allowed:
            yield (*at, key), f"unknown key; allowed: {', '.join(allowed)}"


def _inside(parts: Iterable[tuple[Any, Any, Any]], at: tuple[Any, ...]) -> Iterator[Mistake]:
    for key, value, form in parts:
        yield from unknown_keys(value, form, (*at, key))
