"""Page of the evidence for surveillance: one file without scripts, which needs no network.

It names no card and no person. It is written after the rounds, to a file that only its owner can read
(controller/evidence/EVIDENCE.md "The page").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from controller.evidence.report import HEAD
from controller.evidence.threshold import Threshold

MAX_DECISIONS = 40
"""Number of decisions shown for each hypothesis of a sitting, the heaviest."""
STYLE = """
body{font:16px/1.4 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem;color:#111}
body{background:#fff}table{border-collapse:collapse;margin:.5rem 0 1rem}
td,th{border:1px solid #767676;padding:.25rem .6rem;text-align:left}
td.number{text-align:right;font-variant-numeric:tabular-nums}h2.above::before{content:"\\25B2  "}
summary{cursor:pointer;min-height:2rem}
"""


def page(found: Sequence[dict[str, Any]], threshold: Threshold | None, rounds_at: str) -> str:
    """Return the page. `found`: sittings as the report's data. `rounds_at`: address before a round's number,
    or "" for numbers without a link."""
    ordered = sorted(found, key=lambda each: -float(each["combined"]["peak_log10"]))
    parts = [f"<p>{escape(' '.join(HEAD))}</p>"]
    if threshold is not None:
        parts.append(f"<p>{escape(threshold.words)}.</p>")
    for data in ordered:
        parts.extend(_sitting(data, rounds_at))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width,initial-scale=1">\n'
        f"<title>Evidence of sittings</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f"<h1>Evidence of sittings</h1>\n{chr(10).join(parts)}\n</body>\n</html>\n"
    )


def _sitting(data: dict[str, Any], rounds_at: str) -> Iterator[str]:
    together = data["combined"]
    title = f"Seat {data['seat']}, rounds {data['first_round']} to {data['last_round']}"
    mark, words = (" class=above", ": above the threshold") if data["above"] else ("", "")
    yield f"<h2{mark}>{title}{words}</h2>"
    yield "<table><tr><th>hypothesis</th><th>now</th><th>at most</th><th>rounds with evidence</th></tr>"
    yield _row("all together", together, data["rounds"])
    ordered = sorted(data["hypotheses"].items(), key=lambda each: -float(each[1]["peak_log10"]))
    for name, strand in ordered:
        yield _row(name, strand, strand["with_evidence"])
    yield "</table>"
    for name, strand in ordered:
        yield f"<details><summary>{name}: the heaviest decisions</summary><table>"
        yield "<tr><th>round</th><th>wager</th><th>at this decision</th></tr>"
        for each in strand["decisions"][:MAX_DECISIONS]:
            cells = (_round(each["round"], rounds_at), each["wager"], escape(each["sentence"]))
            yield f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"
        yield "</table></details>"


def _row(name: str, data: dict[str, Any], rounds: int) -> str:
    numbers = (f"10^{data['log10']:.1f}", f"10^{data['peak_log10']:.1f}", rounds)
    return f"<tr><td>{name}</td>{''.join(f'<td class=number>{each}</td>' for each in numbers)}</tr>"


def _round(number: int, rounds_at: str) -> str:
    return f'<a href="{escape(rounds_at)}{number}">{number}</a>' if rounds_at else str(number)
