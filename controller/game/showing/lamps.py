"""Lamp language in one table: what a red, green or amber (yellow) lamp in a circle means, steady or
blinking in a rhythm.

The states can be distinguished by their rhythm alone, by colour-blind people or in coloured light: every
state that requires its own act has its own rhythm. The rhythms are those of navigation lights (IALA R1001,
characters of lights), which are made to be distinguished in the dark at a glance. `lamp_states.py` determines
the state of each lamp.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal


class LampState(StrEnum):
    """State of a lamp. controller/game/TABLE.md "The lamp language" shows each."""

    OFF = "off"
    OPEN = "open"
    ACCEPTED = "accepted"
    DEAL = "deal"
    CALL = "call"
    TAKE = "take"
    PUSH = "push"
    PAY = "pay"
    RETURN = "return"
    REFUSED = "refused"
    FAULT = "fault"


@dataclass(frozen=True, slots=True)
class Look:
    """Colour, rhythm and shape of a lamp state, and its meaning for the dealer."""

    colour: Literal["off", "green", "red", "amber"]
    rhythm: str
    shape: str
    """Shape on the screen, which shows the meaning as the rhythm does."""
    meaning: str

    @property
    def light(self) -> str:
        """One period, a quarter of a second per character: ``#`` lit, ``.`` dark (`drivers.ports.Rhythm`)."""
        return RHYTHMS[self.rhythm]


RHYTHMS: Mapping[str, str] = {
    "steady": "#",  # F, fixed: in order
    "wink": "#.......",  # Fl: nearly dark, a wager may come here
    "even": "####....",  # Iso, 0.5 Hz: medium priority of IEC 60601-1-8 (0.4 to 0.8 Hz)
    "short-short": "#.#.....",  # Fl(2): only short ones, chips come to the dealer
    "long-short": "####.#....",  # Mo(N): a long one first, chips go to the player
    "long-long": "####.####.....",  # Mo(M): the same, with no chips of the house
    "dip": "#######.",  # Oc: lit but for a dip, the chips here stay
    "quick": "#.",  # VQ, 2 Hz: high priority of IEC 60601-1-8 (1.4 to 2.8 Hz), something is wrong
    "bursts": "#.#.#.#.#.......",  # IVQ: a fault of the table itself
}
"""Light of each rhythm. Every rhythm begins lit, is recognisable within 4 s, and flashes at most twice a
second (WCAG 2.3.1 allows three)."""

LANGUAGE: Mapping[LampState, Look] = {
    LampState.OFF: Look("off", "steady", "off", "nothing lies here, nothing is due"),
    LampState.OPEN: Look("amber", "wink", "open", "a wager may be laid here"),
    LampState.ACCEPTED: Look("green", "steady", "accepted", "a wager lies here and counts"),
    LampState.DEAL: Look("amber", "even", "cards", "this seat is dealt to now"),
    LampState.CALL: Look("amber", "even", "call", "this player is asked for this bet"),
    LampState.TAKE: Look("red", "short-short", "take", "take this wager now"),
    LampState.PUSH: Look("amber", "dip", "push", "push: leave this wager now"),
    LampState.PAY: Look("green", "long-short", "pay", "pay this wager now"),
    LampState.RETURN: Look("green", "long-long", "give", "give this wager back now"),
    LampState.REFUSED: Look("red", "quick", "refused", "what lies here does not fit: see the screen"),
    LampState.FAULT: Look("amber", "bursts", "fault", "this circle cannot be read"),
}

SETTLING = frozenset({LampState.TAKE, LampState.PUSH, LampState.PAY})
"""States of a circle that is being settled; on the screen the complete circle is coloured."""
