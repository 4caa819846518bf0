"""Effects: what the runtime is to do now, in the imperative.

What can be read off the state (lamps, prompt, display, the circles to read first) is no effect;
see `lamps.py`, `prompts.py`, `public.py` and `Table.watch()`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from controller.game.model.record import Correction, RoundRecord


@dataclass(frozen=True, slots=True)
class CommandShoe:
    """Send a command of drivers/shoe/LINK.md: DEAL n, STUBOUT, SHUFFLE, HOLD, RELEASE, SIGN ON|OFF;
    or VERSION 1, for the driver itself."""

    command: str
    fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WriteRecord:
    """A round has ended: its record as controller/COMMANDS.md has it."""

    record: RoundRecord = field(repr=False)


@dataclass(frozen=True, slots=True)
class CorrectRecord:
    """A closed round was corrected: `entry` joins its record's `corrections`."""

    round: int
    entry: Correction


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A good moment to keep the whole state, so that a start replays little."""


Effect = CommandShoe | WriteRecord | CorrectRecord | Checkpoint
