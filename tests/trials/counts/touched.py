"""Number of files that a person edits by hand to add an item of a kind: files that name an existing item.

A file counts if it names the example anywhere, in code, data or comment, or in its own name. Tests, pages
(*.md), drills, and files that a command writes (`WRITTEN`) are not counted. The count is an upper bound,
since a file may name the example for a reason that does not apply to another item;
tests/repository/test_recipes.py follows the recipes of CONTRIBUTING.md with the files that they really need.
"""

from __future__ import annotations

import re
from collections import Counter

from tests.trials.counts.checkout import Checkout

DRILLS = "controller/practice/drills/"
WRITTEN = re.compile(r"controller/floor/uplink/asyncapi\.yaml|config/rules/odds/.*|.*\.(lock|net|svg|woff2)")
"""Files written by `crisscross uplink asyncapi`, `crisscross par`, `make lock` and `make drawings`."""
EXAMPLES = {
    "irregularity, reported (`hand_left`)": r"\bhand_left\b",
    "irregularity, seen on a circle (`losing_bet_left`)": r"\blosing_bet_left\b",
    "irregularity, house procedure, seen on a circle (`duplicate_chip`)": r"\bduplicate_chip\b",
    "side bet, offered by every text (`five_card_bonus`)": r"five_card_bonus",
    "side bet, offered by one (`six_card_bonus`)": r"six_card_bonus(?!_equals)(?!\.yaml)",
    "reader kind (`pn532`): files that name it": r"pn532",
    "language (`es`)": r"""["']es["']|\ben, es\b|/es\.yaml""",
    "deal order (`house_order`)": r"\bhouse_order\b",
    "event of the uplink (`bets_reopened`)": r"\bbets_reopened\b",
}
WHERE = ("program", "rules and table file", "hardware")
"""Columns of the table, in the order of their folders: `controller`, `drivers` and `systemd`; `config`;
`hardware`."""


def naming(checkout: Checkout, pattern: str) -> list[str]:
    """Return the names of the files whose text or name matches `pattern`."""
    wanted = re.compile(pattern, re.IGNORECASE)
    found = []
    for path in checkout.files:
        name = checkout.name(path)
        if name.startswith(("tests/", DRILLS)) or path.suffix == ".md" or WRITTEN.fullmatch(name):
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        if wanted.search(text) or wanted.search(f"/{name}"):
            found.append(name)
    return found


def page(checkout: Checkout) -> str:
    """Return the table in tests/EVIDENCE.md: for each kind of item, the number of files that name the
    example."""
    lines = [f"| one more | {' | '.join(WHERE)} |", "|---|---:|---:|---:|"]
    for what, pattern in EXAMPLES.items():
        counted = Counter(map(_where, naming(checkout, pattern)))
        lines.append(f"| {what} | {' | '.join(str(counted[where]) for where in WHERE)} |")
    return "\n".join(lines)


def _where(name: str) -> str:
    return {"config": WHERE[1], "hardware": WHERE[2]}.get(name.partition("/")[0], WHERE[0])
