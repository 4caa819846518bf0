"""Effects: actions that the runtime carries out after an event, in the imperative.

Lamps, prompt, display and the circles to read first are not effects, because they are derived from the
state; see `lamps.py`, `prompts.py`, `public.py` and `Table.watch()`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from controller.game.model.record import NamedCorrection, RoundRecord


@dataclass(frozen=True, slots=True)
class CommandShoe:
    """Command to the shoe (drivers/shoe/LINK.md): DEAL n, STUBOUT, SHUFFLE, HOLD, RELEASE, SIGN ON|OFF;
    VERSION 1 is executed by the driver itself."""

    command: str
    fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WriteRecord:
    """Record of a round that has ended, to be written (controller/COMMANDS.md)."""

    record: RoundRecord = field(repr=False)


@dataclass(frozen=True, slots=True)
class CorrectRecord:
    """Correction of a closed round: `entry` is added to the `corrections` of its record."""

    round: int
    entry: NamedCorrection


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Request to save the complete state (snapshot), so that the next start replays few events."""


Effect = CommandShoe | WriteRecord | CorrectRecord | Checkpoint
