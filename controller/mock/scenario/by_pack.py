"""What a scenario says under one rule pack, where it is played under several.

A mapping of ``under PACK`` keys, and ``else`` for the packs that are not named, stands wherever a value may
stand. Nothing else of a scenario is known here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NoReturn

import yaml

UNDER = "under "
ELSE = "else"


@dataclass(frozen=True, slots=True)
class ByPack:
    """One pack among those that the scenario names. `fail` says a mistake at the line of a node."""

    pack: str
    packs: Sequence[str]
    fail: Callable[[yaml.Node, str], NoReturn]

    def said(self, node: yaml.Node) -> yaml.Node | None:
        """The node as it reads under this pack; None where it says nothing there."""
        if isinstance(node, yaml.MappingNode):
            if any(key.value.startswith(UNDER) for key, _ in node.value if isinstance(key, yaml.ScalarNode)):
                return self._chosen(node)
            pairs = [(key, said) for key, value in node.value if (said := self.said(value)) is not None]
            return yaml.MappingNode(node.tag, pairs, node.start_mark, node.end_mark)
        if isinstance(node, yaml.SequenceNode):
            items = [item for value in node.value for item in self._items(value)]
            return yaml.SequenceNode(node.tag, items, node.start_mark, node.end_mark)
        return node

    def _chosen(self, node: yaml.MappingNode) -> yaml.Node | None:
        allowed = (*(UNDER + pack for pack in self.packs), ELSE)
        found: dict[str, yaml.Node] = {}
        for key, value in node.value:
            if key.value not in allowed:
                self.fail(key, f"{key.value}; allowed: {', '.join(allowed)}")
            if key.value in found:
                self.fail(key, f"{key.value} stands twice")
            found[key.value] = value
        value = found.get(UNDER + self.pack, found.get(ELSE))
        return None if value is None else self.said(value)

    def _items(self, value: yaml.Node) -> Iterator[yaml.Node]:
        """An item of a list; what differs by pack may be several items, or none."""
        said = self.said(value)
        if isinstance(said, yaml.SequenceNode) and isinstance(value, yaml.MappingNode):
            yield from said.value
        elif said is not None:
            yield said
