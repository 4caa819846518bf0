"""Figures of a pack as one HTML page to store, mail or print on A4, without network or script.

It presents the figures of `figures.py`, as `sheet.py` does for a terminal. Titles come from a house's own
file, so all text is escaped.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from controller.game.model.names import Wager
from controller.rules.odds.figures import ENDS
from controller.rules.odds.plots import Bar, Cell, bars, grid
from controller.rules.odds.sheet import (
    FigureTree,
    binned,
    headline,
    percent,
    rows_of_decisions,
    rows_of_hands,
    rows_of_wagers,
)

STYLE = """
@page { size: A4; margin: 15mm }
:root { color-scheme: light }
body { font: 14px/1.45 system-ui, sans-serif; color: #16191c; background: #fff; max-width: 46rem;
  margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.7rem; margin: 0 } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem }
p { margin: .3rem 0 } .digest { font: 11px monospace; overflow-wrap: anywhere; color: #4a525a }
table { border-collapse: collapse; width: 100% } caption { text-align: left }
th, td { padding: .22rem .5rem; text-align: right; border-bottom: 1px solid #c9ced3;
  font-variant-numeric: tabular-nums }
th:first-child, td:first-child { text-align: left } thead th { border-bottom: 2px solid #16191c }
.first th { font-weight: 400; width: 12rem } .first td { text-align: left; font-weight: 600 }
section, tr, svg { break-inside: avoid } svg { width: 100%; height: auto; display: block }
svg text { font-size: 13px; fill: #16191c } svg line { stroke: #16191c }
.bar { fill: #2f6db5 } .below { fill: #b4541a }
g rect { stroke: #fff; stroke-width: 2 } g .name { font-weight: 700 } g .words, g .figure { font-size: 11px }
.fold rect { fill: #dfe3e7 } .least rect { fill: #bcd6f2 } .most rect { fill: #1d4f8c }
svg .most text { fill: #fff }
"""


def odds_page(figures: FigureTree) -> str:
    """Return the page as one HTML document."""
    title = escape(f"{figures['title']}: exact odds")
    body = "\n".join(f"<section>\n{part}\n</section>" for part in _sections(figures))
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n'
        f'<meta name="viewport" content="width=device-width">\n<style>{STYLE}</style>\n</head>\n'
        f"<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _sections(figures: FigureTree) -> Iterator[str]:
    yield _head(figures)
    yield _titled("How each wager ends", _table(["wager", *map(_words, ENDS)], rows_of_wagers(figures)))
    yield _titled("How a perfect player decides", _table(*rows_of_decisions(figures)), _REACHED)
    yield _titled("What a round comes to", _net(figures))
    yield _titled("The first decision, by hole", _holes(figures), _HOLES)
    if figures.get("known_cards"):
        yield _titled("What a player gains who sees cards before their time", _known(figures), _KNOWN)
    for wager in Wager:
        if figures.get(wager):
            yield _side_bet(wager, figures[wager])


_REACHED = (
    "Reached: of all rounds; the others: of the times that it is reached. Of two bets that are worth the "
    "same the smaller is taken."
)
_HOLES = (
    "Suited above the diagonal, unsuited below it. In each cell: the best Across bet in antes, and what the "
    "round is then worth to the player, in antes."
)
_KNOWN = (
    "What a round is worth, in antes, to a perfect player who sees what lies there before the first decision."
)


def _head(figures: FigureTree) -> str:
    rows = "".join(
        f'<tr><th scope="row">{escape(name)}</th><td>{escape(words)}</td></tr>'
        for name, words in headline(figures)
    )
    return (
        f"<h1>{escape(figures['title'])}</h1>\n<p>{escape(figures['text'])}</p>\n"
        f'<p class="digest">rules {figures["rules_digest"]}<br>odds {figures["odds_digest"]}</p>\n'
        f'<table class="first"><tbody>{rows}</tbody></table>\n'
        "<p>Every deal was counted, and each decision is the one with the highest expectation. Side bets "
        "stand by themselves; a payout limit is left out.</p>"
    )


def _net(figures: FigureTree) -> str:
    rows = [Bar(f"{name} antes", share, percent(share, 4)) for name, share in binned(figures["net_results"])]
    return bars(rows, "Share of rounds by net result in antes")


def _holes(figures: FigureTree) -> str:
    least = figures["bet_multiples"][0]
    return grid(
        (_cell(name, hole["across"], hole["expectation"], least) for name, hole in figures["holes"].items()),
        "The best Across bet by hole",
    )


def _cell(name: str, across: int, expectation: float, least: int) -> Cell:
    shade = "fold" if across == 0 else "least" if across == least else "most"
    return Cell(name, "fold" if across == 0 else f"bet {across}", f"{expectation:+.2f}", shade)


def _known(figures: FigureTree) -> str:
    base = Bar("nothing", -figures["house_edge_per_ante"], f"{-figures['house_edge_per_ante']:+.3f}")
    rows = [
        Bar(_words(one["known"]), one["expectation"], f"{one['expectation']:+.3f}")
        for one in figures["known_cards"]
    ]
    return bars([base, *rows], "Worth of a round in antes by what is known")


def _side_bet(wager: Wager, bet: FigureTree) -> str:
    edge, wins = percent(bet["house_edge"]), percent(bet["hit_frequency"])
    note = f"House edge {edge}, wins {wins}, standard deviation {bet['standard_deviation']:.4f}."
    table = _table(["hand", f"of {bet['deals']:,} hands", "pays to 1"], list(rows_of_hands(bet)))
    return _titled(_words(wager).capitalize(), table, note)


def _words(name: str) -> str:
    return name.replace("_", " ")


def _titled(title: str, inside: str, note: str = "") -> str:
    paragraph = f"\n<p>{escape(note)}</p>" if note else ""
    return f"<h2>{escape(title)}</h2>{paragraph}\n{inside}"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    top = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in head)
    lines = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{top}</tr></thead><tbody>{lines}</tbody></table>"
