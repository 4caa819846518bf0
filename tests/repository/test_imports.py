"""Every name that tests and tools import from the project exists.

mypy does not report a missing one, because it reads only the program.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.repository.house import PROGRAM, place, sources, tree

pytestmark = pytest.mark.slow

OURS = (*PROGRAM, "tests")


def missing(path: Path) -> Iterator[str]:
    """Yield place and name of each import from the project that does not exist, in functions too."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.partition(".")[0] in OURS:
            module = import_module(node.module)
            for alias in node.names:
                if not hasattr(module, alias.name) and not _is_module(f"{node.module}.{alias.name}"):
                    yield f"{place(path, node.lineno)}: {node.module} has no {alias.name}"


def _is_module(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def test_every_imported_name_exists() -> None:
    assert [found for path in sources("tests", "hardware") for found in missing(path)] == []


def test_an_import_of_a_missing_name_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.repository.test_imports.place", lambda path, line=1: f"{path.name}:{line}")
    module = tmp_path / "module.py"
    module.write_text("def later():\n    from tests.repository.house import tree, bush\n", encoding="utf-8")
    assert list(missing(module)) == ["module.py:2: tests.repository.house has no bush"]
