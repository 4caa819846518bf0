"""Who decides and who deals: what a person typed, and their PIN, become a name, here at the edge.

Behind it nobody handles what was typed: the game, the journal and the pages have the name alone. Every try
that is judged is in the journal before it is answered. Somebody whom nobody knows, a PIN that is wrong and
a try that comes too early get the same answer after the same work. It must never keep, log or raise a PIN.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Collection
from typing import TypeAlias

from controller.game.model.events import PersonTried
from controller.game.phases.identity import waits
from controller.people.pins import fits
from controller.people.register import UNKNOWN, People, Role
from controller.runtime.engine import Engine
from controller.runtime.inbox import ask

Waits: TypeAlias = Callable[[str, str], bool]
"""Whether a person's next try on a channel is not heard yet."""
Tell: TypeAlias = Callable[[PersonTried], Awaitable[bool]]
"""Write a try down; False where that could not be done."""


class Authenticator:
    """Used on the loop's thread; a PIN is held against its hash in another."""

    def __init__(self, people: People, waits: Waits, tell: Tell, *, open_: bool = False) -> None:
        """`open_`: of a mock table, where a badge without a PIN is believed."""
        self._people = people
        self._waits = waits
        self._tell = tell
        self._open = open_
        self._one_by_one = asyncio.Lock()
        self._unheard: Counter[tuple[str, str]] = Counter()

    async def authenticate(self, typed: str, pin: str | None, channel: str) -> str | None:
        """The name of the person who typed it; None where that is not proven."""
        person = self._people.get(typed)
        if pin is None and self._open:
            return person.name if person else typed
        who = person.name if person else UNKNOWN
        async with self._one_by_one:
            early = self._waits(who, channel)
            kept = person.pin if person and not early else None
            right = await asyncio.to_thread(fits, pin or "", kept)
            if early:
                self._unheard[who, channel] += 1
                return None
            written = await self._tell(PersonTried(who, channel, right, self._unheard.pop((who, channel), 0)))
        return who if right and written else None

    @property
    def dealers_authenticate(self) -> bool:
        """Whether dealers are listed and prove who they are; on a mock table a dealer is whoever says so."""
        return not self._open and any("dealer" in person.roles for person in self._people.values())

    def dealer(self, typed: str) -> str:
        """The name of who typed it, where nobody has to prove it."""
        person = self._people.get(typed)
        return person.name if person is not None and "dealer" in person.roles else typed

    async def authenticate_as(
        self, roles: Collection[Role], typed: str, pin: str, channel: str
    ) -> str | None:
        """The name of somebody of one of these roles; None where that is not proven. Somebody of another role
        gets the answer of somebody whom nobody knows."""
        who = await self.authenticate(typed, pin, channel)
        person = self._people.get(typed)
        return who if person is not None and set(roles) & set(person.roles) else None


def authenticator_of(engine: Engine, people: People, *, open_: bool) -> Authenticator:
    """Whose tries are events of this table."""

    def early(who: str, channel: str) -> bool:
        return waits(engine.game.state, who, channel, engine.clock.table_ms(engine.clock.seconds()))

    async def tell(event: PersonTried) -> bool:
        return await ask(engine.inbox, event) is None

    return Authenticator(people, early, tell, open_=open_)
