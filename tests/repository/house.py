"""Find, read and parse the project's own files, for the tests of this folder only."""

from __future__ import annotations

import ast
import gc
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ("controller", "drivers", "hardware")


@cache
def sources(*folders: str) -> tuple[Path, ...]:
    """Return the Python files of these folders. Files that npm installed are left out."""
    found = (path for folder in folders for path in (ROOT / folder).rglob("*.py"))
    return tuple(sorted(path for path in found if "node_modules" not in path.parts))


@cache
def tree(path: Path) -> ast.Module:
    """Parse a file once. The tree is left out of garbage collections: to visit all trees repeatedly takes
    longer than to parse them."""
    parsed = ast.parse(path.read_text(encoding="utf-8"), filename=str(path))
    gc.freeze()
    return parsed


def place(path: Path, line: int = 1) -> str:
    return f"{path.relative_to(ROOT)}:{line}"


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Return all nodes of a file, which several tests look through."""
    return tuple(ast.walk(tree(path)))


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in nodes(path):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def calls(path: Path) -> Iterator[tuple[str, ast.Call]]:
    """Yield name and node of each call of a name or an attribute: ``time.sleep``."""
    for node in nodes(path):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
            yield ast.unparse(node.func), node


def attributes(path: Path) -> Iterator[tuple[int, str]]:
    """Yield line and name of each attribute access."""
    for node in nodes(path):
        if isinstance(node, ast.Attribute):
            yield node.lineno, node.attr


def imported(path: Path) -> Iterator[tuple[int, str]]:
    """Yield line and full name of every import, inside functions too, in the form ``time.sleep`` however the
    import is written."""
    for node in nodes(path):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.lineno, f"{node.module or '.'}.{alias.name}") for alias in node.names)
