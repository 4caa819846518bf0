"""The pit's ASGI application: the route of each page and of its data, and errors as answers.

The needs of every route are in `access/gate.py`; a route that is missing there prevents the start.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route

from controller.common.http.admitted import LOOPBACK_HOSTS
from controller.common.http.request_guard import BodyRefused, Guard
from controller.common.http.static_folder import StaticFolder
from controller.floor.pit.access.gate import SIGN_IN, Access
from controller.floor.pit.access.manage import Manage
from controller.floor.pit.access.sign_in import SignIn
from controller.floor.pit.database import StoreError
from controller.floor.pit.pages import OWN, NoTable, Pages, PageSources
from controller.pages.display.manual_pages import ManualPages
from controller.pages.display.rounds_pages import BadFilter
from controller.pages.display.shell import STATIC


def make_app(
    shown: PageSources, hosts: Iterable[str] = LOOPBACK_HOSTS, access: Access | None = None
) -> Starlette:  # fmt: skip
    """Return the ASGI application. Before the server stops, call `app.state.close()`: it ends the streams.

    `hosts`: allowed host names of requests. `access`: users and sessions; None: without users.
    """
    access = access or Access()
    pages = Pages(shown, access)
    manage = Manage(access, pages.own_page, pages.read, shown.keep_days)
    app = Starlette(
        routes=[*_routes(pages), *manage.routes(), *SignIn(access).routes(), *_files(pages)],
        middleware=[Middleware(Guard, hosts=tuple(hosts), schemes=("http", "https"))],
        exception_handlers={
            BodyRefused: _refused_body,
            StoreError: _unreadable,
            NoTable: _no_table,
            BadFilter: pages.bad_filter,
        },
    )
    access.guard(app.routes)
    app.state.close = pages.close
    return app


def _routes(pages: Pages) -> list[BaseRoute]:
    return [
        Route("/", pages.floor),
        Route("/api/live", pages.stream),
        Route("/figures", pages.figures_page),
        Route("/api/figures", pages.figures),
        Route("/figures.csv", pages.figures_csv),
        Route("/refused", pages.refused_page),
        Route("/api/refused", pages.refused),
        Route("/api/tables/{name}/on_my_way", pages.on_my_way, methods=["POST"]),
        Route(SIGN_IN, pages.sign_in),
        Route("/metrics", pages.metrics),
        Route("/healthz", pages.healthz),
        Route("/readyz", pages.readyz),
        Route("/tables/{name}", pages.table_address),
        Mount("/tables/{name}", routes=_routes_of_a_table(pages)),
    ]


def _routes_of_a_table(pages: Pages) -> list[BaseRoute]:
    return [
        Route("/floor", pages.table),
        Route("/api/live", pages.table_stream),
        Route("/api/said", pages.decisions),
        Route("/rounds", pages.rounds_page),
        Route("/rounds.csv", pages.rounds_csv),
        Route("/rounds/{number:round}", pages.round_page),
        Route("/api/rounds", pages.rounds),
        Route("/api/rounds/{number:round}", pages.round),
    ]


def _files(pages: Pages) -> list[BaseRoute]:
    return [
        *ManualPages(pages.wanted, "pit.all_tables").routes(),
        Mount("/static/pit", StaticFolder(OWN)),
        Mount("/static", StaticFolder(STATIC)),
    ]


async def _refused_body(_request: Request, error: Exception) -> Response:
    refused = cast("BodyRefused", error)  # Starlette calls it for this error alone
    return JSONResponse({"error": refused.words}, refused.status)


async def _unreadable(_request: Request, error: Exception) -> Response:
    return JSONResponse({"error": str(error)}, 503)


async def _no_table(_request: Request, _error: Exception) -> Response:
    return JSONResponse({"error": "table: no table of that name has spoken"}, 404)
