"""The program and its tests follow the house rules that a machine can check: sizes, excepts, unfinished work,
sleeps, clocks, money.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.repository.house import PROGRAM, ROOT, attributes, calls, functions, imported, place, sources, tree

MOST_LINES, MOST_LINES_OF_A_FUNCTION = 400, 40
UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX|HACK|raise NotImplementedError)\b")
UNNAMED_IGNORE = re.compile(r"#\s*(type:\s*ignore(?!\[)|noqa(?!:))")
SLEEPS, YIELD = {"time.sleep", "asyncio.sleep", "sleep"}, "asyncio.sleep(0)"
WALL_CLOCK = {"time.time", "time.time_ns", "datetime.now", "datetime.utcnow", "datetime.today", "date.today"}
MAY_READ_THE_WALL_CLOCK = {"controller/common/clock.py"}
PURE = {"__future__", "collections", "dataclasses", "enum", "fractions", "functools", "itertools"}
PURE |= {"math", "typing"}
MEASURE = {"bench", "image", "kernel", "pi", "soak", "soak.py", "system"}
"""Programs among the tests that measure real time (make bench, soak, test-system, test-image, test-kernel,
test-pi)."""
BROAD = {"Exception", "BaseException"}
MAY_CATCH_EVERYTHING = {"controller/floor/pit/catch_all.py"}
"""Modules that may catch every exception, around one message: one table's message never stops the pit for the
others."""
MONEY = re.compile(r"(?i)(cents|amount|ante|wager|payout|paid|taken|stake|minimum|maximum)")


def test_modules_and_functions_stay_within_their_maximum_length() -> None:
    long = [
        f"{place(path)}: {lines} lines"
        for path in sources(*PROGRAM)
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > MOST_LINES
    ]
    for path in sources(*PROGRAM):
        for node in functions(path):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > MOST_LINES_OF_A_FUNCTION:
                long.append(f"{place(path, node.lineno)}: {node.name}: {lines} lines")
    assert not long, "\n".join(long)


@pytest.mark.slow
def test_every_module_has_a_docstring() -> None:
    modules = sources(*PROGRAM, "tests")
    silent = [place(path) for path in modules if tree(path).body and not ast.get_docstring(tree(path))]
    assert not silent, "\n".join(silent)


def test_no_except_catches_everything() -> None:
    broad = []
    for path in sources(*PROGRAM):
        if path.relative_to(ROOT).as_posix() in MAY_CATCH_EVERYTHING:
            continue
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.ExceptHandler):
                kinds = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
                if any(kind is None or ast.unparse(kind).split(".")[-1] in BROAD for kind in kinds):
                    broad.append(place(path, node.lineno))
    assert not broad, "\n".join(broad)


@pytest.mark.parametrize("pattern", [UNFINISHED, UNNAMED_IGNORE], ids=["unfinished", "unnamed ignore"])
def test_no_line_marks_unfinished_work(pattern: re.Pattern[str]) -> None:
    found = [
        f"{place(path, number)}: {line.strip()}"
        for path in sources(*PROGRAM)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if pattern.search(line)
    ]
    assert not found, "\n".join(found)


@pytest.mark.slow
def test_no_test_sleeps_or_is_skipped() -> None:
    """`asyncio.sleep(0)` yields without waiting; `skipif` states its condition."""
    found = []
    for path in (path for path in sources("tests") if not MEASURE.intersection(path.relative_to(ROOT).parts)):
        found += [place(path, line) for line, name in imported(path) if name in SLEEPS]
        sleeps = (call for name, call in calls(path) if name in SLEEPS and ast.unparse(call) != YIELD)
        found += [place(path, call.lineno) for call in sleeps]
        found += [place(path, line) for line, name in attributes(path) if name in {"skip", "xfail"}]
    assert not found, "\n".join(found)


def test_only_one_module_reads_the_wall_clock() -> None:
    found = [
        place(path, call.lineno)
        for path in sources(*PROGRAM)
        if str(path.relative_to(ROOT)) not in MAY_READ_THE_WALL_CLOCK
        for name, call in calls(path)
        if ".".join(name.split(".")[-2:]) in WALL_CLOCK
    ]
    assert not found, "\n".join(found)


def test_the_game_imports_only_pure_modules() -> None:
    """The game imports only itself and modules that neither read, write, wait nor use chance."""
    impure = [
        f"{place(path, line)}: {name}"
        for path in sources("controller/game")
        for line, name in imported(path)
        if not name.startswith("controller.game") and name.split(".")[0] not in PURE
    ]
    assert not impure, "\n".join(impure)


def test_money_is_whole_cents() -> None:
    """The game has no division into fractions, and no float with the name of money."""
    found = []
    for path in sources("controller/game"):
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
                found.append(place(path, node.lineno))
            if isinstance(node, ast.AnnAssign | ast.arg) and node.annotation is not None:
                name = node.arg if isinstance(node, ast.arg) else ast.unparse(node.target)
                if MONEY.search(name) and "float" in ast.unparse(node.annotation):
                    found.append(f"{place(path, node.annotation.lineno)}: {name}")
    assert not found, "\n".join(found)


def test_licence_and_changelog_exist() -> None:
    assert "Apache License" in (ROOT / "LICENSE").read_text(encoding="utf-8")
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert "\n## Unreleased\n" in changes


def test_the_top_level_has_only_the_expected_files() -> None:
    """The files at the top are fixed, because a newcomer sees them first; files that tools leave are in
    .gitignore."""
    house = {"config", "controller", "drivers", "hardware", "systemd", "tests", "README.md", "pyproject.toml"}
    usual = {"CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "LICENSE", "Makefile"}
    usual |= {".ci", ".git", ".gitignore", ".pre-commit-config.yaml"}
    locks = {path.name for path in ROOT.glob("requirements*.lock")}
    assert {path.name for path in ROOT.iterdir()} - house - usual - locks - _ignored() == set()


def _ignored() -> set[str]:
    patterns = (ROOT / ".gitignore").read_text(encoding="utf-8").split()
    return {path.name for pattern in patterns for path in Path(ROOT).glob(pattern.rstrip("/"))}
