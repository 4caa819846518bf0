"""The manuals: `/manuals` lists them, `/manuals/dealer` is one of them, for the screen or printed on paper.

A manual is an HTML file in `manuals/LANGUAGE/`. It quotes the screens by the key of the text, so that a
quote always has the screen's own words: `{{page.key_confirm}}`, with values `{{prompts.pay.do|amount=$9}}`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from html import escape
from importlib import resources
from pathlib import Path
from string import Template

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from controller.common.texts.catalogue import FIRST_LANGUAGE, Catalogue, catalogue
from controller.pages.display.explain import of_page
from controller.pages.display.shell import STATIC, script_json

FOLDER = Path(str(resources.files("controller.pages.display") / "manuals"))
SHOTS = STATIC / "manuals"
"""Pictures of the screens by language, made by `make manuals`."""
INDEX = "index"
MANUALS = ("dealer", "trainee", "floorperson", "surveillance", "technician", "pit_manager")
QUOTE = re.compile(r"\{\{([a-z0-9_.]+)((?:\|[a-z_]+=[^|}]+)*)\}\}")
"""Pattern of a quote of the screen: the key of a text, then values for its placeholders."""
CODE = re.compile(r"(<code[^>]*>)([^<]*)")
OPTION = re.compile(r"(?<![\w\-.])-[\w-]+")
"""Pattern of an option of a command."""
QUESTIONS = "<table data-questions>"
"""Tag that begins the table of first-day questions in a manual; its title and column heads are texts of the
catalogue.
"""


class ManualPages:
    """Handlers of the routes of the manuals. `wanted`: returns the language of a request; `home`: key of the
    text of the link to `/`."""

    def __init__(self, wanted: Callable[[Request], str], home: str) -> None:
        self._wanted, self._home = wanted, home

    def routes(self) -> list[Route]:
        return [Route("/manuals", self.index), Route("/manuals/{name}", self.manual)]

    async def index(self, request: Request) -> Response:
        return HTMLResponse(manual_page(INDEX, self._wanted(request), self._home))

    async def manual(self, request: Request) -> Response:
        for name in MANUALS:
            if name == request.path_params["name"]:
                return HTMLResponse(manual_page(name, self._wanted(request), self._home))
        return JSONResponse({"error": f"manual: one of {' '.join(MANUALS)}"}, 404)


@cache
def manual_page(name: str, language: str, home: str) -> str:
    """Return the complete page of a manual, in English if it is not available in the language. `home`: key of
    the text of the link back."""
    written = language if file(name, language).exists() else FIRST_LANGUAGE
    texts = catalogue(written)
    template = Template((STATIC / "manual.html").read_text(encoding="utf-8"))
    return template.substitute(
        language=written,
        title=escape(texts.plain(f"manuals.names.{name}")),
        home=escape(texts.plain(home)),
        home_key=home,
        manuals=escape(texts.plain("manuals.names.index")),
        print=escape(texts.plain("rounds_page.print")),
        texts=script_json({"help": of_page("manuals", written), "language": written}),
        body=filled(file(name, written).read_text(encoding="utf-8"), texts),
    )


def file(name: str, language: str) -> Path:
    """Return the path of a manual's source file."""
    return FOLDER / language / f"{name}.html"


def filled(source: str, texts: Catalogue) -> str:
    """Return a manual with its quotes and table heads filled from the catalogue.

    Each option of a command becomes an element, so that no line breaks after its hyphens.
    """
    headed = source.replace(QUESTIONS, _questions(texts))
    unbroken = CODE.sub(lambda found: found[1] + OPTION.sub(r"<span>\g<0></span>", found[2]), headed)
    return QUOTE.sub(lambda found: _quoted(found[1], found[2], texts), unbroken)


def _questions(texts: Catalogue) -> str:
    title, *columns = (
        escape(texts.plain(f"manuals.first_day.{key}")) for key in ("title", "question", "answer")
    )
    cells = "".join(f'<th scope="col">{column}</th>' for column in columns)
    return f"<h2>{title}</h2>\n<table>\n<thead><tr>{cells}</tr></thead>"


def _quoted(key: str, given: str, texts: Catalogue) -> str:
    values = dict(value.split("=", 1) for value in given.split("|") if value)
    return f'<kbd data-text="{key}">{escape(texts.text(key, values) or "")}</kbd>'
