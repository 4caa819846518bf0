"""Unix stream sockets between two programs of one machine that run as different users: each checks the user
at the other end.

The kernel identifies the user at the other end (unix(7), SO_PEERCRED), so neither end needs a secret. The
permissions of the socket's folder decide who may connect: it belongs to the server's user and the client's
group, has the set-group-ID bit, and is closed to others (crisscross.tmpfiles.conf).
"""

from __future__ import annotations

import errno
import pwd
import socket
import struct
from pathlib import Path

MODE = 0o660
"""Mode of a socket: connecting requires write permission (unix(7), Pathname socket ownership and
permissions)."""
BACKLOG = 8
_CREDENTIALS = struct.Struct("iII")
"""`struct ucred` of Linux: pid, uid, gid."""


class UnknownUser(Exception):
    """Raised if the machine has no user of that name. The message is one line."""


def user_id(user: str) -> int:
    """Return the number of a user, given by name or by number. Raises UnknownUser if the machine has no such
    user."""
    if user.isdecimal():
        return int(user)
    try:
        return pwd.getpwnam(user).pw_uid
    except KeyError:
        raise UnknownUser(f"this machine has no user {user}") from None


def listen(path: Path, mode: int = MODE) -> socket.socket:
    """Return a listening socket of `mode` at `path`, replacing a socket left by a process that has ended.
    Raises OSError if that fails, or if a running process has the socket."""
    if path.is_socket():
        _check_left(path)
        path.unlink()
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        listening.bind(str(path))
        path.chmod(mode)
        listening.listen(BACKLOG)
    except OSError:
        listening.close()
        raise
    return listening


def _check_left(path: Path) -> None:
    """Raise OSError if a running process has the socket at `path`. The process receives no connection: the
    kernel refuses one of another type (unix(7), EPROTOTYPE), and answers ECONNREFUSED without a process."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(str(path))
        except (ConnectionRefusedError, FileNotFoundError):
            return
        except OSError as error:
            if error.errno != errno.EPROTOTYPE:
                raise
    raise OSError(errno.EADDRINUSE, "a running program answers at it; end that one first")


def peer_id(connection: socket.socket) -> int:
    """Return the number of the user that connected. Raises OSError if the kernel does not report it."""
    credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    return int(_CREDENTIALS.unpack(credentials)[1])


class Admission:
    """Check of a connection's user. The caller logs a refused user once."""

    def __init__(self, user: int) -> None:
        self.user = user
        self._refused: set[int] = set()

    def refusal(self, connection: socket.socket) -> str | None:
        """Return None if the peer is admitted, a line to log at its first refusal, and "" at later ones."""
        found = peer_id(connection)
        if found == self.user:
            return None
        if found in self._refused:
            return ""
        self._refused.add(found)
        return f"a connection of user {found} is refused; admitted: user {self.user}"
