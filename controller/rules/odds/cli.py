"""`crisscross par`: the exact odds of a rule pack, as a table, as JSON or as one page to print.

This module parses the options, prints the figures and returns the exit status. Counts are written to a file,
from which later runs read them.
"""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from controller.common.command_line import DONE, FAILED, Commands, refuse
from controller.common.files.mistakes import Mistakes
from controller.common.terminal import ProgressLine
from controller.rules.odds.questions import add_questions, answer_text, answers, is_asked, option_mistake

if TYPE_CHECKING:
    from controller.rules.odds.odds_files import CountedOdds
    from controller.rules.odds.subject import Subject
    from controller.rules.packs.loader import OfTable


def add_parser(subparsers: Commands, of_table: OfTable) -> None:
    """Add `par PACK`. `of_table` returns the rules of a table file."""
    text = "the exact odds of a rule pack: house edge, decisions, net results, side bets"
    parser = subparsers.add_parser("par", help=text, description=text)
    parser.add_argument("pack", metavar="PACK", help="a rule pack's key, a pack's file, or a table's")
    parser.add_argument("--json", action="store_true", help="for machines: shares and edges of 1")
    parser.add_argument("--html", type=Path, metavar="FILE", help="also one page to print, for no network")
    parser.add_argument(
        "--write", type=Path, metavar="FOLDER",
        help="keep the counts there, for a table without NumPy; default: beside FILE, or the user's cache",
    )  # fmt: skip
    add_questions(parser)
    parser.set_defaults(run=run_par, of_table=of_table)


def run_par(options: Namespace) -> int:
    """Run `crisscross par`. Returns 0; 1 if the odds cannot be counted here or a file cannot be written; 2
    if there is no valid pack or an option is not valid."""
    from controller.rules.odds.subject import NoNumPy, subject_of

    try:
        subject = subject_of(options.pack, options.of_table)
        if (why := option_mistake(options, subject.odds.multiples)) is not None:
            return refuse(why)
        made = counted(subject)
        made = _with_seen(subject, made) if options.html else made
    except Mistakes as mistakes:
        return refuse(mistakes)
    except NoNumPy as error:
        return refuse(f"{options.pack}: {error}", status=FAILED)
    kept = _keep(subject, made, options.write)
    figures = all_figures(subject, made)
    shown = _page(figures, options.html) if options.html else DONE
    if is_asked(options):
        return _answer(options, subject, made) or kept or shown
    _print(figures, as_json=options.json)
    return kept or shown


def _answer(options: Namespace, subject: Subject, made: CountedOdds) -> int:
    """Answer the questions besides the sheet, with a progress bar, and return the exit status."""
    from controller.common.extras import how_to_install

    progress = ProgressLine()
    try:
        found = answers(
            options, subject.odds, made.counts, lambda what, done, of: progress.show(bar(done, of, what))
        )
    except ImportError as error:
        if error.name != "numpy":
            raise
        needs = f"this is counted anew, which needs NumPy: {how_to_install('odds')}"
        return refuse(f"{options.pack}: {needs}", status=FAILED)
    finally:
        progress.clear()
    print(json.dumps(found) if options.json else answer_text(found))
    return DONE


def counted(subject: Subject) -> CountedOdds:
    """Return the odds of a pack, with a progress bar if they must be counted. Raises NoNumPy if they cannot
    be counted here, Mistakes if a file is not valid."""
    from controller.rules.odds.subject import load_or_count

    progress = ProgressLine()
    try:
        return load_or_count(subject, lambda done, of: progress.show(bar(done, of)))
    finally:
        progress.clear()


def _with_seen(subject: Subject, made: CountedOdds) -> CountedOdds:
    """Return the odds with the value of seeing each place of the cross too early. If no file has these
    values, they are computed in about a minute. Raises NoNumPy if they cannot be computed here.
    """
    from controller.rules.odds.subject import with_seen

    progress = ProgressLine()
    try:
        return with_seen(
            subject.odds, made, lambda what, done, of: progress.show(bar(done, of, f"cases, {what} seen"))
        )
    finally:
        progress.clear()


def bar(done: int, of: int, what: str = "kinds of hole", width: int = 40) -> str:
    """Return a progress bar: ``counting [#####     ] 85 of 169 kinds of hole``."""
    full = width * done // of
    return f"counting [{'#' * full}{' ' * (width - full)}] {done} of {of} {what}"


def all_figures(subject: Subject, made: CountedOdds) -> dict[str, Any]:
    """Return all figures for output, by the names in controller/COMMANDS.md."""
    from controller.rules.odds.figures import figures_of_pack

    odds, pack = subject.odds, subject.pack
    head = {
        "pack": pack.key, "title": pack.title, "text": pack.text, "rules_digest": pack.digest,
        "odds_digest": odds.digest, "bet_multiples": list(odds.multiples),
    }  # fmt: skip
    seen = [{"known": what, "expectation": worth} for what, worth in sorted(made.seen.items(), key=_second)]
    return {**head, **figures_of_pack(odds, made.counts, made.hands), "known_cards": seen}


def _second(pair: tuple[str, float]) -> float:
    return pair[1]


def _print(figures: dict[str, Any], *, as_json: bool) -> None:
    from controller.rules.odds.sheet import sheet

    print(json.dumps(figures) if as_json else sheet(figures))


def _keep(subject: Subject, made: CountedOdds, folder: Path | None) -> int:
    from controller.rules.odds.subject import keep

    try:
        kept = keep(subject, made, folder)
    except OSError as error:
        return refuse(
            f"{error.filename or folder}: the counts cannot be kept: {error.strerror}", status=FAILED
        )
    if kept is not None:
        print(f"counts kept in {kept}", file=sys.stderr)
    return DONE


def _page(figures: dict[str, Any], file: Path) -> int:
    from controller.rules.odds.page import odds_page

    try:
        file.write_text(odds_page(figures), encoding="utf-8")
    except OSError as error:
        return refuse(f"{file}: cannot be written: {error.strerror}", status=FAILED)
    return DONE
