"""A connection of another user of the machine is never mistaken for that of the table's own screen, and never
locks the screen out.

A real daemon is used, and processes of real users reuse the port number of the screen's connection.
"""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.other_users import (
    SCREEN,
    STRANGER,
    Address,
    ask,
    from_port,
    needs_port_range,
    needs_root,
    socket_of,
)
from tests.runtime.child import run_arguments, started, table_file

pytestmark = [pytest.mark.serial, needs_root]

SIGN_ON = json.dumps({"do": "sign_on", "number": "EVIL-1"})
PRESS_FLOOR = json.dumps({"do": "press", "key": "floor"})


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """Yield the port of a daemon whose pages answer only the user SCREEN. The tests share this daemon, so
    none may change its state."""
    folder = tmp_path_factory.mktemp("table")
    display = {"port": 0, "port_file": "port", "user": SCREEN.pw_name}
    with asyncio.Runner() as runner:
        daemon = started(folder, run_arguments(table_file(folder, display=display)))
        child = runner.run(daemon.__aenter__())
        try:
            runner.run(child.ready())
            yield child.port
            assert runner.run(child.end()) == 0, runner.run(child.words())
        finally:
            runner.run(daemon.__aexit__(None, None, None))


@contextmanager
def screen(port: int) -> Iterator[socket.socket]:
    """Yield a connection of the table's own screen on which one request has been answered."""
    with socket_of(SCREEN.pw_uid, None, ("127.0.0.1", port)) as browser:
        assert ask(browser, "GET", "/api/view")[0] == 200
        yield browser


ACTS = (
    ("GET", "/", ""), ("GET", "/api/view", ""), ("POST", "/api/touch", PRESS_FLOOR),
    ("POST", "/api/touch", SIGN_ON), ("GET", "/api/live", ""),
)  # fmt: skip


def answers(connection: socket.socket, headers: dict[str, str] | None = None) -> list[int]:
    """Return the status of the response to each request of `ACTS` on one connection. The stream is the last
    request, because it ends the connection."""
    return [ask(connection, *each, headers)[0] for each in ACTS]


REFUSED = [401] * len(ACTS)


# loopback addresses of both families from which the screen's port number can connect to the daemon at
# 127.0.0.1
OTHER_ADDRESSES = ["127.0.0.2", "127.255.255.254", "::ffff:127.0.0.2", "::ffff:127.9.9.9"]


@pytest.mark.parametrize("address", OTHER_ADDRESSES)
def test_the_screen_s_port_number_at_another_address_gives_no_access(port: int, address: str) -> None:
    daemon = "::ffff:127.0.0.1" if ":" in address else "127.0.0.1"

    with screen(port) as browser:
        same = browser.getsockname()[1]
        with socket_of(STRANGER.pw_uid, (address, same), (daemon, port)) as stranger:
            assert answers(stranger) == REFUSED
            status, view = ask(browser, "GET", "/api/view")
            assert (status, json.loads(view).get("dealer")) == (200, None)
        assert ask(browser, "GET", "/api/view")[0] == 200


@pytest.mark.parametrize("address", ["127.0.0.2", "::1", "::ffff:127.0.0.2"])
def test_no_connection_of_another_user_locks_the_screen_out(port: int, address: str) -> None:
    """The other user connects to its own listener and uses the port number of the screen for it."""
    with (
        screen(port) as browser,
        socket_of(STRANGER.pw_uid, (address, 0), None) as listener,
        socket_of(STRANGER.pw_uid, (address, browser.getsockname()[1]), listener.getsockname()[:2]),
    ):
        assert ask(browser, "GET", "/api/view")[0] == 200


@needs_port_range
def test_a_connection_from_the_screen_s_address_and_port_does_not_lock_it_out(port: int) -> None:
    """Two connections may have the same address and port at one end if they differ at the other end."""
    with (
        screen(port) as browser,
        socket_of(STRANGER.pw_uid, ("127.0.0.1", 0), None) as listener,
        socket_of(
            STRANGER.pw_uid, None, listener.getsockname(), options=from_port(browser.getsockname()[1])
        ) as stranger,
    ):
        assert stranger.getsockname() == browser.getsockname()
        assert ask(browser, "GET", "/api/view")[0] == 200


@pytest.mark.parametrize("address", ["127.0.0.2", "::1"])
def test_a_listener_at_the_screen_s_port_number_does_not_lock_it_out(port: int, address: str) -> None:
    """The other user's listener has the screen's port number, and so has the accepted end of a connection to
    it."""
    with screen(port) as browser:
        local: Address = (address, browser.getsockname()[1])
        with (
            socket_of(STRANGER.pw_uid, local, None) as listener,
            socket_of(STRANGER.pw_uid, (address, 0), local),
        ):
            accepted, _ = listener.accept()
            with accepted:
                assert ask(browser, "GET", "/api/view")[0] == 200


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "X-Real-IP"])
def test_no_header_gives_the_access_of_the_screen(port: int, header: str) -> None:
    with screen(port) as browser:
        named = f"127.0.0.1:{browser.getsockname()[1]}"
        value = f'for="{named}"' if header == "Forwarded" else named
        with socket_of(STRANGER.pw_uid, ("127.0.0.1", 0), ("127.0.0.1", port)) as stranger:
            assert answers(stranger, {header: value}) == REFUSED
        assert ask(browser, "GET", "/api/view", headers={header: "127.0.0.1:1"})[0] == 200
