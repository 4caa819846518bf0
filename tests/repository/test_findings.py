"""The pages have a line for every finding and every threat, and every test that they name exists."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from tests.repository import pages
from tests.repository.house import ROOT

FINDINGS = ROOT / "tests/FINDINGS.md"
NAMED = re.compile(r"(tests/[\w/]+\.py)::(test_\w+)")
ITEMS = {
    "findings": ["C1", *(f"H{n}" for n in range(1, 9))],
    "findings_medium": [f"M{n}" for n in range(1, 9)],
    "findings_low": [f"L{n}" for n in range(1, 9)],
    "findings_faults": [f"F{n}" for n in range(1, 13)],
    "findings_newcomer": [f"N{n}" for n in range(19)],
    "findings_hardware": [str(n) for n in range(1, 13)],
    "findings_plan": [str(n) for n in range(1, 11)],
}
THIRD_TRIAL = (
    r"(S|L)-\d+[a-d]?|(LAB|PIT|FINDER|IRON|NEWCOMER) \d+[a-d]?|PEOPLE (F\d+b?|[a-z]+ \d+)|"
    r"NEWCOMER F\d+[a-d]?"
)
"""Report and number: `S-1` to `S-10` and `L-1` to `L-9` are those of the security trial,
`PEOPLE pit 2` is the second question of the pit manager."""


@cache
def named_in(path: Path) -> frozenset[str]:
    tree = ast.parse(path.read_text(encoding="utf-8")) if path.exists() else ast.Module([], [])
    return frozenset(
        node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )


@pytest.mark.parametrize("page", pages.pages(), ids=pages.name)
def test_every_test_that_a_page_names_exists(page: Path) -> None:
    named = NAMED.findall(page.read_text(encoding="utf-8"))
    assert [f"{file}::{test}" for file, test in named if test not in named_in(ROOT / file)] == []


@pytest.mark.parametrize("mark", ITEMS)
def test_each_finding_has_one_line_that_names_its_test(mark: str) -> None:
    rows = pages.rows(pages.blocks(FINDINGS)[mark])
    assert [row[0] for row in rows] == ITEMS[mark]
    assert [row[0] for row in rows if not NAMED.search(" ".join(row))] == []


def test_each_finding_of_the_third_trial_has_one_line_with_its_test() -> None:
    rows = pages.rows(pages.blocks(FINDINGS)["findings_third"])
    names = [row[0] for row in rows]
    assert len(set(names)) == len(names)
    assert [name for name in names if not re.fullmatch(THIRD_TRIAL, name)] == []
    assert [row[0] for row in rows if not NAMED.search(" ".join(row))] == []


def test_each_actor_has_a_row_with_protection_and_remaining_risk() -> None:
    rows = pages.rows(pages.blocks(ROOT / "SECURITY.md")["threats"])
    assert [row[0].partition(",")[0] for row in rows if row[0]] == [
        "any process of the machine", "the screen's user", "dealer", "player", "floorperson", "technician",
        "attacker on a cable", "the daemon's user", "root", "witness",
        "any machine that reaches a pit's pages", "a page of another site",
    ]  # fmt: skip
    assert [row for row in rows if not all(row[1:])] == []


def test_every_kind_of_act_has_its_subject_and_a_test_with_another_one() -> None:
    rows = pages.rows(pages.blocks(ROOT / "controller/ARCHITECTURE.md")["acts"])
    assert len(rows) == len({row[0] for row in rows})
    assert [row[0] for row in rows if not (all(row) and NAMED.search(row[3]))] == []
