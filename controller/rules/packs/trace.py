"""Traceability: every section of a rule text and the scenarios, prompts and values that demonstrate it.

The sections are in config/rules/trace, one file per pack; scenarios are found by the sections that they name.
The files have section numbers and short descriptions of ours, never a text. A section without demonstration
must never count as shown: `trace_gaps` names each. A prompt or a value demonstrates a section only if it
cites that section (`cited.py`). `touched` names parts that are related to a section but do not fully
demonstrate it; they are counted separately.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from controller.common.files.mistakes import Mistakes
from controller.common.files.packaged import data_dir
from controller.common.files.read_errors import read_error
from controller.common.texts.catalogue import catalogue
from controller.game.model.irregularities import Code
from controller.game.model.rules import RulePack
from controller.rules.packs.cited import cites_section
from controller.rules.packs.demonstrated import (
    SOURCE_PHASES,
    Occurrence,
    demonstrated_occurrences,
    demonstration_lines,
    undemonstrated_sources,
)
from controller.rules.packs.flat import names as pack_names

HOUSE_PROCEDURE = "house procedure"
"""Reference of scenarios that demonstrate this project's own reading, for cases that no text decides."""
CITED_AS = {"deck_minutes": "deck_hours"}
"""Name in the pack's file for each value whose name differs there."""
ROW_KEYS = ("about", "prompt", "pack", "codes", "touched", "outside")


@dataclass(frozen=True, slots=True)
class SectionRow:
    """One section. `prompts`: kinds of the display's catalogue. `values`: names of the rule pack.
    `touched`: parts that relate to the section but do not show all of it. `outside`: the reason why the
    section does not concern a controller, or ""."""

    section: str
    about: str
    prompts: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    outside: str = ""
    touched: str = ""
    codes: tuple[Code, ...] = ()
    """Irregularities for which the section has a rule."""


@dataclass(frozen=True, slots=True)
class Trace:
    """Sections of a text, in its order. `prefix`: text before the number in a citation."""

    rules: str
    prefix: str
    rows: tuple[SectionRow, ...]

    def cite(self, row: SectionRow) -> str:
        return self.prefix + row.section


@dataclass(frozen=True, slots=True)
class TracedScenario:
    """A scenario, by file and name, and the sections that it names."""

    file: str
    name: str
    rules: str
    sections: tuple[str, ...]
    occurrences: tuple[Occurrence, ...] = ()
    """Irregularities that its steps demonstrate."""


# ------------------------------------------------------------------------------- reading


def trace_file(key: str) -> Path:
    """Return the trace file of a text. Raises Mistakes if there is none with this key."""
    files = {path.stem: path for path in sorted((data_dir("config") / "rules" / "trace").glob("*.yaml"))}
    if key not in files:
        raise Mistakes([f"{key}:1: no such traceability file; allowed: {', '.join(files)}"])
    return files[key]


def load_trace(path: Path) -> Trace:
    """Read a trace file. Raises Mistakes if a row has an unknown key or code."""
    data = yaml.safe_load(path.read_text(encoding="utf-8"))
    return Trace(data["rules"], data["prefix"], tuple(_rows(path, data["sections"])))


def _rows(path: Path, sections: Mapping[str, Mapping[str, Any]]) -> Iterator[SectionRow]:
    for section, keys in sections.items():
        if odd := [key for key in keys if key not in ROW_KEYS]:
            raise Mistakes([f"{path}:1: {section}.{odd[0]}: allowed: {', '.join(ROW_KEYS)}"])
        if unknown := [code for code in keys.get("codes", ()) if code not in SOURCE_PHASES]:
            raise Mistakes([f"{path}:1: {section}.codes: {unknown[0]}; allowed: {', '.join(SOURCE_PHASES)}"])
        prompts, values = tuple(keys.get("prompt", ())), tuple(keys.get("pack", ()))
        codes = tuple(Code(code) for code in keys.get("codes", ()))
        yield SectionRow(
            section, keys["about"], prompts, values, keys.get("outside", ""), keys.get("touched", ""), codes
        )


def load_scenarios(folder: Path) -> list[TracedScenario]:
    """Return every scenario under a folder. Raises Mistakes if there is none. Only `crisscross scenario`
    checks whether a file is a valid scenario."""
    try:
        paths = sorted(folder.rglob("*.yaml"))
    except OSError as error:
        raise Mistakes([f"{folder}:1: cannot be read: {error.strerror}"]) from error
    found = [shown for path in paths for shown in _scenarios(path, folder)]
    if not found:
        raise Mistakes([f"{folder}:1: no scenarios here; allowed: a folder of scenario files"])
    return found


def _scenarios(path: Path, folder: Path) -> Iterator[TracedScenario]:
    for data in _documents(path):
        file = str(path.relative_to(folder))
        for pack, named in _sections_by_pack(data).items():
            sections = (named,) if isinstance(named, str) else tuple(named)
            yield TracedScenario(
                file, data.get("name", file), pack, sections, demonstrated_occurrences(data, pack)
            )


