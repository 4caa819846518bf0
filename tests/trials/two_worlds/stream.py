"""Events at a table, chosen only by the visible state."""

from __future__ import annotations

import random
from collections.abc import Iterator

from controller.game.model import events
from controller.game.model.cards import DECK, Card
from controller.game.model.irregularities import Code, DealerReport, Outcome
from controller.game.model.names import (
    ANTES,
    BETS,
    BONUS_PLACES,
    CROSS,
    IN_PLAY,
    SEATS,
    Key,
    Phase,
    Wager,
    cards_of,
)
from controller.game.model.state import Hold, TableState
from tests.game.test_any_order import any_event, sane_event
from tests.trials.two_worlds.world import World, hidden

NONSENSE = {Phase.SETTLEMENT: 0.35, Phase.BETTING: 0.02, Phase.DEALING: 0.04, Phase.HELD: 0.1}
"""Share of events that the prompt does not ask for, by phase."""
ELSEWHERE = 0.07
UNREAD = 0.06
PLACES = (*CROSS, *BONUS_PLACES, *(place for seat in SEATS for place in cards_of(seat)))


class Stream:
    """Source of random events for a pair of worlds. `folding`: seats that fold whenever they are asked."""

    def __init__(self, dice: random.Random) -> None:
        self.dice = dice
        self.folding: frozenset[int] = frozenset()

    def next(self, first: World, second: World) -> events.Event:
        """Return the next event, the same for both worlds. Only what the first one shows decides; the second
        one is used for guesses of faces, which may then be right."""
        dice, state = self.dice, first.table.state
        event = self._drawn(first)
        if isinstance(event, events.FaceEntered) and dice.random() < 0.9:
            return events.FaceEntered(event.place, self.guess(first, second))
        if isinstance(event, events.CardLeftShoe) and event.found == "face_down" and dice.random() < UNREAD:
            return events.CardLeftShoe(event.number, None, dice.choice(("not_read", "not_read", "face_up")))
        if state.phase is Phase.DEALING and dice.random() < 0.01:
            return events.Reported(Code.CARD_FACE_UP)
        return event

    def guess(self, first: World, second: World) -> Card:
        """Return a face that a person enters. Often it is one that lies face down, preferably in only one of
        the worlds."""
        one, other = ({*hidden(world.table.state).values()} - {None} for world in (first, second))
        down = one ^ other or one
        return self.dice.choice(
            sorted(face for face in down if face) if down and self.dice.random() < 0.7 else DECK
        )

    def _drawn(self, world: World) -> events.Event:
        state = world.table.state
        if self.dice.random() < NONSENSE.get(state.phase, ELSEWHERE):
            if state.phase in IN_PLAY and self.dice.random() < 0.75:
                return self._mischief(world)
            return any_event(self.dice, state)
        if state.suspects and self.dice.random() < 0.5:
            return events.TimePassed()
        return self._sane(world) or any_event(self.dice, state)

    def _sane(self, world: World) -> events.Event | None:
        prompt, state = world.table.prompt(), world.table.state
        kind, seat = (prompt.kind, prompt.seat) if prompt else ("", None)
        if prompt and kind == "ask" and seat and prompt.wager:
            folds = seat in self.folding or self.dice.random() < 0.04
            bet = events.CircleRead(seat, prompt.wager, (world.chip(self.dice.choice(prompt.options)),))
            return events.KeyPressed(Key.FOLD) if folds else bet
        if kind == "bets_open":
            return self._bets(world)
        if state.hold is not None and self.dice.random() < 0.8:
            return self._mild(state.hold)
        if prompt and kind in ("hand_back", "fix_wagers") and seat and prompt.wager:
            lies = prompt.amount or 0
            return events.CircleRead(seat, prompt.wager, (world.chip(lies),) if lies else ())
        return sane_event(world, self.dice)

    def _mild(self, hold: Hold) -> events.Event:
        """Return a decision by which the round continues, or any outcome of the hold if there is no such
        decision."""
        if Outcome.GO_ON in hold.outcomes:
            return events.FloorDecided("B1", "outcome", Outcome.GO_ON)
        if hold.refusable:
            return events.FloorDecided("B1", "refuse")
        return events.FloorDecided("B1", "outcome", self.dice.choice(hold.outcomes))

    def _bets(self, world: World) -> events.Event:
        """Return the next event of betting: both antes of some boxes, bonuses at some of them, and no more
        bets."""
        state, dice = world.table.state, self.dice
        boxes = [seat for seat in SEATS if state.amount(seat, Wager.ANTE_ACROSS)]
        half = next((seat for seat in boxes if not state.amount(seat, Wager.ANTE_DOWN)), None)
        if half is not None:
            return events.CircleRead(half, Wager.ANTE_DOWN, (world.chip(1000),))
        bare = [
            (seat, wager)
            for seat in boxes
            for wager in world.table.pack.bonuses
            if not state.amount(seat, wager)
        ]
        if bare and dice.random() < 0.4:
            seat, wager = dice.choice(bare)
            return events.CircleRead(seat, wager, (world.chip(500),))
        free = [seat for seat in SEATS if seat not in boxes]
        if free and (not boxes or dice.random() < 0.6):
            return events.CircleRead(dice.choice(free), Wager.ANTE_ACROSS, (world.chip(1000),))
        return events.KeyPressed(Key.NO_MORE_BETS)

    # ------------------------------------------------------------------ mischief

    def _mischief(self, world: World) -> events.Event:
        state, dice = world.table.state, self.dice
        what = dice.random()
        if what < 0.6:
            return self._chips(world, state)
        if what < 0.7:
            return events.FaceEntered(
                dice.choice((*PLACES, "set_aside", "set_aside")), Card(dice.choice(DECK))
            )
        if what < 0.8:
            return self._report()
        if what < 0.85:
            return events.CardsSwapped(dice.choice(PLACES), dice.choice(PLACES))
        if what < 0.95:
            return events.FloorDecided(
                "B1", dice.choice(("sign", "restore", "forfeit", "answer")), seat=dice.choice(SEATS)
            )
        return events.KeyPressed(dice.choice(tuple(Key)))

    def _report(self) -> events.Event:
        dice = self.dice
        what = dice.choice(
            (
                Code.HOLE_EXPOSED,
                Code.CARD_DIFFERS,
                Code.DUPLICATE_CARD,
                DealerReport.STUB_COUNT,
                Code.FACE_SEEN,
            )
        )
        place = dice.choice(PLACES)
        return events.Reported(
            what, dice.choice(SEATS), place, dice.choice((None, 33, 2)), Card(dice.choice(DECK))
        )

    def _chips(self, world: World, state: TableState) -> events.Event:
        """Return a reading after the chips of one circle were lifted, halved, doubled, moved to another
        circle or put back."""
        dice = self.dice
        seats = _face_down(state) or list(SEATS)
        seat, wager = dice.choice(seats), dice.choice((*ANTES, *BETS, *world.table.pack.bonuses))
        here = state.holding(seat, wager).chips
        other = state.holding(dice.choice(seats), dice.choice((*ANTES, *BETS))).chips
        wager_of = (
            state.round.seats[seat].wagers.get(wager, 0) if state.round and seat in state.round.seats else 0
        )
        lies = dice.choice(
            ((), (), here[:-1], (*here, world.chip(500)), (*here, *other), other, (*here, *here[:1]))
        )
        if dice.random() < 0.25:
            lies = (world.chip(wager_of),) if wager_of else ()
        elif dice.random() < 0.25 and wager_of:
            lies = (*here, world.chip(wager_of * dice.choice((1, 2, 3, 5, 10))))
        return events.CircleRead(seat, wager, lies)


