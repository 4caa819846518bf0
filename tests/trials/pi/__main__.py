"""`make test-pi`: pins and lamps on a Pi's own kernel drivers, pinctrl-bcm2835 and spi-bcm2835.

QEMU's raspi3b boots Debian's arm64 kernel twice: as Debian starts it, and with RPi.GPIO's access to the
registers and, where the kernel can, outputs that outlive their process, as on Raspberry Pi OS. Each level
that the program reports is compared with the registers, which the host reads. Exit status 0: all checks
passed; 1: one failed; 77: nothing was tried, with the reason. The board has no interrupt of a pin, no pull
resistor and nothing on its SPI; QEMU 7.2 has no SPI.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

from tests.repository.house import ROOT
from tests.trials.pi.board import QEMU, boot
from tests.trials.pi.build import build, reason

UNTRIED = 77
FOLDER = ROOT / "build/pi"
BOOTS = {
    "": ("board", "outputs", "levels", "lamps", "check", "stops", "killed", "rpi_outputs"),
    "iomem=relaxed pinctrl_bcm2835.persist_gpio_outputs=1": (
        "rpi_outputs", "rpi_lamps", "rpi_keys", "rpi_killed", "killed",
    ),
}  # fmt: skip
"""Words of the kernel's command line -> steps."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="make test-pi", description=__doc__.splitlines()[0])
    parser.add_argument("--series", choices=("bookworm", "trixie"), default="bookworm", help="of the kernel")
    parser.add_argument("--qemu", default=QEMU, metavar="PROGRAM", help="another QEMU than the installed one")
    chosen = parser.parse_args()
    if why := reason():
        print(f"make test-pi: nothing was tried: {why}", file=sys.stderr)
        return UNTRIED
    began = time.monotonic()
    built = build(chosen.series, FOLDER)
    print(f"kernel of {chosen.series}: built in {time.monotonic() - began:.0f} s", flush=True)
    console = FOLDER / "console.log"
    console.unlink(missing_ok=True)
    failed = 0
    for words, steps in BOOTS.items():
        print(f"boot with: {words or 'nothing added'}", flush=True)
        line = f"{words} NOW={time.time():.0f} STEPS={','.join(steps)}"
        reports = []
        for report in boot(Path(chosen.qemu), built, line, console):
            reports.append(report)
            print(report, flush=True)
        failed += len(steps) - sum(report.startswith("ok ") for report in reports)
    spent = time.monotonic() - began
    print(f"{'all held' if not failed else f'{failed} did not hold'} in {spent:.0f} s, "
          f"{sum(os.times()[2:4]):.0f} s of them on a processor; the console is in {console}")  # fmt: skip
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
