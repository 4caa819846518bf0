"""Pages of ended rounds: `/rounds` lists them, `/rounds/17` shows one, for a link or for paper.

They have no control that affects the table and read no journal: `RemoteSource` asks a separate process,
which returns turned faces only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from starlette.convertors import IntegerConvertor, register_url_convertor
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from controller.common.files.money import cents
from controller.common.texts.catalogue import Catalogue, catalogue
from controller.game.model.names import SEATS
from controller.pages.display.ports import MAX_FIND_CHARS, MAX_LISTED, MAX_ROUND, ROUND_KINDS, RemoteSource
from controller.pages.display.read_only_pages import localized_page
from controller.pages.display.round_text import title
from controller.pages.display.shell import csv_download

DEFAULT_ROUNDS = 50
"""Default number of rounds in the list."""


class RoundNumber(IntegerConvertor):
    """Number of a round in an address, for `:round`. Its length is limited, because int() raises at 4,300
    digits.
    """

    regex = "[0-9]{1,12}"


register_url_convertor("round", RoundNumber())


class BadFilter(ValueError):
    """Raised if a filter of a link is not allowed. `key`: key of its text under `rounds_page.allowed`.
    `values`: values of the placeholders in that text.
    """

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(key)
        self.key, self.values = key, values

    def in_words(self, texts: Catalogue) -> str:
        """Return one line for the page, in the language of the texts."""
        why = texts.text(f"rounds_page.allowed.{self.key}", self.values)
        return texts.text("rounds_page.bad_filter", {"why": why}) or ""


class RoundPages:
    """Handlers of the routes. `wanted`: returns the language of a request."""

    def __init__(self, source: RemoteSource, wanted: Callable[[Request], str]) -> None:
        self._source, self._wanted = source, wanted

    def routes(self) -> list[Route]:
        return [
            Route("/rounds", self.list_page),
            Route("/rounds.csv", self.csv),
            Route("/rounds/{number:round}", self.round_page),
            Route("/api/rounds", self.list),
            Route("/api/rounds/{number:round}", self.round),
        ]

    async def list_page(self, request: Request) -> Response:
        texts = catalogue(self._wanted(request))
        names = {code: title(texts, code) for code in texts.texts["codes"]}
        return localized_page("rounds", texts.language, "rounds_page", {"codes": names})

    async def round_page(self, request: Request) -> Response:
        return localized_page("round", self._wanted(request), "rounds_page")

    async def list(self, request: Request) -> Response:
        """Return the rounds that match the filters, the newest first."""
        return await self._listed(request, "list")

    async def csv(self, request: Request) -> Response:
        return await self._listed(request, "csv")

    async def _listed(self, request: Request, form: str) -> Response:
        language = self._wanted(request)
        try:
            wanted = filters(request.query_params)
        except BadFilter as error:
            return JSONResponse({"error": error.in_words(catalogue(language))}, 400)
        answer = await self._source.ended({"do": form, "wanted": wanted, "language": language})
        if "csv" in answer:
            return csv_download(answer["csv"], "rounds")
        return response_of(catalogue(language), answer)

    async def round(self, request: Request) -> Response:
        number, language = request.path_params["number"], self._wanted(request)
        if number > MAX_ROUND:
            return response_of(catalogue(language), {"missing": "no_round"}, MAX_ROUND)
        answer = await self._source.ended({"do": "round", "number": number, "language": language})
        return response_of(catalogue(language), answer, number)


def response_of(texts: Catalogue, answer: Mapping[str, Any], number: int = 0) -> Response:
    """Return the response for the reader's answer, with a text for a refusal or fault."""
    if "missing" in answer:
        words = texts.text(f"rounds_page.{answer['missing']}", {"number": number})
        return JSONResponse({"error": words}, 404)
    if "fault" in answer:
        return JSONResponse({"error": texts.text("rounds_page.unreadable", {"why": answer["fault"]})}, 503)
    return JSONResponse(answer)


# ------------------------------------------------------------------ filters


def filters(given: Mapping[str, str]) -> dict[str, Any]:
    """Return the filters of a link, parsed strictly. An empty value sets no filter. Raises BadFilter."""
    chosen = {key: value for key, value in given.items() if value and key != "lang"}
    for key in chosen:
        if key not in FILTERS:
            raise BadFilter("unknown", given=f"{key[:24]!a}", choices=", ".join(FILTERS))
    return {"last": DEFAULT_ROUNDS} | {key: _read(key, value) for key, value in chosen.items()}


def _read(key: str, value: str) -> object:
    try:
        return FILTERS[key](value)
    except ValueError:
        raise BadFilter(key, number=LARGEST.get(key)) from None


def _whole_number(low: int, high: int) -> Callable[[str], int]:
    def read(value: str) -> int:
        if not re.fullmatch(r"[0-9]{1,9}", value) or not low <= int(value) <= high:
            raise ValueError(value)
        return int(value)

    return read


def _day(value: str) -> str:
    return date.fromisoformat(value).isoformat()


def _number(value: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9-]{1,16}", value):
        raise ValueError(value)
    return value


def _text(value: str) -> str:
    if not value.strip() or len(value) > MAX_FIND_CHARS:
        raise ValueError(value)
    return value


def _kind(value: str) -> str:
    if value not in ROUND_KINDS:
        raise ValueError(value)
    return value


FILTERS: Mapping[str, Callable[[str], object]] = {
    "last": _whole_number(1, MAX_LISTED),
    "day": _day,
    "dealer": _number,
    "seat": _whole_number(SEATS[0], SEATS[-1]),
    "irregularity": _kind,
    "amount": cents,
    "find": _text,
}
"""Parser for the value of each filter of a link. The texts under `rounds_page.allowed` name the allowed
values.
"""
LARGEST: Mapping[str, int] = {"last": MAX_LISTED, "find": MAX_FIND_CHARS}
"""Upper limit by filter, stated in the text about a wrong value: rounds for `last`, characters for `find`."""
