"""A server answers the requests of one other user only, and an invalid line ends only its own connection."""

from __future__ import annotations

import logging
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from controller.common.ipc import rpc
from controller.common.ipc.rpc import Methods, NoAnswer, RpcClient, RpcFailed, RpcServer, Values, number
from controller.common.ipc.unix_socket import UnknownUser, listen, peer_id, user_id
from tests.other_users import UNPRIVILEGED_UID, let_in, needs_shared_python, run_as
from tests.uplink.broker import soon

pytestmark = pytest.mark.serial

ASKING = """import socket, sys
near = socket.socket(socket.AF_UNIX)
near.connect(sys.argv[1])
near.settimeout(20)
near.sendall(b'{"id":1,"ask":"double","n":1}' + bytes([10]))
print(near.recv(99).decode(), end="")
"""


def failing(_values: Values) -> None:
    raise RpcFailed("it cannot be done")


@contextmanager
def opened() -> Iterator[Methods]:
    yield {"double": lambda values: 2 * number(values, "n"), "fail": failing, "text": lambda _: "x" * 100_000}


@contextmanager
def serving(path: Path, user: int | None = None) -> Iterator[RpcServer]:
    server = RpcServer(listen(path), os.geteuid() if user is None else user, opened)
    server.start()
    try:
        yield server
    finally:
        server.close()


