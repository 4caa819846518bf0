"""Pages of the evidence for surveillance, by HTTP: all sittings and dealers, one sitting, one dealer.

They show ended rounds to people with the role `surveillance`, and have no control that affects a table. They
name no card. No page of a table, floor or pit links to them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from urllib.parse import parse_qs, quote

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from controller.common.http.admitted import LOOPBACK_HOSTS
from controller.common.http.request_guard import BodyRefused, Guard, read_body
from controller.common.texts.catalogue import FIRST_LANGUAGE, Catalogue, catalogue, languages
from controller.evidence.board import Board
from controller.evidence.page import (
    STYLE,
    ahead,
    decisions,
    figures,
    html_document,
    link,
    paragraph,
    shoe_figures,
    strongest_first,
)
from controller.evidence.people import MAX_TYPED, Access
from controller.evidence.report import sitting_data
from controller.evidence.sitting import Sitting
from controller.evidence.words import text_of

COOKIE = "crisscross_surveillance"
LANGUAGE_COOKIE = "crisscross_language"
"""Cookie with the language, the same as that of a table's pages."""
FORM = "application/x-www-form-urlencoded"
RENEWAL_S = 30
"""Seconds after which the list reloads; browsers keep the scroll position."""


@dataclass(frozen=True, slots=True)
class Site:
    """Address of the pages. `hosts`: names under which browsers may open them; `tls`: whether they are served
    by HTTPS. `rounds_at`: for each journal, the address to which a round's number is appended; () for numbers
    without a link."""

    hosts: Sequence[str] = LOOPBACK_HOSTS
    tls: bool = False
    rounds_at: Sequence[str] = ()


def make_app(board: Board, access: Access, site: Site) -> Starlette:
    pages = _Pages(board, access, site)
    app = Starlette(
        routes=[
            Route("/", pages.index),
            Route("/sittings/{number}", pages.sitting),
            Route("/dealers/{number}", pages.dealer),
            Route("/shoes/{number}", pages.shoe),
            Route("/sign_in", pages.sign_in, methods=["POST"]),
            Route("/sign_out", pages.sign_out, methods=["POST"]),
            Route("/surveillance.css", _style),
            Route("/healthz", _healthz),
        ],
        middleware=[
            Middleware(
                Guard, hosts=tuple(site.hosts), forms="'self'", schemes=("https" if site.tls else "http",)
            )
        ],
    )
    app.state.close = lambda: None  # no page has a stream to close
    return app


