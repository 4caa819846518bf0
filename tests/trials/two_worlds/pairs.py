"""A pair of tables played from the first wager to the end of a round, and the outputs that distinguish
them.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache

from controller.game.model.cards import DECK
from controller.game.model.events import Event, Stamp, TimePassed
from controller.game.model.names import Method, Phase
from controller.game.table import Table
from tests.game.felt import Felt, pack
from tests.trials.two_worlds import watched
from tests.trials.two_worlds.decks import differing
from tests.trials.two_worlds.stream import Stream, touches
from tests.trials.two_worlds.world import Outputs, World, hidden, turned, unlike

PACKS = ("pennsylvania", "massachusetts", "maryland", "six_card_bonus")
SHOES = tuple((key, method) for key in PACKS for method in pack(key).deals if method is not Method.HAND)
HANDS = tuple((key, Method.HAND) for key in PACKS if Method.HAND in pack(key).deals)
WAYS = (*SHOES * 6, *HANDS)
"""Pack and way of dealing of each pair, in turn. If cards are dealt by hand, none is known before it is
turned: such pairs are few, and test cards set aside."""
EVENTS = 260
"""Maximum number of events, more than a round of six seats with much trouble needs."""
WATCHED = 0.02
"""Share of the events after which the surveillance pages are compared."""
LOOKS = 0.1
"""Share of the events after which surveillance reads the journal of the watched world."""
PAUSES = (0, 1, 1, 5, 400, 1_500)


@dataclass(frozen=True)
class Outcome:
    """Result of a pair. `difference`: first output in which the two worlds differed although the same cards
    were turned in both; None if there was none."""

    seed: int
    way: tuple[str, Method]
    kind: str
    events: int
    hidden: bool
    """Whether a face differed at some moment."""
    settled: bool
    """Whether faces still differed, unseen, when the settlement began."""
    matters: bool
    """Whether the difference decided a wager, so that the two worlds had to settle differently."""
    parted: bool
    """Whether a differing card was turned: from then on the worlds look different, and may behave
    differently."""
    ended: bool
    difference: str | None


def play(seed: int, events: int = EVENTS) -> Outcome:
    """Play one pair. It depends on the seed only."""
    return Pair(seed).play(events)


class Pair:
    """Two worlds in which the same events happen, while some cards that lie face down differ."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.dice = random.Random(seed)
        self.way = WAYS[seed % len(WAYS)]
        beside = self.dice.random() < 0.2
        settle = self.dice.choice((None, None, 1_000))
        tells_face_up = self.dice.random() < 0.8
        self.first = self.second = World(opened(*self.way, beside, settle, tells_face_up))
        self.stream = Stream(self.dice)
        self.ms = self.first.table._context.ms
        self.watching = random.Random(f"watched {seed}")
        self.kind = "none"
        self.hidden = self.settled = self.matters = False

    def play(self, events: int) -> Outcome:
        for number in range(events):
            event = self._event()
            if self.first is self.second:
                if not self._deals():
                    self.first.take(event, self._stamp())
                    continue
                self._part()
            outputs = [world.outputs_of(event, self._stamp()) for world in (self.first, self.second)]
            if self._parted():
                return self._outcome(number, parted=True)
            if difference := self._difference(event, outputs):
                return self._outcome(number, difference=difference)
            self._note()
            if self.first.table.state.phase is Phase.BETTING:
                return self._outcome(number, ended=True, difference=self._retold())
            if self.dice.random() < 0.01:
                self.first.restart()
                self.second.restart()
        return self._outcome(events)

    # ------------------------------------------------------------------ events

    def _event(self) -> Event:
        """Return the next event. A deadline that is due comes first, as in the daemon's loop."""
        self.ms += self.dice.choice(PAUSES)
        due = self.first.table.next_deadline()
        return (
            TimePassed() if due is not None and due <= self.ms else self.stream.next(self.first, self.second)
        )

    def _stamp(self) -> Stamp:
        return Stamp(self.ms, f"2026-11-20T20:00:{self.ms:09}Z")

    def _deals(self) -> bool:
        """Return whether the deal begins. Until then both worlds have one history and need no comparison."""
        state = self.first.table.state
        return state.round is not None and state.phase is Phase.DEALING and bool(state.round.deal.steps)

    def _part(self) -> None:
        round_ = self.first.table.state.round
        assert round_ is not None
        deck = differing(self.dice, round_)
        self.kind, self.stream.folding = deck.kind, deck.folding
        self.second = self.first.fork()
        self.first.deck, self.second.deck = deck.first, deck.second

    # ------------------------------------------------------------------ comparison of the worlds

    def _parted(self) -> bool:
        """Return whether a differing card was turned, so that every observer sees the difference."""
        one, other = turned(self.first.table.state), turned(self.second.table.state)
        return one.keys() == other.keys() and one != other

    def _difference(self, event: Event, outputs: list[Outputs]) -> str | None:
        found = next(unlike(*outputs), None)
        if found is None and self.hidden and self.dice.random() < 0.2:
            found = self._compare_touches() or self._tried()
        if found is None and self.hidden and self.watching.random() < WATCHED:
            found = self._watched()
        return found and f"{type(event).__name__}: {found}"

    def _watched(self) -> str | None:
        """Compare the surveillance pages of both worlds while the round is in play. Returns the difference,
        or None."""
        if watched.is_closed(self.first) or watched.is_closed(self.second):
            return None
        pages = [watched.pages(world) for world in (self.first, self.second)]
        return None if pages[0] == pages[1] else f"surveillance: {pages[0]} / {pages[1]}"

    def _retold(self) -> str | None:
        """Compare the round of both worlds as people read it after its end. Returns the first difference, or
        None."""
        number = self.first.table.state.next_round - 1
        return next(unlike(self.first.story(number), self.second.story(number), "story"), None)

    def _compare_touches(self) -> str | None:
        faces = [self.stream.guess(self.first, self.second) for _ in range(3)]
        sent = touches(self.dice, faces)
        for event, one, other in zip(
            sent, self.first.answers_to(sent), self.second.answers_to(sent), strict=True
        ):
            if one != other:
                return f"asked {type(event).__name__}: {one} / {other}"
        return None

    def _tried(self) -> str | None:
        """Try one more event on copies of both worlds. Returns the first difference of the outputs, or
        None."""
        forks = self.first.fork(), self.second.fork()
        event, stamp = self.stream.next(*forks), Stamp(self.ms + self.dice.choice(PAUSES), "")
        outputs = [fork.outputs_of(event, stamp) for fork in forks]
        faces = [turned(fork.table.state) for fork in forks]
        return None if faces[0] != faces[1] else next(unlike(*outputs), None)

    def _note(self) -> None:
        one, other = self.first.table.state, self.second.table.state
        if hidden(one) == hidden(other):
            return
        self.hidden = True
        if one.phase is Phase.SETTLEMENT and one.round and other.round:
            self.settled = True
            self.matters = self.matters or one.round.settlement.plan != other.round.settlement.plan

    def _outcome(
        self, events: int, *, parted: bool = False, ended: bool = False, difference: str | None = None
    ) -> Outcome:
        return Outcome(
            self.seed, self.way, self.kind, events, self.hidden, self.settled, self.matters, parted, ended,
            difference,
        )  # fmt: skip


