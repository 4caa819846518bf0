"""Mechanics of the simulated dealing shoe: commands and everything the device does by itself afterwards.
Pure.

It covers commands, jobs that take time, moving cards, faults and shuffling. `model.py` adds the dealer's
hands and describes the complete device. This module must never send a CARD for a card that did not move, nor
move one without its CARD, except for the fault `double`, which does exactly that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from drivers.shoe.sim.deck import Decks, ShoeCard, SimulatedDeck
from drivers.shoe.sim.faults import Faults

SendFrame = Callable[[str, tuple[str, ...]], None]


@dataclass(frozen=True, slots=True)
class Pace:
    """Durations in seconds: moving a card, ejecting the stub, a shuffle."""

    card: float = 0.4
    stub: float = 1.0
    shuffle: float = 12.0

    @classmethod
    def max(cls) -> Pace:
        return cls(0.0, 0.0, 0.0)


@dataclass(slots=True)
class _Job:
    """Job that the device is doing. `due`: time in seconds at which its next act is due; None while it waits
    for RELEASE or for the stub to be taken."""

    command: str
    due: float | None
    cards: int = 0
    back: str = "-"
    untouched: bool = False
    """Whether this is a SHUFFLE of a deck that was ready already."""


class ShoeDevice:
    """Mechanism of the shoe, without the dealer's hands; `ShoeModel` adds these."""

    def __init__(
        self,
        seed: int = 0,
        *,
        mode: Literal["STACK", "SINGLE"] = "STACK",
        backs: Sequence[str] = ("RED",),
        counts: bool = True,
        lock: bool = False,
        pace: Pace | None = None,
    ) -> None:
        self.mode: Final = mode
        self.pace = pace or Pace()
        self.sign = False
        self._counts = counts
        self._lock = lock or mode == "STACK"
        self._emit: SendFrame = _ignore
        self._listener: Callable[[str], None] = _ignore_event
        self._decks = Decks(seed, backs)
        self._faults = Faults()
        self._out = 0
        self._exit: list[ShoeCard] = []
        self._in_exit: Literal["", "stack", "partial", "stub"] = ""
        self._laid_aside: list[ShoeCard] = []
        self._job: _Job | None = None
        self._held = False

    # ------------------------------------------------------------------ the wire

    def attach(self, send: SendFrame) -> None:
        self._emit = send

    def listen(self, listener: Callable[[str], None]) -> None:
        self._listener = listener

    def state(self) -> tuple[str, ...]:
        """Return the fields of a STATE for the current state."""
        deck = self._decks.in_place
        left = "0" if deck is None else str(deck.left)
        return (
            self._state_word(),
            left if self._counts else "-",
            str(self._out),
            "-" if deck is None else deck.back,
            self.mode,
        )

    def command(self, kind: str, fields: tuple[str, ...], now: float) -> None:
        """Execute a controller's frame; the answer is sent through `say`, at once or later."""
        reason = self._refusal(kind)
        if reason:
            self._send("REFUSED", kind, reason)
        elif kind == "DEAL":
            self._start(_Job("DEAL", now + self.pace.card, int(fields[0])), now)
        elif kind == "STUBOUT":
            self._start(_Job("STUBOUT", now + self.pace.stub), now)
        elif kind == "SHUFFLE":
            self._start_shuffle(now)
        else:
            self._at_once(kind, fields, now)

    def tick(self, now: float) -> None:
        while (job := self._job) is not None and job.due is not None and job.due <= now:
            self._step(job, job.due)
        if (aside := self._decks.aside) is not None and aside[1] <= now:
            self._prepare(*aside)

    def next_deadline(self) -> float | None:
        dues = []
        if self._job is not None and self._job.due is not None:
            dues.append(self._job.due)
        if self._decks.aside is not None:
            dues.append(self._decks.aside[1])
        return min(dues, default=None)

    # ------------------------------------------------------------------ inside

    def _state_word(self) -> str:
        if self._job is not None and self._job.command == "SHUFFLE":
            return "SHUFFLING"
        if self._decks.in_place is None:
            return "EMPTY"
        if self._faults.stop_cards:
            return "FAULT"
        return "READY" if self._out == 0 else "DEALING"

    def _refusal(self, kind: str) -> str:
        if kind in ("HOLD", "RELEASE"):
            return "" if self._lock else "this shoe has no lock"
        if kind == "SIGN":
            return ""
        if kind not in ("DEAL", "STUBOUT", "SHUFFLE"):
            return "no such command"
        if self._job is not None:
            return f"busy with {self._job.command}"
        if self.mode == "SINGLE":
            return "a manual shoe: by hand"
        if self._faults.stop_cards or (kind == "SHUFFLE" and self._faults.active):
            return f"fault {' '.join(self._faults.active)}"
        if self._in_exit:
            return f"the {self._in_exit} is still in the exit"
        if kind == "SHUFFLE":
            return "" if self._to_shuffle() else "the cards are not in the device"
        return "" if self._decks.in_place is not None else "no deck is in place"

    def _at_once(self, kind: str, fields: tuple[str, ...], now: float) -> None:
        if kind == "SIGN":
            self.sign = fields[0] == "ON"
        else:
            self._held = kind == "HOLD"
        self._send("DONE", kind)
        job = self._job
        if kind == "RELEASE" and job is not None and job.command == "DEAL" and job.due is None:
            job.due = now + self.pace.card
            self.tick(now)

    def _start(self, job: _Job, now: float) -> None:
        self._job = job
        self.tick(now)

    def _step(self, job: _Job, at: float) -> None:
        if job.command == "SHUFFLE":
            self._finish_shuffle(job)
        elif job.command == "STUBOUT":
            self._give_out_stub(job)
        elif self._held:
            job.due = None
        else:
            self._deal_one(job, at)

    def _deal_one(self, job: _Job, at: float) -> None:
        before = len(self._exit)
        self._deal_next()
        if self._job is not job:
            return  # a fault has ended the deal
        job.cards -= 1 if len(self._exit) > before else 0
        job.due = at + self.pace.card
        if job.cards == 0:
            self._job = None
            self._in_exit = "stack"
            self._send("STACK", str(len(self._exit)))
            self._send("DONE", "DEAL")
            self._listener("stack")

    def _deal_next(self) -> None:
        """Move one card to the exit, or aside if it was found face up. A fault that strikes now moves no
        card."""
        if self._faults.before_card():
            return
        deck = self._decks.in_place
        if deck is None or not deck.cards:
            self._strike("empty")
        else:
            self._move_one(deck)

    def _move_one(self, deck: SimulatedDeck) -> None:
        card = deck.cards.pop(0)
        (self._laid_aside if card.found == "FU" else self._exit).append(card)
        deck.left -= 1
        self._out += 1
        self._send("CARD", str(self._out), card.report)

    def _strike_at_card(self, kind: str) -> bool:
        deck = self._decks.in_place
        if kind == "double" and deck is not None and deck.cards:
            self._move_one(deck)
            self._exit += deck.cards[:1]  # the second card, which slipped through under the first
            del deck.cards[:1]
        self._strike(kind)
        return kind not in ("shuffle", "slip")

    def _slip(self) -> None:
        """Release a card without a command. If no deal is running, it lies alone in the exit."""
        deck = self._decks.in_place
        if deck is None or not deck.cards:
            return
        self._move_one(deck)
        if self._job is None and self.mode == "STACK":
            self._in_exit = self._in_exit or "partial"

    def _strike(self, kind: str) -> None:
        if kind == "slip":
            self._slip()
            return
        code = kind.upper()
        if code in self._faults.active:
            return
        self._faults.active.append(code)
        self._send("FAULT", code)
        busy = self._job.command if self._job is not None else ""
        if busy and (busy == "SHUFFLE") == (code == "SHUFFLE"):
            self._abort(f"fault {code}")
        self._listener("fault")

    def _clear_fault(self, code: str) -> None:
        if code in self._faults.active:
            self._faults.active.remove(code)
            self._send("CLEARED", code)
            self._listener("cleared")

    def _abort(self, reason: str) -> None:
        """End the current job with REFUSED and this reason. Cards in the exit stay there."""
        job, self._job = self._job, None
        if job is None:
            return
        if job.command == "SHUFFLE":
            self._decks.put_in = job.back
        self._send("REFUSED", job.command, reason)
        if self._exit and not self._in_exit:
            self._in_exit = "partial"
            self._listener("partial")

    def _empty_exit(self) -> list[ShoeCard]:
        cards, self._exit = self._exit, []
        self._in_exit = ""
        return cards

    def _give_out_stub(self, job: _Job) -> None:
        deck = self._decks.in_place
        self._exit = [] if deck is None else deck.cards
        if deck is not None:
            deck.cards, deck.left = [], 0
        if not self._exit:
            self._stub_is_out([])
            return
        job.due = None
        self._in_exit = "stub"
        self._listener("stub")

    def _stub_is_out(self, cards: list[ShoeCard]) -> None:
        job, self._job = self._job, None
        self._decks.in_place = None
        self._send("STUB", str(len(cards)) if self._counts else "-")
        if job is not None:
            self._send("DONE", "STUBOUT")
        if self.mode == "SINGLE":
            self._send("STATE", *self.state())

    # ------------------------------------------------------------------ shuffling

    def _to_shuffle(self) -> str:
        if self._decks.put_in is not None:
            return self._decks.put_in
        return self._decks.in_place.back if self._decks.in_place is not None and self._out == 0 else ""

    def _start_shuffle(self, now: float) -> None:
        untouched = self._decks.put_in is None
        job = _Job("SHUFFLE", now + self.pace.shuffle, back=self._to_shuffle(), untouched=untouched)
        self._decks.in_place = self._decks.put_in = None
        self._job = job
        self._send("STATE", *self.state())
        self.tick(now)

    def _finish_shuffle(self, job: _Job) -> None:
        deck = self._decks.shuffle(job.back, untouched=job.untouched)
        self._count(deck)
        self._job = None
        self._ready(deck, done="SHUFFLE")

    def _count(self, deck: SimulatedDeck) -> None:
        self._decks.count(deck)
        self._send("SHUFFLED", str(deck.left) if self._counts else "-", deck.back)

    def _ready(self, deck: SimulatedDeck, done: str = "") -> None:
        if deck is not self._decks.in_place:
            self._decks.place(deck)
        self._out = 0
        self._send("READY", str(deck.left) if self._counts else "-", deck.back)
        if done:
            self._send("DONE", done)
        self._listener("ready")

    def _change_decks(self, now: float) -> None:
        if self._decks.change(now, self.pace.shuffle) and self._decks.in_place is not None:
            if self._decks.miscounts:
                self._count(self._decks.in_place)  # the device counts it as it comes up
            self._ready(self._decks.in_place)
            self.tick(now)

    def _prepare(self, back: str, at: float) -> None:
        self._decks.aside = None
        self._decks.prepared = self._decks.shuffle(back)
        self._count(self._decks.prepared)
        self._change_decks(at)

    def _send(self, kind: str, *fields: str) -> None:
        self._emit(kind, fields)


def _ignore(_kind: str, _fields: tuple[str, ...]) -> None:
    """Discard frames while no wire is attached."""


def _ignore_event(_event: str) -> None:
    """Do nothing: no caller watches the exit."""
