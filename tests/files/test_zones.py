"""Time zones are found by name, and an instant of the records has the right local time in them."""

from __future__ import annotations

from pathlib import Path

from controller.common.files.zones import at, known, machine_zone


def test_an_instant_has_its_local_time_in_summer_and_winter() -> None:
    assert (
        at("2026-11-22T01:36:09.250Z", "America/New_York").isoformat() == "2026-11-21T20:36:09.250000-05:00"
    )
    assert at("2026-07-01T00:00:00.000Z", "America/New_York").hour == 20


def test_an_unknown_zone_is_refused() -> None:
    assert known("Europe/Berlin")
    assert not any(map(known, ("Atlantis/Poseidonis", "", "../etc/passwd", "/etc/localtime")))


def test_the_machines_zone_is_that_of_its_environment_then_of_its_clock(tmp_path: Path) -> None:
    link = tmp_path / "localtime"
    assert machine_zone({}, link) == "UTC"
    link.symlink_to("/usr/share/zoneinfo/America/Chicago")
    assert machine_zone({}, link) == "America/Chicago"
    assert machine_zone({"TZ": ":Asia/Tokyo"}, link) == "Asia/Tokyo"
    assert machine_zone({"TZ": "EST5EDT-nonsense"}, link) == "UTC"
