"""What the pages say of the code is what the code says, and what anything points to is there."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from controller.audit.states import PRINTED
from controller.cli import parser_for
from controller.mock.scenario.expect import READERS
from controller.mock.scenario.file import READER_FAULTS, ROUND_KEYS, SHOE_FAULTS, STEPS
from controller.mock.scenario.touches import DECISIONS, REPORTS
from drivers.shoe.codec import Frame, FrameDecoder
from drivers.shoe.forms import (
    CONTROLLER_KINDS,
    SHOE_KINDS,
    well_formed_from_controller,
    well_formed_from_shoe,
)
from tests.repository import pages
from tests.repository.house import PROGRAM, ROOT, sources

README_LINES = 150
FORMAT = ROOT / "tests/scenarios/FORMAT.md"
LINK = ROOT / "drivers/shoe/LINK.md"
COMMANDS = ROOT / "controller/COMMANDS.md"


# ------------------------------------------------------------------ what is named is there


def test_every_page_that_is_named_is_there() -> None:
    lost = [
        f"{pages.name(path)}: {target}"
        for path in (*pages.code(), *pages.pages())
        for target in sorted(pages.named(path))
        if pages.resolved(path, target) is None
    ]
    assert not lost, "\n".join(lost)


def test_every_section_that_is_named_is_there() -> None:
    lost = [
        f'{pages.name(path)}: {target} "{heading}"'
        for path in pages.code()
        for target, heading in sorted(pages.sections_named(path))
        if (page := pages.resolved(path, target)) and heading not in pages.headings(page)
    ]
    assert not lost, "\n".join(lost)


@pytest.mark.parametrize("page", pages.pages(), ids=pages.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    for target in pages.links(page):
        file, _, anchor = target.partition("#")
        to = page.parent / file if file else page
        assert to.exists(), f"{pages.name(page)}: {target}"
        assert not anchor or anchor in pages.anchors(to), f"{pages.name(page)}: {target}: no such heading"


def test_every_page_can_be_reached_from_the_readme() -> None:
    reached, waiting = set[Path](), [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        if page.suffix == ".md" and page not in reached:
            reached.add(page)
            waiting += [(page.parent / to.partition("#")[0]).resolve() for to in pages.links(page)]
    assert [pages.name(page) for page in pages.pages() if page not in reached] == []


def test_the_rooms_are_those_that_there_are() -> None:
    rows = pages.rows(pages.blocks(ROOT / "controller/ARCHITECTURE.md")["rooms"])
    named = {room for row in rows for room in re.findall(r"`([^`]+)`", row[0])}
    there = {str(path.parent.relative_to(ROOT)) for path in sources(*PROGRAM) if path.name == "__init__.py"}
    assert named == there - {"controller"}


def test_the_readme_is_read_at_one_go() -> None:
    assert len(pages.text(ROOT / "README.md").splitlines()) <= README_LINES


# ------------------------------------------------------------------ what is copied is the same


@pytest.mark.parametrize("mark", PRINTED)
def test_a_table_is_what_the_code_prints(mark: str) -> None:
    copies = {
        pages.name(page): pages.blocks(page)[mark] for page in pages.pages() if mark in pages.blocks(page)
    }
    assert copies, f"{mark}: in no page"
    for page, copy in copies.items():
        assert copy == PRINTED[mark]().strip(), f"{page}: {mark}: paste what `crisscross states` prints"


def test_every_mark_has_its_end() -> None:
    for page in pages.pages():
        marks = re.findall(r"<!-- (/?)(\w+) -->", pages.text(page))
        assert [name for end, name in marks if not end] == [name for end, name in marks if end], page


@pytest.mark.parametrize(
    ("mark", "known"),
    [
        ("steps", STEPS),
        ("round", ROUND_KEYS),
        ("reports", REPORTS),
        ("decisions", DECISIONS),
        ("expectations", READERS),
    ],
)
def test_the_scenario_format_names_every_word_and_no_other(mark: str, known: Iterable[str]) -> None:
    first_cells = [row[0] for row in pages.rows(pages.blocks(FORMAT)[mark])]
    assert {pages.words(cell)[0] for cell in first_cells} == set(known)


def test_the_scenario_format_names_every_fault() -> None:
    named = {device: pages.words(kinds) for device, kinds in pages.rows(pages.blocks(FORMAT)["faults"])}
    assert named == {"shoe": list(SHOE_FAULTS), "reader": list(READER_FAULTS)}


# ------------------------------------------------------------------ the shoe link


@pytest.mark.parametrize(("mark", "kinds"), [("shoe", SHOE_KINDS), ("controller", CONTROLLER_KINDS)])
def test_the_shoe_link_names_every_frame(mark: str, kinds: frozenset[str]) -> None:
    rows = pages.rows(pages.blocks(LINK)[mark])
    assert {pages.words(row[0])[0] for row in rows} == kinds


@pytest.mark.parametrize(
    ("mark", "fits"), [("shoe", well_formed_from_shoe), ("controller", well_formed_from_controller)]
)
def test_every_example_of_the_shoe_link_is_a_good_frame(mark: str, fits: Callable[[Frame], bool]) -> None:
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


def test_the_commands_are_those_of_the_program() -> None:
    rows = pages.rows(pages.blocks(COMMANDS)["commands"])
    assert {row[0].strip("`").split()[1] for row in rows} == set(_commands(parser_for([])))


def test_the_options_of_mock_are_those_of_the_program() -> None:
    rows = pages.rows(pages.blocks(COMMANDS)["mock"])
    assert {row[0].strip("`").split()[0] for row in rows} == _options(_commands(parser_for(["mock"]))["mock"])
