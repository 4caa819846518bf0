"""Who decides: what a person typed, and their PIN, become a name, here at the edge.

Behind it nobody handles what was typed: the game, the journal and the pages have the name alone. It must
never keep, log or raise a PIN, and answers the same for a person whom nobody knows and a PIN that is wrong.
"""

from __future__ import annotations

import asyncio

from controller.people.pins import fits
from controller.people.register import People


class Door:
    """Used on the loop's thread; a PIN is held against its hash in another."""

    def __init__(self, people: People, *, open_: bool = False) -> None:
        """`open_`: of a mock table, where a badge without a PIN is believed."""
        self._people = people
        self._open = open_
        self._one_by_one = asyncio.Lock()

    async def proven(self, typed: str, pin: str | None) -> str | None:
        """The name of the person who typed it; None where that is not proven."""
        person = self._people.get(typed)
        if pin is None and self._open:
            return person.name if person else typed
        async with self._one_by_one:
            right = await asyncio.to_thread(fits, pin or "", person.pin if person else None)
        return person.name if person and right else None
