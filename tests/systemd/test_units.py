"""Systemd accepts each unit without a warning, and each unit has its required settings."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from controller.common.http.connection_limits import MAX_CONNECTIONS, MAX_OWN_CONNECTIONS

pytestmark = pytest.mark.serial

SYSTEMD = Path(__file__).parents[2] / "systemd"
UNITS = sorted(SYSTEMD.glob("*.service"))
TABLE = SYSTEMD / "crisscross.service"
ARCHIVE = SYSTEMD / "crisscross-archive.service"
UPLINK, TELLER = SYSTEMD / "crisscross-uplink.service", SYSTEMD / "crisscross-uplink-tell.service"
PIT = SYSTEMD / "crisscross-pit.service"
EVIDENCE = SYSTEMD / "crisscross-evidence.service"
FEED, WITNESS = SYSTEMD / "crisscross-witness-feed.service", SYSTEMD / "crisscross-witness.service"
CHECKPOINTS = SYSTEMD / "crisscross-witness-checkpoints.service"
PAGES = SYSTEMD / "crisscross-pages.service"
HARDENED = (TABLE, PAGES, FEED, CHECKPOINTS, WITNESS, ARCHIVE, UPLINK, TELLER, PIT, EVIDENCE)
NO_SECRETS = "-/var/lib/crisscross/journal.db.keys -/var/lib/crisscross/journal.db.shoe"

analyze = shutil.which("systemd-analyze")
needs_systemd = pytest.mark.skipif(analyze is None, reason="systemd-analyze is not installed")


def directives(unit: Path) -> dict[str, list[str]]:
    """Return the values of every ``Name=value`` of a unit, by name. A backslash at the end continues a
    line."""
    found: dict[str, list[str]] = {}
    for line in unit.read_text().replace("\\\n", " ").splitlines():
        if match := re.fullmatch(r"([A-Za-z]+)=(.*)", line):
            found.setdefault(match[1], []).append(match[2].strip())
    return found


def verify(*units: Path) -> str:
    """Return the output of ``systemd-analyze verify``; its exit status is 0 even when it warns."""
    result = subprocess.run([str(analyze), "verify", *units], capture_output=True, text=True, check=False)
    return result.stderr + result.stdout


def with_command_at(unit: Path, folder: Path) -> Path:
    """Return a copy of the unit whose commands have absolute paths, as a packager would write them."""
    command = folder / "command"
    command.write_text("#!/bin/sh\n")
    command.chmod(0o755)
    copy = folder / unit.name
    copy.write_text(re.sub(r"(?m)^(Exec\w+=)/usr/bin/env \S+", rf"\1{command}", unit.read_text()))
    assert str(command) in copy.read_text()
    return copy


@needs_systemd
@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_systemd_accepts_each_unit_without_a_warning(unit: Path, tmp_path: Path) -> None:
    assert verify(unit) == ""
    assert verify(with_command_at(unit, tmp_path)) == ""


@needs_systemd
def test_a_misspelt_directive_is_reported(tmp_path: Path) -> None:
    wrong = tmp_path / "crisscross.service"
    wrong.write_text(TABLE.read_text().replace("WatchdogSec=", "WatchdogSeconds="))
    assert "WatchdogSeconds" in verify(wrong)


@needs_systemd
@pytest.mark.parametrize("unit", HARDENED, ids=lambda unit: unit.name)
def test_the_exposure_of_a_unit_is_at_most_1_5(unit: Path) -> None:
    checked = subprocess.run(
        [str(analyze), "security", "--offline=true", "--threshold=15", "--no-pager", unit],
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout


def test_the_table_has_a_watchdog_a_restart_and_its_lamps_off_at_each_end() -> None:
    unit = directives(TABLE)
    assert unit["Type"] == ["notify"]
    assert unit["NotifyAccess"] == ["main"]
    assert unit["WatchdogSec"] == ["10"]
    assert unit["Restart"] == ["always"]
    assert unit["StartLimitIntervalSec"] == ["0"]
    (run,), (after,) = unit["ExecStart"], unit["ExecStopPost"]
    assert "crisscross run --config /etc/crisscross/table.yaml" in run
    assert after == run.replace(" run ", " lamps-off ").partition(" --pages")[0].rstrip()


def test_no_unit_writes_core_files() -> None:
    for unit in UNITS:
        assert directives(unit)["LimitCORE"] == ["0"]


def test_swap_is_disabled_and_memory_and_descriptors_are_limited() -> None:
    unit = directives(TABLE)
    assert (unit["MemorySwapMax"], unit["MemoryMax"]) == (["0"], ["512M"])
    assert int(directives(PAGES)["LimitNOFILE"][0]) > 2 * (MAX_CONNECTIONS + MAX_OWN_CONNECTIONS), (
        "the pages never reach it"
    )
    assert (directives(PAGES)["MemorySwapMax"], directives(PAGES)["MemoryMax"]) == (["0"], ["256M"])


def test_the_pages_start_and_stop_with_the_table_which_does_not_require_them() -> None:
    unit, pages = directives(TABLE), directives(PAGES)
    assert unit["Wants"] == ["crisscross-pages.service"]
    assert not unit.keys() & {"Requires", "BindsTo", "Requisite"}
    assert (pages["PartOf"], pages["Restart"]) == (["crisscross.service"], ["always"])
    assert "After" not in pages, "both begin at one time"
    assert unit["ReadWritePaths"] == ["-/run/crisscross-pages"]
    assert unit["ExecStart"][0].split()[-1] == pages["ExecStart"][0].split()[-1]
    assert (pages["IPAddressDeny"], pages["IPAddressAllow"]) == (["any"], ["localhost"])


def test_lgpio_has_a_writable_folder_for_its_pipe() -> None:
    unit = directives(TABLE)
    assert "LG_WD=%t/crisscross" in unit["Environment"]
    assert unit["RuntimeDirectory"] == ["crisscross"]
    assert unit["ProtectSystem"] == ["strict"]
    assert "ProcSubset" not in unit, "gpiozero reads /proc/device-tree or /proc/cpuinfo"


def test_the_browser_has_an_effective_memory_limit() -> None:
    unit = directives(SYSTEMD / "crisscross-display.service")
    assert unit["MemoryMax"] == ["600M"]
    assert "PAMName" not in unit, "a PAM session leaves the unit's control group, and the limit with it"


def test_the_browser_has_a_writable_home() -> None:
    """The crash handler of the browser needs a folder for its files. Without one the browser of trixie's
    image ended at each start."""
    unit = directives(SYSTEMD / "crisscross-display.service")
    assert "HOME=%t/crisscross-display" in unit["Environment"]
    assert unit["RuntimeDirectory"] == ["crisscross-display"]


def test_the_users_of_the_units_are_created_and_may_access_the_devices() -> None:
    files = sorted(SYSTEMD.glob("*.sysusers.conf"))
    lines = [line.split() for file in files for line in file.read_text().splitlines()]
    users = {line[1] for line in lines if line[:1] == ["u"]}
    assert {directives(unit)["User"][0] for unit in UNITS} == users
    assert {line[2] for line in lines if line[:1] == ["m"] and line[1] == "crisscross"} == {
        "dialout",
        "gpio",
        "spi",
    }


def test_the_feed_has_no_access_to_addresses_devices_and_files_by_default() -> None:
    unit = directives(FEED)
    assert unit["IPAddressDeny"] == ["any"]
    assert "IPAddressAllow" not in unit, "a drop-in names the witnesses"
    assert unit["InaccessiblePaths"] == ["-/var/lib/crisscross -/etc/crisscross"]
    assert (unit["PrivateDevices"], unit["DevicePolicy"]) == (["yes"], ["closed"])
    assert "crisscross-witness-feed" not in TABLE.read_text(), "the table waits for no network"
    assert "IPAddressAllow" not in directives(TABLE)


def test_a_unit_has_access_either_to_the_journal_or_to_the_network() -> None:
    uplink, checkpoints = directives(UPLINK), directives(CHECKPOINTS)
    assert uplink["InaccessiblePaths"] == ["-/var/lib/crisscross -/etc/crisscross"]
    assert (uplink["IPAddressDeny"], "IPAddressAllow" in uplink) == (["any"], False)
    for unit in (directives(TELLER), checkpoints):
        assert (unit["PrivateNetwork"], unit["RestrictAddressFamilies"]) == (["yes"], ["AF_UNIX"])
    assert checkpoints["InaccessiblePaths"] == [NO_SECRETS]
    assert "crisscross-uplink" not in TABLE.read_text(), "the table waits for neither"


def test_the_surveillance_pages_start_with_their_machine_and_reach_only_it_by_default() -> None:
    unit = directives(EVIDENCE)
    (run,) = unit["ExecStart"]
    assert run.partition(" crisscross ")[2] == "evidence $JOURNALS --listen 127.0.0.1:8095 $OPTIONS"
    assert (unit["WantedBy"], unit["Restart"]) == (["multi-user.target"], ["always"])
    assert (unit["IPAddressDeny"], unit["IPAddressAllow"]) == (["any"], ["localhost"])
    assert unit["EnvironmentFile"] == ["/etc/crisscross-evidence/evidence.env"], (
        "without it there are no journals"
    )
    assert "XDG_CACHE_HOME=%C/crisscross-evidence" in unit["Environment"], (
        "values of a new pack are kept there"
    )


def test_the_guide_installs_every_package_by_its_hash() -> None:
    guide = (SYSTEMD / "README.md").read_text()
    installs = [line for line in guide.splitlines() if "pip install" in line]
    assert installs
    assert all("--require-hashes " in line or "--no-deps --no-index" in line for line in installs)


def test_a_keyboard_at_the_screen_can_open_only_the_table_s_pages() -> None:
    policy = json.loads((SYSTEMD / "chromium-policy.json").read_text())
    assert policy["DeveloperToolsAvailability"] == 2
    assert policy["URLBlocklist"] == ["*"]
    assert policy["URLAllowlist"] == ["http://127.0.0.1", "file:///usr/share/crisscross/waiting.html"]
    assert "waiting.html" in (SYSTEMD / "crisscross-display.service").read_text()


def test_the_archive_has_no_network_and_reads_no_key() -> None:
    unit = directives(ARCHIVE)
    assert (unit["PrivateNetwork"], unit["PrivateDevices"]) == (["yes"], ["yes"])
    assert unit["InaccessiblePaths"] == [NO_SECRETS]
    assert "Restart" not in unit, "the timer calls it again"
    assert "crisscross journal path --config /etc/crisscross/table.yaml" in unit["ExecStart"][0]


def test_every_file_is_named_in_the_installation() -> None:
    readme = (SYSTEMD / "README.md").read_text()
    for file in SYSTEMD.iterdir():
        assert file.name == "README.md" or file.name.startswith(".") or f"`{file.name}`" in readme


def test_drivers_of_devices_that_may_be_attached_later_are_loaded_before_the_daemon() -> None:
    """systemd looks up char-NAME in /proc/devices when the unit starts; a device class that is missing there
    stays forbidden."""
    built_in = {"ttyAMA", "gpiochip"}
    drivers = {"ttyUSB": "usbserial", "ttyACM": "cdc_acm", "spi": "spidev"}
    named = {
        word.removeprefix("char-")
        for line in directives(TABLE)["DeviceAllow"]
        for word in line.split()
        if word.startswith("char-")
    }
    loaded = (SYSTEMD / "crisscross.modules.conf").read_text(encoding="utf-8").splitlines()
    assert named - built_in == set(drivers)
    assert [line for line in loaded if not line.startswith("#")] == [*drivers.values(), "tcp_diag"]


def test_the_daemon_s_groups_may_open_the_pins_and_the_spi_that_its_unit_allows() -> None:
    rules = (SYSTEMD.parent / "hardware/60-crisscross-pins.rules").read_text(encoding="utf-8")
    groups = set(re.findall(r'(?m)^SUBSYSTEM==.*, GROUP="(\w+)", MODE="0660"$', rules))
    assert groups == {"gpio", "spi"}
    members = (SYSTEMD / "crisscross.sysusers.conf").read_text(encoding="utf-8")
    assert groups < set(re.findall(r"(?m)^m crisscross (\w+)$", members))
    assert {f"char-{name} rw" for name in ("gpiochip", "spi")} <= set(directives(TABLE)["DeviceAllow"])


def test_only_the_pages_may_query_the_kernel_for_the_user_of_a_connection() -> None:
    netlink = {unit for unit in HARDENED if "AF_NETLINK" in directives(unit)["RestrictAddressFamilies"][0]}
    assert netlink == {PAGES}
