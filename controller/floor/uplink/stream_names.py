"""Names of streams: the journal whose events a stream contains, and the row after which it begins."""

from __future__ import annotations

import re

STREAM = "^[0-9a-f]{8,64}(-[0-9]{1,12})?$"
"""Pattern of a stream's name: hexadecimal digits, the first of which are the journal's number, and for a
stream that `stream_of` named the row after which it begins."""
JOURNAL_DIGITS = 32
"""Number of digits of a journal's number. The names of its streams begin with them."""


def stream_of(journal: str, root: bytes, row: int) -> str:
    """Return the name of the stream that a table begins after its history has diverged. The name consists of
    the journal's number, the first digits of `root`, and `row`, after which the stream begins.
    """
    return f"{journal}{root.hex()[:JOURNAL_DIGITS]}-{row}"


def is_stream(text: str) -> bool:
    return re.fullmatch(STREAM, text) is not None


def journal_of(stream: str) -> str:
    """Return the number of the journal whose events a stream contains."""
    return stream.partition("-")[0][:JOURNAL_DIGITS]


def row_before(stream: str) -> int:
    """Return the row of the journal after which a stream begins, 0 for the first row."""
    return int(stream.partition("-")[2] or 0)
