"""Failed authentications of each person, and the wait before the next one.

The wait grows with each wrong PIN of one person, and never beyond a minute, so that no person is locked out
by another. All badges that nobody has share one count, as one person, so that the state does not grow with
what is typed. FLOOR on the table itself, which no program can press, ends the waits that run; it does not
make the next one shorter. PINs are compared in the daemon (`table/display_source/authenticator.py`); what was
typed never comes here.
"""

from __future__ import annotations

from dataclasses import replace

from controller.game.model.events import PersonTried
from controller.game.model.evolve import evolve
from controller.game.model.state import TableState, Tries
from controller.game.model.transition import Transition

FREE = 2
"""Wrong PINs in a row without a wait: a slip of the finger."""
FIRST_MS = 5_000
MAX_WAIT_MS = 60_000
MAX_NAME = 16
"""Characters of the longest name."""


def waits(state: TableState, who: str, channel: str, ms: int) -> bool:
    """Return whether this person's wait on this channel runs at `ms` of the table's clock."""
    tries = state.tries.get(_key(who, channel))
    return tries is not None and ms < tries.until


def judged(who: str, channel: str, *, proven: bool, early: bool, unheard: int) -> PersonTried:
    """Return the event of one try. Its JSON is equally long whoever it is and whatever came of it, so that
    no size tells a known badge from an unknown one."""
    padding = "." * (MAX_NAME - len(who) + proven + early)  # "true" is one shorter than "false"
    return PersonTried(who, channel, proven, unheard, early, padding)


def tried(play: Transition, event: PersonTried) -> None:
    """Begin the count anew after a right PIN, and make the next wait longer after a wrong one."""
    if event.early:
        return
    key = _key(event.who, event.channel)
    others = {each: tries for each, tries in play.state.tries.items() if each != key}
    if not event.proven:
        wrong = play.state.tries.get(key, Tries()).wrong + 1
        others[key] = Tries(wrong, play.context.ms + wait_ms(wrong))
    play.state = evolve(play.state, tries=others)


def wait_ms(wrong: int) -> int:
    """Return the wait after this many wrong PINs in a row."""
    doubled = wrong - FREE - 1
    return 0 if doubled < 0 else min(MAX_WAIT_MS, FIRST_MS << min(doubled, 8))


def held_up(state: TableState, ms: int) -> bool:
    """Return whether any person's wait runs at `ms`."""
    return any(ms < tries.until for tries in state.tries.values())


def let_in(play: Transition) -> None:
    """End every wait that runs, because FLOOR was pressed on the table itself."""
    if play.state.tries:
        free = {key: replace(tries, until=0) for key, tries in play.state.tries.items()}
        play.state = evolve(play.state, tries=free)


def _key(who: str, channel: str) -> str:
    return f"{who}@{channel}"
