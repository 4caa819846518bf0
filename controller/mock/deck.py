"""The order in which the mock table's cards come out: shuffled from the seed, arranged on demand.

A deck is a list of `Physical` cards, next one first. The same seed gives the same decks. It is the
simulator's truth: its repr masks every face.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from controller.game.cards import DECK
from controller.game.deal import plan_deal
from controller.game.names import Method
from controller.game.rules import RulePack
from controller.game.state import TableSettings
from controller.mock.steps import CardToken


@dataclass(frozen=True, slots=True)
class Physical:
    """A card of pasteboard. `up`: it lies face up in the deck; `readable`: the shoe's reader can read it."""

    face: str = field(repr=False)
    up: bool = False
    readable: bool = True


class Dealing:
    """What comes out next. `front`: cards that somebody has put in front."""

    def __init__(self, seed: int | str, pack: RulePack, settings: TableSettings) -> None:
        self._seed = seed
        self._pack = pack
        self._settings = settings
        self._shuffles = 0
        self._front: tuple[CardToken, ...] = ()

    def shuffled(self) -> list[Physical]:
        """A freshly shuffled deck, with what was put in front of it."""
        self._shuffles += 1
        return self.compose((), self._front)

    def put_in_front(self, tokens: Sequence[CardToken]) -> None:
        """These come out of whatever deck is dealt next."""
        self._front = tuple(tokens)

    def used_front(self) -> None:
        self._front = ()

    def places(self, seats: Iterable[int], method: Method) -> list[str]:
        """Where the first card out goes, the second, and so on."""
        template = self._pack.deals[method]
        steps = plan_deal(template, seats, self._settings.cross_order, self._settings.stack_first_out)
        return [place for step in steps for place in step.places]

    def for_round(
        self, seats: Iterable[int], method: Method, cards: Mapping[str, CardToken]
    ) -> list[Physical]:
        """A deck from which `cards` come out at their places. What was put in front is laid over it: a card
        found face up pushes the others back, any other takes the place that it comes to."""
        wanted: list[CardToken | None] = [cards.get(place) for place in self.places(seats, method)]
        return self.compose(_laid_over(wanted, self._front), ())

    def compose(self, wanted: Sequence[CardToken | None], front: Sequence[CardToken]) -> list[Physical]:
        """`front`, then `wanted` with its gaps filled, then the rest of the deck; no card comes twice but
        where it was asked for twice."""
        dice = random.Random(f"{self._seed}:{self._shuffles}:deck")
        tokens = [*front, *wanted]
        named = {token.face for token in tokens if token is not None}
        rest = [face for face in DECK if face not in named]
        dice.shuffle(rest)
        out = [_physical(token, rest) for token in tokens]
        return [*out, *(Physical(face) for face in rest)]


def _physical(token: CardToken | None, rest: list[str]) -> Physical:
    if token is None:
        return Physical(rest.pop())
    return Physical(token.face or rest.pop(), token.up, token.read)


def _laid_over(wanted: Sequence[CardToken | None], front: Sequence[CardToken]) -> list[CardToken | None]:
    laid: list[CardToken | None] = []
    queue = list(wanted)
    for token in front:
        if token.up:
            laid.append(token)
            continue
        under = queue.pop(0) if queue else None
        laid.append(replace(under, read=False) if under and not token.read else token)
    return laid + queue
