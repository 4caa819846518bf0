"""Reasons why a key is dark (disabled) right now, as public data: the refusal that a press would get."""

from __future__ import annotations

from collections.abc import Mapping

from controller.game.model.names import Key
from controller.game.rulebook.wagers import Refusal
from controller.game.showing.view import Reason


def reasons(keys: Mapping[Key, Refusal | None]) -> dict[str, Reason]:
    """Return the reason of each key that would be refused."""
    return {str(key): _reason(refused) for key, refused in keys.items() if refused is not None}


def _reason(refused: Refusal) -> Reason:
    params = refused.params
    wager, options = params.get("wager"), params.get("options")
    return {
        "code": str(refused.code), "wager": None if wager is None else str(wager),
        "lies": params.get("lies"), "missing": params.get("missing"),
        "options": list(options) if options else None,
    }  # fmt: skip
