"""Server of the surveillance pages, until SIGTERM or SIGINT: `crisscross evidence --listen HOST:PORT`.

It runs as a separate process with a low priority, beside the daemon or on another machine with copies of the
journals. It computes one round at a time, so that a page never waits for more than one.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from controller.common.clock import utc_now
from controller.common.http.log_rate_limit import rate_limit
from controller.common.http.server import PageServer, address, open_socket
from controller.common.http.server_tls import ServerTls
from controller.common.notify.sender import NotificationSender
from controller.common.notify.settings import Receiver
from controller.common.process.log_once import LogOnce
from controller.common.terminal import ProgressLine
from controller.evidence.alerts import Alerts
from controller.evidence.board import Board
from controller.evidence.people import Access
from controller.evidence.running_evidence import Ended, RunningEvidence
from controller.evidence.running_shoes import RunningShoes
from controller.evidence.web import Site, make_app
from controller.record.journal.schema import JournalError
from controller.rules.odds.cli import bar

log = logging.getLogger("crisscross.surveillance")
READ_INTERVAL_S = 2.0
_NICENESS = 10


@dataclass(frozen=True, slots=True)
class Serving:
    """Options of the server of the surveillance pages. `people`: file of the people; `tls`: files of the
    certificate and its key, None for HTTP; `receivers`: receivers of alerts."""

    host: str
    port: int
    people: Path
    site: Site
    tls: tuple[Path, Path] | None = None
    receivers: Sequence[Receiver] = ()


def serve(board: Board, evidence: RunningEvidence, serving: Serving) -> None:
    """Serve until a signal. Raises ServerError if the start fails."""
    rate_limit("uvicorn.error", "asyncio", log.name)
    with suppress(PermissionError):  # the unit's SystemCallFilter= may forbid to set the nice value
        os.nice(_NICENESS)
    asyncio.run(_serve(board, evidence, serving))


async def _serve(board: Board, evidence: RunningEvidence, serving: Serving) -> None:
    tls = ServerTls(*serving.tls, log) if serving.tls else None
    sender = NotificationSender(serving.receivers, time.monotonic, log, Counter())
    app = make_app(board, Access(serving.people, time.monotonic), serving.site)
    with open_socket(serving.host, serving.port, "--listen") as sock:
        server = PageServer(app, sock, app.state.close, tls=tls.context if tls else None)
        stopping = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, stopping.set)
        await server.start()
        log.info("surveillance at %s", address(sock, "https" if tls else "http"))
        sender.start()
        alerts = Alerts(board, sender, utc_now)
        following = asyncio.create_task(_follow(evidence, board.running_shoes, alerts, tls))
        ending = asyncio.create_task(stopping.wait())
        await asyncio.wait({following, ending}, return_when=asyncio.FIRST_COMPLETED)
        following.cancel()
        ending.cancel()
        await server.stop()
        await asyncio.to_thread(sender.stop)
        with suppress(asyncio.CancelledError):
            await following  # raises the task's exception if it failed


def learn(evidence: RunningEvidence, ended: Sequence[Ended], shoes: RunningShoes | None = None) -> None:
    """Compute or load the values of new packs, with a progress bar on a terminal, and add the orders of the
    decks to `shoes`. Raises JournalError."""
    progress = ProgressLine()
    try:
        evidence.learn(ended, lambda done, of: progress.show(bar(done, of)))
        if shoes is not None:
            shoes.add(ended)
    finally:
        progress.clear()


async def _follow(
    evidence: RunningEvidence, shoes: RunningShoes | None, alerts: Alerts, tls: ServerTls | None
) -> None:
    faults = LogOnce(log)
    while True:
        ended = await asyncio.to_thread(evidence.read)
        try:
            await asyncio.to_thread(learn, evidence, ended, shoes)
        except JournalError as error:
            faults.warn(f"{error}; its rounds are without evidence")
        for each in ended:
            evidence.add(each)
            await asyncio.sleep(0)  # lets the server answer requests between two rounds
        alerts.check(ended)
        for why in evidence.faults.values():
            faults.warn(why)
        if not evidence.faults:
            faults.over()
        if tls is not None:
            tls.renew()
        if not ended:
            await asyncio.sleep(READ_INTERVAL_S)
