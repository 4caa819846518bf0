"""Players who misbehave: unequal antes, a late chip, a bet out of turn, chips withdrawn.

Pure, like `players.py`: the misbehaviour of a round is drawn from the seed and the round only. A misbehaviour
happens once; after its alert the player or the dealer corrects it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from controller.game.model.irregularities import Code
from controller.game.model.names import ANTES, BETS, Circle, Wager
from controller.mock.bench.acts import Act, SetChips
from controller.mock.bench.bench import ViewData
from controller.mock.bench.layout import Felt
from controller.mock.people.players import Choose, Laid, Players, circle_view, playing

Misbehaviour = Literal["unequal_antes", "late_chip", "out_of_turn", "withdrawn"]
MISBEHAVIOURS: tuple[Misbehaviour, ...] = ("unequal_antes", "late_chip", "out_of_turn", "withdrawn")


class MisbehavingPlayers(Players):
    """Players, one of whom misbehaves in a round with a probability of `share`."""

    def __init__(
        self, seed: int | str, seats: Sequence[int], share: float, choose: Choose | None = None
    ) -> None:
        super().__init__(seed, seats, choose)
        self.share = share
        self.done: set[tuple[int, Circle]] = set()
        """Rounds, by number, and circles in which a player has misbehaved."""

    def misdeed(self, number: int) -> tuple[Misbehaviour, int] | None:
        """Return the kind of misbehaviour in the round and its seat, or None."""
        dice = self.dice(number, "table", "mischief")
        if dice.random() >= self.share:
            return None
        return dice.choice(MISBEHAVIOURS), dice.choice(self.seats)

    def acts(self, view: ViewData, felt: Felt) -> Iterator[Act]:
        yield from super().acts(view, felt)
        found = self.misdeed(view["round"])
        if found is None or found[1] not in playing(view):
            return
        kind, seat = found
        if view["phase"] in BETS and (view["prompt"] or {}).get("kind") == "ask":
            yield from self._in_the_round(kind, seat, view, felt)

    def antes(self, view: ViewData, seat: int) -> Laid:
        """Return the antes of a seat. If unequal antes are the misbehaviour of the round, they differ until
        an alert names them.
        """
        laid = dict(super().antes(view, seat))
        alerted = any(alert["code"] == Code.UNEQUAL_ANTES for alert in view["alerts"])
        corrected = circle_view(view, Circle(seat, Wager.ANTE_DOWN))["amount"] == laid[Wager.ANTE_ACROSS]
        if self.misdeed(view["round"]) == ("unequal_antes", seat) and not alerted and not corrected:
            laid[Wager.ANTE_DOWN] += 500
            self.done |= {(view["round"], Circle(seat, ante)) for ante in ANTES}
        return laid

    def _in_the_round(self, kind: Misbehaviour, seat: int, view: ViewData, felt: Felt) -> Iterator[Act]:
        ante = Circle(seat, Wager.ANTE_ACROSS)
        later = {"across": Wager.DOWN, "down": Wager.MIDDLE}.get(view["phase"])
        if kind == "late_chip" and view["phase"] == "across":
            yield self._hold(view, kind, ante, felt.amount(ante) + 500)
        if kind == "withdrawn" and view["phase"] == "down":
            yield self._hold(view, kind, ante, 0)
        if kind == "out_of_turn" and later is not None:
            yield self._hold(view, kind, Circle(seat, later), felt.amount(ante))

    def _hold(self, view: ViewData, kind: Misbehaviour, circle: Circle, cents: int) -> SetChips:
        self.done.add((view["round"], circle))
        return SetChips(circle, cents, once=f"{view['round']}:{circle.seat}:{kind}")
