"""Client in the page process: implements `RemoteSource` by requests to the daemon.

It stores the newest view and requests all other data, and has neither journal nor device. Equal requests of
several pages are sent once, so that the daemon's work does not grow with the number of pages. While the
daemon is silent, nothing is answered.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from controller.common.files.strict_json import JsonError, parse_object
from controller.game.showing.view import View
from controller.pages.display.devices_view import DevicesView
from controller.pages.display.figures_view import FiguresView, Period
from controller.pages.display.ports import HEARTBEAT_INTERVAL_S, Refused, TableGone, Unsubscribe, Withheld
from controller.pages.display.touches import touch_of
from drivers.json_lines import json_line

log = logging.getLogger("crisscross")

MAX_SILENCE_S = 3 * HEARTBEAT_INTERVAL_S
"""Seconds without a message after which the daemon counts as silent: suspended, or with a blocked loop."""
FRESH_S = 0.25
"""Seconds for which an answer is reused if the view has not changed."""
MAX_PAST_REQUESTS, PAST_PAUSE_S = 2, 0.05
"""Maximum number of concurrent requests about past rounds, and the pause in seconds after each, so that other
requests are not delayed.
"""


class PageRpcClient:
    """Connection to the daemon. Used on its loop's thread only; `receive` runs until the daemon
    disconnects.
    """

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._view: View | None = None
        self._seen = asyncio.Event()
        self._last_message_at = 0.0
        self._heartbeats = 0
        self._listeners: list[Callable[[], None]] = []
        self._numbers = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._shared: dict[str, tuple[int, float, asyncio.Future[Any]]] = {}
        self._gone = False
        self._past = asyncio.Semaphore(MAX_PAST_REQUESTS)

    async def receive(self) -> None:
        """Receive messages until the daemon disconnects or sends an invalid line.

        An invalid line is logged, and the process ends as after a disconnection.
        """
        try:
            with suppress(ConnectionError):  # the daemon was killed
                while line := await self._reader.readline():
                    self._take(parse_object(line))
        except (ValueError, TypeError, LookupError) as error:
            reason = error if isinstance(error, JsonError) else type(error).__name__
            # logged without the traceback, which would show the message
            log.error("display: the daemon sent a line that is no message (%s)", reason)  # noqa: TRY400
        self._gone = True
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_exception(TableGone)

    def _take(self, message: Mapping[str, Any]) -> None:
        self._last_message_at = asyncio.get_running_loop().time()
        if "view" in message:
            self._show(message["view"])
        elif "heartbeat" in message:
            self._heartbeats += 1
            self._wake()
        elif (answer := self._waiting.pop(message["id"], None)) is not None and not answer.done():
            _settle(answer, message)

    async def shown(self) -> None:
        """Wait until the first view has arrived."""
        await self._seen.wait()

    def _show(self, view: View) -> None:
        if type(view["version"]) is not int:
            raise TypeError("version")
        self._view = view
        self._seen.set()
        self._wake()

    def _wake(self) -> None:
        for wake in list(self._listeners):
            wake()

    def _require_table(self) -> None:
        """Raise TableGone if the daemon has ended or is silent."""
        silence = asyncio.get_running_loop().time() - self._last_message_at
        if self._gone or silence > MAX_SILENCE_S:
            raise TableGone

    # ------------------------------------------------------------------ RemoteSource

    def heartbeats(self) -> int:
        return self._heartbeats

    def latest(self) -> View:
        self._require_table()
        if self._view is None:
            raise RuntimeError("the pages were served before there was a view")
        return self._view

    def subscribe(self, wake: Callable[[], None]) -> Unsubscribe:
        self._listeners.append(wake)
        return lambda: self._listeners.remove(wake)

    async def touch(self, body: bytes) -> Refused | None:
        touch_of(body)  # raises on a mistake, so that such a body is never sent to the daemon
        refused = await self._ask({"ask": "touch", "body": body.decode()})
        return None if refused is None else Refused(refused["code"], refused["values"])

    async def recall(self) -> Sequence[Mapping[str, Any]]:
        rounds: Sequence[Mapping[str, Any]] = await self._shared_answer({"ask": "recall"})
        return rounds

    async def ended(self, question: Mapping[str, Any]) -> Mapping[str, Any]:
        await self._past.acquire()
        try:
            answer: Mapping[str, Any] = await self._ask({"ask": "ended", "asked": question})
        finally:
            asyncio.get_running_loop().call_later(PAST_PAUSE_S, self._past.release)
        return answer

    async def floor(self) -> Mapping[str, Any]:
        answer: Mapping[str, Any] = await self._shared_answer({"ask": "floor"})
        return answer

    async def figures(self, period: Period) -> FiguresView:
        answer: FiguresView = await self._shared_answer({"ask": "figures", "period": period})
        return answer

    async def devices(self) -> DevicesView:
        answer: DevicesView = await self._shared_answer({"ask": "devices"})
        return answer

    # ------------------------------------------------------------------ requests

    async def _shared_answer(self, request: Mapping[str, Any]) -> Any:
        """Return the answer to an equal request that is pending or was answered within FRESH_S for the same
        view; without one, send the request.

        There are few different requests, so all their answers are stored.
        """
        question, now = json.dumps(request, sort_keys=True), asyncio.get_running_loop().time()
        version = self.latest()["version"]
        known = self._shared.get(question)
        if known is None or known[0] != version or (known[2].done() and now >= known[1] + FRESH_S):
            known = (version, now, asyncio.ensure_future(self._ask(request)))
            self._shared[question] = known
        return await asyncio.shield(known[2])

    async def _ask(self, request: Mapping[str, Any]) -> Any:
        self._require_table()
        number = next(self._numbers)
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting[number] = answer
        try:
            self._writer.write(json_line({**request, "id": number}))
            return await answer
        finally:
            self._waiting.pop(number, None)


def _settle(answer: asyncio.Future[Any], message: Mapping[str, Any]) -> None:
    if "withheld" in message:
        answer.set_exception(Withheld())
    elif "failed" in message:
        answer.set_exception(
            RuntimeError(f"{message['failed']}: the daemon's log says why it was not answered")
        )
    else:
        answer.set_result(message["answer"])
