"""Who tried to prove who they are, and how long the next try has to wait.

The wait grows with each wrong try of one person on one channel (`screen`, or the name of another way in),
and never beyond a minute, so that nobody is locked out: another channel is not held up at all, and FLOOR on
the table itself, which no program can press, ends the waits that run. It does not make the next one
shorter. Tries are judged at the edge; what was typed never comes here.
"""

from __future__ import annotations

from dataclasses import replace

from controller.game.model.events import PersonTried
from controller.game.model.evolve import evolve
from controller.game.model.state import TableState, Tries
from controller.game.model.transition import Transition

FREE = 2
"""Wrong tries that nobody has to wait for: a slip of the finger."""
FIRST_MS = 5_000
LONGEST_MS = 60_000


def waits(state: TableState, who: str, channel: str, ms: int) -> bool:
    """Whether the next try of this person here is not heard yet."""
    tries = state.tries.get(_key(who, channel))
    return tries is not None and ms < tries.until


def tried(play: Transition, event: PersonTried) -> None:
    """A right one begins anew; a wrong one makes the next wait longer."""
    key = _key(event.who, event.channel)
    others = {each: tries for each, tries in play.state.tries.items() if each != key}
    if not event.proven:
        wrong = play.state.tries.get(key, Tries()).wrong + 1
        others[key] = Tries(wrong, play.context.ms + wait_ms(wrong))
    play.state = evolve(play.state, tries=others)


def wait_ms(wrong: int) -> int:
    """After so many wrong tries in a row."""
    doubled = wrong - FREE - 1
    return 0 if doubled < 0 else min(LONGEST_MS, FIRST_MS << min(doubled, 8))


def held_up(state: TableState, ms: int) -> bool:
    """Somebody waits."""
    return any(ms < tries.until for tries in state.tries.values())


def let_in(play: Transition) -> None:
    """FLOOR was pressed on the table itself: whoever waits may try now."""
    if play.state.tries:
        free = {key: replace(tries, until=0) for key, tries in play.state.tries.items()}
        play.state = evolve(play.state, tries=free)


def _key(who: str, channel: str) -> str:
    return f"{who}@{channel}"
