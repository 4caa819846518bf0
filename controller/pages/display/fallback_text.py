"""A word that cannot be made shows its code, and everything beside it is said as ever.

Screens that are dark because of one sentence are worse than an odd word on them. Each prompt, alert and
sentence is made under a guard of its own; what was wrong goes into the log, without the values.
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
"""Errors that may end the making of words out of plain data."""


def attempt(otherwise: T, make: Callable[P, T], *about: P.args, **more: P.kwargs) -> T:
    """Return the words of `make`, or `otherwise` if it fails."""
    try:
        return make(*about, **more)
    except UNSAYABLE as error:
        log.warning("no words (%s): %s", make.__name__, type(error).__name__)
        return otherwise


# ------------------------------------------------------------------ the codes alone


def bare(code: object) -> str:
    """A code where its words should stand, as the catalogue marks a text that it lacks."""
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
