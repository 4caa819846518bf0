"""`crisscross rules`: the rule packs for game management, each value with the section it comes from.

It prints the values that the loader has read, never the text of the file, so the output shows the values that
are played.
"""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path

from controller.common.command_line import Commands, refuse
from controller.common.files.mistakes import Mistakes
from controller.common.files.money import dollars
from controller.common.files.read_errors import read_error
from controller.common.files.yaml_lines import read_lines
from controller.game.model.names import Wager
from controller.game.model.rules import PayoutLimit, PayTable, RulePack, SettlementPass
from controller.rules.packs.flat import SIDE_BET_PAYS, flat
from controller.rules.packs.form import SECTION_OF
from controller.rules.packs.loader import OfTable, find_pack, load_pack, pack_files

MONEY_KEYS = ("minimum_ante", "maximum_ante", "bonus_minimum", "bonus_maximum")
SCENARIOS = Path("tests") / "scenarios"
"""Scenarios in a checkout. They are not installed with the program."""


def add_parser(subparsers: Commands, of_table: OfTable) -> None:
    """Add `rules list`, `rules show KEY`, `rules check FILE` and `rules trace KEY`. `of_table` returns the
    rules of a table file."""
    text = "rule packs, with the section each value comes from"
    commands = subparsers.add_parser("rules", help=text, description=text).add_subparsers(
        dest="rules", required=True, metavar="COMMAND"
    )
    listing = commands.add_parser("list", help="every rule pack that comes with the program")
    listing.set_defaults(run=run_list)
    show = commands.add_parser("show", help="every value of a pack and its section")
    show.add_argument("key", metavar="KEY", help="a rule pack's key, or a file")
    show.set_defaults(run=run_show)
    check = commands.add_parser("check", help="whether a rule pack, or a table file, keeps to its text")
    check.add_argument("file", type=Path, metavar="FILE")
    check.set_defaults(run=run_check, of_table=of_table)
    _add_trace(commands)
    for command in (listing, show):
        command.add_argument("--json", action="store_true", help="for machines; money in cents")


def _add_trace(commands: Commands) -> None:
    trace = commands.add_parser("trace", help="every section of a text and what shows it, as Markdown")
    trace.add_argument("key", metavar="KEY", help="a rule pack's key")
    trace.add_argument(
        "--scenarios", type=Path, default=SCENARIOS, metavar="FOLDER", help="default: tests/scenarios"
    )
    trace.set_defaults(run=run_trace)


def run_list(options: Namespace) -> int:
    """List the packs and return 0, or 1 if a pack that came with the program is not valid."""
    status = 0
    for path in pack_files().values():
        try:
            pack = load_pack(path)
        except Mistakes as mistakes:
            print(mistakes, file=sys.stderr)
            status = 1
            continue
        row = {"key": pack.key, "title": pack.title, "text": pack.text, "digest": pack.digest}
        print(json.dumps(row) if options.json else f"{pack.key:<16} {pack.title} ({pack.text})")
    return status


def run_show(options: Namespace) -> int:
    try:
        pack = load_pack(find_pack(options.key))
    except Mistakes as mistakes:
        return refuse(mistakes)
    if options.json:
        print(json.dumps(flat(pack)))
        return 0
    print(f"{pack.title}\n{pack.text}\n{pack.digest}\n")
    table = list(rows(pack))
    width = max(len(name) for name, _, _ in table)
    for name, value, citation in table:
        print(f"{name:<{width}}  {value}{'  ' if value else ''}[{citation}]")
    return 0


def run_check(options: Namespace) -> int:
    """Check a file and return 0 if it is valid, 1 with every mistake printed, or 2 if it cannot be read."""
    if (why := read_error(options.file)) is not None:
        return refuse(f"{options.file}:1: {why}; allowed: a rule pack's or a table's YAML")
    try:
        pack = _checked(options.file, options.of_table)
        wrong = _odds(options.file, options.of_table)
    except Mistakes as mistakes:
        return refuse(mistakes, status=1)
    if wrong:
        return refuse("\n".join(wrong), status=1)
    print(f"{options.file}: {pack.key}: every value has its section and keeps to its text ({pack.digest})")
    return 0


def _checked(file: Path, of_table: OfTable) -> RulePack:
    """Return the rules of a pack's file, or of a table file with the values that the table sets."""
    given = read_lines(file).data
    if not isinstance(given, Mapping) or "rules" not in given:
        return load_pack(file)
    return of_table(file)


