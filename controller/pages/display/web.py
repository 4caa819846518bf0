"""Routes (URLs) of the pages and their API, each a few lines that call `RemoteSource`.

They serve the dealer's page, the floor page, the push, the touches and the recall. All content comes from
`RemoteSource`, never from the table, the journal or a device directly. Fonts, icons and scripts are in
`static/`; a page fetches nothing from other hosts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route

from controller.common.files.zones import machine_zone
from controller.common.http.admitted import LOOPBACK_HOSTS, NOBODY
from controller.common.http.request_guard import (
    BodyRefused,
    Guard,
    is_own_screen,
    read_json_body,
)
from controller.common.http.static_folder import StaticFolder
from controller.common.texts.catalogue import FIRST_LANGUAGE, catalogue, title
from controller.game.model.record import record_subject
from controller.game.model.side_bets import BONUSES
from controller.game.showing import report_forms
from controller.game.showing.lamps import LANGUAGE, RHYTHMS, SETTLING, LampState, Look
from controller.game.showing.recalled import picture
from controller.pages.display.floor_words import floor_words
from controller.pages.display.live import Live
from controller.pages.display.manual_pages import ManualPages
from controller.pages.display.ports import RemoteSource, TableGone, Withheld
from controller.pages.display.read_only_pages import ReadOnlyPages
from controller.pages.display.round_text import clock
from controller.pages.display.rounds_pages import RoundPages
from controller.pages.display.shell import STATIC, language_of, shell
from controller.pages.display.touch_limits import TOUCHES_PER_S, Limits
from controller.pages.display.touches import TouchError
from controller.pages.display.words import refusal_text


def make_app(
    source: RemoteSource, language: str = FIRST_LANGUAGE, hosts: Iterable[str] = LOOPBACK_HOSTS,
    framed_by: str = NOBODY, zone: str = "", touches: int = TOUCHES_PER_S,
    closed: bool = False,
) -> Starlette:  # fmt: skip
    """Return the ASGI application. Call `app.state.close()` to end the streams before the server stops.
    `framed_by`: origin whose pages may embed these. `zone`: time zone, "" for the machine's. `touches`:
    maximum number per second. `closed`: answer only the table's own screens, as marked by the server."""
    catalogue(language)  # raises at the start if the table file names an unknown language
    live = Live(source)
    pages = _Pages(source, live, language, zone)
    looking = ReadOnlyPages(source, pages.wanted)
    app = Starlette(
        routes=[
            Route("/", pages.dealer),
            Route("/floor", pages.floor),
            Route("/healthz", pages.healthz),
            Route("/api/live", pages.stream),
            Route("/api/view", pages.view),
            Route("/api/floor", pages.figures),
            Route("/api/rounds/last", pages.recall),
            Route("/api/touch", pages.touch, methods=["POST"]),
            *looking.routes(),
            *RoundPages(source, pages.wanted).routes(),
            *ManualPages(pages.wanted, "page.to_dealer").routes(),
            Mount("/static", StaticFolder(STATIC)),
        ],
        middleware=[
            Middleware(Guard, hosts=tuple(hosts), framed_by=framed_by, closed=closed),
            Middleware(Limits, a_second=touches, language=language),
        ],
        exception_handlers={TableGone: _gone, Withheld: pages.withheld},
    )

    def close() -> None:
        live.close()
        looking.close()

    app.state.close = close
    return app


class _Pages:
    """Handlers of the table's pages and of the requests that they send."""

    def __init__(self, source: RemoteSource, live: Live, language: str, zone: str) -> None:
        self._source, self._live, self._language, self._zone = source, live, language, zone

    def wanted(self, request: Request) -> str:
        """Return the language of a page: the one chosen on the screen, by default the table's."""
        return language_of(request, self._language)

    async def dealer(self, request: Request) -> Response:
        return _page("dealer", "title", self.wanted(request))

    async def floor(self, request: Request) -> Response:
        return _page("floor", "floor_title", self.wanted(request))

    async def healthz(self, _request: Request) -> Response:
        return PlainTextResponse("ok\n")

    async def view(self, request: Request) -> Response:
        return Response(self._live.payload(self.wanted(request)), media_type="application/json")

    async def stream(self, request: Request) -> Response:
        return self._live.response(self.wanted(request), is_own_screen(request.scope))

    async def figures(self, request: Request) -> Response:
        return JSONResponse(floor_words(await self._source.floor(), self.wanted(request)))

    async def recall(self, _request: Request) -> Response:
        rounds = await self._source.recall()
        zone = self._zone or machine_zone()
        return JSONResponse([_recalled(record, zone) for record in rounds])

    async def withheld(self, request: Request, _error: Exception) -> Response:
        words = catalogue(self.wanted(request)).plain("rounds_page.withheld")
        return JSONResponse({"error": words}, 403)

    async def touch(self, request: Request) -> Response:
        """Parse the body strictly; answer once the event is on the disk."""
        try:
            refused = await self._source.touch(await read_json_body(request))
        except BodyRefused as error:
            return JSONResponse({"error": error.words}, error.status)
        except TouchError as error:
            return JSONResponse({"error": str(error)}, 400)
        if refused is None:
            return JSONResponse({"ok": True})
        words = refusal_text(refused.code, refused.values, self.wanted(request))
        return JSONResponse({"refused": words, "code": refused.code}, 409)


async def _gone(_request: Request, _error: Exception) -> Response:
    return JSONResponse({"error": "the table has stopped or does not answer"}, 503)


def _recalled(record: Mapping[str, Any], zone: str) -> dict[str, Any]:
    """Return the record of a recalled round with data for its display: the picture, the subject, and the
    local starting time if it has ended."""
    began = clock(record["started"], zone)[:5] if "started" in record else ""
    return {**record, "picture": picture(record), "about": record_subject(record), "clock": began}


def _page(name: str, titled: str, language: str) -> Response:
    texts = catalogue(language)
    page = dict(texts.texts["page"])
    for kind in (
        "wagers",
        "places",
        "reports",
        "outcomes",
        "methods",
        "phases",
        "codes",
        "backs",
        "rows",
        "results",
    ):
        page[kind] = {key: title(node) for key, node in texts.texts[kind].items()}
    page["lamps"] = {state: _drawn(state, look) for state, look in LANGUAGE.items()}
    page["asks"], page["of_seat"] = report_forms.ASKS, report_forms.SEAT_REPORTS
    page["report_groups"] = report_forms.GROUPS
    page["rhythms"] = RHYTHMS
    page["side_bets"] = BONUSES
    return shell(name, language, page[titled], page)


def _drawn(state: LampState, look: Look) -> dict[str, object]:
    """Return the look of a circle's lamp in one of its states, as data for the page. `settles`: whether the
    page colours the whole circle."""
    settles = state in SETTLING
    return {"colour": look.colour, "rhythm": look.rhythm, "shape": look.shape, "settles": settles}
