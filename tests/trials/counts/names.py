"""Public top-level names that several modules define. A search for such a name also finds the wrong
modules.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator

from tests.trials.counts.checkout import PROGRAM, Checkout

MANY = 3
"""Minimum number of modules that define a name, for the name to count."""


def shared(checkout: Checkout) -> dict[str, list[str]]:
    """Return the public names that `MANY` modules or more define, each with the modules' files."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for path, tree in checkout.trees(*PROGRAM):
        for name in {name for node in tree.body for name in _defined(node) if not name.startswith("_")}:
            found[name].append(checkout.name(path))
    return {name: places for name, places in sorted(found.items()) if len(places) >= MANY}


def _defined(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        yield node.target.id
    elif isinstance(node, ast.Assign):
        yield from (target.id for target in node.targets if isinstance(target, ast.Name))
