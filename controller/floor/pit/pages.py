"""The pages of the pit and their API: the floor, a table, its rounds, the figures, the refusals.

They do not affect play. One route writes: it sends "on my way" to a table that calls or is held, and the
table's screens show it. Live data come from the floor; past events are read from the store by a separate
database connection, in a thread.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar, cast
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response, StreamingResponse

from controller.common.files.json_text import json_text
from controller.common.files.openmetrics import exposition
from controller.common.files.zones import at
from controller.common.http.request_guard import read_json_value
from controller.common.texts.catalogue import FIRST_LANGUAGE, catalogue
from controller.common.texts.catalogue import title as name_of
from controller.floor.pit import metrics
from controller.floor.pit.access.gate import Access, SignedInUser
from controller.floor.pit.counts import PitCounters, Waiting
from controller.floor.pit.database import Database
from controller.floor.pit.figures import GROUPS, PERIODS, Shifts, as_csv, as_rows, grouped, hours
from controller.floor.pit.floor import PIT, NoOpenCall, PitFloor, Watcher
from controller.floor.pit.round_queries import decisions_of, ended, last
from controller.floor.pit.store import irregularities_of
from controller.floor.pit.streams import streams
from controller.pages.display.read_only_pages import CARD_WORDS, localized_page
from controller.pages.display.rounds_pages import BadFilter, filters, response_of
from controller.pages.display.shell import PageParts, csv_download, language_of, render_page

OWN = Path(__file__).parent / "static"
HEARTBEAT_INTERVAL_S, PACE_S = 0.5, 0.2
"""Seconds between two heartbeats, and minimum seconds between two messages to a page."""
STREAMS = 40
UNHELD = {"x-accel-buffering": "no"}
"""Header that makes a proxy such as nginx pass pushed data on at once."""
MAX_REFUSED = 200
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class PageSources:
    """Sources of the pages. `utc`: returns the time as in the records, ISO 8601 in UTC; `posix`: the same
    time in seconds.
    """

    floor: PitFloor
    open_store: Callable[[], Database]
    """Opens the store of the running pit for one query; raises StoreError."""
    counts: PitCounters
    zone: str
    shifts: Shifts
    utc: Callable[[], str]
    posix: Callable[[], int]
    language: str = FIRST_LANGUAGE
    faults: Callable[[], Mapping[str, str]] = dict
    """Returns the fault of each part of the service, "" for none."""
    inbox: Callable[[], Waiting] = Waiting
    """Returns the number, bytes and age of the messages that wait for the store."""
    keep_days: int | None = None
    """Retention of events in days; None for ever."""


class NoTable(Exception):
    """Raised for a table from which nothing has been received."""


class Pages:
    """Handlers of the pit's routes."""

    def __init__(self, shown: PageSources, access: Access) -> None:
        self._shown, self._access = shown, access
        self._streams: set[Watcher] = set()
        self._closing = False

    def close(self) -> None:
        """End every stream, so that the server can stop."""
        self._closing = True
        for watcher in self._streams:
            watcher.end()

    def wanted(self, request: Request) -> str:
        """Return the language of a page: the one chosen on the screen, by default the pit's."""
        return language_of(request, self._shown.language)

    async def read(self, read: Callable[[Database], _T]) -> _T:
        def work() -> _T:
            with closing(self._shown.open_store()) as database:
                return read(database)

        return await asyncio.to_thread(work)

    def _name(self, request: Request) -> str:
        name: str = request.path_params["name"]
        if not self._shown.floor.has(name):
            raise NoTable(name)
        return name

    def own_page(self, name: str, request: Request) -> Response:
        """Return a page of the pit, with its texts and the signed-in user (None without users)."""
        signed: SignedInUser | None = None if self._access.is_open else request.user
        user = {"name": signed.name, "role": signed.role, "out": bool(signed.token)} if signed else None
        texts = catalogue(self.wanted(request)).texts
        named = {kind: _names(texts[kind]) for kind in ("codes", "phases", "wagers", "results")}
        words = {word: texts["page"][word] for word in CARD_WORDS}
        words |= {**texts["pit"], **named, "user": user}
        own = PageParts("pit", f"pit/{name}.js", ("pit/pit.css",), "pit")
        return render_page(own, self.wanted(request), texts["pit"]["title"], words)

    async def sign_in(self, request: Request) -> Response:
        return self.own_page("sign_in", request)

    # ------------------------------------------------------------------ live pages

    async def floor(self, request: Request) -> Response:
        return self.own_page("floor", request)

    async def table(self, request: Request) -> Response:
        self._name(request)
        return self.own_page("table", request)

    async def table_address(self, request: Request) -> Response:
        """Redirect from a table's address without a page to the table's page."""
        query = f"?{request.url.query}" if request.url.query else ""
        return RedirectResponse(f"/tables/{quote(self._name(request), safe='')}/floor{query}")

    async def bad_filter(self, request: Request, error: Exception) -> Response:
        bad = cast("BadFilter", error)  # Starlette calls it for this error alone
        return JSONResponse({"error": bad.in_words(catalogue(self.wanted(request)))}, 400)

    async def stream(self, request: Request) -> Response:
        def whole() -> dict[str, Any]:
            return self._push(self._shown.floor.names(), whole=True)

        return self._streaming(request, None, whole, lambda names: self._push(sorted(names)))

    def _push(self, names: Iterable[str], *, whole: bool = False) -> dict[str, Any]:
        floor = self._shown.floor
        tiles = [floor.tile(name) for name in names if name != PIT]
        return {
            "now": self._shown.posix(),
            "whole": whole,
            "refused": self._shown.counts.refused,
            "faults": floor.faults,
            "tiles": tiles,
        }

    async def table_stream(self, request: Request) -> Response:
        name = self._name(request)

        def now() -> dict[str, Any]:
            return {"now": self._shown.posix(), **self._shown.floor.shown(name)}

        return self._streaming(request, name, now, lambda _names: now())

    def _streaming(
        self,
        request: Request,
        only: str | None,
        first: Callable[[], dict[str, Any]],
        more: Callable[[set[str]], dict[str, Any]],
    ) -> Response:
        if len(self._streams) >= STREAMS:
            return JSONResponse({"error": "live: too many pages are open"}, 503)
        watcher = self._shown.floor.watch(only)
        self._streams.add(watcher)

        async def pieces() -> AsyncIterator[str]:
            try:
                yield f"retry: 500\ndata: {_json(first())}\n\n"
                while not self._closing and self._access.is_valid(request.user):
                    names = await _next(watcher)
                    yield f"data: {_json(more(names))}\n\n" if names else "event: beat\ndata: \n\n"
                    await asyncio.sleep(PACE_S)
            finally:
                self._shown.floor.unwatch(watcher)
                self._streams.discard(watcher)

        return StreamingResponse(pieces(), media_type="text/event-stream", headers=UNHELD)

    async def on_my_way(self, request: Request) -> Response:
        """Send "on my way" for a call or hold, `{"about": SUBJECT}`: 202 once sent, 409 if the subject is
        over.

        The path begins with /api, so that the guard refuses another site's page.
        """
        name = self._name(request)
        body = await read_json_value(request)
        if not isinstance(body, dict) or body.keys() != {"about"} or not isinstance(body["about"], str):
            return JSONResponse({"error": "body: an object with about, a call or hold of the tile"}, 422)
        try:
            self._shown.floor.on_my_way(name, body["about"], request.user.name)
        except NoOpenCall:
            return JSONResponse({"error": "about: no call or hold that stands at this table"}, 409)
        self._access.record(request, "on_my_way", f"{name}: {body['about']}")
        return Response(status_code=202)

    # ------------------------------------------------------------------ past events

    async def decisions(self, request: Request) -> Response:
        name, language = self._name(request), self.wanted(request)
        zone = self._shown.zone
        return JSONResponse(
            await self.read(
                lambda db: {
                    "said": decisions_of(db, name, language, zone),
                    **dict(zip(("stream", "rounds"), last(db, name, language, zone), strict=True)),
                }
            )
        )

    async def rounds_page(self, request: Request) -> Response:
        self._name(request)
        texts = catalogue(self.wanted(request))
        return localized_page(
            "rounds", texts.language, "rounds_page", {"codes": _names(texts.texts["codes"])}
        )

    async def round_page(self, request: Request) -> Response:
        """Return the page of a round, or a choice if several streams of the table have a round of that
        number."""
        question = {"do": "round", "number": request.path_params["number"]}
        if "choices" in await self._ended(request, question):
            return self.own_page("choice", request)
        return localized_page("round", self.wanted(request), "rounds_page")

    async def rounds(self, request: Request) -> Response:
        answer = await self._ended(request, {"do": "list", "wanted": _filters(request)})
        return response_of(catalogue(self.wanted(request)), answer)

    async def rounds_csv(self, request: Request) -> Response:
        answer = await self._ended(request, {"do": "csv", "wanted": _filters(request)})
        return csv_download(answer["csv"], f"rounds-{self._name(request)}-{answer['stream']}")

    async def round(self, request: Request) -> Response:
        number = request.path_params["number"]
        answer = await self._ended(request, {"do": "round", "number": number})
        if "choices" in answer:
            error = catalogue(self.wanted(request)).text("pit.journal.choose", {"number": number})
            return JSONResponse({"error": error, **answer}, 300)
        return response_of(catalogue(self.wanted(request)), answer, number)

    async def _ended(self, request: Request, question: Mapping[str, Any]) -> dict[str, Any]:
        name, zone = self._name(request), self._shown.zone
        stream = request.query_params.get("stream") or None
        whole = {**question, "language": self.wanted(request), "stream": stream}

        def read(database: Database) -> dict[str, Any]:
            if stream is not None and stream not in streams(database, name):
                raise BadFilter("stream")
            return ended(database, name, whole, zone)

        return await self.read(read)

    # ------------------------------------------------------------------ figures

    async def figures_page(self, request: Request) -> Response:
        return self.own_page("figures", request)

    async def figures(self, request: Request) -> Response:
        period, by = _figures_of(request)
        first, last = hours(period, self._now(), self._shown.shifts)
        groups = await self.read(lambda db: grouped(db, by, first, last, self._shown.shifts))
        return JSONResponse(as_rows(groups, by, first, self._shown.zone))

    async def figures_csv(self, request: Request) -> Response:
        period, by = _figures_of(request)
        first, last = hours(period, self._now(), self._shown.shifts)
        groups = await self.read(lambda db: grouped(db, by, first, last, self._shown.shifts))
        return csv_download(as_csv(groups, by), f"figures-{period}-{by}")

    def _now(self) -> datetime:
        return at(self._shown.utc(), self._shown.zone).replace(tzinfo=None)

    # ------------------------------------------------------------------ the service

    async def refused_page(self, request: Request) -> Response:
        return self.own_page("refused", request)

    async def refused(self, _request: Request) -> Response:
        found = await self.read(lambda db: irregularities_of(db, MAX_REFUSED))
        rows = [{"at": each.at, "table": each.table, "words": each.words} for each in found]
        return JSONResponse({"refused": rows})

    async def metrics(self, request: Request) -> Response:
        shown = self._shown
        families = metrics.families(shown.floor, shown.counts, shown.inbox(), shown.faults())
        body, kind = exposition(families, request.headers.get("accept", ""))
        # the specification's own content type, including the charset
        return Response(body, headers={"content-type": kind})

    async def healthz(self, _request: Request) -> Response:
        """Answer 200 while the process works, else 503; it must then be restarted."""
        fault = self._shown.faults().get("writer")
        return PlainTextResponse(f"writer: {fault}\n" if fault else "ok\n", 503 if fault else 200)

    async def readyz(self, _request: Request) -> Response:
        """Answer 200 while events can be received and written, else 503, with a line for each part."""
        faults = self._shown.faults()
        lines = (f"{part}: {fault or 'ok'}\n" for part, fault in faults.items())
        return PlainTextResponse("".join(lines), 503 if any(faults.values()) else 200)


async def _next(watcher: Watcher) -> set[str]:
    """Return the tables that changed, or an empty set if a heartbeat is due first."""
    try:
        async with asyncio.timeout(HEARTBEAT_INTERVAL_S):
            return await watcher.next()
    except TimeoutError:
        return set()


def _json(told_: Mapping[str, Any]) -> str:
    return json_text(told_)


def _filters(request: Request) -> dict[str, Any]:
    return filters({key: value for key, value in request.query_params.items() if key != "stream"})


def _figures_of(request: Request) -> tuple[str, str]:
    """Return the period and the grouping in a link's query. Raises BadFilter."""
    query = request.query_params
    period, by = query.get("period", "day"), query.get("by", "table")
    if period not in PERIODS:
        raise BadFilter("period", choices=", ".join(PERIODS))
    if by not in GROUPS:
        raise BadFilter("by", choices=", ".join(GROUPS))
    return period, by


def _names(nodes: Mapping[str, Any]) -> dict[str, str]:
    return {key: name_of(node) for key, node in nodes.items()}
