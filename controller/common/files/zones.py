"""Time zones: local time (with daylight saving) of an instant of the records, which are in UTC.

The system's own zone data is used. No clock is read here.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

LOCAL = Path("/etc/localtime")


def known(name: str) -> bool:
    """Return whether the system has this zone."""
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True


def machine_zone(environment: Mapping[str, str] = os.environ, link: Path = LOCAL) -> str:
    """Return the time zone of this machine, or UTC if it names none."""
    wanted = environment.get("TZ", "").removeprefix(":")
    if not wanted and link.is_symlink():
        wanted = str(link.resolve()).partition("/zoneinfo/")[2]
    return wanted if wanted and known(wanted) else "UTC"


def at(utc: str, zone: str) -> datetime:
    """Return an instant in a record (ISO 8601, UTC) as local time of `zone`."""
    return datetime.fromisoformat(utc).astimezone(ZoneInfo(zone))
