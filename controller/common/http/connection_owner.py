"""Owner of a connection to the pages: the Unix user that opened the socket at its other end, as the kernel
reports.

A connection belongs to the table's own screen if the socket at its other end is established and was created
by one of the given users. If the kernel cannot be asked, no connection belongs to the screen. See
controller/decisions/0016-owner-of-a-connection.md.
"""

from __future__ import annotations

import logging
import pwd
import socket
from collections.abc import Callable
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path
from typing import Any, TypeAlias

from controller.common.http import sock_diag

log = logging.getLogger("crisscross")

SocketName: TypeAlias = tuple[Any, ...]
"""Address of a socket, as returned by `getsockname()` and `getpeername()`."""
IsOwn: TypeAlias = Callable[[SocketName | None, SocketName | None], bool]
"""Function that returns whether a connection is from one of the table's own screens, given the addresses of
the other end and of this end."""
UID_MAP = Path("/proc/self/uid_map")
OVERFLOW_UID = Path("/proc/sys/kernel/overflowuid")
DEFAULT_OVERFLOW_UID = 65534
ALL_USERS = ["0", "0", "4294967295"]
NO_USER = "this machine has no user {user}, so no user may open the pages; make it, or set display.user"
NO_OWNER = (
    "the kernel does not name the owner of a connection ({why}), so no user may open the pages; "
    "the unit has to allow AF_NETLINK, and the kernel needs tcp_diag"
)


def owned_by(users: frozenset[int]) -> IsOwn:
    """Return a predicate that is true for a connection whose other end was created by one of these users.
    Ask it once, when the connection is accepted: the owner does not change."""
    own = users - unmapped_user()

    def is_own(peer: SocketName | None, here: SocketName | None) -> bool:
        if not own or peer is None or here is None:
            return False
        try:
            return owner(sock_diag.endpoint(peer), sock_diag.endpoint(here)) in own
        except (OSError, ValueError) as error:
            log.warning("display: a connection is refused: %s", NO_OWNER.format(why=error))
            return False

    return is_own


def never_own(_peer: SocketName | None, _here: SocketName | None) -> bool:
    """Return False. Used if no user is named, so that no connection belongs to a screen of the table."""
    return False


def owner(peer: sock_diag.Endpoint, here: sock_diag.Endpoint) -> int | None:
    """Return the user that created the socket at `peer` that is connected to `here`. Return None if it is not
    on this machine, not established, or no process holds it. Raises OSError as `sock_diag.find` does."""
    if not (peer[0].is_loopback and here[0].is_loopback):
        return None
    entry = sock_diag.find(local=peer, remote=here)
    if entry is None or entry.state != sock_diag.ESTABLISHED or not entry.inode:
        return None
    return entry.user


def unmapped_user() -> frozenset[int]:
    """Return the user number that the kernel reports for users without a number in this process's user
    namespace (user_namespaces(7)). Return no number if the namespace has them all.
    """
    try:
        if UID_MAP.read_text(encoding="ascii").split() == ALL_USERS:
            return frozenset()
        return frozenset({int(OVERFLOW_UID.read_text(encoding="ascii"))})
    except OSError:  # a sandbox without /proc: as if there were a namespace
        return frozenset({DEFAULT_OVERFLOW_UID})


def user_ids(user: str) -> frozenset[int]:
    """Return the number of this user, or none if the machine has no such user."""
    try:
        return frozenset({pwd.getpwnam(user).pw_uid})
    except KeyError:
        return frozenset()


def unavailable(user: str, listening: socket.socket) -> str | None:
    """Return one line that states why no connection to `listening` can be that user's, or None if one can.

    The kernel is asked for the listening socket itself, with the family, namespace and sandbox of every later
    look-up.
    """
    if not user_ids(user):
        return NO_USER.format(user=user)
    here = sock_diag.endpoint(listening.getsockname())
    anywhere = IPv4Address(0) if isinstance(here[0], IPv4Address) else IPv6Address(0)
    try:
        entry = sock_diag.find(local=here, remote=(anywhere, 0))
    except OSError as error:
        return NO_OWNER.format(why=error)
    return None if entry is not None else NO_OWNER.format(why="it does not find the pages' own socket")
