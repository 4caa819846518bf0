"""The simulated dealing shoe as a device: decks, exit, counters, faults. Pure: time is an argument.

For whoever works it (the mock table's dealer, a test):

* ``attach(say)``: the wire; ``say(kind, fields)`` gets each frame that the device has to tell.
  ``command(kind, fields, now)`` carries out a controller's frame, ``tick(now)`` goes on with what
  takes time, ``next_deadline()`` says when. At ``Pace.max()`` everything is done before
  ``command()`` returns and no deadline is ever set.
* ``listen(callback)``: the callback gets ``stack`` (a stack is complete in the exit), ``partial``
  (a deal broke off with cards in the exit), ``stub`` (the stub lies in the exit), ``ready``,
  ``fault``, ``cleared``, each after its frames were said. It may work the device at once.
* Hands: ``lift_stack()``, ``take_stub()``, ``draw()``, ``take_laid_aside()``, ``lift_deck_out()``
  give the very cards (`ShoeCard`: real faces, also of those not read); ``put_deck_in(back)`` puts a
  complete deck of 52 in. With one deck it waits for SHUFFLE; ``preshuffled=True``, a manual shoe, or
  a device with two decks (the other one comes up) answers READY by itself.
* ``load("TD ^9S ??")`` puts cards in front of what comes out next (the next deck where none is in
  place); ``count_next(51)`` is what the shuffler counts next; ``fault(kind, after)``, ``clear()``.

It must never send a CARD for a card that did not move, nor move one without its CARD, except by a
`double`, which is just that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from drivers.shoe.sim_deck import ShoeCard, parse_cards, put_in_front, shuffled

Say = Callable[[str, tuple[str, ...]], None]
FAULT_KINDS: Final = ("jam", "double", "empty", "door", "shuffle", "sensor")
_DECK: Final = 52


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds that the device takes: a card, giving out the stub, a shuffle."""

    card: float = 0.4
    stub: float = 1.0
    shuffle: float = 12.0

    @classmethod
    def max(cls) -> Pace:
        return cls(0.0, 0.0, 0.0)


@dataclass(slots=True)
class _Job:
    """What the device is busy with. `due` None: it waits (held, or for the stub to be taken)."""

    command: str
    due: float | None
    cards: int = 0
    back: str = "-"


@dataclass(slots=True)
class _Deck:
    """A deck in the place that cards are dealt from. `left` is what the device believes."""

    back: str
    cards: list[ShoeCard] = field(repr=False)
    left: int = _DECK


@dataclass(slots=True)
class _Trap:
    """Something that strikes when the `after`-th card from now would go out."""

    after: int
    strike: Callable[[], bool]
    """True where that card does not go out as it should."""


