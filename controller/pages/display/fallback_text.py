"""Fallback for a text that cannot be rendered, such as a broken translation: its code is shown, and the
rest of the page is unaffected.

A dark screen is worse than a code in place of one sentence. Each prompt, alert and sentence is rendered
separately; an error is logged without the values.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from controller.game.showing.view import Alert, Hold, Prompt

P = ParamSpec("P")
T = TypeVar("T")

log = logging.getLogger("crisscross")

RENDER_ERRORS = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""Errors that rendering plain data as text may raise."""


def render_or_code(otherwise: T, make: Callable[P, T], *about: P.args, **more: P.kwargs) -> T:
    """Return `make(*about, **more)`. If it raises one of RENDER_ERRORS, log the error and return
    `otherwise`."""
    try:
        return make(*about, **more)
    except RENDER_ERRORS as error:
        log.warning("no words (%s): %s", make.__name__, type(error).__name__)
        return otherwise


# ------------------------------------------------------------------ codes in place of texts


def code_text(code: object) -> str:
    """Return a code in place of its text, marked as the catalogue marks a missing text."""
    return f"‹{code}›"


def prompt_codes(prompt: Prompt | None) -> dict[str, str | None] | None:
    if prompt is None:
        return None
    return {"where": None, "do": code_text(prompt["kind"]), "more": None, "confirm": None}


def alert_codes(alert: Alert) -> dict[str, Any]:
    code = code_text(alert["code"])
    return {
        "id": alert["id"], "text": code, "do": None, "where": None, "what": code,
        "own": code, "citation": None,
    }  # fmt: skip


def hold_codes(hold: Hold | None) -> dict[str, Any] | None:
    if hold is None:
        return None
    code = code_text(hold["code"])
    return {
        "text": code, "blind": code, "do": code, "where": None, "what": code,
        "proposed": code_text(hold["proposed"]), "then": [],
        "keys": [code_text(key["outcome"] or key["decision"]) for key in hold["decisions"]],
        "says": "", "citation": None,
    }  # fmt: skip


def front_codes(words: dict[str, Any]) -> dict[str, Any]:
    """Return the texts of the front of the screen if they cannot be rendered: the phase, and the request of
    the prompt."""
    prompt = words["parts"]["prompt"]
    do = prompt["do"] if prompt else None
    return {"where": words["phase"], "do": do, "more": None, "what": None, "then": None, "citation": None}
