"""Memory of this process and temperature of the processor (how hot it is), each None if unavailable."""

from __future__ import annotations

import os
from pathlib import Path

THERMAL = Path("/sys/class/thermal")
PROCESSOR_SENSORS = ("cpu", "soc", "x86_pkg_temp", "k10temp")
"""Names that kernels give the processor's own sensor: `cpu-thermal` on a Raspberry Pi."""


def resident_bytes(file: Path = Path("/proc/self/statm")) -> int | None:
    """Return the memory that this process occupies, or None."""
    try:
        pages = int(file.read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")


def celsius_tenths(folder: Path = THERMAL) -> int | None:
    """Return the processor's temperature in tenths of a degree, or None."""
    for zone in sorted(folder.glob("thermal_zone*")):
        try:
            name = (zone / "type").read_text(encoding="ascii").strip().lower()
            if name.startswith(PROCESSOR_SENSORS):
                return int((zone / "temp").read_text(encoding="ascii")) // 100
        except (OSError, ValueError):
            # a sensor that is switched off returns an error: try the next one
            continue
    return None
