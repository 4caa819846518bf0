"""The floorperson of an exam: play continues after an error, and a call for help ends the round.

A trainee without prompts and alerts cannot correct an error, so the floorperson signs each difference
unchanged. The floorperson must never do the dealer's work.
"""

from __future__ import annotations

from collections.abc import Iterator

from controller.game.model.irregularities import UNFIT, Code
from controller.game.model.names import Circle, Wager
from controller.mock.bench.acts import Act, SetChips, TouchPage
from controller.mock.bench.bench import ViewData
from controller.mock.bench.layout import Felt
from controller.mock.people.dealer import Floorperson
from controller.pages.display import touches

SIGNS_AFTER_S = 3.0
"""Seconds in which a trainee who notices an error can correct it before it is signed."""


class Examiner(Floorperson):
    """Floorperson who signs each difference, and ends the round when the trainee calls."""

    def acts(self, view: ViewData, felt: Felt) -> Iterator[Act]:
        yield from super().acts(view, felt)
        for item in view["waiting"]:
            if item["alert"] is not None or item["what"] == Code.NOT_RETURNED:
                yield TouchPage(
                    self._signed(item), once=f"{view['round']}:{item['about']}", seconds=SIGNS_AFTER_S
                )
        if view["floor_called"]:
            yield from self._helps(view)

    def _signed(self, item: ViewData) -> touches.FloorTouch:
        """Return the signature for an item that waits for one. The house is named as holder of chips that
        left their circle unseen."""
        sign = touches.FloorTouch(
            badge=self.badge, decision="sign", seat=item["seat"], wager=item["wager"], about=item["about"],
            reason="Exam",
        )  # fmt: skip
        return sign.model_copy(update={"holder": "house"}) if item["missing"] else sign

    def _helps(self, view: ViewData) -> Iterator[Act]:
        """Void the round. Before the deal, remove the wrong wagers and answer the call."""
        about = view["about"]
        if "void" in view["floor"]["stops"]:
            void = touches.FloorTouch(
                badge=self.badge, decision="outcome", outcome="void", about=about["round"], reason="Exam"
            )
            yield TouchPage(void, once=f"{view['round']}:helped", seconds=SIGNS_AFTER_S)
            return
        for seat in {alert["seat"] for alert in view["alerts"] if alert["code"] in UNFIT and alert["seat"]}:
            for wager in view["seats"][seat - 1]["circles"]:
                yield SetChips(Circle(seat, Wager(wager)), 0)
        if view["hold"] is None:
            answer = touches.FloorTouch(badge=self.badge, decision="answer", about=about["call"])
            yield TouchPage(answer, once=f"{view['round']}:{about['call']}", seconds=1.0)
