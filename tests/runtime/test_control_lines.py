"""An invalid line at the control socket of a mock table is refused and ends no connection."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from controller.table.daemon.control_socket import ALLOWED_REQUESTS, Control


class Moved:
    """A clock that was never moved."""

    def forward(self, ms: int) -> None:
        raise AssertionError(ms)

    shift_utc = forward


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
    control = Control(cast("Any", SimpleNamespace(on_record=[], on_change=[])), Moved(), lambda: None)
    answer = await control._answer(line, cast("Any", None))
    assert answer == {"error": ALLOWED_REQUESTS}
