"""Two tables that look the same behave the same, whatever cards lie face down, and the comparison finds every
planted leak.

The pairs are those of `python -m tests.trials.two_worlds`, which plays any number of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from controller.floor.uplink import public_events
from controller.floor.uplink.kinds import facts_of
from controller.game.books import dues
from controller.game.model.events import KeyPressed
from controller.game.model.irregularities import Code
from controller.game.model.names import Key
from controller.game.model.transition import Transition
from controller.game.phases import duplicates, people_entries
from controller.game.showing import cards, lamp_states, prompt_id
from controller.game.watching import readers_lost
from controller.record.timeline import public
from controller.table.display_source import figures, source
from tests.trials.two_worlds import watched
from tests.trials.two_worlds.__main__ import summary
from tests.trials.two_worlds.pairs import SHOES, play, play_watched
from tests.trials.two_worlds.world import World, hidden

pytestmark = pytest.mark.slow

PAIRS = 12
WATCHED_PAIRS, WATCHED_EVENTS = 6, 80
"""Number of pairs of which surveillance watches one world, and of events in each. Every view by surveillance
replays all events, so the time grows with the square of their number.

With these numbers half of the pairs end their round, and surveillance that changes the table is found in
every pair.
"""
LEAKING = 40
"""Number of pairs among which at least one must reveal a planted leak."""
FIRST = {"outcomes": 26, "clashes": 11, "readers": 1, "surveillance": 1}
"""First pair to play for these leaks. Pair 6 reveals all other leaks, which therefore begin with it."""


def test_tables_that_look_the_same_cannot_be_distinguished() -> None:
    played = [play(seed) for seed in range(PAIRS)]
    assert [outcome for outcome in played if outcome.difference] == []
    assert sum(outcome.settled for outcome in played) > PAIRS / 3, summary(played)
    assert sum(outcome.matters for outcome in played) > PAIRS / 10, summary(played)
    assert {outcome.way for outcome in played} >= set(SHOES)


def test_a_table_whose_evidence_is_computed_cannot_be_distinguished(monkeypatch: pytest.MonkeyPatch) -> None:
    looked = []
    compute = watched.pages
    monkeypatch.setattr(watched, "pages", lambda world: looked.append(page := compute(world)) or page)
    played = [play_watched(seed, WATCHED_EVENTS) for seed in range(WATCHED_PAIRS)]
    assert [outcome for outcome in played if outcome.difference] == []
    assert sum(outcome.ended for outcome in played) >= WATCHED_PAIRS / 3, summary(played)
    assert len(looked) > 4 * WATCHED_PAIRS


def test_surveillance_that_changes_the_table_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def call(world: World) -> str:
        world.table.handle(KeyPressed(Key.FLOOR), world.table._context)
        return ""

    monkeypatch.setattr(watched, "pages", call)
    played = [play_watched(seed, WATCHED_EVENTS) for seed in range(WATCHED_PAIRS)]
    assert all(outcome.difference for outcome in played)


# ------------------------------------------------------------------ planted leaks

Plant = Callable[[pytest.MonkeyPatch], None]


def every_face(round_: Any) -> dict[str, Any]:
    return {place: dealt.face for place, dealt in round_.cards.items() if dealt.face}


def hearts(state: Any) -> int:
    """Return the number of hearts among the cards that lie face down, on which some planted leaks depend."""
    return sum(face is not None and face[1] == "H" for face in hidden(state).values())


def outcomes(patch: pytest.MonkeyPatch) -> None:
    """Plant a leak: a seat that is not turned yet is judged by its future settlement."""
    patch.setattr(dues, "step_of", dues.planned_step)


def clashes(patch: pytest.MonkeyPatch) -> None:
    """Plant a leak: an entered face is compared with every card, including hidden ones."""

    def check(play: Transition, before: Any) -> None:
        round_ = play.state.round
        known = list(every_face(round_).values()) if round_ else []
        if round_ is before.round or len(set(known)) == len(known) or play.state.hold is not None:
            return
        if before.round is not None and len(every_face(before.round)) != len(known):
            play.hold(Code.DUPLICATE_CARD)

    patch.setattr(duplicates, "hold_duplicate", check)


def refusals(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(people_entries, "open_faces", every_face)


def pictures(patch: pytest.MonkeyPatch) -> None:
    shown = cards.public_card
    patch.setattr(cards, "public_card", lambda round_, place, _shown: shown(round_, place, {place}))


def prompts(patch: pytest.MonkeyPatch) -> None:
    named = prompt_id.identity
    patch.setattr(prompt_id, "identity", lambda state, prompt: f"{named(state, prompt)}/{hearts(state)}")


def lamp(patch: pytest.MonkeyPatch) -> None:
    lit = lamp_states.lamp_states
    patch.setattr(
        lamp_states, "lamp_states", lambda s, c: dict(list(lit(s, c).items())[: None if hearts(s) else 1])
    )


def readers(patch: pytest.MonkeyPatch) -> None:
    """Plant a leak: the circles of seats that will win are read first."""
    first = lamp_states.due_circles
    patch.setattr(lamp_states, "due_circles", lambda s, c: first(s, c)[: hearts(s)])


def pauses(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(readers_lost, "deadline", lambda state: 10**9 + hearts(state))


def commands(patch: pytest.MonkeyPatch) -> None:
    sent = Transition.command
    patch.setattr(
        Transition, "command", lambda play, name, *more: sent(play, name, *more, str(hearts(play.state)))
    )


def messages(patch: pytest.MonkeyPatch) -> None:
    """Plant a leak: one more command is sent if a heart lies face down."""
    sent = Transition.command
    patch.setattr(
        Transition, "command", lambda play, *more: [sent(play, *more) for _ in range(1 + hearts(play.state))]
    )


def floor(patch: pytest.MonkeyPatch) -> None:
    shown = figures._shown
    patch.setattr(figures, "_shown", lambda k, e, at: {**shown(k, e, at), "face": getattr(e, "face", None)})


def records(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(source, "turned_record", lambda record, _shown: record)


def stories(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(public, "_is_public", lambda *_: True)


def sent(patch: pytest.MonkeyPatch) -> None:
    """Plant a leak: the pit receives every card when it leaves the shoe."""
    patch.setattr(public_events, "open_faces", every_face)
    patch.setattr(public_events, "facts_of", lambda kind: facts_of(kind) | {"faces"})


def surveillance(patch: pytest.MonkeyPatch) -> None:
    """Plant a leak: surveillance receives the round in play with a mark that depends on its hidden cards."""
    seen = watched.pages
    patch.setattr(watched, "pages", lambda world: f"{seen(world)}{hearts(world.table.state)}")


PLANTS: tuple[Plant, ...] = (
    outcomes, clashes, refusals, pictures, prompts, lamp, readers, pauses, commands, messages, floor, records,
    stories, sent, surveillance,
)  # fmt: skip


@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: plant.__name__)
def test_a_planted_leak_is_found(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    assert any(play(seed).difference for seed in range(FIRST.get(plant.__name__, 6), LEAKING))
