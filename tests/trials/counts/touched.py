"""How many files somebody touches who adds one thing more: those that name one that is there already.

A file counts when it names the example anywhere, in code, data or comment, or is called after it. Tests,
pages (*.md) and drills do not: a new thing has tests and a line in the pages wherever it stands. A side bet
that a text has is in its rule pack and in the trace of its sections.
"""

from __future__ import annotations

import re

from tests.trials.counts.checkout import Checkout

DRILLS = "controller/practice/drills/"
EXAMPLES = {
    "irregularity, reported (hand_left)": r"\bhand_left\b",
    "irregularity, seen on a circle (losing_bet_left)": r"\blosing_bet_left\b",
    "irregularity, house procedure, seen on a circle (duplicate_chip)": r"\bduplicate_chip\b",
    "side bet, offered by every text (five_card_bonus)": r"five_card_bonus",
    "side bet, offered by one (six_card_bonus)": r"six_card_bonus(?!_equals)(?!\.yaml)",
    "reader kind (pn532)": r"pn532",
    "language (es)": r"""["']es["']|\ben, es\b|/es\.yaml""",
    "deal order (house_order)": r"\bhouse_order\b",
}


def naming(checkout: Checkout, pattern: str) -> list[str]:
    """The files, by name."""
    wanted = re.compile(pattern, re.IGNORECASE)
    found = []
    for path in checkout.files:
        name = checkout.name(path)
        if name.startswith(("tests/", DRILLS)) or path.suffix in (".md", ".woff2"):
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        if wanted.search(text) or wanted.search(f"/{name}"):
            found.append(name)
    return found
