"""Small errors for a module: an off-by-one, an `and` for an `or`, an omitted statement.

Annotations and decorators stay unchanged, because mypy checks them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
COMPUTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult,
}  # fmt: skip
NOT_MUTATED = ("annotation", "returns", "decorator_list", "bases")


@dataclass(frozen=True, slots=True)
class Mutation:
    """One possible error of a module. `number`: its place among all of them; `before`, `after`: the changed
    text."""

    number: int
    line: int
    before: str
    after: str


def mutations(source: str) -> list[Mutation]:
    """Return all mutations, in the order of the text."""
    return [
        Mutation(number, old.lineno, ast.unparse(old), ast.unparse(new))
        for number, (_, _, old, new) in enumerate(_sites(ast.parse(source)))
    ]


def mutated(source: str, mutation: Mutation) -> str:
    """Return the source of the module with this error and without comments."""
    tree = ast.parse(source)
    parent, field, old, new = list(_sites(tree))[mutation.number]
    value = getattr(parent, field)
    if isinstance(value, list):
        value[value.index(old)] = new
    else:
        setattr(parent, field, new)
    return ast.unparse(ast.fix_missing_locations(tree))


Site = tuple[ast.AST, str, ast.expr | ast.stmt, ast.expr | ast.stmt]


def _sites(node: ast.AST) -> Iterator[Site]:
    """Yield each node of the syntax tree that can be changed, with its parent, its field there and its
    replacement."""
    for field, value in ast.iter_fields(node):
        if field in NOT_MUTATED:
            continue
        for child in value if isinstance(value, list) else (value,):
            if isinstance(child, ast.expr | ast.stmt):
                yield from ((node, field, child, new) for new in _instead(child))
            if isinstance(child, ast.AST):
                yield from _sites(child)


def _instead(node: ast.expr | ast.stmt) -> Iterator[ast.expr | ast.stmt]:
    match node:
        case ast.Compare(left, [operator], compared):
            yield ast.Compare(left, [COMPARED[type(operator)]()], compared)
        case ast.BoolOp(ast.And(), values):
            yield ast.BoolOp(ast.Or(), values)
        case ast.BoolOp(ast.Or(), values):
            yield ast.BoolOp(ast.And(), values)
        case ast.BinOp(left, operator, right) if type(operator) in COMPUTED:
            yield ast.BinOp(left, COMPUTED[type(operator)](), right)
        case ast.UnaryOp(ast.Not(), operand):
            yield operand
        case ast.Constant(bool() as value):
            yield ast.Constant(not value)
        case ast.Constant(int() as value):
            yield ast.Constant(value + 1)
        case ast.If(test=ast.Name() | ast.Attribute() | ast.Call() as test):
            yield ast.If(ast.UnaryOp(ast.Not(), test), node.body, node.orelse)
        case ast.Expr(ast.Call()):
            yield ast.Pass()
