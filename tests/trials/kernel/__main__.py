"""`make test-kernel`: keys, lamps and the daemon on a kernel's own GPIO and SPI.

An emulated x86-64 machine boots Debian's kernel with gpio-sim as the header and a lamp board at a simulated
SPI controller. Its time follows its instructions (-icount), so a loaded host only makes the trial take
longer. Exit status 0: all checks passed; 1: one failed; 77: nothing was tried, with the reason. It tests
lgpio, gpiozero, spidev and the kernel's interfaces. It does not test electronics or the speed of a Pi.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tests.repository.house import ROOT
from tests.trials.kernel.build import build_modules, build_root, kernels, reason

UNTRIED = 77
FOLDER = ROOT / "build/kernel"
STEPS = ("opened", "lamps", "named", "keys", "stops", "other", "check", "daemon", "killed")
NS_PER_INSTRUCTION = 1
"""Duration of an instruction as a power of two, in ns: 1 means 2 ns, about that of a Pi 4's core."""


def run(kernel: str, archive: Path) -> Sequence[str]:
    """Boot, print the reports of the steps as they arrive, and return them."""
    command = ["qemu-system-x86_64", "-M", "q35", "-m", "1536", "-cpu", "max", "-accel", "tcg", "-nographic",
               "-no-reboot", "-nic", "none", "-icount", f"shift={NS_PER_INSTRUCTION},sleep=off",
               "-kernel", f"/boot/vmlinuz-{kernel}", "-initrd", str(archive),
               "-append", "console=ttyS0 quiet panic=-1 no_timer_check rdinit=/init"]  # fmt: skip
    reports = []
    log = FOLDER / "console.log"
    with (
        subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
                         errors="replace") as machine,
        log.open("w") as kept,
    ):  # fmt: skip
        assert machine.stdout is not None
        for line in machine.stdout:
            kept.write(line)
            if line.startswith("GUEST "):
                reports.append(line.removeprefix("GUEST ").strip())
                print(reports[-1], flush=True)
    return reports


def main() -> int:
    parser = argparse.ArgumentParser(prog="make test-kernel", description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", choices=STEPS, default=STEPS, help="only these steps")
    chosen = parser.parse_args()
    if why := reason():
        print(f"make test-kernel: nothing was tried: {why}", file=sys.stderr)
        return UNTRIED
    began = time.monotonic()
    kernel = kernels()[-1]
    modules, archive = FOLDER / "modules", FOLDER / "root.cpio"
    build_modules(kernel, modules)
    build_root(kernel, modules, FOLDER / "root", archive, " ".join(chosen.only))
    print(f"Debian's kernel {kernel}: built in {time.monotonic() - began:.0f} s", flush=True)
    reports = run(kernel, archive)
    held = [line for line in reports if line.startswith("ok ")]
    whole = len(held) == len(chosen.only)
    print(f"{'all held' if whole else f'{len(chosen.only) - len(held)} did not hold'} in "
          f"{time.monotonic() - began:.0f} s; the console is in {FOLDER / 'console.log'}")  # fmt: skip
    return 0 if whole else 1


if __name__ == "__main__":
    sys.exit(main())
