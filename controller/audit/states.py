"""The state table and the lamp language, printed from the code that obeys them.

`crisscross states` prints them; a test holds the README's copies against this output. It must never
say anything that `game/table.py` and `game/showing/lamps.py` do not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from controller.game.model.names import Phase
from controller.game.showing.lamps import LANGUAGE, Look
from controller.game.table import KEYS, NEXT, TABLE


def states_markdown() -> str:
    """Phase -> which keys and events it has an entry for, and where play may go."""
    rows = [
        (
            f"`{phase}`",
            _names(_keys(phase)),
            _names(_own_events(phase)),
            _names(f"`{to}`" for to in NEXT[phase]),
        )
        for phase in Phase
    ]
    always = sorted(name for name, phases in _events().items() if phases == set(Phase))
    return (
        _table(("phase", "keys", "events of its own", "then"), rows)
        + f"\n\nIn every phase: {_names(always)}.\n"
        + "Anything else is an irregularity (a device's) or refused (a person's).\n"
    )


def lamps_markdown() -> str:
    """Lamp state -> colour, rhythm by name and as it is seen (a quarter of a second a sign), meaning."""
    rows = [
        (f"`{state}`", look.colour, *(_seen(look) if look.colour != "off" else ("", "")), look.meaning)
        for state, look in LANGUAGE.items()
    ]
    return _table(("lamp", "colour", "rhythm", "seen", "meaning"), rows) + "\n"


def _seen(look: Look) -> tuple[str, str]:
    return look.rhythm, f"`{look.light}`"


def _events() -> dict[str, set[Phase]]:
    return {event.__name__: set(entries) for event, entries in TABLE.items()}


def _own_events(phase: Phase) -> list[str]:
    return [name for name, phases in _events().items() if phase in phases and phases != set(Phase)]


def _keys(phase: Phase) -> list[str]:
    return [key.value for key, entries in KEYS.items() if phase in entries and key.value != "floor"]


def _names(names: Iterable[str]) -> str:
    return ", ".join(names)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
