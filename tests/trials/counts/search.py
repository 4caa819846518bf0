"""Rank of the deciding file in a plain text search (BM25) for the words of a question.

The questions are those of `controller/WHERE.md`. Documents and tests are not searched, so that no page that
repeats the question answers it.
"""

from __future__ import annotations

import math
import re
from collections import Counter

from tests.trials.counts.checkout import PROGRAM, Checkout

SUFFIXES = (".py", ".yaml", ".js", ".html", ".css")
K1, B = 1.2, 0.75
"""Standard parameters of BM25: saturation of a word's count, and weight of a file's length."""


def ranks(checkout: Checkout) -> dict[str, int]:
    """Return the rank of each question's deciding file, 1 for the first."""
    files = {
        checkout.name(path): Counter(_words(path.read_text(encoding="utf-8")))
        for suffix in SUFFIXES
        for path in checkout.below(*PROGRAM, "config", "hardware", suffix=suffix)
    }
    holding = Counter(word for words in files.values() for word in words)
    mean = sum(words.total() for words in files.values()) / len(files)

    def score(words: Counter[str], question: set[str]) -> float:
        longer = K1 * (1 - B + B * words.total() / mean)
        return sum(
            math.log(1 + (len(files) - holding[word] + 0.5) / (holding[word] + 0.5))
            * words[word] * (K1 + 1) / (words[word] + longer)
            for word in question if word in words
        )  # fmt: skip

    found = {}
    for question, decides in _questions(checkout):
        if decides not in files:
            continue
        terms = set(_words(question))
        own = score(files[decides], terms)
        found[question] = 1 + sum(score(words, terms) > own for words in files.values())
    return found


def _questions(checkout: Checkout) -> list[tuple[str, str]]:
    """Return (question, deciding file) of each row of the table in controller/WHERE.md."""
    page = (checkout.root / "controller/WHERE.md").read_text(encoding="utf-8")
    return re.findall(r"^\| [^|]+ \| ([^|]+) \| `([^`]+)` \|", page, re.MULTILINE)


def _words(text: str) -> list[str]:
    """Return the words of a text in lower case. A compound identifier gives its parts."""
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|_", " ", text)
    return re.findall(r"[a-z]{3,}|[0-9]+", apart.lower())
