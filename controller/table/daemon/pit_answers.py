"""Socket of the daemon for a pit's answer to a call or a hold: "on my way".

`JOURNAL.answers` beside the journal accepts the table's own user only (`controller/common/ipc`), the user of
`crisscross uplink tell`. Its one request shows an answer and journals it (`game/phases/on_the_way.py`). It
must never press a key, decide anything, or delay a card's ACK: each connection has its own thread, and the
engine takes an answer from its inbox like any touch.
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from controller.common.ipc.rpc import (
    BadRequest,
    Methods,
    RpcFailed,
    RpcServer,
    Values,
    closing_client,
    text_value,
)
from controller.common.ipc.unix_socket import listen
from controller.game.model.events import FloorOnTheWay
from controller.game.rulebook.wagers import Refusal
from controller.table.engine.engine import FAULTED
from controller.table.engine.inbox import Inbox

log = logging.getLogger("crisscross")

_ANSWER_TIMEOUT_S = 3.0
"""Timeout in seconds for the engine to handle an answer, which it cannot do while the journal's disk is
full."""
SHOWN = (None, "on_the_way")
"""Results after which the screens show a floorperson on the way: accepted (None), or refused because of an
earlier answer.
"""
ABOUT = re.compile(r"(call|hold) [0-9TZ:.-]{1,40}")


def answers_path(journal: Path) -> Path:
    return journal.with_name(f"{journal.name}.answers")


def show_at(journal: Path, pit: str, about: str) -> bool:
    """Ask the daemon of a journal to show the answer of `pit` to `about`; return whether its screens show
    it.

    Raises NoAnswer if the daemon does not run, Failed if it cannot take the answer now.
    """
    with closing_client(answers_path(journal)) as client:
        return client.ask("show", pit=pit, about=about) is True


@dataclass(frozen=True, slots=True)
class PitAnswers:
    """Handler of the requests on the socket. `pits`: names of the pits in the table file."""

    inbox: Inbox
    pits: frozenset[str]

    @contextmanager
    def opened(self) -> Iterator[Methods]:
        """Yield the methods that one connection may call."""
        yield {"show": self._show}

    def _show(self, values: Values) -> bool:
        pit, about = text_value(values, "pit"), text_value(values, "about")
        if pit not in self.pits:
            raise BadRequest("pit is none that the table file names")
        if not ABOUT.fullmatch(about):
            raise BadRequest("about is no call or hold with its time")
        taken: Future[Refusal | None] = Future()
        self.inbox.put_touch(FloorOnTheWay(about, pit=pit), taken.set_result)
        try:
            refusal = taken.result(_ANSWER_TIMEOUT_S)
        except TimeoutError:
            raise RpcFailed(f"the table did not answer within {_ANSWER_TIMEOUT_S:.0f} s") from None
        if refusal is FAULTED:
            raise RpcFailed("the table takes no event: its journal cannot be written")
        return (refusal and refusal.code) in SHOWN


def open_pit_answers(journal: Path, inbox: Inbox, pits: frozenset[str], stack: AsyncExitStack) -> None:
    """Serve the socket until `stack` closes. If the socket cannot be opened, the table plays without it."""
    path = answers_path(journal)
    try:
        listening = listen(path)
    except OSError as error:
        why = error.strerror or error
        log.warning("socket %s: %s; no pit can answer a call at this table", path, why)
        return
    server = RpcServer(listening, os.getuid(), PitAnswers(inbox, pits).opened)
    server.start()
    stack.callback(path.unlink, missing_ok=True)
    stack.callback(server.close)
