"""Different values of a scenario in different rule packs, such as a payout that it expects.

Any value may be replaced by a mapping with ``under PACK`` keys, and ``else`` for all other packs. This
module uses no other part of the scenario format.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from controller.common.files.yaml_lines import Lines, Path_

UNDER = "under "
ELSE = "else"
_NOTHING = object()


class UnderPack(Lines):
    """A document as read under one pack. Its mistakes get their line in the file and are added to those of
    the whole document.
    """

    def __init__(self, whole: Lines, pack: str, packs: Collection[str]) -> None:
        super().__init__(whole.file)
        self._whole = whole
        self._pack = UNDER + pack
        self._allowed = (*(UNDER + each for each in packs), ELSE)
        self._paths: dict[Path_, Path_] = {}
        self.data = self._resolved(whole.data, (), ())

    def line(self, path: Path_) -> int:
        return self._whole.line(self._origin(path))

    def add(self, path: Path_, words: str) -> None:
        self._whole.add(self._origin(path), words)

    def _origin(self, path: Path_) -> Path_:
        """Return where in the file a value of the resolved document comes from. For a value that is missing,
        return the path that it would have."""
        known = next(end for end in range(len(path), -1, -1) if path[:end] in self._paths)
        return self._paths[path[:known]] + path[known:]

    def _resolved(self, given: Any, origin: Path_, path: Path_) -> Any:
        """Return `given` with each choice between packs replaced by the value for this pack, and record for
        each part where in the file it comes from. `origin`: path in the file; `path`: path in the result."""
        given, origin = self._chosen(given, origin)
        self._paths[path] = origin
        if isinstance(given, dict):
            resolved = {
                key: self._resolved(value, (*origin, key), (*path, key)) for key, value in given.items()
            }
            return {key: value for key, value in resolved.items() if value is not _NOTHING}
        if isinstance(given, list):
            items = [item for at, value in enumerate(given) for item in self._spread(value, (*origin, at))]
            return [self._resolved(value, at, (*path, number)) for number, (value, at) in enumerate(items)]
        return given

    def _chosen(self, given: Any, origin: Path_) -> tuple[Any, Path_]:
        """Return the value that `given` has under this pack, and its path in the file. Without a choice
        between packs, both arguments are returned unchanged."""
        if not isinstance(given, dict) or not any(str(key).startswith(UNDER) for key in given):
            return given, origin
        for key in given:
            if key not in self._allowed:
                self._whole.add((*origin, key), f"allowed: {', '.join(self._allowed)}")
        key = self._pack if self._pack in given else ELSE
        return self._chosen(given[key], (*origin, key)) if key in given else (_NOTHING, origin)

    def _spread(self, given: Any, origin: Path_) -> Iterator[tuple[Any, Path_]]:
        """Yield the items, each with its path in the file, that one item of a list has under this pack. A
        choice between packs may give several items, or none."""
        chosen, at = self._chosen(given, origin)
        if chosen is not given and isinstance(chosen, list):
            for number, value in enumerate(chosen):
                yield from self._spread(value, (*at, number))
        elif chosen is not _NOTHING:
            yield chosen, at
