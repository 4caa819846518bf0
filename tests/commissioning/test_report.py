"""The report of the check can be printed or read as JSON, and includes the requirements of the machine
itself.
"""

from __future__ import annotations

import errno
import json
from pathlib import Path

import pytest

from controller.cli import main
from controller.settings.config import load_config
from controller.table.commissioning import causes
from controller.table.commissioning.causes import Cause
from controller.table.commissioning.lines import READY, ReportLine, on_paper, verdict
from controller.table.commissioning.machine import clock, disk
from drivers.probe import ProbeResult
from tests.runtime.child import table_file

NOW = 1_795_400_000


def test_the_report_is_a_page_to_be_signed() -> None:
    lines = [
        ReportLine("shoe: none fitted"),
        ReportLine("disk", "full"),
        ReportLine("clock", note="no battery"),
        ReportLine("lamps", todo="look"),
    ]
    page = on_paper("CC-01", "2026-11-23T00:00:00Z", "0.1.0", lines).splitlines()
    assert page[0] == "Commissioning of table CC-01"
    assert page[3:7] == [
        "ok      shoe: none fitted",
        "FAILED  disk: full",
        "note    clock: no battery",
        "open    lamps: look",
    ]
    assert "Verdict: 1 failed" in page
    assert any("Signed" in line for line in page)


def test_a_table_is_ready_only_after_every_check() -> None:
    assert verdict([ReportLine("a"), ReportLine("b", note="c")]) == READY
    assert (
        verdict([ReportLine("a"), ReportLine("b", todo="c")])
        == "nothing failed; 1 still to be seen by a person"
    )
    assert verdict([ReportLine("a", "b"), ReportLine("b", todo="c")]) == "1 failed"


def test_json_alone_is_on_standard_output(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, page = table_file(tmp_path, method="hand", shoe=None), tmp_path / "page.txt"
    assert main(["check", "--config", str(file), "--json", "--report", str(page)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["table"], found["verdict"]) == ("T-1", READY)
    assert {line["state"] for line in found["lines"]} <= {"ok", "note"}
    assert "Verdict: ready for play" in page.read_text(encoding="utf-8")


def test_an_unwritable_report_gives_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = table_file(tmp_path, method="hand", shoe=None)
    assert main(["check", "--config", str(file), "--report", f"{tmp_path}/none/page"]) == 2
    assert capsys.readouterr().err == (
        f"{tmp_path}/none/page: cannot be written: No such file or directory: "
        "name a folder that you may write\n"
    )


@pytest.mark.parametrize(
    ("number", "cause"),
    [(errno.EACCES, "not permitted"), (errno.EPERM, "not permitted"), (errno.EBUSY, "held"),
     (errno.EAGAIN, "held"), (errno.ENOENT, "not there"), (errno.ENOTTY, "no serial port")],
)  # fmt: skip
def test_each_refusal_of_a_port_has_its_own_text(number: int, cause: Cause) -> None:
    fault = causes.fault_of_line(ProbeResult(refused=OSError(number, "as the system says it")))
    assert (fault.cause, fault.words) == (cause, "as the system says it")


def test_a_clock_without_a_battery_is_noted_and_one_that_is_wrong_fails(tmp_path: Path) -> None:
    assert "no battery-backed clock" in clock(tmp_path, NOW).note
    assert clock(tmp_path, 5).wrong.startswith("that is in the past")
    (tmp_path / "rtc0").mkdir()
    (tmp_path / "rtc0/since_epoch").write_text(f"{NOW - 3600}\n")
    assert "hwclock --systohc" in clock(tmp_path, NOW).note
    (tmp_path / "rtc0/since_epoch").write_text(f"{NOW}\n")
    assert clock(tmp_path, NOW).state == "ok"


def test_too_little_room_for_the_journal_fails(tmp_path: Path) -> None:
    config = load_config(table_file(tmp_path, method="hand", shoe=None, storage_low_mib=1_000_000))
    assert disk(config).wrong == "less than storage_low_mib, 1000000 MiB: make room"
    assert disk(load_config(table_file(tmp_path, method="hand", shoe=None, storage_low_mib=1))).state == "ok"
