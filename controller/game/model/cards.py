"""Cards: a rank and a suit in two letters, as files, frames and records write them (``QH``, ``TD``).

A card is a plain string so that journal and record hold it unchanged. The place of a card and whether it
may be shown are decided elsewhere (`game/showing/public.py`).
"""

from __future__ import annotations

from typing import NewType

Card = NewType("Card", str)

RANKS = "23456789TJQKA"
SUITS = "SHDC"
DECK: tuple[Card, ...] = tuple(Card(rank + suit) for suit in SUITS for rank in RANKS)

_DECK = frozenset(DECK)


def parse_card(text: str) -> Card:
    """Return the card that `text` names. Raises ValueError if there is none; its message must never contain
    `text`, which may be a hidden face."""
    card = Card(text)
    if card not in _DECK:
        raise ValueError("a card is a rank A K Q J T 9 8 7 6 5 4 3 2, then a suit S H D C")
    return card


def rank_value(card: Card) -> int:
    """Return the rank, 2 to 14; the ace is 14 (58 Pa. Code § 674a.6(a))."""
    return RANKS.index(card[0]) + 2
