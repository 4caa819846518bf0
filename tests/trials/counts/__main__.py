"""Counts of a checkout as a table: `python -m tests.trials.counts [CHECKOUT] [--files]`."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from tests.trials.counts import codes, names, prose, search, sizes, touched, unchecked
from tests.trials.counts.checkout import Checkout
from tests.trials.counts.scenarios import duplicated_bodies

HERE = Path(__file__).resolve().parents[3]


def rows(checkout: Checkout, files: bool) -> Iterator[tuple[str, str]]:
    """Yield (name, count as text) of each count. `files`: also name the files that were counted."""
    for what, pattern in touched.EXAMPLES.items():
        names = touched.naming(checkout, pattern)
        yield f"files to touch by hand: {what}", " ".join([str(len(names)), *(names if files else ())])
    yield "calls with keywords that mypy cannot check", str(unchecked.unchecked_calls(checkout))
    yield "signatures: annotations with Any", str(unchecked.any_in_signatures(checkout))
    for where, count in codes.bare(checkout).items():
        yield f"bare code strings: {where}", str(count)
    written, bodies = duplicated_bodies(checkout.root / "tests/scenarios")
    yield "scenarios: written, bodies, duplicated", f"{written}, {bodies}, {written - bodies}"
    yield from _reading(checkout)
    yield "longest function", " ".join(map(str, sizes.longest_function(checkout)))
    yield "longest file", " ".join(map(str, sizes.longest_file(checkout)))
    yield "import contracts: lines", str(sizes.contract_lines(checkout))
    yield "import contracts: modules named", str(sizes.modules_named_in_contracts(checkout))


def _reading(checkout: Checkout) -> Iterator[tuple[str, str]]:
    """Yield the counts that tell how readable the checkout is: prose, names, and a search for the words of a
    question."""
    units, shares = prose.shares(checkout)
    yield f"prose: docstrings and comments of {prose.MIN_WORDS} words or more", str(units)
    for habit, share in shares.items():
        yield f"prose: {habit}", f"{share:.1f} %"
    shared = names.shared(checkout)
    yield f"public names that {names.MANY} modules or more define", str(len(shared))
    ranks = search.ranks(checkout).values()
    found = " / ".join(str(sum(rank <= bound for rank in ranks)) for bound in (1, 3, 10))
    yield f"questions of 'Where is it?', deciding file first / in 3 / in 10 of {len(ranks)}", found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.trials.counts")
    parser.add_argument("checkout", nargs="?", type=Path, default=HERE, metavar="CHECKOUT")
    parser.add_argument("--files", action="store_true", help="name the files to touch")
    args = parser.parse_args()
    print("| count | |\n|---|---:|")
    for what, count in rows(Checkout(args.checkout.resolve()), args.files):
        print(f"| {what} | {count} |")


if __name__ == "__main__":
    main()
