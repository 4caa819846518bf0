"""Dead time after a new prompt: a double press or tap shortly after it was meant for the previous prompt.

It protects against a press of a key on the table, which names no prompt, and against a second tap on a screen
that has just changed. Times are arguments (ms of the table clock). A key refused here is not journalled, so a
replay does not depend on it.
"""

from __future__ import annotations

from controller.game.model.events import Event, KeyPressed
from controller.game.model.names import Key
from controller.game.rulebook.wagers import Refusal
from controller.table.engine.ports import Game

TOO_SOON = Refusal("too_soon", "")


class DeadTime:
    """Dead time of one table, in which it refuses keys because its prompt has just changed."""

    def __init__(self, ms: int) -> None:
        self._ms = ms
        self._prompt: str | None = None
        self._until = 0

    def note_prompt(self, game: Game, now: int) -> None:
        """Start the dead time if the prompt differs from the last one. The first prompt after a start does
        not count.
        """
        if not self._ms:
            return
        prompt = game.prompt_id()
        if self._prompt not in (None, prompt):
            self._until = now + self._ms
        self._prompt = prompt

    def check(self, event: Event, now: int) -> Refusal | None:
        """Return TOO_SOON for a key during the dead time, else None. The key that calls the floor is never
        refused. A refused FOLD restarts the dead time.
        """
        if not isinstance(event, KeyPressed) or event.key is Key.FLOOR or now >= self._until:
            return None
        if event.key is Key.FOLD:
            # repeated taps for one seat must not fold the next one
            self._until = now + self._ms
        return TOO_SOON
