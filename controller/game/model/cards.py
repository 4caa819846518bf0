"""Cards: a rank and a suit in two letters, as files, frames and records write them (``QH``, ``TD``).

A card is a plain string so that it travels through journal and record unchanged. Nothing here
knows where a card lies or whether it may be seen; see `game/showing/public.py` for that.
"""

from __future__ import annotations

from typing import NewType

Card = NewType("Card", str)

RANKS = "23456789TJQKA"
SUITS = "SHDC"
DECK: tuple[Card, ...] = tuple(Card(rank + suit) for suit in SUITS for rank in RANKS)

_DECK = frozenset(DECK)


def parse_card(text: str) -> Card:
    """The card that `text` names. ValueError names what is allowed, never the text (it may be hidden)."""
    card = Card(text)
    if card not in _DECK:
        raise ValueError("a card is a rank A K Q J T 9 8 7 6 5 4 3 2, then a suit S H D C")
    return card


def rank_value(card: Card) -> int:
    """2 to 14; the ace is 14 (58 Pa. Code § 674a.6(a))."""
    return RANKS.index(card[0]) + 2
