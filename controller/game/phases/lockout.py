"""Failed authentications of each person, and the waiting time (lockout) before the next attempt with a PIN.

The waiting time grows with each wrong PIN, up to a minute (backoff), separately for each person, so that no
person can lock out another. All unknown badges share one count, as one person, so that the state does not
grow with the text typed. FLOOR on the table itself, which no program can press, ends all current waiting
times; it does not shorten the next one. PINs are compared in the daemon
(`table/display_source/authenticator.py`); typed text never reaches this module.
"""

from __future__ import annotations

from dataclasses import replace

from controller.game.model.events import PersonTried
from controller.game.model.evolve import evolve
from controller.game.model.state import TableState, Tries
from controller.game.model.transition import Transition

FREE_ATTEMPTS = 2
"""Consecutive wrong PINs without a waiting time, to allow for slips."""
FIRST_MS = 5_000
MAX_WAIT_MS = 60_000
MAX_NAME = 16
"""Maximum length of a name in characters."""


def must_wait(state: TableState, who: str, channel: str, ms: int) -> bool:
    """Return whether a person who failed to authenticate has to wait longer. `who`: the person's name, or
    ``unknown``; `channel`: where the person tried; `ms`: now, on the table's clock."""
    tries = state.tries.get(_key(who, channel))
    return tries is not None and ms < tries.until


def attempt_event(who: str, channel: str, *, proven: bool, early: bool, unheard: int) -> PersonTried:
    """Return the event of one attempt. Its JSON has the same length for every person and result, so that
    the size does not reveal whether a badge is known."""
    padding = "." * (MAX_NAME - len(who) + proven + early)  # "true" is one character shorter than "false"
    return PersonTried(who, channel, proven, unheard, early, padding)


def record_attempt(play: Transition, event: PersonTried) -> None:
    """Reset the count after a right PIN; lengthen the waiting time after a wrong one."""
    if event.early:
        return
    key = _key(event.who, event.channel)
    others = {each: tries for each, tries in play.state.tries.items() if each != key}
    if not event.proven:
        wrong = play.state.tries.get(key, Tries()).wrong + 1
        others[key] = Tries(wrong, play.context.ms + wait_ms(wrong))
    play.state = evolve(play.state, tries=others)


def wait_ms(wrong: int) -> int:
    """Return the waiting time in ms after this number of consecutive wrong PINs."""
    doubled = wrong - FREE_ATTEMPTS - 1
    return 0 if doubled < 0 else min(MAX_WAIT_MS, FIRST_MS << min(doubled, 8))


def is_anyone_waiting(state: TableState, ms: int) -> bool:
    """Return whether any person has to wait at `ms`."""
    return any(ms < tries.until for tries in state.tries.values())


def end_waits(play: Transition) -> None:
    """End all current waiting times, because FLOOR was pressed on the table itself."""
    if play.state.tries:
        free = {key: replace(tries, until=0) for key, tries in play.state.tries.items()}
        play.state = evolve(play.state, tries=free)


def _key(who: str, channel: str) -> str:
    return f"{who}@{channel}"
