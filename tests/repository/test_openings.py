"""The first word of a docstring names its subject: a verb for a function, a noun for anything else."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.repository.house import place, sources, tree

REFUSED = re.compile(
    r"(What|Who|Whose|Where|Of|When|How|Why|Whoever|Nobody|Somebody|Anybody|Everybody|Nothing|Something|Everything)\b"
)
"""Openings that do not name the subject."""


def docstrings(path: Path) -> Iterator[tuple[int, str]]:
    """Yield line and text of each docstring of a module, its attributes' included."""
    for node in ast.walk(tree(path)):
        body = getattr(node, "body", None)
        for each in body if isinstance(body, list) else ():
            constant = each.value if isinstance(each, ast.Expr) else None
            if isinstance(constant, ast.Constant) and isinstance(constant.value, str):
                yield each.lineno, constant.value


def test_no_docstring_begins_with_a_question_word_or_a_pronoun() -> None:
    found = [
        f"{place(path, line)}: {text.split()[0]}"
        for path in sources("controller", "drivers")
        for line, text in docstrings(path)
        if REFUSED.match(text.strip())
    ]
    assert not found, "\n".join(found)
