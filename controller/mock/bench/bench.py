"""The bench: the mock table as people have it in front of them.

`Bench` is what simulated people, scenarios and the felt work on; `wired.py` puts serial
lines and the daemon as a child process behind it, `in_process.py` the same daemon in this process with
devices plugged in at the ports. `Hands` carries acts out. It must never ask the controller anything but
its public view.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
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
    Touch,
    prompt_name,
)  # fmt: skip
from controller.mock.bench.asked import CardToken, Fault
from controller.mock.bench.layout import Felt
from controller.mock.bench.wires import Wire

View = Mapping[str, Any]
Record = Mapping[str, Any]


class TableStopped(Exception):
    """The daemon has ended or no longer answers: one line that says what is known."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a touch. `refused`: the words, None if it was taken."""

    refused: str | None = None
    code: str | None = None


class Bench(Protocol):
    """A whole mock table."""

    felt: Felt
    pack: RulePack
    method: Method
    port: int
    """Port of the display; 0 if there is none."""
    quiet: float
    """After so many seconds without news nothing more is to come."""

    async def start(self) -> None: ...

    async def stop(self) -> None: ...

    def view(self) -> View:
        """The newest public view."""

    def shown(self) -> View:
        """The newest view of the pages: that of an exam has less than `view`."""

    async def elapse(self, seconds: float) -> None:
        """Let time pass while people do something; on wires it passes by itself."""

    async def wait_for_view(self, since: int, seconds: float) -> View:
        """The newest view, once its version is above `since`, a record has come or `seconds` are over."""

    def seconds(self) -> float:
        """The bench's time. Without wires it only moves while somebody waits."""

    async def press(self, key: str) -> None:
        """A key on the table, which names no prompt."""

    async def press_told(self, key: str) -> Answer:
        """The same, and what became of it."""

    async def touch(self, body: Mapping[str, Any]) -> Answer: ...

    def records(self) -> list[Record]:
        """Round records that have come since the last call."""

    def lamp(self, circle: Circle) -> str:
        """Return the colour of a circle's lamp now: off, green, red or amber."""

    def brightness(self) -> int:
        """Brightness of the lamps that are lit, percent."""

    def exit_holds(self) -> str:
        """Return the content of the shoe's exit: stack, partial, stub, or nothing."""

    def deck_in(self) -> str:
        """The back of the deck that is in the device, ready to be dealt; nothing if there is none."""

    def wires(self) -> Sequence[Wire]:
        """The last frames of every wire; none where there are no wires."""

    # cards, as hands have them

    async def lift(self) -> Sequence[str | None]:
        """The faces of the lifted stack, in the order in which they left the shoe."""

    async def draw(self) -> str | None: ...

    async def deal_hand(self, seats: Sequence[int]) -> Mapping[str, str | None]:
        """Every place and the card dealt to it from the hand."""

    async def take_stub(self) -> int | None: ...

    async def gather(self) -> None:
        """All cards back into the device."""

    # for the technician and scenarios

    def arrange(self, cards: Sequence[CardToken]) -> None:
        """These cards come out next; the rest of the deck follows in random order."""

    def load_round(self, seats: Sequence[int], cards: Mapping[str, CardToken], stub: int | None) -> None:
        """Stack the deck so that `cards` come out at their places when these seats are in the round. `stub`:
        what the shoe counts when its stub is taken."""

    def new_deck(self, back: str | None, *, same: bool) -> None:
        """Put another deck into the device, or the same one again."""

    def swap_deck(self, back: str) -> None:
        """Put the deck of that back into the device, shuffled beforehand, without telling the screen."""

    def fault(self, fault: Fault) -> None: ...

    def deck_count(self, count: int) -> None:
        """Set the shuffler's next count."""

    async def clock(self, both_ms: int, utc_ms: int) -> None: ...

    async def cut_power(self) -> None: ...


class Person(Protocol):
    """A person at the table: their next acts, from the view."""

    def acts(self, view: View, felt: Felt) -> Iterable[Act]: ...


@dataclass(slots=True)
class Pace:
    """Pace of people. `speed` None: they do not wait. `elapse` lets the bench's own time pass."""

    speed: float | None = None
    elapse: Callable[[float], Awaitable[None]] | None = None

    async def pause(self, seconds: float) -> None:
        if self.speed:
            await asyncio.sleep(seconds / self.speed)
        if self.elapse is not None:
            await self.elapse(seconds)


