"""The program `crisscross`: chooses the command and returns its exit status (controller/COMMANDS.md).

Exit status 0: done; 1: failed or not valid; 2: unusable input, reported in one line. Each area has its own
`add_parser`; only the area of the named command is imported, so that a command starts quickly.
"""

from __future__ import annotations

import argparse
import errno
import io
import os
import platform
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from controller.common.command_line import Commands, Parser
from controller.common.process.garbage_collection import collect_rarely

if TYPE_CHECKING:
    from controller.game.model.rules import RulePack

FAILED = 1
USED_UP = (errno.EMFILE, errno.ENFILE, errno.ENOMEM)
FULL = (errno.ENOSPC, errno.EDQUOT)
NO_FILES = os.strerror(errno.EMFILE)
NO_ROOM = ("failed to map segment", os.strerror(errno.ENOMEM), NO_FILES)
"""Texts by which the loader reports that a library did not fit into memory."""
INTERRUPTED = 130
"""Exit status after SIGINT: 128 and the number of the signal, as in shells."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status. Without `arguments` they are those of the process, which
    runs nothing else.
    """
    if arguments is None:
        collect_rarely()
    _open_closed_streams()
    _replace_unencodable()
    os.environ["PYDANTIC_DISABLE_PLUGINS"] = "__all__"  # none is looked for, here or in a process of ours
    given = sys.argv[1:] if arguments is None else list(arguments)
    try:
        if not given:
            print(parser_for(given).format_help(), end="", file=sys.stderr)
            return 2
        try:
            parsed = parser_for(given).parse_args(given)
            status = int(parsed.run(parsed))
        finally:  # also after --help, which ends by SystemExit
            sys.stdout.flush()
    except BrokenPipeError:
        return _discard_output()
    except KeyboardInterrupt:
        return INTERRUPTED
    except (OSError, MemoryError, ImportError) as error:
        return _used_up(error)
    return status


def _open_closed_streams() -> None:
    """Open the null device for each standard stream that the caller closed. Otherwise a file of this program
    could get the descriptor of that stream.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115  # until the end


def _replace_unencodable() -> None:
    """Print `?` for a character that the terminal's encoding lacks, instead of raising an error."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def _discard_output() -> int:
    """Redirect standard output to the null device, so that the interpreter does not report at its end that it
    cannot write. Return the exit status.
    """
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
    return FAILED


def _used_up(error: OSError | MemoryError | ImportError) -> int:
    """Report in one line that disk, memory or open files are used up, and return the exit status. Raises any
    other error.
    """
    if isinstance(error, OSError) and error.errno in FULL:
        print("crisscross: no more room on the disk can be had; make room, and do it again", file=sys.stderr)
        return _discard_output()
    if isinstance(error, OSError) and error.errno not in USED_UP:
        raise error
    if isinstance(error, ImportError) and not any(words in str(error) for words in NO_ROOM):
        raise error
    files = str(error).endswith(NO_FILES) or (isinstance(error, OSError) and error.errno != errno.ENOMEM)
    what = "open files" if files else "memory"
    print(f"crisscross: no more {what} can be had; see what else runs, or raise the limit", file=sys.stderr)
    return FAILED


def parser_for(given: Sequence[str]) -> argparse.ArgumentParser:
    """Return the parser of the named command, or of all commands if none is named."""
    parser = Parser(prog="crisscross", description="Table controller for Criss-Cross Poker.")
    parser.add_argument("--version", action=_Version, nargs=0, help="which program and which rules these are")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    meant = given[0] if given else ""
    chosen = [area for area, names in AREAS.items() if meant in names] or list(AREAS)
    for area in chosen:
        area(commands)
    return parser


class _Version(argparse.Action):
    """`--version`: the program and each rule pack, with their digests."""

    def __call__(self, parser: argparse.ArgumentParser, *_rest: object) -> NoReturn:
        from controller.common.files.program import digest, version
        from controller.rules.packs.loader import load_pack, pack_files

        print(f"crisscross {version()}\n{'program':<16} {digest()}")
        for key, file in pack_files().items():
            print(f"{key:<16} {load_pack(file).digest}")
        print(f"{'Python':<16} {platform.python_version()}, {platform.platform()}")
        parser.exit()


def _of_table(file: Path) -> RulePack:
    """Return the rules of a table file. Raises Mistakes."""
    from controller.settings.config import load_config

    return load_config(file).pack


def _runtime(commands: Commands) -> None:
    from controller.table.daemon.cli import add_parser

    add_parser(commands)


def _shoe(commands: Commands) -> None:
    from controller.table.commissioning.pair_shoe import add_parser

    add_parser(commands)


def _mock(commands: Commands) -> None:
    from controller.mock.cli import add_parser

    add_parser(commands)


def _commissioning(commands: Commands) -> None:
    from controller.table.commissioning.cli import add_parser

    add_parser(commands)


def _practice(commands: Commands) -> None:
    from controller.practice.cli import add_parser

    add_parser(commands)


def _simulate(commands: Commands) -> None:
    from controller.mock.simulate import add_parser

    add_parser(commands)


def _rounds(commands: Commands) -> None:
    from controller.record.audit.rounds_cli import add_parser

    add_parser(commands)


def _proof(commands: Commands) -> None:
    from controller.record.audit.verify_cli import add_parser

    add_parser(commands)


def _reference(commands: Commands) -> None:
    from controller.reference.cli import add_parser

    add_parser(commands)


def _packs(commands: Commands) -> None:
    from controller.rules.rules_cli import add_parser

    add_parser(commands, _of_table)


def _odds(commands: Commands) -> None:
    from controller.rules.odds.cli import add_parser

    add_parser(commands, _of_table)


def _evidence(commands: Commands) -> None:
    from controller.evidence.cli import add_parser

    add_parser(commands)


def _chips(commands: Commands) -> None:
    from controller.mock import secure_module_cli
    from controller.table.chips.cli import add_parser

    secure_module_cli.add_act(add_parser(commands, secure_module_cli.ACT))


def _people(commands: Commands) -> None:
    from controller.settings.people.cli import add_parser

    add_parser(commands)


def _journal(commands: Commands) -> None:
    from controller.record.journal.cli import add_parser

    add_parser(commands)


def _witness(commands: Commands) -> None:
    from controller.record.witness.cli import add_parser

    add_parser(commands)


def _pit(commands: Commands) -> None:
    from controller.floor.pit.cli import add_parser

    add_parser(commands, _of_table)


def _uplink(commands: Commands) -> None:
    from controller.floor.uplink.cli import add_parser

    add_parser(commands)


def _keeping(commands: Commands) -> None:
    from controller.record.backup.cli import add_parser

    add_parser(commands)


AREAS = {
    _runtime: ("run", "pages", "lamps-off"),
    _commissioning: ("check",),
    _mock: ("mock", "scenario"),
    _practice: ("practice",),
    _simulate: ("simulate",),
    _shoe: ("shoe",),
    _journal: ("journal",),
    _keeping: ("backup", "restore", "archive"),
    _reference: ("states", "view"),
    _rounds: ("rounds",),
    _proof: ("verify", "seal"),
    _packs: ("rules",),
    _odds: ("par",),
    _evidence: ("evidence",),
    _chips: ("chips",),
    _people: ("people",),
    _witness: ("witness",),
    _uplink: ("uplink",),
    _pit: ("pit",),
}
"""Modules that add the commands, in the order of --help."""
