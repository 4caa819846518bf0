"""Simulated players at the felt page, where a person is the dealer.

They lay chips, decide and take their chips back by themselves; a player who folds gives a hand signal. They
must never do a dealer's act.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from controller.mock.bench.bench import Bench, Hands, Person, TableStopped, ViewData, play
from controller.mock.bench.layout import BankEmpty
from controller.mock.people.players import Choose, Players

FOREVER = 365 * 86_400.0
ASKS = ("ask", "enter_amount", "confirm_bet", "confirm_fold")
"""Kinds of prompt at which the dealer watches an act of a player."""


class Crowd:
    """Simulated players who sit down and leave on request.

    `trouble`: the reason why they stopped without a request, or None.
    """

    def __init__(
        self,
        bench: Bench,
        hands: Hands,
        seed: int | str,
        seats: Sequence[int],
        choose: Choose | None = None,
    ) -> None:
        self._choose = choose
        self._bench = bench
        self._hands = hands
        self.seats = tuple(seats)
        self._seed = seed
        self._players: Players | None = None
        self._task: asyncio.Task[None] | None = None
        self.trouble: TableStopped | BankEmpty | None = None

    @property
    def here(self) -> bool:
        return self._players is not None

    async def sit_down(self, players: Players | None = None, *others: Person) -> None:
        """Seat `players`, or one simulated player per seat, together with `others`."""
        await self.leave()
        self._players = players or Players(self._seed, self.seats, self._choose)
        self.trouble = None
        self._task = asyncio.create_task(self._play(self._players, others))

    async def leave(self) -> None:
        """Let all players leave. Their chips stay on the table."""
        task, self._task, self._players = self._task, None, None
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _play(self, players: Players, others: Sequence[Person]) -> None:
        try:
            await play(self._hands, (players, *others), lambda _view: False, stall=FOREVER)
        except (TableStopped, BankEmpty) as error:
            self.trouble, self._players = error, None

    def gestures(self, view: ViewData) -> dict[int, str]:
        """Return the hand signals that the dealer can see now, by seat: `folds` at the seat of the prompt, if
        its player folds.
        """
        prompt = view["prompt"] or {}
        seat = prompt.get("seat")
        if self._players is None or seat is None or prompt.get("kind") not in ASKS:
            return {}
        if view["phase"] not in ("across", "down", "middle") or not self._players.folds(view, seat):
            return {}
        return {seat: "folds"}
