"""Each figure in README.md and tests/EVIDENCE.md is one of tests/figures.yaml, with its source."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import date

from tests.repository import figures, pages
from tests.repository.house import ROOT

MEASURE = re.compile(r"\d[\d.,]*(?: ?%| ?ms\b| s\b| of \d)")


def outside_tables(name: str) -> str:
    return re.sub(r"<!-- (\w+) -->.*?<!-- /\1 -->", "", pages.text(ROOT / name), flags=re.DOTALL)


def test_each_figure_has_command_commit_and_date() -> None:
    for figure in figures.read():
        assert tuple(key for key in figure if key != "readme") == figures.KEYS, figure
        assert re.fullmatch("[0-9a-f]{7}", figure["commit"]), figure
        assert isinstance(figure["date"], date), figure
        assert figure["measured"], figure
        assert figure["command"], figure


def test_the_pages_show_exactly_the_figures_of_the_data_file() -> None:
    for page, block, wanted in figures.tables():
        assert pages.blocks(page).get(block) == wanted, (
            f"python -m tests.repository.figures ({page.name}, {block})"
        )


def test_the_readme_has_no_figure_outside_its_table() -> None:
    assert MEASURE.findall(outside_tables("README.md")) == []


def measuring() -> Iterator[str]:
    """Yield each command of a figure, and each page with the commands in it."""
    yield from (figure["command"] for figure in figures.read())
    yield from map(pages.text, pages.pages())


def test_each_module_that_a_figure_or_a_page_names_can_be_run() -> None:
    """A module without `__main__` would print nothing, and a module that imports a missing name would end at
    once."""
    named = {found for text in measuring() for found in re.findall(r"python -m (tests[\w.]*\w)", text)}
    mains = {name: main_of(name) for name in sorted(named)}
    assert mains
    assert [name for name, main in mains.items() if "__main__" not in pages.text(ROOT / main)] == []
    modules = [main.removesuffix(".py").replace("/", ".") for main in mains.values()]
    imports = "import importlib, sys; [importlib.import_module(name) for name in sys.argv[1:]]"
    subprocess.run([sys.executable, "-c", imports, *modules], cwd=ROOT, check=True)


def main_of(module: str) -> str:
    """Return the file that `python -m` runs."""
    place = module.replace(".", "/")
    return f"{place}/__main__.py" if (ROOT / place).is_dir() else f"{place}.py"


def test_each_make_target_that_a_figure_names_exists() -> None:
    targets = pages.text(ROOT / "Makefile")
    for command in (figure["command"] for figure in figures.read()):
        for target in re.findall(r"make ([\w-]+)", command):
            assert re.search(rf"^{target}:", targets, re.MULTILINE), target
