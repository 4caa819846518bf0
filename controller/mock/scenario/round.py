"""The `round` step: load the shoe, lay the wagers, close the bets, and play until the phase in `until`.

Dealer and players act until then and stop afterwards. The step fails if the table is held, stalls or ends
the round before that phase; it never decides a hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from controller.game.model.names import Circle, Key, Method, Phase, Wager
from controller.mock.bench.acts import Act
from controller.mock.bench.bench import (
    Bench,
    Hands,
    Person,
    Record,
    TableStopped,
    ViewData,
    describe_stall,
    play,
)
from controller.mock.bench.layout import Felt
from controller.mock.people.dealer import OpeningFloor
from controller.mock.people.players import circle_views
from controller.mock.scenario.people import ScenarioDealer, ScenarioPlayers
from controller.mock.scenario.steps import RoundStep
from controller.pages.display.touches import FloorTouch

READING_S = 5.0


class StepFailed(Exception):
    """Raised if a step fails. The message has the expected and the seen value."""


async def read(bench: Bench, circles: list[Circle]) -> None:
    """Wait until the view has the amounts in these circles or marks them as unreadable. Raises Failed after
    READING_S."""
    limit = bench.seconds() + READING_S
    while True:
        view = bench.view()
        found = circle_views(view)
        unread = [
            circle
            for circle in circles
            if found[circle]["reading"] in ("ok", "none")
            and (found[circle]["amount"] or 0) != bench.felt.amount(circle)
        ]
        left = limit - bench.seconds()
        if not unread:
            return
        if left <= 0:
            where = ", ".join(f"seat {circle.seat} {circle.wager}" for circle in unread)
            raise StepFailed(f"no stable reading of {where} in {READING_S:g} s")
        await bench.wait_for_view(view["version"], left)


class RoundPlayer:
    """Player of one `round` step. `records` returns the records written since its last call."""

    def __init__(self, bench: Bench, hands: Hands, records: Callable[[], Sequence[Record]]) -> None:
        self.bench = bench
        self.hands = hands
        self._records = records

    async def play(self, step: RoundStep) -> None:
        if (hold := self.bench.view()["hold"]) is not None:
            raise StepFailed(f"the table is held ({hold['code']}); a floor step decides first")
        await self._clear()
        await self._use(step.method)
        load_cards(self.bench, step)
        lay_wagers(self.bench.felt, step)
        await self._read()
        if step.until is Phase.BETTING:
            return
        self._records()
        await self._press_no_more_bets()
        await self._go_on(step)

    async def _clear(self) -> None:
        """Play out the previous round and empty the circles. Raises Failed if the table is held."""
        players = ScenarioPlayers({})
        people = (ScenarioDealer(players, in_round=True), players, OpeningFloor())
        view = await self._guarded(play(self.hands, people, betting))
        if view["hold"] is not None:
            raise StepFailed(f"the table is held ({view['hold']['code']}); a floor step decides first")
        for circle in sorted(self.bench.felt.circles):
            self.bench.felt.clear(circle)
        await self._read()

    async def _use(self, method: Method | None) -> None:
        if method is None or self.bench.view()["method"] == method:
            return
        answer = await self.bench.touch(FloorTouch(badge="B1", decision="method", method=method).body())
        if answer.refused is not None:
            raise StepFailed(f"the way of dealing cannot be {method}: {answer.refused}")
        players = ScenarioPlayers({})
        people = (ScenarioDealer(players, in_round=True), players, OpeningFloor())

        def ready(view: ViewData) -> bool:
            return view["hold"] is not None or bool(view["method"] == method and view["keys"]["no_more_bets"])

        await self._guarded(play(self.hands, people, ready))

    async def _read(self) -> None:
        await read(self.bench, list(circle_views(self.bench.view())))

    async def _press_no_more_bets(self) -> None:
        """Press NO MORE BETS as soon as the key is enabled. The key is dark at first if a shoe that has just
        replaced another is still connecting.
        """
        limit = self.bench.seconds() + READING_S
        while not (view := self.bench.view())["keys"]["no_more_bets"] and self.bench.seconds() < limit:
            await self.bench.wait_for_view(view["version"], limit - self.bench.seconds())
        answer = await self.bench.press_for_answer(Key.NO_MORE_BETS)
        if answer.refused is not None:
            raise StepFailed(f"no more bets was refused: {answer.refused}")

    async def _go_on(self, step: RoundStep) -> None:
        players = ScenarioPlayers(step.seats)
        people = (UntilCleared(ScenarioDealer(players, in_round=True)), UntilCleared(players))
        number = self.bench.view()["round"]

        def there(view: ViewData) -> bool:
            if step.until is None:
                return view["hold"] is not None or self._recorded(number)
            return view["hold"] is not None or view["phase"] == step.until or self._recorded(number)

        self._seen = 0
        view = await self._guarded(play(self.hands, people, there))
        wanted = step.until or "settled"
        if view["hold"] is not None and step.until is not Phase.HELD:
            raise StepFailed(f"expected {wanted}, seen held: {view['hold']['code']}")
        if step.until is not None and view["phase"] != step.until:
            raise StepFailed(f"expected {wanted}, the round ended without it; {describe_stall(view)}")

    def _recorded(self, number: int) -> bool:
        self._seen = max([self._seen, *(record["round"] for record in self._records())])
        return self._seen >= number

    async def _guarded(self, playing: object) -> ViewData:
        try:
            return await playing  # type: ignore[misc,no-any-return]
        except TableStopped as error:
            raise StepFailed(str(error)) from error


def load_cards(bench: Bench, step: RoundStep) -> None:
    """Load the shoe so that the cards of the file are dealt to their places."""
    antes = (Wager.ANTE_ACROSS, Wager.ANTE_DOWN)
    seats = [seat for seat, plan in step.seats.items() if all(ante in plan.laid for ante in antes)]
    cards = {str(place): card for place, card in (*step.cross.items(), *step.bonus.items())}
    for seat, plan in step.seats.items():
        cards |= {f"seat_{seat}_{number}": card for number, card in enumerate(plan.cards, 1)}
    bench.load_round(seats, cards, step.stub)


def lay_wagers(felt: Felt, step: RoundStep) -> None:
    """Lay the wagers of the file that players lay before "no more bets"."""
    for seat, plan in step.seats.items():
        for wager, amount in plan.laid.items():
            circle = Circle(seat, wager)
            if amount.chips is None:
                felt.set_amount(circle, amount.cents)
            else:
                felt.set_chips(circle, amount.chips)


class UntilCleared:
    """A simulated person who stops acting once the round has been settled and its cards are to be cleared."""

    def __init__(self, hand: Person) -> None:
        self._hand = hand

    def acts(self, view: ViewData, felt: Felt) -> Iterable[Act]:
        return () if view["phase"] == "clearing" else self._hand.acts(view, felt)


def betting(view: ViewData) -> bool:
    """Return whether the step may begin: bets are open and no device has to be covered first, or play is
    held, in which case the step will fail."""
    kind = (view["prompt"] or {}).get("kind")
    return bool(view["phase"] == "betting" and kind != "cover_device") or view["hold"] is not None
