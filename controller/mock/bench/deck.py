"""Order of a stacked deck for a test (scenario): the cards named in its file are at their places, random
cards elsewhere.

It returns the tokens with which a simulated shoe is loaded (``TD ^9S ??``). The deal comes from the rule pack
and the table's settings, never from the daemon.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence

from controller.game.model.cards import DECK
from controller.game.model.names import Method
from controller.game.model.rules import RulePack
from controller.game.model.state import TableSettings
from controller.game.rulebook.deal import plan_deal
from controller.mock.bench.device_requests import CardToken
from controller.mock.bench.shoes import shoe_tokens


class Dealing:
    """Maker of stacked decks for one mock table: it returns the order in which the cards must lie so that a
    round gets the wanted ones. `front`: cards that were put on top of the deck for the next round."""

    def __init__(self, seed: int | str, pack: RulePack, settings: TableSettings) -> None:
        self._seed = seed
        self._pack = pack
        self._settings = settings
        self._rounds = 0
        self.front: tuple[CardToken, ...] = ()

    def places(self, seats: Iterable[int], method: Method) -> list[str]:
        """Return the places of a round's cards in the order in which they are dealt."""
        template = self._pack.deals[method]
        steps = plan_deal(template, seats, self._settings.cross_order, self._settings.stack_first_out)
        return [place for step in steps for place in step.places]

    def for_round(self, seats: Iterable[int], method: Method, cards: Mapping[str, CardToken]) -> list[str]:
        """Return the tokens of a deck whose `cards` are dealt to their places. Cards of `front` come first: a
        card that lies face up is inserted, any other replaces the card at its place."""
        wanted = [cards.get(place) for place in self.places(seats, method)]
        laid = laid_over(wanted, self.front)
        self.front = ()
        named = {token.face for token in laid if token is not None}
        rest = [str(face) for face in DECK if face not in named]
        self._rounds += 1
        random.Random(f"{self._seed}:{self._rounds}:deck").shuffle(rest)
        return shoe_tokens([token if token is not None else CardToken(rest.pop()) for token in laid])


def laid_over(wanted: Sequence[CardToken | None], front: Sequence[CardToken]) -> list[CardToken | None]:
    laid: list[CardToken | None] = []
    queue = list(wanted)
    for token in front:
        laid.append(token)
        if not token.up and queue:
            queue.pop(0)
    return laid + queue
