"""Plays one scenario on a bench, step by step, as tests/scenarios/FORMAT.md describes.

It uses the public view and the round records, and acts like the people and the technician at a table. A run
must never look into the daemon, and never continue after a failed step.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from controller.common.files.money import dollars
from controller.game.model.chips import fewest_chips
from controller.game.model.names import Circle, Wager
from controller.mock.bench.bench import (
    Bench,
    Hands,
    Record,
    TableStopped,
    TouchAnswer,
    ViewData,
    describe_stall,
)
from controller.mock.bench.layout import BankEmpty, Felt
from controller.mock.bench.touch_subjects import circle_of, signable
from controller.mock.people.opening import open_table
from controller.mock.people.players import circle_views
from controller.mock.scenario.expect import Expect
from controller.mock.scenario.people import ScenarioDealer, ScenarioPlayers
from controller.mock.scenario.round import RoundPlayer, StepFailed, read
from controller.mock.scenario.steps import Action, CarryStep, ChipsStep, DeckStep, PassingStep, Scenario
from controller.pages.display.touches import Touch

DEVICE_WAITS = ("cards_wait", "shuffle_wait", "reading_wait", "proofs_wait")
"""Kinds of prompt that wait for a device."""

Write = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class ScenarioResult:
    """Result of one played scenario. `failed_step`: number of the step that failed, counted from 1;
    `message`: why."""

    name: str
    passed: bool
    failed_step: int | None = None
    message: str | None = None

    def as_json(self) -> dict[str, Any]:
        return {
            "type": "scenario",
            "name": self.name,
            "passed": self.passed,
            "failed_step": self.failed_step,
            "message": self.message,
        }


class Runner:
    """Runner of one scenario on a bench that has been started."""

    def __init__(
        self,
        bench: Bench,
        scenario: Scenario,
        hands: Hands,
        report: Write,
        recorded: Callable[[Record], None],
    ) -> None:
        self.bench = bench
        self.scenario = scenario
        self.hands = hands
        self._report = report
        self._recorded = recorded
        self._dealer = ScenarioDealer(ScenarioPlayers({}), in_round=False)
        self._dealer_on = True
        self._record: Record | None = None

    async def run(self) -> ScenarioResult:
        """Open the table and carry out the steps until one fails."""
        name = self.scenario.name
        try:
            await open_table(self.hands)
        except (TableStopped, StepFailed) as error:
            return ScenarioResult(name, False, None, f"the table does not open: {error}")
        for number, step in enumerate(self.scenario.steps, 1):
            try:
                await self._step(step.action)
            except (StepFailed, TableStopped, BankEmpty) as error:
                self._report(f"FAILED  {self.scenario.file}:{step.line}: {step.words}\n        {error}")
                return ScenarioResult(
                    name, False, number, f"{self.scenario.file}:{step.line}: {step.name}: {error}"
                )
            self._report(f"ok      {step.words}")
        self.records()
        return ScenarioResult(name, True)

    def records(self) -> list[Record]:
        """Return the records written since the last call. `expect` compares with the last one."""
        new = self.bench.records()
        for record in new:
            self._record = record
            self._recorded(record)
        return new

    # ------------------------------------------------------------------ steps

    async def _step(self, action: Action) -> None:
        if action.round is not None:
            self._dealer_on = False
            await RoundPlayer(self.bench, self.hands, self.records).play(action.round)
        elif action.dealer is not None:
            self._dealer_on = action.dealer
        elif action.expect is not None:
            await self._expect(action.expect)
        elif action.wait is not None:
            await self._wait(action.wait)
        else:
            await self._settle()
            await self._do(action)

    async def _do(self, action: Action) -> None:
        if action.chips is not None:
            await self._chips(action.chips)
        elif action.passing is not None:
            await self._pass(action.passing)
        elif action.carry is not None:
            await self._carry(action.carry)
        elif action.shoe is not None:
            self.bench.arrange(action.shoe)
        elif action.fault is not None:
            self.bench.fault(action.fault)
        elif action.deck is not None:
            await self._deck(action.deck)
        elif action.clock is not None:
            await self.bench.clock(action.clock.both_ms, action.clock.utc_ms)
        elif action.cut_power:
            await self.bench.cut_power()
        elif action.press is not None:
            self._answered(await self.bench.press_for_answer(action.press))
        elif action.touch is not None:
            await self._touch(action.touch)

    async def _touch(self, touch: Touch) -> None:
        """Send a touch. A signature without a circle is sent once for each circle to be signed, as the floor
        page does. The screen first shows the effect of the step before."""
        body = touch.body()
        view = await self.bench.wait_for_view(self.bench.view()["version"], self.bench.quiet)
        waits = view["hold"] is None and body.get("decision") == "sign"
        places = sorted(map(circle_of, signable(view, body)), key=_by_circle) if waits else []
        signatures = [{**body, **place} for place in places]
        for each in signatures or [body]:
            await self._decide(each)

    async def _decide(self, body: Mapping[str, Any]) -> None:
        """Send a touch. Read a hold again and repeat the decision while cards that still arrive amend it
        (refusal `hold_changed`); another hold gets no decision."""
        while True:
            seen = self.bench.view()["version"]
            answer = await self.bench.touch(body)
            self._answered(answer)
            if answer.code != "hold_changed":
                return
            await self.bench.wait_for_view(seen, 0.25)

    def _answered(self, answer: TouchAnswer) -> None:
        if answer.refused is not None:
            self._report(f"        refused: {answer.refused}")

    async def _deck(self, action: DeckStep) -> None:
        if action.count is not None:
            self.bench.deck_count(action.count)
        if touch := action.touch:
            self.bench.new_deck(action.back, same=action.same)
            await self._touch(touch)

    async def _chips(self, action: ChipsStep) -> None:
        named = self._named(action)
        move_chips(self.bench.felt, action)
        offered = circle_views(self.bench.view())
        await read(self.bench, named or [place for place in offered if place.seat == action.seat])

    async def _pass(self, action: PassingStep) -> None:
        """Carry chips over circles for `seconds` while no other person acts."""
        felt, named = self.bench.felt, self._named(action)
        lay = {circle: felt.circles.get(circle, ()) for circle in named}
        for circle, amount in zip(named, action.circles.values(), strict=True):
            felt.add(circle, amount.chips or fewest_chips(amount.cents, felt.bank.values())[0])
        await self._until(self.bench.seconds() + action.seconds)
        for circle, uids in lay.items():
            felt.bank.put_back(uid for uid in felt.circles[circle] if uid not in uids)
            felt.place(circle, uids)
        await read(self.bench, named)

    async def _carry(self, action: CarryStep) -> None:
        felt = self.bench.felt
        if missing := Counter(action.chips) - Counter(felt.chips(action.out_of)):
            there = ", ".join(map(dollars, felt.chips(action.out_of))) or "no chip"
            raise StepFailed(f"no chip of {dollars(max(missing))} in {action.out_of.key}; it has {there}")
        felt.carry(action.out_of, action.into, action.chips)
        await read(self.bench, [action.out_of, action.into])

    def _named(self, action: ChipsStep | PassingStep) -> list[Circle]:
        """Return the circles of a step. Raises Failed if the table lacks one of them."""
        named = [Circle(action.seat, wager) for wager in action.circles]
        offered = circle_views(self.bench.view())
        for circle in named:
            if circle not in offered:
                known = ", ".join(place.wager for place in offered if place.seat == action.seat)
                raise StepFailed(f"this table has no circle {circle.wager}; it has {known}")
        return named

    async def _until(self, limit: float) -> None:
        """Wait until `limit`, in seconds of the bench's clock."""
        while (left := limit - self.bench.seconds()) > 0:
            await self.bench.wait_for_view(self.bench.view()["version"], left)

    # ------------------------------------------------------------------ waiting

    async def _settle(self) -> None:
        """Wait until the simulated dealer, if enabled, has answered all prompts."""
        while self._dealer_on:
            view = self.bench.view()
            acted = await self._dealer_acts(view)
            waits = acted or (view["prompt"] or {}).get("kind") in DEVICE_WAITS
            newer = await self.bench.wait_for_view(view["version"], 2.0 if waits else self.bench.quiet)
            if newer["version"] == view["version"]:
                return

    async def _dealer_acts(self, view: ViewData) -> bool:
        if not self._dealer_on:
            return False
        self.hands.forget_ended(view)
        return any([await self.hands.do(act) for act in self._dealer.acts(view, self.bench.felt)])

    async def _expect(self, action: Expect) -> None:
        limit = self.bench.seconds() + action.within
        while True:
            self.records()
            view = self.bench.view()
            wrong = action.differences(view, self._record)
            if not wrong:
                return
            left = limit - self.bench.seconds()
            if left <= 0:
                raise StepFailed("; ".join(wrong) + f" ({describe_stall(view)})")
            await self._dealer_acts(view)
            await self.bench.wait_for_view(view["version"], min(left, 0.25))

    async def _wait(self, seconds: float) -> None:
        limit = self.bench.seconds() + seconds
        while (left := limit - self.bench.seconds()) > 0:
            view = self.bench.view()
            await self._dealer_acts(view)
            await self.bench.wait_for_view(view["version"], left)


def _by_circle(place: Mapping[str, Any]) -> tuple[int, int]:
    """Return a key that sorts items to be signed by seat and wager, because signatures do not follow the
    order of the readers. Steps of an opening have no circle; they come first and keep their order."""
    return place["seat"] or 0, tuple(Wager).index(place["wager"]) if place["wager"] else 0


def move_chips(felt: Felt, step: ChipsStep) -> None:
    """Put into each circle of the step the amount or chips that the step names."""
    if step.clear:
        for circle in [place for place in felt.circles if place.seat == step.seat]:
            felt.clear(circle)
    for wager, amount in step.circles.items():
        circle = Circle(step.seat, wager)
        if amount.chips is None:
            felt.set_amount(circle, amount.cents)
        else:
            felt.set_chips(circle, amount.chips)
        for kind in amount.strange:
            felt.add_strange(circle, kind)
