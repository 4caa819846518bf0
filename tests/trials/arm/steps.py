"""Steps of the trial on the ARM userland. A step returns its result as text and raises if a check fails."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.repository.house import ROOT
from tests.trials.arm.tree import Tree
from tests.trials.same_records.__main__ import PLAYING, played
from tests.trials.same_records.differing import timeless
from tests.trials.same_records.runs import runs

TRIAL = Path("/trial")
"""Folder inside the container with the tests and their data. The program itself is not there: it comes from
the package."""
PYTHON = "/opt/crisscross/bin/python3"
BROUGHT = ("tests", "config", "pyproject.toml")
LIBRARIES = ("attrs", "execnet", "hypothesis", "iniconfig", "packaging", "pluggy", "pygments", "pytest",
             "pytest-timeout", "pytest-xdist", "sortedcontainers")  # fmt: skip
"""Packages of requirements-dev.lock that the tests below import."""
SCENARIOS = ("settlement",)
PURE = (
    "tests/game/test_max_win.py",
    "tests/game/test_wagers.py",
    "tests/game/test_settlement.py",
    "tests/files",
    "tests/packs",
    "tests/seal",
)
SEEDS, ROUNDS = 1, 3
Step = Callable[["Trial"], str]


class Trial:
    """Trial of a package on an emulated Debian. It has the container's file tree, the package, and the Python
    version of that Debian."""

    def __init__(self, tree: Tree, package: Path, python: str) -> None:
        self.tree, self.package, self.python = tree, package, python

    def output_of(self, *command: str) -> str:
        """Run a command and return its output. Raises AssertionError if it fails."""
        run = self.tree.run(*command)
        hold(run.returncode == 0, f"{' '.join(command)}: {run.returncode}: {_end(run.stdout + run.stderr)}")
        return run.stdout.strip()


def hold(condition: bool, words: str) -> None:
    if not condition:
        raise AssertionError(words)


def _end(text: str) -> str:
    return " | ".join(text.strip().splitlines()[-8:])


def install(trial: Trial) -> str:
    """Install the package in a container without a network and without a compiler."""
    shutil.copyfile(trial.package, trial.tree.root / "root" / trial.package.name)
    trial.output_of("apt-get", "install", "-y", "--no-install-recommends", f"./{trial.package.name}")
    verified = trial.output_of("dpkg", "--verify", "crisscross-table")
    hold(verified == "", f"dpkg --verify: {_end(verified)}")
    compiler = trial.tree.run("sh", "-c", "command -v gcc cc")
    hold(compiler.returncode != 0, "there is a compiler in this tree, so that none is needed is not shown")
    return f"{trial.package.name}, {trial.output_of('uname', '-m')}"


def starts(trial: Trial) -> str:
    """Start the command and load every library with compiled parts that a table loads."""
    version = trial.output_of("crisscross", "--version").splitlines()[0]
    compiled = "argon2, cryptography.hazmat.primitives.ciphers, pydantic_core, yaml"
    trial.output_of(
        "env", "LG_WD=/tmp", PYTHON, "-c", f"import {compiled}; import lgpio; import gpiozero, serial"
    )
    return f"{version}; argon2, cryptography, pydantic-core, PyYAML and lgpio load"


def bring(trial: Trial) -> None:
    """Copy the tests into the tree, and install pytest there from the hashes of the lock file."""
    inside = trial.tree.root / TRIAL.relative_to("/")
    if inside.exists():
        return
    archive = subprocess.run(["git", "archive", "HEAD", *BROUGHT], cwd=ROOT, capture_output=True, check=True)
    inside.mkdir()
    subprocess.run(["tar", "-x"], cwd=inside, input=archive.stdout, check=True)
    (inside / "wanted.lock").write_text("".join(_picked("requirements-dev.lock")), encoding="utf-8")
    command = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--require-hashes", "--no-deps",
               "--only-binary", ":all:", "--link-mode", "copy", "--python-version", trial.python,
               "--python-platform", "aarch64-manylinux_2_36", "--target", str(inside / "libraries"),
               "-r", str(inside / "wanted.lock")]  # fmt: skip
    subprocess.run(command, check=True)


def _picked(lock: str) -> Iterator[str]:
    """Yield the entries of a lock file for the packages in LIBRARIES, with their hashes."""
    text = (ROOT / lock).read_text(encoding="utf-8")
    for entry in re.findall(r"(?m)^\S+==(?:.*\\\n)*.*\n", text):
        if entry.partition("==")[0] in LIBRARIES:
            yield entry


def scenarios(trial: Trial) -> str:
    """Play scripted tables with devices at the drivers' ports, each for every pack that it names."""
    bring(trial)
    files = sorted(
        str(TRIAL / path.relative_to(ROOT))
        for room in SCENARIOS
        for path in (ROOT / "tests/scenarios" / room).glob("*.yaml")
    )
    output = trial.output_of("crisscross", "scenario", "--no-wires", "--json", "--keep-going", *files)
    results = [line for line in map(json.loads, output.splitlines()) if "passed" in line]
    hold(bool(results) and all(one["passed"] for one in results), "a scenario failed")
    return f"{len(results)} scenarios passed, of {len(files)} files"


def pure(trial: Trial) -> str:
    """Run the tests of the rules, money, packs and the seal."""
    bring(trial)
    environment = [f"PYTHONPATH={TRIAL}/libraries:{TRIAL}"]
    command = [PYTHON, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "addopts=", "-o", "timeout=1200"]
    run = trial.tree.run(
        *command, "-m", "not slow and not serial", *PURE, environment=environment, into=TRIAL
    )
    hold(run.returncode == 0, _end(run.stdout + run.stderr))
    return run.stdout.strip().splitlines()[-1].strip("= ")


def records(trial: Trial) -> str:
    """Play every pack, way of dealing and kind of trouble with the seeds used on this machine."""
    wanted = list(runs(SEEDS, ROUNDS))
    (trial.tree.root / "root" / PLAYING.name).write_bytes(PLAYING.read_bytes())
    run = trial.tree.run(
        PYTHON, f"/root/{PLAYING.name}", text="".join(json.dumps(one) + "\n" for one in wanted)
    )
    hold(run.returncode == 0, _end(run.stderr))
    there, here = _bytes(map(json.loads, run.stdout.splitlines())), _bytes(played(ROOT, wanted))
    differ = [" ".join(one) for one, far, near in zip(wanted, there, here, strict=True) if far != near]
    hold(not differ, f"{len(differ)} runs of {len(wanted)} differ, the first: {differ[:1]}")
    digest, size = hashlib.sha256(b"".join(there)).hexdigest(), sum(map(len, there))
    return f"{len(wanted)} runs of {ROUNDS} rounds, {size} bytes: the same; sha256 {digest[:16]}"


def _bytes(runs: Iterator[dict[str, Any]]) -> list[bytes]:
    """Return each run's records without their times, so that the bytes can be compared."""
    return [json.dumps(timeless(one["records"])).encode() for one in runs]


STEPS: dict[str, Step] = {
    "install, offline": install,
    "start": starts,
    "records": records,
    "scenarios": scenarios,
    "pure tests": pure,
}
