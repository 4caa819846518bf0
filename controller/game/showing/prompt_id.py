"""Id of a prompt: a touch contains the id of the prompt that it answers, so that a late touch never answers
another.
"""

from __future__ import annotations

from controller.game.model.evolve import evolve
from controller.game.model.names import Phase
from controller.game.model.procedures import OCCURRENCES_SINCE, SUBJECTS_SINCE
from controller.game.model.state import TableState
from controller.game.phases.subjects import with_raised
from controller.game.showing.prompts import Prompt

PROMPT = "prompt"
"""Key of `TableState.revisions` that counts the prompts."""


def identity(state: TableState, prompt: Prompt | None) -> str:
    """Return the id of a prompt. It stays the same while the prompt asks for the same act, however often the
    view changes. A prompt that comes again, such as after UNDO or a hold, has another id."""
    content = _content(state, prompt)
    if prompt is None or state.procedures < OCCURRENCES_SINCE:
        return content
    return f"{content}/{state.revisions.get(PROMPT, 0)}"


def with_prompt(state: TableState, prompt: Prompt | None) -> TableState:
    """Return the state after an event with a new revision of the prompt if the event changed it."""
    if state.procedures < OCCURRENCES_SINCE or (content := _content(state, prompt)) == state.asked:
        return state
    return evolve(with_raised(state, PROMPT), asked=content)


def _content(state: TableState, prompt: Prompt | None) -> str:
    """Return the act that the prompt asks for. Successive similar holds differ by the number of queued holds,
    the steps of successive decks and shuffles by the revision of the deck."""
    if prompt is None:
        return "none"
    round_ = state.round.number if state.round else state.next_round
    asks = (round_, prompt.kind, prompt.seat, prompt.wager, prompt.amount, prompt.step, prompt.code)
    places = (*prompt.places, *prompt.too)
    held = (state.hold.place, len(state.held_next)) if state.hold else ()
    by_deck = state.procedures >= SUBJECTS_SINCE and state.phase in (Phase.OPENING, Phase.SHUFFLE)
    deck = (f"deck {state.revisions.get('deck', 0)}",) if by_deck else ()
    return "/".join("" if part is None else str(part) for part in (*asks, *places, *held, *deck))
