"""Parts of a page about sittings, and the page of all of them as one file: without scripts, for surveillance.

It names no card and no person. The file needs no network. It is written at the end of the command and is
readable by its owner alone (controller/evidence/EVIDENCE.md "The pages").
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape
from typing import Any

from controller.common.texts.catalogue import Catalogue
from controller.evidence.hypotheses import Hypothesis
from controller.evidence.report import seats_in_words
from controller.evidence.shoe_report import fit_words, left_out_words
from controller.evidence.threshold import Threshold
from controller.evidence.words import sentence, text_of, threshold_words

MAX_DECISIONS = 40
"""Maximum number of decisions shown for each hypothesis of a sitting; those with the largest weights are
shown."""
STYLE = """
body{font:16px/1.4 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem;color:#111}
body{background:#fff}table{border-collapse:collapse;margin:.5rem 0 1rem}
td,th{border:1px solid #767676;padding:.25rem .6rem;text-align:left}
td.number{text-align:right;font-variant-numeric:tabular-nums}
h2.above::before,tr.above td:first-child::before{content:"\\25B2  "}tr.above td{font-weight:600}
summary,button,input{min-height:2rem;font:inherit}summary,button{cursor:pointer}label{display:block}
"""
RoundAt = Callable[[int], str]
"""Function that returns the address of a round, or "" for a number without a link."""


def html_document(texts: Catalogue, head: str, parts: Iterable[str], many_above: int = 0) -> str:
    """Return a page. `head`: further elements for the page's head. `many_above`: number that a tab of a
    browser shows before the title; 0 shows none."""
    title = text_of(texts, "title")
    in_tab = f"({many_above}) {title}" if many_above else title
    return (
        f'<!doctype html>\n<html lang="{texts.language}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width,initial-scale=1">\n'
        f"<title>{in_tab}</title>\n{head}\n</head>\n<body><main>\n<h1>{title}</h1>\n"
        f"{chr(10).join(parts)}\n</main></body>\n</html>\n"
    )


def evidence_page(
    texts: Catalogue, found: Sequence[dict[str, Any]], threshold: Threshold | None, rounds_at: str
) -> str:
    """Return the page for a file. `found`: sittings as in the report's data. `rounds_at`: address to which a
    round's number is appended, or "" for numbers without a link."""
    ordered = sorted(found, key=lambda each: -float(each["combined"]["peak_log10"]))
    parts = [paragraph(text_of(texts, "head")), paragraph(text_of(texts, "weigh"))]
    if threshold is not None:
        parts.append(paragraph(f"{threshold_words(texts, threshold)}."))
    for data in ordered:
        parts.extend(_folded(texts, data, lambda number: f"{rounds_at}{number}" if rounds_at else ""))
    return html_document(texts, f"<style>{STYLE}</style>", parts)


def _folded(texts: Catalogue, data: dict[str, Any], round_at: RoundAt) -> Iterator[str]:
    mark, above = (" class=above", f": {text_of(texts, 'above')}") if data["above"] else ("", "")
    yield f"<h2{mark}>{sitting_title(texts, data)}{above}</h2>"
    yield from ahead(texts, data)
    yield from figures(texts, data, lambda name: text_of(texts, f"knew.{name}"))
    for name, strand in strongest_first(data):
        knew = text_of(texts, f"knew.{name}")
        yield f"<details><summary>{text_of(texts, 'heaviest', hypothesis=knew)}</summary>"
        yield from decisions(texts, name, strand, round_at)
        yield "</details>"


def ahead(texts: Catalogue, data: dict[str, Any]) -> Iterator[str]:
    """Yield a paragraph if a seat that acts earlier has high evidence in the same rounds."""
    if data["earlier_seats"]:
        yield paragraph(text_of(texts, "ahead", seats=seats_in_words(data["earlier_seats"])))


def sitting_title(texts: Catalogue, data: dict[str, Any]) -> str:
    return text_of(
        texts, "sitting", seat=data["seat"], first=data["first_round"], last=data["last_round"]
    )  # fmt: skip


def strongest_first(data: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Return the hypotheses of a sitting with their data, the largest peak first."""
    return sorted(data["hypotheses"].items(), key=lambda each: -float(each[1]["peak_log10"]))


def figures(texts: Catalogue, data: dict[str, Any], named: Callable[[str], str]) -> Iterator[str]:
    """Yield the table of a sitting's figures. `named`: returns the cell for the name of a hypothesis."""
    yield header(texts, "hypothesis", "now", "most", "with_evidence")
    yield row([text_of(texts, "together")], [*powers(data["combined"]), data["rounds"]])
    for name, strand in strongest_first(data):
        yield row([named(name)], [*powers(strand), strand["with_evidence"]])
    yield "</table>"


def decisions(texts: Catalogue, name: str, strand: dict[str, Any], round_at: RoundAt) -> Iterator[str]:
    """Yield the table of the heaviest decisions of a sitting for a hypothesis."""
    yield header(texts, "round", "wager", "decision")
    for each in strand["decisions"][:MAX_DECISIONS]:
        where = round_at(each["round"])
        number = link(where, str(each["round"])) if where else str(each["round"])
        wager = escape(texts.plain(f"wagers.{each['wager']}"))
        yield row([number, wager, escape(sentence(texts, Hypothesis(name), each))], [])
    yield "</table>"
    if (count := len(strand["decisions"])) > MAX_DECISIONS:
        yield paragraph(text_of(texts, "shown", shown=MAX_DECISIONS, count=count))


def shoe_figures(texts: Catalogue, data: dict[str, Any]) -> Iterator[str]:
    """Yield the figures of a shoe. `data`: as `ShoeEvidence.data` returns them."""
    yield paragraph(text_of(texts, "head_shoe"))
    if data["left_out"]:
        yield paragraph(left_out_words(texts, data))
    yield header(texts, "hypothesis", "now", "most")
    yield row([text_of(texts, "together")], powers(data))
    for name, strand in strongest_first(data):
        yield row([escape(text_of(texts, f"shuffle.{name}"))], powers(strand))
    yield "</table>"
    yield paragraph(text_of(texts, "head_fit"))
    for fit in data["chi_squared"]:
        yield paragraph(fit_words(texts, fit))


# ------------------------------------------------------------------ elements


def paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>"


def link(address: str, text: str) -> str:
    return f'<a href="{escape(address)}">{escape(text)}</a>'


def header(texts: Catalogue, *keys: str) -> str:
    """Return the start of a table with its heading row. `keys`: keys of the headings' texts."""
    return f"<table><tr>{''.join(f'<th>{text_of(texts, key)}</th>' for key in keys)}</tr>"


def row(cells: Iterable[str], numbers: Iterable[object], *, above: bool = False) -> str:
    """Return a table row. `cells`: HTML of the text cells. `numbers`: HTML of the number cells. `above`:
    whether to mark the row as above the threshold."""
    plain = "".join(f"<td>{each}</td>" for each in cells)
    aligned = "".join(f"<td class=number>{each}</td>" for each in numbers)
    return f"<tr{' class=above' if above else ''}>{plain}{aligned}</tr>"


def powers(data: dict[str, Any]) -> list[str]:
    """Return the present evidence and its peak as HTML, as powers of ten."""
    return [f"10^{data['log10']:.1f}", f"10^{data['peak_log10']:.1f}"]