class WatchedPair(Pair):
    """Two worlds with the same cards, of which surveillance watches only the first. All outputs must be the
    same."""

    def _part(self) -> None:
        deck = list(DECK)
        self.dice.shuffle(deck)
        self.kind, self.second = "watched", self.first.fork()
        self.first.deck = self.second.deck = deck

    def _difference(self, event: Event, outputs: list[Outputs]) -> str | None:
        if self.watching.random() < LOOKS:
            watched.pages(self.first)
        found = next(unlike(*outputs), None)
        return found and f"{type(event).__name__}: {found}"


def play_watched(seed: int, events: int = EVENTS) -> Outcome:
    """Play one pair of worlds with the same cards, of which surveillance watches one."""
    return WatchedPair(seed).play(events)


@cache
def _opened(key: str, method: Method, beside: bool, settle: int | None, tells_face_up: bool) -> Felt:
    return Felt(key, method, payouts_beside=beside, settle_ms=settle, tells_face_up=tells_face_up)


def opened(key: str, method: Method, beside: bool, settle: int | None, tells_face_up: bool) -> Table:
    """Return a new table that waits for wagers. `key`: its rule pack; `beside`, `settle`: as `payouts_beside`
    and `settle_ms` of the table's settings."""
    felt = _opened(key, method, beside, settle, tells_face_up)
    table = Table(felt.pack, felt.table.settings, felt.table.state)
    table.handle(TimePassed(), Stamp(felt.ms, ""))
    return table
