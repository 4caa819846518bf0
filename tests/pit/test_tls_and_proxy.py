"""The pit's pages use TLS with renewed certificates, and accept a user from the header of an authenticating
proxy only.
"""

from __future__ import annotations

import asyncio
import logging
import shutil
import ssl
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from controller.cli import main
from controller.common.http.server import HANDSHAKE_TIMEOUT_S, PageServer, open_socket
from controller.common.http.server_tls import ServerTls
from controller.floor.pit.access.gate import Proxy
from controller.floor.pit.access.users import User, read_users, write_users
from tests.pit.served import Served
from tests.pit.test_users import Browser, user_of
from tests.uplink.papers import Papers, papers

log = logging.getLogger("crisscross.pit")
HEADER = "x-forwarded-user"
PROXY = "127.0.0.2"
LATEST = ssl.TLSVersion.TLSv1_3


@pytest.fixture
def house(tmp_path: Path) -> Papers:
    return papers(tmp_path, "CC-01", "pit-1")


@asynccontextmanager
async def serving(tls: ServerTls) -> AsyncIterator[int]:
    async def scheme(request: Request) -> Response:
        return PlainTextResponse(request.url.scheme)

    sock = open_socket("127.0.0.1", 0)
    server = PageServer(Starlette(routes=[Route("/", scheme)]), sock, lambda: None, tls=tls.context)
    await server.start()
    yield sock.getsockname()[1]
    await server.stop()
    sock.close()


async def connect(
    port: int, house: Papers, version: ssl.TLSVersion = ssl.TLSVersion.TLSv1_3
) -> tuple[bytes, bytes]:
    """Return the answer and the certificate received over a new connection."""
    context = ssl.create_default_context(cafile=str(house.ca))
    context.minimum_version, context.maximum_version = ssl.TLSVersion.MINIMUM_SUPPORTED, version
    reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=context)
    writer.write(b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n")
    answer = await reader.read()
    certificate = writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
    writer.close()
    return answer, certificate


async def test_a_renewed_certificate_is_used_without_a_restart(
    tmp_path: Path, house: Papers, caplog: pytest.LogCaptureFixture
) -> None:
    certificate, key = tmp_path / "used.pem", tmp_path / "used.key"
    shutil.copy(house.broker[0], certificate), shutil.copy(house.broker[1], key)
    tls = ServerTls(certificate, key, log)
    async with serving(tls) as port:
        answer, first = await connect(port, house)
        assert answer.startswith(b"HTTP/1.1 200") and answer.endswith(b"https")
        shutil.copy(house.pit[0], certificate)
        tls.renew(), tls.renew()
        assert (await connect(port, house))[1] == first, "a certificate without its key"
        assert len([line for line in caplog.messages if "the pair before it stays" in line]) == 1
        shutil.copy(house.pit[1], key)
        tls.renew()
        assert (await connect(port, house))[1] != first


def test_an_old_version_of_tls_is_refused(house: Papers) -> None:
    async def work() -> None:
        async with serving(ServerTls(*house.broker, log)) as port:
            with pytest.raises((ssl.SSLError, ConnectionError)):
                await connect(port, house, ssl.TLSVersion.TLSv1_1)

    with pytest.warns(DeprecationWarning, match="deprecated"):
        asyncio.run(work())


@pytest.mark.serial
async def test_a_connection_without_a_handshake_is_closed_soon(house: Papers) -> None:
    async with serving(ServerTls(*house.broker, log)) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        async with asyncio.timeout(5 * HANDSHAKE_TIMEOUT_S):
            assert await reader.read() == b""
        writer.close()


def test_unusable_files_are_reported_in_one_line(
    tmp_path: Path, house: Papers, capsys: pytest.CaptureFixture[str]
) -> None:
    users = tmp_path / "users.yaml"
    write_users(users, {"ana": user_of("read")})
    store = ["--store", str(tmp_path / "pit.db"), "--users", str(users), "--listen", "0.0.0.0:0"]
    for files in ((house.broker[0], house.pit[1]), (house.ca, house.ca), (tmp_path / "none", house.pit[1])):
        typed = ["--tls-certificate", str(files[0]), "--tls-key", str(files[1])]
        assert main(["pit", *store, *typed]) == 1
        line = capsys.readouterr().err
        assert line.startswith("--tls-certificate, --tls-key: ") and line.count("\n") == 1


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--listen", "0.0.0.0:0"], "passwords would cross the network in clear; add --tls-certificate"),
        (["--tls-key", "pit.key"], "--tls-certificate and --tls-key: both or none"),
        (["--proxy-header", HEADER], "--proxy-header and --trusted-proxy: both or none"),
        (["--trusted-proxy", PROXY], "--proxy-header and --trusted-proxy: both or none"),
        (["--proxy-header", "a b", "--trusted-proxy", PROXY], "--proxy-header: allowed"),
        (
            ["--proxy-header", HEADER, "--trusted-proxy", "proxy.example"],
            "--trusted-proxy: allowed",
        ),
    ],
)
def test_contradictory_options_are_refused_in_one_line(
    options: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["pit", "--users", "users.yaml", *options]) == 2
    line = capsys.readouterr().err
    assert words in line and line.count("\n") == 1
    assert main(["pit", "--proxy-header", HEADER, "--trusted-proxy", PROXY]) == 2
    assert "add --users FILE" in capsys.readouterr().err


