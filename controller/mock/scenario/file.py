"""A scenario file as data, read and checked completely before anything is played.

It follows tests/scenarios/FORMAT.md; each mistake has file, line, key and the allowed values. No other file
is opened.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import AfterValidator, Field, PlainValidator, model_validator

from controller.common.files.forms import fit, validation_error
from controller.common.files.mistakes import Mistakes
from controller.common.files.yaml_lines import Lines, read_documents
from controller.mock.scenario.by_pack import UNDER, UnderPack
from controller.mock.scenario.steps import Action, Scenario, Step
from controller.mock.scenario.values import StrictForm, Text

SET_BY_THE_BENCH = (
    ("rules",), ("journal",), ("people",), ("chips",), ("pins",), ("mock",), ("display", "host"),
    ("display", "port"), ("display", "port_file"), ("shoe", "port"), ("readers", "ports"),
)  # fmt: skip
"""Keys of a table file for devices and files, which the bench sets. A scenario that could set them could read
and write any file that its user can.
"""
PACKS = ("pennsylvania",)
"""Rule packs of a scenario that names none."""
MAX_NAME_CHARS = 100
"""Maximum number of characters printed of a step."""


def _sections(given: Any) -> tuple[str, ...]:
    """Return the sections of the rule text that a scenario demonstrates; the file has one or a list."""
    found = tuple(given) if isinstance(given, list) else (given,)
    if not all(isinstance(section, str) and section for section in found):
        raise ValueError("allowed: a section, or a list of them")
    return found


def _packs(given: Any) -> Mapping[str, tuple[str, ...]]:
    """Return the sections by rule pack; an empty tuple for each pack if the sections are in `section`
    instead.
    """
    named = [*given] if isinstance(given, dict | list) else [given]
    if not named or not all(isinstance(pack, str) and pack and not pack.startswith(UNDER) for pack in named):
        raise ValueError("allowed: a rule pack, a list of them, or each with its section")
    if len(named) != len(set(named)):
        raise ValueError("allowed: each rule pack once")
    return {pack: _sections(given[pack]) if isinstance(given, dict) else () for pack in named}


def _config(given: dict[str, Any]) -> Mapping[str, Any]:
    words = "the mock table's own; say rules beside config, the rest is given"
    if own := [(path, words) for path in SET_BY_THE_BENCH if _names(given, path)]:
        raise validation_error(own)
    table: Mapping[str, Any] = _as_a_table_has_it(given)
    return table


def _names(given: Any, path: Sequence[str]) -> bool:
    """Return whether the nested mapping `given` has a value at `path`."""
    for key in path:
        if not isinstance(given, dict) or key not in given:
            return False
        given = given[key]
    return True


def _as_a_table_has_it(value: Any) -> Any:
    """Return the value with each decimal as a float, since the table file of a mock table is YAML without
    decimals."""
    if isinstance(value, dict):
        return {key: _as_a_table_has_it(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_as_a_table_has_it(inner) for inner in value]
    return float(value) if isinstance(value, Decimal) else value


class Document(StrictForm):
    """One scenario as in the file, or as read under one of its rule packs."""

    name: Text | None = None
    rules: Annotated[Mapping[str, tuple[str, ...]], PlainValidator(_packs)] = dict.fromkeys(PACKS, ())
    config: Annotated[dict[str, Any], AfterValidator(_config)] = Field(default={})
    section: Annotated[tuple[str, ...], PlainValidator(_sections)] = ()
    steps: list[Action] = Field(description="a list of steps")

    @model_validator(mode="after")
    def _sections_once(self) -> Self:
        if self.section and any(self.rules.values()):
            raise validation_error([(("section",), "it stands with each rule pack")])
        return self


def load(path: Path) -> list[Scenario]:
    """Return the scenarios of a file, each once for every rule pack that it names. Raises Mistakes with all
    faulty lines.
    """
    scenarios, mistakes = load_each(path)
    if mistakes:
        raise Mistakes(mistakes)
    return scenarios


def load_each(path: Path) -> tuple[list[Scenario], list[str]]:
    """Return the scenarios of the valid documents and the mistakes of the others."""
    found = read_documents(path)
    if not found:
        return [], [f"{path}:1: no scenario; {Document.allowed_keys()}"]
    scenarios: list[Scenario] = []
    mistakes: list[str] = []
    for whole in found:
        played = list(_played(whole))
        wrong = whole.report()
        scenarios += () if wrong else played
        mistakes += wrong
    return scenarios, mistakes


def _played(whole: Lines) -> Iterator[Scenario]:
    if whole.data is None:
        return
    packs = _packs_of(whole)
    for pack in packs:
        source = UnderPack(whole, pack, packs)
        if document := fit(Document, source):
            scenario = _scenario(document, source, pack)
            yield replace(scenario, name=f"{scenario.name} ({pack})") if len(packs) > 1 else scenario


def _packs_of(whole: Lines) -> Sequence[str]:
    """Return the rule packs of a document. If they are not valid, return the default, so that the rest is
    read and all mistakes are reported at once.
    """
    try:
        return tuple(_packs(whole.data.get("rules", PACKS[0])))
    except ValueError as error:
        whole.add(("rules",), str(error))
        del whole.data["rules"]
        return PACKS


def _scenario(document: Document, source: Lines, pack: str) -> Scenario:
    steps = [
        Step(source.line(("steps", at)), action, _line(source.data["steps"][at]))
        for at, action in enumerate(document.steps)
    ]
    lines = {key: source.line(("config", key)) for key in document.config}
    line = source.line(())
    return Scenario(
        source.file,
        line,
        document.name or f"{Path(source.file).stem}:{line}",
        pack,
        document.config,
        tuple(steps),
        {"": source.line(("rules",)), **lines},
        document.rules[pack] or document.section,
    )


def _line(step: Mapping[str, Any]) -> str:
    """Return the step on one line, cut at MAX_NAME_CHARS."""
    flat = _flat(step)[1:-1]
    return flat if len(flat) <= MAX_NAME_CHARS else flat[: MAX_NAME_CHARS - 3] + "..."


def _flat(value: Any) -> str:
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key}: {_flat(inner)}' for key, inner in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_flat, value))}]"
    if value is None or isinstance(value, bool):
        return "null" if value is None else str(value).lower()
    return str(value)
