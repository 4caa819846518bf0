"""All that a page or a module names exists, and every page is linked."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from tests.repository import listings, pages
from tests.repository.house import PROGRAM, ROOT, sources

README_LINES = 150
OPENED = re.compile(r"(?:^|[.:] |^- |\| )((?:What|Who|Whoever|Whatever|Of) [a-z][^.?|]*[.?|])", re.MULTILINE)
"""Pattern of sentences that open with a pronoun or a genitive, and of questions."""
MIN_QUESTIONS = 60
MAX_QUESTIONS_A_FILE = 3
MIN_STEPS = 30
AREAS = {
    "rules", "game", "shoe link", "chips", "lamps", "display", "journal", "seal", "witness", "uplink", "pit",
    "settings", "packs", "odds", "people", "mock", "practice", "commissioning", "packaging",
}  # fmt: skip


def test_every_named_page_exists() -> None:
    lost = [
        f"{pages.name(path)}: {target}"
        for path in (*pages.code(), *pages.pages())
        for target in sorted(pages.named(path))
        if pages.resolved(path, target) is None
    ]
    assert not lost, "\n".join(lost)


def test_every_named_module_exists() -> None:
    there = [f"/{pages.name(path)}" for path in sources(*PROGRAM, "tests")]
    lost = [
        f"{pages.name(path)}: {module}"
        for path in (*pages.code(), *pages.pages())
        for module in sorted(pages.modules_named(path))
        if not any(name.endswith(f"/{module}") for name in there)
    ]
    assert not lost, "\n".join(lost)


@pytest.mark.parametrize("page", pages.pages(), ids=pages.name)
def test_every_path_that_a_page_names_exists(page: Path) -> None:
    gone = {place for place in pages.places_named(page) if not (ROOT / place).exists()}
    assert {place for place in gone if "KEY" not in place} == set()


def test_every_named_section_exists() -> None:
    lost = [
        f'{pages.name(path)}: {target} "{heading}"'
        for path in pages.code()
        for target, heading in sorted(pages.sections_named(path))
        if (page := pages.resolved(path, target)) and heading not in pages.headings(page)
    ]
    assert not lost, "\n".join(lost)


@pytest.mark.parametrize("page", pages.pages(), ids=pages.name)
def test_every_link_has_an_existing_target(page: Path) -> None:
    for target in pages.links(page):
        file, _, anchor = target.partition("#")
        to = page.parent / file if file else page
        assert to.exists(), f"{pages.name(page)}: {target}"
        assert not anchor or anchor in pages.anchors(to), f"{pages.name(page)}: {target}: no such heading"


@pytest.mark.parametrize("page", pages.pages(), ids=pages.name)
def test_no_sentence_of_a_page_opens_with_a_pronoun_or_a_genitive(page: Path) -> None:
    opened = OPENED.findall(pages.prose(page))
    assert [sentence for sentence in opened if not sentence.endswith("?")] == []


def test_every_page_can_be_reached_from_the_readme() -> None:
    reached, waiting = set[Path](), [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        if page.suffix == ".md" and page not in reached:
            reached.add(page)
            waiting += [(page.parent / to.partition("#")[0]).resolve() for to in pages.links(page)]
    assert [pages.name(page) for page in pages.pages() if page not in reached] == []


@pytest.mark.parametrize("folder", listings.packages(), ids=pages.name)
def test_a_package_lists_its_modules(folder: Path) -> None:
    """`python -m tests.repository.listings` writes the lists."""
    assert (folder / "__init__.py").read_text(encoding="utf-8") == listings.listing(folder)
    assert all(sentence for _, sentence in listings.members(folder))


def test_the_rooms_of_the_architecture_equal_the_packages() -> None:
    assert pages.blocks(ROOT / "controller/ARCHITECTURE.md")["rooms"].strip() == listings.rooms().strip()


def test_each_step_of_the_architecture_names_symbols_that_its_file_defines() -> None:
    symbols = pages.symbols_named(ROOT / "controller/ARCHITECTURE.md")
    assert len(symbols) >= MIN_STEPS
    lost = [f"{file}: {symbol}" for symbol, file in symbols if symbol not in pages.defined(ROOT / file)]
    assert not lost, "\n".join(lost)


def test_the_readme_names_the_program_s_path_and_the_remote_access_to_its_pages() -> None:
    readme = pages.text(ROOT / "README.md")
    assert "The program is `.venv/bin/crisscross`" in readme
    assert "`ssh -L PORT:127.0.0.1:PORT`" in readme


def test_the_readme_stays_within_its_maximum_length() -> None:
    assert len(pages.text(ROOT / "README.md").splitlines()) <= README_LINES


def test_each_symbol_of_where_md_is_defined_in_its_file() -> None:
    rows = pages.rows(pages.blocks(ROOT / "controller/WHERE.md")["where"])
    answers = [(file.strip("`"), symbol.strip("`")) for _area, _question, file, symbol in rows]
    lost = [f"{file}: {symbol}" for file, symbol in answers if symbol not in pages.defined(ROOT / file)]
    assert not lost, "\n".join(lost)
    questions = Counter(file for file, _symbol in answers)
    assert {file: n for file, n in questions.items() if n > MAX_QUESTIONS_A_FILE} == {}
    assert len({question for _area, question, *_answer in rows}) == len(rows) >= MIN_QUESTIONS
    assert {area for area, *_rest in rows} >= AREAS
