"""`make test-system`: the package installed, played on, broken, upgraded and removed on a real systemd.

Exit status 0: all checks passed; 1: one failed; 77: nothing was tried, with the reason. Needs root,
debootstrap and systemd-nspawn, some 15 minutes on an idle machine, and the network once for each Debian.
"""

from __future__ import annotations

import argparse
import asyncio
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from controller.mock.bench.bench import TableStopped
from tests.repository.house import ROOT
from tests.trials.system.container import Container, leave_network, make_root, reason
from tests.trials.system.steps import STEPS, Trial
from tests.trials.system.table import SystemTable, folder

UNTRIED = 77
PORTS = {"bookworm": 18_080, "trixie": 18_081}
STATE_MIB = 48
"""Size of the journal's disk, which is small so that it fills quickly."""
MISSED = (AssertionError, TableStopped, TimeoutError, OSError, RuntimeError, subprocess.CalledProcessError)


def newer(package: Path, to: Path) -> Path:
    """Return a package of the same program with the next version number."""
    tree = to / "newer"
    subprocess.run(["dpkg-deb", "-R", package, tree], check=True)
    control = tree / "DEBIAN/control"
    lines = control.read_text(encoding="utf-8").splitlines(keepends=True)
    control.write_text(
        "".join(f"{line.rstrip()}.1\n" if line.startswith("Version: ") else line for line in lines)
    )
    made = to / package.name.replace("_amd64", ".1_amd64")
    subprocess.run(
        ["dpkg-deb", "-Znone", "--root-owner-group", "-b", tree, made], check=True, stdout=subprocess.DEVNULL
    )
    return made


async def run(trial: Trial, wanted: Sequence[str]) -> list[tuple[str, bool, str]]:
    """Run every requested step, even after a failure; return the last output of each."""
    found = []
    await trial.table.begin()
    for name, step in ((name, STEPS[name]) for name in wanted):
        began = time.monotonic()
        try:
            held, words = True, await step(trial)
        except MISSED as error:
            held, words = False, f"{type(error).__name__}: {error}"
        words = f"{words} ({time.monotonic() - began:.0f} s)"
        print(f"{'ok' if held else 'FAILED':8}{name}: {words}", flush=True)
        found.append((name, held, words))
        if not held and name == next(iter(STEPS)):
            break
    return found


def trial(
    series: str, package: Path, made: Path | None, wanted: Sequence[str]
) -> list[tuple[str, bool, str]]:
    pristine = made or ROOT / "build/system" / series
    if made is None:
        make_root(series, pristine)
    leave_network()
    shared = folder(Path(tempfile.mkdtemp(prefix="crisscross-system-", dir="/srv")))
    state, root = shared / "state", shared / "root"
    tempfile.tempdir = str(shared)  # folder of the mock table, at the same path inside and outside
    state.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={STATE_MIB}m", "tmpfs", state], check=True)
    subprocess.run(["cp", "-a", "--reflink=auto", pristine, root], check=True)
    container = Container(root, shared, state)
    try:
        container.boot()
        table = SystemTable(container, shared, 7, PORTS[series])

        async def whole() -> list[tuple[str, bool, str]]:
            try:
                return await run(Trial(container, table, package, newer(package, shared), state), wanted)
            finally:
                await table.finish()

        return asyncio.run(whole())
    finally:
        container.close()
        subprocess.run(["umount", state], check=False)
        shutil.rmtree(shared, ignore_errors=True)


def main() -> int:
    parser = argparse.ArgumentParser(prog="make test-system", description=__doc__.splitlines()[0])
    parser.add_argument("--series", choices=PORTS, default="bookworm")
    parser.add_argument("--package", type=Path, help="default: made now, for this machine")
    parser.add_argument("--root", type=Path, help="a Debian that is there already, in place of debootstrap's")
    without = "only these steps, after the installation; default: all"
    parser.add_argument("--only", nargs="+", choices=list(STEPS)[1:], default=list(STEPS)[1:], help=without)
    chosen = parser.parse_args()
    if why := reason():
        print(f"make test-system: nothing was tried: {why}", file=sys.stderr)
        return UNTRIED
    package = chosen.package
    if package is None:
        build = [sys.executable, ".ci/deb.py", "--series", chosen.series]
        package = (
            ROOT / subprocess.run(build, cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()
        )
    wanted = [next(iter(STEPS)), *chosen.only]
    found = trial(chosen.series, package.resolve(), chosen.root, wanted)
    failed = [name for name, held, _ in found if not held]
    print(f"{chosen.series}: {len(found) - len(failed)} of {len(wanted)} held")
    return 0 if len(found) == len(wanted) and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
