"""Shares of docstrings and comments with words that are hard to understand at first reading.

A unit is a docstring, an attribute's docstring or a block of comment lines, of five words or more.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator, Mapping
from itertools import groupby

from tests.trials.counts.checkout import PROGRAM, Checkout

HABITS: Mapping[str, re.Pattern[str]] = {
    "opens with What, Who or Where": re.compile(r"(What|Who|Whose|Where)\b"),
    "opens with Of or By": re.compile(r"(Of|By)\b"),
    "has told, said or heard": re.compile(r".*\b(told|said|heard)\b", re.DOTALL | re.IGNORECASE),
    "has somebody, nobody or whoever": re.compile(
        r".*\b(somebody|nobody|anybody|whoever|whatever)\b", re.DOTALL | re.IGNORECASE
    ),
    "has stands, lies or hangs": re.compile(r".*\b(stands|lies|hangs)\b", re.DOTALL | re.IGNORECASE),
}
"""Pattern of each habit, by its name. A unit has the habit if the pattern matches."""
MIN_WORDS = 5


def units(checkout: Checkout) -> Iterator[tuple[str, int, str]]:
    """Yield file, line and text of each unit of the program and of `hardware`."""
    for path in checkout.below(*PROGRAM, "hardware", suffix=".py"):
        source = path.read_text(encoding="utf-8")
        for line, text in (*_docstrings(ast.parse(source)), *_comments(source)):
            if len(text.split()) >= MIN_WORDS:
                yield checkout.name(path), line, text


def shares(checkout: Checkout) -> tuple[int, dict[str, float]]:
    """Return the number of units and, by habit, the per cent of them that have it."""
    texts = [text for _, _, text in units(checkout)]
    return len(texts), {
        habit: 100 * sum(bool(pattern.match(text)) for text in texts) / len(texts)
        for habit, pattern in HABITS.items()
    }


def _docstrings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        for each in body if isinstance(body, list) else ():
            value = each.value if isinstance(each, ast.Expr) else None
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                yield each.lineno, value.value.strip()


def _comments(source: str) -> Iterator[tuple[int, str]]:
    """Yield comments; successive lines at the same column are one comment."""
    found = [
        (token.start, token.string.lstrip("#").strip())
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type == tokenize.COMMENT
    ]
    numbered = enumerate(found)
    for _, block in groupby(numbered, key=lambda each: (each[1][0][0] - each[0], each[1][0][1])):
        lines = [comment for _, comment in block]
        yield lines[0][0][0], " ".join(text for _, text in lines)
