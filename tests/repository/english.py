"""English that a machine can check: `python -m tests.repository.english`, part of `make lint`.

Openings that name no subject and sentences that run over two constants, in the program and its tests; in the
program also constants whose names give neither bound nor unit. Each finding is printed on one line: file,
line, text, correction.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

from tests.repository.house import PROGRAM, place, sources, tree

OPENING = re.compile(
    r"(What|Who|Whose|Where|Of|When|How|Why|Whoever|Nobody|Somebody|Anybody|Everybody|Nothing|Something|Everything)\b"
)
"""Openings of a docstring that do not name its subject."""
COMMENT_OPENING = re.compile(r"(What|Who|Whose|Whoever|Of)\b")
"""Openings of a comment that make a reader read twice."""
COMMENT_WITH_OPENING = re.compile(rf"#[# ]*{COMMENT_OPENING.pattern}")
"""Text that every fault of a comment contains. Only a file with such text is read token by token, slowly."""
VAGUE = re.compile(r"_?(MOST|LEAST|LONGEST|AGAIN|LOOK|TAKE|SELDOM|STUCK|PATIENCE|EVERY)(_[A-Z]+)*")
"""Names of constants that state neither their bound nor their unit. MAX_, MIN_, _TIMEOUT_S and _INTERVAL_S
state both."""
CONTINUED = re.compile(r"(and|or|so|but|which|that|while|then)\b")
"""Openings that continue the sentence of the constant above."""
EXCEPTIONS: dict[str, str] = {}
"""Accepted findings, by `file: text`, each with its reason."""


def findings() -> Iterator[tuple[str, str]]:
    """Yield place and fault of each finding that no exception accepts, and of each exception without one."""
    unused = set(EXCEPTIONS)
    for path in sources(*PROGRAM, "tests"):
        in_program = place(path).startswith(PROGRAM)
        for line, text, fault in faults(path, names=in_program):
            exception = f"{place(path).partition(':')[0]}: {text}"
            unused.discard(exception)
            if exception not in EXCEPTIONS:
                yield place(path, line), f"{text}: {fault}"
    for exception in sorted(unused):
        yield place(Path(__file__)), f"{exception}: remove this exception, it accepts nothing"


def faults(path: Path, *, names: bool = True) -> Iterator[tuple[int, str, str]]:
    """Yield line, text and correction of each fault. `names`: check the constants' names too."""
    for line, text, constant in docstrings(tree(path)):
        if opening := OPENING.match(text):
            yield line, opening[0], "begin with a verb (function) or a noun"
        if constant and (CONTINUED.match(text) or text[-1] in ",;"):
            yield line, text.partition("\n")[0], "a constant has a sentence of its own"
    for line, text in _comments(path):
        if opening := COMMENT_OPENING.match(text):
            yield line, opening[0], "begin a comment with its subject"
    for node in tree(path).body if names else ():
        for name in _constants(node):
            if VAGUE.fullmatch(name):
                yield node.lineno, name, "name its bound and unit"


def docstrings(module: ast.Module) -> Iterator[tuple[int, str, bool]]:
    """Yield line and text of each docstring, and whether it describes a constant or an attribute."""
    for block in _blocks(module):
        for number, each in enumerate(block):
            value = each.value if isinstance(each, ast.Expr) else None
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                yield each.lineno, value.value.strip(), number > 0


def _blocks(node: ast.AST) -> Iterator[list[ast.stmt]]:
    """Yield the body of a node and of each statement in it; expressions have no statements."""
    body = getattr(node, "body", None)
    if isinstance(body, list):
        yield body
    for name in ("body", "orelse", "finalbody", "handlers", "cases"):
        inner = getattr(node, name, None)
        for each in inner if isinstance(inner, list) else ():
            yield from _blocks(each)


def _comments(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the first line of each block of comments, none if no comment has a fault."""
    source, last = path.read_text(encoding="utf-8"), -1
    if not COMMENT_WITH_OPENING.search(source):
        return
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            if token.start[0] != last + 1:
                yield token.start[0], token.string.lstrip("# ")
            last = token.start[0]


def _constants(node: ast.stmt) -> Iterator[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    for target in targets:
        yield from (each.id for each in ast.walk(target) if isinstance(each, ast.Name)) if target else ()


def main() -> int:
    found = [f"{where}: {fault}" for where, fault in findings()]
    print("\n".join(found), end="\n" if found else "")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