STALL = 10.0
"""A table without a new view for so many seconds, while somebody has something to do, stands still."""

TRIES = 3
"""Number of presses of a key while the table asks for the same thing."""


@dataclass(slots=True)
class Hands:
    """Carries acts out; an act with a name in `once` only once."""

    bench: Bench
    pace: Pace = field(default_factory=Pace)
    told: Callable[[str], None] = lambda _words: None
    done: dict[str, type] = field(default_factory=dict)

    async def do(self, act: Act) -> bool:
        """Whether it was done now; False if it had been done before."""
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
            case Touch():
                answer = await bench.touch(act.touch.body())
                if answer.refused:
                    self.told(answer.refused)
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

    def forget_ended(self, view: View) -> None:
        """Forget acts for what is over and may come again: a hold, or a prompt between rounds."""
        asked = prompt_name(view, view["prompt"]) if view["prompt"] else ""
        held = view["hold"] is not None
        passing = [name for name in self.done if held or _kind(name) in PASSING]
        for name in passing:
            if _has_ended(name, self.done[name], view, asked):
                del self.done[name]

    def forget_presses(self) -> bool:
        """Forget key presses, so that a key without effect is pressed again. False if there were none."""
        presses = [name for name, kind in self.done.items() if kind is Press]
        for name in presses:
            del self.done[name]
        return bool(presses)

    def forget_before(self, number: int) -> None:
        """Forget what was done in earlier rounds."""
        self.done = {name: kind for name, kind in self.done.items() if name.startswith(f"{number}:")}


BETWEEN = ("open_table", "deck_needed", "opening_step", "signature", "cut", "clear")
"""Prompts between rounds. No reading brings them back, so each is over when another comes."""
PASSING = (*BETWEEN, "load_deck", "hold")
"""Prompts that may come again while nothing is held."""


def _kind(name: str) -> str:
    """Which prompt was answered, as `prompt_name` has it; "hold" of a hold."""
    before, _, rest = name.partition(":")
    return before if before == "hold" else rest.partition(":")[0]


def _has_ended(name: str, act: type, view: View, asked: str) -> bool:
    if name.startswith("hold:"):
        return view["hold"] is None
    if view["hold"] is not None and act in (Draw, Press):
        return True  # a jammed shoe let no card out: it is drawn again afterwards
    kind = _kind(name)
    if kind == "load_deck":  # a device that refuses to shuffle asks for it again and again
        return bool(view["phase"] != "shuffle")
    return kind in BETWEEN and not (asked and name.startswith(asked))


def _swap(felt: Felt, first: Sequence[str], second: Sequence[str]) -> None:
    for one, other in zip(first, second, strict=True):
        felt.cards[one], felt.cards[other] = felt.cards.get(other), felt.cards.get(one)


async def play(
    hands: Hands,
    people: Sequence[Person],
    until: Callable[[View], bool],
    *,
    seen: Callable[[View], None] = lambda _view: None,
    stall: float = STALL,
) -> View:
    """Let the people act on each view until `until` is true of one. TableStopped if nothing moves."""
    view = hands.bench.view()
    tried: list[str] = []
    while not until(view):
        seen(view)
        hands.forget_ended(view)
        acted = [await hands.do(act) for hand in people for act in hand.acts(view, hands.bench.felt)]
        limit = hands.bench.seconds() + stall
        newer = await hands.bench.wait_for_view(view["version"], stall)
        if newer["version"] != view["version"]:
            if newer["round"] != view["round"]:
                hands.forget_before(newer["round"])
        elif not any(acted) and hands.bench.seconds() >= limit:
            asked = prompt_name(view, view["prompt"]) if view["prompt"] else view["phase"]
            if tried.count(asked) >= TRIES or not hands.forget_presses():
                raise TableStopped(where_it_stands(view))
            tried.append(asked)
        view = newer
    seen(view)
    hands.forget_ended(view)
    return view


def where_it_stands(view: View) -> str:
    """Return the prompt and the trouble of a table that stands still, in one line."""
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
