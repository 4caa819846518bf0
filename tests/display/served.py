"""A scripted table behind the real web application, on a real port, for the browser tests."""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from controller.game.model.events import DealerRelieved, DealerSignedOn, PeopleEvent
from controller.pages.display.devices_view import DevicesView
from controller.pages.display.figures_view import FiguresView, Period
from controller.pages.display.ports import HEARTBEAT_INTERVAL_S, Refused, TableGone
from controller.pages.display.touches import Room, pin_of, touch_of
from controller.pages.display.web import make_app
from tests.display.devices import devices
from tests.display.figures import NO_PACE, figures, luck
from tests.display.views import view, whole
from tests.serving import Serving


class Script:
    """A RemoteSource with scripted content that records the touches."""

    def __init__(self) -> None:
        self.beat_s: float | None = None
        """Seconds between two heartbeats; None if only `beat` sends them."""
        self.beats = 0
        self.suspended = False
        self.shown: dict[str, Any] = whole(view())
        self.touched: list[PeopleEvent] = []
        self.refusing: Refused | None = None
        self.wants_pin = False
        """Whether dealers authenticate with a PIN."""
        self.pins: list[str | None] = []
        self.rounds: list[dict[str, Any]] = []
        self.after: Callable[[PeopleEvent], dict[str, Any] | None] = lambda _event: None
        self.answer: Callable[[Mapping[str, Any]], Mapping[str, Any]] = lambda request: (
            {"luck": luck()} if request["do"] == "luck" else {"missing": "no_round"}
        )
        self.floor_data: dict[str, Any] = {"events": [], "figures": {**figures(), **NO_PACE}}
        self.devices_data: DevicesView = devices()
        self.figures_data: FiguresView = figures()
        self.wakers: set[Callable[[], None]] = set()
        self.stopped = False
        self._version = 1

    def show(self, shown: Mapping[str, Any]) -> None:
        self._version += 1
        self.shown = whole({**copy.deepcopy(dict(shown)), "version": self._version})
        self.wake()

    def wake(self) -> None:
        for wake in tuple(self.wakers):
            wake()

    def beat(self) -> None:
        self.beats += 1
        self.wake()

    def _beat_on(self, every: float) -> None:
        if self.wakers:
            if not self.suspended:
                self.beat()
            asyncio.get_running_loop().call_later(every, self._beat_on, every)

    def heartbeats(self) -> int:
        return self.beats

    def latest(self) -> Mapping[str, Any]:
        if self.suspended:
            raise TableGone
        return self.shown

    def subscribe(self, wake: Callable[[], None]) -> Callable[[], None]:
        if not self.wakers and self.beat_s is not None:
            asyncio.get_running_loop().call_later(self.beat_s, self._beat_on, self.beat_s)
        self.wakers.add(wake)
        return lambda: self.wakers.discard(wake)

    async def touch(self, body: bytes) -> Refused | None:
        touch = touch_of(body)
        if isinstance(touch, Room):
            room = {**self.shown["room"], **touch.model_dump(exclude_unset=True, exclude={"do"})}
            self.show({**self.shown, "room": room})
            return None
        event, pin = touch.event(), pin_of(touch)
        if self.refusing is not None:
            return self.refusing
        if self.wants_pin and pin is None and isinstance(event, DealerSignedOn | DealerRelieved):
            return Refused("pin_needed")
        self.touched.append(event)
        self.pins.append(pin)
        if (following := self.after(event)) is not None:
            self.show(following)
        return None

    async def recall(self) -> Sequence[Mapping[str, Any]]:
        return self.rounds

    async def ended(self, request: Mapping[str, Any]) -> Mapping[str, Any]:
        return self.answer(request)

    async def floor(self) -> Mapping[str, Any]:
        return self.floor_data

    async def figures(self, period: Period) -> FiguresView:
        return {**self.figures_data, "period": period}

    async def devices(self) -> DevicesView:
        return self.devices_data


class Served(Serving):
    """Server of a Script, on a real port; any thread may call `show`. `beat`: seconds between two heartbeats.
    `kept`: as in `Serving`."""

    def __init__(self, script: Script, beat: float = HEARTBEAT_INTERVAL_S, kept: bool = False) -> None:
        script.beat_s = self.beat_s = beat
        self.script = script
        super().__init__(make_app(script), kept)

    def play(self, script: Script) -> None:
        """Serve another script, with a new app, at the same address."""
        script.beat_s = self.beat_s
        self.script, self.app = script, make_app(script)

    def show(self, shown: Mapping[str, Any]) -> None:
        self.do(lambda: self.script.show(shown))

    def shown(self, shown: Mapping[str, Any]) -> int:
        """Show the view, and return the version under which a page shows it."""
        self.show(shown)
        return int(self.script.shown["version"])
