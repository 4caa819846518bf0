"""Users of the pit's pages as an entry of the audit trail. A pit notes them at each start, so that the next
start finds what was changed while no pit ran."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256

from controller.floor.pit.access.users import Users, changes
from controller.floor.pit.database import Database

WITHOUT = "-"
DIGEST_DIGITS = 8
SINCE = "since the last start"


@dataclass(frozen=True, slots=True)
class NotedUser:
    """User as the trail notes them. `password`: first digits of a digest of the stored hash, which show that
    it changed and nothing else; WITHOUT for a user who has no password."""

    role: str
    password: str


def noted(users: Users) -> Mapping[str, NotedUser]:
    """Return users in the form in which the trail notes them."""
    return {name: NotedUser(each.role, _digest(each.password)) for name, each in users.items()}


def as_text(users: Mapping[str, NotedUser]) -> str:
    """Return noted users as the text of an entry."""
    return ", ".join(f"{name} {each.role} {each.password}" for name, each in sorted(users.items()))


def changed_since(database: Database, users: Mapping[str, NotedUser]) -> list[str]:
    """Compare the users with those that the trail noted last, and return a line for each change; [] if it
    never noted any."""
    query = "SELECT about FROM audit WHERE act = 'users' ORDER BY number DESC LIMIT 1"
    found = [str(about) for (about,) in database.rows(query)]
    return [f"{words} ({SINCE})" for text in found for words in changes(_read(text), users)]


def _read(text: str) -> Mapping[str, NotedUser]:
    parts = (each.split(" ") for each in text.split(", ") if each)
    return {name: NotedUser(role, password) for name, role, password in parts}


def _digest(stored: str | None) -> str:
    return sha256(stored.encode()).hexdigest()[:DIGEST_DIGITS] if stored else WITHOUT
