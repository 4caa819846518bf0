"""Interface of a mock table for its users: simulated people, scenarios and the felt page.

`wired.py` implements `Bench` with serial lines and the daemon as a child process, `in_process.py` with the
same daemon in this process and devices plugged in at the ports. `Hands` carries out acts. The bench must
never ask the controller for more than its public view.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Protocol

from controller.game.model.names import Circle, Method
from controller.game.model.rules import RulePack
from controller.mock.bench.acts import (
    Act,
    Carry,
    DealHand,
    Draw,
    Gather,
    Lay,
    Lift,
    Press,
    SetChips,
    SwapCards,
    TakeStub,
    TouchPage,
    prompt_name,
)  # fmt: skip
from controller.mock.bench.device_requests import CardToken, FaultRequest
from controller.mock.bench.layout import Felt
from controller.mock.bench.options import TablePaths
from controller.mock.bench.wires import Wire
from controller.settings.config import TableConfig

ViewData = Mapping[str, Any]
Record = Mapping[str, Any]


class TableStopped(Exception):
    """Raised if the daemon has ended, does not answer, or no longer continues. The message is one line with
    the known reason."""


@dataclass(frozen=True, slots=True)
class TouchAnswer:
    """Answer of the table to a touch or key. `refused`: the reason as text, None if accepted; `code`: the
    reason as a code."""

    refused: str | None = None
    code: str | None = None


class Bench(Protocol):
    """A complete mock table: devices, daemon and felt. `places`: its temporary files; `config`: its table
    file."""

    places: TablePaths
    config: TableConfig
    felt: Felt
    pack: RulePack
    method: Method
    port: int
    """Port of the display; 0 if the table has no display."""
    quiet: float
    """Seconds without a new view after which no further view is expected from earlier acts."""

    async def start(self) -> None: ...

    async def stop(self) -> None: ...

    def view(self) -> ViewData:
        """Return the newest public view of the daemon."""

    def shown(self) -> ViewData:
        """Return the newest view of the pages; in an exam it has fewer data than `view`."""

    async def elapse(self, seconds: float) -> None:
        """Let `seconds` of table time pass while people act. On wires this does nothing, because time passes
        by itself."""

    async def wait_for_view(self, since: int, seconds: float) -> ViewData:
        """Return the newest view as soon as its version is above `since` or a record has come, at the latest
        after `seconds`."""

    def seconds(self) -> float:
        """Return the bench's time in seconds. Without wires it advances only while a caller waits."""

    async def press(self, key: str) -> None:
        """Press a key on the table. A key names no prompt."""

    async def press_for_answer(self, key: str) -> TouchAnswer:
        """Press a key and return the table's answer."""

    async def touch(self, body: Mapping[str, Any]) -> TouchAnswer: ...

    def records(self) -> list[Record]:
        """Return the round records written since the last call."""

    def lamp(self, circle: Circle) -> str:
        """Return the colour of a circle's lamp now: off, green, red or amber."""

    def brightness(self) -> int:
        """Return the brightness of the lit lamps, in percent."""

    def exit_holds(self) -> str:
        """Return the content of the shoe's exit: `stack`, `partial` (part of a stack), `stub`, or "" if it is
        empty.
        """

    def peek(self, seats: Sequence[int]) -> Mapping[str, str]:
        """Return the faces that the shoe will deal to the places of a round, as a cheat knows who has read
        the deck; {} while no deck is loaded.
        """

    def deck_in(self) -> str:
        """Return the back colour of the deck that is loaded in the device: `red`, `blue`, or "" if none is
        loaded.
        """

    def wires(self) -> Sequence[Wire]:
        """Return the last frames of each serial line; an empty list without wires."""

    # acts with cards

    async def lift(self) -> Sequence[str | None]:
        """Take the stack out of the exit. Returns its faces, in the order in which they left the shoe; None
        for a face unknown to the mock.
        """

    async def draw(self) -> str | None: ...

    async def deal_hand(self, seats: Sequence[int]) -> Mapping[str, str | None]:
        """Deal a round to these seats from the dealer's hand. Returns the face of the card at each place,
        None if unknown."""

    async def take_stub(self) -> int | None: ...

    async def gather(self) -> None:
        """Put all cards back into the device."""

    # for technicians and scenarios

    def arrange(self, cards: Sequence[CardToken]) -> None:
        """Put these cards before the rest of the deck, which follows in random order."""

    def load_round(self, seats: Sequence[int], cards: Mapping[str, CardToken], stub: int | None) -> None:
        """Order the deck so that `cards` are dealt to their places in a round of these seats. `stub`: the
        count that the shoe reports for its stub; None: the true count."""

    def new_deck(self, back: str | None, *, same: bool) -> None:
        """Put another deck into the device, or the same one again if `same`. `back`: its back colour."""

    def swap_deck(self, back: str) -> None:
        """Put the deck with that back colour into the device, already shuffled, without a touch of the
        screen.
        """

    def fault(self, fault: FaultRequest) -> None: ...

    def deck_count(self, count: int) -> None:
        """Set the number of cards that the shuffler counts at its next count."""

    async def clock(self, both_ms: int, utc_ms: int) -> None: ...

    async def cut_power(self) -> None: ...


