"""Interface of the pages to the running table: implements `DisplaySource` on the engine.

The game (`public.py`) makes everything public that is returned here: the view, and records with only the
faces that were turned. This module must never return a face from an event, or a complete record.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from controller.game.model.events import FloorOnTheWay, KeyPressed, PeopleEvent, RoundCorrected
from controller.game.model.names import Key, Wager
from controller.game.model.record import Correction, RoundRecord, seat_record, wager_record
from controller.game.model.state import TableState
from controller.game.phases.corrections import verify_record
from controller.game.rulebook.faces import shown_places
from controller.game.rulebook.wagers import Refusal
from controller.game.showing.exam import EXAM
from controller.game.showing.public import turned_record
from controller.game.showing.view import Shown, View
from controller.pages.display.devices_view import DevicesView
from controller.pages.display.figures_view import FiguresView, Period
from controller.pages.display.ports import Refused, Unsubscribe, Withheld
from controller.pages.display.touches import Room, pin_of, touch_of
from controller.table.display_source.authenticate_event import authenticate_event
from controller.table.display_source.authenticator import Authenticator
from controller.table.display_source.figures import Figures
from controller.table.display_source.levels import Levels
from controller.table.display_source.levels_file import LevelsFile
from controller.table.display_source.periods import figures
from controller.table.engine.engine import Engine
from controller.table.engine.inbox import ask
from controller.table.engine.tally import Tally

RECALLED = 10
FINAL = ("forfeited", "hands", "uncut")
"""Fields that only the record of an ended round has."""
AskReader: TypeAlias = Callable[[Mapping[str, Any]], Awaitable[Mapping[str, Any]]]


class Source:
    """Implementation of `controller.pages.display.ports.DisplaySource`. Used on the loop's thread only."""

    def __init__(
        self,
        engine: Engine,
        older: Callable[[], Awaitable[Sequence[Mapping[str, Any]]]],
        health: Callable[[], Awaitable[DevicesView]],
        ask_reader: AskReader,
        authenticator: Authenticator,
        zone: str = "UTC",
        levels: Levels | None = None,
        levels_file: LevelsFile | None = None,
    ) -> None:
        """Connect to the engine.

        `older`: returns the public records of the rounds before this start, the oldest first; called once.
        `health`: returns the state of the devices. `ask_reader`: answers questions about past rounds. `zone`:
        time zone of the figures. `levels`: brightness and sound, None if they cannot be set. `levels_file`:
        stores them for a restart.
        """
        self._authenticator = authenticator
        self._zone = zone
        self._levels, self._levels_file = levels, levels_file
        self._engine = engine
        self._health = health
        self._older = older
        self._ask_reader = ask_reader
        self._reading: asyncio.Future[Sequence[Mapping[str, Any]]] | None = None
        """Future result of reading the rounds before this start; None until it is requested."""
        self._since: list[tuple[int, Correction]] = []
        """Corrections made during that read. Its result may lack them."""
        self._correcting = asyncio.Lock()
        """Held during one correction, because each correction is verified against the record that the
        previous one changed.
        """
        self._ended: deque[Mapping[str, Any]] = deque(maxlen=RECALLED)
        self._figures = Figures()
        self._shown: View | None = None
        engine.on_record.append(self.keep)
        engine.on_correction.append(self._correct)
        engine.on_event.append(self._figures.see)

    def keep(self, record: RoundRecord, before: TableState) -> None:
        """Store the public record of a round that has ended, for recall on the screen. `before`: state just
        before the end of the round, which shows the turned cards."""
        self._ended.append(public_record(record, before))
        self._figures.count(record)

    def _correct(self, number: int, entry: Correction) -> None:
        add_correction(self._ended, number, entry)
        if self._reading is not None and not self._reading.done():
            self._since.append((number, entry))

    # ------------------------------------------------------------------ DisplaySource

    def latest(self) -> View:
        """Return the newest view.

        `version` counts changes of the content: an event that shows nothing, such as an attempt at a PIN,
        does not change it.
        """
        view = self._engine.view()
        if self._levels is not None:
            now = self._levels.now
            shown: Shown = {
                **view,
                "room": {"screen": now.screen, "lamps": now.lamps, "sound": now.sound},
            }
            view = shown
        if self._shown is None:
            self._shown = view
        elif {**view, "version": 0} != {**self._shown, "version": 0}:
            self._shown = {**view, "version": self._shown["version"] + 1}
        return self._shown

    def subscribe(self, wake: Callable[[], None]) -> Unsubscribe:
        listeners = self._engine.on_change
        listeners.append(wake)
        return lambda: listeners.remove(wake)

    async def touch(self, body: bytes) -> Refused | None:
        touch = touch_of(body)
        if isinstance(touch, Room):
            return await self._set_room(touch)
        event = await authenticate_event(self._authenticator, touch.event(), pin_of(touch))
        if isinstance(event, Refused):
            return event
        if isinstance(event, RoundCorrected):
            refusal = await asyncio.shield(self._corrected(event))
        else:
            engine = self._engine
            if engine.exam:
                event = exam_event(event, engine.view(), engine.game.prompt_id())
            refusal = await ask(engine.inbox, event)
        if refusal is None:
            return None
        return Refused(EXAM) if self._engine.exam else Refused(refusal.code, refusal.params)

    async def _set_room(self, touch: Room) -> Refused | None:
        if self._levels is None:
            return Refused("not_now")
        if self._levels.set_by_hand(touch.screen, touch.lamps, touch.sound):
            self.changed()
            if self._levels_file is not None:
                await self._levels_file.keep(self._levels)
        return None

    def changed(self) -> None:
        """Wake the pages, so that they read the view."""
        for notify in self._engine.on_change:
            notify()

    async def _corrected(self, event: RoundCorrected) -> Refusal | None:
        """Correct a closed round. Must never be cancelled: if the page closes, its correction is still in the
        inbox.
        """
        async with self._correcting:
            return await self._verify_closed(event) or await ask(self._engine.inbox, event)

    async def _verify_closed(self, event: RoundCorrected) -> Refusal | None:
        """Return a refusal if an earlier round did not have the wager to be corrected, which the table state
        cannot show.
        """
        game = self._engine.game
        refusal = game.verify(event)
        if refusal is not None:
            return refusal
        await self._remember_older()
        record = next((record for record in self._ended if record["round"] == event.round), None)
        if record is None:
            return Refusal("round_too_old", "", {"number": RECALLED})
        return verify_record(game.pack, game.settings, record, event)

    async def recall(self) -> Sequence[Mapping[str, Any]]:
        self._withhold_in_exam()
        await self._remember_older()
        current, ended = round_in_progress(self._engine.view()), list(reversed(self._ended))
        if current and any(record["round"] == current["round"] for record in ended):
            current = None  # the cards are still on the table, but the record of their round is written
        return [*([current] if current else []), *ended][:RECALLED]

    async def _remember_older(self) -> None:
        """Read the rounds before this start, once and only if this run has too few rounds for the recall."""
        if self._reading is None and len(self._ended) < RECALLED:
            self._reading = asyncio.ensure_future(self._older())
            self._reading.add_done_callback(self._add)
        if self._reading is not None:
            await asyncio.shield(self._reading)

    def _add(self, reading: asyncio.Future[Sequence[Mapping[str, Any]]]) -> None:
        known = {record["round"] for record in self._ended}
        older = deque(record for record in reading.result() if record["round"] not in known)
        for number, entry in self._since:
            if not any(entry in record["corrections"] for record in older if record["round"] == number):
                add_correction(older, number, entry)
        self._ended = deque([*older, *self._ended], maxlen=RECALLED)

    async def ended(self, ask_reader: Mapping[str, Any]) -> Mapping[str, Any]:
        self._withhold_in_exam()
        return await self._ask_reader(ask_reader)

    def _withhold_in_exam(self) -> None:
        if self._engine.exam:
            raise Withheld

    async def floor(self) -> Mapping[str, Any]:
        exam = self._engine.exam
        pace = dict.fromkeys(self._figures.pace()) if exam else self._figures.pace()
        return {
            "events": [] if exam else self._figures.events(),
            "figures": {**self._period_figures(Tally() if exam else self._engine.tally, "shift"), **pace},
        }

    async def figures(self, period: Period) -> FiguresView:
        self._withhold_in_exam()
        return self._period_figures(self._engine.tally, period)

    def _period_figures(self, tally: Tally, period: Period) -> FiguresView:
        return figures(tally, period, self._engine.clock.stamp().utc, self._zone)

    async def devices(self) -> DevicesView:
        return await self._health()


