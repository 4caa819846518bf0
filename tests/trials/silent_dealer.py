"""The erring dealer at a table without prompts and alerts: no error is shown, so none is put right.

The simulated dealer knows the next step by heart: this code reads that step, and nothing else, from the view.
The dealer regards a step as done after making its movement. An examiner signs each difference as it is, so
that play goes on; the record has the cents of each.
"""

from __future__ import annotations

from collections.abc import Iterator

from controller.game.model.names import Circle
from controller.mock.bench.acts import Act, Press
from controller.mock.bench.acts import prompt_name as name
from controller.mock.bench.bench import ViewData
from controller.mock.bench.layout import Felt
from controller.mock.people.erring_dealer import ErringDealer

STEPS = ("take", "pay", "push")
"""Prompts of the settlement that the dealer completes by a movement of chips or by CONFIRM."""


class SilentDealer(ErringDealer):
    """Dealer who errs and never puts anything right, because no alert is shown."""

    def mend(self, view: ViewData, felt: Felt) -> Iterator[Act]:
        yield from ()

    def differs(self, view: ViewData, felt: Felt) -> Iterator[Act]:
        yield from ()

    def _named(self, circle: Circle) -> bool:
        return False

    def acts(self, view: ViewData, felt: Felt) -> Iterator[Act]:
        yield from super().acts(view, felt)
        if self._afterthought is not None and not self._done_after(view, self._afterthought):
            # the dealer's second thought is dropped: the chip is laid, and no alert is shown
            self._afterthought = None
        prompt = view["prompt"]
        if prompt is not None and self._erring.get(name(view, prompt)):
            yield from self._goes_on(view, prompt)

    def _goes_on(self, view: ViewData, prompt: ViewData) -> Iterator[Act]:
        """Yield the acts after an error of the dealer: the step that was left out, or CONFIRM for a step that
        the dealer regards as done."""
        key = name(view, prompt)
        if self._erring[key] == "out_of_order":
            self._erring[key] = ""
        elif prompt["kind"] in STEPS:
            yield Press("confirm", once=f"{key}:on")
