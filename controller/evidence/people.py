"""Access to the surveillance pages: people of the table's file with the role `surveillance`, and sessions.

The file is read at each request, so that a person who was removed loses access at once. If it cannot be read,
nobody has access.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Callable
from pathlib import Path

from controller.common.files.mistakes import Mistakes
from controller.common.http.sessions import Attempts, Sessions
from controller.common.process.log_once import LogOnce
from controller.common.secret_hash import fits
from controller.settings.people.register import People, Person, read_people

log = logging.getLogger("crisscross.surveillance")
ROLE = "surveillance"
MAX_TYPED = 64
"""Maximum number of characters of a badge or PIN that are compared."""


class Access:
    """Sessions of people who may see the pages. `file`: the table's file of people, whose role `surveillance`
    gives access. `seconds`: returns monotonic seconds."""

    def __init__(self, file: Path, seconds: Callable[[], float]) -> None:
        self._file = file
        self._faults = LogOnce(log)
        self._sessions = Sessions(self.people, seconds)
        self._attempts = Attempts(seconds)
        self._one_by_one = asyncio.Lock()

    def people(self) -> People:
        """Return the people with the role, by the badge that they type; none if the file cannot be read."""
        try:
            every = read_people(self._file)
        except (Mistakes, OSError) as error:
            words = "; ".join(error.lines) if isinstance(error, Mistakes) else str(error)
            self._faults.warn(f"{words}; no one may sign in")
            return {}
        self._faults.over()
        return {typed: person for typed, person in every.items() if _may(person)}

    def is_signed_in(self, token: str, *, by_hand: bool) -> bool:
        """Return whether `token` belongs to a valid session. `by_hand`: whether a person caused the request;
        only such a request extends the session."""
        return bool(token) and self._sessions.use(token, renews=by_hand) is not None

    async def sign_in(self, typed: str, pin: str, address: str) -> str | int:
        """Return the token of a new session (str), or a refusal (int): the seconds until the next attempt is
        allowed, or 0 for a wrong badge or PIN or a person without the role. `address`: the client's, because
        attempts are limited by address too."""
        async with self._one_by_one:
            wait = self._attempts.wait_s(typed, address)
            if wait > 0:
                return math.ceil(wait)
            person = self.people().get(typed)
            right = await asyncio.to_thread(fits, pin[:MAX_TYPED], person.pin if person else None)
            if person is None or not right:
                self._attempts.failed(typed, address)
                log.warning("a sign-in from %s is refused", address)
                return 0
            self._attempts.passed(typed, address)
            log.info("%s has signed in from %s", person.name, address)
            return self._sessions.begin(typed, person)

    def sign_out(self, token: str) -> None:
        self._sessions.end(token)


def _may(person: Person) -> bool:
    return ROLE in person.roles and not person.withdrawn and person.pin is not None
