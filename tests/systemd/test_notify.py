"""Notifications reach a service manager over real datagram sockets, and a missing or slow manager blocks
nothing.
"""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from controller.common.process.sd_notify import Notifier, notifier


@contextmanager
def manager(address: str) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(address)
        line.setblocking(False)
        yield line


def test_a_path_and_an_abstract_socket_receive_the_same_messages(tmp_path: Path) -> None:
    path = str(tmp_path / "notify")
    name = f"crisscross-test-{os.getpid()}"
    for address, bound in ((path, path), (f"@{name}", f"\0{name}")):
        with manager(bound) as receiver:
            sender = notifier({"NOTIFY_SOCKET": address})
            sender.ready("table open")
            sender.watchdog()
            sender.status("6 readers\nMAINPID=1")
            sender.stopping()
            sender.close()
            assert [receiver.recv(4096) for _ in range(4)] == [
                b"READY=1\nSTATUS=table open",
                b"WATCHDOG=1",
                b"STATUS=6 readers MAINPID=1",
                b"STOPPING=1",
            ]


@pytest.mark.parametrize("environment", [{}, {"NOTIFY_SOCKET": ""}])
def test_without_a_manager_nothing_is_sent(environment: dict[str, str]) -> None:
    sender = notifier(environment)
    sender.ready()
    sender.watchdog()


def test_a_missing_manager_is_reported_in_one_line(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    sender = Notifier(str(tmp_path / "nobody"))
    for _ in range(3):
        sender.watchdog()
    sender.close()
    assert [record.levelno for record in caplog.records] == [logging.WARNING]


def test_a_manager_that_does_not_read_blocks_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = str(tmp_path / "notify")
    with manager(path) as receiver:
        sender = Notifier(path)
        for _ in range(1000):
            sender.watchdog()
        assert receiver.recv(4096) == b"WATCHDOG=1"
        sender.close()
    assert len(caplog.records) == 1


def test_the_watchdog_message_needs_no_new_descriptor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(tmp_path / "notify")
    with manager(path) as receiver:
        sender = Notifier(path)
        monkeypatch.setattr(socket, "socket", None)
        sender.watchdog()
        assert receiver.recv(4096) == b"WATCHDOG=1"
        sender.close()


def test_an_address_of_another_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="a path or an abstract socket"):
        Notifier("vsock:2:1")
