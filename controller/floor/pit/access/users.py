"""Users of a pit's pages: a YAML file that maps a name to a role and the hash of their password.

  ana:
    role: answer
    password: $argon2id$...

A user without a password signs in by the authenticating proxy alone. The file is read again when it changes.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Literal, Protocol, TypeAlias

import yaml
from pydantic import AfterValidator, BeforeValidator, Field, TypeAdapter

from controller.common.files.atomic_write import replace_text
from controller.common.files.forms import Form, fit
from controller.common.files.mistakes import Mistakes
from controller.common.files.secret_file import exposure
from controller.common.files.yaml_lines import read_lines
from controller.common.secret_hash import has_own_costs

log = logging.getLogger("crisscross.pit")
Role: TypeAlias = Literal["read", "answer", "manage"]
ROLES: tuple[Role, ...] = ("read", "answer", "manage")
"""Roles of users, in ascending order. Each role may also do what those before it may."""
ALLOWED_NAMES = "1 to 64 letters, digits or any of . _ @ -"
_NAME = re.compile(r"[A-Za-z0-9._@-]{1,64}")
_FILE_MODE = 0o600
COMMAND = "crisscross pit user"


def includes(role: Role, needed: Role) -> bool:
    """Return whether a role includes another."""
    return ROLES.index(role) >= ROLES.index(needed)


def is_user_name(text: object) -> bool:
    return isinstance(text, str) and _NAME.fullmatch(text) is not None


def _name(given: object) -> object:
    if not is_user_name(given):
        raise ValueError(f"allowed: a name, {ALLOWED_NAMES}; in quotes where all digits")
    return given


def _hash(given: str) -> str:
    if not has_own_costs(given):
        raise ValueError(f"allowed: what `{COMMAND}` wrote, never a password")
    return given


class User(Form):
    """Role and password hash of one user, as in the file. Two of them differ if role or password was
    changed."""

    role: Role = Field(description=", ".join(ROLES))
    password: Annotated[str, AfterValidator(_hash)] | None = Field(default=None, repr=False)


Users: TypeAlias = Mapping[str, User]
USERS: TypeAdapter[dict[str, User]] = TypeAdapter(dict[Annotated[str, BeforeValidator(_name)], User])


def read_users(path: Path) -> Users:
    """Return the users in a file. Raises Mistakes, also if other users of the machine may read or change
    it."""
    found = read_lines(path)
    users = fit(USERS, found)
    if users is not None and (exposed := exposure(path, path.stat())) is not None:
        found.add((), exposed)
    if found.mistakes or users is None:
        raise Mistakes(found.report())
    return users


def write_users(path: Path, users: Users) -> None:
    """Replace the file atomically. Raises OSError if it cannot be written."""
    data = {name: user.model_dump(exclude_none=True) for name, user in users.items()}
    replace_text(path, yaml.safe_dump(data, sort_keys=False, width=200), _FILE_MODE)


class _Credentials(Protocol):
    """Role and password of a user, as two lists of users are compared. The password may have any form that
    changes whenever the password does."""

    @property
    def role(self) -> str: ...

    @property
    def password(self) -> str | None: ...


def changes(before: Mapping[str, _Credentials], after: Mapping[str, _Credentials]) -> Iterator[str]:
    """Compare two lists of users, and yield a line for each user who was added, removed or changed. The lines
    contain no hash."""
    for name in sorted({*before, *after}):
        old, new = before.get(name), after.get(name)
        if old is None and new is not None:
            yield f"{name}: added, {new.role}"
        elif new is None:
            yield f"{name}: removed"
        elif old is not None and old.role != new.role:
            yield f"{name}: {old.role} to {new.role}"
        if old and new and old.password != new.password:
            yield f"{name}: new password"


class UsersFile:
    """Users of a running pit. Used on the loop's thread."""

    def __init__(self, path: Path, changed: Callable[[str], None] = lambda _words: None) -> None:
        """Read the file. `changed`: called with a line for each change made by another program. Raises
        Mistakes."""
        self._path, self._changed = path, changed
        self._seen = self._version()
        self._users = read_users(path)

    def current(self) -> Users:
        """Return the users, read again if the file has changed. A file with a mistake is reported once, and
        the previous users stay valid."""
        seen = self._version()
        if seen != self._seen:
            self._seen = seen
            try:
                before, self._users = self._users, read_users(self._path)
                for words in changes(before, self._users):
                    self._changed(words)
            except (Mistakes, OSError) as error:
                words = error.lines[0] if isinstance(error, Mistakes) else str(error)
                log.warning("users: %s; the users before it stay", words, extra={"event": "users"})
        return self._users

    def replace(self, users: Users) -> None:
        """Write the file. Raises OSError if it cannot be written; then the users stay as they were."""
        write_users(self._path, users)
        self._seen, self._users = self._version(), users

    def _version(self) -> tuple[int, int, int] | None:
        try:
            about = self._path.stat()
        except OSError:
            return None
        return about.st_ino, about.st_mtime_ns, about.st_ctime_ns