def _face_down(state: TableState) -> list[int]:
    """Return the seats whose cards are still face down, since alerts about them could reveal most. If there
    are none, return all seats of the round."""
    round_ = state.round
    return (
        []
        if round_ is None
        else sorted(round_.seats.keys() - round_.settlement.shown) or sorted(round_.seats)
    )


def touches(dice: random.Random, guesses: Iterator[Card] | list[Card]) -> list[events.Event]:
    """Return requests that any user could send at any moment in order to learn from the answer. `guesses`:
    faces that they name."""
    faces = list(guesses)
    return [
        *(events.KeyPressed(key) for key in Key),
        *(
            events.FaceEntered(place, face)
            for face in faces
            for place in (dice.choice(PLACES), "set_aside", "middle")
        ),
        *(events.Reported(Code.CARD_DIFFERS, place=dice.choice(PLACES), face=face) for face in faces),
        events.Reported(
            dice.choice((Code.DUPLICATE_CARD, Code.HOLE_EXPOSED)), dice.choice(SEATS), dice.choice(PLACES)
        ),
        events.CardsSwapped(dice.choice(PLACES), dice.choice(PLACES)),
        events.FloorDecided(
            "B1", dice.choice(("restore", "forfeit", "sign", "approve")), seat=dice.choice(SEATS)
        ),
    ]
