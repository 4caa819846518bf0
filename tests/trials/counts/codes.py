"""Codes of irregularities written as bare strings, which no tool checks for spelling.

A bare code is a string literal of Python or JavaScript outside the catalogue that equals one of its codes.
Data (YAML, JSON) necessarily names codes as strings and is not counted.
"""

from __future__ import annotations

import ast
import re

from tests.trials.counts.checkout import PROGRAM, Checkout

LITERAL = re.compile(r""""([a-z0-9_]+)"|'([a-z0-9_]+)'|`([a-z0-9_]+)`""")


def bare(checkout: Checkout) -> dict[str, int]:
    """Return the number of codes written as bare strings, by language and by side (program or tests)."""
    known = codes(checkout)
    return {
        "Python, program": _python(checkout, known, *PROGRAM),
        "Python, tests": _python(checkout, known, "tests"),
        "JavaScript": _javascript(checkout, known),
    }


def codes(checkout: Checkout) -> frozenset[str]:
    """Return the codes of the catalogue: the members of `class Code`, or in older commits the keys of
    `CATALOGUE`."""
    found: set[str] = set()
    for _, tree in checkout.trees("controller"):
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and node.name == "Code":
                found |= set(_members(node))
            elif isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "CATALOGUE":
                found |= set(_keys(node.value))
    return frozenset(found)


def _members(node: ast.ClassDef) -> list[str]:
    assigned = [each.targets[0] for each in node.body if isinstance(each, ast.Assign)]
    return [target.id.lower() for target in assigned if isinstance(target, ast.Name)]


def _keys(node: ast.expr | None) -> list[str]:
    keys = node.keys if isinstance(node, ast.Dict) else []
    return [key.value for key in keys if isinstance(key, ast.Constant) and isinstance(key.value, str)]


def _catalogue(tree: ast.Module) -> bool:
    """Return whether this module contains the catalogue of irregularities."""
    return any(
        (isinstance(node, ast.ClassDef) and node.name == "Code")
        or (isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "CATALOGUE")
        for node in tree.body
    )


def _python(checkout: Checkout, known: frozenset[str], *folders: str) -> int:
    return sum(
        isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in known
        for _, tree in checkout.trees(*folders)
        if not _catalogue(tree)
        for node in ast.walk(tree)
    )


def _javascript(checkout: Checkout, known: frozenset[str]) -> int:
    scripts = [*checkout.below("controller", "tests", suffix=".js")]
    return sum(
        bool({*match.groups()} & known)
        for path in scripts
        for match in LITERAL.finditer(path.read_text(encoding="utf-8"))
    )
