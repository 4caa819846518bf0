"""Witness service: `crisscross witness serve FILE`, until SIGTERM or SIGINT."""

from __future__ import annotations

import asyncio
import logging
import signal
from contextlib import closing

from controller.common.clock import posix_now
from controller.common.http.log_rate_limit import rate_limit
from controller.common.http.server import PageServer, address, open_socket
from controller.common.tlog.note import COSIGNATURE
from controller.record.witness.bound_store import open_store
from controller.record.witness.pages import make_app
from controller.record.witness.settings import WitnessConfig
from controller.record.witness.store import Store
from controller.record.witness.witness import Witness, client_log

log = logging.getLogger("crisscross.witness")


def serve(config: WitnessConfig) -> None:
    """Serve until a signal. Raises StoreError or ServerError at the start."""
    rate_limit("uvicorn.error", "asyncio", client_log.name)
    with closing(open_store(config.store, config.key, config.key_file)) as store:
        asyncio.run(_serve(config, store))


async def _serve(config: WitnessConfig, store: Store) -> None:
    app = make_app(Witness(config.key, config.logs, store, posix_now))
    sock = open_socket(config.listen.host, config.listen.port, "listen")
    with closing(sock):
        server = PageServer(app, sock, lambda: None)
        stopping = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, stopping.set)
        await server.start()
        log.info("%s cosigns at %s", config.key.verifier(COSIGNATURE).text(), address(sock))
        await stopping.wait()
        await server.stop()
