"""Effects of each fault of a device or of the machine in each phase: one table, printed in
controller/game/IRREGULARITIES.md.

The game does not read this table; it describes the game, and tests/game/test_faults_by_phase.py plays every
entry. Every entry must be played by that test.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from controller.game.model.irregularities import Code
from controller.game.model.names import IN_PLAY, Phase

PHASES = tuple(Phase)
"""All phases. In `held` a deal is already held, and further trouble is decided after it."""
NO_EFFECT = ""
HELD = "held "


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault. `does`: by phase, the code of the alert, preceded by `held` if play is held; empty for no
    alert. `over`: the event that ends the alert.
    """

    name: str
    what: str
    does: Mapping[Phase, str]
    over: str


def _everywhere(code: Code) -> Mapping[Phase, str]:
    return dict.fromkeys(PHASES, str(code))


def _held(code: Code, *phases: Phase) -> Mapping[Phase, str]:
    """Return the effects of a code that is raised in every phase and holds play in `phases`."""
    return {phase: f"{HELD}{code}" if phase in phases else str(code) for phase in PHASES}


BY_ITSELF = "by itself, when it answers again"
FAULTS = (
    Fault(
        "link_lost",
        "the shoe's link is down for longer than its grace",
        _held(Code.SHOE_LOST, Phase.DEALING),
        "the link is resumed without a lost card; a hold, by the floor",
    ),
    Fault(
        "cards_unseen",
        "the shoe comes back with another count of cards",
        {
            **dict.fromkeys(PHASES, NO_EFFECT),
            **dict.fromkeys((Phase.BETTING, *IN_PLAY, Phase.HELD), f"{HELD}{Code.SHOE_LOST}"),
        },
        "by the floor",
    ),
    Fault(
        "shoe_fault",
        "the shoe reports that it is jammed or broken",
        _held(Code.SHOE_FAULT, Phase.DEALING, Phase.HELD),
        "the shoe reports the fault as cleared; a hold, by the floor",
    ),
    Fault(
        "another_sender",
        "another sender is on the shoe's line",
        _everywhere(Code.SHOE_TAMPERED),
        "a floorperson answers the call",
    ),
    Fault(
        "shoe_unproven",
        "a paired shoe does not authenticate itself",
        {
            **dict.fromkeys(PHASES, f"{HELD}{Code.SHOE_UNPROVEN}"),
            **dict.fromkeys((Phase.VOID, Phase.CLEARING), NO_EFFECT),
        },
        "by the floor; in a round that is ending, held after it",
    ),
    Fault("reader_silent", "a reader does not answer", _everywhere(Code.READER_LOST), BY_ITSELF),
    Fault(
        "readers_silent",
        "no reader answers",
        _everywhere(Code.READERS_LOST),
        "by itself, when one answers again",
    ),
    Fault(
        "reader_unstable",
        "a reader's answers are damaged or too slow",
        _everywhere(Code.READING_UNSTABLE),
        BY_ITSELF,
    ),
    Fault(
        "journal",
        "the journal cannot be written: no event is accepted or acknowledged until it can",
        _everywhere(Code.JOURNAL_FAULT),
        "by itself, when it can be written again",
    ),
    Fault(
        "old_rows",
        "old rows of the journal have changed since they were written",
        _everywhere(Code.JOURNAL_DAMAGED),
        "a later start finds them intact",
    ),
    Fault(
        "lamps",
        "the chain of lamps fails, or its read-back differs",
        _everywhere(Code.LAMPS_FAULT),
        "ten seconds without a failure",
    ),
    Fault(
        "disk",
        "the journal's disk is nearly full",
        _everywhere(Code.STORAGE_LOW),
        "enough of it is free again",
    ),
    Fault(
        "module",
        "the secure module does not answer, so no chip proves itself",
        _everywhere(Code.PROOFS_STOPPED),
        "it answers again",
    ),
    Fault("witness", "no witness signs the journal", _everywhere(Code.UNWITNESSED), "a witness has signed"),
    Fault(
        "clock",
        "the clock jumps, or a start finds it wrong",
        _everywhere(Code.CLOCK_FAULT),
        "it has been plausible and steady for a minute",
    ),
)
