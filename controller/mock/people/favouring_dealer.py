"""The simulated dealer whose errors favour one seat: too much there, too little at every other seat.

The dealer signs on, because evidence about a dealer needs their number in the records.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from controller.mock.bench.acts import Act
from controller.mock.bench.bench import ViewData
from controller.mock.bench.layout import Felt
from controller.mock.people.erring_dealer import ErringDealer
from controller.mock.people.opening import first_sign_on

DEALER_ERRORS = "dealer_errors"
"""Kind of cheating of this dealer, for --cheat."""
FOR_PLAYER = ("over", "push_paid")
AGAINST_PLAYER = ("short", "push_swept")
USUAL_SHARE = 0.4
"""Share of the settlement steps with an error, unless the run has another one."""


class FavouringDealer(ErringDealer):
    """Dealer who errs for the player at `seat` and against all others."""

    def __init__(
        self,
        seed: int | str,
        folds: Callable[[ViewData, int], bool],
        ready: Callable[[ViewData, Felt], bool],
        share: float,
        seat: int,
    ) -> None:
        super().__init__(seed, folds, ready, share)
        self._seat = seat

    def acts(self, view: ViewData, felt: Felt) -> Iterator[Act]:
        yield from first_sign_on(view)
        yield from super().acts(view, felt)

    def _wanted(self, prompt: ViewData, kinds: tuple[str, ...]) -> tuple[str, ...]:
        wanted = FOR_PLAYER if prompt["seat"] == self._seat else AGAINST_PLAYER
        return tuple(kind for kind in kinds if kind in wanted)
