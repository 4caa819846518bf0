"""Each figure in the README's "Numbers" is one of tests/figures.yaml, with command, commit and date."""

from __future__ import annotations

import re
from datetime import date

import yaml

from tests.repository import pages
from tests.repository.house import ROOT

KEYS = ["what", "measured", "wanted", "command", "commit", "date"]
HEAD = f"| {' | '.join(KEYS)} |\n|{'---|' * len(KEYS)}"
FIGURES = yaml.safe_load((ROOT / "tests/figures.yaml").read_text(encoding="utf-8"))
MEASURE = re.compile(r"\d[\d.,]*(?: ?%| ?ms\b| s\b| of \d)")


def row(figure: dict[str, object]) -> str:
    shown = {**figure, "command": f"`{figure['command']}`"}
    return f"| {' | '.join(str(shown[key]) for key in KEYS)} |"


def test_each_figure_has_command_commit_and_date() -> None:
    for figure in FIGURES:
        assert list(figure) == KEYS, figure
        assert re.fullmatch("[0-9a-f]{7}", figure["commit"]), figure
        assert isinstance(figure["date"], date), figure
        assert figure["measured"], figure
        assert figure["command"], figure


def test_the_readme_shows_exactly_these_figures() -> None:
    wanted = "\n".join([HEAD, *map(row, FIGURES)])
    shown = pages.blocks(ROOT / "README.md")["figures"]
    assert shown == wanted, f"copy into README.md:\n{wanted}"


def test_the_readme_has_no_figure_beside_them() -> None:
    numbers = re.sub(r"<!-- (\w+) -->.*?<!-- /\1 -->", "", pages.text(ROOT / "README.md"), flags=re.DOTALL)
    assert MEASURE.findall(numbers) == []
