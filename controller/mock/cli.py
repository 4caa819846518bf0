"""The commands `mock` and `scenario` (controller/COMMANDS.md): their options and their exit status.

This module only parses options, so that `--help` is quick; all other modules are imported on use.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from controller.common.command_line import Commands
from controller.common.extras import how_to_install
from controller.game.model.names import SEATS, Method

if TYPE_CHECKING:
    from controller.mock.run import Run

DEFAULT_SPEED = 0.0
"""Value of --speed if the option is absent: 1 on wires, max without wires."""

OPTIMAL = "optimal"
PROOFS = {"payouts_from": 100}
"""Section `proofs` of a mock table's file with --proofs."""
READ_DECK = ("bonus", "own_cards")
"""Kinds of cheating players who know cards before the deal."""
HANDS = ("one_hand", "other_hands")
"""Kinds of cheating players who know hands of other players."""
CHEATS = (
    "middle", "across_left", "across_right", "down_far", "down_near", "cross", *READ_DECK, *HANDS,
    "late_chips", "dealer_errors",
)  # fmt: skip
"""Kinds of cheating players. Most know too early a card of the cross, the complete cross (`cross`), cards
before the deal, or the hands of other players. One adds late chips on good cards. For one, the dealer's
errors favour the seat.
"""
DEFAULT_TABLES, MAX_TABLES = 2, 12
"""Default and largest number of mock tables of `--pit`. Each table takes five processes of some 60 MB."""


def speed(text: str) -> float | None:
    if text == "max":
        return None
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 10_000:
        raise argparse.ArgumentTypeError("a number above 0, or max")
    return value