class ShoeModel:
    """One shoe. `backs`: its deck, or its two decks, the first in place and shuffled at the start.
    `lock`: a SINGLE shoe that can hold its cards back."""

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
        self._seed = seed
        self._counts = counts
        self._lock = lock or mode == "STACK"
        self.pace = pace or Pace()
        self._shuffles = 0
        self._say: Say = _nowhere
        self._listener: Callable[[str], None] = _unheard
        self._deck: _Deck | None = self._shuffle(backs[0])
        self._prepared: _Deck | None = self._shuffle(backs[1]) if len(backs) > 1 else None
        self._two_decks = len(backs) > 1
        self._shuffling_aside: tuple[str, float] | None = None
        self._input: str | None = None
        self._out = 0
        self._exit: list[ShoeCard] = []
        self._in_exit: Literal["", "stack", "partial", "stub"] = ""
        self._laid_aside: list[ShoeCard] = []
        self._job: _Job | None = None
        self._held = False
        self.sign = False
        self._faults: list[str] = []
        self._traps: list[_Trap] = []
        self._wanted: list[ShoeCard | None] | None = None
        self._next_count: int | None = None

    # ------------------------------------------------------------------ the wire

    def attach(self, say: Say) -> None:
        self._say = say

    def listen(self, listener: Callable[[str], None]) -> None:
        self._listener = listener

    def state(self) -> tuple[str, ...]:
        """The fields of a STATE as things are now."""
        deck = self._deck
        left = "0" if deck is None else str(deck.left)
        return (
            self._state_word(),
            left if self._counts else "-",
            str(self._out),
            "-" if deck is None else deck.back,
            self.mode,
        )

    def command(self, kind: str, fields: tuple[str, ...], now: float) -> None:
        """Carry out a controller's frame; the answer comes through `say`, at once or in time."""
        reason = self._reason_against(kind)
        if reason:
            self._tell("REFUSED", kind, reason)
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
        if self._shuffling_aside is not None and self._shuffling_aside[1] <= now:
            self._prepare(self._shuffling_aside[0])

    def next_deadline(self) -> float | None:
        dues = []
        if self._job is not None and self._job.due is not None:
            dues.append(self._job.due)
        if self._shuffling_aside is not None:
            dues.append(self._shuffling_aside[1])
        return min(dues, default=None)

    def power_cycle(self) -> None:
        """Off and on: what it was doing is forgotten, the cards lie where they lay."""
        job, self._job = self._job, None
        self._held = False
        if job is not None and job.command == "SHUFFLE":
            self._input = job.back
        if self._exit and not self._in_exit:
            self._in_exit = "partial"
        self._faults.clear()

    # ------------------------------------------------------------------ the dealer's hands

    @property
    def in_exit(self) -> str:
        """`stack`, `partial`, `stub`, or nothing."""
        return self._in_exit

    @property
    def cards_left(self) -> int:
        """Cards that really lie in the device, ready to be dealt."""
        return 0 if self._deck is None else len(self._deck.cards)

    def lift_stack(self) -> list[ShoeCard]:
        """Lift the stack out of the exit; the first of the list is the first that left the shoe."""
        if self._in_exit not in ("stack", "partial"):
            raise ValueError("no stack lies in the shoe's exit")
        cards = self._empty_exit()
        self._tell("TAKEN")
        return cards

    def take_stub(self) -> list[ShoeCard]:
        """Take the stub: out of the exit after STUBOUT, or out of a manual shoe by hand."""
        deck = self._deck
        if self._in_exit == "stub":
            cards = self._empty_exit()
        elif self.mode == "SINGLE" and deck is not None:
            cards = deck.cards
        else:
            raise ValueError("no stub lies in the shoe's exit")
        self._stub_is_out(cards)
        return cards

    def draw(self) -> list[ShoeCard]:
        """SINGLE: the dealer draws. None comes where the shoe is locked, jammed or empty; two by a double."""
        if self.mode != "SINGLE":
            raise ValueError("cards are drawn from a SINGLE shoe only")
        if self._held or self._blocking() or self._deck is None:
            return []
        self._pass_one()
        cards, self._exit, self._laid_aside = self._exit + self._laid_aside, [], []
        return cards

    def take_laid_aside(self) -> list[ShoeCard]:
        """STACK: the cards found face up, which the device has laid aside."""
        cards, self._laid_aside = self._laid_aside, []
        return cards

    def lift_deck_out(self) -> list[ShoeCard]:
        """Open the device and take every card out of it."""
        if self._in_exit in ("stack", "partial"):
            self._tell("TAKEN")
        self._abort("the cards were lifted out")
        cards = self._empty_exit() + ([] if self._deck is None else self._deck.cards)
        self._deck = self._input = None
        self._tell("STATE", *self.state())
        return cards

    def put_deck_in(self, back: str, now: float = 0.0, *, preshuffled: bool = False) -> None:
        """A complete deck is put in (back)."""
        if self._deck is not None:
            raise ValueError("a deck is in place: lift it out first")
        self._mend("EMPTY")
        if preshuffled or self.mode == "SINGLE":
            self._ready(self._shuffle(back))
            return
        self._input = back
        if self._two_decks:
            self._change_decks(now)

    # ------------------------------------------------------------------ what is arranged beforehand

    def load(self, cards: str | Sequence[str]) -> None:
        """Put these in front of what comes out next."""
        wanted = parse_cards(cards)
        if self._deck is None:
            self._wanted = wanted
        else:
            self._deck.cards = put_in_front(self._deck.cards, wanted)

    def count_next(self, count: int) -> None:
        """What the shuffler counts when it has shuffled next."""
        self._next_count = count

    def after_cards(self, after: int, action: Callable[[], None]) -> None:
        """Call `action` just before the `after`-th card from now goes out."""

        def strike() -> bool:
            action()
            return False

        self._traps.append(_Trap(after, strike))

    def fault(self, kind: str, after: int | None = None) -> None:
        """A fault of `FAULT_KINDS`: at once, or when the `after`-th card from now would go out."""
        if kind not in FAULT_KINDS:
            raise ValueError(f"shoe fault {kind!r}: {' '.join(FAULT_KINDS)}")
        if after is None:
            self._strike(kind)
        else:
            self._traps.append(_Trap(after, lambda: self._strike_at_card(kind)))

    def clear(self) -> None:
        """Mended: what was struck is cleared, what was to strike does not."""
        self._traps.clear()
        for code in tuple(self._faults):
            self._mend(code)

    # ------------------------------------------------------------------ inside

    def _state_word(self) -> str:
        if self._blocking():
            return "FAULT"
        if self._job is not None and self._job.command == "SHUFFLE":
            return "SHUFFLING"
        if self._deck is None:
            return "EMPTY"
        return "READY" if self._out == 0 else "DEALING"

    def _blocking(self) -> bool:
        """A shuffle fault stops no card: the deck in play is in play (RULES.md, Irregularities)."""
        return any(code != "SHUFFLE" for code in self._faults)

    def _reason_against(self, kind: str) -> str:
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
        if self._blocking() or (kind == "SHUFFLE" and self._faults):
            return f"fault {' '.join(self._faults)}"
        if self._in_exit:
            return f"the {self._in_exit} is still in the exit"
        if kind == "SHUFFLE":
            return "" if self._to_shuffle() else "the cards are not in the device"
        return "" if self._deck is not None else "no deck is in place"

    def _at_once(self, kind: str, fields: tuple[str, ...], now: float) -> None:
        if kind == "SIGN":
            self.sign = fields[0] == "ON"
        else:
            self._held = kind == "HOLD"
        self._tell("DONE", kind)
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
        self._pass_one()
        if self._job is not job:
            return  # a fault has ended the deal
        job.cards -= 1 if len(self._exit) > before else 0
        job.due = at + self.pace.card
        if job.cards == 0:
            self._job = None
            self._in_exit = "stack"
            self._tell("STACK", str(len(self._exit)))
            self._tell("DONE", "DEAL")
            self._listener("stack")

    def _pass_one(self) -> None:
        """One card goes to the exit, or to where cards found face up are laid; or a fault strikes."""
        for trap in self._traps:
            trap.after -= 1
        striking = [trap for trap in self._traps if trap.after <= 0]
        self._traps = [trap for trap in self._traps if trap.after > 0]
        struck = [trap.strike() for trap in striking]  # all of them, not up to the first
        if any(struck):
            return
        if self._deck is None or not self._deck.cards:
            self._strike("empty")
        else:
            self._move_one(self._deck)

    def _move_one(self, deck: _Deck) -> None:
        card = deck.cards.pop(0)
        (self._laid_aside if card.found == "FU" else self._exit).append(card)
        deck.left -= 1
        self._out += 1
        self._tell("CARD", str(self._out), card.report)

    def _strike_at_card(self, kind: str) -> bool:
        deck = self._deck
        if kind == "double" and deck is not None and deck.cards:
            self._move_one(deck)
            self._exit += deck.cards[:1]  # the one that slipped through under it
            del deck.cards[:1]
        self._strike(kind)
        return kind != "shuffle"

    def _strike(self, kind: str) -> None:
        code = kind.upper()
        if code in self._faults:
            return
        self._faults.append(code)
        self._tell("FAULT", code)
        busy = self._job.command if self._job is not None else ""
        if busy and (busy == "SHUFFLE") == (code == "SHUFFLE"):
            self._abort(f"fault {code}")
        self._listener("fault")

    def _mend(self, code: str) -> None:
        if code in self._faults:
            self._faults.remove(code)
            self._tell("CLEARED", code)
            self._listener("cleared")

    def _abort(self, reason: str) -> None:
        """Whatever it was doing ends here; cards in the exit stay there."""
        job, self._job = self._job, None
        if job is None:
            return
        if job.command == "SHUFFLE":
            self._input = job.back
        self._tell("REFUSED", job.command, reason)
        if self._exit and not self._in_exit:
            self._in_exit = "partial"
            self._listener("partial")

    def _empty_exit(self) -> list[ShoeCard]:
        cards, self._exit = self._exit, []
        self._in_exit = ""
        return cards

    def _give_out_stub(self, job: _Job) -> None:
        deck = self._deck
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
        self._deck = None
        self._tell("STUB", str(len(cards)) if self._counts else "-")
        if job is not None:
            self._tell("DONE", "STUBOUT")
        if self.mode == "SINGLE":
            self._tell("STATE", *self.state())

    # ------------------------------------------------------------------ shuffling

    def _shuffle(self, back: str) -> _Deck:
        self._shuffles += 1
        return _Deck(back, shuffled(self._seed, self._shuffles))

    def _to_shuffle(self) -> str:
        if self._input is not None:
            return self._input
        return self._deck.back if self._deck is not None and self._out == 0 else ""

    def _start_shuffle(self, now: float) -> None:
        job = _Job("SHUFFLE", now + self.pace.shuffle, back=self._to_shuffle())
        self._deck = self._input = None
        self._job = job
        self._tell("STATE", *self.state())
        self.tick(now)

    def _finish_shuffle(self, job: _Job) -> None:
        deck = self._shuffle(job.back)
        self._count(deck)
        self._job = None
        self._ready(deck, done="SHUFFLE")

    def _count(self, deck: _Deck) -> None:
        deck.left, self._next_count = self._next_count or _DECK, None
        self._tell("SHUFFLED", str(deck.left) if self._counts else "-", deck.back)

    def _ready(self, deck: _Deck, done: str = "") -> None:
        self._deck = deck
        self._out = 0
        if self._wanted is not None:
            deck.cards, self._wanted = put_in_front(deck.cards, self._wanted), None
        self._tell("READY", str(deck.left) if self._counts else "-", deck.back)
        if done:
            self._tell("DONE", done)
        self._listener("ready")

    def _change_decks(self, now: float) -> None:
        """Two decks: the one that was shuffled aside comes up, the one put in is shuffled aside."""
        if self._prepared is None or self._input is None or self._deck is not None:
            return
        deck, self._prepared = self._prepared, None
        back, self._input = self._input, None
        self._shuffling_aside = (back, now + self.pace.shuffle)
        self._ready(deck)
        self.tick(now)

    def _prepare(self, back: str) -> None:
        at = self._shuffling_aside[1] if self._shuffling_aside is not None else 0.0
        self._shuffling_aside = None
        self._prepared = self._shuffle(back)
        self._count(self._prepared)
        self._change_decks(at)

    def _tell(self, kind: str, *fields: str) -> None:
        self._say(kind, fields)


def _nowhere(_kind: str, _fields: tuple[str, ...]) -> None:
    """No wire is attached: a device that nobody listens to."""


def _unheard(_event: str) -> None:
    """Nobody watches the exit."""