class Person(Protocol):
    """A simulated person at the table, who chooses their acts from the view."""

    def acts(self, view: ViewData, felt: Felt) -> Iterable[Act]: ...


@dataclass(slots=True)
class Pace:
    """Pace of simulated people. `speed`: 1 is real time, None does not wait. `elapse` advances the bench's
    own time.
    """

    speed: float | None = None
    elapse: Callable[[float], Awaitable[None]] | None = None

    async def pause(self, seconds: float) -> None:
        if self.speed:
            await asyncio.sleep(seconds / self.speed)
        if self.elapse is not None:
            await self.elapse(seconds)


STALL = 10.0
"""Timeout in seconds: the table counts as stalled if a person has an act to do and no new view comes for this
long.
"""

TRIES = 3
"""Number of times that the keys are pressed again before a prompt that does not change counts as a stall."""


@dataclass(slots=True)
class Hands:
    """Carries out acts, at most one for each name in `once`. `on_refusal`: called with the reason of each
    refused touch."""

    bench: Bench
    pace: Pace = field(default_factory=Pace)
    on_refusal: Callable[[str], None] = lambda _words: None
    done: dict[str, type] = field(default_factory=dict)

    async def do(self, act: Act) -> bool:
        """Carry out an act. Returns False, and does nothing, if an act with the same `once` was done
        before.
        """
        if act.once:
            if act.once in self.done:
                return False
            self.done[act.once] = type(act)
        await self.pace.pause(act.seconds)
        await self._carry_out(act)
        return True

    async def _carry_out(self, act: Act) -> None:
        felt, bench = self.bench.felt, self.bench
        match act:
            case SetChips(chips=None):
                felt.set_amount(act.circle, act.cents)
            case SetChips(chips=values) if values is not None:
                felt.set_chips(act.circle, values)
            case Lay():
                felt.add(act.circle, act.chips)
            case Carry():
                felt.carry(act.out_of, act.into, act.chips)
            case Press():
                await bench.press(act.key)
            case TouchPage():
                answer = await bench.touch(act.touch.body())
                if answer.refused:
                    self.on_refusal(answer.refused)
            case Lift():
                felt.cards.update(zip(act.places, await bench.lift(), strict=False))
            case Draw():
                felt.cards[act.place] = await bench.draw()
            case DealHand():
                felt.cards.update(await bench.deal_hand(act.seats))
            case TakeStub():
                felt.stub = await bench.take_stub()
            case Gather():
                felt.cards.clear()
                felt.stub = None
                await bench.gather()
            case SwapCards():
                _swap(felt, act.first, act.second)

    def forget_ended(self, view: ViewData) -> None:
        """Forget acts for prompts and holds that are over, so that they can be done again when the same
        prompt or hold recurs.
        """
        prompt = prompt_name(view, view["prompt"]) if view["prompt"] else ""
        held = view["hold"] is not None
        passing = [name for name in self.done if held or _kind(name) in PASSING]
        for name in passing:
            if _has_ended(name, self.done[name], view, prompt):
                del self.done[name]

    def forget_presses(self) -> bool:
        """Forget the key presses, so that a key without effect is pressed again. Returns False if there were
        none."""
        presses = [name for name, kind in self.done.items() if kind is Press]
        for name in presses:
            del self.done[name]
        return bool(presses)

    def forget_before(self, number: int) -> None:
        """Forget the acts of all rounds before `number`."""
        self.done = {name: kind for name, kind in self.done.items() if name.startswith(f"{number}:")}


