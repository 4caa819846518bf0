"""Tables of the documents, which come from code: printed from the code that obeys them.

`crisscross states` prints them. A test compares the copies in the pages with this output. This module must
never state anything that is not read from the code.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import get_args

from pydantic.fields import FieldInfo

from controller.common.files.forms import Form
from controller.common.texts.catalogue import catalogue
from controller.game.model.faults import FAULTS, HELD, PHASES, Fault
from controller.game.model.irregularities import Code
from controller.game.model.names import Phase
from controller.game.showing.lamps import LANGUAGE, Look
from controller.game.table import KEY_HANDLERS, NEXT, TABLE
from controller.rules.packs.form import OVERRIDES
from controller.settings.schema import TableSection
from controller.table.commissioning.causes import DO

END_WORDS = {
    "itself": "by itself",
    "dealer": "by the dealer",
    "floor": "by the floor",
    "mended": "when it is put right",
}


def states_markdown() -> str:
    """Return the table of phases: the keys and events that each handles, and the phases that may follow."""
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
    """Return the table of lamp states: colour, rhythm by name and as seen (one sign per quarter second),
    meaning."""
    rows = [
        (f"`{state}`", look.colour, *(_seen(look) if look.colour != "off" else ("", "")), look.meaning)
        for state, look in LANGUAGE.items()
    ]
    return _table(("lamp", "colour", "rhythm", "seen", "meaning"), rows) + "\n"


def irregularities_markdown() -> str:
    """Return the table of irregularities: urgency, end, whether the dealer reports it, and the dealer's
    text."""
    texts = catalogue("en").texts["codes"]
    rows = [
        (
            f"`{code}`",
            code.kind.grade,
            f"{END_WORDS[code.kind.cleared]}{', or signed' if code.kind.signed else ''}",
            "yes" if code.kind.report else "",
            _title(texts[code]["what"]),
        )
        for code in Code
    ]
    return _table(("code", "grade", "ends", "reported", "what the dealer reads"), rows) + "\n"


def faults_markdown() -> str:
    """Return the table of faults: code, effect in each phase, and end."""
    rows = [
        (fault.what, _codes(fault), *(_done(fault.does[phase]) for phase in PHASES), fault.over)
        for fault in FAULTS
    ]
    return _table(("fault", "code", *(f"`{phase}`" for phase in PHASES), "over"), rows) + "\n"


def _codes(fault: Fault) -> str:
    codes = dict.fromkeys(does.removeprefix(HELD) for does in fault.does.values() if does)
    return _names(f"`{code}`" for code in codes)


def _done(does: str) -> str:
    return "held" if does.startswith(HELD) else "alert" if does else "–"


def causes_markdown() -> str:
    """Return the causes for which `crisscross check` finds no device on a port, as Markdown."""
    return _table(("said of a port", "what it means and what to do"), DO.items())


def settings_markdown() -> str:
    """Return the table of keys of a table file with default and allowed values, and the keys of the rule
    pack that a table file may set."""
    table = _table(("key", "default", "allowed"), _settings(TableSection))
    return f"{table}\n\nKeys of the rule pack: {_names(f'`{key}`' for key in sorted(OVERRIDES))}.\n"


PRINTED: Mapping[str, Callable[[], str]] = {
    "states": states_markdown,
    "lamps": lamps_markdown,
    "irregularities": irregularities_markdown,
    "causes": causes_markdown,
    "faults_by_phase": faults_markdown,
    "settings": settings_markdown,
}
"""Function that prints each table, by the marker around its copies in the pages."""


def _title(words: object) -> str:
    """Return the last of several alternative texts, which needs no values."""
    return str(words[-1] if isinstance(words, list) else words)


def _settings(form: type[Form], above: str = "") -> Iterator[tuple[str, str, str]]:
    for name, field in form.model_fields.items():
        section = _section(field)
        if section is not None:
            yield from _settings(section, f"{above}{name}.")
        else:
            yield f"`{above}{name}`", _default(field), field.description or ""


def _section(field: FieldInfo) -> type[Form] | None:
    """Return the form of a key that is a section, else None."""
    kinds = (field.annotation, *get_args(field.annotation))
    return next((kind for kind in kinds if isinstance(kind, type) and issubclass(kind, Form)), None)


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "required"
    value = field.get_default(call_default_factory=True)
    return "" if value in (None, [], {}) else f"`{json.dumps(value)}`"


def _seen(look: Look) -> tuple[str, str]:
    return look.rhythm, f"`{look.light}`"


def _events() -> dict[str, set[Phase]]:
    return {event.__name__: set(entries) for event, entries in TABLE.items()}


def _own_events(phase: Phase) -> list[str]:
    return [name for name, phases in _events().items() if phase in phases and phases != set(Phase)]


def _keys(phase: Phase) -> list[str]:
    return [key.value for key, entries in KEY_HANDLERS.items() if phase in entries and key.value != "floor"]


def _names(names: Iterable[str]) -> str:
    return ", ".join(names)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
