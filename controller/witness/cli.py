"""`crisscross witness`: the key, the service and the feed of a witness. Options in, exit status out."""

from __future__ import annotations

import argparse
import logging
import os
import sys
from pathlib import Path

from controller.commands import Commands

DONE, FAILED, UNUSABLE = 0, 1, 2
ACTS = {
    "serve": "a witness: cosigns what tables send it, and nothing that is not what it saw before",
    "feed": "sends the checkpoints of a table to its witnesses, beside the daemon",
    "new-key": "a new key of a witness; prints what a table file takes as seal.witnesses.key",
}


def add_parser(subparsers: Commands) -> None:
    """`witness` among the commands of the program."""
    text = "another machine that signs what it has seen of a table's journal"
    witness = subparsers.add_parser("witness", help=text, description=text)
    acts = witness.add_subparsers(dest="act", required=True, metavar="|".join(ACTS))
    parsers = {name: acts.add_parser(name, help=words, description=words) for name, words in ACTS.items()}
    parsers["serve"].add_argument("file", type=Path, metavar="CONFIG.yaml", help="the file of the witness")
    parsers["feed"].add_argument("file", type=Path, metavar="TABLE.yaml", help="the table file")
    parsers["new-key"].add_argument("name", metavar="NAME", help="of the witness, as surveillance.example/w")
    parsers["new-key"].add_argument("file", type=Path, metavar="FILE", help="a new file for its secret")
    for name, work in (("serve", _serve), ("feed", _feed), ("new-key", _new_key)):
        parsers[name].set_defaults(run=work)


def _refuse(*lines: str, status: int = UNUSABLE) -> int:
    for line in lines:
        print(line, file=sys.stderr)
    return status


def _log_to_stderr() -> None:
    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    logging.getLogger("uvicorn").setLevel(logging.WARNING)


def _serve(arguments: argparse.Namespace) -> int:
    from controller.files.mistakes import Mistakes
    from controller.runtime.server import ServerError
    from controller.witness.serve import serve
    from controller.witness.settings import load_witness
    from controller.witness.store import StoreError

    _log_to_stderr()
    try:
        serve(load_witness(arguments.file))
    except Mistakes as mistakes:
        return _refuse(*mistakes.lines)
    except (ServerError, StoreError) as error:
        return _refuse(str(error), status=FAILED)
    return DONE


def _feed(arguments: argparse.Namespace) -> int:
    from controller.files.mistakes import Mistakes
    from controller.seal.cosigned import BadCosigned
    from controller.settings.config import load_config
    from controller.witness.feed import feed

    _log_to_stderr()
    try:
        config = load_config(arguments.file)
    except Mistakes as mistakes:
        return _refuse(*mistakes.lines)
    if not config.keys.seal.witnesses:
        return _refuse(f"{arguments.file}: seal.witnesses: none; allowed: a list of key and url")
    try:
        return DONE if feed(config) else FAILED
    except BadCosigned as error:
        return _refuse(str(error))


def _new_key(arguments: argparse.Namespace) -> int:
    from controller.seal.note import COSIGNATURE, BadNote, SigningKey

    try:
        key = SigningKey.new(arguments.name)
        handle = os.open(arguments.file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(f"{key.text(COSIGNATURE)}\n")
            file.flush()
            os.fsync(handle)
    except BadNote as error:
        return _refuse(f"crisscross witness new-key: {error}")
    except OSError as error:
        return _refuse(f"crisscross witness new-key: {arguments.file}: {error.strerror}")
    print(key.verifier(COSIGNATURE).text())
    return DONE