# ------------------------------------------------------------------ the proxy


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    users = tmp_path / "users.yaml"
    write_users(users, {"ana": User(role="answer"), "rita": user_of("read")})
    server = Served(tmp_path, users, Proxy(HEADER, frozenset({PROXY})))
    yield server
    server.stop()


def test_the_proxy_s_header_gives_the_user_and_the_file_the_role(served: Served, tmp_path: Path) -> None:
    proxy = Browser(served, PROXY)
    assert proxy.asks("/api/figures", **{HEADER: "ana"})[0] == 200
    assert proxy.asks("/api/tables/CC-09/on_my_way", "POST", {}, **{HEADER: "ana"})[0] == 404
    assert proxy.asks("/api/tables/CC-09/on_my_way", "POST", {}, **{HEADER: "rita"})[0] == 403
    assert proxy.asks("/api/figures", **{HEADER: "who"})[0] == 403
    assert proxy.asks("/api/figures")[0] == 401
    users = tmp_path / "users.yaml"
    write_users(users, {"rita": read_users(users)["rita"]})
    assert proxy.asks("/api/figures", **{HEADER: "ana"})[0] == 403


def test_a_forged_header_is_refused_and_named(served: Served, caplog: pytest.LogCaptureFixture) -> None:
    for address in ("127.0.0.1", "127.0.0.3"):
        status, body, _ = Browser(served, address).asks("/api/figures", **{HEADER.upper(): "ana"})
        assert status == 403 and "from a trusted proxy alone" in body
    assert "header x-forwarded-user from 127.0.0.3 is refused: no trusted proxy" in caplog.text
    forged = Browser(served, "127.0.0.3")
    assert forged.signs_in("rita") == 204
    assert forged.asks("/api/figures", **{HEADER: "ana"})[0] == 403, "beside a session of one's own"
    assert forged.signs_in("rita", **{HEADER: "ana"}) == 403


def test_without_tls_another_machine_is_served_only_through_the_proxy(served: Served) -> None:
    """Without TLS the password would cross the network unencrypted."""
    served.peer = "192.0.2.9"
    assert Browser(served).asks("/sign_in")[0] == 403
    assert Browser(served).signs_in("rita") == 403
    served.peer = PROXY
    assert Browser(served).asks("/sign_in")[0] == 200


def test_a_user_without_a_password_cannot_sign_in_directly(served: Served) -> None:
    assert Browser(served).signs_in("ana", "") == 401


def test_the_cookie_of_a_tls_page_is_secure(served: Served) -> None:
    """The proxy ends TLS; the browser gives the page's scheme in Origin."""
    one = Browser(served)
    one.signs_in("rita", origin=f"https://127.0.0.1:{served.port}")
    assert "Secure" in one.set_cookie
    one.signs_in("rita", origin=f"http://127.0.0.1:{served.port}")
    assert "Secure" not in one.set_cookie


def test_metrics_are_served_to_this_machine_but_never_through_the_proxy(served: Served) -> None:
    assert Browser(served).asks("/metrics")[0] == 200
    assert Browser(served, PROXY).asks("/metrics")[0] == 401
    assert Browser(served, PROXY).asks("/metrics", **{HEADER: "rita"})[0] == 200
