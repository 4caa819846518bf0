"""Feed for a user that may open no file of the table: it reads everything over a Unix socket
(`checkpoint_server.py`).
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from controller.common.ipc.rpc import NoAnswer, RpcClient, RpcFailed, closing_client
from controller.common.tlog.note import BadNote, Note, VerifierKey
from controller.record.journal.schema import JournalError
from controller.record.seal.cosigned import CosignedLine
from controller.record.witness.add_request import AddRequest
from controller.record.witness.feed import Feeder, KnownWitness, StopRequest, run_feeders
from controller.record.witness.journal_reader import Newest

_T = TypeVar("_T")
log = logging.getLogger("crisscross.feed")

_RETRY_DELAY_S = 1.0
"""Delay between two requests for the witnesses while the server is unavailable, in seconds."""


class RemoteSource:
    """Checkpoints of one journal, from the process that may read it. Any thread may use it."""

    def __init__(self, client: RpcClient) -> None:
        self._client = client

    def witnesses(self) -> list[KnownWitness]:
        """Return the witnesses of the table file. Raises JournalError if the server cannot read the journal,
        NoAnswer if it is unavailable."""
        return _read(
            self._ask("witnesses"),
            lambda found: [
                KnownWitness(VerifierKey.parse(each["key"]), str(each["url"]), int(each["size"]))
                for each in found
            ],
        )

    def newest(self) -> Newest | None:
        return _read(
            self._ask("newest"), lambda found: found and Newest(int(found["size"]), Note.parse(found["note"]))
        )

    def ask_for(self, checkpoint: Newest, seen: int) -> AddRequest:
        proof = self._ask("proof", note=str(checkpoint.note), size=checkpoint.size, seen=seen)
        return _read(
            proof, lambda found: AddRequest.of(seen, [bytes.fromhex(each) for each in found], checkpoint.note)
        )

    def keep(self, line: CosignedLine) -> None:
        self._ask("keep", line=line.text().removesuffix("\n"))

    def _ask(self, method: str, **values: Any) -> Any:  # noqa: ANN401  # JSON
        try:
            return self._client.ask(method, **values)
        except RpcFailed as error:
            raise JournalError(str(error)) from None


def _read(found: Any, made: Callable[[Any], _T]) -> _T:  # noqa: ANN401  # JSON
    try:
        return made(found)
    except (BadNote, LookupError, TypeError, ValueError):
        raise JournalError("the other end is of another version; restart both services") from None


def feed_from(at: Path, stop: StopRequest) -> bool:
    """Feed from the socket `at` until `stop` is set. Returns False if a feeder ended earlier. Raises
    JournalError if the server cannot read the journal."""
    with closing_client(at) as client:
        source = RemoteSource(client)
        found = _witnesses(source, stop)
        return run_feeders([Feeder(source, each.key, each.url, seen=each.size) for each in found], stop)


def _witnesses(source: RemoteSource, stop: StopRequest) -> list[KnownWitness]:
    """Return the witnesses once the server answers, or none if `stop` is set before that."""
    warned = False
    while not stop.event.is_set():
        try:
            return source.witnesses()
        except NoAnswer as error:
            if not warned:
                log.warning("%s; waiting for `crisscross witness checkpoints`", error)
            warned = True
            stop.event.wait(_RETRY_DELAY_S)
    return []