def exam_event(event: PeopleEvent, shown: View, ask_reader: str) -> PeopleEvent:
    """Return an event of a trainee's page in the form that the table accepts.

    A key is treated as one on the table, which names no prompt. An entry for the prompt on the page gets
    `ask_reader`, the id of the table's own prompt. The neutral subject of the view is left out.
    """
    if getattr(event, "about", None) == EXAM and not isinstance(event, FloorOnTheWay):
        event = replace(event, **_named("about", None))
    answered = getattr(event, "prompt", None)
    if answered is None or (isinstance(event, KeyPressed) and event.key is not Key.UNDO):
        return replace(event, **_named("prompt", None)) if answered else event
    same = shown["prompt"] is not None and shown["prompt"]["id"] == answered
    return replace(event, **_named("prompt", ask_reader)) if same else event


def _named(field: str, name: str | None) -> dict[str, Any]:
    return {field: name}


def public_record(record: RoundRecord, before: TableState) -> dict[str, Any]:
    """Return the record of a round that has ended, with only the faces that were turned. `before`: state just
    before the end of the round."""
    shown = shown_places(before.round) if before.round else frozenset()
    return turned_record(record, shown)


def add_correction(records: deque[Mapping[str, Any]], number: int, entry: Correction) -> None:
    """Add a correction to the record of its round, if `records` contains that round."""
    for index, record in enumerate(records):
        if record["round"] == number:
            records[index] = {**record, "corrections": [*record["corrections"], entry]}


