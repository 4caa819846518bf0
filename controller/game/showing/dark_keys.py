"""Reasons why a key is dark (disabled) right now, as public data: the refusal that a press would get."""

from __future__ import annotations

from collections.abc import Mapping

from controller.game.model.names import Key
from controller.game.rulebook.wagers import Refusal
from controller.game.showing.view import Reason


def reasons(keys: Mapping[Key, Refusal | None]) -> dict[str, Reason]:
    """Return, by key, the reason why a press would be refused. Keys that would be accepted are left out.
    `keys`: the refusal of each key, None if it would be accepted."""
    return {str(key): _reason(refused) for key, refused in keys.items() if refused is not None}


def _reason(refused: Refusal) -> Reason:
    params = refused.params
    wager, options = params.get("wager"), params.get("options")
    return {
        "code": str(refused.code), "wager": None if wager is None else str(wager),
        "lies": params.get("lies"), "missing": params.get("missing"),
        "options": list(options) if options else None,
    }  # fmt: skip
