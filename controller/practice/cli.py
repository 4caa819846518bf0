"""The command `practice` (controller/COMMANDS.md): its options and its exit status.

This module only parses options, so that `--help` is quick; all other modules are imported on use.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from controller.common.command_line import Commands
from controller.mock.cli import felt_page_port, speed, whole


def _trainee(text: str) -> str:
    from controller.practice.book import named

    try:
        return named(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def add_parser(subparsers: Commands) -> None:
    """Add the parser of `practice` to the program's commands."""
    practice = subparsers.add_parser("practice", help="deal drills at the felt, without hardware")
    add = practice.add_argument
    add("--trainee", type=_trainee, default="trainee", metavar="NAME", help="whose book it is")
    add("--theme", metavar="T", help="which drills; default: pushes")
    add("--rounds", type=whole(1, 1000), metavar="N", help="so many drills; default: each of the theme once")
    add("--rules", metavar="KEY", help="default: pennsylvania, or the first of the file")
    add("--scenario", metavar="FILE", help="deal the rounds of a scenario file instead of a theme")
    add("--book", metavar="FILE", help="default: crisscross/practice/NAME.jsonl under $XDG_DATA_HOME")
    add("--speed", type=speed, default=1.0, metavar="X", help="of devices and players: 1, or max")
    add("--seed", type=whole(0, 2**63), default=1, metavar="N", help="same seed, same order of drills")
    add("--port", type=whole(0, 65535), default=0, metavar="N", help="of the display; default: any free one")
    add("--bench-port", type=whole(0, 65535), metavar="N", help="of the felt; default: the display's + 1")
    add("--exam", action="store_true", help="the table stays silent and marks after the last drill")
    add("--list", action="store_true", help="the themes and the rule packs that they have drills for")
    practice.set_defaults(run=run_practice)


def run_practice(arguments: argparse.Namespace) -> int:
    """Run `crisscross practice` and return its exit status."""
    from controller.common.files.mistakes import Mistakes

    try:
        return _list() if arguments.list else _deal(arguments)
    except Mistakes as wrong:
        sys.stderr.write("".join(f"{line}\n" for line in wrong.lines))
        return 2


def _list() -> int:
    from controller.common.texts.catalogue import FIRST_LANGUAGE, catalogue
    from controller.practice.themes import packs_of, themes

    words = catalogue(FIRST_LANGUAGE).texts["practice"]["themes"]
    for name in themes():
        print(f"{name:<16} {words[name]['title']}: {words[name]['about']}")
        print(f"{'':<16} {', '.join(packs_of(name))}")
    return 0


def _deal(arguments: argparse.Namespace) -> int:
    from dataclasses import replace

    from controller.common.files.mistakes import Mistakes
    from controller.practice.book import default_path
    from controller.practice.run import PracticeOptions, run
    from controller.practice.themes import of_file, of_theme

    if arguments.scenario and arguments.theme:
        raise Mistakes(["crisscross practice: --scenario and --theme: allowed: one of them"])
    if arguments.scenario:
        course = of_file(Path(arguments.scenario), arguments.rules, arguments.speed, arguments.seed)
    else:
        rules = arguments.rules or "pennsylvania"
        course = of_theme(arguments.theme or "pushes", rules, arguments.speed, arguments.seed)
    course = replace(course, options=replace(course.options, port=arguments.port, exam=arguments.exam))
    book = Path(arguments.book) if arguments.book else default_path(arguments.trainee, os.environ)
    port = felt_page_port(arguments.port, arguments.bench_port)
    return run(PracticeOptions(course, arguments.trainee, book, arguments.rounds, port))
