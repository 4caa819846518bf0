"""Strict JSON: one object in UTF-8, each key once, no NaN and no infinity.

Errors never quote the input.
"""

from __future__ import annotations

import json
from typing import Any, NoReturn


class JsonError(ValueError):
    """Raised for invalid JSON. The message is the kind of mistake and never quotes the input."""


def parse_object(data: bytes) -> dict[str, Any]:
    """Return the JSON object in `data`. Raises JsonError if it is anything else."""
    try:
        parsed = json.loads(data.decode(), object_pairs_hook=unique_keys, parse_constant=refuse_number)
    except JsonError:
        raise
    except (ValueError, RecursionError):  # includes invalid UTF-8, and integers of over 4,300 digits
        raise JsonError("one JSON object in UTF-8") from None
    if not isinstance(parsed, dict):
        raise JsonError("one JSON object")
    return parsed


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the object of these pairs (`object_pairs_hook`). Raises JsonError if a key is repeated."""
    unique = dict(pairs)
    if len(unique) != len(pairs):
        raise JsonError("each key once")
    return unique


def refuse_number(_text: str) -> NoReturn:
    """Refuse a number that is not whole, NaN or an infinity: raise JsonError. The JSON reader calls it for
    them (`parse_constant`, `parse_float`)."""
    raise JsonError("numbers are whole")
