"""Whether an entry answers the prompt that it names. An entry for anything else names its own subject."""

from __future__ import annotations

from controller.game.model import events
from controller.game.model.procedures import OCCURRENCES_SINCE
from controller.game.model.state import TableState
from controller.game.showing.prompts import Prompt


def answers(state: TableState, prompt: Prompt | None, event: events.Event) -> bool:
    """Return whether an entry fits the prompt on the screen, so that it may name that prompt in place of a
    subject: an amount if the prompt asks for that circle, a face if it asks for that card, a sign-on if no
    dealer has signed on."""
    if state.procedures < OCCURRENCES_SINCE or getattr(event, "about", None) is not None:
        return True
    if isinstance(event, events.AmountEntered):
        return prompt is not None and (prompt.seat, prompt.wager) == (event.seat, event.wager)
    if isinstance(event, events.FaceEntered):
        return prompt is not None and event.place in map(str, prompt.places)
    return not isinstance(event, events.DealerSignedOn) or state.dealer is None
