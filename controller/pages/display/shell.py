"""HTML around every page: one head for all pages, and a table of each page's own parts and texts.

The page's JavaScript module draws the content. Texts may contain any character, since `<` is escaped.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from string import Template
from typing import Any, Literal

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from controller.common.texts.catalogue import catalogue, languages
from controller.pages.display.explain import of_page

STATIC = Path(str(resources.files("controller.pages.display") / "static"))
UPLOT = ("uplot/uPlot.min.css", "uplot/uPlot.iife.min.js")


@dataclass(frozen=True, slots=True)
class PageParts:
    """Parts of one page.

    `look`: class of the body. `head`: style sheets after the common one, and scripts that are not modules.
    `help`: name of the page in the explanations. `root`: element that the module fills.
    """

    look: str
    module: str
    head: tuple[str, ...]
    help: str
    root: Literal["div", "main"] = "div"


LANGUAGE_COOKIE = "crisscross_language"
"""Cookie with the language chosen on a screen (`static/language.js`)."""

PAGES: Mapping[str, PageParts] = {
    "dealer": PageParts("dealer", "dealer.js", ("dealer.css", "panels.css"), "dealer"),
    "floor": PageParts("floor", "floor.js", ("dealer.css", "panels.css", "floor.css"), "floor"),
    "table": PageParts("wall", "table.js", ("table.css",), "table"),
    "devices": PageParts("devices", "devices.js", ("devices.css",), "devices"),
    "figures": PageParts("figures-body", "figures_page.js", ("figures_page.css", *UPLOT), "figures"),
    "rounds": PageParts("paper", "rounds.js", ("rounds.css",), "rounds", "main"),
    "round": PageParts("paper", "round.js", ("rounds.css",), "round", "main"),
}


def shell(name: str, language: str, title: str, words: Mapping[str, Any]) -> Response:
    """Return the page with all its texts: even "no connection" must be available without a connection."""
    return render_page(PAGES[name], language, title, words)


def language_of(request: Request, default: str) -> str:
    """Return the language in the address, else the one chosen on that screen, else `default`."""
    wanted = request.query_params.get("lang", request.cookies.get(LANGUAGE_COOKIE, default))
    return wanted if wanted in languages() else default


def csv_download(text: str, name: str) -> Response:
    """Return CSV that a browser saves as `name`.csv."""
    headers = {"content-disposition": f"attachment; filename={name}.csv"}
    return Response(text, media_type="text/csv", headers=headers)


def render_page(own: PageParts, language: str, title: str, words: Mapping[str, Any]) -> Response:
    """Return the HTML of a page with these parts, such as a page of the pit."""
    template = Template((STATIC / "page.html").read_text(encoding="utf-8"))
    filled = template.substitute(
        language=language,
        title=title,
        noscript=catalogue(language).plain("page.noscript"),
        look=own.look,
        module=own.module,
        root=own.root,
        head="\n".join(map(_tag, own.head)),
        texts=script_json({**words, "language": language, "help": of_page(own.help, language)}),
    )
    return HTMLResponse(filled)


def script_json(words: Mapping[str, Any]) -> str:
    """Return texts as JSON that is safe inside a script element."""
    return json.dumps(words, ensure_ascii=False).replace("<", "\\u003c")


def _tag(file: str) -> str:
    if file.endswith(".js"):
        return f'<script src="/static/{file}"></script>'
    return f'<link rel="stylesheet" href="/static/{file}">'
