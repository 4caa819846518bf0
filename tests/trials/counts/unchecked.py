"""Places that mypy does not check in controller/ and drivers/: calls with free keywords, and `Any` in
signatures.

A call is unchecked if it passes a keyword to a function that accepts it by ``**name: Any``, so that a
misspelt field or a wrong type is no error. Functions are identified by their last name only. `Any` is counted
in annotations of parameters and results.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.trials.counts.checkout import PROGRAM, Checkout

Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions(checkout: Checkout) -> Iterator[Function]:
    for _, tree in checkout.trees(*PROGRAM):
        yield from (node for node in ast.walk(tree) if isinstance(node, Function))


def open_keywords(checkout: Checkout) -> dict[str, set[str]]:
    """Return the functions with ``**name: Any``, and the parameters that they declare."""
    found: dict[str, set[str]] = {}
    for node in functions(checkout):
        rest = node.args.kwarg
        if rest is not None and rest.annotation is not None and ast.unparse(rest.annotation) == "Any":
            declared = {each.arg for each in (*node.args.args, *node.args.kwonlyargs)}
            found[node.name] = found.get(node.name, declared) & declared
    return found


def unchecked_calls(checkout: Checkout) -> int:
    """Return the number of calls that pass an undeclared keyword to such a function."""
    open_ = open_keywords(checkout)
    count = 0
    for _, tree in checkout.trees(*PROGRAM):
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and (name := ast.unparse(node.func).split(".")[-1]) in open_:
                count += any(word.arg not in open_[name] for word in node.keywords)
    return count


def any_in_signatures(checkout: Checkout) -> int:
    """Return the number of parameters and results whose annotation contains `Any`."""
    return sum(
        any(isinstance(part, ast.Name) and part.id == "Any" for part in ast.walk(annotation))
        for node in functions(checkout)
        for annotation in _annotations(node)
    )


def _annotations(node: Function) -> Iterator[ast.expr]:
    rest = [each for each in (node.args.vararg, node.args.kwarg) if each is not None]
    for each in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs, *rest):
        if each.annotation is not None:
            yield each.annotation
    if node.returns is not None:
        yield node.returns