def _sections_by_pack(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the sections that a scenario shows under each of its rule packs."""
    rules = data.get("rules", "pennsylvania")
    if isinstance(rules, Mapping):
        return rules
    return dict.fromkeys([rules] if isinstance(rules, str) else rules, data.get("section", ()))


def _documents(path: Path) -> list[Mapping[str, Any]]:
    if (why := read_error(path)) is not None:
        raise Mistakes([f"{path}:1: {why}"])
    try:
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        found = list(yaml.load_all(path.read_text(encoding="utf-8"), Loader=loader))
    except (yaml.YAMLError, UnicodeDecodeError):
        found = [None]
    if not all(isinstance(data, Mapping) for data in found):
        raise Mistakes([f"{path}:1: no scenario; crisscross scenario {path} says what is allowed"])
    return found


def scenarios_citing(
    trace: Trace, row: SectionRow, scenarios: Iterable[TracedScenario]
) -> list[TracedScenario]:
    """Return the scenarios of this pack that name the section."""
    cited = trace.cite(row)
    return [shown for shown in scenarios if shown.rules == trace.rules and cited in shown.sections]


def trace_gaps(trace: Trace, scenarios: Sequence[TracedScenario], pack: RulePack | None = None) -> list[str]:
    """Return the gaps of the trace, one line each: a section that nothing demonstrates, an unknown prompt or
    value, a scenario that names a section that is not in the text, a value of `pack` that cites another
    section.
    """
    found = [
        *_rows_unshown(trace, scenarios), *_sources_unshown(trace, scenarios),
        *_names_unknown(trace), *_sections_unknown(trace, scenarios),
    ]  # fmt: skip
    return found if pack is None else [*found, *_values_elsewhere(trace, pack)]


def _rows_unshown(trace: Trace, scenarios: Sequence[TracedScenario]) -> Iterator[str]:
    for row in trace.rows:
        shown = row.prompts or row.values or row.outside or row.touched
        if not (shown or scenarios_citing(trace, row, scenarios)):
            yield f"{trace.cite(row)}: nothing shows it ({row.about})"


def _sources_unshown(trace: Trace, scenarios: Sequence[TracedScenario]) -> Iterator[str]:
    played = _cases(trace, scenarios)
    for row in trace.rows:
        for words in undemonstrated_sources(row.codes, played):
            yield f"{trace.cite(row)}: {words}"


def _cases(trace: Trace, scenarios: Iterable[TracedScenario]) -> list[Occurrence]:
    """Return the occurrences that all scenarios under this pack demonstrate."""
    return [case for shown in scenarios if shown.rules == trace.rules for case in shown.occurrences]


def _names_unknown(trace: Trace) -> Iterator[str]:
    kinds = catalogue("en").texts["prompts"]
    values = set(pack_names())
    for row in trace.rows:
        for kind in row.prompts:
            if kind not in kinds:
                yield f"{trace.cite(row)}: no prompt {kind}; the display has {', '.join(kinds)}"
        for value in row.values:
            if value not in values:
                yield f"{trace.cite(row)}: a rule pack has no {value}"


def _values_elsewhere(trace: Trace, pack: RulePack) -> Iterator[str]:
    for row in trace.rows:
        for value in row.values:
            name = CITED_AS.get(value, value)
            cited = {text for key, text in pack.citations.items() if key.partition(".")[0] == name}
            if not any(cites_section(trace.prefix, text, row.section) for text in cited):
                yield f"{trace.cite(row)}: {value} comes from {', '.join(sorted(cited))}"


def _sections_unknown(trace: Trace, scenarios: Sequence[TracedScenario]) -> Iterator[str]:
    known = {HOUSE_PROCEDURE, *(trace.cite(row) for row in trace.rows)}
    for shown in scenarios:
        if shown.rules != trace.rules:
            continue
        if not shown.sections:
            yield f"{shown.file}: {shown.name}: names no section"
        for section in shown.sections:
            if section not in known:
                yield f"{shown.file}: {shown.name}: {section} is no section of {trace.rules}"


# ------------------------------------------------------------------------------- printing


def markdown(trace: Trace, scenarios: Sequence[TracedScenario]) -> str:
    """Return the table of one text, and the list of scenarios on cases that no text decides."""
    lines = ["| section | what it is about | shown by |", "|---|---|---|"]
    for row in trace.rows:
        by = "; ".join(_by(trace, row, scenarios)) or "NOTHING"
        lines.append(f"| {trace.cite(row)} | {row.about} | {by} |")
    lines += ["", _count(trace, scenarios)]
    own = [s for s in scenarios if s.rules == trace.rules and HOUSE_PROCEDURE in s.sections]
    lines += ["", "House procedure, where the text is silent:", ""]
    lines += [f"- `{shown.file}`: {shown.name}" for shown in own]
    return "\n".join(lines) + "\n"


def _count(trace: Trace, scenarios: Sequence[TracedScenario]) -> str:
    """Return the counts of sections that are shown, only touched, and outside the controller's work, as
    text."""
    touched = sum(1 for row in trace.rows if row.touched)
    rest = [row for row in trace.rows if not row.touched]
    shown = sum(1 for row in rest if row.prompts or row.values or scenarios_citing(trace, row, scenarios))
    return f"{len(trace.rows)} sections: {shown} shown, {touched} only touched, {len(rest) - shown} outside."


def _by(trace: Trace, row: SectionRow, scenarios: Sequence[TracedScenario]) -> Iterator[str]:
    if found := scenarios_citing(trace, row, scenarios):
        yield f"scenarios {_named(found)}"
    yield from demonstration_lines(row.codes, _cases(trace, scenarios))
    if row.prompts:
        yield "asked of a person: " + ", ".join(f"`{kind}`" for kind in row.prompts)
    if row.values:
        yield "rule pack: " + ", ".join(f"`{value}`" for value in row.values)
    if row.touched:
        yield f"touches only: {row.touched}"
    if row.outside:
        yield f"outside: {row.outside}"


def _named(found: Iterable[TracedScenario]) -> str:
    files: dict[str, list[str]] = {}
    for shown in found:
        files.setdefault(shown.file, []).append(shown.name)
    return ", ".join(f"`{file}` ({'; '.join(names)})" for file, names in files.items())
