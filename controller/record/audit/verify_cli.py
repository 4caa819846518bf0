"""`crisscross verify` and `seal`: verification of a journal, its witnesses, and its keys.

Exit status 0: verified; 1: the journal differs from its seal; 2: it cannot be read or compared.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from controller.common.command_line import Commands, refuse
from controller.common.terminal import to_disk

if TYPE_CHECKING:
    from controller.common.tlog.note import VerifierKey
    from controller.record.audit.integrity import Verified
    from controller.record.audit.proof.sealed import Trust
    from controller.record.journal.completeness import FileCounts

VERIFIED, DIFFERS = 0, 1


class UnusableJournal(Exception):
    """Raised if an input besides the journal cannot be used. The message is one line."""


def add_parser(subparsers: Commands) -> None:
    """Add the commands `verify` and `seal`."""
    text = "verify that a journal is as its table signed it, and that a replay gives its rounds"
    verify = subparsers.add_parser("verify", help=text, description=text)
    verify.add_argument("journal", type=Path, nargs="?", metavar="JOURNAL", help="or archives alone")
    verify.add_argument(
        "--archive", type=Path, nargs="+", action="extend", default=[], metavar="FILE",
        help="the archives of the journal: without them one that begins later is not whole",
    )  # fmt: skip
    verify.add_argument(
        "--key", metavar="KEY", help="the table's public key, or a file with it; left out: that of the "
        "folder beside the journal, which proves nothing against a user who may write there",
    )  # fmt: skip
    verify.add_argument(
        "--first",
        type=Path,
        metavar="FILE",
        help="with the first key, as `crisscross seal hand-over` gave it",
    )
    verify.add_argument(
        "--told", type=Path, action="append", default=[], metavar="FILE",
        help="a checkpoint that was kept elsewhere, as a witness gives it out",
    )  # fmt: skip
    verify.add_argument(
        "--witness",
        action="append",
        default=[],
        metavar="KEY",
        help="a witness's public key, or a file with it",
    )
    verify.set_defaults(run=_verify)
    _add_seal(subparsers)


def _add_seal(subparsers: Commands) -> None:
    text = "the keys that a journal is signed and sealed with"
    seal = subparsers.add_parser("seal", help=text, description=text)
    acts = seal.add_subparsers(dest="act", required=True, metavar="key|hand-over")
    once = "the first key, once, for the auditor; the machine does not keep it after that"
    for name, words, work in (
        ("key", "the table's public key, for verification", _public),
        ("hand-over", once, _hand_over),
    ):
        act = acts.add_parser(name, help=words, description=words)
        act.add_argument("journal", type=Path, metavar="JOURNAL")
        act.add_argument(
            "--keys", type=Path, metavar="FOLDER", help="`seal.keys` of the table file, if it has one"
        )
        act.set_defaults(run=_seal, work=work)


def _seal(args: argparse.Namespace) -> int:
    from controller.record.journal.files import default_keys
    from controller.record.seal.keys import KeysError

    try:
        args.work(args.keys or default_keys(args.journal))
    except KeysError as error:
        return refuse(error)
    return VERIFIED


def _public(folder: Path) -> None:
    from controller.record.seal.keys import public_key

    print(public_key(folder))


def _hand_over(folder: Path) -> None:
    from controller.record.seal.keys import hand_over

    with hand_over(folder) as first:
        print(first)
        to_disk(sys.stdout)


def _verify(args: argparse.Namespace) -> int:
    from controller.record.journal.completeness import read_counts
    from controller.record.journal.files import reading
    from controller.record.journal.schema import JournalError

    if args.journal is None and not args.archive:
        return refuse("crisscross verify: JOURNAL: missing; allowed: a journal, or --archive FILE")
    counts = read_counts(args.journal or args.archive[-1])
    try:
        for file in [*args.archive, *([args.journal] if args.journal else [])]:
            with reading(file):
                pass
        trust = _trust(args)
    except (JournalError, UnusableJournal) as error:
        return refuse(error)
    try:
        for line in _verified_lines(args, trust, counts):
            print(line)
    except JournalError as error:
        return refuse(error, status=DIFFERS)
    return VERIFIED


def _verified_lines(args: argparse.Namespace, trust: Trust, counts: FileCounts) -> Iterator[str]:
    """Yield the lines of the report on all verified files. Raises JournalError before the first line."""
    from controller.record.audit.integrity import verify_archives, verify_journal
    from controller.record.journal.completeness import missing
    from controller.record.journal.files import reading
    from controller.record.journal.schema import JournalError

    if args.journal is None:
        for file, verified in zip(trust.archives, verify_archives(trust), strict=True):
            yield from _lines(file, args, trust, verified, known=True)
        return
    verified = verify_journal(args.journal, trust)
    with reading(args.journal) as db:
        lack = missing(db, counts)
    if lack is not None:
        raise JournalError(lack.advice(args.journal))
    yield from _lines(args.journal, args, trust, verified, known=counts.rows is not None)


def _trust(args: argparse.Namespace) -> Trust:
    from controller.common.tlog.note import BadNote, Note
    from controller.record.audit.proof.sealed import Trust
    from controller.record.journal.files import default_keys
    from controller.record.seal.cosigned import BadCosigned, cosignatures_path, read_lines
    from controller.record.seal.keys import PUBLIC

    journal = args.journal or args.archive[-1]
    own = default_keys(journal) / PUBLIC
    named = args.key or (str(own) if own.exists() else None)
    try:
        return Trust(
            _key(named) if named else None,
            bytes.fromhex(args.first.read_text(encoding="ascii")) if args.first else None,
            [Note.parse(file.read_bytes()) for file in args.told],
            [_key(each) for each in args.witness],
            read_lines(cosignatures_path(journal)) if args.witness else (),
            args.archive,
        )
    except OSError as error:
        raise UnusableJournal(f"crisscross verify: {error.filename}: {error.strerror}") from None
    except (BadNote, BadCosigned) as error:
        raise UnusableJournal(f"crisscross verify: {error}") from None
    except ValueError:
        raise UnusableJournal(
            f"crisscross verify: --first {args.first}: allowed: 64 hexadecimal digits"
        ) from None


def _key(text: str) -> VerifierKey:
    """Return the public key. `text`: the key itself, or the name of a file with it."""
    from controller.common.tlog.note import VerifierKey

    file = Path(text)
    return VerifierKey.parse(file.read_text(encoding="utf-8").strip() if file.is_file() else text)


def _lines(
    name: Path, args: argparse.Namespace, trust: Trust, verified: Verified, *, known: bool
) -> Iterable[str]:
    """Yield the lines of the report on one verified file: its rows and rounds, its history, and who signed it
    up to which row. `known`: whether another file records the number of its rows, so that a missing end would
    have been noticed."""
    until = f", until {verified.until}" if verified.until else ""
    end = (
        "" if known else f"; it ends at row {verified.last}, and no .lock beside it says whether it had more"
    )
    yield f"{name}: {verified.rows} events without a gap, {verified.rounds} rounds replayed{until}{end}"
    if verified.sealed:
        sealed = f"the last {verified.sealed} events belong to a round that has not ended, and are sealed"
        yield f"{name}: {sealed}"
    for act in verified.acts:
        yield f"{name}: {act.act} at row {act.seq} {act.utc} by {act.who or 'an unnamed account'}"
    proven = verified.proven
    if proven is None:
        yield f"{name}: has no seal: nothing shows who wrote it"
        return
    by = "the key given" if args.key else "the key beside it, which its keeper can exchange: give --key"
    if trust.key is None:
        yield f"{name}: has checkpoints up to row {proven.signed}; without --key no signature was verified"
    else:
        yield f"{name}: signed by the table up to row {proven.signed}, by {by}"
    if proven.sealed:
        yield f"{name}: each round was sealed by the key of its day"
    for witness, row in proven.witnessed.items():
        yield f"{name}: seen by {witness} up to row {row}"
