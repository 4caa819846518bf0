"""The import contracts hold, and the lists in them are whole."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

from tests.repository.house import ROOT, sources

PLAYS_A_DEVICE = ("simulator", "direct", "sim_")


def test_the_contracts_hold() -> None:
    linter = Path(sys.executable).with_name("lint-imports")
    told = subprocess.run([linter, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stdout + told.stderr


def test_every_driver_module_is_either_run_path_or_plays_a_device() -> None:
    tools = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    contracts = {contract["name"]: contract for contract in tools["importlinter"]["contracts"]}
    contract = contracts["the run path imports no simulator"]
    run_path, playing = set(contract["source_modules"]), set(contract["forbidden_modules"])
    modules = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for path in sources("drivers")
        if path.name != "__init__.py"
    }
    assert {name for name in run_path | playing if name.startswith("drivers.")} == modules
    assert run_path & playing == set()
    assert {name for name in run_path if name.split(".")[-1].startswith(PLAYS_A_DEVICE)} == set()
