"""Tables, examples and names on the pages agree with the code."""

from __future__ import annotations

import argparse
import json
import re
import shlex
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from controller.cli import parser_for
from controller.common.texts.catalogue import catalogue, languages
from controller.game.model.irregularities import REPORTS
from controller.mock.bench.device_requests import READER_FAULTS, SHOE_FAULTS
from controller.mock.scenario.expect import CHECKS
from controller.mock.scenario.file import load
from controller.mock.scenario.steps import Action, RoundStep
from controller.mock.scenario.touches import DECISION_FORMS
from controller.reference.states import PRINTED
from drivers.shoe.codec import Frame, FrameDecoder
from drivers.shoe.forms import (
    CONTROLLER_KINDS,
    SHOE_KINDS,
    well_formed_from_controller,
    well_formed_from_shoe,
)
from tests.mocked import Mocked
from tests.repository import pages
from tests.repository.house import ROOT

FORMAT = ROOT / "tests/scenarios/FORMAT.md"
LINK = ROOT / "drivers/shoe/LINK.md"
COMMANDS = ROOT / "controller/COMMANDS.md"


@pytest.mark.parametrize("mark", PRINTED)
def test_a_copied_table_equals_the_printed_one(mark: str) -> None:
    copies = {
        pages.name(page): pages.blocks(page)[mark] for page in pages.pages() if mark in pages.blocks(page)
    }
    assert copies, f"{mark}: in no page"
    for page, copy in copies.items():
        assert copy == PRINTED[mark]().strip(), f"{page}: {mark}: paste what `crisscross states` prints"


def test_every_marked_block_has_its_end() -> None:
    for page in pages.pages():
        marks = re.findall(r"<!-- (/?)(\w+) -->", pages.text(page))
        assert [name for end, name in marks if not end] == [name for end, name in marks if end], page


@pytest.mark.parametrize(
    ("mark", "known"),
    [
        ("steps", Action.model_fields),
        ("round", RoundStep.model_fields),
        ("reports", REPORTS),
        ("decisions", DECISION_FORMS),
        ("expectations", CHECKS),
    ],
)
def test_the_scenario_format_names_exactly_the_known_words(mark: str, known: Iterable[str]) -> None:
    first_cells = [row[0] for row in pages.rows(pages.blocks(FORMAT)[mark])]
    assert {pages.words(cell)[0] for cell in first_cells} == set(known)


def test_the_scenario_format_names_every_fault() -> None:
    named = {device: pages.words(kinds) for device, kinds in pages.rows(pages.blocks(FORMAT)["faults"])}
    assert named == {"shoe": list(SHOE_FAULTS), "reader": list(READER_FAULTS)}
    for language in languages():
        words = catalogue(language).texts["felt"]["fault_kinds"]
        assert {device: list(kinds) for device, kinds in words.items()} == named


def test_the_examples_of_the_scenario_format_can_be_loaded(tmp_path: Path) -> None:
    file = tmp_path / "examples.yaml"
    file.write_text("---\n".join(pages.examples(FORMAT, "yaml")), encoding="utf-8")
    assert [scenario.rules for scenario in load(file)] == ["pennsylvania", "pennsylvania", "maryland"]


# ------------------------------------------------------------------ the shoe link


@pytest.mark.parametrize(("mark", "kinds"), [("shoe", SHOE_KINDS), ("controller", CONTROLLER_KINDS)])
def test_the_shoe_link_names_every_frame(mark: str, kinds: frozenset[str]) -> None:
    rows = pages.rows(pages.blocks(LINK)[mark])
    assert {pages.words(row[0])[0] for row in rows} == kinds


@pytest.mark.parametrize(
    ("mark", "fits"), [("shoe", well_formed_from_shoe), ("controller", well_formed_from_controller)]
)
def test_every_example_of_the_shoe_link_is_a_valid_frame(mark: str, fits: Callable[[Frame], bool]) -> None:
    for form, _, example in pages.rows(pages.blocks(LINK)[mark]):
        decoder = FrameDecoder()
        frames = decoder.feed(example.strip("`").encode() + b"\r\n")
        assert [frame.kind for frame in frames] == [pages.words(form)[0]], example
        assert len(frames[0].fields) == form.split("`")[1].count(","), example
        assert fits(frames[0]), example


# ------------------------------------------------------------------ the command line


def _options(parser: argparse.ArgumentParser) -> set[str]:
    return {name for action in parser._actions for name in action.option_strings} - {"-h", "--help"}


def _commands(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    (found,) = (act for act in parser._actions if isinstance(act, argparse._SubParsersAction))
    return dict(found.choices)


def test_the_page_of_commands_names_exactly_those_of_the_program() -> None:
    rows = pages.rows(pages.blocks(COMMANDS)["commands"])
    assert {row[0].strip("`").split()[1] for row in rows} == set(_commands(parser_for([])))


@pytest.mark.parametrize("page", pages.pages(), ids=pages.name)
def test_each_command_in_a_block_of_code_is_accepted_by_the_program(page: Path) -> None:
    for command in pages.commands(page):
        given = shlex.split(command, comments=True)[1:]
        if given and not given[0].startswith("-"):
            parser_for(given).parse_args(given)


@pytest.mark.parametrize("name", ["mock", "practice"])
def test_the_page_of_a_mock_table_names_exactly_the_options_of_the_program(name: str) -> None:
    rows = pages.rows(pages.blocks(COMMANDS)[name])
    assert {row[0].strip("`").split()[0] for row in rows} == _options(_commands(parser_for([name]))[name])


def test_the_example_of_a_round_record_has_the_keys_of_a_real_one() -> None:
    shown = json.loads(pages.examples(COMMANDS, "json")[0])
    with Mocked("--no-wires", "--rounds", "1", "--seed", "1") as mock:
        (record,) = mock.records()
    for at in (lambda it: it, lambda it: it["seats"][0], lambda it: first(it["seats"][0]["wagers"])):
        assert list(at(shown)) == list(at(record))


def first(mapping: dict[str, Any]) -> Any:
    return next(iter(mapping.values()))
