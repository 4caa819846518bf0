"""Account under which a command runs, for the record of an act. It is not authenticated."""

from __future__ import annotations

import os
import pwd
from pathlib import Path

LOGIN_UID = Path("/proc/self/loginuid")
"""Number of the user who logged in (proc(5)); sudo, su and runuser do not change it."""
NO_LOGIN = 2**32 - 1
"""Content of `LOGIN_UID` in a process without a login, such as a service."""


def account() -> str:
    """Return the name of the user who logged in, or else of the process's user. Without a name, return the
    user's number."""
    uid = _login_uid()
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)


def _login_uid() -> int:
    try:
        uid = int(LOGIN_UID.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return os.getuid()
    return os.getuid() if uid == NO_LOGIN else uid
