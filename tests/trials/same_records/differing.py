"""Where two records differ: the first path, what was there and what is."""

from __future__ import annotations

from typing import Any

TIMES = frozenset({"started", "ended", "at", "when", "settings_digest"})
"""And the digest over the program itself, which is another with each change of it."""
ABSENT = "absent"


def timeless(value: Any) -> Any:
    """A record but for its times."""
    if isinstance(value, dict):
        return {key: timeless(entry) for key, entry in value.items() if key not in TIMES}
    return [timeless(entry) for entry in value] if isinstance(value, list) else value


def difference(old: Any, new: Any, path: str = "") -> str | None:
    """None where they are the same but for times."""
    if isinstance(old, dict) and isinstance(new, dict):
        keys = [key for key in {**old, **new} if key not in TIMES]
        pairs = [(f".{key}", old.get(key, ABSENT), new.get(key, ABSENT)) for key in keys]
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        pairs = [(f"[{place}]", *both) for place, both in enumerate(zip(old, new, strict=True))]
    else:
        return None if old == new else f"{path.lstrip('.')}: {old!r} became {new!r}"
    return next((told for step, *both in pairs if (told := difference(*both, path + step))), None)
