"""Find the first difference between two records: its path, the old value and the new one."""

from __future__ import annotations

from typing import Any

TIMES = frozenset({"started", "ended", "at", "when", "settings_digest"})
"""Keys that are left out: times, and the digest of the program, which changes with it."""
ABSENT = "absent"


def timeless(value: Any) -> Any:
    """Return a record without its times, so that records of different runs can be compared."""
    if isinstance(value, dict):
        return {key: timeless(entry) for key, entry in value.items() if key not in TIMES}
    return [timeless(entry) for entry in value] if isinstance(value, list) else value


def difference(old: Any, new: Any, path: str = "") -> str | None:
    """Return the first difference, or None if the records are equal except for times."""
    if isinstance(old, dict) and isinstance(new, dict):
        keys = [key for key in {**old, **new} if key not in TIMES]
        pairs = [(f".{key}", old.get(key, ABSENT), new.get(key, ABSENT)) for key in keys]
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        pairs = [(f"[{place}]", *both) for place, both in enumerate(zip(old, new, strict=True))]
    else:
        return None if old == new else f"{path.lstrip('.')}: {old!r} became {new!r}"
    return next((found for step, *both in pairs if (found := difference(*both, path + step))), None)
