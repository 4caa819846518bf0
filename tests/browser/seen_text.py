"""Texts that a page shows, and whether one of them is a text of the English catalogue."""

from __future__ import annotations

import re
from collections.abc import Iterable

from playwright.sync_api import Frame, Page

from controller.common.texts.catalogue import (
    FIRST_LANGUAGE,
    SEPARATOR,
    Catalogue,
    catalogue,
    explanations,
    leaves,
)
from tests.in_page import found_by

SEEN = """() => {
  const found = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement: parent, textContent: text } = walker.currentNode;
    if (parent && !["SCRIPT", "STYLE", "NOSCRIPT"].includes(parent.tagName)) found.add(text.trim());
  }
  for (const node of document.querySelectorAll("[aria-label], [title], [placeholder]")) {
    for (const name of ["aria-label", "title", "placeholder"]) found.add(node.getAttribute(name) ?? "");
  }
  found.add(document.title);
  return [...found].filter((text) => /[a-z]{2}/i.test(text));
}"""
MIN_LETTERS = 4
"""Minimum number of letters outside its placeholders by which a text can be recognised."""


def seen(page: Page | Frame) -> set[str]:
    """Return each text and label of the page, including hidden ones."""
    return set(found_by(page, SEEN))


class ForeignTexts:
    """English texts that have another wording in the tested language."""

    def __init__(self, language: str) -> None:
        english = {*_segments(catalogue(FIRST_LANGUAGE)), *_segments(explanations(FIRST_LANGUAGE))}
        own = {*_segments(catalogue(language)), *_segments(explanations(language))}
        self._own = [_pattern(text) for text in own if _letters(text) >= MIN_LETTERS]
        self._english = [_pattern(text) for text in english - own if _letters(text) >= MIN_LETTERS]

    def among(self, texts: Iterable[str]) -> list[str]:
        """Return those of the texts that have a segment in English which is no text of the tested
        language."""
        return sorted(text for text in texts if any(map(self._foreign, re.split(r" · |: ", text))))

    def _foreign(self, text: str) -> bool:
        return _matches(self._english, text) and not _matches(self._own, text)


def _segments(texts: Catalogue) -> set[str]:
    return {part for _, choice in leaves(texts.texts) for text in choice for part in text.split(SEPARATOR)}


def _matches(patterns: Iterable[re.Pattern[str]], text: str) -> bool:
    return any(pattern.fullmatch(text) for pattern in patterns)


def _letters(text: str) -> int:
    return len(re.findall(r"[^\W\d_]", re.sub(r"\{\w+\}", "", text)))


def _pattern(text: str) -> re.Pattern[str]:
    """Return a pattern that matches the text with any values, with or without its last full stop."""
    return re.compile(re.sub(r"\\\{\w+\\\}", ".+", re.escape(text.rstrip("."))) + r"\.?", re.IGNORECASE)
