"""Requirements of the machine itself: free space, a real-time clock with the right time (a battery holds
it), a free port for the pages.

It changes nothing and asks no device.
"""

from __future__ import annotations

import shutil
import socket
from pathlib import Path

from controller.common.clock import PLAUSIBLE_FROM, posix_now, utc_text
from controller.common.http.connection_owner import NO_USER, user_ids
from controller.settings.config import TableConfig
from controller.table.commissioning.lines import ReportLine

RTC = Path("/sys/class/rtc")
MAX_CLOCK_GAP_S = 60
"""Maximum difference in seconds between the battery-backed clock and the system clock."""
ROUND_BYTES = 40_000
"""Approximate bytes of one round in the journal (systemd/README.md)."""


def disk(config: TableConfig) -> ReportLine:
    """Check the free space for the journal, in MiB and in rounds."""
    folder = config.journal.parent
    if not folder.is_dir():
        return ReportLine("disk", f"{folder} is not there; make the folder for the daemon's user")
    free, low = shutil.disk_usage(folder).free, config.keys.storage_low_mib * 2**20
    what = f"disk: {free // 2**20} MiB free for the journal, some {free // ROUND_BYTES:,} rounds"
    return ReportLine(what, f"less than storage_low_mib, {low // 2**20} MiB: make room" if free < low else "")


def clock(folder: Path = RTC, now: int | None = None) -> ReportLine:
    """Report whether the UTC clock, whose time is in every record, is plausible and whether a battery-backed
    clock keeps it through a power cut. `folder`: the kernel's folder of those clocks; `now`: POSIX seconds,
    by default those of the system."""
    now = posix_now() if now is None else now
    what = f"clock: {utc_text(now)}"
    if now < PLAUSIBLE_FROM:
        return ReportLine(what, "that is in the past: set it (timedatectl set-time, or a time server)")
    rtc = _rtc_seconds(folder)
    if rtc is None:
        return ReportLine(
            what, note="no battery-backed clock: after a power cut it is wrong until a time server answers"
        )
    if abs(rtc - now) > MAX_CLOCK_GAP_S:
        return ReportLine(
            what, note=f"the battery-backed clock says {utc_text(rtc)}: hwclock --systohc sets it"
        )
    return ReportLine(f"{what}, and the battery-backed clock agrees")


def _rtc_seconds(folder: Path) -> int | None:
    try:
        return int((folder / "rtc0" / "since_epoch").read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None


def pages(config: TableConfig) -> ReportLine:
    """Check the port of the pages, and the user whose browser a real table answers."""
    section = config.keys.display
    where = f"{section.host}:{section.port}"
    if config.keys.mock is None and not user_ids(section.user):
        return ReportLine("display", NO_USER.format(user=section.user))
    if section.port and not _is_free(section.host, section.port):
        return ReportLine(
            "display", f"{where} is taken by another program: end it, or choose another display.port"
        )
    if config.keys.mock is not None:
        return ReportLine("display: for whoever asks on this machine")
    return ReportLine(f"display: {where}, for the user {section.user} alone")


def _is_free(host: str, port: int) -> bool:
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True
