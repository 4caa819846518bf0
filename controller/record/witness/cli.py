"""`crisscross witness`: the key, the service and the feed of a witness."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from controller.common.command_line import DONE, FAILED, Commands, log_to_stderr, refuse

if TYPE_CHECKING:
    from controller.settings.config import TableConfig

FEED = "crisscross-feed"
"""User of `witness feed` on a real table (systemd/crisscross.sysusers.conf)."""
_ACTS = {
    "serve": "a witness: cosigns what tables send it, and nothing that is not what it saw before",
    "feed": "sends the checkpoints of a table to its witnesses, beside the daemon",
    "checkpoints": "gives the feed of another user what it sends; has no network",
    "new-key": "a new key of a witness; prints what a table file takes as seal.witnesses.key",
}


def add_parser(subparsers: Commands) -> None:
    """Add the command `witness`."""
    text = "another machine that signs what it has seen of a table's journal"
    witness = subparsers.add_parser("witness", help=text, description=text)
    acts = witness.add_subparsers(dest="act", required=True, metavar="|".join(_ACTS))
    parsers = {name: acts.add_parser(name, help=words, description=words) for name, words in _ACTS.items()}
    parsers["serve"].add_argument("file", type=Path, metavar="CONFIG.yaml", help="the file of the witness")
    _add_sockets(parsers["feed"], parsers["checkpoints"])
    parsers["new-key"].add_argument("name", metavar="NAME", help="of the witness, as surveillance.example/w")
    parsers["new-key"].add_argument("file", type=Path, metavar="FILE", help="a new file for its secret")
    works = {"serve": _serve, "feed": _feed, "checkpoints": _checkpoints, "new-key": _new_key}
    for name, work in works.items():
        parsers[name].set_defaults(run=work)


def _add_sockets(feed: argparse.ArgumentParser, checkpoints: argparse.ArgumentParser) -> None:
    source = feed.add_mutually_exclusive_group(required=True)
    words = "the table file, as the journal's own user"
    source.add_argument("file", type=Path, nargs="?", metavar="TABLE.yaml", help=words)
    words = "the socket of `witness checkpoints`, as a user who may open no file of the table"
    source.add_argument("--socket", type=Path, metavar="SOCKET", help=words)
    checkpoints.add_argument("file", type=Path, metavar="TABLE.yaml", help="the table file")
    words = "the Unix socket at which the feed is answered"
    checkpoints.add_argument("--socket", type=Path, required=True, metavar="SOCKET", help=words)
    words = "who may connect to that socket; default: %(default)s"
    checkpoints.add_argument("--socket-user", default=FEED, metavar="USER", help=words)


def _log_to_stderr() -> None:
    log_to_stderr()


def _serve(arguments: argparse.Namespace) -> int:
    from controller.common.files.mistakes import Mistakes
    from controller.common.http.server import ServerError
    from controller.record.witness.serve import serve
    from controller.record.witness.settings import load_witness
    from controller.record.witness.store import StoreError

    _log_to_stderr()
    try:
        serve(load_witness(arguments.file))
    except Mistakes as mistakes:
        return refuse(*mistakes.lines)
    except (ServerError, StoreError) as error:
        return refuse(str(error), status=FAILED)
    return DONE


def _feed(arguments: argparse.Namespace) -> int:
    from controller.record.journal.schema import JournalError
    from controller.record.witness.feed import feed, stop_on_signal
    from controller.record.witness.remote_reader import feed_from

    _log_to_stderr()
    if arguments.socket is None:
        return _with_witnesses(arguments.file, lambda config: DONE if feed(config) else FAILED)
    try:
        return DONE if feed_from(arguments.socket, stop_on_signal()) else FAILED
    except JournalError as error:
        return refuse(str(error), status=FAILED)


def _checkpoints(arguments: argparse.Namespace) -> int:
    from controller.common.ipc.unix_socket import UnknownUser, user_id
    from controller.record.witness.checkpoint_server import serve
    from controller.record.witness.feed import stop_on_signal

    _log_to_stderr()
    try:
        user = user_id(arguments.socket_user)
    except UnknownUser as error:
        return refuse(f"crisscross witness checkpoints: --socket-user: {error}")

    def work(config: TableConfig) -> int:
        try:
            serve(config, arguments.socket, user, stop_on_signal())
        except OSError as error:
            words = f"socket {arguments.socket}: {error.strerror}; see /usr/lib/tmpfiles.d/crisscross.conf"
            return refuse(words, status=FAILED)
        return DONE

    return _with_witnesses(arguments.file, work)


def _with_witnesses(file: Path, work: Callable[[TableConfig], int]) -> int:
    """Load the table file and return the exit status of `work`, which is called only if the file names
    witnesses."""
    from controller.common.files.mistakes import Mistakes
    from controller.record.seal.cosigned import BadCosigned
    from controller.settings.config import load_config

    try:
        config = load_config(file)
    except Mistakes as mistakes:
        return refuse(*mistakes.lines)
    if not config.keys.seal.witnesses:
        return refuse(f"{file}: seal.witnesses: none; allowed: a list of key and url")
    try:
        return work(config)
    except BadCosigned as error:
        return refuse(str(error))


def _new_key(arguments: argparse.Namespace) -> int:
    from controller.common.files.secret_file import write_new_secret
    from controller.common.tlog.note import COSIGNATURE, BadNote, SigningKey

    try:
        key = SigningKey.new(arguments.name)
        write_new_secret(arguments.file, key.text(COSIGNATURE))
    except BadNote as error:
        return refuse(f"crisscross witness new-key: {error}")
    except OSError as error:
        return refuse(f"crisscross witness new-key: {arguments.file}: {error.strerror}")
    print(key.verifier(COSIGNATURE).text())
    return DONE
