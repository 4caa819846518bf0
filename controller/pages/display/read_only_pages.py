"""Pages without input: none of their routes accepts a touch.

`/table` is for a wall or a spectator; its own stream carries only the data of `game/showing/spectator.py`.
`/devices` is for the technician, `/figures` for the management.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from controller.common.texts.catalogue import catalogue
from controller.game.model.names import Key
from controller.game.showing.spectator import spectator
from controller.game.showing.view import View
from controller.pages.display import phrases, round_text
from controller.pages.display.explain import explain
from controller.pages.display.figures_csv import figures_csv
from controller.pages.display.figures_view import PERIODS, FiguresView
from controller.pages.display.live import Live
from controller.pages.display.ports import RemoteSource
from controller.pages.display.shell import csv_download, shell

MAX_WALLS = 8
"""Maximum number of concurrent streams for walls and spectators, not counted among the other pages'
streams.
"""
CARD_WORDS = (
    "seat",
    "round",
    "spades",
    "hearts",
    "diamonds",
    "clubs",
    "card_none",
    "card_down",
    "card_unread",
    "reading_first",
)
"""Keys of the dealer's page texts that every page with cards needs."""


class ReadOnlyPages:
    """Handlers of the routes. `wanted`: returns the language of a request."""

    def __init__(self, source: RemoteSource, wanted: Callable[[Request], str]) -> None:
        self._wanted = wanted
        self._source = source
        self._wall = Live(source, wall, MAX_WALLS)

    def routes(self) -> list[Route]:
        return [
            Route("/table", self.table),
            Route("/api/table/live", self.stream),
            Route("/devices", self.devices_page),
            Route("/api/devices", self.devices),
            Route("/figures", self.figures_page),
            Route("/api/figures/{period}", self.figures),
            Route("/figures/{period}.csv", self.figures_csv),
            Route("/api/expected", self.expected),
            Route("/api/help", self.help),
        ]

    def close(self) -> None:
        """End every stream, so that the server can stop."""
        self._wall.close()

    async def table(self, request: Request) -> Response:
        language = self._wanted(request)
        texts = catalogue(language).texts
        return localized_page(
            "table", language, "wall", {"hands": {**texts["hands"], **texts["wall"]["pairs"]}}
        )

    async def stream(self, request: Request) -> Response:
        return self._wall.response(self._wanted(request))

    async def devices_page(self, request: Request) -> Response:
        texts = catalogue(self._wanted(request)).texts
        keys = {str(key): texts["page"][f"key_{key}"] for key in Key}
        more = {
            "wagers": texts["wagers"], "key_names": keys, "floor_page": texts["page"]["floor_page"],
        }  # fmt: skip
        return localized_page("devices", self._wanted(request), "devices", more)

    async def devices(self, _request: Request) -> Response:
        return JSONResponse(await self._source.devices())

    async def figures_page(self, request: Request) -> Response:
        texts = catalogue(self._wanted(request))
        codes = {name: round_text.title(texts, name) for name in texts.texts["codes"]}
        more = {"codes": codes, "floor_page": texts.plain("page.floor_page")}
        return localized_page("figures", self._wanted(request), "figures", more)

    async def expected(self, request: Request) -> Response:
        """Return win against expectation, for the rounds whose expectation has been computed."""
        answer = await self._source.ended({"do": "luck", "language": self._wanted(request)})
        if "luck" in answer:
            return JSONResponse(answer["luck"])
        words = catalogue(self._wanted(request)).text(
            "rounds_page.unreadable", {"why": answer.get("fault", "")}
        )
        return JSONResponse({"error": words}, 503)

    async def help(self, request: Request) -> Response:
        """Return explanations of the page's present content. The page itself contains the other
        explanations."""
        return JSONResponse(explain(self._source.latest(), self._wanted(request)))

    async def figures(self, request: Request) -> Response:
        figures = await self._period(request)
        return JSONResponse(figures) if figures else _no_period()

    async def figures_csv(self, request: Request) -> Response:
        figures = await self._period(request)
        if figures is None:
            return _no_period()
        return csv_download(figures_csv(figures), f"figures-{figures['period']}")

    async def _period(self, request: Request) -> FiguresView | None:
        """Return the figures of the period in the address, or None if there is no such period."""
        wanted = request.path_params["period"]
        known = next((period for period in PERIODS if period == wanted), None)
        return await self._source.figures(known) if known else None


def _no_period() -> Response:
    return JSONResponse({"error": f"period: one of {' '.join(PERIODS)}"}, 404)


def wall(view: View, language: str) -> Mapping[str, Any]:
    """Return the data of a wall or spectator's page: the public view with the names of phase and open hands,
    limits and pay tables.

    The limits and pay tables are public, since the felt and its sign state them.
    """
    texts = catalogue(language)
    seen = spectator(view)
    hands = [
        {name: phrases.hand(texts, hand) for name, hand in seat["hands"].items()} for seat in seen["seats"]
    ]
    words = {"phase": texts.plain(f"wall.phases.{seen['phase']}"), "hands": hands}
    return {**seen, "limits": view["limits"], "pays": view["pays"], "words": words}


def localized_page(name: str, language: str, section: str, more: Mapping[str, Any] | None = None) -> Response:
    """Return a page with the texts of its section, and the texts for cards."""
    texts = catalogue(language).texts
    words = {**{word: texts["page"][word] for word in CARD_WORDS}, **texts[section], **(more or {})}
    return shell(name, language, texts[section]["title"], words)