BETWEEN = ("open_table", "deck_needed", "opening_step", "signature", "cut", "clear")
"""Kinds of prompt between rounds. No reading brings such a prompt back, so it is over when another prompt
comes.
"""
PASSING = (*BETWEEN, "load_deck", "hold")
"""Kinds of prompt that may recur in a round without a hold between them."""


@lru_cache(1000)  # called for every act at every view
def _kind(name: str) -> str:
    """Return the kind of prompt in a name by `prompt_name`, or "hold" for an act during a hold."""
    before, _, rest = name.partition(":")
    return before if before == "hold" else rest.partition(":")[0]


def _has_ended(name: str, act: type, view: ViewData, prompt: str) -> bool:
    if name.startswith("hold:"):
        return view["hold"] is None
    if view["hold"] is not None and act in (Draw, Press):
        return True  # a jammed shoe released no card, so the card is drawn again later
    kind = _kind(name)
    if kind == "load_deck":  # a device that refuses to shuffle causes this prompt repeatedly
        return bool(view["phase"] != "shuffle")
    return kind in BETWEEN and not (prompt and name.startswith(prompt))


def _swap(felt: Felt, first: Sequence[str], second: Sequence[str]) -> None:
    for one, other in zip(first, second, strict=True):
        felt.cards[one], felt.cards[other] = felt.cards.get(other), felt.cards.get(one)


async def play(
    hands: Hands,
    people: Sequence[Person],
    until: Callable[[ViewData], bool],
    *,
    on_view: Callable[[ViewData], None] = lambda _view: None,
    stall: float = STALL,
) -> ViewData:
    """Let the people act on each view until `until` returns True for it; return that view. Raises
    TableStopped if nothing changes for `stall` seconds."""
    view = hands.bench.view()
    tried: list[str] = []
    while not until(view):
        on_view(view)
        hands.forget_ended(view)
        acted = [await hands.do(act) for hand in people for act in hand.acts(view, hands.bench.felt)]
        limit = hands.bench.seconds() + stall
        newer = await hands.bench.wait_for_view(view["version"], stall)
        if newer["version"] != view["version"]:
            if newer["round"] != view["round"]:
                hands.forget_before(newer["round"])
        elif not any(acted) and hands.bench.seconds() >= limit:
            prompt = prompt_name(view, view["prompt"]) if view["prompt"] else view["phase"]
            if tried.count(prompt) >= TRIES or not hands.forget_presses():
                raise TableStopped(describe_stall(view))
            tried.append(prompt)
        view = newer
    on_view(view)
    hands.forget_ended(view)
    return view


def describe_stall(view: ViewData) -> str:
    """Return round, phase, prompt and faults of a stalled table in one line."""
    prompt = view["prompt"] or {}
    held = f", held: {view['hold']['code']}" if view["hold"] else ""
    alerts = ", ".join(alert["code"] for alert in view["alerts"])
    mute = ", the shoe does not answer" if view["shoe"]["link"] == "down" else ""
    return (
        f"the table stands still in round {view['round']}, phase {view['phase']}{held}, "
        f"prompt {prompt.get('kind')} (seat {prompt.get('seat')}, {prompt.get('wager')})"
        + (f", alerts: {alerts}" if alerts else "")
        + mute
    )
