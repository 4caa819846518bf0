"""Values that a table sets in place of a pack's own. A mistake in such a value is reported in the file that
sets it.
"""

from __future__ import annotations

from collections.abc import Mapping

from controller.common.files.mistakes import Mistakes
from controller.common.files.yaml_lines import Lines, Path_
from controller.rules.packs.form import OVERRIDES, SECTION_OF


class PackLines(Lines):
    """Lines of a pack's file with the values of `over` set, keys as in a table file or a scenario."""

    def __init__(self, found: Lines, over: Lines) -> None:
        super().__init__(found.file, found.data, found.lines)
        self.over = over
        self.set: dict[Path_, Path_] = {}
        """Override key by the path of the leaf value that it replaced."""
        for key, value in over.data.items():
            self._put(key, value)

    def finish(self) -> None:
        """Raise Mistakes if the pack's file or the overrides have any."""
        lines = [*self.report(), *self.over.report()]
        if lines:
            raise Mistakes(lines)

    def add(self, path: Path_, words: str) -> None:
        for value, key in self.set.items():
            if path[: len(value)] == value:
                self.over.add((*key, *path[len(value) :]), words)
                return
        super().add(path, words)

    def add_value(self, name: str, words: str) -> None:
        """Add a mistake in the value of the leaf `name`, at the line of that value."""
        self.add((*_leaf(name), "value"), words)

    def _put(self, key: str, value: object) -> None:
        if key not in OVERRIDES:
            self.over.add((key,), f"unknown key; allowed: {', '.join(sorted(OVERRIDES))}")
        elif key == "player_advantage":
            self.data[key] = value
            self.set[key,] = (key,)
        elif key == "counts_stub_every":
            for method in self._at(("deals",)):
                self._replace(("deals", method, key), (key,), value)
        elif key != "deck_hours":
            self._replace(_leaf(key), (key,), value)
        elif isinstance(value, Mapping):
            for method, hours in value.items():
                self._replace((key, method), (key, method), hours)
        else:
            self.over.add((key,), f"allowed: a mapping with {', '.join(map(str, self._at((key,))))}")

    def _replace(self, leaf: Path_, key: Path_, value: object) -> None:
        given = self._at(leaf)
        if given:
            given["value"] = value
            self.set[*leaf, "value"] = key
        elif len(key) > 1:
            self.over.add(key, f"unknown key; allowed: {', '.join(map(str, self._at(leaf[:-1])))}")
        else:
            self.over.add(key, "allowed: only where the rule pack has it")

    def _at(self, path: Path_) -> dict[str | int, object]:
        """Return the mapping at `path`, or an empty one."""
        given = self.data
        for part in path:
            given = given.get(part) if isinstance(given, Mapping) else None
        return given if isinstance(given, dict) else {}


def _leaf(name: str) -> Path_:
    return (SECTION_OF[name], name) if name in SECTION_OF else (name,)
