"""A process imports only the modules that it needs, since imports take most of the time of a start."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.runtime.child import ROOT

FOREIGN = {
    "import_daemon": ("starlette", "anyio", "uvicorn", "controller.common.http.request_guard"),
    "import_pages": ("controller.game.phases", "controller.game.model.state", "controller.record", "sqlite3"),
}
"""Modules that each process must not import, by the name of the part of `make cost` that measures its
imports."""


@pytest.mark.parametrize("part", FOREIGN)
def test_a_process_imports_no_module_of_another(part: str) -> None:
    code = (
        f"import sys; from tests.trials.cost import processes as p; p.{part}(None)\n"
        f"print([each for each in {FOREIGN[part]} if each in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.strip() == "[]"
