"""One event in progress: the state under construction, its effects, and the ways to change it.

A handler is a function of a Transition and an event. The table assigns the finished state once; if a
handler raises, the old state remains. This module contains nothing specific to a phase.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from controller.game.model.cards import Card
from controller.game.model.effects import CommandShoe, Effect
from controller.game.model.evolve import evolve
from controller.game.model.irregularities import Code, Ruled
from controller.game.model.names import Circle, Phase, Wager
from controller.game.model.naming import SINCE_PROCEDURES, name_of
from controller.game.model.round import Deal, Decisions, Ending, Irregularity, Round, SeatState, Settlement
from controller.game.model.rules import Ruling, citation_for, offered_outcomes
from controller.game.model.state import Alert, Context, DeckState, Hold, Proposed, ShoeState, TableState, Undo

BEFORE_TURN_SINCE = 9
"""First revision of `PROCEDURES` whose records have `before_turn`."""
Ways: TypeAlias = Mapping[Phase, Collection[Phase]]


class IllegalTransition(RuntimeError):
    """Raised if a handler enters a phase that the state table does not allow from the present one: a
    programming error."""


class Transition:
    """State under construction. `state` begins as the table's state; handlers replace parts of it."""

    __slots__ = ("_ways", "by_person", "context", "effects", "state")

    def __init__(self, state: TableState, context: Context, ways: Ways) -> None:
        """`ways`: phases that may follow each phase (`NEXT` of the state table)."""
        self._ways = ways
        self.state = state
        self.context = context
        self.effects: list[Effect] = []
        self.by_person = False
        """Whether the present event is a person's report that no device confirms."""

    # -------------------------------------------------------------- the state

    @property
    def round(self) -> Round:
        """Round in play. Raises RuntimeError if there is none: a handler was called in a wrong phase."""
        if self.state.round is None:
            raise RuntimeError(f"no round in {self.state.phase}")
        return self.state.round

    @round.setter
    def round(self, changed: Round) -> None:
        self.state = evolve(self.state, round=changed)

    @property
    def deal(self) -> Deal:
        return self.round.deal

    @deal.setter
    def deal(self, changed: Deal) -> None:
        self.round = evolve(self.round, deal=changed)

    @property
    def decisions(self) -> Decisions:
        return self.round.decisions

    @decisions.setter
    def decisions(self, changed: Decisions) -> None:
        self.round = evolve(self.round, decisions=changed)

    @property
    def settlement(self) -> Settlement:
        return self.round.settlement

    @settlement.setter
    def settlement(self, changed: Settlement) -> None:
        self.round = evolve(self.round, settlement=changed)

    @property
    def ending(self) -> Ending:
        return self.round.ending

    @ending.setter
    def ending(self, changed: Ending) -> None:
        self.round = evolve(self.round, ending=changed)

    @property
    def rulings(self) -> Mapping[Ruled, Ruling]:
        """Rulings of the pack on each irregularity; every pack rules on all of them."""
        return self.context.pack.rulings

    @property
    def shoe(self) -> ShoeState:
        return self.state.shoe

    @shoe.setter
    def shoe(self, changed: ShoeState) -> None:
        self.state = evolve(self.state, shoe=changed)

    @property
    def deck(self) -> DeckState:
        return self.state.deck

    @deck.setter
    def deck(self, changed: DeckState) -> None:
        self.state = evolve(self.state, deck=changed)

    def seat(self, seat: int) -> SeatState:
        return self.round.seats[seat]

    def set_seat(self, changed: SeatState) -> None:
        self.round = evolve(self.round, seats=self.round.seats | {changed.seat: changed})

    def enter(self, phase: Phase) -> None:
        """Change to another phase. Raises IllegalTransition if the state table does not allow it."""
        here = self.state.phase
        if phase is not here and phase not in self._ways[here]:
            raise IllegalTransition(f"{here} -> {phase}: the state table has no such way")
        self.state = evolve(self.state, phase=phase)

    def command(self, command: str, *fields: str) -> None:
        self.effects.append(CommandShoe(command, fields))

    def keep_undo(self, key: str, seat: int | None = None, wager: Wager | None = None) -> None:
        """Save the present state so that UNDO can restore it. The entry stays until the key press becomes
        final. `key`: the pressed key; `seat`, `wager`: the circle that it concerns, if any."""
        state = self.state
        last = Undo(key, state.phase, state.round, seat, wager)
        self.state = evolve(self.state, undo=(*state.undo, last))

    def drop_undo(self, key: str, seat: int) -> None:
        """Remove the newest entry for UNDO if it belongs to that key and that seat."""
        if self.state.undo and (self.state.undo[-1].key, self.state.undo[-1].seat) == (key, seat):
            self.state = evolve(self.state, undo=self.state.undo[:-1])

    # -------------------------------------------------------------- what went wrong

    def note(
        self, code: Code, seat: int | None = None, wager: Wager | None = None, *,
        citation: str | None = None, resolved: bool = False, name: str = "",
    ) -> None:  # fmt: skip
        """Add an irregularity to the round's list; before the close, to the list of the next round.
        `citation`: section of the text, by default that of the rule pack; `resolved`: whether it is over
        already; `name`: more specific name than the code."""
        phase = self.state.play_phase
        cited = citation or citation_for(self.context.pack, code, self.state.method)
        marked = self.state.round is not None and self.state.procedures >= BEFORE_TURN_SINCE
        early = marked and self.round.awaits_turn(seat, phase)
        entry = Irregularity(code, phase, seat, wager, cited, resolved, name=name, before_turn=early)
        self._put_entries((*self._entries(), entry))

    def _entries(self) -> tuple[Irregularity, ...]:
        return self.state.early if self.state.round is None else self.state.round.irregularities

    def _put_entries(self, entries: tuple[Irregularity, ...]) -> None:
        """Replace the list of irregularities. A round in CLEARING already has its record, so its list is not
        replaced; between rounds there is no list.
        """
        if self.state.play_phase is Phase.CLEARING:
            return
        if self.state.round is not None:
            self.round = evolve(self.round, irregularities=entries)
        elif self.state.play_phase is Phase.BETTING:
            self.state = evolve(self.state, early=entries)

    def resolve(self, code: Code, seat: int | None = None, wager: Wager | None = None) -> None:
        """Mark the newest open entry with this code at this seat and wager as resolved, if there is one."""
        entries = list(self._entries())
        for index in reversed(range(len(entries))):
            entry = entries[index]
            if (entry.code, entry.seat, entry.wager, entry.resolved) == (code, seat, wager, False):
                entries[index] = replace(entry, resolved=True)
                self._put_entries(tuple(entries))
                return

    def recode(self, code: Code, circle: Circle, now: Code, *, keep_name: bool) -> None:
        """Change the code of the last open entry with `code` at a circle, and of its alert, to `now`.
        `keep_name`: whether both keep the more specific name of the former code."""
        changes: dict[str, Any] = {"code": now} if keep_name else {"code": now, "name": ""}
        entries = list(self._entries())
        for index in reversed(range(len(entries))):
            entry = entries[index]
            if (entry.code, entry.seat, entry.wager, entry.resolved) == (code, *circle, False):
                cited = citation_for(self.context.pack, now, self.state.method)
                entries[index] = replace(entry, citation=cited, **changes)
                self._put_entries(tuple(entries))
                break
        alert = self.find_alert(code, *circle)
        named = (replace(other, **changes) if other is alert else other for other in self.state.alerts)
        self.state = evolve(self.state, alerts=tuple(named))

    def explain(self, code: Code, seat: int | None, wager: Wager | None, reason: str) -> None:
        """Add a floorperson's reason to the newest entry with this code at this seat and wager, if there is
        one."""
        entries = list(self._entries())
        for index in reversed(range(len(entries))):
            entry = entries[index]
            if reason and (entry.code, entry.seat, entry.wager) == (code, seat, wager):
                entries[index] = replace(entry, reason=reason)
                self._put_entries(tuple(entries))
                return

    def find_alert(
        self, code: Code, seat: int | None = None, wager: Wager | None = None, place: str | None = None
    ) -> Alert | None:
        for alert in self.state.alerts:
            if (alert.code, alert.seat, alert.wager, alert.place) == (code, seat, wager, place):
                return alert
        return None

    def alert(
        self, code: Code, seat: int | None = None, wager: Wager | None = None, *,
        place: str | None = None, should: int | None = None, money: tuple[int, int, int] | None = None,
        noted: bool = True,
    ) -> None:  # fmt: skip
        """Raise an alert, or update the amount due of an existing one. If its name has changed because
        chips moved, the existing alert is cleared and a new one is raised."""
        standing = self.find_alert(code, seat, wager, place)
        name = self._name(code, seat, wager, should)
        if standing is not None and standing.name != name and standing.money != money:
            self.clear_alert(code, seat, wager, place)
            standing = None
        if standing is not None:
            if (standing.should, standing.money) != (should, money):
                changed = replace(standing, should=should, money=money)
                kept = tuple(changed if a is standing else a for a in self.state.alerts)
                self.state = evolve(self.state, alerts=kept)
            return
        state = self.state
        raised = Alert(state.next_alert, code, seat, wager, place, should, self.context.ms, money, name)
        self.state = evolve(self.state, alerts=(*state.alerts, raised), next_alert=state.next_alert + 1)
        if noted:
            cited = citation_for(self.context.pack, code, state.method, grew=state.has_excess(raised))
            self.note(code, seat, wager, citation=cited, name=name)

    def _name(self, code: Code, seat: int | None, wager: Wager | None, should: int | None) -> str:
        """Return the more specific name of an irregularity at a circle, or "" if its code is its name."""
        state = self.state
        if seat is None or wager is None or state.procedures < SINCE_PROCEDURES:
            return ""
        box = state.round.seats.get(seat) if state.round else None
        over = None if should is None else state.amount(seat, wager) - should
        return name_of(code, wager, state.play_phase, over, folded=bool(box and box.folded_at))

    def clear_alert(
        self, code: Code, seat: int | None = None, wager: Wager | None = None, place: str | None = None
    ) -> None:
        standing = self.find_alert(code, seat, wager, place)
        if standing is not None:
            self.state = evolve(self.state, alerts=tuple(a for a in self.state.alerts if a is not standing))
            self.resolve(code, seat, wager)

    def clear_alerts_at(self, circle: Circle, codes: Collection[Code]) -> None:
        """Clear all alerts with these codes at one circle."""
        for alert in self.state.alerts_at(circle):
            if alert.code in codes:
                self.clear_alert(alert.code, *circle)

    def clear_alerts(self, codes: Collection[Code], seat: int | None = None) -> None:
        """Clear all alerts with these codes, only those of `seat` if given."""
        for alert in self.state.alerts:
            if alert.code in codes and seat in (None, alert.seat):
                self.clear_alert(alert.code, alert.seat, alert.wager, alert.place)

    def hold(
        self, code: Code, ruling: Ruling | None = None, *,
        seat: int | None = None, wager: Wager | None = None,
        place: str | None = None, swap: tuple[str, str] | None = None, face: Card | None = None,
        beyond: int | None = None, proposed: Proposed | None = None, outcomes: tuple[str, ...] | None = None,
    ) -> None:  # fmt: skip
        """Stop play. Only this module enters, changes and leaves `held`. If play is already held, the new
        hold is queued behind it. `ruling`: ruling to apply; None: the pack's ruling on `code`."""
        ruling = ruling or self.rulings[code]
        cited = ruling.section(self.state.method)
        self.note(code, seat, wager, citation=cited)
        ruled, offered = offered_outcomes(ruling)
        phase = self.state.play_phase
        held = Hold(
            code, cited, phase, proposed or ruled, outcomes or offered,
            seat, wager, place, swap, face, beyond, self.by_person,
            self.state.next_hold if self.state.procedures else 0,
        )  # fmt: skip
        waiting = (*([self.state.hold] if self.state.hold else []), *self.state.held_next)
        if any(held.same_as(other) for other in waiting):
            return
        self.state = evolve(self.state, next_hold=max(held.id + 1, self.state.next_hold))
        if self.state.hold is not None:
            self.state = evolve(self.state, held_next=(*self.state.held_next, held))
            return
        self.enter(Phase.HELD)
        self.state = evolve(self.state, hold=held)
        if phase is Phase.DEALING and self.state.shoe.up:
            self.command("HOLD")

    def amend(self, held: Hold) -> None:
        """Replace the current hold with `held`, an amended version of it."""
        self.state = evolve(self.state, hold=held)

    def release(self, to: Phase) -> None:
        """End the hold after its decision: play resumes in phase `to`, or the round ends."""
        self.enter(to)
        self.state = evolve(self.state, hold=None)

    def hold_next(self) -> Hold | None:
        """Start the next queued hold and return it; returns None if none is queued."""
        if not self.state.held_next:
            return None
        held, *rest = self.state.held_next
        self.enter(Phase.HELD)
        self.state = evolve(self.state, hold=held, held_next=tuple(rest))
        return held
