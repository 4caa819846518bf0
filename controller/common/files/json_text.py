"""JSON received from another process, and JSON made for one: I-JSON (RFC 7493) with whole numbers only and
without duplicate keys.

Python's own reader also accepts NaN, duplicate keys, lone surrogates and UTF-16; each of those fails later,
in the store, in a page or in a browser. Errors must never quote the input.
"""

from __future__ import annotations

import json
import re
from typing import Any

from controller.common.files.strict_json import JsonError, refuse_number, unique_keys

_ESCAPED = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")


def read_json(data: bytes) -> Any:  # noqa: ANN401  # any JSON value; the caller validates its form
    """Return the value of `data`; the caller limits integers and depth. Raises JsonError if `data` is not
    such JSON."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise JsonError("no UTF-8") from None
    try:
        found = json.loads(
            text, object_pairs_hook=unique_keys, parse_float=refuse_number, parse_constant=refuse_number
        )
        if _ESCAPED.search(text):
            _check_texts(found)
    except JsonError:
        raise
    except (ValueError, RecursionError):
        raise JsonError("not a JSON text") from None
    return found


def json_text(value: object) -> str:
    """Return `value` as JSON without spaces. Raises ValueError if it contains NaN or an infinity."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def _check_texts(value: object) -> None:
    """Raise JsonError if a text contains U+0000, which PostgreSQL cannot store, or a lone surrogate."""
    if isinstance(value, dict):
        for key, each in value.items():
            _check_texts(key)
            _check_texts(each)
    elif isinstance(value, list):
        for each in value:
            _check_texts(each)
    elif isinstance(value, str) and any(sign == "\0" or "\ud800" <= sign <= "\udfff" for sign in value):
        raise JsonError("a text that is not Unicode, or holds U+0000")
