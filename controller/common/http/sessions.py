"""Sessions of signed-in browsers, and the waiting time after wrong passwords. Both are in memory, and their
number is limited.

A session is found by a random token in a cookie; only the token's hash is stored. A session ends IDLE_S after
the last request or open page, after MAX_SESSION_S at the latest, and when its user changes or is removed.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from ipaddress import IPv6Address, ip_address, ip_network
from secrets import token_urlsafe
from typing import Generic, TypeVar

UserT = TypeVar("UserT")

SESSION_TIMEOUT_S = 30 * 60.0
MAX_SESSION_S = 12 * 3600.0
MAX_SESSIONS = 500
MAX_ATTEMPT_KEYS = 4096
FREE_ATTEMPTS, FREE_ATTEMPTS_OF_ADDRESS = 3, 20
"""Number of wrong passwords before the first waiting time: of one user from one address, and of any users
from one address.
"""
MAX_WAIT_S = 300.0
FORGET_S = 3600.0
"""Seconds after the last wrong password at which it no longer counts."""


@dataclass(slots=True)
class _Session(Generic[UserT]):
    """One session. `began`, `used`: monotonic seconds."""

    name: str
    user: UserT
    began: float
    used: float


class Sessions(Generic[UserT]):
    """Open sessions. `users`: returns the present users. `seconds`: returns monotonic seconds."""

    def __init__(self, users: Callable[[], Mapping[str, UserT]], seconds: Callable[[], float]) -> None:
        self._users, self._seconds = users, seconds
        self._open: OrderedDict[bytes, _Session[UserT]] = OrderedDict()

    def begin(self, name: str, user: UserT) -> str:
        """Return the token of a new session. If there are too many, the session unused for longest ends."""
        token, now = token_urlsafe(32), self._seconds()
        self._open[_digest(token)] = _Session(name, user, now, now)
        if len(self._open) > MAX_SESSIONS:
            self._open.popitem(last=False)
        return token

    def use(self, token: str, *, renews: bool = True) -> _Session[UserT] | None:
        """Return the session of a token, or None if it has ended. `renews`: whether this use extends it."""
        digest, now = _digest(token), self._seconds()
        session = self._open.get(digest)
        if session is None:
            return None
        is_old = now - session.used > SESSION_TIMEOUT_S or now - session.began > MAX_SESSION_S
        if is_old or self._users().get(session.name) != session.user:
            del self._open[digest]
            return None
        if renews:
            session.used = now
            self._open.move_to_end(digest)
        return session

    def end(self, token: str) -> None:
        self._open.pop(_digest(token), None)


def _digest(token: str) -> bytes:
    return sha256(token.encode("utf-8", "replace")).digest()


class Attempts:
    """Wrong passwords by user and address. Each doubles the waiting time, up to MAX_WAIT_S."""

    def __init__(self, seconds: Callable[[], float]) -> None:
        self._seconds = seconds
        self._failed: OrderedDict[tuple[str, str], tuple[int, float]] = OrderedDict()
        """Number of wrong passwords and time of the last, by (user or "", address)."""

    def wait_s(self, name: str, address: str) -> float:
        """Return the seconds until the next attempt to sign in by this name or from this address is allowed;
        0 if it is allowed now."""
        return max(self._wait_s(key, free) for key, free in _keys(name, address))

    def failed(self, name: str, address: str) -> None:
        for key, _ in _keys(name, address):
            count, at = self._failed.pop(key, (0, 0.0))
            now = self._seconds()
            self._failed[key] = (1 if now - at > FORGET_S else count + 1, now)
        while len(self._failed) > MAX_ATTEMPT_KEYS:
            self._failed.popitem(last=False)

    def passed(self, name: str, address: str) -> None:
        """Forget the wrong passwords of a user from an address. They still count for the address."""
        self._failed.pop(_keys(name, address)[0][0], None)

    def _wait_s(self, key: tuple[str, str], free: int) -> float:
        count, at = self._failed.get(key, (0, 0.0))
        if count < free:
            return 0.0
        return max(0.0, at + min(MAX_WAIT_S, 2.0 ** min(count - free, 16)) - self._seconds())


def _keys(name: str, address: str) -> tuple[tuple[tuple[str, str], int], ...]:
    network = _network(address)
    return ((name[:64], network), FREE_ATTEMPTS), (("", network), FREE_ATTEMPTS_OF_ADDRESS)


def _network(address: str) -> str:
    """Return the address; for IPv6 its network of 64 bits, since one machine may use all addresses of it."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    return str(ip_network((parsed, 64), strict=False)) if isinstance(parsed, IPv6Address) else address