def test_a_request_has_its_own_answer_from_any_thread(tmp_path: Path) -> None:
    with serving(tmp_path / "s"), rpc.closing_client(tmp_path / "s") as client:
        found: dict[int, int] = {}
        threads = [
            threading.Thread(target=lambda n=n: found.update({n: client.ask("double", n=n)}))
            for n in range(20)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert found == {n: 2 * n for n in range(20)}
        assert len(client.ask("text")) == 100_000


def test_a_failed_request_gives_one_line_and_keeps_the_connection(tmp_path: Path) -> None:
    with serving(tmp_path / "s"), rpc.closing_client(tmp_path / "s") as client:
        with pytest.raises(RpcFailed, match="it cannot be done"):
            client.ask("fail")
        assert client.ask("double", n=4) == 8


@pytest.mark.parametrize(
    "line",
    [
        b"{\n", b"[]\n", b"7\n", b"null\n", b"\xff\n", b"\n", b'{"id":1}\n', b'{"id":1,"ask":"none"}\n',
        b'{"id":1,"ask":{}}\n', b'{"id":1,"ask":["double"]}\n', b'{"id":-1,"ask":"double","n":1}\n',
        b'{"id":true,"ask":"double","n":1}\n', b'{"id":1,"ask":"double","n":"1"}\n',
        b'{"id":1,"ask":"double","n":1e3}\n', b'{"id":1,"ask":"double","n":NaN}\n',
        b'{"id":1,"ask":"double","n":' + b"9" * 5000 + b"}\n", b"[" * 60_000 + b"\n",
        b'{"id":1,"ask":"' + b"x" * rpc.MAX_REQUEST_BYTES + b'"}\n',
    ],
)  # fmt: skip
def test_an_invalid_line_ends_only_its_own_connection(
    tmp_path: Path, line: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    with serving(tmp_path / "s"), rpc.closing_client(tmp_path / "s") as other:
        assert other.ask("double", n=1) == 2
        with socket.socket(socket.AF_UNIX) as hostile:
            hostile.connect(str(tmp_path / "s"))
            hostile.settimeout(20)
            hostile.sendall(line)
            hostile.shutdown(socket.SHUT_WR)
            with suppress(ConnectionResetError):  # closed with bytes unread
                assert hostile.recv(100) == b""
        soon(lambda: "a connection is ended: " in caplog.text)
        (message,) = caplog.messages
        assert "\n" not in message
        assert len(message) < 300
        assert other.ask("double", n=2) == 4


@needs_shared_python
def test_another_user_is_refused_with_one_line_though_the_folder_lets_it_in(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with serving(let_in(tmp_path) / "s"):
        (tmp_path / "s").chmod(0o666)
        answers = [run_as(UNPRIVILEGED_UID, "-c", ASKING, tmp_path / "s") for _ in range(3)]
    assert [each.stdout for each in answers] == ["", "", ""]
    (line,) = caplog.messages
    assert f"a connection of user {UNPRIVILEGED_UID} is refused; admitted: user 0" in line


@needs_shared_python
def test_the_sockets_mode_keeps_a_user_of_another_group_out(tmp_path: Path) -> None:
    with serving(let_in(tmp_path) / "s"):
        assert "PermissionError" in run_as(UNPRIVILEGED_UID, "-c", ASKING, tmp_path / "s").stderr


def test_more_connections_than_allowed_are_closed_and_a_free_place_is_taken_again(tmp_path: Path) -> None:
    with serving(tmp_path / "s"):
        clients = [RpcClient(tmp_path / "s") for _ in range(rpc.MAX_CONNECTIONS)]
        assert [client.ask("double", n=1) for client in clients] == [2] * len(clients)
        with rpc.closing_client(tmp_path / "s") as one_more:
            with pytest.raises(NoAnswer):
                one_more.ask("double", n=1)
            clients.pop().close()
            soon(lambda: answers(one_more))
        for client in clients:
            client.close()


def answers(client: RpcClient) -> bool:
    try:
        return bool(client.ask("double", n=1) == 2)
    except NoAnswer:
        return False


def test_a_restarted_server_replaces_its_socket_and_is_asked_again(tmp_path: Path) -> None:
    with rpc.closing_client(tmp_path / "s") as client:
        with pytest.raises(NoAnswer, match="No such file"):
            client.ask("double", n=1)
        with serving(tmp_path / "s"):
            assert client.ask("double", n=1) == 2
        with serving(tmp_path / "s"):
            soon(lambda: answers(client))


@pytest.mark.parametrize("answer", [b'{"id":99,"answer":1}\n', b"{\n", b"[]\n", b"half", b"", b"\xff\n"])
def test_an_answer_to_another_request_is_ignored(tmp_path: Path, answer: bytes) -> None:
    with listen(tmp_path / "s") as listening:

        def lie() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.recv(1000)
                connection.sendall(answer)

        thread = threading.Thread(target=lie)
        thread.start()
        with rpc.closing_client(tmp_path / "s") as client, pytest.raises(NoAnswer) as raised:
            client.ask("double", n=1)
        assert raised.value.strerror
        thread.join()


def test_only_an_abandoned_socket_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "s").write_text("a file of somebody's")
    with pytest.raises(OSError, match="in use"):
        listen(tmp_path / "s")
    assert (tmp_path / "s").read_text() == "a file of somebody's"


def test_the_kernel_names_the_peer_and_a_user_is_known_by_name_or_number(tmp_path: Path) -> None:
    with listen(tmp_path / "s") as listening, socket.socket(socket.AF_UNIX) as near:
        near.connect(str(tmp_path / "s"))
        far, _ = listening.accept()
        with far:
            assert peer_id(far) == os.geteuid()
    assert (user_id("root"), user_id("64001")) == (0, 64_001)
    with pytest.raises(UnknownUser, match="no user crisscross-none"):
        user_id("crisscross-none")


def test_debug_lines_hold_no_request(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with serving(tmp_path / "s"), rpc.closing_client(tmp_path / "s") as client:
        client.ask("double", n=123_456)
    assert "123456" not in caplog.text


def test_the_socket_of_a_running_program_is_left_and_receives_no_connection(tmp_path: Path) -> None:
    path = tmp_path / "socket"
    with listen(path) as first:
        first.setblocking(False)
        made = path.stat().st_ino
        with pytest.raises(OSError, match="a running program answers at it"):
            listen(path)
        assert path.stat().st_ino == made
        with pytest.raises(BlockingIOError):
            first.accept()
    with listen(path) as second, socket.socket(socket.AF_UNIX) as near:
        near.connect(str(path))
        second.accept()[0].close()
