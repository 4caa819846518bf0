"""Catalogue of the texts: every text of the display, and its translation, one YAML file per language.

English is the reference. Another language needs only another file with the same keys and placeholders
(`differences` reports deviations). A text is divided at " · " into segments; a segment with a placeholder
that has no value is left out. A list is a choice: the first text without missing values is used. The
catalogue is independent of the game. The catalogue must never be passed a card that is not turned.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from string import Formatter
from typing import Any

import yaml

SEPARATOR = " · "
FIRST_LANGUAGE = "en"


class Catalogue:
    """Texts of one language, looked up by dotted key."""

    def __init__(self, language: str, texts: Mapping[str, Any]) -> None:
        self.language = language
        self._texts = texts
        self._plain: dict[str, str] = {}

    @property
    def texts(self) -> Mapping[str, Any]:
        """Content of the language's file."""
        return self._texts

    def node(self, key: str) -> Any:
        """Return the part of the file under a dotted key: a text, a list of texts or a mapping; None if there
        is none."""
        found: Any = self._texts
        for part in key.split("."):
            if not isinstance(found, Mapping) or part not in found:
                return None
            found = found[part]
        return found

    def text(self, key: str, values: Mapping[str, object] | None = None) -> str | None:
        """Return the text of `key`. A missing key is returned in angle quotes, so that it is noticed. Returns
        None if no part of the text can be made with these values."""
        node = self.node(key)
        if node is None:
            return f"‹{key.rpartition('.')[2]}›"
        choices = node if isinstance(node, list) else [node]
        known = {name for name, value in (values or {}).items() if value is not None}
        chosen = next((c for c in choices if known.issuperset(_segments(str(c))[0][1])), choices[-1])
        return _fill(str(chosen), values or {}) or None

    def counted(self, key: str, count: int) -> str:
        """Return the text `one` or `many` under `key`: "1 drill", "2 drills"."""
        return self.text(f"{key}.{'one' if count == 1 else 'many'}", {"count": count}) or ""

    def plain(self, key: str) -> str:
        """Return a text without placeholders. The result is cached, because a round's page looks up a
        thousand texts."""
        if key not in self._plain:
            self._plain[key] = self.text(key) or ""
        return self._plain[key]


@cache
def _segments(text: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    parse = Formatter().parse
    return tuple(
        (segment, tuple(name for _, name, _, _ in parse(segment) if name is not None))
        for segment in text.split(SEPARATOR)
    )


def _fill(text: str, values: Mapping[str, object]) -> str:
    parts = [
        segment.format_map(values)
        for segment, names in _segments(text)
        if all(values.get(name) is not None for name in names)
    ]
    return SEPARATOR.join(parts)


@cache
def languages() -> tuple[str, ...]:
    """Return the available languages, English first."""
    return languages_in(resources.files(__package__))


def languages_in(folder: Traversable) -> tuple[str, ...]:
    """Return the languages of the files in a folder, by their names."""
    names = {file.name.removesuffix(".yaml") for file in folder.iterdir() if file.name.endswith(".yaml")}
    return (FIRST_LANGUAGE, *sorted(names - {FIRST_LANGUAGE}))


@cache
def catalogue(language: str) -> Catalogue:
    """Return the catalogue of a language. Raises ValueError that names the available languages."""
    if language not in languages():
        raise ValueError(f"language: {' or '.join(languages())}")
    return _read(language, resources.files(__package__) / f"{language}.yaml")


@cache
def explanations(language: str) -> Catalogue:
    """Return the texts of the Help key in a language, or in English if they are not translated."""
    folder = resources.files(__package__) / "help"
    written = language if (folder / f"{language}.yaml").is_file() else FIRST_LANGUAGE
    return _read(language, folder / f"{written}.yaml")


def _read(language: str, file: Traversable) -> Catalogue:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return Catalogue(language, yaml.load(file.read_text(encoding="utf-8"), Loader=loader))  # noqa: S506  # both are safe


def leaves(node: object, key: str = "") -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each dotted key under `node` with its texts: a tuple of one text, or of all texts of a choice."""
    if isinstance(node, Mapping):
        for name, below in node.items():
            yield from leaves(below, f"{key}.{name}" if key else str(name))
    else:
        yield key, tuple(map(str, node)) if isinstance(node, list) else (str(node),)


def placeholders(text: str) -> frozenset[str]:
    """Return the names of the placeholders in a text."""
    return frozenset(name for _, names in _segments(text) for name in names)


def differences(first: Catalogue, second: Catalogue) -> list[str]:
    """Return the differences of two languages: missing keys, unequal choices or placeholders."""
    a, b = dict(leaves(first.texts)), dict(leaves(second.texts))
    found = [f"{key}: only in one language" for key in sorted(a.keys() ^ b.keys())]
    found += [
        f"{key}: not the same placeholders"
        for key in sorted(a.keys() & b.keys())
        if [placeholders(t) for t in a[key]] != [placeholders(t) for t in b[key]]
    ]
    return found


def title(node: object) -> str:
    """Return a plain text, or the name of an irregularity that needs no values (the last choice of its
    texts)."""
    what = node["what"] if isinstance(node, dict) else node
    return str(what[-1] if isinstance(what, list) else what)