class _Pages:
    """Handlers of the routes. Without a session the list shows a sign-in form, and the other pages redirect
    to it."""

    def __init__(self, board: Board, access: Access, site: Site) -> None:
        self._board, self._access, self._site = board, access, site

    async def index(self, request: Request) -> Response:
        texts, still = _texts(request), "still" in request.query_params
        # browsers send it when a person acts, not when a page renews itself
        by_hand = request.headers.get("sec-fetch-user") == "?1"
        if not self._is_signed_in(request, by_hand=by_hand):
            return _page(texts, _sign_in_form(texts))
        parts = [_renewal(texts, still), *self._board.overview(texts), _sign_out_form(texts)]
        answer = _page(texts, parts, many_above=self._board.many_above())
        if not still:
            answer.headers["refresh"] = str(RENEWAL_S)
        if "lang" in request.query_params:
            answer.set_cookie(LANGUAGE_COOKIE, texts.language, samesite="strict")
        return answer

    async def sitting(self, request: Request) -> Response:
        texts, number = _texts(request), request.path_params["number"]
        if not self._is_signed_in(request):
            return RedirectResponse("/", 303)
        found = self._board.sittings.found
        if (at := _place(number)) is None or at >= len(found):
            return _page(texts, [_back(texts)], status=404)
        return _page(texts, self._of_sitting(texts, found[at]))

    async def dealer(self, request: Request) -> Response:
        texts, number = _texts(request), request.path_params["number"]
        if not self._is_signed_in(request):
            return RedirectResponse("/", 303)
        dealer = self._board.sittings.dealers.get(number)
        if dealer is None:
            return _page(texts, [_back(texts)], status=404)
        at = _place(request.query_params.get("part", ""))
        if at is not None and at < len(dealer.sittings):
            return _page(texts, self._of_sitting(texts, dealer.sittings[at]))
        rows = self._board.parts(texts, dealer, f"/dealers/{quote(number, safe='')}?part=")
        title = escape(text_of(texts, "dealt", dealer=number))
        return _page(
            texts, [_back(texts), f"<h2>{title}</h2>", paragraph(text_of(texts, "head_dealers")), *rows]
        )

    async def shoe(self, request: Request) -> Response:
        texts, number = _texts(request), request.path_params["number"]
        if not self._is_signed_in(request):
            return RedirectResponse("/", 303)
        at = _place(number)
        if at is None or at not in self._board.shoes():
            return _page(texts, [_back(texts)], status=404)
        table, data = self._board.shoes()[at]
        places = {key: data[name] or "-" for key, name in (("first", "first_round"), ("last", "last_round"))}
        title = escape(text_of(texts, "shoe", table=table, **places))
        return _page(texts, [_back(texts), f"<h2>{title}</h2>", *shoe_figures(texts, data)])

    async def sign_in(self, request: Request) -> Response:
        """Start a session: 303 to the list with the cookie, 401 for a wrong PIN, 429 while attempts have to
        wait."""
        texts = _texts(request)
        try:
            asked = parse_qs((await read_body(request, FORM)).decode("utf-8", "replace"), max_num_fields=4)
        except (BodyRefused, ValueError) as error:
            return PlainTextResponse(f"{error}\n", getattr(error, "status", 400))
        typed, pin = (asked.get(name, [""])[0][:MAX_TYPED] for name in ("badge", "pin"))
        address = request.client.host if request.client else ""
        found = await self._access.sign_in(typed, pin, address)
        if isinstance(found, int):
            refused = text_of(texts, "wait", seconds=found) if found else text_of(texts, "wrong")
            return _page(texts, _sign_in_form(texts, refused), status=429 if found else 401)
        answer = RedirectResponse("/", 303)
        answer.set_cookie(COOKIE, found, httponly=True, samesite="strict", secure=self._site.tls)
        return answer

    async def sign_out(self, request: Request) -> Response:
        self._access.sign_out(request.cookies.get(COOKIE, ""))
        answer = RedirectResponse("/", 303)
        answer.delete_cookie(COOKIE, httponly=True, samesite="strict", secure=self._site.tls)
        return answer

    def _is_signed_in(self, request: Request, *, by_hand: bool = True) -> bool:
        return self._access.is_signed_in(request.cookies.get(COOKIE, ""), by_hand=by_hand)

    def _of_sitting(self, texts: Catalogue, sitting: Sitting) -> Iterator[str]:
        """Yield the figures of a sitting, each with a link to its decisions, and the decisions."""
        data = sitting_data(sitting, self._board.threshold(), self._board.sittings.ahead_of(sitting))
        places = {key: data[name] for key, name in (("first", "first_round"), ("last", "last_round"))}
        title = text_of(texts, "sitting_at", table=data["table"], seat=data["seat"], **places)
        yield _back(texts)
        yield f"<h2>{escape(title)}</h2>"
        yield from ahead(texts, data)
        yield paragraph(text_of(texts, "weigh"))
        yield from figures(texts, data, lambda name: link(f"#{name}", text_of(texts, f"knew.{name}")))
        at = self._site.rounds_at[sitting.journal] if self._site.rounds_at else ""
        for name, strand in strongest_first(data):
            knew = text_of(texts, f"knew.{name}")
            yield f'<h3 id="{name}">{text_of(texts, "heaviest", hypothesis=knew)}</h3>'
            yield from decisions(texts, name, strand, lambda number: f"{at}{number}" if at else "")


def _place(text: str) -> int | None:
    """Return the index that an address names, or None if the text is not a number of at most 9 digits."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else None


def _texts(request: Request) -> Catalogue:
    asked = request.query_params.get("lang", request.cookies.get(LANGUAGE_COOKIE, FIRST_LANGUAGE))
    return catalogue(asked if asked in languages() else FIRST_LANGUAGE)


def _page(texts: Catalogue, parts: Iterable[str], status: int = 200, many_above: int = 0) -> Response:
    # a form sends its Origin, which the guard compares, only under this policy
    policy = '<meta name="referrer" content="same-origin">'
    style = '<link rel="stylesheet" href="/surveillance.css">'
    return HTMLResponse(html_document(texts, f"{policy}\n{style}", parts, many_above), status)


def _renewal(texts: Catalogue, still: bool) -> str:
    """Return the line that says whether the list reloads itself, with a link that switches this."""
    if still:
        return f"<p>{escape(text_of(texts, 'still'))} {link('/', text_of(texts, 'renew'))}</p>"
    renews = escape(text_of(texts, "renews", seconds=RENEWAL_S))
    return f"<p>{renews} {link('/?still=1', text_of(texts, 'stop_renewing'))}</p>"


def _back(texts: Catalogue) -> str:
    return f"<p>{link('/', text_of(texts, 'back'))}</p>"


def _sign_in_form(texts: Catalogue, refused: str = "") -> list[str]:
    badge = '<input name="badge" autocomplete="username" required>'
    pin = '<input name="pin" type="password" autocomplete="current-password" required>'
    return [
        paragraph(text_of(texts, "only")),
        f'<p role="alert">{refused}</p>' if refused else "",
        '<form method="post" action="/sign_in">',
        f"<label>{text_of(texts, 'user')} {badge}</label>",
        f"<label>{text_of(texts, 'pin')} {pin}</label>",
        f"<button>{text_of(texts, 'sign_in')}</button></form>",
    ]


def _sign_out_form(texts: Catalogue) -> str:
    return f'<form method="post" action="/sign_out"><button>{text_of(texts, "sign_out")}</button></form>'


async def _style(_request: Request) -> Response:
    return Response(STYLE, media_type="text/css")


async def _healthz(_request: Request) -> Response:
    return PlainTextResponse("ok\n")
