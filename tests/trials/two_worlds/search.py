"""Search of every output of one table for the face of a card that lies face down, in any notation."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Collection, Iterator, Mapping
from functools import cache

from controller.common.texts.catalogue import catalogue, languages
from controller.game.model.cards import Card
from controller.game.model.effects import WriteRecord
from controller.game.model.events import CardLeftShoe, Event
from controller.game.model.state import TableState
from controller.game.rulebook.faces import open_faces
from controller.game.rulebook.wagers import Refusal
from controller.pages.display import phrases
from controller.pages.display.floor_words import floor_words
from controller.pages.display.words import refusal_text, render
from controller.table.display_source.source import round_in_progress
from tests.trials.two_worlds.stream import touches
from tests.trials.two_worlds.world import Outputs, World, hidden

SUITS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
RANKS = {"T": "ten", "J": "jack", "Q": "queen", "K": "king", "A": "ace"}
TOKEN = re.compile(r"\w+ of \w+|10[^\w\s]|\w[\u2660-\u2667]|\w+")


@cache
def written(face: Card) -> frozenset[str]:
    """Return the spellings of a card in a text: QH, Qh, its bytes, Q♥, queen of hearts."""
    rank, suit = face
    shown = (phrases.face(catalogue(language), face) for language in languages())
    return frozenset(
        (face, rank + suit.lower(), face.encode().hex(), *shown, f"{RANKS.get(rank, rank)} of {SUITS[suit]}")
    )


def faces_in_text(text: str, faces: Collection[Card]) -> set[Card]:
    """Return the faces that occur in a text, as separate words."""
    words = set(TOKEN.findall(text))
    return {face for face in faces if not written(face).isdisjoint(words)}


def secrets(world: World, before: TableState) -> set[Card]:
    """Return the faces that no output may contain: those that lie face down now, or did before the event,
    unless they are open at another place or a person has named them."""
    down, known = set[Card | None](), {_named(done.event) for done in world.turns}
    for state in (before, world.table.state):
        down |= set(hidden(state).values())
        known |= set(open_faces(state.round).values()) if state.round else set()
    return {face for face in down - known if face}


def _named(event: Event) -> Card | None:
    """Return the face that a person named in this event, or None."""
    return None if isinstance(event, CardLeftShoe) else getattr(event, "face", None)


def searched(world: World, before: TableState, dice: random.Random, outputs: Outputs) -> list[str]:
    """Search the outputs for secret faces. Returns a line for each output that contains some."""
    faces = secrets(world, before)
    return [
        f"{way}: {sorted(out)}"
        for way, text in _texts(world, dice, outputs)
        if (out := faces_in_text(text, faces))
    ]


def _texts(world: World, dice: random.Random, outputs: Outputs) -> Iterator[tuple[str, str]]:
    view = outputs["view"]
    yield "view", json.dumps(view)
    yield "recall", json.dumps(round_in_progress(view))
    yield from ((name, str(output)) for name, output in outputs.items() if name != "view")
    for language in languages():
        yield "words", json.dumps(render(view, language))
        yield "floor page", json.dumps(floor_words({"events": world.figures.events()}, language), default=str)
        yield from ((f"answer {each.code}", _answer(each, language)) for each in _answers(world, dice))
    done = world.turns[-1:]
    yield "log", repr(done) + repr(world.table.state)
    records = [effect for each in done for effect in each.effects if isinstance(effect, WriteRecord)]
    yield from (("story", str(world.story(effect.record["round"]))) for effect in records)


def _answers(world: World, dice: random.Random) -> list[Refusal]:
    """Return the answers to requests that any user could send now; no request names a hidden face."""
    return [answer for answer in world.answers_to(touches(dice, [])) if isinstance(answer, Refusal)]


def _answer(answer: Refusal, language: str) -> str:
    values: Mapping[str, object] = answer.params
    return f"{answer} {json.dumps(values, default=str)} {refusal_text(answer.code, values, language)}"
