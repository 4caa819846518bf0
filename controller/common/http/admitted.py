"""Hosts, frames and bodies that the guard admits (`request_guard.py`).

Processes that serve no pages use it too, so it must import no HTTP library.
"""

from __future__ import annotations

LOOPBACK_HOSTS = ("127.0.0.1", "localhost", "[::1]")
THIS_MACHINE = "http://127.0.0.1:* http://localhost:*"
NOBODY = "'none'"
BODY_LIMIT = 4096
"""Largest body of a request, in bytes."""
