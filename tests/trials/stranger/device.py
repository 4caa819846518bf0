"""Mechanics of the independent shoe: one or two decks, an exit, acts of hands. It does not use the link.

Every card that passes the shoe's reader is written to the truth log before it is reported.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.trials.stranger.channel import Later

RANKS, SUITS = "AKQJT98765432", "SHDC"
Truth = Callable[[dict[str, Any]], None]


@dataclass(frozen=True)
class Make:
    """Properties by which makers' devices differ. Times are in seconds, `face_up` and `unread` probabilities
    for each card."""

    mode: str = "STACK"
    decks: int = 1
    card_s: float = 0.01
    lift_s: tuple[float, float] = (0.01, 0.1)
    shuffle_s: float = 0.1
    done_early: bool = False
    """Whether DONE is sent as soon as the device has done its part, before STUB or READY."""
    face_up: float = 0.0
    unread: float = 0.0


@dataclass(eq=False)
class Device:
    """Mechanics of one shoe. `send`: sends a frame. `later`: calls a function after a delay. `truth`: log of
    the real cards. `ready`: number of READYs since the start."""

    make: Make
    dice: random.Random
    send: Callable[..., None]
    later: Later
    truth: Truth
    noticed: Callable[[str], None] = lambda _what: None
    state: str = "EMPTY"
    ready: int = 0
    stacks: int = 0
    out: int = 0
    cards: list[str] = field(default_factory=list)
    stack: list[str] = field(default_factory=list)
    exit: str | None = None
    busy: str | None = None
    held: bool = False
    life: int = 0
    back: int = 0
    ahead: bool = False
    """Whether the deck that is not in play has already been shuffled and is ready."""

    # ------------------------------------------------------------------ state

    @property
    def colour(self) -> str:
        return ("RED", "BLUE")[self.back]

    def figures(self) -> tuple[str, ...]:
        return ("STATE", self.state, str(len(self.cards)), str(self.out), self.colour, self.make.mode)

    def start(self) -> None:
        """Switch the power on, with a deck in the shoe."""
        if self.state == "EMPTY":
            self.ahead = self.make.decks == 2
            self.shuffle(answer=False)

    def power_cut(self, *, forgets: bool) -> None:
        """Cut the power for a moment: the present job stops, and a stub or stack in the exit is still to be
        taken. `forgets`: the device loses the count of cards dealt."""
        self.life += 1
        self.busy, self.stack, self.held = None, [], False
        if forgets:
            self.out = 0
        if self.state == "FAULT":
            self.state = "DEALING" if self.out else "READY"
        if self.state == "SHUFFLING":
            self.shuffle(answer=False)
        elif self.exit == "stub" or (self.state == "EMPTY" and self.make.decks == 2):
            self.exit = "stub"
            self._soon((0.1, 0.2), self._stub_taken)
        elif self.exit == "stack":
            self._soon(self.make.lift_s, self._taken)

    def jam(self) -> None:
        """Jam a card: no further card comes until the jam is cleared or power is cut."""
        self.life += 1
        self.state, self.stack = "FAULT", []
        self.send("FAULT", "JAM")
        if self.busy:
            kind, self.busy = self.busy, None
            self.send("REFUSED", kind, "jammed")

    def clear(self) -> None:
        """Free the stuck card. The cards in the shoe can be dealt again."""
        self.state = "DEALING" if self.out else "READY"
        self.send("CLEARED", "JAM")

    # ------------------------------------------------------------------ commands

    def command(self, fields: list[str]) -> None:
        kind, *rest = fields
        self.truth({"told": kind, "fields": rest})
        if kind in ("HOLD", "RELEASE"):
            self.held = kind == "HOLD"
            self.send("DONE", kind)
        elif kind == "SIGN":
            self.send("DONE", kind)
        elif kind in ("DEAL", "STUBOUT", "SHUFFLE"):
            why = self._why_not(kind, rest)
            if why:
                self.truth({"refused": kind, "why": why})
                self.send("REFUSED", kind, why)
            else:
                self._begin(kind, rest)
        else:
            self.send("REFUSED", kind, "not known here")

    def _why_not(self, kind: str, rest: list[str]) -> str | None:
        if self.busy:
            return f"busy with {self.busy}"
        if self.exit and kind != "SHUFFLE":
            return f"a {self.exit} lies in the exit"
        if kind == "SHUFFLE":
            fresh = self.state == "READY" and self.make.done_early
            return "a shuffled deck lies ready" if fresh else None
        if self.make.mode == "SINGLE":
            return "cards are drawn here"
        if self.state not in ("READY", "DEALING"):
            return f"the shoe is {self.state.lower()}"
        if kind == "DEAL" and (not rest or not rest[0].isdigit() or not 0 < int(rest[0]) <= len(self.cards)):
            return "not so many cards"
        return None

    def _begin(self, kind: str, rest: list[str]) -> None:
        self.busy = kind
        if kind == "DEAL":
            self.state, self.stack = "DEALING", []
            self.stacks += 1
            self._soon(None, lambda: self._card(int(rest[0])))
        elif kind == "STUBOUT":
            self.exit = "stub"
            if self.make.done_early:
                self._done()
            self._soon(self.make.lift_s, self._stub_taken)
        else:
            self._gathered()
            self.shuffle(answer=True)

    def _gathered(self) -> None:
        """Handle the message that all cards were returned, which means that the exit is empty. With two decks
        the other deck comes into play."""
        self.life += 1
        self.exit = None
        if self.make.decks == 2 and self.state != "READY":
            self.back = 1 - self.back

    def _done(self) -> None:
        if self.busy:
            kind, self.busy = self.busy, None
            self.send("DONE", kind)

    # ------------------------------------------------------------------ cards

    def _card(self, wanted: int) -> None:
        if self.held:
            self._soon(None, lambda: self._card(wanted))
            return
        if not self.cards:
            self.state = "FAULT"
            self.send("FAULT", "EMPTY")
            self.busy = None
            self.send("REFUSED", "DEAL", "no more cards")
            return
        life = self.life
        face, reading = self._through_the_reader()
        if life != self.life:
            return
        if reading != "FU":
            self.stack.append(face)
        if len(self.stack) < wanted:
            self._soon(None, lambda: self._card(wanted))
            return
        self.exit = "stack"
        self.send("STACK", str(len(self.stack)))
        self._done()
        self._soon(self.make.lift_s, self._taken)

    def _through_the_reader(self) -> tuple[str, str]:
        face = self.cards.pop(0)
        self.out += 1
        chance = self.dice.random()
        reading = face
        if chance < self.make.face_up:
            reading = "FU"
        elif chance < self.make.face_up + self.make.unread:
            reading = "NR"
        self.truth(
            {"card": face, "told": reading, "ready": self.ready, "n": self.out, "stack": self.stacks,
             "deck": self.colour}
        )  # fmt: skip
        self.send("CARD", str(self.out), reading)
        self.noticed("card")
        return face, reading

    def draw(self) -> None:
        """Draw a card from a manual shoe by hand. A locked shoe releases none."""
        if self.state in ("READY", "DEALING") and self.cards and not self.held:
            self.state = "DEALING"
            self._through_the_reader()

    def _taken(self) -> None:
        self.exit = None
        self.truth({"taken": self.stacks})
        self.send("TAKEN")

    def put_back(self, *, shuffled: bool) -> None:
        """Put all cards back by hand. `shuffled`: the hand has shuffled them too, as under a plain reader,
        which accepts no commands; otherwise the controller orders the shuffle."""
        self.state, self.cards, self.exit = "EMPTY", [], None
        if shuffled:
            self.shuffle(answer=False)

    def take_stub(self) -> None:
        """Take the stub out by hand."""
        self.exit = "stub"
        self._stub_taken()

    def _stub_taken(self) -> None:
        self.exit, self.state = None, "EMPTY"
        if self.cards:
            self.truth({"stub": len(self.cards), "ready": self.ready})
            self.send("STUB", str(len(self.cards)))
            self.cards = []
        self._done()
        self.noticed("stub")
        if self.make.decks == 2:
            self._soon((0.1, 1.0), self._change_decks)

    def _change_decks(self) -> None:
        """Put the other deck, which was shuffled meanwhile, in the place of the dealt one."""
        if self.state == "EMPTY" and not self.busy:
            self.back = 1 - self.back
            self._in_place()
            self._soon((0.2, 2.0), self._shuffled_behind)

    def _shuffled_behind(self) -> None:
        """Report that the returned deck was shuffled while the other one is in play."""
        self.send("SHUFFLED", "52", ("RED", "BLUE")[1 - self.back])

    def shuffle(self, *, answer: bool) -> None:
        self.state = "SHUFFLING"
        self.cards, self.out = [], 0
        self.send(*self.figures())
        if answer and self.make.done_early:
            self._done()
        self._soon((self.make.shuffle_s, self.make.shuffle_s), self._shuffled)

    def _shuffled(self) -> None:
        self.send("SHUFFLED", "52", self.colour)
        self._in_place()
        self._done()

    def _in_place(self) -> None:
        self.cards = [rank + suit for rank in RANKS for suit in SUITS]
        self.dice.shuffle(self.cards)
        self.state, self.out, self.stacks, self.stack = "READY", 0, 0, []
        self.ready += 1
        self.truth({"ready": self.ready, "deck": self.colour})
        self.send("READY", "52", self.colour)
        self.noticed("ready")

    def _soon(self, between: tuple[float, float] | None, act: Callable[[], None]) -> None:
        """Schedule an action; a power cut cancels it."""
        low, high = between or (self.make.card_s, self.make.card_s)
        life = self.life
        self.later(self.dice.uniform(low, high), lambda: act() if life == self.life else None)
