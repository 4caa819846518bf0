"""Rounds of the pure game: `Table` with six seats and random wagers, cards and decisions, without any I/O.

The loop replaces devices and people: it makes the events that the daemon would make, calls `verify` where the
daemon calls it, and follows the prompts. It uses only the public interface of `Table`.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from typing import Any

from controller.game.model import events
from controller.game.model.cards import DECK
from controller.game.model.effects import CommandShoe, WriteRecord
from controller.game.model.irregularities import DealerReport
from controller.game.model.names import SEATS, Key, Method, Wager
from controller.game.model.rules import RulePack
from controller.game.model.state import TableSettings
from controller.game.showing.prompts import Prompt
from controller.game.table import Table
from controller.mock.bench.options import offered_wagers
from controller.rules.packs.loader import find_pack, load_pack

UTC = "2026-11-20T20:00:00.000Z"
ANTES = (500, 1000, 1500, 2500)
FOLDS = 0.1
BONUS = 0.35
CONFIRMED = frozenset(("open_table", "cut", "turn", "turn_seat", "push", "confirm_bet", "confirm_fold"))


class Stuck(Exception):
    """Raised if the table prompts for an act that this loop does not support."""


class PureTable:
    """Table with its devices and people as plain function calls, without any I/O."""

    def __init__(
        self, seed: int, pack: RulePack | None = None, method: Method = Method.AUTOMATED_SHOE
    ) -> None:
        self.pack = pack or load_pack(find_pack("pennsylvania"))
        self.wagers = offered_wagers(self.pack)
        self.table = Table(self.pack, TableSettings(method=method, floorpersons=("B1",)))
        self.dice = random.Random(seed)
        self.records: list[Mapping[str, Any]] = []
        self._ms = 0
        self._chips = 0
        self._deck: list[Any] = []
        self._out = 0
        self._doing: Mapping[str, Callable[[Prompt], None]] = {
            "bets_open": self._bets, "ask": self._ask, "pay": self._pay, "clear": self._clear,
            "collect": self._take, "take": self._take, "lift_stack": self._lift, "count_stub": self._count,
            "deck_needed": self._bring, "opening_step": self._opening,
        }  # fmt: skip
        self._event(events.Started(tuple((seat, wager) for seat in SEATS for wager in self.wagers)))
        for seat in SEATS:
            for wager in self.wagers:
                self._lay(seat, wager, 0)
        self._event(events.ShoeLinkOpened("BENCH", "1", "1", "boot"))

    def play(self, rounds: int) -> None:
        """Play until `rounds` further rounds have ended."""
        wanted = len(self.records) + rounds
        while len(self.records) < wanted:
            prompt = self.table.prompt()
            if prompt is None:
                raise Stuck("no prompt")
            if prompt.kind in CONFIRMED:
                self._press(Key.CONFIRM)
            elif prompt.kind in self._doing:
                self._doing[prompt.kind](prompt)
            else:
                raise Stuck(f"{prompt.kind} {prompt.code} {prompt.step}")

    # ------------------------------------------------------------------ events and effects

    def _event(self, event: events.Event) -> None:
        self._ms += 1
        for effect in self.table.handle(event, events.Stamp(self._ms, UTC)):
            if isinstance(effect, WriteRecord):
                self.records.append(effect.record)
            elif isinstance(effect, CommandShoe):
                self._command(effect)

    def _people(self, event: events.Event) -> None:
        refusal = self.table.verify(event)
        if refusal is not None:
            raise Stuck(f"{type(event).__name__}: {refusal}")
        self._event(event)

    def _press(self, key: Key) -> None:
        self._people(events.KeyPressed(key))

    def _lay(self, seat: int, wager: Wager, cents: int) -> None:
        self._chips += 1
        chips = (events.Chip(f"04{self._chips:012X}", cents),) if cents else ()
        self._event(events.CircleRead(seat, wager, chips))

    # ------------------------------------------------------------------ the shoe

    def _command(self, effect: CommandShoe) -> None:
        if effect.command == "SHUFFLE":
            self._deck = list(DECK)
            self.dice.shuffle(self._deck)
            self._out = 0
            self._event(events.ShuffleFinished(52, "RED"))
            self._event(events.DeckReady(52, "RED"))
        elif effect.command == "DEAL":
            self._deal(int(effect.fields[0]))
        elif effect.command == "STUBOUT":
            self._event(events.StubTaken(len(self._deck)))
        self._event(events.CommandDone(effect.command))

    def _deal(self, count: int) -> None:
        for _ in range(count):
            self._out += 1
            self._event(events.CardLeftShoe(self._out, self._deck.pop()))
        self._event(events.StackCompleted(count))

    # ------------------------------------------------------------------ text of the prompt

    def _bets(self, _prompt: Prompt) -> None:
        for seat in SEATS:
            ante = self.dice.choice(ANTES)
            self._lay(seat, Wager.ANTE_ACROSS, ante)
            self._lay(seat, Wager.ANTE_DOWN, ante)
            if self.dice.random() < BONUS:
                self._lay(seat, Wager.FIVE_CARD_BONUS, 500)
        self._press(Key.NO_MORE_BETS)
        since = self.table.sweep_since()
        if since is None:
            raise Stuck("no sweep is wanted after the close")
        self._event(events.SweepCompleted(since))

    def _ask(self, prompt: Prompt) -> None:
        if self.dice.random() < FOLDS:
            self._press(Key.FOLD)
        else:
            self._lay(*_circle(prompt), self.dice.choice(prompt.options))

    def _take(self, prompt: Prompt) -> None:
        self._lay(*_circle(prompt), 0)

    def _pay(self, prompt: Prompt) -> None:
        seat, wager = _circle(prompt)
        self._lay(seat, wager, self.table.state.amount(seat, wager) + (prompt.amount or 0))

    def _clear(self, _prompt: Prompt) -> None:
        for seat in SEATS:
            for wager in self.wagers:
                if self.table.state.amount(seat, wager):
                    self._lay(seat, wager, 0)
        self._press(Key.CONFIRM)

    def _lift(self, _prompt: Prompt) -> None:
        self._event(events.StackTaken())

    def _count(self, _prompt: Prompt) -> None:
        self._people(events.Reported(DealerReport.STUB_COUNT, number=len(self._deck)))

    def _bring(self, _prompt: Prompt) -> None:
        self._people(events.DeckBrought("RED", preshuffled=True))

    def _opening(self, _prompt: Prompt) -> None:
        if self.table.verify(events.KeyPressed(Key.CONFIRM)) is None:
            self._press(Key.CONFIRM)
        else:
            self._people(events.FloorDecided("B1", "sign"))


def _circle(prompt: Prompt) -> tuple[int, Wager]:
    if prompt.seat is None or prompt.wager is None:
        raise Stuck(f"{prompt.kind} names no circle")
    return prompt.seat, prompt.wager


def measure(rounds: int, seed: int = 1) -> float:
    """Return rounds per second; the table is opened and warmed up before the clock starts."""
    table = PureTable(seed)
    table.play(20)
    began = time.perf_counter()
    table.play(rounds)
    return round(rounds / (time.perf_counter() - began), 1)
