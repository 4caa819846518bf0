"""Simulated dealing shoe as a device: decks, exit, counters, faults. Pure: time is an argument.

Interface for the mock table's dealer and for tests:

* ``attach(say)``: the wire; ``say(kind, fields)`` gets each frame that the device sends.
  ``command(kind, fields, now)`` executes a controller's frame, ``tick(now)`` continues jobs that
  take time, ``next_deadline()`` returns when. At ``Pace.max()`` everything is done before
  ``command()`` returns and no deadline is ever set.
* ``listen(callback)``: the callback gets ``stack`` (a stack is complete in the exit), ``partial``
  (a deal ended early with cards in the exit), ``stub`` (the stub is in the exit), ``ready``,
  ``fault``, ``cleared``, each after its frames were sent. It may work the device at once.
* Hands: ``lift_stack()``, ``take_stub()``, ``draw()``, ``take_laid_aside()``, ``lift_deck_out()``
  return the cards themselves (`ShoeCard`: real faces, also of those not read); ``put_deck_in(back)`` puts a
  complete deck of 52 in. With one deck it waits for SHUFFLE; ``preshuffled=True``, a manual shoe, or
  a device with two decks (the other one comes up) answers READY by itself.
* ``load("TD ^9S ??")`` puts cards in front of the next cards (of the next deck if none is in
  place); ``count_next(51)`` sets the shuffler's next count; ``fault(kind, after)``, ``clear()``.

The model must never reveal a face except through a card in the hand: no log, no repr, no listener.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from drivers.shoe.sim.deck import ShoeCard
from drivers.shoe.sim.device import Pace, ShoeDevice
from drivers.shoe.sim.faults import FAULT_KINDS

__all__ = ["FAULT_KINDS", "Pace", "ShoeCard", "ShoeModel"]


class ShoeModel(ShoeDevice):
    """One shoe: ``ShoeModel(seed, mode=, backs=, counts=, lock=, pace=)``.

    `mode`: STACK or SINGLE. `backs`: its deck, or its two decks, the first in place and shuffled at the
    start. `counts`: it counts cards (else ``-``). `lock`: a SINGLE shoe that can lock its cards. The order
    after the n-th shuffle depends on `seed` and n only.
    """

    # ------------------------------------------------------------------ the dealer's hands

    @property
    def in_exit(self) -> str:
        """Content of the exit: `stack`, `partial`, `stub`, or ""."""
        return self._in_exit

    @property
    def cards_left(self) -> int:
        """Number of cards physically in the device and ready to be dealt."""
        return 0 if self._decks.in_place is None else len(self._decks.in_place.cards)

    def lift_stack(self) -> list[ShoeCard]:
        """Lift the stack out of the exit and return it, in the order in which the cards left the shoe."""
        if self._in_exit not in ("stack", "partial"):
            raise ValueError("no stack lies in the shoe's exit")
        cards = self._empty_exit()
        self._send("TAKEN")
        return cards

    def take_stub(self) -> list[ShoeCard]:
        """Take the stub: out of the exit after STUBOUT, or out of a manual shoe by hand."""
        deck = self._decks.in_place
        if self._in_exit == "stub":
            cards = self._empty_exit()
        elif self.mode == "SINGLE" and deck is not None:
            cards = deck.cards
        else:
            raise ValueError("no stub lies in the shoe's exit")
        self._stub_is_out(cards)
        return cards

    def draw(self) -> list[ShoeCard]:
        """Draw from a SINGLE shoe. Returns no card if the shoe is locked, jammed or empty; two after a
        `double`."""
        if self.mode != "SINGLE":
            raise ValueError("cards are drawn from a SINGLE shoe only")
        if self._held or self._faults.stop_cards or self._decks.in_place is None:
            return []
        self._deal_next()
        cards, self._exit, self._laid_aside = self._exit + self._laid_aside, [], []
        return cards

    def take_laid_aside(self) -> list[ShoeCard]:
        """Take the cards that the shoe laid aside because they were face up (STACK)."""
        cards, self._laid_aside = self._laid_aside, []
        return cards

    def lift_deck_out(self) -> list[ShoeCard]:
        """Open the device and take every card out of it."""
        if self._in_exit in ("stack", "partial"):
            self._send("TAKEN")
        self._abort("the cards were lifted out")
        cards = self._empty_exit() + ([] if self._decks.in_place is None else self._decks.in_place.cards)
        self._decks.in_place = self._decks.put_in = None
        self._send("STATE", *self.state())
        return cards

    def put_deck_in(
        self, back: str, now: float = 0.0, *, preshuffled: bool = False, next_up: bool = False
    ) -> None:
        """Put in a complete deck. `now` matters only if two decks change and that takes time. `next_up`: it
        is played next, even out of turn."""
        if self.cards_left:
            raise ValueError("a deck is in place: lift it out first")
        self._decks.in_place = None
        self._clear_fault("EMPTY")
        if preshuffled or self.mode == "SINGLE":
            self._ready(self._decks.shuffle(back))
            return
        if next_up:
            self._decks.renew(back)
            return
        self._decks.put_in = back
        if self._decks.two:
            self._change_decks(now)

    def other_back(self, back: str) -> str:
        """Return the back of the deck that alternates with this one; its own back if there is one deck."""
        return self._decks.other(back)

    def load(self, cards: str | Sequence[str]) -> None:
        """Put these cards in front of the next ones."""
        self._decks.load(cards)

    def count_next(self, count: int) -> None:
        """Set the count that the shuffler reports after its next shuffle."""
        self._decks.count_next(count)

    def after_cards(self, after: int, action: Callable[[], None]) -> None:
        """Call `action` just before the `after`-th card from now is dealt."""

        def strike() -> bool:
            action()
            return False

        self._faults.strike_later(after, strike)

    def fault(self, kind: str, after: int | None = None) -> None:
        """Cause a fault of `FAULT_KINDS`: at once, or before the `after`-th card from now is dealt."""
        if kind not in FAULT_KINDS:
            raise ValueError(f"shoe fault {kind!r}: {' '.join(FAULT_KINDS)}")
        if after is None:
            self._strike(kind)
        else:
            self._faults.strike_later(after, lambda: self._strike_at_card(kind))

    def clear(self) -> None:
        """Clear active faults and cancel those set for a later card."""
        self._faults.forget_traps()
        for code in tuple(self._faults.active):
            self._clear_fault(code)

    def power_cycle(self) -> None:
        """Switch off and on: the current job is forgotten, the cards stay where they lie."""
        job, self._job = self._job, None
        self._held = False
        if job is not None and job.command == "SHUFFLE":
            self._decks.put_in = job.back
        if self._exit and not self._in_exit:
            self._in_exit = "partial"
        self._faults.active.clear()
