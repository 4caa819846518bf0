"""YAML with its lines: every value of a scenario file knows where it stands.

A mistake is said once, as ``file:line: what is wrong; what is allowed``. Nothing here knows what a
scenario is; it must never guess a value that the file does not give.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import yaml

from controller.mock.scenario.by_pack import ByPack

_Word = TypeVar("_Word", bound=str)


class Mistake(Exception):
    """One thing in a file that cannot be taken: ``file:line: words``."""


@dataclass(frozen=True, slots=True)
class Here:
    """One YAML node and the file that it stands in."""

    file: str
    node: yaml.Node = field(repr=False)

    @property
    def line(self) -> int:
        return int(self.node.start_mark.line) + 1

    def fail(self, words: str) -> NoReturn:
        raise Mistake(f"{self.file}:{self.line}: {words}")

    def under(self, pack: str, packs: Sequence[str]) -> Here:
        """The document as it reads under one of its rule packs."""

        def fail(node: yaml.Node, words: str) -> NoReturn:
            Here(self.file, node).fail(words)

        return Here(self.file, ByPack(pack, packs, fail).said(self.node) or self.node)

    # ------------------------------------------------------------------ shapes

    def is_mapping(self) -> bool:
        return isinstance(self.node, yaml.MappingNode)

    def is_list(self) -> bool:
        return isinstance(self.node, yaml.SequenceNode)

    def pairs(self, what: str) -> Iterator[tuple[Here, Here]]:
        """The keys and values of a mapping; a key that stands twice is a mistake."""
        if not isinstance(self.node, yaml.MappingNode):
            self.fail(f"{what} is a mapping")
        seen: set[str] = set()
        for key, value in self.node.value:
            place = Here(self.file, key)
            if not isinstance(key, yaml.ScalarNode):
                place.fail(f"{what}: a key is a word")
            if key.value in seen:
                place.fail(f"{what}: {key.value} stands twice")
            seen.add(key.value)
            yield place, Here(self.file, value)

    def mapping(self, what: str, allowed: Collection[str]) -> dict[str, Here]:
        """A mapping whose keys are all among `allowed`."""
        found: dict[str, Here] = {}
        for key, value in self.pairs(what):
            word = key.raw()
            if word not in allowed:
                key.fail(f"{what}: unknown key {word}; allowed: {', '.join(allowed)}")
            found[word] = value
        return found

    def items(self, what: str) -> list[Here]:
        if not isinstance(self.node, yaml.SequenceNode):
            self.fail(f"{what} is a list")
        return [Here(self.file, node) for node in self.node.value]

    # ------------------------------------------------------------------ scalars

    def raw(self) -> str:
        """The characters as they stand, before YAML makes a number or a truth of them."""
        return str(self.node.value) if isinstance(self.node, yaml.ScalarNode) else ""

    def plain(self) -> Any:
        """The value as YAML has it, mappings and lists included."""
        loader = yaml.SafeLoader("")
        try:
            return loader.construct_document(self.node)
        except (yaml.YAMLError, ValueError) as error:
            self.fail(f"not a value: {error}")
        finally:
            loader.dispose()

    def is_null(self) -> bool:
        return self.node.tag == "tag:yaml.org,2002:null"

    def text(self, what: str) -> str:
        if not isinstance(self.node, yaml.ScalarNode) or not self.node.value:
            self.fail(f"{what} is text")
        return self.raw()

    def word(self, what: str, allowed: Collection[_Word]) -> _Word:
        """One of `allowed`; the words are compared as they stand, so that off stays off."""
        found = [choice for choice in allowed if choice.lower() == self.raw().lower()]
        if not found:
            self.fail(f"{what}: allowed: {', '.join(allowed)}")
        return found[0]

    def flag(self, what: str) -> bool:
        """On and off are taken as words or as YAML booleans."""
        word = self.raw().lower()
        if word not in ("true", "on", "yes", "false", "off", "no"):
            self.fail(f"{what} is true or false (on or off)")
        return word in ("true", "on", "yes")

    def true(self, what: str) -> None:
        """A key that can only be told, never denied."""
        if not self.flag(what):
            self.fail(f"{what}: allowed: true")

    def number(self, what: str, low: int, high: int) -> int:
        try:
            value = int(self.raw())
        except ValueError:
            self.fail(f"{what} is a whole number from {low} to {high}")
        if not low <= value <= high:
            self.fail(f"{what} is a whole number from {low} to {high}")
        return value

    def decimal(self, what: str) -> Decimal:
        try:
            value = Decimal(self.raw().removeprefix("$").replace("_", ""))
        except InvalidOperation:
            self.fail(f"{what} is a number")
        if not value.is_finite():
            self.fail(f"{what} is a number")
        return value

    def cents(self, what: str) -> int:
        """Dollars as a person writes them, in whole cents."""
        value = self.decimal(f"{what}: an amount in dollars") * 100
        if value < 0 or value != value.to_integral_value():
            self.fail(f"{what} is an amount in dollars, whole cents, not below 0")
        return int(value)


def documents(path: Path) -> list[Here]:
    """Every YAML document of a file. Mistake where it cannot be read or is no YAML."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Mistake(f"{path}:1: cannot be read: {error}; a scenario file is a YAML file") from error
    try:
        return [Here(str(path), node) for node in yaml.compose_all(text, Loader=yaml.SafeLoader) if node]
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        raise Mistake(f"{path}:{line}: no YAML: {error.problem or error.context}") from error
    except yaml.YAMLError as error:
        raise Mistake(f"{path}:1: no YAML: {error}") from error
