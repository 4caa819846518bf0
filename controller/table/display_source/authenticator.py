"""Authentication of people: a typed badge or number and its PIN are checked and changed into a name.

A dealer's or floorperson's badge is not enough without a PIN, except on a mock table. Game, journal and pages
receive only the name. Each attempt is in the journal before it is answered. An unknown badge, a wrong PIN, a
person of another role and an attempt during a lockout get the same answer, a row of the same length and the
same work, so that nothing reveals which badges exist. This module must never store, log or raise a PIN.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection
from typing import TypeAlias

from controller.common.secret_hash import fits
from controller.common.token_bucket import TokenBucket
from controller.game.model.events import PersonTried
from controller.game.phases.lockout import attempt_event, must_wait
from controller.pages.display.ports import Refused
from controller.settings.people.register import UNKNOWN, People, Person, Role
from controller.table.engine.engine import Engine
from controller.table.engine.inbox import ask

SCREEN = "screen"
"""The only channel on which people authenticate. The daemon sets it; a request cannot."""
TRIES_PER_S = 1
MAX_TRIES_AT_ONCE = 120
"""Number of attempts that are journalled in full before the rate limit TRIES_PER_S applies, the same for any
badge. Limits the journal's growth.
"""
NOT_PROVEN, TOO_MANY = Refused("not_proven"), Refused("too_many")

Waits: TypeAlias = Callable[[str, str], bool]
"""Function that returns whether a person is still locked out on a channel after failed attempts. Its
arguments are the person's name and the channel."""
WriteAttempt: TypeAlias = Callable[[PersonTried], Awaitable[bool]]
"""Function that writes an attempt to the journal; returns False if that failed."""


class Authenticator:
    """Authenticates people. Used on the loop's thread; PINs are hashed in another thread."""

    def __init__(self, people: People, waits: Waits, write: WriteAttempt, *, open_: bool = False) -> None:
        """Prepare for these people. `waits`: returns whether a person is locked out. `write`: journals an
        attempt. `open_`: True for a mock table, which accepts a badge without a PIN."""
        self._people = people
        self._waits = waits
        self._write = write
        self._open = open_
        self._one_by_one = asyncio.Lock()
        self._allowance: TokenBucket | None = None
        self._unwritten = 0

    async def authenticate(self, typed: str, pin: str | None, roles: Collection[Role]) -> str | Refused:
        """Return the name of the person with the typed badge and one of `roles`.

        Returns a refusal if the PIN or the role does not fit, or after too many attempts.
        """
        person = self._people.get(typed)
        if pin is None and self._open:
            return person.name if person else typed
        async with self._one_by_one:
            if not self._admitted():
                self._unwritten += 1
                return TOO_MANY
            return await self._judge(person, pin or "", roles)

    async def _judge(self, person: Person | None, pin: str, roles: Collection[Role]) -> str | Refused:
        who = person.name if person else UNKNOWN
        early = self._waits(who, SCREEN)
        right = await asyncio.to_thread(fits, pin, person.pin if person and not early else None)
        proven = right and person is not None and bool(set(roles) & set(person.roles))
        unheard, self._unwritten = self._unwritten, 0
        written = await self._write(attempt_event(who, SCREEN, proven=proven, early=early, unheard=unheard))
        return who if proven and written else NOT_PROVEN

    def _admitted(self) -> bool:
        now = asyncio.get_running_loop().time()
        if self._allowance is None:
            self._allowance = TokenBucket(TRIES_PER_S, now, MAX_TRIES_AT_ONCE)
        if not self._allowance.has(now):
            return False
        self._allowance.take()
        return True

    @property
    def dealers_authenticate(self) -> bool:
        """Return whether listed dealers need a PIN; on a mock table none does."""
        return not self._open and any("dealer" in person.roles for person in self._people.values())

    def dealer(self, typed: str) -> str:
        """Return the name of the dealer with the typed number, or `typed` if there is none.

        For a table whose dealers do not authenticate.
        """
        person = self._people.get(typed)
        return person.name if person is not None and "dealer" in person.roles else typed


def authenticator_of(engine: Engine, people: People, *, open_: bool) -> Authenticator:
    """Return an authenticator that writes to this table's journal and reads lockouts from its state."""

    def early(who: str, channel: str) -> bool:
        return must_wait(engine.game.state, who, channel, engine.clock.table_ms(engine.clock.seconds()))

    async def write(event: PersonTried) -> bool:
        return await ask(engine.inbox, event) is None

    return Authenticator(people, early, write, open_=open_)
