"""Each figure in README.md and tests/EVIDENCE.md is one of tests/figures.yaml, with its source."""

from __future__ import annotations

import re
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


def test_the_pages_show_exactly_these_figures() -> None:
    for page, block, wanted in figures.tables():
        assert pages.blocks(page).get(block) == wanted, (
            f"python -m tests.repository.figures ({page.name}, {block})"
        )


def test_the_readme_has_no_figure_beside_them() -> None:
    assert MEASURE.findall(outside_tables("README.md")) == []


def test_each_module_that_a_figure_names_is_there() -> None:
    commands = [figure["command"] for figure in figures.read()]
    named = [found for command in commands for found in re.findall(r"python -m (tests[\w.]+)", command)]
    assert named
    for module in named:
        place = ROOT / module.replace(".", "/")
        assert place.with_suffix(".py").is_file() or (place / "__main__.py").is_file(), module
    targets = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in [found for command in commands for found in re.findall(r"make ([\w-]+)", command)]:
        assert re.search(rf"^{target}:", targets, re.MULTILINE), target