def round_in_progress(view: View) -> dict[str, Any] | None:
    """Return the round in progress in the form of a record, from the view; None between rounds."""
    seats = [seat for seat in view["seats"] if seat["in_round"]]
    if not seats:
        return None
    bonus = view["bonus_cards"]
    return {
        "type": "round",
        "round": view["round"],
        "outcome": "in_progress",
        "cross": {place: card["face"] for place, card in view["cross"].items()},
        "bonus_cards": bonus and [card["face"] for card in bonus],
        "set_aside": view["set_aside"],
        "seats": [_seat_in_progress(seat) for seat in seats],
    }


def _seat_in_progress(seat: Mapping[str, Any]) -> dict[str, Any]:
    """Return a seat of the view in the form of a record, without the fields that no view has.

    A wager taken with a fold has the result `forfeit`, as in a record; one that is not settled has None.
    """
    wagers = {
        Wager(wager): wager_record(
            circle["wager"], circle["result"] or ("returned" if circle["paid"] is None else "forfeit"),
            payout=max(0, circle["paid"] or 0), verified=False,
        )
        for wager, circle in seat["circles"].items()
        if circle["wager"]
    }  # fmt: skip
    faces = [card["face"] for card in seat["cards"]]
    record = seat_record(seat["seat"], seat["player"], faces, seat["folded_at"], wagers, {})
    named = {
        wager: _without_final(entry)
        | {"verified": None, "result": None if entry["result"] == "returned" else entry["result"]}
        for wager, entry in record["wagers"].items()
    }
    return _without_final(record) | {"wagers": named}


def _without_final(part: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in part.items() if key not in FINAL}
