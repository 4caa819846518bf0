"""One JSON object per line, for sockets between processes of one machine."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def json_line(message: Mapping[str, Any]) -> bytes:
    """Return one message as a line of JSON; its only line feed is the one at its end."""
    return json.dumps(message, separators=(",", ":"), allow_nan=False).encode() + b"\n"
