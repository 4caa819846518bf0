"""Free-text search of rounds: normalized words of a text, and the terms that a person types.

A round is found by its number, its dealers, its deciders, its amounts and the words of its reasons: the
fields named here and no others. `seats[].hands`, `seats[].cards`, `cross`, `bonus_cards` and `set_aside`
hold faces that were never turned and must never be searched: a hit would reveal them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from controller.common.files.money import cents

MAX_FIND_CHARS = 100
_TOKEN = re.compile(r"\w+")
_AMOUNT = re.compile(r"\$?(\d{1,9}|\d{1,3}(,\d{3}){1,2})(\.\d{1,2})?", re.ASCII)


@lru_cache(1024)
def _words(text: str) -> tuple[str, ...]:
    folded = unicodedata.normalize("NFKD", text).casefold()
    return tuple(_TOKEN.findall("".join(c for c in folded if not unicodedata.combining(c))))


def tokens(*texts: str) -> list[str]:
    """Return the words of the texts without case and accents, each once, in order."""
    return list(dict.fromkeys(word for text in texts for word in _words(text)))


def corpus(*texts: str) -> str:
    """Return the words of the texts as one string for `Terms.found`, such as " b1 camera checked ", or ""
    without words."""
    found = " ".join(tokens(*texts))
    return f" {found} " if found else ""


def search_text(record: Mapping[str, Any]) -> str:
    """Return the corpus of a round record: dealers, deciders and reasons."""
    void = record["void"] or {}
    return corpus(
        record["dealer"] or "",
        *(dealer["number"] for dealer in record["dealers"]),
        void.get("approved_by", ""),
        *(entry.get("reason", "") for entry in record["irregularities"]),
        *correction_words(record["corrections"]),
    )


def correction_words(corrections: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yield decider and reason of each correction."""
    for entry in corrections:
        yield from (entry.get("who", ""), entry.get("why", ""))


def amounts_of(record: Mapping[str, Any]) -> tuple[int, ...]:
    """Return the cents of wagers, payouts and corrections, and paid and taken of each seat and the round."""
    seats = record["seats"]
    found = {sum(seat[key] for seat in seats) for key in ("paid", "taken")}
    for seat in seats:
        found |= {seat["paid"], seat["taken"]}
        for wager in seat["wagers"].values():
            found |= {wager["amount"], wager["payout"]}
    found |= {abs(entry["cents"]) for entry in record["corrections"]}
    return tuple(sorted(found - {0}))


class Terms:
    """Words of a search, as a person typed them. A round is found if all of them match."""

    def __init__(self, text: str) -> None:
        self._terms = [_term(word) for word in text.split()]

    def found(self, number: int, words: str, amounts: Iterable[int]) -> bool:
        """Return whether every term is the round's number, one of its amounts in cents, or in its corpus.
        `words`: the corpus."""
        return all(
            amount in amounts or whole == number or (bool(keys) and all(key in words for key in keys))
            for amount, whole, keys in self._terms
        )


def _term(word: str) -> tuple[int, int, list[str]]:
    """Parse a term. Returns the amount in cents and the round number that it may mean, -1 if it cannot, and
    the keys to look for in a corpus.

    A word with a digit matches complete words only, so that 7 does not find dealer 0077; other words also
    match the beginning of a word.
    """
    amount = cents(word.replace(",", "")) if _AMOUNT.fullmatch(word) else -1
    number = int(word) if word.isascii() and word.isdigit() else -1
    keys = [f" {key} " if any(c.isdigit() for c in key) else f" {key}" for key in tokens(word)]
    return amount, number, [] if "$" in word else keys
