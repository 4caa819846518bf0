"""Money (amounts) as people read and write it, in dollars, converted to whole cents without a float."""

from __future__ import annotations

import re

_WRITTEN = re.compile(r"\$?(?=[\d.])(\d{0,12})(?:\.(\d{1,2}))?", re.ASCII)


def cents(written: object) -> int:
    """Return the cents of dollars as a person writes them: 5, 12.50 or "$5". Raises ValueError that names
    the allowed form."""
    match = _WRITTEN.fullmatch(str(written)) if not isinstance(written, bool) else None
    if match is None:
        raise ValueError("allowed: an amount in dollars, whole cents, not below 0")
    return int(match[1] or "0") * 100 + int((match[2] or "").ljust(2, "0"))


def dollars(cents: int) -> str:
    """Return an amount as a person reads it, with cents if there are any: "$1,250", "−$7.50"."""
    whole, rest = divmod(abs(cents), 100)
    return f"{'−' * (cents < 0)}${whole:,}" + (f".{rest:02d}" if rest else "")
