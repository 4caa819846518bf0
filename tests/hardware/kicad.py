"""Reads a netlist as KiCad's Pcbnew does (`KICAD_NETLIST_PARSER` in its kicad_netlist_reader.cpp).

It accepts ``(export (components (comp (ref) (value) (footprint) (sheetpath (tstamps)) (tstamps)) ...) (nets
(net (code) (name) (node (ref) (pin)) ...) ...))`` and ignores every other list. It refuses an empty or
missing value of one of these, a footprint without a library, and a node of an unknown component.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TypeAlias

TOKEN = re.compile(r'\s*(?:([()])|"((?:[^"\\]|\\.)*)"|([^\s()"]+))')
LIBRARY_ID = re.compile(r"[^:\s]+:[^:\s]+$")

Node: TypeAlias = "str | list[Node]"


class Refused(Exception):
    """Raised for a netlist that KiCad refuses. The text names the list."""


@dataclass
class Component:
    """A component of the board; `nets`: pad to name of its net."""

    footprint: str
    path: str
    nets: dict[str, str] = field(default_factory=dict)


def parse(text: str) -> Node:
    """Return the one s-expression of the text. Raises `Refused` if a parenthesis is missing or too many."""
    stack: list[list[Node]] = [[]]
    end = len(text.rstrip())
    at = 0
    while at < end:
        token = TOKEN.match(text, at)
        if token is None:
            raise Refused(text[at : at + 40])
        at = token.end()
        _take(stack, *token.groups())
    if len(stack) != 1 or len(stack[0]) != 1:
        raise Refused("parentheses")
    return stack[0][0]


def _take(stack: list[list[Node]], bracket: str | None, quoted: str | None, bare: str | None) -> None:
    if bracket == "(":
        stack.append([])
    elif bracket == ")":
        if len(stack) == 1:
            raise Refused("a parenthesis too many")
        done = stack.pop()
        stack[-1].append(done)
    else:
        stack[-1].append(re.sub(r"\\(.)", r"\1", quoted) if quoted is not None else bare or "")


def value(of: Node, name: str) -> str:
    """Return the value of the list of that name, a string. Raises `Refused` if there is none."""
    found = [item[1:] for item in of if isinstance(item, list) and item[0] == name]
    if len(found) != 1 or len(found[0]) != 1 or not isinstance(found[0][0], str) or not found[0][0]:
        raise Refused(f"({name}) of {str(of)[:80]}")
    return found[0][0]


def within(of: Node, name: str) -> list[Node]:
    return [item for item in of if isinstance(item, list) and item[0] == name]


def load(text: str) -> dict[str, Component]:
    """Return the components by reference. Raises `Refused` where KiCad's reader or updater stops."""
    top = parse(text)
    if not isinstance(top, list) or top[0] != "export":
        raise Refused("no export")
    (components,), (nets,) = within(top, "components"), within(top, "nets")
    found = dict[str, Component]()
    for each in within(components, "comp"):
        value(each, "value")
        footprint, (sheet,) = value(each, "footprint"), within(each, "sheetpath")
        if not LIBRARY_ID.match(footprint):
            raise Refused(f"footprint {footprint}")
        found[value(each, "ref")] = Component(footprint, value(sheet, "tstamps") + value(each, "tstamps"))
    for net in within(nets, "net"):
        _join(found, net)
    return found


def _join(found: dict[str, Component], net: Node) -> None:
    if int(value(net, "code")) < 1:
        raise Refused(f"code of {value(net, 'name')}")
    for node in within(net, "node"):
        reference, pin = value(node, "ref"), value(node, "pin")
        if reference not in found or pin in found[reference].nets:
            raise Refused(f"{reference}.{pin} of {value(net, 'name')}")
        found[reference].nets[pin] = value(net, "name")