def _share(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError("a number from 0 to 1")
    return value


def whole(low: int, high: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not text.lstrip("-").isdigit() or not low <= int(text) <= high:
            raise argparse.ArgumentTypeError(f"a whole number from {low} to {high}")
        return int(text)

    return read


def add_parser(subparsers: Commands) -> None:
    """Add the parsers of `mock` and `scenario` to the program's commands."""
    _add_mock(subparsers)
    _add_scenario(subparsers)


def _add_mock(subparsers: Commands) -> None:
    from controller.rules.packs.loader import pack_files

    mock = subparsers.add_parser("mock", help="the whole table without hardware")
    mock.add_argument("--rules", default="pennsylvania", metavar="KEY", help=", ".join(pack_files()))
    mock.add_argument("--method", choices=[str(m) for m in Method], help="way of dealing")
    mock.add_argument(
        "--seats", type=whole(1, len(SEATS)), default=len(SEATS), metavar="N", help="players at the table"
    )
    mock.add_argument("--rounds", type=whole(1, 10**9), metavar="N", help="end after N round records")
    mock.add_argument(
        "--speed",
        type=speed,
        default=DEFAULT_SPEED,
        metavar="X",
        help="1: what a person can follow; or max; default: 1, and max with --no-wires",
    )
    mock.add_argument(
        "--seed", type=whole(0, 2**63), metavar="N", help="same seed, same records but for times"
    )
    mock.add_argument("--headless", action="store_true", help="no display")
    mock.add_argument(
        "--json", action="store_true", help="one round record a line, nothing else on standard output"
    )
    _add_wires(mock)
    _add_people(mock)
    mock.add_argument("--journal", metavar="FILE", help="default: a new temporary one")
    mock.add_argument(
        "--port", type=whole(0, 65535), default=0, metavar="N", help="of the display; default: any free one"
    )
    mock.add_argument(
        "--bench-port", type=whole(0, 65535), metavar="N", help="of the felt; default: the display's + 1"
    )
    mock.add_argument("--manual", action="store_true", help="no simulated people: you are the dealer")
    _add_pit(mock)
    mock.set_defaults(run=run_mock)


def _add_wires(mock: argparse.ArgumentParser) -> None:
    from drivers.chips.kinds import DEFAULT, READER_KINDS

    mock.add_argument("--shoe", metavar="PORT", help="a real or third-party shoe")
    mock.add_argument(
        "--link", type=int, choices=(1, 2), default=1, help="2: the shoe proves itself, cards travel sealed"
    )
    mock.add_argument(
        "--readers",
        choices=list(READER_KINDS),
        default=DEFAULT,
        help="how they are wired; default: %(default)s",
    )
    mock.add_argument(
        "--proofs", action="store_true", help="chips prove that they are no copies; one is a copy"
    )
    mock.add_argument(
        "--no-wires", action="store_true", help="simulated devices at the drivers' ports: for volume"
    )


def _add_pit(mock: argparse.ArgumentParser) -> None:
    mock.add_argument("--pit", action="store_true", help="several tables, a broker and the pit's page")
    mock.add_argument(
        "--tables", type=whole(1, MAX_TABLES), metavar="N", help=f"with --pit: default {DEFAULT_TABLES}"
    )
    words = "with --pit: of the pit's page; default: any free one"
    mock.add_argument("--pit-port", type=whole(0, 65535), metavar="N", help=words)


def _add_people(mock: argparse.ArgumentParser) -> None:
    mock.add_argument(
        "--players", choices=("random", OPTIMAL), default="random",
        help="how they decide; optimal: each decision is the best one, by the odds",
    )  # fmt: skip
    mock.add_argument(
        "--cheat", choices=CHEATS, metavar="KIND",
        help=f"how the player at --seat or the dealer cheats, for crisscross evidence: {', '.join(CHEATS)}",
    )  # fmt: skip
    mock.add_argument("--seat", type=whole(1, len(SEATS)), metavar="N", help="with --cheat: default 1")
    mock.add_argument("--mischief", type=_share, default=0.0, metavar="P", help="0 to 1: players misbehave")
    mock.add_argument("--clumsy", type=_share, default=0.0, metavar="P", help="0 to 1: the dealer errs")
    mock.add_argument("--voids", type=_share, default=0.0, metavar="P", help="0 to 1: rounds are stopped")


def _add_scenario(subparsers: Commands) -> None:
    scenario = subparsers.add_parser("scenario", help="play scripted input, check what it expects")
    scenario.add_argument("files", nargs="+", metavar="FILE", help="scenario files")
    scenario.add_argument("--rules", metavar="PACK", help="default: every rule pack that a scenario names")
    scenario.add_argument("--json", action="store_true", help="round records and results, one a line")
    scenario.add_argument(
        "--keep-going",
        action="store_true",
        help="go on after a scenario that failed or cannot be used",
    )
    scenario.add_argument("--speed", type=speed, default=None, metavar="X", help="default: max")
    scenario.add_argument("--no-wires", action="store_true", help="simulated devices at the drivers' ports")
    scenario.set_defaults(run=run_scenario)


def _unusable(words: str) -> int:
    sys.stderr.write(words + "\n")
    return 2


def run_mock(arguments: argparse.Namespace) -> int:
    """Run `crisscross mock` and return its exit status."""
    from controller.mock.bench.options import MockOptions
    from controller.mock.bench.table_file import mistakes
    from controller.mock.run import Run, run

    pace = arguments.speed if arguments.speed != DEFAULT_SPEED else None if arguments.no_wires else 1.0
    options = MockOptions(
        rules=arguments.rules,
        method=Method(arguments.method) if arguments.method else None,
        seed=_seed(arguments),
        speed=None if arguments.no_wires else pace,
        shoe_port=arguments.shoe,
        journal=Path(arguments.journal) if arguments.journal else None,
        port=arguments.port,
        wires=not arguments.no_wires,
        link=arguments.link,
        readers=arguments.readers,
        config={"proofs": PROOFS} if arguments.proofs else {},
    )
    if wrong := [*_contradictions(arguments), *mistakes(options)]:
        return _unusable("\n".join(f"crisscross mock: {line}" for line in wrong))
    if arguments.seed is None:
        sys.stderr.write(f"seed {options.seed}\n")
    wanted = Run(
        options, arguments.seats, arguments.rounds, arguments.headless, arguments.json,
        arguments.mischief, arguments.clumsy, arguments.voids, arguments.manual, pace,
        felt_page_port(arguments.port, arguments.bench_port), arguments.players == OPTIMAL,
        (arguments.seat or 1) if arguments.cheat else None, arguments.cheat or CHEATS[0],
    )  # fmt: skip
    return _run_pit(arguments, wanted) if arguments.pit else run(wanted)


def _run_pit(arguments: argparse.Namespace, run: Run) -> int:
    from controller.mock.pit.broker import PACKAGE, program
    from controller.mock.pit.floor import FloorOptions
    from controller.mock.pit.floor import run as run_floor

    if (broker := program()) is None:
        return _unusable(
            f"crisscross mock: --pit needs the MQTT broker Mosquitto: sudo apt-get install {PACKAGE}"
        )
    return run_floor(FloorOptions(run, arguments.tables or DEFAULT_TABLES, broker, arguments.pit_port or 0))


def felt_page_port(display: int, felt: int | None) -> int:
    """Return the felt's port: `felt` if it is given, else the port after a fixed display port, else 0 (any
    free port)."""
    if felt is not None:
        return felt
    return display + 1 if 0 < display < 65535 else 0


def _seed(arguments: argparse.Namespace) -> int:
    if arguments.seed is not None:
        return int(arguments.seed)
    return random.SystemRandom().randrange(2**31)


def _contradictions(arguments: argparse.Namespace) -> list[str]:
    from drivers.chips.kinds import DEFAULT

    wrong = []
    if arguments.no_wires and arguments.shoe:
        wrong.append("--shoe needs wires; leave --no-wires out")
    if arguments.link != 1 and (arguments.no_wires or arguments.shoe):
        wrong.append("--link 2 needs wires and the simulated shoe; leave --no-wires and --shoe out")
    if arguments.no_wires and arguments.readers != DEFAULT:
        wrong.append(f"--readers {arguments.readers} needs wires; leave --no-wires out")
    if arguments.no_wires and arguments.manual:
        wrong.append("--manual needs wires; leave --no-wires out")
    if arguments.manual and arguments.headless:
        wrong.append("--manual needs the display; leave --headless out")
    if arguments.shoe and arguments.method == "hand":
        wrong.append("--shoe: from the hand no shoe deals; allowed: a method with a shoe")
    return [*wrong, *_contradictions_of_players(arguments), *_pit_contradictions(arguments)]


def _contradictions_of_players(arguments: argparse.Namespace) -> list[str]:
    wrong = []
    counting = {"--players optimal": arguments.players == OPTIMAL, "--cheat": arguments.cheat is not None}
    for option in (option for option, given in counting.items() if given):
        if arguments.shoe:
            wrong.append(f"{option} needs the simulated shoe, whose cards players see; leave --shoe out")
        if find_spec("numpy") is None:
            wrong.append(f"{option} needs NumPy: {how_to_install('odds')}")
    if arguments.cheat and arguments.manual:
        wrong.append("--cheat needs simulated people; leave --manual out")
    if arguments.cheat in READ_DECK and arguments.method == Method.HAND:
        wrong.append(f"--cheat {arguments.cheat} needs a shoe, whose deck is read; leave --method hand out")
    if arguments.cheat in HANDS and (arguments.seat or 1) + 1 >= arguments.seats:
        wrong.append(
            f"--cheat {arguments.cheat} needs two seats after the cheat's, because one patron may play the "
            "next box too; choose a lower --seat or more --seats"
        )
    if arguments.seat is not None and not arguments.cheat:
        wrong.append("--seat is for --cheat; add --cheat middle")
    if arguments.seat is not None and arguments.seat > arguments.seats:
        wrong.append(f"--seat {arguments.seat}: allowed: 1 to {arguments.seats}, the seats of --seats")
    return wrong


def _pit_contradictions(arguments: argparse.Namespace) -> list[str]:
    if not arguments.pit:
        given = {"--tables": arguments.tables, "--pit-port": arguments.pit_port}
        return [f"{option} is for --pit; add --pit" for option, value in given.items() if value is not None]
    wrong = []
    if arguments.no_wires:
        wrong.append("--pit needs wires; leave --no-wires out")
    if arguments.shoe:
        wrong.append("--shoe is for one table; leave --pit out")
    if arguments.bench_port is not None:
        wrong.append("--bench-port is for one table; with --pit each felt has the port after its display's")
    if arguments.port and arguments.port + 2 * (arguments.tables or DEFAULT_TABLES) > 65536:
        wrong.append("--port: each table of --pit takes two ports from there on; allowed: a lower one")
    if find_spec("paho") is None:
        wrong.append(f"--pit needs paho-mqtt: {how_to_install('pit')}")
    return wrong


def run_scenario(arguments: argparse.Namespace) -> int:
    """Run `crisscross scenario` and return its exit status."""
    from controller.mock.scenario.runner import run

    files = [Path(name) for name in arguments.files]
    return run(
        files, rules=arguments.rules, as_json=arguments.json, keep_going=arguments.keep_going,
        speed=arguments.speed, wires=not arguments.no_wires,
    )  # fmt: skip


__all__ = ["add_parser", "run_mock", "run_scenario"]
