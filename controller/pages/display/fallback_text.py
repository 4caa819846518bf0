"""Fallback for a text that cannot be rendered: its code is shown, and the rest of the page is unaffected.

A screen that is dark because of one sentence is worse than an odd word on it. Each prompt, alert and
sentence is rendered separately; an error is logged without the values.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from controller.game.showing.view import Alert, Hold, Prompt

P = ParamSpec("P")
T = TypeVar("T")

log = logging.getLogger("crisscross")

UNSAYABLE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""Errors that rendering plain data as text may raise."""


def attempt(otherwise: T, make: Callable[P, T], *about: P.args, **more: P.kwargs) -> T:
    """Return the result of `make`, or `otherwise` if it raises one of UNSAYABLE."""
    try:
        return make(*about, **more)
    except UNSAYABLE as error:
        log.warning("no words (%s): %s", make.__name__, type(error).__name__)
        return otherwise


# ------------------------------------------------------------------ the codes alone


def bare(code: object) -> str:
    """Return a code in place of its text, marked as the catalogue marks a missing text."""
    return f"‹{code}›"


def bare_prompt(prompt: Prompt | None) -> dict[str, str | None] | None:
    if prompt is None:
        return None
    return {"where": None, "do": bare(prompt["kind"]), "more": None, "confirm": None}


def bare_alert(alert: Alert) -> dict[str, Any]:
    code = bare(alert["code"])
    return {"id": alert["id"], "text": code, "do": None, "where": None, "what": code, "own": code}


def bare_hold(hold: Hold | None) -> dict[str, Any] | None:
    if hold is None:
        return None
    code = bare(hold["code"])
    return {
        "text": code, "blind": code, "do": code, "where": None, "what": code,
        "proposed": bare(hold["proposed"]), "then": [],
        "keys": [bare(key["outcome"] or key["decision"]) for key in hold["decisions"]], "says": "",
    }  # fmt: skip


def bare_front(words: dict[str, Any]) -> dict[str, Any]:
    """Return the front with the prompt's request alone."""
    prompt = words["parts"]["prompt"]
    do = prompt["do"] if prompt else None
    return {"where": words["phase"], "do": do, "more": None, "what": None, "then": None}
