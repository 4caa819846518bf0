"""The control socket of a mock table refuses an invalid line, and a second daemon does not replace the socket
of a running one."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from controller.table.daemon.control_socket import ALLOWED_REQUESTS, Control


class Moved:
    """Clock that fails the test if it is moved."""

    def forward(self, ms: int) -> None:
        raise AssertionError(ms)

    shift_utc = forward


def unused() -> Control:
    return Control(cast("Any", SimpleNamespace(on_record=[], on_change=[])), Moved(), lambda: None)


@pytest.mark.parametrize(
    "line",
    [
        b"[" * 4000, b"\xff", b"9" * 4095, b'{"clock":{"utc_ms":1e400}}', b'{"clock":{"utc_ms":NaN}}',
        b'{"clock":{"forward_ms":-1}}', b'{"clock":{"utc_ms":' + b"9" * 300 + b"}}", b'{"key":"\\ud800"}',
        b"[]",
        b'{"clock":{"forward_ms":1,"more":2}}', b'{"records":true,"more":1}',
    ],
)  # fmt: skip
async def test_an_invalid_control_line_is_refused(line: bytes) -> None:
    answer = await unused()._answer(line, cast("Any", None))
    assert answer == {"error": ALLOWED_REQUESTS}


async def test_the_socket_of_a_running_daemon_is_not_replaced(tmp_path: Path) -> None:
    path, first, second = tmp_path / "control", unused(), unused()
    await first.start(path)
    inode = path.stat().st_ino
    with pytest.raises(OSError, match="a running program answers at it"):
        await second.start(path)
    assert path.stat().st_ino == inode
    await first.stop()
    await second.start(path)  # the daemon with this socket has ended
    assert path.stat().st_mode & 0o777 == 0o600
    await second.stop()
