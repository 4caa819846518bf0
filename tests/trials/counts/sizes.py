"""The longest file, the longest function, and the lines of pyproject.toml that hold the import contracts."""

from __future__ import annotations

import ast

from tests.trials.counts.checkout import PROGRAM, Checkout


def longest_file(checkout: Checkout) -> tuple[int, str]:
    """Return the number of lines of the longest file, and its name."""
    return max(
        (len(path.read_text(encoding="utf-8").splitlines()), checkout.name(path))
        for path in checkout.below(*PROGRAM, suffix=".py")
    )


def longest_function(checkout: Checkout) -> tuple[int, str]:
    """Return the number of lines of the longest function, and its file and name."""
    return max(
        ((node.end_lineno or node.lineno) - node.lineno + 1, f"{checkout.name(path)}: {node.name}")
        for path, tree in checkout.trees(*PROGRAM)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )


def contract_lines(checkout: Checkout) -> int:
    """Return the number of lines that are not empty in the tables of import-linter."""
    count, inside = 0, False
    for line in (checkout.root / "pyproject.toml").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            inside = "tool.importlinter" in line
        count += inside and bool(line.strip()) and not line.startswith("#")
    return count


def modules_named_in_contracts(checkout: Checkout) -> int:
    """Return the number of modules that the contracts name."""
    text = (checkout.root / "pyproject.toml").read_text(encoding="utf-8")
    contracts = text[text.index("[tool.importlinter]") :].partition("\n[tool.p")[0]
    return contracts.count('"controller.') + contracts.count('"drivers.')
