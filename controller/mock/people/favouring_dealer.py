"""The simulated dealer whose errors favour one seat: too much there, too little at every other seat.

The dealer signs on, because evidence about a dealer needs their number in the records.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from controller.game.model.names import Circle
from controller.mock.bench.acts import Act, TouchPage
from controller.mock.bench.bench import ViewData
from controller.mock.bench.layout import Felt
from controller.mock.people.erring_dealer import ErringDealer
from controller.mock.people.opening import FIRST_DEALER
from controller.pages.display.touches import SignOn

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
        prompt = view["prompt"]
        if view["dealer"] is None and prompt is not None and prompt["entry"] == "sign_on":
            yield TouchPage(SignOn(number=FIRST_DEALER), once="sign on")
        yield from super().acts(view, felt)

    def _errs(
        self,
        view: ViewData,
        prompt: ViewData,
        circle: Circle | None,
        *kinds: str,
        places: tuple[str, ...] = (),
    ) -> str | None:
        wanted = FOR_PLAYER if prompt["seat"] == self._seat else AGAINST_PLAYER
        chosen = (kind for kind in kinds if kind in wanted)
        return super()._errs(view, prompt, circle, *chosen, places=places)
