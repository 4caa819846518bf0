"""YAML with the line of every value, and nothing that a table file has no need of.

One document, plain mappings, lists and scalars. Anchors, aliases and merge keys are refused (they make
a small file huge and a line untrue), so are keys that stand twice and nesting beyond reason. Every
mistake is kept with its line; it must never guess a value that the file does not give.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

import yaml

Path_: TypeAlias = tuple[str | int, ...]
MOST_BYTES = 256 * 1024
DEEPEST = 12


@dataclass(slots=True)
class Lines:
    """What a file says, and where. `texts`: each scalar as it stands, before YAML makes a number of it."""

    file: str
    data: Any = None
    lines: dict[Path_, int] = field(default_factory=dict)
    texts: dict[Path_, str] = field(default_factory=dict)
    mistakes: list[tuple[int, str]] = field(default_factory=list)

    def line(self, path: Path_) -> int:
        """The line of a key, or of the nearest thing above it that is there."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 1)

    def add(self, path: Path_, words: str) -> None:
        """A mistake at a key: `words` is what is allowed there."""
        self.mistakes.append((self.line(path), f"{dotted(path)}: {words}" if path else words))

    def report(self) -> list[str]:
        """``file:line: key: what is allowed``, in the order of the file, each once."""
        ordered = dict.fromkeys(sorted(self.mistakes))
        return [f"{self.file}:{line}: {words}" for line, words in ordered]


def dotted(path: Path_) -> str:
    return ".".join(str(part) for part in path)


def read_lines(path: Path) -> Lines:
    """The file's data and lines; where it cannot be taken `data` stays empty and a mistake says why."""
    found = Lines(str(path), data={})
    text = _text(path, found)
    if text is None:
        return found
    try:
        node = _compose(text)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        found.mistakes.append((mark.line + 1 if mark else 1, _yaml_words(error)))
        return found
    except yaml.YAMLError as error:
        at = getattr(error, "position", 0)
        words = "a control character; plain text is allowed"
        found.mistakes.append((text.count("\n", 0, at if isinstance(at, int) else 0) + 1, words))
        return found
    if node is None:
        found.mistakes.append((1, "the file is empty; keys and values are wanted"))
    elif not isinstance(node, yaml.MappingNode):
        found.mistakes.append((node.start_mark.line + 1, "keys and values are wanted (key: value)"))
    else:
        found.data = _Reader(found).value(node, ())
    return found


def _text(path: Path, found: Lines) -> str | None:
    try:
        if path.stat().st_size > MOST_BYTES:
            found.mistakes.append((1, f"no table file: larger than {MOST_BYTES // 1024} KiB"))
            return None
        raw = path.read_bytes()
    except OSError as error:
        found.mistakes.append((1, f"cannot be read: {error.strerror}"))
        return None
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        found.mistakes.append((line, "not UTF-8; save the file as UTF-8 text"))
        return None


class _NotHere(yaml.MarkedYAMLError):
    """YAML that a table file has no need of."""


def _yaml_words(error: yaml.MarkedYAMLError) -> str:
    problem = error.problem or error.context or "cannot be understood"
    if "'\\t'" in problem:
        return "a tab; indent with spaces"
    if isinstance(error, _NotHere):
        return problem
    return f"no YAML: {problem}"


class _Loader(yaml.SafeLoader):
    """Refuses what could grow without end while it is still small."""

    depth = 0

    def compose_node(self, parent: Any, index: Any) -> Any:
        event: Any = self.peek_event()  # type: ignore[no-untyped-call]
        if getattr(event, "anchor", None):
            raise _refused(event, "an anchor or alias (& or *); write the value out")
        if self.depth >= DEEPEST:
            raise _refused(event, f"nested more than {DEEPEST} deep")
        self.depth += 1
        node = super().compose_node(parent, index)
        self.depth -= 1
        return node


def _refused(event: Any, problem: str) -> _NotHere:
    return _NotHere(problem=problem, problem_mark=event.start_mark)


@lru_cache(maxsize=8)
def _compose(text: str) -> yaml.Node | None:
    """Kept by its text: a technician's evening of scenarios reads the same rule pack a thousand times."""
    loader = _Loader(text)
    try:
        node: yaml.Node | None = loader.get_single_node()
        return node
    finally:
        loader.dispose()


class _Reader:
    """From nodes to plain data, noting lines."""

    def __init__(self, found: Lines) -> None:
        self._found = found
        self._scalars = yaml.SafeLoader("")

    def value(self, node: yaml.Node, path: Path_) -> Any:
        self._found.lines.setdefault(path, node.start_mark.line + 1)
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, path)
        if isinstance(node, yaml.SequenceNode):
            return [self.value(each, (*path, at)) for at, each in enumerate(node.value)]
        return self._scalar(node, path)

    def _mapping(self, node: yaml.MappingNode, path: Path_) -> Mapping[Any, Any]:
        data: dict[Any, Any] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            key = self._scalar(key_node, None) if isinstance(key_node, yaml.ScalarNode) else None
            if not isinstance(key, str | int) or isinstance(key, bool):
                self._found.mistakes.append((line, f"{dotted(path) or 'a key'}: a key is a word or a number"))
                continue
            if key in data:
                self._found.mistakes.append((line, f"{dotted((*path, key))}: stands twice; once is allowed"))
                continue
            self._found.lines[(*path, key)] = line
            data[key] = self.value(value_node, (*path, key))
        return data

    def _scalar(self, node: yaml.Node, path: Path_ | None) -> Any:
        if path is not None:
            self._found.texts[path] = str(node.value)
        if node.tag == "tag:yaml.org,2002:merge":
            return None
        try:
            return self._scalars.construct_object(node)
        except (yaml.YAMLError, ValueError, OverflowError):
            what = node.tag.rpartition(":")[2]
            self._found.mistakes.append((node.start_mark.line + 1, f"{dotted(path or ())}: no {what}"))
            return None
