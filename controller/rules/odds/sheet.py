"""Figures of a pack as tables for a terminal.

It labels and rounds the figures of `figures.py`, and must compute no figure except sums of shares.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from controller.game.model.names import ANTES, BETS, Wager
from controller.rules.odds.figures import ENDS, STAGES

FigureTree = Mapping[str, Any]
BINS = ((-11, -11), (-10, -6), (-5, -3), (-2, -2), (-1, -1), (0, 0), (1, 3), (4, 7), (8, 11), (12, 20),
        (21, 50), (51, 200))  # fmt: skip
"""Ranges of net results shown in one row, each with its smallest and largest result. Two further rows contain
all smaller and all larger results.
"""


def percent(share: float, digits: int = 2) -> str:
    """Return a share as a percentage with this number of decimals: ``4.33 %``."""
    return f"{100 * share:.{digits}f} %"


def sheet(figures: FigureTree) -> str:
    """Return the sheet as lines of at most 110 characters."""
    parts = [_head(figures), _wagers(figures), _decisions(figures), _net(figures)]
    parts += [_side_bet(wager, figures[wager]) for wager in Wager if figures.get(wager)]
    return "\n\n".join("\n".join(part) for part in parts)


def headline(figures: FigureTree) -> list[tuple[str, str]]:
    """Return the first rows of the sheet: label and value, both as text."""
    both, one = figures["house_edge_per_two_antes"], figures["house_edge_per_ante"]
    rounds = figures["hit_frequency"]["round"]
    return [
        ("house edge", f"{percent(both)} of the two antes, {percent(one)} of one"),
        ("element of risk", f"{percent(figures['element_of_risk'])} of all that is wagered"),
        ("average wager", f"{figures['average_wager']:.4f} antes"),
        ("standard deviation", f"{figures['standard_deviation']:.4f} antes a round"),
        ("rounds", ", ".join(f"{percent(share)} {end}" for end, share in rounds.items())),
        ("deals counted", f"{figures['deals']:,}"),
    ]


def rows_of_wagers(figures: FigureTree) -> list[list[str]]:
    """Return a row for each wager: its name, and the share of each ending in the order of ENDS."""
    hits = figures["hit_frequency"]
    return [
        [wager.replace("_", " "), *(percent(hits[wager].get(end, 0.0)) for end in ENDS)]
        for wager in (*ANTES, *BETS)
    ]


def rows_of_decisions(figures: FigureTree) -> tuple[list[str], list[list[str]]]:
    """Return the head and the rows of the table of the three decisions."""
    made = figures["decisions"]
    names = list(made["across"])
    head = ["decision", *(_bet(name) for name in names)]
    return head, [[stage, *(percent(made[stage][name]) for name in names)] for stage in STAGES]


def _bet(name: str) -> str:
    return name if not name.isdigit() else f"{name} ante" + ("" if name == "1" else "s")


def binned(results: Sequence[Mapping[str, Any]]) -> list[tuple[str, float]]:
    """Return ranges of net results in antes, with their shares."""
    least, most = results[0]["net"], results[-1]["net"]
    ranges = [(least, BINS[0][0] - 1), *BINS, (BINS[-1][1] + 1, most)]
    bins = []
    for low, high in ranges:
        share = sum(one["probability"] for one in results if low <= one["net"] <= high)
        if share:
            bins.append((_signed(low) if low == high else f"{_signed(low)} to {_signed(high)}", share))
    return bins


def _signed(net: int) -> str:
    return f"{net:+d}" if net else "0"


def _head(figures: FigureTree) -> list[str]:
    width = max(len(name) for name, _ in headline(figures))
    lines = [figures["title"], figures["text"], f"odds {figures['odds_digest']}", ""]
    return lines + [f"{name:<{width}}  {words}" for name, words in headline(figures)]


def _wagers(figures: FigureTree) -> list[str]:
    return _table(["wager", *(end.replace("_", " ") for end in ENDS)], rows_of_wagers(figures))


def _decisions(figures: FigureTree) -> list[str]:
    return _table(*rows_of_decisions(figures))


def _net(figures: FigureTree) -> list[str]:
    return _table(
        ["net antes", "share"], [[name, percent(share, 4)] for name, share in binned(figures["net_results"])]
    )


def _side_bet(wager: Wager, bet: FigureTree) -> list[str]:
    name, edge, wins = wager.replace("_", " "), percent(bet["house_edge"]), percent(bet["hit_frequency"])
    line = f"{name}: house edge {edge}, wins {wins}, standard deviation {bet['standard_deviation']:.4f}"
    return [line, *_table(["hand", "hands", "pays to 1"], list(rows_of_hands(bet)))]


def rows_of_hands(bet: FigureTree) -> Iterator[list[str]]:
    """Yield each class of hand, the highest first, with its number of hands and its pay."""
    for line, count in reversed(bet["hands"].items()):
        pays = bet["pays"][line]
        worth = "loses" if pays < 0 else "push" if pays == 0 else str(pays)
        yield ["any other" if line == "no_line" else line.replace("_", " "), f"{count:,}", worth]


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(row[at]) for row in (head, *rows)) for at in range(len(head))]
    return ["  ".join(_aligned(row, widths)) for row in (head, *rows)]


def _aligned(row: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
    yield row[0].ljust(widths[0])
    yield from (cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))
