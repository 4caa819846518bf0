"""No output of a table names a face-down card, and the search finds a face that a test plants in an
output."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from controller.game import table
from controller.game.model.effects import WriteRecord
from controller.game.model.events import CardsSwapped, Stamp
from controller.game.model.names import Phase
from controller.game.model.round import Dealt
from controller.game.model.transition import Transition
from controller.game.rulebook.wagers import Refusal
from controller.game.showing import cards, prompt_id
from controller.record.timeline import public
from controller.table.display_source import figures, source
from tests.trials.two_worlds.decks import differing
from tests.trials.two_worlds.pairs import WAYS, opened
from tests.trials.two_worlds.search import searched
from tests.trials.two_worlds.stream import Stream
from tests.trials.two_worlds.world import World, hidden

pytestmark = pytest.mark.slow

ROUNDS, LEAKING = 5, 60
FIRST = {"record": 7, "story": 7}
"""Seeds with which the search for a planted face begins, for outputs that only few rounds produce."""


def found(seed: int, events: int = 200) -> Iterator[str]:
    """Yield the hidden faces found in the output of a disturbed round."""
    dice = random.Random(seed)
    world, stream = World(opened(*WAYS[seed % len(WAYS)], False, None, True)), Stream(dice)
    dealt = False
    for ms in range(10_000, 10_000 + 300 * events, 300):
        state = world.table.state
        if not dealt and state.phase is Phase.DEALING and state.round and state.round.deal.steps:
            world.deck, dealt = differing(dice, state.round).first, True
        event, at = stream.next(world, world), Stamp(ms, "2026-11-20T20:00:00.000Z")
        outputs = world.outputs_of(event, at)
        recorded = any(
            isinstance(effect, WriteRecord) for done in world.turns[-1:] for effect in done.effects
        )
        if dealt and (recorded or dice.random() < 0.2):
            yield from searched(world, state, dice, outputs)
        if dealt and world.table.state.phase is Phase.BETTING:
            return


def test_no_output_names_a_face_down_card() -> None:
    assert [leak for seed in range(ROUNDS) for leak in found(seed)] == []


# ------------------------------------------------------------------ planted faces


def some(state: Any) -> str:
    """Return a card that lies face down, or "" if there is none."""
    return next((str(face) for face in hidden(state).values() if face), "")


def in_view(patch: pytest.MonkeyPatch) -> None:
    shown = cards.public_card
    patch.setattr(cards, "public_card", lambda round_, place, _shown: shown(round_, place, {place}))


def in_prompt(patch: pytest.MonkeyPatch) -> None:
    named = prompt_id.identity
    patch.setattr(prompt_id, "identity", lambda state, prompt: f"{named(state, prompt)}/{some(state)}")


def in_effects(patch: pytest.MonkeyPatch) -> None:
    sent = Transition.command
    patch.setattr(Transition, "command", lambda play, name, *more: sent(play, name, some(play.state)))


def in_answer(patch: pytest.MonkeyPatch) -> None:
    patch.setitem(
        table.PEOPLE, CardsSwapped, lambda state, *_: Refusal("place_and_face", "", {"card": some(state)})
    )


def in_log(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Dealt, "__repr__", lambda dealt: f"Dealt({dealt.number}, {dealt.face})")


def in_floor_page(patch: pytest.MonkeyPatch) -> None:
    shown = figures._shown
    patch.setattr(figures, "_shown", lambda k, e, at: {**shown(k, e, at), "face": getattr(e, "face", None)})


def in_story(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(public, "turned_record", lambda record, _shown: record)


def in_record(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(source, "turned_record", lambda record, _shown: record)


PLANTS: dict[str, tuple[Callable[[pytest.MonkeyPatch], None], str]] = {
    "view": (in_view, "view: "), "spectator": (in_view, "spectator: "), "recall": (in_view, "recall: "),
    "prompt": (in_prompt, "prompt: "), "effects": (in_effects, "effects: "),
    "answer": (in_answer, "answer place_and_face: "), "log": (in_log, "log: "),
    "floor page": (in_floor_page, "floor page: "), "record": (in_record, "effects: "),
    "story": (in_story, "story: "),
}  # fmt: skip


@pytest.mark.parametrize("where", PLANTS)
def test_a_face_planted_in_an_output_is_found(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plant, output = PLANTS[where]
    plant(monkeypatch)
    assert any(
        leak.startswith(output) for seed in range(FIRST.get(where, 0), LEAKING) for leak in found(seed)
    )
