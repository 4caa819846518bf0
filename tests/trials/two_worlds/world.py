"""One of two worlds: a table, its deck, and all of its outputs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from controller.floor.uplink import public_events as uplink
from controller.game.model.cards import DECK, Card
from controller.game.model.effects import Effect, WriteRecord
from controller.game.model.events import CardLeftShoe, Chip, Event, Stamp
from controller.game.model.names import Phase
from controller.game.model.state import TableState
from controller.game.rulebook.faces import shown_places
from controller.game.showing import prompt_id
from controller.game.showing.spectator import spectator
from controller.game.table import Table
from controller.record.journal.replay import Replayed
from controller.record.timeline.fold import story as story_of
from controller.record.timeline.public import timeline_data, turned_only
from controller.table.display_source.figures import Figures
from controller.table.display_source.source import public_record
from tests.game.felt import STATE

Outputs = dict[str, Any]
"""Outputs of the table after an event, by the name of the channel."""


@dataclass
class World:
    """One of the two tables, with its deck. `deck`: faces in the order in which the shoe deals them; the
    number of a card is its position."""

    table: Table
    deck: Sequence[Card] = DECK
    figures: Figures = field(default_factory=Figures)
    uid: int = 0
    turns: list[Replayed] = field(default_factory=list)
    """Events so far with the states around each, as a replay of the journal would give them."""

    def chip(self, cents: int) -> Chip:
        self.uid += 1
        return Chip(f"04{self.uid:012X}", cents)

    def fork(self) -> World:
        """Return a copy of the table on which an event can be tried. It is discarded afterwards."""
        table = Table(self.table.pack, self.table.settings, self.table.state)
        table._context = self.table._context  # the context of the last event, by which a key press is judged
        return World(table, self.deck, uid=self.uid)

    def own(self, event: Event) -> Event:
        """Return the event as it happens in this world: a card that leaves the shoe has the face of this
        world's deck."""
        if isinstance(event, CardLeftShoe) and event.face is not None:
            return replace(event, face=self.deck[(event.number - 1) % len(self.deck)])
        return event

    def restart(self) -> None:
        """Store the state and read it back, as a restart of the daemon does."""
        state = STATE.validate_json(STATE.dump_json(self.table.state), strict=True)
        self.table = Table(self.table.pack, self.table.settings, state)

    # ------------------------------------------------------------------ outputs

    def take(self, event: Event, at: Stamp) -> None:
        """Handle an event without computing outputs."""
        self.table.handle(self.own(event), at)

    def outputs_of(self, event: Event, at: Stamp) -> Outputs:
        """Handle an event and return all outputs of the table, which include the answer to the sender."""
        event, before = self.own(event), self.table.state
        refusal = self.table.verify(event)
        effects = self.table.handle(event, at)
        sent: list[object] = []
        if refusal is None:
            self.figures.see(event, at)
            context, after = self.table.context(at), self.table.state
            self.turns.append(Replayed(len(self.turns) + 1, event, before, after, context, effects))
            sent = list(uplink.public_events(self.turns[-1]))
        outputs = {"answer": refusal, "effects": list(_effects(effects, before)), "uplink": sent}
        return {**outputs, **self.seen()}

    def answers_to(self, events: Iterable[Event]) -> list[object]:
        """Return the answers to requests that are only verified, so that the world stays unchanged."""
        return [self.table.verify(event) for event in events]

    def story(self, number: int) -> object:
        """Return the round as the pages show it after its end."""
        round_ = story_of(number, self.turns, ())
        return round_ and timeline_data(turned_only(round_))

    def seen(self) -> Outputs:
        table = self.table
        view = table.view()
        return {
            "view": view,
            "spectator": spectator(view),
            "lamps": dict(table.lamps()),
            "prompt": prompt_id.identity(table.state, table.prompt()),
            "read first": table.watch(),
            "sweep": table.sweep_since(),
            "deadline": table.next_deadline(),
            "floor": self.figures.events()[:1],
        }


def _effects(effects: Sequence[Effect], before: TableState) -> Iterator[object]:
    """Yield the effects of an event as they leave the table. Of a record only the part for a screen leaves
    it."""
    for effect in effects:
        yield public_record(effect.record, before) if isinstance(effect, WriteRecord) else effect


# ------------------------------------------------------------------ public faces, by the rules alone


def turned(state: TableState) -> Mapping[str, Card | None]:
    """Return the faces that the rules have turned, by place."""
    round_ = state.round
    if round_ is None:
        return {}
    return {place: round_.cards[place].face for place in shown_places(round_) if place in round_.cards}


def hidden(state: TableState) -> Mapping[str, Card | None]:
    """Return the faces that only the controller knows, by place. The result is empty once the cards are being
    cleared."""
    round_ = state.round
    if round_ is None or state.phase is Phase.CLEARING:
        return {}
    shown = shown_places(round_)
    lying = {place: dealt.face for place, dealt in round_.cards.items() if place not in shown}
    return lying | {f"exit_{dealt.number}": dealt.face for dealt in round_.deal.exit}


def unlike(one: object, other: object, where: str = "") -> Iterator[str]:
    """Yield each place at which two outputs differ, with both values. `where`: path to these values in the
    outputs."""
    if isinstance(one, Mapping) and isinstance(other, Mapping) and one.keys() == other.keys():
        for key in one:
            yield from unlike(one[key], other[key], f"{where}.{key}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for number, (mine, theirs) in enumerate(zip(one, other, strict=True)):
            yield from unlike(mine, theirs, f"{where}[{number}]")
    elif one != other:
        yield f"{where.lstrip('.')}: {one} / {other}"