def _odds(file: Path, of_table: OfTable) -> list[str]:
    """Return the mistakes in the odds of a valid pack, or one line if they cannot be computed here."""
    from controller.rules.odds import subject
    from controller.rules.odds.advantage import refusals
    from controller.rules.odds.cli import counted

    meant = subject.subject_of(str(file), of_table)
    try:
        made = counted(meant)
    except subject.NoNumPy as error:
        return [f"{file}:1: whether a perfect player would win is not known: {error}"]
    subject.keep_for_user(meant.odds, made)
    return refusals(file, meant.pack, made)


def run_trace(options: Namespace) -> int:
    """Print a trace and return 0, 1 if it has gaps, or 2 if there is no such pack or folder."""
    from controller.rules.packs import trace

    try:
        found = trace.load_trace(trace.trace_file(options.key))
        scenarios = trace.load_scenarios(options.scenarios)
        pack = load_pack(find_pack(options.key))
    except Mistakes as mistakes:
        return refuse(mistakes)
    print(trace.markdown(found, scenarios), end="")
    wrong = trace.trace_gaps(found, scenarios, pack)
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


def rows(pack: RulePack) -> Iterator[tuple[str, str, str]]:
    """Yield name, value as text and section of everything in a pack, in the order of the pack."""
    yield from _wagers(pack)
    for method, deal in pack.deals.items():
        for part, value in asdict(deal).items():
            yield _row(pack, f"deals.{method}.{part}", value)
    for name in (
        "fold_collected", "folded_cards", "folded_turned_for", "permit_touch", "cover_bonus",
        "cut_card_on_stub", "rack_cards",
    ):  # fmt: skip
        yield from _own(pack, name)
    for number, walk in enumerate(pack.settlement, start=1):
        yield f"settlement, walk {number}", _walk(walk), pack.cite("settlement")
    yield "payout_limit", _limit(pack.payout_limit), pack.cite("payout_limit")
    if pack.player_advantage:
        stated = pack.player_advantage
        of = ", ".join(f"{percent:.2f} % of {name}" for name, percent in stated.percent.items())
        yield "player_advantage", f"{of}: {stated.reason}", pack.cite("player_advantage")
    side_bets = {SIDE_BET_PAYS[wager]: table for wager, table in pack.side_bets.items()}
    for name, table in {"bet_pays": pack.bet_pays, "ante_pays": pack.ante_pays, **side_bets}.items():
        yield from _pays(pack, name, table)
    yield from _own(pack, "back_ups")
    yield _row(pack, "forfeits", pack.forfeits)
    for code, ruling in pack.rulings.items():
        yield f"rulings.{code}", ruling.outcome or "", ruling.citation
        for method, section in ruling.by_method.items():
            yield f"rulings.{code}.{method}", ruling.outcome or "", section
    for name in ("two_decks", "opening", "preshuffled_skips_opening", "no_activity", "cut_minimum"):
        yield _row(pack, name, getattr(pack, name))
    for method, minutes in pack.deck_minutes.items():
        yield _row(pack, f"deck_hours.{method}", None if minutes is None else minutes // 60)
    for name, citation in pack.citations.items():
        whole = name.partition(".")[0]
        if whole in ("results", "duties") or (whole in SECTION_OF and whole != name):
            yield name, "", citation


def _wagers(pack: RulePack) -> Iterator[tuple[str, str, str]]:
    yield _row(pack, "bonuses", pack.bonuses)
    for name in MONEY_KEYS:
        yield name, dollars(getattr(pack, name)), pack.cite(name)
    for name in ("bet_multiples", "whole_multiples", "six_card_bonus_equals_five", "adjacent_boxes"):
        yield from _own(pack, name)


def _pays(pack: RulePack, name: str, table: PayTable) -> Iterator[tuple[str, str, str]]:
    for line, odds in table.items():
        yield f"{name}.{line}", "push" if odds == "push" else f"{odds} to 1", pack.cite(name)


def _own(pack: RulePack, name: str) -> Iterator[tuple[str, str, str]]:
    """Yield the row of one value: name, value, section. Yields nothing if the pack does not have it."""
    if name in pack.citations:
        yield _row(pack, name, getattr(pack, name))


def _row(pack: RulePack, name: str, value: object) -> tuple[str, str, str]:
    return name, _words(value), pack.cite(name)


def _words(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "not set"
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "none"
    return str(value)


def _walk(walk: SettlementPass) -> str:
    groups = "; ".join(f"{'/'.join(verbs)} {_circles(wagers)}" for verbs, wagers in walk.groups)
    before = "turn the bonus cards, then " if walk.before == "bonus_cards" else ""
    return f"{before}seat 6 to 1: {groups}"


def _circles(wagers: tuple[Wager, ...]) -> str:
    return ", ".join(wagers)


def _limit(limit: PayoutLimit) -> str:
    bonus = "bonuses included" if limit.bonus_included else "bonuses not included"
    return f"{'not set' if limit.cents is None else dollars(limit.cents)}, {bonus}"
