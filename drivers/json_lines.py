"""JSON a line, as sockets between processes of one machine speak it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def json_line(message: Mapping[str, Any]) -> bytes:
    """One message, with the end of line that it ends with and no other in it."""
    return json.dumps(message, separators=(",", ":"), allow_nan=False).encode() + b"\n"
