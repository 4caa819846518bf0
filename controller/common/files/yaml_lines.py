"""YAML with the line number of every value, for errors in a file, and limited to the features that this
program's files need.

Plain mappings, lists and scalars. Anchors, aliases and tags are refused (they make a small file huge and line
numbers wrong), as are repeated keys and excessive nesting. A scalar is text unless it is `null`, `true`,
`false`, a whole number or a decimal one, which is never rounded; `off`, `12:30` and `2026-11-20` stay text.
Every mistake is stored with its line. This module must never guess a value that is not in the file.
"""

from __future__ import annotations

import re
import stat
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

import yaml
from yaml._yaml import CParser
from yaml.composer import Composer
from yaml.resolver import Resolver

Path_: TypeAlias = tuple[str | int, ...]
_MAX_BYTES = 256 * 1024
MAX_DEPTH = 12


@dataclass(slots=True)
class Lines:
    """Content of one document of a file, with the line of each part."""

    file: str
    data: Any = None
    lines: dict[Path_, int] = field(default_factory=dict)
    mistakes: list[tuple[int, str]] = field(default_factory=list)

    def line(self, path: Path_) -> int:
        """Return the line of a key, or of its nearest existing parent."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 1)

    def add(self, path: Path_, words: str) -> None:
        """Add a mistake at a key. `words`: the allowed values."""
        self.mistakes.append((self.line(path), f"{dotted(path)}: {words}" if path else words))

    def report(self) -> list[str]:
        """Return ``file:line: key: allowed values`` in the order of the file, each once."""
        ordered = dict.fromkeys(sorted(self.mistakes))
        return [f"{self.file}:{line}: {_printable(words)}" for line, words in ordered]


def _printable(words: str) -> str:
    """Return the words on one line and without control characters of a terminal, since a key of the file may
    contain any."""
    return "".join(each if each.isprintable() else " " for each in words)


def dotted(path: Path_) -> str:
    return ".".join(str(part) for part in path)


def read_lines(path: Path) -> Lines:
    """Return the single document of a file; on failure `data` is None, and a mistake states the reason."""
    text = text_of(path)
    return one_document(text, str(path)) if isinstance(text, str) else text


def one_document(text: str, file: str) -> Lines:
    """Return the single document of a text like `read_lines`; `file` is the name for mistakes."""
    found = documents(text, file)
    if len(found) > 1:
        return _refused_file(file, found[1].line(()), "no YAML: one document is allowed")
    return found[0] if found else _refused_file(file, 1, "the file is empty; keys and values are wanted")


def read_documents(path: Path) -> list[Lines]:
    """Return every document of a file that is not empty; on failure a single one, with its mistake."""
    text = text_of(path)
    return documents(text, str(path)) if isinstance(text, str) else [text]


def documents(text: str, file: str) -> list[Lines]:
    """Return every document of a text like `read_documents`; `file` is the name for mistakes."""
    try:
        return [_document(node, file) for node in _compose(text)]
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        return [_refused_file(file, mark.line + 1 if mark else 1, _yaml_words(error))]
    except yaml.YAMLError as error:
        at = getattr(error, "position", 0)
        line = text.count("\n", 0, at if isinstance(at, int) else 0) + 1
        return [_refused_file(file, line, "a control character; plain text is allowed")]


def _refused_file(file: str, line: int, words: str) -> Lines:
    return Lines(file, mistakes=[(line, words)])


def text_of(path: Path, max_bytes: int = _MAX_BYTES) -> str | Lines:
    """Return the text of a file, or its `Lines` with the mistake."""
    try:
        about = path.stat()
        if not stat.S_ISREG(about.st_mode) and not stat.S_ISDIR(about.st_mode):
            return _refused_file(str(path), 1, "cannot be read: no ordinary file")
        if about.st_size > max_bytes:
            return _refused_file(str(path), 1, f"larger than {max_bytes // 1024} KiB")
        raw = path.read_bytes()
    except OSError as error:
        return _refused_file(str(path), 1, f"cannot be read: {error.strerror}")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        return _refused_file(str(path), line, "not UTF-8; save the file as UTF-8 text")


# ---------------------------------------------------------------------- from text to nodes


class _Unsupported(yaml.MarkedYAMLError):
    """Feature of YAML that no file of this program needs."""


def _yaml_words(error: yaml.MarkedYAMLError) -> str:
    problem = error.problem or error.context or "cannot be understood"
    if "'\\t'" in problem:
        return "a tab; indent with spaces"
    if isinstance(error, _Unsupported):
        return problem
    return f"no YAML: {problem}"


class _Limited(Composer, Resolver):
    """Composer that refuses constructs that could grow without limit, before they grow."""

    yaml_implicit_resolvers: ClassVar[Any] = {}  # type: ignore[misc]
    """Own resolvers, because those of YAML 1.1 read `off` as false and 12:30 as 750"""

    depth = 0

    def compose_node(self, parent: Any, index: Any) -> Any:
        event: Any = self.peek_event()  # type: ignore[attr-defined]  # of the parser beside it
        if getattr(event, "anchor", None):
            raise _unsupported(event, "an anchor or alias (& or *); write the value out")
        if getattr(event, "tag", None):
            raise _unsupported(event, "a tag (!); write the plain value")
        if self.depth >= MAX_DEPTH:
            raise _unsupported(event, f"nested more than {MAX_DEPTH} deep")
        self.depth += 1
        node = super().compose_node(parent, index)
        self.depth -= 1
        return node


class _Loader(_Limited, yaml.SafeLoader):
    """Loader written in Python, slow; it accepts any text."""


class _QuickLoader(_Limited, CParser):
    """Loader on libyaml, for `_PLAIN` texts: six times as quick, and the same nodes from what it accepts."""

    def __init__(self, text: str) -> None:
        CParser.__init__(self, text)
        Composer.__init__(self)
        Resolver.__init__(self)


_PLAIN = re.compile(r"[\n -=@-\[\]-{}~\u00a0-\u1fff\u2070-\ud7ff]*")
"""Text that both loaders read in the same way: without tabs, rare line breaks, `>`, `?`, `|` and
backslashes."""


def _unsupported(event: Any, problem: str) -> _Unsupported:
    return _Unsupported(problem=problem, problem_mark=event.start_mark)


_SCALARS: dict[str, tuple[str, str, Callable[[str], Any]]] = {
    "null": (r"null|~|", "n~", lambda text: None),
    "bool": (r"true|True|TRUE|false|False|FALSE", "tTfF", lambda text: text.lower() == "true"),
    "int": (r"[-+]?(?:0|[1-9](?:_?[0-9]){0,17})", "-+0123456789", int),
    "decimal": (r"[-+]?(?:[0-9][0-9_]{0,17})?\.[0-9]{1,18}", "-+.0123456789", Decimal),
}  # fmt: skip
"""Scalars other than text: tag, pattern, first characters, conversion."""

for _name, (_form, _first, _) in _SCALARS.items():
    _begins = [*_first, ""] if _name == "null" else list(_first)
    _Limited.add_implicit_resolver(_name, re.compile(rf"(?:{_form})\Z"), _begins)


@lru_cache(maxsize=8)
def _compose(text: str) -> tuple[yaml.Node, ...]:
    """Return the nodes of a text, cached: an evening of scenarios reads the same rule pack a thousand
    times."""
    if _PLAIN.fullmatch(text):
        with suppress(yaml.YAMLError):  # the loader below finds the same mistake and describes it better
            return _composed(_QuickLoader(text))
    return _composed(_Loader(text))


def _composed(loader: _Loader | _QuickLoader) -> tuple[yaml.Node, ...]:
    try:
        return tuple(_nodes(loader))
    finally:
        loader.dispose()


def _nodes(loader: _Loader | _QuickLoader) -> Iterator[yaml.Node]:
    while loader.check_node():
        node = loader.get_node()
        if node is not None and node.tag != "null":
            yield node


# ---------------------------------------------------------------------- from nodes to data


def _document(node: yaml.Node, file: str) -> Lines:
    line = node.start_mark.line + 1
    if not isinstance(node, yaml.MappingNode):
        return _refused_file(file, line, "keys and values are wanted (key: value)")
    found = Lines(file)
    found.data = _value(found, node, ())
    return found


def _value(found: Lines, node: yaml.Node, path: Path_) -> Any:
    found.lines.setdefault(path, node.start_mark.line + 1)
    if isinstance(node, yaml.MappingNode):
        return _mapping(found, node, path)
    if isinstance(node, yaml.SequenceNode):
        return [_value(found, each, (*path, at)) for at, each in enumerate(node.value)]
    return _scalar(node)


def _mapping(found: Lines, node: yaml.MappingNode, path: Path_) -> dict[str | int, Any]:
    data: dict[str | int, Any] = {}
    for key_node, value_node in node.value:
        line = key_node.start_mark.line + 1
        key = _scalar(key_node) if isinstance(key_node, yaml.ScalarNode) else None
        if not isinstance(key, str | int) or isinstance(key, bool):
            found.mistakes.append((line, f"{dotted(path) or 'a key'}: a key is a word or a number"))
        elif key in data:
            found.mistakes.append((line, f"{dotted((*path, key))}: stands twice; once is allowed"))
        else:
            found.lines[(*path, key)] = line
            data[key] = _value(found, value_node, (*path, key))
    return data


def _scalar(node: yaml.Node) -> Any:
    return _SCALARS[node.tag][2](node.value) if node.tag in _SCALARS else node.value
