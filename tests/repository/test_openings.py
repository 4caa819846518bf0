"""The first word of a docstring names its subject: a verb for a function, a noun for anything else."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.repository.house import ROOT

REFUSED = re.compile(
    r"(What|Who|Whose|Where|Of|When|How|Why|Whoever|Nobody|Somebody|Anybody|Everybody|Nothing|Something|Everything)\b"
)
"""Openings that leave the subject open (CONTRIBUTING.md)."""


def docstrings(path: Path) -> Iterator[tuple[int, str]]:
    """Yield line and text of each docstring of a module, its attributes' included."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        body = getattr(node, "body", None)
        for each in body if isinstance(body, list) else ():
            constant = each.value if isinstance(each, ast.Expr) else None
            if isinstance(constant, ast.Constant) and isinstance(constant.value, str):
                yield each.lineno, constant.value


def test_no_docstring_begins_with_a_question_word_or_a_pronoun() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}: {text.split()[0]}"
        for room in ("controller", "drivers")
        for path in sorted((ROOT / room).rglob("*.py"))
        for line, text in docstrings(path)
        if REFUSED.match(text.strip())
    ]
    assert not found, "\n".join(found)
