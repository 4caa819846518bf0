"""The import contracts are kept."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.repository.house import ROOT

pytestmark = pytest.mark.slow


def test_the_contracts_hold() -> None:
    linter = Path(sys.executable).with_name("lint-imports")
    told = subprocess.run([linter, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stdout + told.stderr
