"""`make test-arm`: the arm64 package on an emulated arm64 Debian.

Exit status 0: all checks passed; 1: one failed; 77: nothing was tried, with the reason. Needs root,
mmdebstrap, systemd-nspawn and qemu-user, and the network once for each Debian. It tests the userland:
interpreter, libraries, arithmetic and the package. It does not test the kernel, any device or the speed of a
Pi.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.repository.house import ROOT
from tests.trials.arm.steps import STEPS, Trial
from tests.trials.arm.tree import Tree, make_tree, reason, remove

UNTRIED = 77
PYTHONS = {"bookworm": "3.11", "trixie": "3.13"}


def run(trial: Trial, wanted: Sequence[str]) -> int:
    """Run every requested step, also after one has failed. Returns the number of failed steps."""
    failed = 0
    for name in wanted:
        began = time.monotonic()
        try:
            held, words = True, STEPS[name](trial)
        except (AssertionError, OSError, ValueError, subprocess.CalledProcessError) as error:
            held, words = False, f"{type(error).__name__}: {error}"
        failed += not held
        print(f"{'ok' if held else 'FAILED':8}{name}: {words} ({time.monotonic() - began:.0f} s)", flush=True)
        if not held and name == next(iter(STEPS)):
            break
    return failed


def main() -> int:
    parser = argparse.ArgumentParser(prog="make test-arm", description=__doc__.splitlines()[0])
    parser.add_argument("--series", choices=PYTHONS, default="bookworm")
    parser.add_argument("--package", type=Path, help="default: made now")
    parser.add_argument("--root", type=Path, help="an arm64 Debian that is there already; it is copied")
    without = "only these steps, after the installation; default: all"
    steps = list(STEPS)
    parser.add_argument("--only", nargs="+", choices=steps[1:], default=steps[1:], help=without)
    chosen = parser.parse_args()
    if why := reason():
        print(f"make test-arm: nothing was tried: {why}", file=sys.stderr)
        return UNTRIED
    package = chosen.package
    if package is None:
        build = [sys.executable, ".ci/deb.py", "--arch", "arm64", "--series", chosen.series]
        output_of = subprocess.run(build, cwd=ROOT, check=True, capture_output=True, text=True).stdout
        package = ROOT / output_of.strip()
    pristine = chosen.root or ROOT / "build/arm" / chosen.series
    if chosen.root is None:
        make_tree(chosen.series, pristine)
    folder = Path(tempfile.mkdtemp(prefix="crisscross-arm-", dir=pristine.parent))
    try:
        subprocess.run(["cp", "-a", "--reflink=auto", pristine, folder / "root"], check=True)
        trial = Trial(Tree(folder / "root"), package.resolve(), PYTHONS[chosen.series])
        failed = run(trial, [steps[0], *chosen.only])
    finally:
        remove(folder)
    print(f"{chosen.series}, arm64: {'all held' if not failed else f'{failed} did not hold'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
