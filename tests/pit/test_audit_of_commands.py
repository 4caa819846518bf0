"""The audit trail also has entries for acts without a page: commands on a store, and changes of users while
no pit ran.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from controller.cli import main
from controller.common.secret_hash import hash_secret
from controller.floor.pit.access.users import User, read_users, write_users
from controller.floor.pit.audit.trail import AuditEntry, login, verified
from controller.floor.pit.opening import open_database
from controller.floor.pit.store import Store
from tests.pit.published_tables import played
from tests.pit.test_audit import ENTRIES, trail
from tests.pit.test_streams import rooted
from tests.pit.test_users import file
from tests.pit.with_figures import taking
from tests.repository.house import ROOT
from tests.uplink.broker import Mosquitto, broker, soon

__all__ = ["broker", "file", "trail"]
pytestmark = pytest.mark.serial


def test_commands_that_change_or_copy_the_store_are_entries(trail: str, tmp_path: Path) -> None:
    with closing(Store(open_database(trail, writing=True))) as store:
        store.clock("UTC", "UTC")
        taking(store).take(rooted(played()))
        store._db.rows("UPDATE sums SET amount = amount + 7 WHERE what = 'rounds'")
    copy, back = str(tmp_path / "copy.db"), str(tmp_path / "back.db")
    for command in (
        ["refold", "--dry-run", "--store", trail], ["refold", "--store", trail],
        ["backup", copy, "--store", trail], ["restore", copy, "--store", back],
        ["downgrade", "--store", trail],
    ):  # fmt: skip
        assert main(["pit", *command]) == 0
    acts: dict[str, list[tuple[str, str]]] = {}
    for url in (trail, copy, back):
        with closing(open_database(url, writing=False)) as database:
            entries = [each.entry for each in verified(database)][len(ENTRIES) :]
        assert {(each.who, each.address) for each in entries} == {(login(), "")}
        acts[url] = [(each.act, each.about) for each in entries]
    refolded, copied = acts[copy]
    assert refolded[0] == "refold" and refolded[1].endswith("0 changed; totals: rounds 8 to 1")
    assert copied == ("backup", copy)
    assert acts[back] == [refolded, copied, ("restore", copy)]
    assert acts[trail] == [refolded, copied, ("downgrade", "to version 3")]


def test_users_that_were_changed_while_no_pit_ran_are_entries_of_the_next_start(
    trail: str, file: Path, broker: Mosquitto
) -> None:
    """Each start runs a complete pit, which a signal ends at once."""
    url, lines = f"mqtt://127.0.0.1:{broker.port}", []
    command = [
        sys.executable, "-m", "controller", "pit", "--store", trail, "--users", str(file), "--broker", url,
        "--listen", "127.0.0.1:0",
    ]  # fmt: skip
    for change in ({}, {"ana": None, "eve": User(role="manage", password=hash_secret("y" * 12))}, {}):
        users = {**read_users(file), **change}
        write_users(file, {name: each for name, each in users.items() if each is not None})
        lines.append(run_once(command, trail, len(lines) + 1))
    first, second, third = lines
    assert [each.act for each in first] == ["users"]
    assert [each.about for each in second[1:3]] == [
        "ana: removed (since the last start)", "eve: added, manage (since the last start)",
    ]  # fmt: skip
    assert second[1].who == f"file:{file}"
    assert [each.act for each in third[4:]] == ["users"]
    assert "eve manage " in third[-1].about and "argon2" not in str(lines)


def run_once(command: list[str], store: str, times: int) -> list[AuditEntry]:
    """Run a pit until it has noted its users `times` times, end it by SIGTERM, and return the entries about
    users."""

    def found() -> list[AuditEntry]:
        with closing(open_database(store, writing=False)) as database:
            entries = [each.entry for each in verified(database)]
        return [each for each in entries if each.act in ("users", "user_changed")]

    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=ROOT) as pit:
        assert pit.stderr is not None
        assert any("the line is up" in line for line in pit.stderr)
        soon(lambda: [each.act for each in found()].count("users") == times)
        pit.send_signal(signal.SIGTERM)
        assert pit.wait(30) == 0
    return found()
